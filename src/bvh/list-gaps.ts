/**
 * The pairs of triangles of two meshes that are within a reach, each with its gap and nearest points: what a body near others can do.
 *
 * At most 146 of them, those that the traversal meets first (kernel: assembly/mesh/collide.ts). Test: mesh-pairs.test.ts.
 */
import { GAP_CAPACITY, GAP_RESULT_BYTES, GAP_RESULTS } from '../kernel/layout.js';
import { meshPairs } from '../kernel/parts/mesh-pairs.js';
import { requireNotNegative } from '../math/arguments.js';
import type { Transform } from '../math/transform.js';
import type { MeshBvh } from './mesh-bvh.js';
import { openPairQuery } from './pair-query.js';

export const MOST_GAPS = GAP_CAPACITY;
/** Numbers of a row: squared gap, point of A, point of B, both in the frame of A. */
export const GAP_ROW = GAP_RESULT_BYTES / 8;

/** Writes a row per pair, of 7 numbers; `out` has room for MOST_GAPS. Returns how many. Where surfaces cross the gap is 0. */
export function listMeshGaps(out: Float64Array, a: MeshBvh, b: MeshBvh, X_AB: Transform, reach: number): number {
  const kernel = openPairQuery('listMeshGaps', a, b, X_AB);
  requireNotNegative('listMeshGaps', 'reach', reach);
  if (a.triangleCount === 0 || b.triangleCount === 0) return 0;
  const found = kernel.part(meshPairs).listGaps(a.address, b.address, reach);
  const { f64 } = kernel;
  const at = GAP_RESULTS / 8;
  for (let i = 0; i < GAP_ROW * found; i++) out[i] = f64[at + i];
  return found;
}
