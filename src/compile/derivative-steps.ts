/**
 * The steps of the compiled derivatives of RNEA and ABA (trace-derivatives.ts, trace-articulated.ts, emit-pairs.ts, emit-inverse.ts).
 *
 * Straight-line code is left to what goes from joint to joint: motions, sums over subtrees, articulated inertias. The rest is loops,
 * since every body, column and pair takes the same steps: as straight-line code Talos' derivatives would be 200,000
 * operations and more than a megabyte.
 */
import { createInverseFactors } from '../dynamics/support-chains.js';
import type { Model } from '../model/model.js';
import type { ResolvedOptions } from './compile-options.js';
import { emitInverse } from './emit-inverse.js';
import { emitChains, emitDerivativePairs } from './emit-pairs.js';
import { ExpressionGraph } from './expression-graph.js';
import type { CellLayout, DerivativeCells } from './layout.js';
import type { Output, Step } from './program.js';
import { traceArticulated, traceInertialForce } from './trace-articulated.js';
import {
  DerivativeArrays,
  traceAlignedMotion,
  traceBody,
  traceColumn,
  traceComposites,
  traceOwnEntries,
} from './trace-derivatives.js';
import { Mechanism } from './trace-mechanism.js';

/** Operations per pair, from the terms of emit-pairs.ts. */
const PAIR_OPERATIONS = 56;
const CHAIN_OPERATIONS = 25;

export function traceDerivatives(
  name: 'rneaDerivatives' | 'abaDerivatives',
  model: Model,
  layout: CellLayout,
  options: ResolvedOptions,
): Step[] {
  // Columns of joints that mimic add up, which the generic functions do (see CompiledModel).
  if (model.mimicDrivers.some((driver) => driver > 0)) return [];
  const cells = layout.derivatives as DerivativeCells;
  const { nv } = model;
  const bodies = model.jointCount - 1;
  const record = (trace: (arrays: DerivativeArrays) => Output[]) => {
    const graph = new ExpressionGraph();
    const outputs = trace(new DerivativeArrays(new Mechanism(graph, model, layout, options), cells));
    return { name, graph, outputs };
  };
  const straight = (trace: (arrays: DerivativeArrays) => Output[]): Step => ({
    kind: 'program',
    program: record(trace),
  });
  const loop = (count: number, trace: (arrays: DerivativeArrays) => Output[]): Step => ({
    kind: 'loop',
    count,
    program: record(trace),
  });
  const chains = createInverseFactors(findParents(model, layout, options));
  const ranges = listRanges(chains.chainEnds, 8 * options.lanes);
  const pairs = chains.chains.length - nv;
  const solves = name === 'abaDerivatives';
  const constants = cells.bodyConstants.start;
  const steps: Step[] = [
    straight((arrays) => traceAlignedMotion(arrays, !solves)),
    loop(bodies, (arrays) => traceBody(arrays, constants, !solves)),
  ];
  if (solves) {
    steps.push(straight((arrays) => traceArticulated(arrays, options)));
    steps.push(loop(bodies, (arrays) => traceInertialForce(arrays, constants)));
  }
  steps.push(
    straight((arrays) => traceComposites(arrays, options)),
    loop(nv, (arrays) => traceColumn(arrays, cells.columnMasses.start)),
    straight((arrays) => traceOwnEntries(arrays, options, !solves)),
    {
      kind: 'calls',
      functions: [emitDerivativePairs(cells, nv, options.lanes)],
      calls: skipJoint(ranges, model, layout, options),
      operations: PAIR_OPERATIONS * pairs,
    },
  );
  if (!solves) return steps;
  const inverse = emitInverse(cells, chains, nv, options.lanes, 8 * options.lanes * layout.end);
  steps.push(
    {
      kind: 'calls',
      functions: [emitChains(cells, nv, options.lanes)],
      calls: [...ranges].reverse().map((range) => [0, ...range]),
      operations: CHAIN_OPERATIONS * pairs,
    },
    { kind: 'calls', ...inverse },
  );
  return steps;
}

/** Bytes of each column, of the first after it and of the end of what it supports; none where it supports nothing. */
function listRanges(ends: ArrayLike<number>, cellBytes: number): (readonly [number, number, number])[] {
  return Array.from(ends, (end, d) => [d, d + 1, end])
    .filter(([, first, end]) => end > first)
    .map(([d, first, end]) => [cellBytes * d, cellBytes * first, cellBytes * end]);
}

/** The ranges without the columns of the same joint. */
function skipJoint(
  ranges: readonly (readonly [number, number, number])[],
  model: Model,
  layout: CellLayout,
  options: ResolvedOptions,
): (readonly number[])[] {
  const cellBytes = 8 * options.lanes;
  const { joints } = new Mechanism(new ExpressionGraph(), model, layout, options);
  const next = new Int32Array(model.nv);
  for (const { columns } of joints.slice(1)) {
    for (const { velocity } of columns) next[velocity] = columns[columns.length - 1].velocity + 1;
  }
  return ranges
    .map(([d, , end]) => [0, d, cellBytes * next[d / cellBytes], end])
    .filter(([, , first, end]) => end > first);
}

/** The nearest column before each that supports it, as `columnParents` of MotionData. */
function findParents(model: Model, layout: CellLayout, options: ResolvedOptions): Int32Array {
  const { joints } = new Mechanism(new ExpressionGraph(), model, layout, options);
  const parents = new Int32Array(model.nv);
  const last = new Int32Array(joints.length).fill(-1);
  joints.forEach(({ parent, columns }, j) => {
    if (j === 0) return;
    last[j] = last[parent];
    for (const { velocity } of columns) {
      parents[velocity] = last[j];
      last[j] = velocity;
    }
  });
  return parents;
}

/** Numbers of the bodies, mass, first moment and inertia, and the masses of the columns' subtrees. */
export function readDerivativeConstants(
  { joints, model }: Mechanism,
  { bodyStride, columnStride }: DerivativeCells,
): { readonly bodies: number[]; readonly columns: number[] } {
  const bodies = new Array<number>(10 * bodyStride).fill(0);
  const columns = new Array<number>(columnStride).fill(0);
  const masses = joints.map(({ mass }) => mass);
  for (let j = joints.length - 1; j > 0; j--) {
    const { mass, moment, inertia, parent } = joints[j];
    [mass, ...moment, ...inertia].forEach((value, k) => {
      bodies[k * bodyStride + j - 1] = value;
    });
    if (model.mimicDrivers[j] === 0) for (const { velocity } of joints[j].columns) columns[velocity] = masses[j];
    masses[parent] += masses[j];
  }
  return { bodies, columns };
}
