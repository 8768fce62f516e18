import { describe, expect, it } from 'vitest';
import { multiplyMat3, transposeMat3 } from '../math/mat3.js';
import { createRandom, type Random } from '../math/random.js';
import { evaluate } from './evaluate.test-support.js';
import { type Expression, ExpressionGraph } from './expression-graph.js';
import { type Stage, VectorExpressions } from './vector-expressions.js';

/** A product of a turn about each axis and a full rotation, as stages over inputs and as numbers. */
function createRotation(random: Random): {
  stages: Stage[];
  R: Float64Array;
  graph: ExpressionGraph;
  inputs: number[];
} {
  const graph = new ExpressionGraph();
  const inputs: number[] = [];
  const input = (value: number): Expression => graph.input(inputs.push(value) - 1);
  const stages: Stage[] = [];
  let R = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  const angles = [0, 1, 2].map(() => random.uniform(-3, 3));
  const turns = angles.map((angle, axis) => {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const T = new Float64Array(9);
    const [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
    T[4 * axis] = 1;
    T[4 * a] = c;
    T[4 * b] = c;
    T[3 * a + b] = -s;
    T[3 * b + a] = s;
    stages.push({ kind: 'turn', axis, cosine: input(c), sine: input(s) });
    return T;
  });
  const full = multiplyMat3(new Float64Array(9), turns[2], turns[0]);
  stages.push({ kind: 'matrix', entries: Array.from(full, input) });
  for (const T of [...turns, full]) R = multiplyMat3(new Float64Array(9), R, T);
  return { stages, R, graph, inputs };
}

const product = (...factors: Float64Array[]) => factors.reduce((a, b) => multiplyMat3(new Float64Array(9), a, b));
const transpose = (A: Float64Array) => transposeMat3(new Float64Array(9), A);

describe('vector expressions', () => {
  it.each([1, 2, 3, 4, 5])('turn vectors and matrices as R does (seed %i)', (seed) => {
    const random = createRandom(seed);
    const { stages, R, graph, inputs } = createRotation(random);
    const vectors = new VectorExpressions(graph);
    const A = Float64Array.from({ length: 9 }, () => random.uniform(-1, 1));
    const S = Float64Array.from(A, (x, i) => x + A[3 * (i % 3) + Math.floor(i / 3)]);
    const load = (values: ArrayLike<number>) => Array.from(values, (x) => graph.input(inputs.push(x) - 1));
    const entries = load(A);
    const packed = load([S[0], S[1], S[2], S[4], S[5], S[8]]);
    const vector = [entries[0], entries[1], entries[2]] as const;
    const compare = (actual: readonly Expression[], expected: ArrayLike<number>) => {
      const values = actual.map((x) => evaluate(graph, x, inputs));
      values.forEach((x, i) => {
        expect(x).toBeCloseTo(expected[i], 13);
      });
    };
    const times = (M: Float64Array) =>
      [0, 1, 2].map((r) => M[3 * r] * A[0] + M[3 * r + 1] * A[1] + M[3 * r + 2] * A[2]);
    compare(vectors.rotate(stages, vector), times(R));
    compare(vectors.rotateBack(stages, vector), times(transpose(R)));
    compare(vectors.rotateRows(entries, stages), product(A, R));
    compare(vectors.rotateMatrix(stages, entries), product(R, A, transpose(R)));
    const turned = product(R, S, transpose(R));
    compare(vectors.rotateSymmetric(stages, packed), [
      turned[0],
      turned[1],
      turned[2],
      turned[4],
      turned[5],
      turned[8],
    ]);
  });

  it('counts few operations for a turn of a symmetric matrix', () => {
    const graph = new ExpressionGraph();
    const vectors = new VectorExpressions(graph);
    const inputs = Array.from({ length: 8 }, (_, i) => graph.input(i));
    const before = graph.size;
    vectors.rotateSymmetric([{ kind: 'turn', axis: 2, cosine: inputs[6], sine: inputs[7] }], inputs.slice(0, 6));
    expect(graph.size - before).toBe(16);
  });
});
