/** The convex hull of a mesh, and how deep within it the mesh lies: how much too early a check with hulls speaks of contact. */
import { buildConvexHull, type TriangleMesh } from 'clearance/geometry';
import { hypot } from 'clearance/math';

export interface HullAnswer {
  /** A corner of every triangle after the other, for drawing. */
  readonly positions: Float32Array;
  /** Of the vertex that lies deepest below the hull's surface: metres. Points between vertices may lie deeper. */
  readonly depth: number;
  readonly triangles: number;
}

/** Of vertices times faces; of more vertices every so many are looked at. */
const MOST = 2e8;

export function measureHull({ vertices }: TriangleMesh): HullAnswer {
  const hull = buildConvexHull(vertices);
  const { vertices: p, triangles } = hull;
  const positions = new Float32Array(3 * triangles.length);
  const planes = new Float64Array((4 * triangles.length) / 3);
  for (let f = 0; f < triangles.length; f += 3) {
    const [a, b, c] = [3 * triangles[f], 3 * triangles[f + 1], 3 * triangles[f + 2]];
    for (const [k, i] of [a, b, c].entries()) positions.set(p.subarray(i, i + 3), 3 * (f + k));
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = hypot(nx, ny, nz) || 1;
    planes.set([nx / length, ny / length, nz / length], (4 * f) / 3);
    planes[(4 * f) / 3 + 3] = (nx * p[a] + ny * p[a + 1] + nz * p[a + 2]) / length;
  }
  const count = vertices.length / 3;
  const step = Math.max(1, Math.ceil((count * planes.length) / 4 / MOST));
  let depth = 0;
  for (let v = 0; v < vertices.length; v += 3 * step) {
    const [x, y, z] = [vertices[v], vertices[v + 1], vertices[v + 2]];
    let least = Infinity;
    for (let f = 0; f < planes.length && least > depth; f += 4)
      least = Math.min(least, planes[f + 3] - planes[f] * x - planes[f + 1] * y - planes[f + 2] * z);
    if (least > depth && least < Infinity) depth = least;
  }
  return { positions, depth, triangles: triangles.length / 3 };
}
