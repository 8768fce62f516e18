/**
 * Vectors, rotations and symmetric matrices of expressions. Rotations are products of stages, each a turn in one coordinate
 * plane or a full matrix: a turn costs 6 operations on a vector and 10 + 6 on a symmetric matrix, a matrix 15 and 75.
 *
 * A turn about axis k by (c, s) mixes components a = k + 1 and b = k + 2 (modulo 3): a' = c a - s b, b' = s a + c b.
 * Symmetric matrices are [xx, xy, xz, yy, yz, zz], others row-major. Tested by vector-expressions.test.ts.
 */
import type { Expression, ExpressionGraph } from './expression-graph.js';

export type Vector = readonly [Expression, Expression, Expression];

export type Stage =
  | { readonly kind: 'turn'; readonly axis: number; readonly cosine: Expression; readonly sine: Expression }
  | { readonly kind: 'matrix'; readonly entries: readonly Expression[] };

/** Where entry (row, column) of a symmetric matrix is. */
export const SYMMETRIC = [
  [0, 1, 2],
  [1, 3, 4],
  [2, 4, 5],
] as const;

export class VectorExpressions {
  constructor(readonly graph: ExpressionGraph) {}

  constants(values: ArrayLike<number>): Expression[] {
    return Array.from(values, (value) => this.graph.constant(value));
  }

  vector(values: ArrayLike<number>, at = 0): Vector {
    const g = this.graph;
    return [g.constant(values[at]), g.constant(values[at + 1]), g.constant(values[at + 2])];
  }

  add(a: Vector, b: Vector): Vector {
    const g = this.graph;
    return [g.add(a[0], b[0]), g.add(a[1], b[1]), g.add(a[2], b[2])];
  }

  addAll(a: readonly Expression[], b: readonly Expression[]): Expression[] {
    return a.map((x, i) => this.graph.add(x, b[i]));
  }

  scale(a: Vector, factor: Expression): Vector {
    const g = this.graph;
    return [g.multiply(a[0], factor), g.multiply(a[1], factor), g.multiply(a[2], factor)];
  }

  cross(a: Vector, b: Vector): Vector {
    const g = this.graph;
    const minor = (i: number, j: number) => g.subtract(g.multiply(a[i], b[j]), g.multiply(a[j], b[i]));
    return [minor(1, 2), minor(2, 0), minor(0, 1)];
  }

  /** Sum of products, zero terms left out. */
  dot(a: readonly Expression[], b: readonly Expression[]): Expression {
    const g = this.graph;
    return a.reduce((sum, x, i) => g.add(sum, g.multiply(x, b[i])), g.constant(0));
  }

  /** A v, A row-major. */
  multiplyMatrix(A: readonly Expression[], v: Vector): Vector {
    return [this.dot(A.slice(0, 3), v), this.dot(A.slice(3, 6), v), this.dot(A.slice(6, 9), v)];
  }

  /** A^T v */
  multiplyTransposed(A: readonly Expression[], v: Vector): Vector {
    return [this.dot([A[0], A[3], A[6]], v), this.dot([A[1], A[4], A[7]], v), this.dot([A[2], A[5], A[8]], v)];
  }

  multiplySymmetric(A: readonly Expression[], v: Vector): Vector {
    return [this.dot([A[0], A[1], A[2]], v), this.dot([A[1], A[3], A[4]], v), this.dot([A[2], A[4], A[5]], v)];
  }

  multiplyMatrices(A: readonly Expression[], B: readonly Expression[]): Expression[] {
    const column = (c: number): Vector => [B[c], B[3 + c], B[6 + c]];
    const columns = [0, 1, 2].map((c) => this.multiplyMatrix(A, column(c)));
    return [0, 1, 2].flatMap((r) => [0, 1, 2].map((c) => columns[c][r]));
  }

  /** R v for R = stage 0 times stage 1 ... */
  rotate(stages: readonly Stage[], v: Vector): Vector {
    let out = v;
    for (let i = stages.length - 1; i >= 0; i--) {
      const stage = stages[i];
      out =
        stage.kind === 'turn'
          ? this.#turn(stage.axis, stage.cosine, stage.sine, out)
          : this.multiplyMatrix(stage.entries, out);
    }
    return out;
  }

  /** R^T v */
  rotateBack(stages: readonly Stage[], v: Vector): Vector {
    let out = v;
    for (const stage of stages) {
      out =
        stage.kind === 'turn'
          ? this.#turn(stage.axis, stage.cosine, this.graph.negate(stage.sine), out)
          : this.multiplyTransposed(stage.entries, out);
    }
    return out;
  }

  #turn(axis: number, c: Expression, s: Expression, v: Vector): Vector {
    const g = this.graph;
    const a = (axis + 1) % 3;
    const b = (axis + 2) % 3;
    const out: [Expression, Expression, Expression] = [v[0], v[1], v[2]];
    out[a] = g.subtract(g.multiply(c, v[a]), g.multiply(s, v[b]));
    out[b] = g.add(g.multiply(s, v[a]), g.multiply(c, v[b]));
    return out;
  }

  /** A R of a row-major matrix A. */
  rotateRows(A: readonly Expression[], stages: readonly Stage[]): Expression[] {
    return [0, 1, 2].flatMap((r) => [...this.rotateBack(stages, [A[3 * r], A[3 * r + 1], A[3 * r + 2]])]);
  }

  /** R A R^T of a symmetric A. */
  rotateSymmetric(stages: readonly Stage[], A: readonly Expression[]): Expression[] {
    let out = [...A];
    for (let i = stages.length - 1; i >= 0; i--) {
      const stage = stages[i];
      if (stage.kind === 'turn') {
        out = this.#turnSymmetric(stage.axis, stage.cosine, stage.sine, out);
        continue;
      }
      const R = stage.entries;
      const rows = [0, 1, 2].map((r) => R.slice(3 * r, 3 * r + 3));
      const T = rows.map((row) => this.multiplySymmetric(out, row as unknown as Vector));
      out = [
        this.dot(T[0], rows[0]),
        this.dot(T[0], rows[1]),
        this.dot(T[0], rows[2]),
        this.dot(T[1], rows[1]),
        this.dot(T[1], rows[2]),
        this.dot(T[2], rows[2]),
      ];
    }
    return out;
  }

  /**
   * With e = s (aa - bb) + 2 c ab: aa' = aa - s e, bb' = bb + s e, ab' = c e - ab; the third row turns like a vector.
   * The products c s, c c, s s never appear.
   */
  #turnSymmetric(axis: number, c: Expression, s: Expression, A: readonly Expression[]): Expression[] {
    const a = (axis + 1) % 3;
    const b = (axis + 2) % 3;
    const at = SYMMETRIC;
    const out = [...A];
    const [aa, bb, ab] = this.#turnBlock(c, s, A[at[a][a]], A[at[a][b]], A[at[a][b]], A[at[b][b]]);
    out[at[a][a]] = aa;
    out[at[b][b]] = bb;
    out[at[a][b]] = ab;
    const side: [Expression, Expression, Expression] = [0, 0, 0];
    side[axis] = A[at[axis][axis]];
    side[a] = A[at[axis][a]];
    side[b] = A[at[axis][b]];
    const turned = this.#turn(axis, c, s, side);
    out[at[axis][a]] = turned[a];
    out[at[axis][b]] = turned[b];
    return out;
  }

  /** R A R^T of any A. */
  rotateMatrix(stages: readonly Stage[], A: readonly Expression[]): Expression[] {
    let out = [...A];
    for (let i = stages.length - 1; i >= 0; i--) {
      const stage = stages[i];
      if (stage.kind === 'turn') {
        out = this.#turnMatrix(stage.axis, stage.cosine, stage.sine, out);
        continue;
      }
      const R = stage.entries;
      const transposed = [0, 1, 2].flatMap((r) => [R[r], R[3 + r], R[6 + r]]);
      out = this.multiplyMatrices(this.multiplyMatrices(R, out), transposed);
    }
    return out;
  }

  #turnMatrix(axis: number, c: Expression, s: Expression, A: readonly Expression[]): Expression[] {
    const a = (axis + 1) % 3;
    const b = (axis + 2) % 3;
    const out = [...A];
    const at = (row: number, column: number) => 3 * row + column;
    const [aa, bb, ab, ba] = this.#turnBlock(c, s, A[at(a, a)], A[at(a, b)], A[at(b, a)], A[at(b, b)]);
    out[at(a, a)] = aa;
    out[at(b, b)] = bb;
    out[at(a, b)] = ab;
    out[at(b, a)] = ba;
    const row = this.#turn(axis, c, s, [A[at(axis, 0)], A[at(axis, 1)], A[at(axis, 2)]]);
    const column = this.#turn(axis, c, s, [A[at(0, axis)], A[at(1, axis)], A[at(2, axis)]]);
    for (const k of [a, b]) {
      out[at(axis, k)] = row[k];
      out[at(k, axis)] = column[k];
    }
    return out;
  }

  /** The 2 x 2 block [[aa, ab], [ba, bb]] turned on both sides: aa', bb', ab', ba'. */
  #turnBlock(
    c: Expression,
    s: Expression,
    aa: Expression,
    ab: Expression,
    ba: Expression,
    bb: Expression,
  ): [Expression, Expression, Expression, Expression] {
    const g = this.graph;
    const e = g.add(g.multiply(s, g.subtract(aa, bb)), g.multiply(c, g.add(ab, ba)));
    const se = g.multiply(s, e);
    const ce = g.multiply(c, e);
    return [g.subtract(aa, se), g.add(bb, se), g.subtract(ce, ba), g.subtract(ce, ab)];
  }
}
