/**
 * Contacts of shapes that are apart, looked at along the motion of the step: only what would touch may push.
 *
 * Method: a contact at a distance says that its gap closes no further than to nothing. Its normal is that of the present places: a ball that
 * flies past an edge would be thrown back by it. So where the motion without contacts would close the gap of a pair that does not touch yet,
 * the pair is cast along that motion (conservative advancement, cast.ts). Where it never touches, its contacts go. Where it
 * touches with another normal than at present, or far from there, they give way to those of that time: their points are taken back to the present with the
 * bodies, and the gap is what their velocity closes until then.
 * Left as they are: pairs that touch already or move along the normal, half-spaces (their normal is the same everywhere), bodies
 * that turn by more than a quarter within the step.
 * Source: Mirtich 1996, "Impulse-based dynamic simulation of rigid body systems", section 2.3 (advancement); Catto 2013, "Continuous
 * collision", Game Developers Conference (contacts at a distance, and where they push wrongly).
 * Frames: world. Cost: one cast per pair that would close; nothing for the others. Fails: a cast that comes to no end counts as touching.
 * Tested by fast-bodies.test.ts.
 */
import { quatToMat3 } from '../math/quat.js';
import { expQuat } from '../math/so3.js';
import { inverseTransformPoint, transformPoint } from '../math/transform.js';
import { castPair, createCastResult } from '../narrowphase/cast.js';
import { HALFSPACE } from '../narrowphase/collider.js';
import type { ContactSet } from './contact-set.js';
import type { Simulation } from './simulation.js';
import { BODY, type Carrier, LINK, STATIC } from './world.js';

/** Gaps that are rather rounding than distance, in slops. */
const SLOPS = 2;
/** Part of the speed along the normal below which that across it does not matter, squared. */
const ACROSS = 1e-4;
/** cos of the angle by which a normal may differ from the present one. */
const SAME = 0.999;
/** Part of the smaller shape's extent by which it may go across it until they touch. */
const FAR = 0.25;
/** Radians within the step: below and beyond. */
const LITTLE_TURN = 0.1;
const MOST_TURN = Math.PI / 2;

const result = createCastResult();
/** Twist of a carrier: linear of its point at the world's origin, angular. */
const twistA = new Float64Array(6);
const twistB = new Float64Array(6);
const motion = {
  a0: new Float64Array(12),
  a1: new Float64Array(12),
  b0: new Float64Array(12),
  b1: new Float64Array(12),
};
const castOptions = { tolerance: 0 };
const velocity = new Float64Array(3);

/** Appends the contacts of a pair at the given placements, within a margin. */
export type AppendContacts = (
  simulation: Simulation,
  a: number,
  b: number,
  X_A: Float64Array,
  X_B: Float64Array,
  margin: number,
) => void;

/** Of the pair whose contacts are those from `first` on. `append` adds contacts of the pair at other placements. */
export function confirmApproach(
  simulation: Simulation,
  a: number,
  b: number,
  first: number,
  h: number,
  append: AppendContacts,
): void {
  const { contacts, world, places } = simulation;
  const { gaps } = contacts;
  const least = SLOPS * world.step.slop;
  let nearest = first;
  for (let c = first; c < contacts.count; c++) if (gaps[c] < gaps[nearest]) nearest = c;
  if (!(gaps[nearest] > least)) return;
  const p = world.geometries[a];
  const q = world.geometries[b];
  if (p.collider.type === HALFSPACE || q.collider.type === HALFSPACE) return;
  readTwist(twistA, simulation, p.carrier);
  readTwist(twistB, simulation, q.carrier);
  const turning = h * Math.max(turnOf(twistA), turnOf(twistB));
  if (turning > MOST_TURN) return;
  // What turns fast gets elsewhere than its velocity says.
  let closes = turning > LITTLE_TURN;
  for (let c = first; c < contacts.count && !closes; c++) closes = wouldClose(contacts, c, h);
  if (!closes) return;
  motion.a0.set(places.own[a]);
  motion.b0.set(places.own[b]);
  move(motion.a1, motion.a0, twistA, h);
  move(motion.b1, motion.b0, twistB, h);
  castOptions.tolerance = Math.min(0.25 * gaps[nearest], Math.max(world.step.slop, 1e-9));
  castPair(result, p.collider, q.collider, motion, castOptions);
  if (!result.hit) {
    contacts.count = first;
    return;
  }
  const { normals, points } = contacts;
  let along = 0;
  for (let k = 0; k < 3; k++) along += normals[3 * nearest + k] * result.normal[k];
  if (result.status !== 'ok') return;
  const u = closing(points, points, 3 * nearest, normals, nearest);
  const across = h * result.time * Math.sqrt(Math.max(0, squareOf(velocity) - u * u));
  if (along > SAME && across < FAR * Math.min(p.collider.extent, q.collider.extent)) return;
  replace(simulation, a, b, first, h * result.time, append);
}

/** Whether a contact's gap would be gone after h, and its points do not just meet head on. */
function wouldClose({ points, normals, gaps }: ContactSet, c: number, h: number): boolean {
  const u = closing(points, points, 3 * c, normals, c);
  if (!(gaps[c] + h * u < 0)) return false;
  return squareOf(velocity) - u * u > ACROSS * u * u;
}

const squareOf = (a: Float64Array): number => a[0] * a[0] + a[1] * a[1] + a[2] * a[2];

/** Rate of the gap between pa[at..] of a and pb[at..] of b along the normal of contact c; leaves their relative velocity in `velocity`. */
function closing(pa: Float64Array, pb: Float64Array, at: number, normals: Float64Array, c: number): number {
  const [xa, ya, za] = [pa[at], pa[at + 1], pa[at + 2]];
  const [xb, yb, zb] = [pb[at], pb[at + 1], pb[at + 2]];
  const A = twistA;
  const B = twistB;
  velocity[0] = B[0] + B[4] * zb - B[5] * yb - (A[0] + A[4] * za - A[5] * ya);
  velocity[1] = B[1] + B[5] * xb - B[3] * zb - (A[1] + A[5] * xa - A[3] * za);
  velocity[2] = B[2] + B[3] * yb - B[4] * xb - (A[2] + A[3] * ya - A[4] * xa);
  return velocity[0] * normals[3 * c] + velocity[1] * normals[3 * c + 1] + velocity[2] * normals[3 * c + 2];
}

const turnOf = (twist: Float64Array): number => Math.sqrt(squareOf(twist.subarray(3)));

/** The twist of a carrier by `simulation.velocity`: linear of its point at the world's origin, angular. */
export function readTwist(out: Float64Array, simulation: Simulation, carrier: number): void {
  const { world, velocity: V, bodyPlacements: X, robots } = simulation;
  const { kind, index, joint } = world.carriers[carrier];
  out.fill(0);
  if (kind === BODY) {
    const v = 6 * index;
    const x = 12 * index + 9;
    for (let k = 0; k < 6; k++) out[k] = V[v + k];
    out[0] -= V[v + 4] * X[x + 2] - V[v + 5] * X[x + 1];
    out[1] -= V[v + 5] * X[x] - V[v + 3] * X[x + 2];
    out[2] -= V[v + 3] * X[x + 1] - V[v + 4] * X[x];
  } else if (kind === LINK && joint > 0) {
    const { columns: G, data, model, firstV } = robots[index];
    const { columnStarts, columnVelocities } = data;
    for (const i of model.supports[joint])
      for (let c = columnStarts[i]; c < columnStarts[i + 1]; c++) {
        const speed = V[firstV + columnVelocities[c]];
        for (let k = 0; k < 6; k++) out[k] += speed * G[6 * c + k];
      }
  }
}

const turn = new Float64Array(3);
const quaternion = new Float64Array(4);
const R = new Float64Array(9);

/** out = X moved by a twist for h: turned about its own origin, which goes straight. */
function move(out: Float64Array, X: Float64Array, twist: Float64Array, h: number): void {
  const [x, y, z] = [X[9], X[10], X[11]];
  out[9] = x + h * (twist[0] + twist[4] * z - twist[5] * y);
  out[10] = y + h * (twist[1] + twist[5] * x - twist[3] * z);
  out[11] = z + h * (twist[2] + twist[3] * y - twist[4] * x);
  for (let k = 0; k < 3; k++) turn[k] = h * twist[3 + k];
  quatToMat3(R, expQuat(quaternion, turn));
  for (let r = 0; r < 3; r++)
    for (let c = 0; c < 3; c++) out[3 * r + c] = R[3 * r] * X[c] + R[3 * r + 1] * X[3 + c] + R[3 * r + 2] * X[6 + c];
}

const local = new Float64Array(3);
const atA = new Float64Array(3);
const atB = new Float64Array(3);

/** Contacts of the time at which the pair touches, taken back to the present. */
function replace(
  simulation: Simulation,
  a: number,
  b: number,
  first: number,
  time: number,
  append: AppendContacts,
): void {
  const { contacts, world, places } = simulation;
  move(motion.a1, motion.a0, twistA, time);
  move(motion.b1, motion.b0, twistB, time);
  const kept = contacts.count;
  append(simulation, a, b, motion.a1, motion.b1, Math.max(world.step.margin, 2 * castOptions.tolerance));
  if (contacts.count === kept) return;
  const isFixedA = isFixed(world.carriers[world.geometries[a].carrier]);
  const isFixedB = isFixed(world.carriers[world.geometries[b].carrier]);
  for (let c = kept; c < contacts.count; c++) {
    const { points, normals, gaps } = contacts;
    const point = points.subarray(3 * c, 3 * c + 3);
    transformPoint(atA, places.own[a], inverseTransformPoint(local, motion.a1, point));
    transformPoint(atB, places.own[b], inverseTransformPoint(local, motion.b1, point));
    // It acts on each where it will meet the other.
    if (isFixedA) point.set(atB);
    else if (isFixedB) point.set(atA);
    else {
      for (let k = 0; k < 3; k++) point[k] = 0.5 * (atA[k] + atB[k]);
      contacts.spread(c, 0.5 * (atB[0] - atA[0]), 0.5 * (atB[1] - atA[1]), 0.5 * (atB[2] - atA[2]));
    }
    gaps[c] = Math.max(0, gaps[c] - time * closing(atA, atB, 0, normals, c));
  }
  contacts.moveDown(first, kept);
}

const isFixed = ({ kind, joint }: Carrier): boolean => kind === STATIC || (kind === LINK && joint === 0);
