/**
 * Whether a point is inside a closed mesh, told only when rounding cannot have changed the answer.
 *
 * Method: a half-line from the point along one of a few fixed directions; of each triangle the three volumes of the half-line's
 * direction with the triangle's sides, seen from the point, tell on which side of every side it passes. One that is smaller than its rounding makes the
 * half-line pass an edge or a corner: the next direction is tried. Where the triangle is met, the sign of the crossing counts.
 * Source: Ericson 2005, "Real-time collision detection", section 5.3.4. Cost: linear, about 15 ns a triangle; a box around the mesh
 * goes first. Null when all directions meet edges: points on the surface, or very near it. Checked by verify-spheres.test.ts.
 */
import type { TriangleMesh } from '../triangle-mesh.js';

/** Whether a point off the boundary is inside; null: cannot be told. In the part's frame. */
export type InsideRule = (x: number, y: number, z: number) => boolean | null;

/** Directions in no relation to the axes, which edges of parts favour. */
const DIRECTIONS = [
  [0.8306, 0.4127, 0.3738],
  [-0.2713, 0.9101, -0.3133],
  [0.3419, -0.4871, 0.8036],
  [-0.7011, -0.5923, -0.3971],
  [0.5347, -0.7819, -0.3209],
  [-0.4409, 0.1879, 0.8777],
] as const;
/** Of the sum of the products of a volume. */
const ROUNDING = 1e-14;

export function insideMesh({ vertices, triangles }: TriangleMesh, isOriented: boolean): InsideRule {
  const bounds = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const v of triangles)
    for (let k = 0; k < 3; k++) {
      bounds[k] = Math.min(bounds[k], vertices[3 * v + k]);
      bounds[k + 3] = Math.max(bounds[k + 3], vertices[3 * v + k]);
    }
  return (x, y, z) => {
    const isOutside =
      x < bounds[0] || y < bounds[1] || z < bounds[2] || x > bounds[3] || y > bounds[4] || z > bounds[5];
    if (isOutside) return false;
    for (const direction of DIRECTIONS) {
      const crossings = cross(vertices, triangles, [x, y, z], direction);
      if (crossings) return isOriented ? crossings[0] !== 0 : crossings[1] % 2 === 1;
    }
    return null;
  };
}

/** Crossings summed by direction, and counted; null when one cannot be told. */
function cross(
  vertices: Float64Array,
  triangles: Uint32Array,
  [x, y, z]: readonly [number, number, number],
  [dx, dy, dz]: readonly [number, number, number],
): readonly [number, number] | null {
  let sum = 0;
  let count = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [ax, ay, az] = [vertices[a] - x, vertices[a + 1] - y, vertices[a + 2] - z];
    const [bx, by, bz] = [vertices[b] - x, vertices[b + 1] - y, vertices[b + 2] - z];
    const [cx, cy, cz] = [vertices[c] - x, vertices[c + 1] - y, vertices[c + 2] - z];
    // d . (a x b), and so on: the side on which the line passes each edge.
    const u = dx * (by * cz - bz * cy) + dy * (bz * cx - bx * cz) + dz * (bx * cy - by * cx);
    const v = dx * (cy * az - cz * ay) + dy * (cz * ax - cx * az) + dz * (cx * ay - cy * ax);
    const w = dx * (ay * bz - az * by) + dy * (az * bx - ax * bz) + dz * (ax * by - ay * bx);
    const size =
      Math.max(Math.abs(ax), Math.abs(ay), Math.abs(az), Math.abs(bx), Math.abs(by), Math.abs(bz)) +
      Math.max(Math.abs(cx), Math.abs(cy), Math.abs(cz));
    const margin = ROUNDING * size * size * 8;
    const isPositive = u > margin && v > margin && w > margin;
    const isNegative = u < -margin && v < -margin && w < -margin;
    if (!isPositive && !isNegative) {
      const isMissed = (u > margin || v > margin || w > margin) && (u < -margin || v < -margin || w < -margin);
      if (isMissed) continue;
      return null;
    }
    // a . (b x c): the plane lies ahead when it has the sign of the crossing.
    const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    const least = ROUNDING * size * size * size * 8;
    if (Math.abs(volume) <= least) return null;
    if (volume > 0 !== isPositive) continue;
    sum += isPositive ? 1 : -1;
    count++;
  }
  return [sum, count];
}
