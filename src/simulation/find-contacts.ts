/**
 * The contacts of a step: manifolds of all near pairs, joined to those of the step before by feature or by place.
 *
 * Method: 1. pairs of boxes, grown by the margin and by how far each geometry may get; 2. per pair the contact points of the narrow
 * phase within its margin: closed forms for balls and planes (plain-contacts.ts), faces of boxes (box-contacts.ts), else computeContacts, at most four of convex
 * pairs and eight of others; 3. a contact of the same pair and feature, or the nearest one of the pair within REACH of the smaller
 * geometry's size, hands on its impulse. A margin that covers the step's approach is what lets no impact be missed: such contacts
 * push only as far as the gap closes (constraint rows), and only where the motion would close it (confirm-approaches.ts), so that
 * nothing acts at a distance.
 * Non-convex meshes touch with their triangles, compounds with their children.
 * Frames: world. Cost: some microseconds per near pair. Tested by contacts.test.ts.
 */

import { BOX, HALFSPACE } from '../narrowphase/collider.js';
import { computeContacts, createContacts } from '../narrowphase/contacts.js';
import type { Contact } from '../narrowphase/query.js';
import { appendBoxContacts } from './box-contacts.js';
import { confirmApproach } from './confirm-approaches.js';
import { ContactSet } from './contact-set.js';
import { findNearPairs } from './geometry-places.js';
import { appendPlainContacts } from './plain-contacts.js';
import type { RobotState } from './robot-state.js';
import { BODY_STRIDE, FIRST_BODY, type Simulation } from './simulation.js';
import { BODY, LINK } from './world.js';

const REACH = 0.1;
const convexRoom = createContacts(4);
const meshRoom = createContacts(8);
const options = { margin: 0 };
const previous = new ContactSet();
let used = new Uint8Array(64);
let reaches = new Float64Array(64);

/** Brings `simulation.contacts` up to date for a step of h seconds. */
export function findContacts(simulation: Simulation, h: number): void {
  const { world, places, contacts } = simulation;
  const { geometries, step } = world;
  const count = geometries.length;
  measureReaches(simulation, h);
  findNearPairs(places, world, step.margin, reaches);
  previous.swap(contacts);
  if (used.length < previous.count) used = new Uint8Array(2 * previous.count);
  used.fill(0, 0, previous.count);
  contacts.clear();
  let from = 0;
  for (let i = 0; i < places.pairCount; i++) {
    const pair = places.pairs[i];
    const a = Math.floor(pair / count);
    const b = pair - a * count;
    const margin = step.margin + reaches[a] + reaches[b];
    const first = contacts.count;
    appendPair(simulation, a, b, places.own[a], places.own[b], margin);
    if (contacts.count === first) continue;
    confirmApproach(simulation, a, b, first, h, appendPair);
    if (contacts.count === first) continue;
    while (from < previous.count && previous.pairs[from] < pair) from++;
    let end = from;
    while (end < previous.count && previous.pairs[end] === pair) end++;
    const material = end > from ? previous.materials[from] : world.materialOf(a, b);
    const p = geometries[a].carrier;
    const q = geometries[b].carrier;
    for (let c = first; c < contacts.count; c++) {
      contacts.materials[c] = material;
      contacts.firsts[c] = p;
      contacts.seconds[c] = q;
    }
    if (end > from && !inheritInOrder(contacts, first, from, end)) {
      const size = REACH * Math.min(geometries[a].collider.extent, geometries[b].collider.extent);
      inherit(contacts, first, from, end, size * size);
    }
  }
}

/** How far each geometry may get in h, by its carrier's velocities: what its box grows by. */
function measureReaches({ world, state, robots, places }: Simulation, h: number): void {
  const { geometries, carriers, gravity } = world;
  if (reaches.length < geometries.length) reaches = new Float64Array(2 * geometries.length);
  const fall = h * h * Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2]);
  for (let g = 0; g < geometries.length; g++) {
    const { carrier, radius } = geometries[g];
    const { kind, index, joint } = carriers[carrier];
    reaches[g] = 0;
    if (kind === BODY) {
      const s = FIRST_BODY + BODY_STRIDE * index + 7;
      const speed = Math.sqrt(state[s] * state[s] + state[s + 1] * state[s + 1] + state[s + 2] * state[s + 2]);
      const turn = Math.sqrt(state[s + 3] * state[s + 3] + state[s + 4] * state[s + 4] + state[s + 5] * state[s + 5]);
      reaches[g] = h * (speed + (turn > 0 ? turn * radius : 0)) + fall;
    } else if (kind === LINK && joint > 0) {
      const speed = boundSpeed(robots[index], joint, places.placements, 12 * g + 9, radius);
      reaches[g] = h * speed + fall;
    }
  }
}

/** How fast any point within `radius` of p[at..] may move with a robot's joint, by the columns of its Jacobian. */
function boundSpeed(
  { columns: G, data, v, supportColumns, turnings }: RobotState,
  joint: number,
  p: Float64Array,
  at: number,
  radius: number,
): number {
  const { columnVelocities } = data;
  const support = supportColumns[joint];
  const x = p[at];
  const y = p[at + 1];
  const z = p[at + 2];
  let speed = 0;
  for (let i = 0; i < support.length; i++) {
    const c = support[i];
    const g = 6 * c;
    const wx = G[g + 3];
    const wy = G[g + 4];
    const wz = G[g + 5];
    const lx = G[g] + wy * z - wz * y;
    const ly = G[g + 1] + wz * x - wx * z;
    const lz = G[g + 2] + wx * y - wy * x;
    speed += Math.abs(v[columnVelocities[c]]) * (Math.sqrt(lx * lx + ly * ly + lz * lz) + radius * turnings[c]);
  }
  return speed;
}

function appendPair(
  { world, contacts }: Simulation,
  a: number,
  b: number,
  X_A: Float64Array,
  X_B: Float64Array,
  margin: number,
): void {
  const p = world.geometries[a].collider;
  const q = world.geometries[b].collider;
  const pair = a * world.geometries.length + b;
  if (appendPlainContacts(contacts, pair, p, X_A, q, X_B, margin)) return;
  if (p.type === BOX && q.type === BOX && appendBoxContacts(contacts, pair, p, X_A, q, X_B, margin)) return;
  const isConvex = (p.hasCore || p.type === HALFSPACE) && (q.hasCore || q.type === HALFSPACE);
  const room: Contact[] = isConvex && (p.type <= BOX || q.type <= BOX) ? convexRoom : meshRoom;
  options.margin = margin;
  const found = computeContacts(room, p, X_A, q, X_B, options);
  for (let i = 0; i < found; i++) {
    const { point, normal, depth, triangleA, triangleB, childA, childB } = room[i];
    const isKnown = triangleA >= 0 || triangleB >= 0 || childA >= 0 || childB >= 0;
    // Several points of one pair of triangles share its number: places tell those apart.
    const feature = isKnown
      ? (((triangleA + 1) * 8191 + (triangleB + 1)) * 8191 + (childA + 1)) * 1021 + (childB + 1)
      : -1;
    contacts.add(pair, feature, -depth, point, normal, X_A);
  }
}

/** As `inherit` where the same few features are there in the same order, each once: what boxes do that rest on something. */
function inheritInOrder({ count, features, impulses }: ContactSet, first: number, from: number, end: number): boolean {
  if (count - first !== end - from || end - from > 4) return false;
  const { features: old, impulses: known } = previous;
  for (let c = first, o = from; c < count; c++, o++) {
    const feature = features[c];
    if (feature < 0 || feature !== old[o]) return false;
    for (let k = first; k < c; k++) if (features[k] === feature) return false;
  }
  for (let c = 3 * first, o = 3 * from; c < 3 * count; c++, o++) impulses[c] = known[o];
  return true;
}

/** Hands impulses of the contacts from .. end - 1 of the step before on to those from `first` on. */
function inherit(contacts: ContactSet, first: number, from: number, end: number, limit: number): void {
  const { features, locals, impulses } = contacts;
  for (let c = first; c < contacts.count; c++) {
    let best = -1;
    let least = limit;
    for (let o = from; o < end; o++) {
      if (used[o] === 1) continue;
      const x = locals[3 * c] - previous.locals[3 * o];
      const y = locals[3 * c + 1] - previous.locals[3 * o + 1];
      const z = locals[3 * c + 2] - previous.locals[3 * o + 2];
      let squared = x * x + y * y + z * z;
      // The same feature is the same contact wherever it has moved to.
      if (features[c] >= 0 && features[c] === previous.features[o]) squared *= 1e-6;
      if (squared < least || (features[c] >= 0 && features[c] === previous.features[o] && best < 0)) {
        best = o;
        least = squared;
      }
    }
    if (best < 0) continue;
    used[best] = 1;
    for (let k = 0; k < 3; k++) impulses[3 * c + k] = previous.impulses[3 * best + k];
  }
}
