/**
 * What one pair of colliders remembers from its last query, so that the next one starts near its answer.
 *
 * Held by the caller, one for each pair: the last simplex of GJK as points of A and of B, each in its own shape's frame, and
 * the last direction. The points stay points of the shapes wherever these move, so any start from them is a right one; the
 * closer the poses are to the last ones, the fewer rounds are left, and none where Newton's method ends it at once. Of a mesh and a convex shape: the nearest triangle, which is measured first.
 * Pairs with a closed form, boxes and pairs of meshes do not use it.
 * Checked by pair-cache.test.ts.
 */
import type { SupportCore } from '../geometry/support.js';
import { POSE, readCount, SIMPLEX_A, SIMPLEX_B, SIMPLEX_W, shared, V } from './convex-kernel.js';

export class PairCache {
  /** Vertices remembered; 0: none yet. */
  count = 0;
  private a: SupportCore | null = null;
  private b: SupportCore | null = null;
  private readonly pointsA = new Float64Array(12);
  private readonly pointsB = new Float64Array(12);
  private mesh: object | null = null;
  private triangle = -1;
  /** Last closest point of C = A - B to the origin, in A's frame. */
  private readonly v = new Float64Array(3);

  /** Forgets the last query. */
  reset(): void {
    this.count = 0;
    this.triangle = -1;
  }

  /**
   * The triangle of a mesh that was nearest to its partner last, -1 when it was another mesh.
   * @internal
   */
  recallTriangle(mesh: object): number {
    return this.mesh === mesh ? this.triangle : -1;
  }

  /** @internal */
  rememberTriangle(mesh: object, triangle: number): void {
    this.mesh = mesh;
    this.triangle = triangle;
  }

  /**
   * Puts the remembered simplex and direction of cores a and b into the kernel, at the pose there; returns the number of
   * vertices, 0 when they are of other shapes.
   * @internal
   */
  recall(a: SupportCore, b: SupportCore): number {
    if (this.a !== a || this.b !== b) return 0;
    const { count, pointsA, pointsB } = this;
    const { f64 } = shared;
    if (count > 0) for (let k = 0; k < 3; k++) f64[V + k] = this.v[k];
    for (let i = 0; i < 3 * count; i += 3) {
      const x = pointsB[i];
      const y = pointsB[i + 1];
      const z = pointsB[i + 2];
      for (let k = 0; k < 3; k++) {
        const row = POSE + 3 * k;
        const p = pointsA[i + k];
        const q = f64[row] * x + f64[row + 1] * y + f64[row + 2] * z + f64[POSE + 9 + k];
        f64[SIMPLEX_A + i + k] = p;
        f64[SIMPLEX_B + i + k] = q;
        f64[SIMPLEX_W + i + k] = p - q;
      }
    }
    return count;
  }

  /**
   * Remembers the kernel's simplex.
   * @internal
   */
  remember(a: SupportCore, b: SupportCore): void {
    this.a = a;
    this.b = b;
    this.count = readCount();
    const { f64 } = shared;
    for (let k = 0; k < 3; k++) this.v[k] = f64[V + k];
    for (let i = 0; i < 3 * this.count; i += 3) {
      const x = f64[SIMPLEX_B + i] - f64[POSE + 9];
      const y = f64[SIMPLEX_B + i + 1] - f64[POSE + 10];
      const z = f64[SIMPLEX_B + i + 2] - f64[POSE + 11];
      for (let k = 0; k < 3; k++) {
        this.pointsA[i + k] = f64[SIMPLEX_A + i + k];
        this.pointsB[i + k] = f64[POSE + k] * x + f64[POSE + 3 + k] * y + f64[POSE + 6 + k] * z;
      }
    }
  }
}

/** A warm start for the queries of one pair: pass it in their options. */
export function createPairCache(): PairCache {
  return new PairCache();
}
