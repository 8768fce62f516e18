/**
 * Contacts between free bodies, or a body and what stands still, in the flat form that Gauss-Seidel runs over.
 *
 * Method: a contact of two bodies needs no rows of J and M^-1 J^T: the relative velocity of its point is v + w x r of both, and an
 * impulse p acts by p / m and I^-1 (r x p). That is 15 numbers of geometry per contact where rows are 72, so that a heap stays in
 * the cache. What does not move is one more body without inverse mass, in the last place: no branch asks for it.
 *
 *   array       stride  index  content
 *   data        28      block  normal 3, tangents 2 x 3, arms of a and b 2 x 3 (0..14), bias 15, friction 16, then J M^-1 J^T of the three
 *                              rows: nn 17, xx 18, yy 19, xy 20, nx 21, ny 22, largest eigenvalue 23 and determinant 24 of the
 *                              tangential part, impulse n x y 25..27
 *   turns       12      block  r x n and I^-1 (r x n), of a and of b
 *   movers      2       block  bodies a and b
 *   velocities  6       body   linear, angular
 *   masses      8       body   1 / m, inverse inertia xx xy xz yy yz zz
 * Frames: world; the impulse acts on b and against a. Cost: some 250 operations per contact to prepare. Tested by
 * contacts.test.ts (against rows) and physics.test.ts.
 */
import { writeBasis } from './build-constraints.js';
import type { Simulation } from './simulation.js';
import { BODY } from './world.js';

export const CONTACT_STRIDE = 28;
export const TURN_STRIDE = 12;
export const MASS_STRIDE = 8;

export class BodyContacts {
  data: Float64Array = new Float64Array(0);
  turns: Float64Array = new Float64Array(0);
  movers: Int32Array = new Int32Array(0);
  readonly velocities: Float64Array;
  readonly masses: Float64Array;

  constructor(readonly bodyCount: number) {
    this.velocities = new Float64Array(6 * (bodyCount + 1));
    this.masses = new Float64Array(MASS_STRIDE * (bodyCount + 1));
  }

  reserve(blocks: number): void {
    if (2 * blocks <= this.movers.length) return;
    const size = Math.max(64, 2 * blocks);
    this.data = new Float64Array(CONTACT_STRIDE * size);
    this.turns = new Float64Array(TURN_STRIDE * size);
    this.movers = new Int32Array(2 * size);
  }
}

/** Masses of all bodies as they stand. */
export function writeMasses(out: BodyContacts, { world }: Simulation, inverseInertias: Float64Array): void {
  const { masses } = out;
  for (let i = 0; i < world.bodies.length; i++) {
    masses[MASS_STRIDE * i] = 1 / world.bodies[i].mass;
    for (let k = 0; k < 6; k++) masses[MASS_STRIDE * i + 1 + k] = inverseInertias[6 * i + k];
  }
}

/** Velocities of all bodies from V. */
export function loadVelocities({ velocities, bodyCount }: BodyContacts, V: Float64Array): void {
  for (let k = 0; k < 6 * bodyCount; k++) velocities[k] = V[k];
  for (let k = 6 * bodyCount; k < 6 * bodyCount + 6; k++) velocities[k] = 0;
}

/** (r x d) to turned[at..at + 2], I^-1 (r x d) after it. */
const turned = new Float64Array(36);

/** Of the arm and the direction at data[arm ..] and data[axis ..]. */
function turn(at: number, data: Float64Array, arm: number, axis: number, M: Float64Array, m: number): void {
  const x = data[arm];
  const y = data[arm + 1];
  const z = data[arm + 2];
  const dx = data[axis];
  const dy = data[axis + 1];
  const dz = data[axis + 2];
  const a = y * dz - z * dy;
  const b = z * dx - x * dz;
  const c = x * dy - y * dx;
  turned[at] = a;
  turned[at + 1] = b;
  turned[at + 2] = c;
  turned[at + 3] = M[m] * a + M[m + 1] * b + M[m + 2] * c;
  turned[at + 4] = M[m + 1] * a + M[m + 3] * b + M[m + 4] * c;
  turned[at + 5] = M[m + 2] * a + M[m + 4] * b + M[m + 5] * c;
}

/** Fills block b from contact c of the simulation's present step of h; impulses are those of the step before. */
export function prepareBodyContact(
  out: BodyContacts,
  { contacts, world, bodyPlacements: X }: Simulation,
  b: number,
  c: number,
  h: number,
): void {
  const { data, turns, movers, masses: M } = out;
  const { points, normals, gaps, impulses, firsts, seconds, materials } = contacts;
  const p = world.carriers[firsts[c]];
  const q = world.carriers[seconds[c]];
  const i = p.kind === BODY ? p.index : out.bodyCount;
  const j = q.kind === BODY ? q.index : out.bodyCount;
  movers[2 * b] = i;
  movers[2 * b + 1] = j;
  const d = CONTACT_STRIDE * b;
  const o = 3 * c;
  data[d] = normals[o];
  data[d + 1] = normals[o + 1];
  data[d + 2] = normals[o + 2];
  writeBasis(data, d);
  const isA = i < out.bodyCount;
  const isB = j < out.bodyCount;
  const ax = isA ? points[o] - X[12 * i + 9] : 0;
  const ay = isA ? points[o + 1] - X[12 * i + 10] : 0;
  const az = isA ? points[o + 2] - X[12 * i + 11] : 0;
  const bx = isB ? points[o] - X[12 * j + 9] : 0;
  const by = isB ? points[o + 1] - X[12 * j + 10] : 0;
  const bz = isB ? points[o + 2] - X[12 * j + 11] : 0;
  data[d + 9] = ax;
  data[d + 10] = ay;
  data[d + 11] = az;
  data[d + 12] = bx;
  data[d + 13] = by;
  data[d + 14] = bz;
  data[d + 15] = gaps[c] > 0 ? gaps[c] / h : 0;
  data[d + 16] = materials[c].friction;
  const m = MASS_STRIDE * i;
  const n = MASS_STRIDE * j;
  for (let r = 0; r < 3; r++) {
    const x = data[d + 3 * r];
    const y = data[d + 3 * r + 1];
    const z = data[d + 3 * r + 2];
    turn(6 * r, data, d + 9, d + 3 * r, M, m + 1);
    turn(18 + 6 * r, data, d + 12, d + 3 * r, M, n + 1);
    data[d + 25 + r] = x * impulses[o] + y * impulses[o + 1] + z * impulses[o + 2];
  }
  if (!(data[d + 25] > 0)) for (let k = 25; k < 28; k++) data[d + k] = 0;
  const inverse = M[m] + M[n];
  let nn = inverse;
  let xx = inverse;
  let yy = inverse;
  let xy = 0;
  let nx = 0;
  let ny = 0;
  for (let side = 0; side < 36; side += 18)
    for (let k = side; k < side + 3; k++) {
      nn += turned[k] * turned[k + 3];
      nx += turned[k] * turned[k + 9];
      ny += turned[k] * turned[k + 15];
      xx += turned[k + 6] * turned[k + 9];
      xy += turned[k + 6] * turned[k + 15];
      yy += turned[k + 12] * turned[k + 15];
    }
  data[d + 17] = nn;
  data[d + 18] = xx;
  data[d + 19] = yy;
  data[d + 20] = xy;
  data[d + 21] = nx;
  data[d + 22] = ny;
  const half = 0.5 * (xx - yy);
  data[d + 23] = 0.5 * (xx + yy) + Math.sqrt(half * half + xy * xy);
  data[d + 24] = xx * yy - xy * xy;
  const t = TURN_STRIDE * b;
  for (let k = 0; k < 6; k++) {
    turns[t + k] = turned[k];
    turns[t + 6 + k] = turned[18 + k];
  }
}

/** Impacts: a closing contact with restitution e is to end at -e times the normal velocity that the step began with, in V0. */
export function addRestitution(
  out: BodyContacts,
  b: number,
  e: number,
  gap: number,
  V0: Float64Array,
  threshold: number,
  h: number,
): void {
  const before = normalVelocity(out, b, V0);
  if (before < -threshold && gap + h * normalVelocity(out, b, out.velocities) <= 0)
    out.data[CONTACT_STRIDE * b + 15] = e * before;
}

/** Of block b's point, at velocities of 6 per body; V may lack those of what stands still. */
function normalVelocity({ data, turns, movers, bodyCount }: BodyContacts, b: number, V: Float64Array): number {
  const d = CONTACT_STRIDE * b;
  const t = TURN_STRIDE * b;
  let sum = 0;
  for (let side = 0; side < 2; side++) {
    const body = movers[2 * b + side];
    if (body === bodyCount) continue;
    const v = 6 * body;
    let own = 0;
    for (let k = 0; k < 3; k++) own += data[d + k] * V[v + k] + turns[t + 6 * side + k] * V[v + 3 + k];
    sum += side === 0 ? -own : own;
  }
  return sum;
}
