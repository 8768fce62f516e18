/**
 * Turns a planned program into function bodies.
 *
 * Method: each anchor's tree is written depth first, operands before operations, its leaves read from locals (same segment)
 * or memory (inputs, constants, anchors of earlier segments); then the value goes to the local and the cells that want it.
 * Locals are given back after their last use in the segment and taken again.
 * Cost: linear in operations. Tested by compile-model.test.ts.
 */
import { countOperands, type Expression, Operation } from './expression-graph.js';
import { InstructionWriter, type RegisterLanes } from './instruction-writer.js';
import { isLoaded, type Plan, type Segment, visitOperands } from './plan-program.js';
import type { TracedProgram } from './program.js';
import { type FunctionBody, ValueType } from './wasm-module.js';

/** Numbers a module needs, each in a cell of its own. */
export class ConstantTable {
  readonly values: number[] = [];
  readonly #cells = new Map<number, number>();

  constructor(readonly start: number) {}

  /** A stretch of its own, from an even cell on. */
  reserve(values: readonly number[]): number {
    if (this.values.length % 2 === 1) this.values.push(0);
    const start = this.start + this.values.length;
    this.values.push(...values);
    return start;
  }

  cell(value: number): number {
    let cell = this.#cells.get(value);
    if (cell === undefined) {
      cell = this.start + this.values.length;
      this.values.push(value);
      this.#cells.set(value, cell);
    }
    return cell;
  }
}

export interface EmitOptions {
  readonly lanes: RegisterLanes;
  readonly scratchStart: number;
  readonly constants: ConstantTable;
  /** Writes a loop's body; local 0 is its pointer. */
  readonly out?: InstructionWriter;
}

/** A program over neighbours in memory: its cells are those of the first, and `count` follow; see InstructionWriter for two lanes. */
export function emitLoop(program: TracedProgram, plan: Plan, options: EmitOptions, count: number): FunctionBody {
  const cellBytes = 8 * options.lanes;
  const out = new InstructionWriter(2, cellBytes, 0);
  out.beginLoop();
  const { locals } = new FunctionEmitter(program, plan, { ...options, out }).emit(plan.functions[0], true);
  out.advance(0, 16);
  out.repeatWhileBelow(0, cellBytes * count);
  return { locals: [{ count: 1, type: ValueType.I32 }, ...locals], code: out.toBytes() };
}

export function emitProgram(program: TracedProgram, plan: Plan, options: EmitOptions): FunctionBody[] {
  return plan.functions.map((segments, i) => new FunctionEmitter(program, plan, options).emit(segments, i === 0));
}

class FunctionEmitter {
  readonly #out: InstructionWriter;
  readonly #local: Int32Array;
  /** Uses that the segment still has for a node that is read, not computed in place. */
  readonly #remaining = new Map<Expression, number>();
  readonly #firstLocal: number;
  #free: number[] = [];
  #localCount = 0;

  constructor(
    readonly program: TracedProgram,
    readonly plan: Plan,
    readonly options: EmitOptions,
  ) {
    this.#out = options.out ?? new InstructionWriter(options.lanes);
    this.#local = new Int32Array(program.graph.size).fill(-1);
    this.#firstLocal = this.#out.pointer + 1;
  }

  emit(segments: readonly Segment[], isFirst: boolean): FunctionBody {
    if (isFirst) {
      for (const { cell, value } of this.plan.copies) {
        this.#out.base();
        this.#load(value);
        this.#out.store(cell);
      }
    }
    for (const segment of segments) this.#emitSegment(segment);
    return {
      locals: this.#localCount > 0 ? [{ count: this.#localCount, type: this.#out.valueType }] : [],
      code: this.#out.toBytes(),
    };
  }

  #emitSegment(segment: Segment): void {
    for (const anchor of segment.anchors) this.#countLeaves(anchor);
    const index = this.plan.segmentOf[segment.anchors[0]];
    for (const anchor of segment.anchors) {
      const cells = [...(this.plan.outputCells.get(anchor) ?? [])];
      if (this.plan.slotOf[anchor] >= 0) cells.push(this.options.scratchStart + this.plan.slotOf[anchor]);
      const isReused = (this.#remaining.get(anchor) ?? 0) > 0;
      if (!isReused && cells.length === 1) {
        this.#out.base();
        this.#compute(anchor, index);
        this.#out.store(cells[0]);
        continue;
      }
      this.#compute(anchor, index);
      const local = this.#takeLocal(anchor);
      this.#out.setLocal(local);
      for (const cell of cells) {
        this.#out.base();
        this.#out.getLocal(local);
        this.#out.store(cell);
      }
      if (!isReused) this.#giveBack(anchor);
    }
  }

  #countLeaves(anchor: Expression): void {
    const { graph } = this.program;
    const stack = [anchor];
    while (stack.length > 0) {
      visitOperands(graph, stack.pop() as Expression, (operand) => {
        if (this.plan.isAnchor[operand] === 1 || graph.operations[operand] === Operation.Input) {
          this.#remaining.set(operand, (this.#remaining.get(operand) ?? 0) + 1);
        } else if (!isLoaded(graph, operand)) stack.push(operand);
      });
    }
  }

  /** The operation of a node, its operands before it. */
  #compute(x: Expression, segment: number): void {
    const { graph } = this.program;
    const operation = graph.operations[x];
    if (operation === Operation.SelectPositive) {
      this.#read(graph.right[x], segment);
      this.#read(graph.third[x], segment);
      this.#read(graph.left[x], segment);
      this.#out.selectWherePositive();
      return;
    }
    this.#read(graph.left[x], segment);
    if (countOperands(operation) > 1) this.#read(graph.right[x], segment);
    this.#out.operate(operation);
  }

  #read(x: Expression, segment: number): void {
    const isInput = this.program.graph.operations[x] === Operation.Input;
    if (this.plan.isAnchor[x] === 0 && !isInput) {
      if (isLoaded(this.program.graph, x)) this.#load(x);
      else this.#compute(x, segment);
      return;
    }
    const left = (this.#remaining.get(x) as number) - 1;
    this.#remaining.set(x, left);
    if (this.#local[x] >= 0) {
      this.#out.getLocal(this.#local[x]);
      if (left === 0) this.#giveBack(x);
      return;
    }
    this.#load(x);
    if (left > 0) this.#out.teeLocal(this.#takeLocal(x));
  }

  #load(x: Expression): void {
    const { graph } = this.program;
    const value = graph.valueOf(x);
    if (!Number.isNaN(value)) this.#out.loadConstant(this.options.constants.cell(value));
    else if (graph.operations[x] === Operation.Input) this.#out.load(graph.left[x]);
    else this.#out.load(this.plan.outputCells.get(x)?.[0] ?? this.options.scratchStart + this.plan.slotOf[x]);
  }

  #takeLocal(x: Expression): number {
    const local = this.#free.pop() ?? this.#firstLocal + this.#localCount++;
    this.#local[x] = local;
    return local;
  }

  #giveBack(x: Expression): void {
    this.#free.push(this.#local[x]);
    this.#local[x] = -1;
  }
}
