/**
 * The table of pair functions by type codes, and the call through it for shapes in either order.
 *
 * Entry [code A][code B] with code A <= code B; the other half is the same function with the operands exchanged and the
 * answer turned around. measure-pair.ts fills the table in; what walks over parts calls back through here.
 * Frames: A's frame, X_AB. Cost: 36 flops for the inverse when the operands are exchanged, else none.
 * Checked by test/contract/shape-pairs.test.ts.
 */
import { invertTransform, type Transform } from '../math/transform.js';
import { type Collider, TYPE_COUNT } from './collider.js';
import { measureConvexConvex } from './convex-pairs.js';
import { type PairFunction, swapResult } from './pair-result.js';
import type { DistanceResult } from './query.js';

const table: PairFunction[] = [];
for (let i = 0; i < TYPE_COUNT * TYPE_COUNT; i++) table.push(measureConvexConvex);
const X_BA = new Float64Array(12);

/** Sets the function of codes a <= b. */
export function setPair(a: number, b: number, f: PairFunction): void {
  table[a * TYPE_COUNT + b] = f;
}

/** The function for colliders whose codes are in order. */
export function pairFunction(a: Collider, b: Collider): PairFunction {
  return table[a.type * TYPE_COUNT + b.type];
}

/** Measures colliders in any order; the answer is in A's frame. Must not be called again from within an exchanged call. */
export function measureColliders(
  out: DistanceResult,
  a: Collider,
  b: Collider,
  X_AB: Transform,
  bound: number,
  mode: number,
): void {
  if (a.type <= b.type) {
    pairFunction(a, b)(out, a, b, X_AB, bound, mode);
    return;
  }
  invertTransform(X_BA, X_AB);
  pairFunction(b, a)(out, b, a, X_BA, bound, mode);
  swapResult(out);
  turnResult(out, X_AB);
}

/** Maps points and normal by X_FG, from G to F. */
export function turnResult(out: DistanceResult, X_FG: Transform): void {
  turnPoint(out.pointA, X_FG, 1);
  turnPoint(out.pointB, X_FG, 1);
  turnPoint(out.normal, X_FG, 0);
}

function turnPoint(p: Float64Array, X: Transform, w: number): void {
  const x = p[0];
  const y = p[1];
  const z = p[2];
  p[0] = X[0] * x + X[1] * y + X[2] * z + w * X[9];
  p[1] = X[3] * x + X[4] * y + X[5] * z + w * X[10];
  p[2] = X[6] * x + X[7] * y + X[8] * z + w * X[11];
}
