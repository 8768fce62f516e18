/**
 * Contacts between free bodies, or a body and what stands still, in the flat form that Gauss-Seidel runs over.
 *
 * Method: a contact of two bodies needs no rows of J and M^-1 J^T: the relative velocity of its point is v + w x r of both, and an
 * impulse p acts by p / m and I^-1 (r x p). That is 15 numbers of geometry per contact where rows are 72, so that a heap stays in
 * the cache. What does not move is one more body without inverse mass, in the last place: no branch asks for it. Where there are many
 * contacts the arrays lie in the kernel's memory (contact-kernel.ts), and its loops run over them.
 *
 *   array       stride  index  content
 *   data        32      block  normal 3, tangents 2 x 3, arms of a and b 2 x 3 (0..14), bias 15, friction 16, then J M^-1 J^T of the three
 *                              rows: nn 17, xx 18, yy 19, xy 20, nx 21, ny 22, largest eigenvalue of the tangential part 23 and
 *                              its inverse 24, impulse n x y 25..27, inverse of the tangential part xx yy xy 28..30, 1 / nn 31;
 *                              before `prepareBodyContacts` the impulse in world axes is in 25..27
 *   movers      2       block  bodies a and b
 *   velocities  6       body   linear, angular
 *   masses      8       body   1 / m, inverse inertia xx xy xz yy yz zz
 *   order       1              blocks as islands have them
 *   wanted, pushed  1   block  of shift-rows.ts
 *   shifts      6       body   velocities for the place alone
 * Frames: world; the impulse acts on b and against a. Cost: some 150 operations per contact to prepare. Tested by
 * contacts.test.ts (against rows) and physics.test.ts.
 */
import { SIDE } from './constraint-set.js';
import type { ContactBlock } from './contact-block.js';
import { openContactBlock, viewContactBlock } from './contact-kernel.js';
import type { Simulation } from './simulation.js';

export const CONTACT_STRIDE = 32;
export const MASS_STRIDE = 8;
/** Blocks up to which JavaScript does it. */
const FEW = 24;

export class BodyContacts {
  data: Float64Array = new Float64Array(0);
  movers: Int32Array = new Int32Array(0);
  order: Int32Array = new Int32Array(0);
  wanted: Float64Array = new Float64Array(0);
  pushed: Float64Array = new Float64Array(0);
  velocities: Float64Array;
  masses: Float64Array;
  shifts: Float64Array;
  /** Where the arrays lie in the kernel's memory; null where JavaScript does it. */
  block: ContactBlock | null = null;

  /** `byKernel`: false leaves all to JavaScript, for tests. */
  constructor(
    readonly bodyCount: number,
    private readonly byKernel = true,
  ) {
    this.velocities = new Float64Array(6 * (bodyCount + 1));
    this.masses = new Float64Array(MASS_STRIDE * (bodyCount + 1));
    this.shifts = new Float64Array(6 * (bodyCount + 1));
  }

  /** Room for so many blocks; what was in the arrays is lost. */
  reserve(blocks: number): void {
    const room = this.movers.length / 2;
    const isKernels = this.block !== null;
    if (blocks <= room && !isKernels && (blocks <= FEW || !this.byKernel)) return;
    const size = blocks <= room ? room : Math.max(64, 2 * blocks);
    if (this.byKernel && blocks > FEW) {
      const block = openContactBlock(this, size, this.bodyCount);
      if (block !== null) {
        if (block !== this.block || this.data.length === 0) viewContactBlock(this, block);
        this.block = block;
        return;
      }
    }
    if (isKernels && this.data.length > 0 && blocks <= room) return;
    this.block = null;
    this.data = new Float64Array(CONTACT_STRIDE * size);
    this.movers = new Int32Array(2 * size);
    this.order = new Int32Array(size);
    this.wanted = new Float64Array(size);
    this.pushed = new Float64Array(size);
    this.velocities = new Float64Array(6 * (this.bodyCount + 1));
    this.masses = new Float64Array(MASS_STRIDE * (this.bodyCount + 1));
    this.shifts = new Float64Array(6 * (this.bodyCount + 1));
  }
}

/** Masses of all bodies as they stand. */
export function writeMasses(out: BodyContacts, { world }: Simulation, inverseInertias: Float64Array): void {
  const { masses } = out;
  const { bodies } = world;
  for (let i = 0; i < bodies.length; i++) {
    masses[MASS_STRIDE * i] = 1 / bodies[i].mass;
    for (let k = 0; k < 6; k++) masses[MASS_STRIDE * i + 1 + k] = inverseInertias[6 * i + k];
  }
  masses.fill(0, MASS_STRIDE * bodies.length);
}

/** Velocities of all bodies from V. */
export function loadVelocities({ velocities, bodyCount }: BodyContacts, V: Float64Array): void {
  for (let k = 0; k < 6 * bodyCount; k++) velocities[k] = V[k];
  for (let k = 6 * bodyCount; k < 6 * bodyCount + 6; k++) velocities[k] = 0;
}

/**
 * What block b is by contact c of the simulation's present step of h, for `prepareBodyContacts`; its impulse, that of the step before, in
 * world axes.
 */
export function writeBodyContact(
  out: BodyContacts,
  { contacts, constraints: { sides }, bodyPlacements: X }: Simulation,
  b: number,
  c: number,
  h: number,
): void {
  const { data, movers } = out;
  const { points, normals, gaps, impulses, materials } = contacts;
  const p = sides[2 * SIDE * b + 3];
  const q = sides[2 * SIDE * b + SIDE + 3];
  const i = p >= 0 ? p : out.bodyCount;
  const j = q >= 0 ? q : out.bodyCount;
  movers[2 * b] = i;
  movers[2 * b + 1] = j;
  const d = CONTACT_STRIDE * b;
  const o = 3 * c;
  data[d] = normals[o];
  data[d + 1] = normals[o + 1];
  data[d + 2] = normals[o + 2];
  const isA = i < out.bodyCount;
  const isB = j < out.bodyCount;
  data[d + 9] = isA ? points[o] - X[12 * i + 9] : 0;
  data[d + 10] = isA ? points[o + 1] - X[12 * i + 10] : 0;
  data[d + 11] = isA ? points[o + 2] - X[12 * i + 11] : 0;
  data[d + 12] = isB ? points[o] - X[12 * j + 9] : 0;
  data[d + 13] = isB ? points[o + 1] - X[12 * j + 10] : 0;
  data[d + 14] = isB ? points[o + 2] - X[12 * j + 11] : 0;
  if (contacts.hasSpreads)
    for (let k = 0; k < 3; k++) {
      if (isA) data[d + 9 + k] -= contacts.spreads[o + k];
      if (isB) data[d + 12 + k] += contacts.spreads[o + k];
    }
  data[d + 15] = gaps[c] > 0 ? gaps[c] / h : 0;
  data[d + 16] = materials[c].friction;
  data[d + 25] = impulses[o];
  data[d + 26] = impulses[o + 1];
  data[d + 27] = impulses[o + 2];
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
function normalVelocity({ data, movers, bodyCount }: BodyContacts, b: number, V: Float64Array): number {
  const d = CONTACT_STRIDE * b;
  let sum = 0;
  for (let side = 0; side < 2; side++) {
    const body = movers[2 * b + side];
    if (body === bodyCount) continue;
    const v = 6 * body;
    const r = d + 9 + 3 * side;
    const own =
      data[d] * (V[v] + V[v + 4] * data[r + 2] - V[v + 5] * data[r + 1]) +
      data[d + 1] * (V[v + 1] + V[v + 5] * data[r] - V[v + 3] * data[r + 2]) +
      data[d + 2] * (V[v + 2] + V[v + 3] * data[r + 1] - V[v + 4] * data[r]);
    sum += side === 0 ? -own : own;
  }
  return sum;
}
