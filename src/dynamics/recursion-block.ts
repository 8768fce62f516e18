/**
 * The memory of the kernel in which the recursions of one robot run (recursions.ts): the model's numbers, written once, and views of
 * what goes in and out with every call.
 *
 * Layout: RECURSION_* and JOINT_* of kernel/layout.ts, arrays named as in the data; assembly/dynamics/joint-table.ts says more.
 * Memory: 170 numbers a joint, and nv x nv for M.
 */
import { getKernel, type Kernel } from '../kernel/kernel.js';
import * as L from '../kernel/layout.js';
import { dynamics } from '../kernel/parts/dynamics.js';
import { type Model, Shortcut } from '../model/model.js';
import type { DynamicsData } from './dynamics-data.js';
import type { RecursionBlock, RecursionViews } from './recursion-views.js';

const forgotten = new FinalizationRegistry<RecursionBlock>(({ kernel, address }) => kernel.release(address));

/** Throws where WebAssembly is refused. */
export function createRecursionBlock(model: Model, data: DynamicsData): RecursionBlock {
  const { jointCount, nv, nq } = model;
  const { zeroFrames: Z } = data;
  const kernel = getKernel();
  const functions = kernel.part(dynamics);
  let bytes: number = L.RECURSION_HEADER_BYTES;
  const places: [number, number][] = [];
  const written: [number, Float64Array][] = [];
  const place = (field: number, length: number | Float64Array): number => {
    const at = bytes;
    places.push([field, at]);
    if (typeof length !== 'number') written.push([at, length]);
    bytes += Math.ceil((typeof length === 'number' ? length : length.length) / 2) * 16;
    return at;
  };
  const table = place(L.RECURSION_TABLE, (L.JOINT_BYTES / 8) * jointCount);
  const columns = place(L.RECURSION_COLUMN_TABLE, nv);
  place(L.RECURSION_BASES, model.placements);
  place(L.RECURSION_AXES, model.axes);
  place(L.RECURSION_MOMENTS, data.bodyMoments);
  place(L.RECURSION_SUBSPACES, data.columnSubspaces);
  place(L.RECURSION_ZERO_BASES, Z.bases);
  place(L.RECURSION_ZERO_SHIFTS, Z.shifts);
  place(L.RECURSION_ZERO_INERTIAS, Z.inertias);
  place(L.RECURSION_COMPOSITES, 10 * jointCount);
  place(L.RECURSION_ZERO_SUBSPACES, Z.subspaces);
  place(L.RECURSION_COLUMN_SIGNS, Z.signs);
  place(L.RECURSION_TURN_SIGNS, Z.turnSigns);
  place(L.RECURSION_INERTIAS, data.bodyInertias);
  place(L.RECURSION_ARTICULATED, 21 * jointCount);
  place(L.RECURSION_STATES, jointCount);
  place(L.RECURSION_BIAS_FORCES, 6 * jointCount);
  place(L.RECURSION_BIAS_ACCELERATIONS, 6 * jointCount);
  place(L.RECURSION_TORQUES, nv);
  place(L.RECURSION_ACCELERATIONS, 6 * jointCount);
  place(L.RECURSION_ALIGNED_SUBSPACES, 6 * nv);
  place(L.RECURSION_ALIGNED_INERTIAS, 10 * jointCount);
  place(L.RECURSION_ALIGNED_VELOCITIES, 6 * jointCount);
  place(L.RECURSION_COLUMN_FORCES, 6 * nv);
  place(L.RECURSION_INVERSES, nv);
  place(L.RECURSION_MOMENTA, 3 * jointCount);
  place(L.RECURSION_CORIOLIS, 9 * jointCount);
  const offsets = {
    q: place(L.RECURSION_Q, nq),
    v: place(L.RECURSION_V, nv),
    a: place(L.RECURSION_A, nv),
    tau: place(L.RECURSION_TAU, nv),
    armature: place(L.RECURSION_ARMATURE, nv),
    gravity: place(L.RECURSION_GRAVITY, 3),
    bodyMotions: place(L.RECURSION_MOTIONS, 18 * jointCount),
    forces: place(L.RECURSION_FORCES, 6 * jointCount),
    relativePlacements: place(L.RECURSION_RELATIVE, model.placements),
    zeroPlacements: place(L.RECURSION_ZERO_PLACEMENTS, Z.placements),
    M: place(L.RECURSION_M, nv * nv),
    locals: place(L.RECURSION_LOCALS, 12 * jointCount),
    jointPlacements: place(L.RECURSION_WORLD, 12 * jointCount),
    ddq: place(L.RECURSION_DDQ, nv),
  };
  const address = kernel.allocate(bytes);
  const { u32, f64 } = kernel;
  u32.fill(0, address / 4, (address + bytes) / 4);
  for (const [field, at] of places) u32[(address + field) / 4] = address + at;
  u32[(address + L.RECURSION_BYTES) / 4] = bytes;
  u32[(address + L.RECURSION_JOINTS) / 4] = jointCount;
  u32[(address + L.RECURSION_NV) / 4] = nv;
  for (const [at, numbers] of written) f64.set(numbers, (address + at) / 8);
  for (let j = 0; j < jointCount; j++) writeJoint(u32, (address + table + L.JOINT_BYTES * j) / 4, model, data, j);
  for (let c = 0; c < nv; c++) u32.set([Z.units[c], data.columnUnits[c]], (address + columns) / 4 + 2 * c);
  const addresses = { ...offsets };
  for (const key of Object.keys(offsets) as (keyof RecursionViews)[]) addresses[key] += address;
  const { shortcuts } = model;
  const joints = Array.from({ length: jointCount - 1 }, (_, i) => i + 1);
  const block: RecursionBlock = {
    kernel,
    functions,
    model,
    address,
    addresses,
    relativeJoints: joints.filter((j) => shortcuts[j] === Shortcut.General || shortcuts[j] === Shortcut.Turn),
    zeroJoints: joints.filter(
      (j) => shortcuts[j] === Shortcut.General || (shortcuts[j] === Shortcut.Turn && Z.turnAxes[j] < 0),
    ),
    localJoints: joints.filter((j) => shortcuts[j] === Shortcut.General),
    views: createViews(kernel, model, addresses),
  };
  forgotten.register(data, block);
  return block;
}

function writeJoint(u32: Uint32Array, at: number, model: Model, data: DynamicsData, j: number): void {
  const { shortcuts, parents, idxQ, subtreeEnds } = model;
  const { columnStarts, jointUnits, zeroFrames } = data;
  const shortcut = shortcuts[j];
  // A shift reads the columns of x, y and z.
  const axis = shortcut >= Shortcut.TurnX && shortcut <= Shortcut.TurnZ ? shortcut - Shortcut.TurnX : 2;
  const row = [];
  row[L.JOINT_PARENT / 4] = parents[j];
  row[L.JOINT_SHORTCUT / 4] = shortcut;
  row[L.JOINT_Q / 4] = idxQ[j];
  row[L.JOINT_UNIT / 4] = jointUnits[j];
  row[L.JOINT_FIRST / 4] = columnStarts[j];
  row[L.JOINT_END / 4] = columnStarts[j + 1];
  row[L.JOINT_NEXT_AXIS / 4] = 8 * ((axis + 1) % 3);
  row[L.JOINT_LAST_AXIS / 4] = 8 * ((axis + 2) % 3);
  row[L.JOINT_OWN_AXIS / 4] = 8 * axis;
  row[L.JOINT_ZERO_AXIS / 4] = zeroFrames.turnAxes[j];
  row[L.JOINT_SUBTREE_END / 4] = columnStarts[subtreeEnds[j]];
  u32.set(row, at);
}

function createViews(kernel: Kernel, model: Model, addresses: RecursionBlock['addresses']): RecursionViews {
  const { buffer } = kernel.memory;
  const { jointCount, nv, nq } = model;
  const view = (at: number, length: number): Float64Array => new Float64Array(buffer, at, length);
  return {
    q: view(addresses.q, nq),
    v: view(addresses.v, nv),
    a: view(addresses.a, nv),
    tau: view(addresses.tau, nv),
    armature: view(addresses.armature, nv),
    gravity: view(addresses.gravity, 3),
    bodyMotions: view(addresses.bodyMotions, 18 * jointCount),
    forces: view(addresses.forces, 6 * jointCount),
    relativePlacements: view(addresses.relativePlacements, 12 * jointCount),
    zeroPlacements: view(addresses.zeroPlacements, 12 * jointCount),
    M: view(addresses.M, nv * nv),
    locals: view(addresses.locals, 12 * jointCount),
    jointPlacements: view(addresses.jointPlacements, 12 * jointCount),
    ddq: view(addresses.ddq, nv),
  };
}

/** Making views takes longer than copying a small matrix. */
export function readRecursionViews(block: RecursionBlock): RecursionViews {
  if (block.views.q.length === 0) block.views = createViews(block.kernel, block.model, block.addresses);
  return block.views;
}
