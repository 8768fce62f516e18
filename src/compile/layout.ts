/**
 * Where a compiled program finds its arguments and leaves its results: cells of the module's memory.
 *
 * A cell holds one f64, or two side by side in a module for pairs of configurations; cell i starts at byte 8 lanes i. Arrays
 * of `Data` and `DynamicsData` are stretches of cells with the same order of entries:
 *
 *   status | q v a tau | base placement and joint placements | jacobians | M | ddq | forces | gravity | angles sines cosines
 *
 *   ... | derivatives, where they are compiled: see DerivativeCells
 *
 * angles, sines and cosines hold one entry per turning joint, angles to be reduced first (an even number, so that two fit one
 * register), then joints whose cosine and sine are coordinates. Constants and scratch follow behind `end`.
 */
import type { JointKindName } from '../model/joints/joint-kind.js';
import type { Model } from '../model/model.js';
import type { CompiledAlgorithm } from './compile-options.js';

export interface CellRange {
  readonly start: number;
  readonly count: number;
}

/**
 * Cells of the derivatives. Bodies and columns lie side by side, so that two neighbours fit one register: component k of body j at
 * start + k stride + j - 1, of column c at start + k stride + c. Matrices are nv x nv, row-major.
 *
 *   constants    bodyConstants 10 (mass, first moment, inertia in M), columnMasses 1 (of the subtree)
 *   of bodies    placements 12, velocities 6, accelerations 6, moments 9 (first moment, inertia), momenta 3, rates 9 (E), forces 6
 *   of columns   subspaces 6 (S), P, R, Q, parentVelocities, parentAccelerations 6, composites 27 (moments, momenta, rates, forces),
 *                forceRates 21 (D_q, D_v, D_a, B_t), own 3 (entries of the diagonals and the torque)
 *                scaled 6 (U / D), carried 6 (g of inverse-factors.ts), pivots 1 (1 / D)
 *   matrices     dtauDq, dtauDv; scratch Z of the one, of the other (rows of an even number), D^-1 Y^T; ddqDq, ddqDv, inverseM; Y^T
 */
export interface DerivativeCells {
  readonly bodyStride: number;
  readonly columnStride: number;
  readonly dtauDq: CellRange;
  readonly dtauDv: CellRange;
  readonly bodyConstants: CellRange;
  readonly columnMasses: CellRange;
  readonly placements: CellRange;
  readonly velocities: CellRange;
  readonly accelerations: CellRange;
  readonly moments: CellRange;
  readonly momenta: CellRange;
  readonly rates: CellRange;
  readonly forces: CellRange;
  readonly subspaces: CellRange;
  readonly P: CellRange;
  readonly R: CellRange;
  readonly Q: CellRange;
  readonly parentVelocities: CellRange;
  readonly parentAccelerations: CellRange;
  readonly composites: CellRange;
  readonly forceRates: CellRange;
  readonly own: CellRange;
  readonly scaled: CellRange;
  readonly carried: CellRange;
  readonly pivots: CellRange;
  readonly scratchDq: CellRange;
  readonly scratchDv: CellRange;
  readonly scratchInverse: CellRange;
  readonly ddqDq: CellRange;
  readonly ddqDv: CellRange;
  readonly inverseM: CellRange;
  /** Of M^-1, where what mirrors a last odd column goes. */
  readonly spareRow: CellRange;
  readonly factors: CellRange;
}

export interface CellLayout {
  /** 0 when the last ABA met no singular joint. */
  readonly status: CellRange;
  readonly q: CellRange;
  readonly v: CellRange;
  readonly a: CellRange;
  readonly tau: CellRange;
  readonly placements: CellRange;
  readonly jacobians: CellRange;
  readonly M: CellRange;
  readonly ddq: CellRange;
  readonly forces: CellRange;
  readonly gravity: CellRange;
  readonly angles: CellRange;
  readonly sines: CellRange;
  readonly cosines: CellRange;
  /** Joint to its place among the sines and cosines; -1 for joints that do not turn. */
  readonly turns: Int32Array;
  /** Null where no derivatives are compiled. */
  readonly derivatives: DerivativeCells | null;
  readonly end: number;
}

/** Joints with an angle, joints with a cosine and sine, and those with neither. */
const TURNS: Readonly<Record<JointKindName, 'angle' | 'circle' | null>> = {
  revolute: 'angle',
  continuous: 'angle',
  helical: 'angle',
  'continuous-cos-sin': 'circle',
  planar: 'circle',
  prismatic: null,
  floating: null,
  spherical: null,
  composite: null,
};

export function layOutCells(model: Model, algorithms: readonly CompiledAlgorithm[]): CellLayout {
  const { jointCount, nq, nv, jointKinds } = model;
  const turns = new Int32Array(jointCount).fill(-1);
  let angles = 0;
  jointKinds.forEach((kind, j) => {
    if (kind !== null && TURNS[kind.name] === 'angle') turns[j] = angles++;
  });
  angles += angles % 2;
  let circles = 0;
  jointKinds.forEach((kind, j) => {
    if (kind !== null && TURNS[kind.name] === 'circle') turns[j] = angles + circles++;
  });
  let end = 0;
  const take = (count: number): CellRange => {
    const range = { start: end, count };
    // Stretches start at even cells: 16 bytes.
    end += count + (count % 2);
    return range;
  };
  const layout = {
    status: take(1),
    q: take(nq),
    v: take(nv),
    a: take(nv),
    tau: take(nv),
    placements: take(12 * jointCount),
    jacobians: take(6 * nv),
    M: take(nv * nv),
    ddq: take(nv),
    forces: take(6 * jointCount),
    gravity: take(3),
    angles: take(angles),
    sines: take(angles + circles),
    cosines: take(angles + circles),
    turns,
  };
  const hasInverse = algorithms.includes('abaDerivatives');
  const derivatives =
    hasInverse || algorithms.includes('rneaDerivatives') ? layOutDerivatives(model, hasInverse, take) : null;
  return { ...layout, derivatives, end };
}

function layOutDerivatives(model: Model, hasInverse: boolean, take: (count: number) => CellRange): DerivativeCells {
  const { jointCount, nv } = model;
  const bodyStride = jointCount - 1 + ((jointCount - 1) % 2);
  const columnStride = nv + (nv % 2);
  const bodies = (components: number) => take(components * bodyStride);
  const columns = (components: number) => take(components * columnStride);
  const matrix = (isTaken: boolean) => take(isTaken ? nv * nv : 0);
  return {
    bodyStride,
    columnStride,
    dtauDq: matrix(true),
    dtauDv: matrix(true),
    bodyConstants: bodies(10),
    columnMasses: columns(1),
    placements: bodies(12),
    velocities: bodies(6),
    accelerations: bodies(6),
    moments: bodies(9),
    momenta: bodies(3),
    rates: bodies(9),
    forces: bodies(6),
    subspaces: columns(6),
    P: columns(6),
    R: columns(6),
    Q: columns(6),
    parentVelocities: columns(6),
    parentAccelerations: columns(6),
    composites: columns(27),
    forceRates: columns(21),
    own: columns(3),
    scaled: columns(6),
    carried: columns(6),
    pivots: columns(1),
    scratchDq: take(hasInverse ? nv * columnStride : 0),
    scratchDv: take(hasInverse ? nv * columnStride : 0),
    scratchInverse: matrix(hasInverse),
    ddqDq: matrix(hasInverse),
    ddqDv: matrix(hasInverse),
    inverseM: matrix(hasInverse),
    spareRow: take(hasInverse ? nv : 0),
    factors: matrix(hasInverse),
  };
}
