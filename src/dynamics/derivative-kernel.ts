/**
 * The pairs and products of the derivatives of RNEA and ABA by the kernel, to the bits of `addPairs` (rnea-derivatives.ts), `writeInverse`
 * and `writeNegatedProducts` (inverse-factors.ts), which stand in for it where WebAssembly is refused, for few joints and for
 * robots with mimic joints.
 *
 * Method: what the loops read is copied to a block of the kernel's memory, what they write from there; the loops are
 * assembly/dynamics/derivatives.ts. The block is made by the first call that needs it, and belongs to the data.
 * Cost: copies of five times nv x nv numbers beside the loops. Memory: 5 nv^2 + 69 nv numbers a block, and its lists.
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
  DYNAMICS_SUBSPACES,
} from '../kernel/layout.js';
import { dynamics } from '../kernel/parts/dynamics.js';
import type { BlockAddresses, BlockViews, DerivativeBlock } from './derivative-block.js';
import type { DynamicsData } from './dynamics-data.js';

/** Columns from which on the copies pay: of the products, and of the pairs too. */
const FEW_COLUMNS = 6;
const MANY_COLUMNS = 16;

/** Numbers per column of the block. */
const RATES = 21;
const MOTIONS = 24;
const SUBSPACES = 24;

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
  const subspaces = place(DYNAMICS_SUBSPACES, 8 * SUBSPACES * n);
  place(DYNAMICS_MOTIONS, 8 * MOTIONS * n);
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
  const addresses = {
    rates: address + rates,
    subspaces: address + subspaces,
    matrices: address + matrices,
    factors: address + factors,
    pivots: address + pivots,
  };
  const block: DerivativeBlock = {
    kernel,
    functions,
    address,
    addsPairs: n >= MANY_COLUMNS,
    addresses,
    views: createViews(kernel, data, addresses),
  };
  forgotten.register(data, block);
  return block;
}

function createViews(kernel: Kernel, data: DynamicsData, addresses: BlockAddresses): BlockViews {
  const { buffer } = kernel.memory;
  const view = (at: number, length: number): Float64Array => new Float64Array(buffer, at, length);
  const size = data.dtauDq.length;
  const matrix = (i: number): Float64Array => view(addresses.matrices + 8 * i * size, size);
  const n = data.pivotInverses.length;
  const subspaces = (i: number): Float64Array => view(addresses.subspaces + 48 * i * n, 6 * n);
  return {
    dtauDq: matrix(0),
    dtauDv: matrix(1),
    ddqDq: matrix(2),
    ddqDv: matrix(3),
    inverseM: matrix(4),
    factors: view(addresses.factors, data.inverseFactors.length),
    pivots: view(addresses.pivots, n),
    forceRates: view(addresses.rates, RATES * n),
    alignedSubspaces: subspaces(0),
    parentRates: subspaces(1),
    parentAccelerations: subspaces(2),
    rateSums: subspaces(3),
  };
}

/** Making views takes longer than copying a small matrix. */
export function readViews(block: DerivativeBlock, data: DynamicsData): BlockViews {
  if (block.views.pivots.length === 0) block.views = createViews(block.kernel, data, block.addresses);
  return block.views;
}

/** As `addPairs`: the matrices stay in the block. */
export function addPairsByKernel(block: DerivativeBlock, data: DynamicsData): void {
  const views = readViews(block, data);
  views.forceRates.set(data.forceRates);
  views.alignedSubspaces.set(data.alignedSubspaces);
  views.parentRates.set(data.parentRates);
  views.parentAccelerations.set(data.parentAccelerations);
  views.rateSums.set(data.rateSums);
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
