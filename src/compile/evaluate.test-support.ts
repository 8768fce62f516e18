/** Evaluates expressions one by one, straight from their definition: the reference for emitted code. */
import { type Expression, type ExpressionGraph, Operation } from './expression-graph.js';

export function evaluate(graph: ExpressionGraph, x: Expression, inputs: ArrayLike<number>): number {
  const values = new Float64Array(x + 1);
  for (let i = 0; i <= x; i++) {
    const [a, b, c] = [values[graph.left[i]], values[graph.right[i]], values[graph.third[i]]];
    switch (graph.operations[i]) {
      case Operation.Constant:
        values[i] = graph.values[i];
        break;
      case Operation.Input:
        values[i] = inputs[graph.left[i]];
        break;
      case Operation.Add:
        values[i] = a + b;
        break;
      case Operation.Subtract:
        values[i] = a - b;
        break;
      case Operation.Multiply:
        values[i] = a * b;
        break;
      case Operation.Divide:
        values[i] = a / b;
        break;
      case Operation.Negate:
        values[i] = -a;
        break;
      case Operation.SquareRoot:
        values[i] = Math.sqrt(a);
        break;
      case Operation.Minimum:
        values[i] = Math.min(a, b);
        break;
      case Operation.SelectPositive:
        values[i] = a > 0 ? b : c;
        break;
      default:
        throw new Error(`operation ${graph.operations[i]}`);
    }
  }
  return values[x];
}
