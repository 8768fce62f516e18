/**
 * Is a point inside a closed mesh?
 *
 * Method: the half-line along +x is cast through the mesh's tree; crossings through edges and corners count once. They are
 * summed with their direction (winding number, for consistently wound meshes: nested and overlapping shells come out as
 * their union) or by parity (for the others). See bvh/cast-ray-crossings.ts.
 * Source: Jacobson, Kavan, Sorkine-Hornung 2013, "Robust inside-outside segmentation using generalized winding numbers",
 *   doi:10.1145/2461912.2461916, for why windings add.
 * Frames: the mesh's frame. Cost: a microsecond or two. Fails, by rounding, only for points on the surface, which
 * callers have excluded. Checked by containment.test.ts.
 */
import { countCrossings, type SurfaceCrossings } from '../bvh/cast-ray-crossings.js';
import type { MeshBvh } from '../bvh/mesh-bvh.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { mapEqualVertices } from '../geometry/triangle-mesh-weld.js';

/**
 * One vertex, 3 numbers, of every part of a mesh that hangs together by shared positions: a part that crosses no other
 * surface lies inside it when its vertex does.
 */
export function findRepresentatives(mesh: TriangleMesh): Float64Array {
  const { positionOf } = mapEqualVertices(mesh.vertices);
  const parent = new Int32Array(mesh.vertices.length / 3).map((_, i) => i);
  const find = (i: number): number => {
    let root = i;
    while (parent[root] !== root) root = parent[root];
    while (parent[i] !== root) {
      const next = parent[i];
      parent[i] = root;
      i = next;
    }
    return root;
  };
  const { triangles, vertices } = mesh;
  for (let t = 0; t < triangles.length; t += 3) {
    const root = find(positionOf[triangles[t]]);
    for (let k = 1; k < 3; k++) parent[find(positionOf[triangles[t + k]])] = root;
  }
  const seen = new Set<number>();
  const out: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const root = find(positionOf[triangles[t]]);
    if (seen.has(root)) continue;
    seen.add(root);
    const v = 3 * triangles[t];
    out.push(vertices[v], vertices[v + 1], vertices[v + 2]);
  }
  return Float64Array.from(out);
}

const crossings: SurfaceCrossings = { winding: 0, count: 0 };

/**
 * Whether (x, y, z), not on the surface, is inside the closed mesh; `isOriented`: its triangles are consistently wound,
 * so the directions of crossings add up, and not only their parity counts.
 */
export function isInsideMesh(bvh: MeshBvh, isOriented: boolean, x: number, y: number, z: number): boolean {
  const { bounds } = bvh;
  if (x < bounds[0] || y < bounds[1] || z < bounds[2] || x > bounds[3] || y > bounds[4] || z > bounds[5]) return false;
  countCrossings(crossings, bvh, x, y, z);
  return isOriented ? crossings.winding !== 0 : crossings.count % 2 === 1;
}
