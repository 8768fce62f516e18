/**
 * What a convex hull is, and the hull of points that lie in a plane.
 *
 * Method: Andrew's monotone chain on the two coordinates that the plane's normal dominates least; turns are decided
 * exactly, so points on an edge are never corners.
 * Source: Andrew 1979, "Another efficient algorithm for convex hulls in two dimensions",
 *   doi:10.1016/0020-0190(79)90072-3. Cost: O(n log n). Checked by hull.test.ts.
 */
import { orientProjected } from './orientation.js';

export interface ConvexHull {
  /** 0 point, 1 segment, 2 flat polygon, 3 solid. */
  readonly dimension: 0 | 1 | 2 | 3;
  /** 3 numbers per vertex; only points that carry the hull. */
  readonly vertices: Float64Array;
  /** 3 indices per triangle, wound outward; a flat hull has both sides, segments and points have none. */
  readonly triangles: Uint32Array;
}

/** Hull from the offsets of its vertices in p, and of the corners of its triangles. */
export function compactHull(
  dimension: 0 | 1 | 2 | 3,
  p: Float64Array,
  offsets: readonly number[],
  corners: ArrayLike<number>,
): ConvexHull {
  const indexOf = new Uint32Array(p.length / 3);
  const vertices = new Float64Array(offsets.length * 3);
  for (let i = 0; i < offsets.length; i++) {
    const at = offsets[i];
    indexOf[at / 3] = i;
    vertices[3 * i] = p[at];
    vertices[3 * i + 1] = p[at + 1];
    vertices[3 * i + 2] = p[at + 2];
  }
  const triangles = new Uint32Array(corners.length);
  for (let i = 0; i < corners.length; i++) triangles[i] = indexOf[corners[i] / 3];
  return { dimension, vertices, triangles };
}

/** Hull of points in a plane with normal n: both sides of a convex polygon. `p`: the points as given, at any scale. */
export function buildFlatHull(given: Float64Array, p: Float64Array, n: readonly number[]): ConvexHull {
  const size = n.map(Math.abs);
  const drop = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
  const [u, v] = [(drop + 1) % 3, (drop + 2) % 3];
  const axes = [u, v] as const;
  const order = Array.from({ length: p.length / 3 }, (_, i) => 3 * i).sort(
    (i, j) => p[i + u] - p[j + u] || p[i + v] - p[j + v] || i - j,
  );
  const chain: number[] = [];
  const extend = (at: number, floor: number): void => {
    while (
      chain.length > floor &&
      orientProjected(p, axes, chain[chain.length - 2], chain[chain.length - 1], at) <= 0
    ) {
      chain.pop();
    }
    chain.push(at);
  };
  for (const at of order) extend(at, 1);
  const floor = chain.length;
  for (let i = order.length - 2; i >= 0; i--) extend(order[i], floor);
  chain.pop();
  const corners: number[] = [];
  for (let i = 1; i + 1 < chain.length; i++)
    corners.push(chain[0], chain[i], chain[i + 1], chain[0], chain[i + 1], chain[i]);
  return compactHull(2, given, chain, corners);
}
