/**
 * The pairs and products of the derivatives of RNEA and ABA by the kernel, to the bits of `addPairs` (rnea-derivatives.ts), `writeInverse`
 * and `writeNegatedProducts` (inverse-factors.ts), which stand in for it where WebAssembly is refused, for few joints and for
 * robots with mimic joints.
 *
 * Method: what the loops read is copied to a block of the kernel's memory, what they write from there; the loops are
 * assembly/dynamics/derivatives.ts. The block is made by the first call that needs it, and belongs to the data.
 * Cost: five copies of nv x nv numbers beside the loops. Memory: 5 nv^2 + 46 nv numbers a block, and its lists.
 * Tested by derivative-kernel.test.ts.
 */
import { getKernel, type Kernel } from '../kernel/kernel.js';
import {
  DYNAMICS_BYTES,
  DYNAMICS_CHAIN_STARTS,
  DYNAMICS_CHAINS,
  DYNAMICS_COLUMNS,
  DYNAMICS_DDQ_DQ,
  DYNAMICS_DDQ_DV,
  DYNAMICS_DTAU_DQ,
  DYNAMICS_DTAU_DV,
  DYNAMICS_FACTORS,
  DYNAMICS_HEADER_BYTES,
  DYNAMICS_INVERSE,
  DYNAMICS_MOTIONS,
  DYNAMICS_NV,
  DYNAMICS_PIVOTS,
  DYNAMICS_RATES,
  DYNAMICS_RUN_STARTS,
  DYNAMICS_RUNS,
  DYNAMICS_SHARED,
} from '../kernel/layout.js';
import { dynamics } from '../kernel/parts/dynamics.js';
import type { BlockViews, DerivativeBlock } from './derivative-block.js';
import type { DynamicsData } from './dynamics-data.js';

/** Columns from which on the copies pay: of the products, and of the pairs too. */
const FEW_COLUMNS = 6;
const MANY_COLUMNS = 16;

/** See kinematics/forward-kinematics.ts. */
const SMALL = 0x3fffffff;

/** Numbers per column of the block. */
const RATES = 22;
const MOTIONS = 24;

const forgotten = new FinalizationRegistry<DerivativeBlock>(({ kernel, address }) => kernel.release(address));
let isKernelRefused = false;

/** The block of the data; null where the loops in JavaScript are to do it. */
export function openDerivativeBlock(data: DynamicsData): DerivativeBlock | null {
  const held = data.derivativeBlock;
  if (isKernelRefused || held.isRefused || data.hasMimic || data.pivotInverses.length < FEW_COLUMNS) return null;
  const { block } = held;
  if (block !== null && block.kernel === getKernel()) return block;
  try {
    held.block = createBlock(data);
  } catch {
    // Trees of joints need no WebAssembly.
    isKernelRefused = true;
    return null;
  }
  return held.block;
}

function createBlock(data: DynamicsData): DerivativeBlock {
  const { chainStarts, chains, runStarts, runs, sharedCounts, columnStarts, columnParents } = data;
  const n = data.pivotInverses.length;
  const kernel = getKernel();
  const functions = kernel.part(dynamics);
  let bytes = DYNAMICS_HEADER_BYTES;
  const places: [number, number][] = [];
  const place = (field: number, length: number): number => {
    const at = bytes;
    bytes += Math.ceil(length / 16) * 16;
    places.push([field, at]);
    return at;
  };
  const rates = place(DYNAMICS_RATES, 8 * RATES * n);
  const motions = place(DYNAMICS_MOTIONS, 8 * MOTIONS * n);
  const factors = place(DYNAMICS_FACTORS, 8 * chains.length);
  const pivots = place(DYNAMICS_PIVOTS, 8 * n);
  // Without gaps: d tau / d q and d v, d a / d q and d v, M^-1.
  const matrices = place(DYNAMICS_DTAU_DQ, 40 * n * n);
  [DYNAMICS_DTAU_DV, DYNAMICS_DDQ_DQ, DYNAMICS_DDQ_DV, DYNAMICS_INVERSE].forEach((field, i) => {
    places.push([field, matrices + 8 * (i + 1) * n * n]);
  });
  const columns = new Int32Array(2 * n);
  for (let j = 0; j + 1 < columnStarts.length; j++) {
    for (let c = columnStarts[j]; c < columnStarts[j + 1]; c++) {
      columns[2 * c] = columnParents[columnStarts[j]];
      columns[2 * c + 1] = columnParents[c];
    }
  }
  const lists = [
    { field: DYNAMICS_COLUMNS, list: columns },
    { field: DYNAMICS_CHAIN_STARTS, list: chainStarts },
    { field: DYNAMICS_CHAINS, list: chains },
    { field: DYNAMICS_RUN_STARTS, list: runStarts },
    { field: DYNAMICS_RUNS, list: runs },
    { field: DYNAMICS_SHARED, list: sharedCounts },
  ].map(({ field, list }) => ({ list, at: place(field, 4 * list.length) }));
  const address = kernel.allocate(bytes);
  const { u32 } = kernel;
  u32.fill(0, address / 4, (address + bytes) / 4);
  for (const [field, at] of places) u32[(address + field) / 4] = address + at;
  u32[(address + DYNAMICS_BYTES) / 4] = bytes;
  u32[(address + DYNAMICS_NV) / 4] = n;
  for (const { list, at } of lists) u32.set(list, (address + at) / 4);
  const numbersAt = (at: number): number => (address + at) / 8;
  const block: DerivativeBlock = {
    kernel,
    functions,
    address,
    rates: numbersAt(rates),
    motions: numbersAt(motions),
    addsPairs: n >= MANY_COLUMNS,
    matrices: address + matrices,
    factors: address + factors,
    pivots: address + pivots,
    views: createViews(kernel, data, address + matrices, address + factors, address + pivots),
  };
  forgotten.register(data, block);
  return block;
}

function createViews(
  kernel: Kernel,
  data: DynamicsData,
  matrices: number,
  factors: number,
  pivots: number,
): BlockViews {
  const { buffer } = kernel.memory;
  const size = data.dtauDq.length;
  const matrix = (i: number): Float64Array => new Float64Array(buffer, matrices + 8 * i * size, size);
  return {
    dtauDq: matrix(0),
    dtauDv: matrix(1),
    ddqDq: matrix(2),
    ddqDv: matrix(3),
    inverseM: matrix(4),
    factors: new Float64Array(buffer, factors, data.inverseFactors.length),
    pivots: new Float64Array(buffer, pivots, data.pivotInverses.length),
  };
}

/** Making views takes longer than copying a small matrix. */
function readViews(block: DerivativeBlock, data: DynamicsData): BlockViews {
  if (block.views.pivots.length === 0)
    block.views = createViews(block.kernel, data, block.matrices, block.factors, block.pivots);
  return block.views;
}

/** As `addPairs`: the matrices stay in the block. */
export function addPairsByKernel(block: DerivativeBlock, data: DynamicsData): void {
  const views = readViews(block, data);
  loadColumns(block.kernel.f64, block, data);
  views.dtauDq.set(data.dtauDq);
  views.dtauDv.set(data.dtauDv);
  block.functions.addDerivativePairs(block.address);
  data.dtauDq.set(views.dtauDq);
  data.dtauDv.set(views.dtauDv);
}

/** M^-1 and the products with it, from Y and D^-1 in the data, after the derivatives of RNEA with the same block. */
export function multiplyByKernel(block: DerivativeBlock, data: DynamicsData): void {
  const views = readViews(block, data);
  if (!block.addsPairs) {
    views.dtauDq.set(data.dtauDq);
    views.dtauDv.set(data.dtauDv);
  }
  views.factors.set(data.inverseFactors);
  views.pivots.set(data.pivotInverses);
  block.functions.multiplyByInverse(block.address);
  data.ddqDq.set(views.ddqDq);
  data.ddqDv.set(views.ddqDv);
  data.inverseM.set(views.inverseM);
}

/** What pairs of columns read, side by side. */
function loadColumns(f64: Float64Array, block: DerivativeBlock, data: DynamicsData): void {
  const { forceRates: D, alignedSubspaces: S, parentRates: P, parentAccelerations: R, rateSums: Q } = data;
  const n = data.pivotInverses.length;
  for (let c = 0; c < n; c++) {
    const s = (6 * c) & SMALL;
    const from = (21 * c) & SMALL;
    const to = block.rates + RATES * c;
    const motion = block.motions + MOTIONS * c;
    for (let k = 0; k < 6; k++) {
      f64[to + 2 * k] = D[from + k];
      f64[to + 2 * k + 1] = D[from + 6 + k];
      f64[motion + k] = S[s + k];
      f64[motion + 12 + 2 * k] = Q[s + k];
      f64[motion + 13 + 2 * k] = R[s + k];
    }
    for (let k = 12; k < 21; k++) f64[to + k] = D[from + k];
    for (let k = 0; k < 3; k++) {
      f64[motion + 6 + 2 * k] = S[s + 3 + k];
      f64[motion + 7 + 2 * k] = P[s + 3 + k];
    }
  }
}
