/**
 * Decides where the values of a traced program live and where its code is cut.
 *
 * Method: nodes that no output needs are dropped. A node with one use is computed where it is used; the others (anchors) are
 * computed in the order in which they were made, each with the tree of single-use nodes under it. Anchors in turn fill
 * segments of about `segmentSize` operations. Inside a segment an anchor is a local variable; one that a later segment needs
 * goes through a memory cell (its output's own, or scratch that is given out by a linear scan over the segments), which
 * keeps the number of values alive at any point small, so that an engine's register allocator has short work. Segments in
 * turn fill functions of about `functionSize` operations.
 * Source of the linear scan: Poletto, Sarkar 1999, "Linear scan register allocation", doi:10.1145/330249.330250.
 * Cost: linear in nodes. Tested by plan-program.test.ts.
 */
import { countOperands, type Expression, type ExpressionGraph, Operation } from './expression-graph.js';
import type { TracedProgram } from './program.js';

export interface PlanOptions {
  readonly segmentSize: number;
  readonly functionSize: number;
}

export interface Segment {
  /** In order of evaluation. */
  readonly anchors: Expression[];
  operations: number;
}

export interface Plan {
  /** Segments of each function. */
  readonly functions: readonly (readonly Segment[])[];
  readonly isAnchor: Uint8Array;
  /** Segment that computes an anchor; -1 for other nodes. */
  readonly segmentOf: Int32Array;
  /** Output cells of an anchor. */
  readonly outputCells: ReadonlyMap<Expression, readonly number[]>;
  /** Outputs that are constants or inputs. */
  readonly copies: readonly { readonly cell: number; readonly value: Expression }[];
  /** Scratch slot of an anchor that later segments read; -1 where it needs none. */
  readonly slotOf: Int32Array;
  readonly slotCount: number;
  readonly operationCount: number;
}

/** Whether a node is loaded, not computed. */
export function isLoaded(graph: ExpressionGraph, x: Expression): boolean {
  const operation = graph.operations[x];
  return operation === Operation.Input || !Number.isNaN(graph.valueOf(x));
}

export function visitOperands(graph: ExpressionGraph, x: Expression, visit: (operand: Expression) => void): void {
  const count = countOperands(graph.operations[x]);
  if (count > 0) visit(graph.left[x]);
  if (count > 1) visit(graph.right[x]);
  if (count > 2) visit(graph.third[x]);
}

export function planProgram(program: TracedProgram, options: PlanOptions): Plan {
  const { graph } = program;
  const uses = countUses(program);
  const outputCells = new Map<Expression, number[]>();
  const copies: { cell: number; value: Expression }[] = [];
  for (const { cell, value } of program.outputs) {
    if (isLoaded(graph, value)) {
      copies.push({ cell, value });
      continue;
    }
    const cells = outputCells.get(value);
    if (cells) cells.push(cell);
    else outputCells.set(value, [cell]);
  }
  const isAnchor = new Uint8Array(graph.size);
  for (let x = 0; x < graph.size; x++) {
    if (uses[x] > 0 && !isLoaded(graph, x) && (uses[x] > 1 || outputCells.has(x))) isAnchor[x] = 1;
  }
  const segmentOf = new Int32Array(graph.size).fill(-1);
  const lastUse = new Int32Array(graph.size).fill(-1);
  const segments: Segment[] = [];
  let current: Segment | null = null;
  let operationCount = 0;
  for (let x = 0; x < graph.size; x++) {
    if (isAnchor[x] === 0) continue;
    const { operations, leaves } = readTree(graph, isAnchor, x);
    if (current === null || current.operations + operations > options.segmentSize) {
      current = { anchors: [], operations: 0 };
      segments.push(current);
    }
    current.anchors.push(x);
    current.operations += operations;
    operationCount += operations;
    segmentOf[x] = segments.length - 1;
    for (const leaf of leaves) lastUse[leaf] = segments.length - 1;
  }
  const { slotOf, slotCount } = allocateSlots(segments, segmentOf, lastUse, outputCells);
  const functions: Segment[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const segment of segments) {
    if (size + segment.operations > options.functionSize) {
      functions.push([]);
      size = 0;
    }
    functions[functions.length - 1].push(segment);
    size += segment.operations;
  }
  if (functions.length === 0) functions.push([]);
  return { functions, isAnchor, segmentOf, outputCells, copies, slotOf, slotCount, operationCount };
}

/** Uses of each node by live nodes and outputs. */
function countUses(program: TracedProgram): Int32Array {
  const { graph } = program;
  const uses = new Int32Array(graph.size);
  for (const { value } of program.outputs) uses[value]++;
  for (let x = graph.size - 1; x >= 0; x--) {
    if (uses[x] === 0 || isLoaded(graph, x)) continue;
    visitOperands(graph, x, (operand) => {
      uses[operand]++;
    });
  }
  return uses;
}

/** Operations of an anchor and the single-use nodes under it, and the anchors at its leaves. */
function readTree(
  graph: ExpressionGraph,
  isAnchor: Uint8Array,
  root: Expression,
): { operations: number; leaves: Expression[] } {
  const leaves: Expression[] = [];
  const stack = [root];
  let operations = 0;
  while (stack.length > 0) {
    const x = stack.pop() as Expression;
    operations++;
    visitOperands(graph, x, (operand) => {
      if (isLoaded(graph, operand)) return;
      if (isAnchor[operand] === 1) leaves.push(operand);
      else stack.push(operand);
    });
  }
  return { operations, leaves };
}

function allocateSlots(
  segments: readonly Segment[],
  segmentOf: Int32Array,
  lastUse: Int32Array,
  outputCells: ReadonlyMap<Expression, readonly number[]>,
): { slotOf: Int32Array; slotCount: number } {
  const slotOf = new Int32Array(segmentOf.length).fill(-1);
  const free: number[] = [];
  const ending: Expression[][] = segments.map(() => []);
  let slotCount = 0;
  segments.forEach((segment, s) => {
    for (const x of segment.anchors) {
      if (lastUse[x] <= segmentOf[x] || outputCells.has(x)) continue;
      slotOf[x] = free.pop() ?? slotCount++;
      ending[lastUse[x]].push(x);
    }
    for (const x of ending[s]) free.push(slotOf[x]);
  });
  return { slotOf, slotCount };
}
