/**
 * The table of pair functions by type codes, and the call through it for shapes in either order.
 *
 * Entry [code A][code B] and its mirror image are the same function, which takes the operands in one order; in the other order they
 * are exchanged and the answer turned around. Convex pairs are here; measure-pair.ts fills in all others; what walks over parts calls back through here.
 * Frames: A's frame, X_AB. Cost: 36 flops for the inverse when the operands are exchanged, else none.
 * Checked by test/contract/shape-pairs.test.ts.
 */
import { invertTransform, type Transform } from '../math/transform.js';
import { CODE_COUNT, CONVEX_CODES, type Collider } from './collider.js';
import { measureConvexConvex } from './convex-pairs.js';
import { type PairFunction, swapResult } from './pair-result.js';
import type { DistanceResult } from './query.js';

const table: PairFunction[] = Array.from({ length: CODE_COUNT * CODE_COUNT }, () => measureConvexConvex);
/** 1 where the function takes the operands the other way round. */
const exchanged = new Uint8Array(CODE_COUNT * CODE_COUNT);
/** 1 where the function is that of any two convex shapes. */
const convex = new Uint8Array(CODE_COUNT * CODE_COUNT);
const X_BA = new Float64Array(12);

/** Sets the function of the pair, whose first operand has code a. */
export function setPair(a: number, b: number, f: PairFunction): void {
  table[a * CODE_COUNT + b] = f;
  table[b * CODE_COUNT + a] = f;
  exchanged[b * CODE_COUNT + a] = 1;
  exchanged[a * CODE_COUNT + b] = 0;
  convex[a * CODE_COUNT + b] = f === measureConvexConvex ? 1 : 0;
  convex[b * CODE_COUNT + a] = convex[a * CODE_COUNT + b];
}

for (const [i, b] of CONVEX_CODES.entries())
  for (const a of CONVEX_CODES.slice(0, i + 1)) setPair(a, b, measureConvexConvex);

/** Whether the pair's function takes b first. */
export function isExchanged(a: Collider, b: Collider): boolean {
  return exchanged[a.type * CODE_COUNT + b.type] !== 0;
}

export function isConvexPair(a: Collider, b: Collider): boolean {
  return convex[a.type * CODE_COUNT + b.type] !== 0;
}

export function pairFunction(a: Collider, b: Collider): PairFunction {
  return table[a.type * CODE_COUNT + b.type];
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
  if (!isExchanged(a, b)) {
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
