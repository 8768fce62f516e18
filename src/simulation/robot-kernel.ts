/**
 * Contacts of one robot in the kernel's memory, solved there by assembly/contacts/robot-sweeps.ts, to the bits of what JavaScript does
 * (solve-islands.ts: `tryVelocities`, with solve-in-velocities.ts and solve-gauss-seidel.ts).
 *
 * Method: an island's rows are copied to one block, which all simulations share, since a solve ends before another begins; rows are of
 * branches, as runs of velocities that follow each other. What supports a velocity is written once per robot.
 * Layout: ISLAND_* and BLOCK_* of kernel/contact-layout.ts. Cost: linear copies. Memory: some 1,000 bytes per contact, and n^2 numbers.
 * Tested by robot-kernel.test.ts.
 */

import * as L from '../kernel/contact-layout.js';
import { getKernel, type Kernel } from '../kernel/kernel.js';
import { type RobotContactFunctions, robotContacts } from '../kernel/parts/robot-contacts.js';
import { startRobotSide } from './build-constraints.js';
import { CONTACT, type ConstraintSet, SIDE } from './constraint-set.js';
import { applyContactModel } from './contact-models.js';
import { type RobotFactors, writeSupports } from './robot-factors.js';
import type { Simulation } from './simulation.js';
import { copyDiagonals, setDiagonals } from './solve-gauss-seidel.js';
import { LINK } from './world.js';

/** Normal, point, impulse and basis of a contact. */
const CONTACT_STRIDE = 18;

export interface RobotBlock {
  readonly kernel: Kernel;
  readonly functions: RobotContactFunctions;
  readonly address: number;
  readonly room: Room;
  readonly offsets: Record<ArrayName, number>;
  views: Views;
  /** Whose supports are there. */
  parents: Int32Array | null;
  supported: number;
}

interface Room {
  readonly blocks: number;
  readonly rows: number;
  readonly entries: number;
  readonly velocities: number;
}

type ArrayName =
  | 'table'
  | 'runs'
  | 'supports'
  | 'supportRuns'
  | 'jacobians'
  | 'frictions'
  | 'diagonals'
  | 'lower'
  | 'upper'
  | 'biases'
  | 'impulses'
  | 'velocities'
  | 'contacts';

interface Views {
  readonly u32: Uint32Array;
  readonly f64: Float64Array;
  readonly jacobians: Float64Array;
  readonly frictions: Float64Array;
  readonly diagonals: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly biases: Float64Array;
  readonly impulses: Float64Array;
  readonly velocities: Float64Array;
  readonly contacts: Float64Array;
}

/** How solves end, and how they went. */
export interface RobotSolve {
  rounds: number;
  /** Newton's steps per round, sweeps after it, and the part of the residual that one is to leave for another to follow. */
  readonly steps: number;
  readonly sweeps: number;
  readonly gain: number;
  /** m/s: where it is solved, and where a round ends. */
  goal: number;
  enough: number;
  residual: number;
  iterations: number;
}

let block: RobotBlock | null = null;
let isRefused = false;

/** The block with room for an island of a robot; null where JavaScript is to do it. */
export function openIsland(
  robot: RobotFactors,
  blocks: number,
  rows: number,
  entries: number,
  velocities: number,
): RobotBlock | null {
  if (isRefused) return null;
  try {
    const kernel = getKernel();
    if (robot.addressIn(kernel) === 0) return null;
    if (block !== null && block.kernel === kernel) {
      const { room } = block;
      if (blocks <= room.blocks && rows <= room.rows && entries <= room.entries && velocities <= room.velocities) {
        if (block.views.f64.length === 0) block.views = createViews(block);
        return block;
      }
      kernel.release(block.address);
    }
    block = createBlock(kernel, {
      blocks: 2 * blocks + 16,
      rows: 2 * rows + 48,
      entries: 2 * entries + 512,
      velocities,
    });
  } catch {
    // Solves in JavaScript need no WebAssembly.
    isRefused = true;
    block = null;
  }
  return block;
}

function createBlock(kernel: Kernel, room: Room): RobotBlock {
  const functions = kernel.part(robotContacts);
  const { blocks, rows, entries, velocities } = room;
  let bytes = L.ISLAND_HEADER_BYTES;
  const reserve = (length: number): number => {
    const at = bytes;
    bytes += Math.ceil(length / 16) * 16;
    return at;
  };
  const offsets = {
    table: reserve(L.BLOCK_BYTES * blocks),
    // At most one run per number.
    runs: reserve(8 * entries),
    supports: reserve(16 * velocities),
    supportRuns: reserve(4 * velocities * (velocities + 1)),
    jacobians: reserve(8 * entries),
    frictions: reserve(8 * blocks),
    diagonals: reserve(64 * blocks),
    lower: reserve(8 * rows),
    upper: reserve(8 * rows),
    biases: reserve(8 * rows),
    impulses: reserve(8 * rows),
    velocities: reserve(4 * 8 * velocities),
    contacts: reserve(8 * CONTACT_STRIDE * blocks),
  };
  const matrix = reserve(8 * velocities * velocities);
  // best, w, wp, p, fixed, between, next, and B of three numbers a row.
  const work = reserve(10 * 8 * rows);
  const regimes = reserve(4 * blocks);
  const address = kernel.allocate(bytes);
  const { u32 } = kernel;
  u32.fill(0, address / 4, (address + bytes) / 4);
  for (const [field, at] of [
    [L.ISLAND_TABLE, offsets.table],
    [L.ISLAND_RUNS, offsets.runs],
    [L.ISLAND_SUPPORTS, offsets.supports],
    [L.ISLAND_JACOBIANS, offsets.jacobians],
    [L.ISLAND_FRICTIONS, offsets.frictions],
    [L.ISLAND_DIAGONALS, offsets.diagonals],
    [L.ISLAND_LOWER, offsets.lower],
    [L.ISLAND_UPPER, offsets.upper],
    [L.ISLAND_BIASES, offsets.biases],
    [L.ISLAND_IMPULSES, offsets.impulses],
    [L.ISLAND_VELOCITIES, offsets.velocities],
    [L.ISLAND_CONTACTS, offsets.contacts],
    [L.ISLAND_MATRIX, matrix],
    [L.ISLAND_ROW_WORK, work],
    [L.ISLAND_REGIMES, regimes],
  ])
    u32[(address + field) / 4] = address + at;
  u32[(address + L.ISLAND_BYTES) / 4] = bytes;
  u32[(address + L.ISLAND_ROW_ROOM) / 4] = rows;
  u32[(address + L.ISLAND_VELOCITY_ROOM) / 4] = velocities;
  const made = { kernel, functions, address, room, offsets, parents: null, supported: 0 };
  return { ...made, views: createViews(made) };
}

function createViews({
  kernel,
  address,
  offsets,
  room,
}: Pick<RobotBlock, 'kernel' | 'address' | 'offsets' | 'room'>): Views {
  const { buffer } = kernel.memory;
  const view = (at: number, length: number): Float64Array => new Float64Array(buffer, address + at, length);
  return {
    u32: new Uint32Array(buffer),
    f64: new Float64Array(buffer),
    jacobians: view(offsets.jacobians, room.entries),
    frictions: view(offsets.frictions, room.blocks),
    diagonals: view(offsets.diagonals, 8 * room.blocks),
    lower: view(offsets.lower, room.rows),
    upper: view(offsets.upper, room.rows),
    biases: view(offsets.biases, room.rows),
    impulses: view(offsets.impulses, room.rows),
    velocities: view(offsets.velocities, 4 * room.velocities),
    contacts: view(offsets.contacts, CONTACT_STRIDE * room.blocks),
  };
}

/** Of velocities whose supports are not those of the robot's tree. */
function loadSupports(own: RobotBlock, parents: Int32Array, n: number): void {
  const { u32 } = own.views;
  u32[(own.address + L.ISLAND_SUPPORTS) / 4] = own.address + own.offsets.supports;
  if (own.parents === parents && n <= own.supported) return;
  own.parents = parents;
  own.supported = n;
  const { address, offsets } = own;
  writeSupports(u32, address + offsets.supports, address + offsets.supportRuns, parents, n);
}

/**
 * Whether the rows of an island can be written by `writeRowsByKernel`: contacts of a robot without mimic joints with what does not move,
 * and rows of its own.
 */
export function isOfRobotAlone(
  { constraints: { sides }, robots, world }: Simulation,
  blocks: Int32Array,
  from: number,
  end: number,
): number {
  const bodies = world.bodies.length;
  let mover = -1;
  for (let i = from; i < end; i++) {
    const s = 2 * SIDE * blocks[i];
    const a = sides[s + 3];
    const b = sides[s + SIDE + 3];
    if (a >= 0 && b >= 0) return -1;
    const own = a >= 0 ? a : b;
    if (mover < 0) mover = own;
    if (own !== mover || own < bodies) return -1;
  }
  const robot = mover - bodies;
  return robot >= 0 && robots[robot].hasOwnColumns && !robots[robot].singular ? robot : -1;
}

/**
 * Rows, bases, impulses, biases and diagonals of the blocks of a robot, to the bits of `addContactRows`, `applyContactModel` and
 * `prepareGaussSeidel`; the block holds them then for `solveByKernel`. Null where JavaScript is to do it.
 */
export function writeRowsByKernel(
  simulation: Simulation,
  blocks: Int32Array,
  from: number,
  end: number,
  robot: number,
  V0: Float64Array,
  V: Float64Array,
  h: number,
): RobotBlock | null {
  const { constraints: set, robots } = simulation;
  const { factors, firstV, model } = robots[robot];
  const { nv } = model;
  const count = end - from;
  const own = openIsland(factors, count, 3 * count, 3 * count * nv, nv);
  if (own === null) return null;
  const { views, address, offsets, functions } = own;
  views.u32[(address + L.ISLAND_ROBOT) / 4] = factors.addressIn(own.kernel);
  place.row = 0;
  place.entry = 0;
  place.run = (address + offsets.runs) / 4;
  for (let i = from; i < end; i++)
    if (set.kinds[blocks[i]] === CONTACT) loadContact(own, simulation, blocks[i], i - from, robot);
    else loadBlock(own, set, blocks[i], i - from, firstV);
  writeCounts(own, count, nv);
  functions.writeRobotRows(address);
  place.row = 0;
  place.entry = 0;
  for (let i = from; i < end; i++) takeRows(own, simulation, blocks[i], i - from, V0, V, h);
  return own;
}

/** Where the next block's numbers go. */
const place = { row: 0, entry: 0, run: 0 };

/** A contact whose rows are to be written, and room for these in the set. */
function loadContact(
  { views, address, offsets }: RobotBlock,
  simulation: Simulation,
  b: number,
  i: number,
  robot: number,
): void {
  const { constraints: set, contacts, robots, world } = simulation;
  const { carriers } = world;
  const c = set.sources[b];
  const friction = contacts.materials[c].friction;
  set.clearRows(b);
  set.frictions[b] = friction;
  views.frictions[i] = friction;
  const a = carriers[contacts.firsts[c]];
  const isFirst = a.kind === LINK && a.joint > 0;
  const { joint } = isFirst ? a : carriers[contacts.seconds[c]];
  const branch = robots[robot].branches.of(joint, joint);
  startRobotSide(simulation, b, isFirst ? 0 : 1, robot, branch);
  writeBlock(views.u32, address, offsets, i, CONTACT, branch.velocities.length, isFirst ? 2 : 1);
  const { runs } = branch;
  for (let k = 0; k < runs.length; k++) views.u32[place.run++] = runs[k];
  views.u32[(address + offsets.table + L.BLOCK_BYTES * i + L.BLOCK_RUNS_END) / 4] = 4 * place.run;
  const { normals, points, impulses } = contacts;
  const at = CONTACT_STRIDE * i;
  for (let k = 0; k < 3; k++) {
    views.contacts[at + k] = normals[3 * c + k];
    views.contacts[at + 3 + k] = points[3 * c + k];
    views.contacts[at + 6 + k] = impulses[3 * c + k];
  }
}

/** The table's row of block i, whose runs follow, and places for its rows. */
function writeBlock(
  u32: Uint32Array,
  address: number,
  offsets: Record<ArrayName, number>,
  i: number,
  kind: number,
  velocities: number,
  side: number,
): void {
  const t = (address + offsets.table + L.BLOCK_BYTES * i) / 4;
  u32[t + L.BLOCK_KIND / 4] = kind;
  u32[t + L.BLOCK_ROW / 4] = 8 * place.row;
  u32[t + L.BLOCK_JACOBIAN / 4] = address + offsets.jacobians + 8 * place.entry;
  u32[t + L.BLOCK_VELOCITIES / 4] = velocities;
  u32[t + L.BLOCK_RUNS / 4] = 4 * place.run;
  u32[t + L.BLOCK_SIDE / 4] = side;
  const rows = kind === CONTACT ? 3 : 1;
  place.row += rows;
  place.entry += rows * velocities;
}

/** What was written of block i goes to the set, with its bias. */
function takeRows(
  { views }: RobotBlock,
  simulation: Simulation,
  b: number,
  i: number,
  V0: Float64Array,
  V: Float64Array,
  h: number,
): void {
  const { constraints: set } = simulation;
  const { kinds, sides, rows, J, Y, bases, impulses, biases } = set;
  setDiagonals(b, views.diagonals, 8 * i);
  let s = 2 * SIDE * b;
  if (sides[s + 2] === 0) s += SIDE;
  const velocities = sides[s + 2];
  if (kinds[b] !== CONTACT) {
    place.row++;
    place.entry += velocities;
    return;
  }
  const { jacobians } = views;
  let { entry } = place;
  for (let at = sides[s], stop = at + 3 * velocities; at < stop; at++, entry++) {
    const x = jacobians[entry];
    J[at] = x;
    Y[at] = x;
  }
  place.entry = entry;
  const c = CONTACT_STRIDE * i + 9;
  for (let k = 0; k < 9; k++) bases[9 * b + k] = views.contacts[c + k];
  const r = rows[b];
  for (let k = 0; k < 3; k++) impulses[r + k] = views.impulses[place.row + k];
  applyContactModel(simulation, b, V0, V, h);
  for (let k = 0; k < 3; k++) views.biases[place.row + k] = biases[r + k];
  place.row += 3;
}

function writeCounts({ views: { u32 }, address }: RobotBlock, count: number, n: number): void {
  u32[(address + L.ISLAND_COUNT) / 4] = count;
  u32[(address + L.ISLAND_ROW_COUNT) / 4] = place.row;
  u32[(address + L.ISLAND_N) / 4] = n;
}

/**
 * As `tryVelocities` (solve-islands.ts): solves blocks[from .. end - 1] of the set, all of whose sides are those of the robot whose n
 * velocities begin at V[firstV], along `parents`. Impulses of the set are those of the end; V only where it is solved.
 */
export function solveByKernel(
  own: RobotBlock,
  set: ConstraintSet,
  V: Float64Array,
  blocks: Int32Array,
  from: number,
  end: number,
  firstV: number,
  n: number,
  parents: Int32Array,
  robot: RobotFactors,
  pyramidal: boolean,
  isLoaded: boolean,
  solve: RobotSolve,
): boolean {
  const { views, address, functions } = own;
  const { u32 } = views;
  u32[(address + L.ISLAND_ROBOT) / 4] = robot.addressIn(own.kernel);
  if (parents === robot.parents) {
    u32[(address + L.ISLAND_SUPPORTS) / 4] = u32[(robot.addressIn(own.kernel) + L.STEPPED_SUPPORTS) / 4];
  } else loadSupports(own, parents, n);
  if (!isLoaded) {
    loadBlocks(own, set, blocks, from, end, firstV);
    writeCounts(own, end - from, n);
  }
  for (let k = 0; k < n; k++) views.velocities[k] = V[firstV + k];
  u32[(address + L.ISLAND_PYRAMIDAL) / 4] = pyramidal ? 1 : 0;
  const { rounds, steps, sweeps, gain, goal, enough } = solve;
  const isSolved = functions.solveRobot(address, rounds, steps, sweeps, gain, goal, enough) === 1;
  solve.residual = views.f64[(address + L.ISLAND_RESIDUAL) / 8];
  solve.iterations = u32[(address + L.ISLAND_ITERATIONS) / 4];
  let row = 0;
  for (let i = from; i < end; i++) {
    const b = blocks[i];
    const r = set.rows[b];
    for (let k = 0; k < (set.kinds[b] === CONTACT ? 3 : 1); k++) set.impulses[r + k] = views.impulses[row++];
  }
  const u = own.room.velocities;
  if (isSolved) for (let k = 0; k < n; k++) V[firstV + k] = views.velocities[u + k];
  return isSolved;
}

/** Rows of the blocks, in their order. */
function loadBlocks(
  own: RobotBlock,
  set: ConstraintSet,
  blocks: Int32Array,
  from: number,
  end: number,
  firstV: number,
): void {
  place.row = 0;
  place.entry = 0;
  place.run = (own.address + own.offsets.runs) / 4;
  for (let i = from; i < end; i++) {
    loadBlock(own, set, blocks[i], i - from, firstV);
    copyDiagonals(own.views.diagonals, 8 * (i - from), blocks[i]);
  }
}

function loadBlock(
  { views, address, offsets }: RobotBlock,
  { kinds, rows, sides, lists, J, frictions, lower, upper, biases, impulses }: ConstraintSet,
  b: number,
  i: number,
  firstV: number,
): void {
  const { u32, jacobians } = views;
  let s = 2 * SIDE * b;
  if (sides[s + 2] === 0) s += SIDE;
  const velocities = sides[s + 2];
  const list = sides[s + 4];
  let { row, entry } = place;
  writeBlock(u32, address, offsets, i, kinds[b], velocities, 0);
  let { run } = place;
  for (let k = 0; k < velocities; k++) {
    if (k > 0 && lists[list + k] === lists[list + k - 1] + 1) u32[run - 1]++;
    else {
      u32[run++] = lists[list + k] - firstV;
      u32[run++] = 1;
    }
  }
  place.run = run;
  u32[(address + offsets.table + L.BLOCK_BYTES * i + L.BLOCK_RUNS_END) / 4] = 4 * run;
  for (let at = sides[s]; entry < place.entry; at++, entry++) jacobians[entry] = J[at];
  views.frictions[i] = frictions[b];
  for (let r = rows[b]; row < place.row; r++, row++) {
    views.lower[row] = lower[r];
    views.upper[row] = upper[r];
    views.biases[row] = biases[r];
    views.impulses[row] = impulses[r];
  }
}
