/**
 * Is a point inside a closed mesh?
 *
 * Method: a ray along +x from the point; every triangle whose projection on the yz plane covers the ray's foot is a
 * crossing. Coverage counts the triangle's edges crossed by a half-line in that plane with a half-open rule, evaluated
 * per edge in a fixed order of its ends, so two triangles that share an edge always agree and a ray through edges or
 * vertices is counted right without a second try. The crossings are summed with their direction (winding number, for
 * consistently wound meshes: nested and overlapping shells come out as their union) or by parity (for the others).
 * Source: Haines 1994, "Point in polygon strategies", Graphics Gems IV; Jacobson, Kavan, Sorkine-Hornung 2013, "Robust
 * inside-outside segmentation using generalized winding numbers", doi:10.1145/2461912.2461916, for why windings add.
 * Frames: the mesh's frame. Cost: one walk of the BVH along the ray. Fails, by rounding, only for points on the surface,
 * which callers have excluded. Checked by containment.test.ts.
 */
import type { MeshBvh } from '../bvh/mesh-bvh.js';
import { walkTriangles } from '../bvh/walk-triangles.js';
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

const rayBox = new Float64Array(6);
let rayX = 0;
let rayY = 0;
let rayZ = 0;
let vertices: Float64Array = rayBox;
let triangles = new Uint32Array(0);
let winding = 0;
let crossings = 0;

/** Signed crossing of the half-line { y > rayY, z = rayZ } with the projected edge i -> j: +1 upward, -1 downward. */
function crossEdge(i: number, j: number): number {
  const zi = vertices[i + 2];
  const zj = vertices[j + 2];
  const upward = zj > rayZ;
  if (zi > rayZ === upward) return 0;
  // Always from the lower end, so both triangles of the edge compute the same number.
  const low = upward ? i : j;
  const high = upward ? j : i;
  const t = (rayZ - vertices[low + 2]) / (vertices[high + 2] - vertices[low + 2]);
  const y = vertices[low + 1] + t * (vertices[high + 1] - vertices[low + 1]);
  if (!(y > rayY)) return 0;
  return upward ? 1 : -1;
}

function visitTriangle(triangle: number): number {
  const a = 3 * triangles[3 * triangle];
  const b = 3 * triangles[3 * triangle + 1];
  const c = 3 * triangles[3 * triangle + 2];
  const turn = crossEdge(a, b) + crossEdge(b, c) + crossEdge(c, a);
  if (turn === 0) return 0;
  // x of the triangle's plane above the ray's foot, from its normal; nx cannot vanish where the projection covers it.
  const uy = vertices[b + 1] - vertices[a + 1];
  const uz = vertices[b + 2] - vertices[a + 2];
  const vy = vertices[c + 1] - vertices[a + 1];
  const vz = vertices[c + 2] - vertices[a + 2];
  const ux = vertices[b] - vertices[a];
  const vx = vertices[c] - vertices[a];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const side = nx * (rayX - vertices[a]) + ny * (rayY - vertices[a + 1]) + nz * (rayZ - vertices[a + 2]);
  // The ray starts left of the plane: side and nx differ in sign.
  if (nx > 0 ? side < 0 : side > 0) {
    winding += turn;
    crossings++;
  }
  return 0;
}

/**
 * Whether (x, y, z), not on the surface, is inside the closed mesh; `isOriented`: its triangles are consistently wound,
 * so the directions of crossings add up, and not only their parity counts.
 */
export function isInsideMesh(bvh: MeshBvh, isOriented: boolean, x: number, y: number, z: number): boolean {
  const { bounds } = bvh;
  if (x < bounds[0] || y < bounds[1] || z < bounds[2] || x > bounds[3] || y > bounds[4] || z > bounds[5]) return false;
  rayX = x;
  rayY = y;
  rayZ = z;
  vertices = bvh.mesh.vertices;
  triangles = bvh.mesh.triangles as Uint32Array<ArrayBuffer>;
  winding = 0;
  crossings = 0;
  rayBox[0] = x;
  rayBox[1] = y;
  rayBox[2] = z;
  rayBox[3] = bounds[3];
  rayBox[4] = y;
  rayBox[5] = z;
  walkTriangles(bvh, rayBox, 0, visitTriangle);
  return isOriented ? winding !== 0 : crossings % 2 === 1;
}
