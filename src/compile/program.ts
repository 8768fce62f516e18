/** What a trace produces: cells and the expressions whose values they get. */
import type { Expression, ExpressionGraph } from './expression-graph.js';

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
