/** What a trace produces: cells and the expressions whose values they get. */
import type { Expression, ExpressionGraph } from './expression-graph.js';
import type { FunctionBody } from './wasm-module.js';

export interface Output {
  readonly cell: number;
  readonly value: Expression;
}

export interface TracedProgram {
  /** Exported under this name. */
  readonly name: string;
  readonly graph: ExpressionGraph;
  /** No cell twice, and no cell that the same program reads. */
  readonly outputs: readonly Output[];
}

/** What an algorithm does, one step after the other. */
export type Step =
  | { readonly kind: 'program'; readonly program: TracedProgram }
  /** A program for the first of `count` neighbours in memory, run for all. */
  | { readonly kind: 'loop'; readonly program: TracedProgram; readonly count: number }
  /** Functions, and calls of them: index, then arguments. */
  | {
      readonly kind: 'calls';
      readonly functions: readonly FunctionBody[];
      readonly calls: readonly (readonly number[])[];
      readonly operations: number;
      /** 32-bit integers that the functions read, from `tableAt` of the compilation on. */
      readonly table?: readonly number[];
    };
