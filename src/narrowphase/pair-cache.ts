/**
 * What one pair of colliders remembers from its last query, so that the next one starts near its answer.
 *
 * Held by the caller, one for each pair: the last simplex of GJK as points of A and of B, each in its own shape's frame, and
 * the last direction. The points stay points of the shapes wherever these move, so any start from them is a right one; the
 * closer the poses are to the last ones, the fewer rounds are left, and none where Newton's method ends it at once. Pairs with a closed form, boxes and meshes do not use it.
 * Checked by pair-cache.test.ts.
 */
import type { SupportCore } from '../geometry/support.js';
import type { Transform } from '../math/transform.js';
import type { GjkState } from './gjk-state.js';

export class PairCache {
  /** Vertices remembered; 0: none yet. */
  count = 0;
  private a: SupportCore | null = null;
  private b: SupportCore | null = null;
  private readonly pointsA = new Float64Array(12);
  private readonly pointsB = new Float64Array(12);
  /** Last closest point of C = A - B to the origin, in A's frame. */
  private readonly v = new Float64Array(3);

  /** Forgets the last query. */
  reset(): void {
    this.count = 0;
  }

  /**
   * Puts the remembered simplex into the state, at its pose; returns the vertices, 0 when they are of other shapes.
   * @internal
   */
  recall(s: GjkState): number {
    if (this.a !== s.a || this.b !== s.b) return 0;
    const { count, pointsA, pointsB } = this;
    const { X } = s;
    if (count > 0) for (let k = 0; k < 3; k++) s.v[k] = this.v[k];
    for (let i = 0; i < 3 * count; i += 3) {
      const x = pointsB[i];
      const y = pointsB[i + 1];
      const z = pointsB[i + 2];
      for (let k = 0; k < 3; k++) {
        s.pointsA[i + k] = pointsA[i + k];
        s.pointsB[i + k] = X[3 * k] * x + X[3 * k + 1] * y + X[3 * k + 2] * z + X[9 + k];
        s.w[i + k] = s.pointsA[i + k] - s.pointsB[i + k];
      }
    }
    return count;
  }

  /**
   * Remembers the state's simplex.
   * @internal
   */
  remember(s: GjkState): void {
    this.a = s.a;
    this.b = s.b;
    this.count = s.count;
    for (let k = 0; k < 3; k++) this.v[k] = s.v[k];
    const { X }: { X: Transform } = s;
    for (let i = 0; i < 3 * s.count; i += 3) {
      const x = s.pointsB[i] - X[9];
      const y = s.pointsB[i + 1] - X[10];
      const z = s.pointsB[i + 2] - X[11];
      for (let k = 0; k < 3; k++) {
        this.pointsA[i + k] = s.pointsA[i + k];
        this.pointsB[i + k] = X[k] * x + X[3 + k] * y + X[6 + k] * z;
      }
    }
  }
}

/** A warm start for the queries of one pair: pass it in their options. */
export function createPairCache(): PairCache {
  return new PairCache();
}
