/**
 * Writes the rows of one step: contacts, joint limits, dry friction of joints. Joins: join-rows.ts.
 *
 * Method: the row of a direction d at point p is d . (v + w x (p - c)) for a body, its entries in M^-1 J^T by the body's inertia in
 * world axes; for a robot the columns of its Jacobian moved to p, times L^-1 of its M = L^T L: entries of the branch to the link alone.
 * A self-contact of a robot has both ends in one side.
 * Frames: world. Cost: some hundred operations per contact of bodies, depth^2 per row of robots. Tested by physics.test.ts.
 */

import type { Branch } from './robot-branches.js';
import type { Simulation } from './simulation.js';
import { BODY, type Carrier, LINK, type World } from './world.js';

/** Directions of up to three rows: linear 3, angular 3. */
export const directions = new Float64Array(18);

/** World inertia inverse of all bodies, 6 numbers each: xx xy xz yy yz zz. */
export function writeInverseInertias(out: Float64Array, { world, bodyPlacements: X }: Simulation): void {
  for (let i = 0; i < world.bodies.length; i++) {
    const { moments } = world.bodies[i];
    const a = 1 / moments[0];
    const b = 1 / moments[1];
    const c = 1 / moments[2];
    const x = 12 * i;
    const o = 6 * i;
    out[o] = a * X[x] * X[x] + b * X[x + 1] * X[x + 1] + c * X[x + 2] * X[x + 2];
    out[o + 1] = a * X[x] * X[x + 3] + b * X[x + 1] * X[x + 4] + c * X[x + 2] * X[x + 5];
    out[o + 2] = a * X[x] * X[x + 6] + b * X[x + 1] * X[x + 7] + c * X[x + 2] * X[x + 8];
    out[o + 3] = a * X[x + 3] * X[x + 3] + b * X[x + 4] * X[x + 4] + c * X[x + 5] * X[x + 5];
    out[o + 4] = a * X[x + 3] * X[x + 6] + b * X[x + 4] * X[x + 7] + c * X[x + 5] * X[x + 8];
    out[o + 5] = a * X[x + 6] * X[x + 6] + b * X[x + 7] * X[x + 7] + c * X[x + 8] * X[x + 8];
  }
}

/** Two tangents behind the normal at out[at ..]: what they are depends on the normal alone. */
export function writeBasis(out: Float64Array, at: number): void {
  const x = out[at];
  const y = out[at + 1];
  const z = out[at + 2];
  const isFlat = Math.abs(z) > 0.7;
  const s = isFlat ? Math.sqrt(y * y + z * z) : Math.sqrt(x * x + y * y);
  const tx = isFlat ? 0 : -y / s;
  const ty = isFlat ? z / s : x / s;
  const tz = isFlat ? -y / s : 0;
  out[at + 3] = tx;
  out[at + 4] = ty;
  out[at + 5] = tz;
  out[at + 6] = y * tz - z * ty;
  out[at + 7] = z * tx - x * tz;
  out[at + 8] = x * ty - y * tx;
}

/** A block per contact, with what it may move but without rows; soft and relaxed ones only where shapes overlap. */
export function addContactBlocks({ constraints: set, contacts, world }: Simulation): void {
  const { firsts, seconds, gaps, impulses } = contacts;
  const atDistance = world.step.contact === 'rigid';
  for (let c = 0; c < contacts.count; c++) {
    if (!atDistance && gaps[c] >= 0) {
      for (let k = 0; k < 3; k++) impulses[3 * c + k] = 0;
      continue;
    }
    set.addContact(c, moverOf(world, firsts[c]), moverOf(world, seconds[c]));
  }
}

function moverOf({ carriers, bodies }: World, carrier: number): number {
  const { kind, index, joint } = carriers[carrier];
  if (kind === BODY) return index;
  return kind === LINK && joint > 0 ? bodies.length + index : -1;
}

/** The rows of one contact, with its impulse of the step before. */
export function addContactRows(simulation: Simulation, block: number, inverseInertias: Float64Array): void {
  const { constraints: set, contacts } = simulation;
  const { normals, points, impulses, firsts, seconds, materials } = contacts;
  const c = set.sources[block];
  set.clearRows(block);
  set.frictions[block] = materials[c].friction;
  for (let k = 0; k < 3; k++) set.bases[9 * block + k] = normals[3 * c + k];
  writeBasis(set.bases, 9 * block);
  for (let r = 0; r < 3; r++) {
    for (let k = 0; k < 3; k++) {
      directions[6 * r + k] = set.bases[9 * block + 3 * r + k];
      directions[6 * r + 3 + k] = 0;
    }
  }
  if (contacts.hasSpreads) addSpreadSides(simulation, block, c, inverseInertias);
  else addSides(simulation, block, 3, firsts[c], seconds[c], points, 3 * c, inverseInertias);
  const row = set.rows[block];
  for (let r = 0; r < 3; r++) {
    let f = 0;
    for (let k = 0; k < 3; k++) f += set.bases[9 * block + 3 * r + k] * impulses[3 * c + k];
    set.impulses[row + r] = f;
  }
  if (!(set.impulses[row] > 0)) for (let r = 0; r < 3; r++) set.impulses[row + r] = 0;
}

const ownPoint = new Float64Array(3);

/** As `addSides`, of a contact that acts on both at points of their own. */
function addSpreadSides(simulation: Simulation, block: number, c: number, inverseInertias: Float64Array): void {
  const { points, spreads, firsts, seconds } = simulation.contacts;
  const { carriers } = simulation.world;
  const [p, q] = [carriers[firsts[c]], carriers[seconds[c]]];
  if (p.kind === LINK && q.kind === LINK && p.index === q.index) {
    addSides(simulation, block, 3, firsts[c], seconds[c], points, 3 * c, inverseInertias);
    return;
  }
  for (let side = 0; side < 2; side++) {
    const sign = side === 0 ? -1 : 1;
    for (let k = 0; k < 3; k++) ownPoint[k] = points[3 * c + k] + sign * spreads[3 * c + k];
    addSide(simulation, block, side, 3, side === 0 ? p : q, ownPoint, 0, sign, inverseInertias);
  }
}

/** Both sides of a block whose `directions` act on q and against p, at the point points[at..]; -1: the world. */
export function addSides(
  simulation: Simulation,
  block: number,
  rows: number,
  p: number,
  q: number,
  points: ArrayLike<number>,
  at: number,
  inverseInertias: Float64Array,
): void {
  const { world } = simulation;
  const a = p >= 0 ? world.carriers[p] : null;
  const b = q >= 0 ? world.carriers[q] : null;
  if (a && b && a.kind === LINK && b.kind === LINK && a.index === b.index) {
    const robot = simulation.robots[a.index];
    const branch = robot.branches.of(a.joint, b.joint);
    const start = startRobotSide(simulation, block, 0, a.index, branch);
    addRobotRows(simulation, start, rows, branch, b, points, at, 1);
    addRobotRows(simulation, start, rows, branch, a, points, at, -1);
    robot.branches.scaleRows(simulation.constraints.J, simulation.constraints.Y, start, rows, branch);
    return;
  }
  if (a) addSide(simulation, block, 0, rows, a, points, at, -1, inverseInertias);
  if (b) addSide(simulation, block, 1, rows, b, points, at, 1, inverseInertias);
}

function addSide(
  simulation: Simulation,
  block: number,
  side: number,
  rows: number,
  carrier: Carrier,
  points: ArrayLike<number>,
  at: number,
  sign: number,
  inverseInertias: Float64Array,
): void {
  const { constraints: set, world, bodyPlacements: X } = simulation;
  const { kind, index, joint } = carrier;
  if (kind === LINK) {
    if (joint === 0) return;
    const robot = simulation.robots[index];
    const branch = robot.branches.of(joint, joint);
    const start = startRobotSide(simulation, block, side, index, branch);
    addRobotRows(simulation, start, rows, branch, carrier, points, at, sign);
    robot.branches.scaleRows(set.J, set.Y, start, rows, branch);
    return;
  }
  if (kind !== BODY) return;
  const start = set.addSide(block, side, 6 * index, 6, index);
  const { J, Y } = set;
  const inverseMass = 1 / world.bodies[index].mass;
  const x = points[at] - X[12 * index + 9];
  const y = points[at + 1] - X[12 * index + 10];
  const z = points[at + 2] - X[12 * index + 11];
  const o = 6 * index;
  for (let r = 0; r < rows; r++) {
    const d = 6 * r;
    const lx = sign * directions[d];
    const ly = sign * directions[d + 1];
    const lz = sign * directions[d + 2];
    const wx = y * lz - z * ly + sign * directions[d + 3];
    const wy = z * lx - x * lz + sign * directions[d + 4];
    const wz = x * ly - y * lx + sign * directions[d + 5];
    const to = start + 6 * r;
    J[to] = lx;
    J[to + 1] = ly;
    J[to + 2] = lz;
    J[to + 3] = wx;
    J[to + 4] = wy;
    J[to + 5] = wz;
    Y[to] = inverseMass * lx;
    Y[to + 1] = inverseMass * ly;
    Y[to + 2] = inverseMass * lz;
    Y[to + 3] = inverseInertias[o] * wx + inverseInertias[o + 1] * wy + inverseInertias[o + 2] * wz;
    Y[to + 4] = inverseInertias[o + 1] * wx + inverseInertias[o + 3] * wy + inverseInertias[o + 4] * wz;
    Y[to + 5] = inverseInertias[o + 2] * wx + inverseInertias[o + 4] * wy + inverseInertias[o + 5] * wz;
  }
}

/** Room for the rows of a robot's side along a branch, zeroed; its start. */
export function startRobotSide(
  { constraints, robots, world }: Simulation,
  block: number,
  side: number,
  index: number,
  branch: Branch,
): number {
  if (branch.list < 0) {
    const { firstV } = robots[index];
    branch.list = constraints.addList(branch.velocities.map((k) => firstV + k));
  }
  return constraints.addSide(
    block,
    side,
    robots[index].firstV,
    branch.velocities.length,
    world.bodies.length + index,
    branch.list,
  );
}

function addRobotRows(
  { constraints: { J }, robots }: Simulation,
  start: number,
  rows: number,
  { velocities, places }: Branch,
  { index, joint }: Carrier,
  points: ArrayLike<number>,
  at: number,
  sign: number,
): void {
  const robot = robots[index];
  const { columns: G, model } = robot;
  const { columnStarts, columnVelocities } = robot.data;
  const count = velocities.length;
  const x = points[at];
  const y = points[at + 1];
  const z = points[at + 2];
  const support = joint > 0 ? model.supports[joint] : [];
  for (let i = 0; i < support.length; i++) {
    for (let c = columnStarts[support[i]]; c < columnStarts[support[i] + 1]; c++) {
      const g = 6 * c;
      const k = places[columnVelocities[c]];
      const wx = G[g + 3];
      const wy = G[g + 4];
      const wz = G[g + 5];
      const lx = G[g] + wy * z - wz * y;
      const ly = G[g + 1] + wz * x - wx * z;
      const lz = G[g + 2] + wx * y - wy * x;
      for (let r = 0; r < rows; r++) {
        const d = 6 * r;
        J[start + r * count + k] +=
          sign *
          (directions[d] * lx +
            directions[d + 1] * ly +
            directions[d + 2] * lz +
            directions[d + 3] * wx +
            directions[d + 4] * wy +
            directions[d + 5] * wz);
      }
    }
  }
}

/** One row on velocity k of a robot. */
function addJointRow(simulation: Simulation, index: number, k: number, sign: number): number {
  const { constraints: set } = simulation;
  const block = set.addRow();
  const robot = simulation.robots[index];
  const branch = robot.branches.to(k);
  const start = startRobotSide(simulation, block, 0, index, branch);
  set.J[start + branch.places[k]] = sign;
  robot.branches.scaleRows(set.J, set.Y, start, 1, branch);
  return block;
}

/** Limits within reach, and dry friction, of all robots. */
export function addJointRows(simulation: Simulation, V: Float64Array, h: number): void {
  const { constraints: set, robots } = simulation;
  for (const [r, robot] of robots.entries()) {
    const { model, q, firstV } = robot;
    if (robot.hasLimits)
      for (let j = 1; j < model.jointCount; j++) {
        if (model.nqs[j] !== 1 || model.nvs[j] !== 1) continue;
        const iq = model.idxQ[j];
        const k = model.idxV[j];
        for (let side = 0; side < 2; side++) {
          const gap = side === 0 ? q[iq] - model.lower[iq] : model.upper[iq] - q[iq];
          const sign = side === 0 ? 1 : -1;
          if (!(gap + h * sign * V[firstV + k] < 0.01)) continue;
          const row = set.rows[addJointRow(simulation, r, k, sign)];
          set.lower[row] = 0;
          // A tenth of what is beyond the limit comes back per step.
          set.biases[row] = gap > 0 ? gap / h : (0.1 * gap) / h;
        }
      }
    if (robot.hasFriction)
      for (let k = 0; k < model.nv; k++) {
        if (!(robot.friction[k] > 0)) continue;
        const row = set.rows[addJointRow(simulation, r, k, 1)];
        set.lower[row] = -h * robot.friction[k];
        set.upper[row] = h * robot.friction[k];
      }
  }
}
