/** Directions to try first: the 26 of the cube, and those that the parts' faces point to most. */
import type { TriangleMesh } from '../geometry/triangle-mesh.js';

/** Faces within this of one direction are one (1 - cosine). */
const SAME = 1e-6;

/** Unit vectors, 3 numbers each: axes, diagonals, then up to `most` normals of faces with the largest areas, and their opposites. */
export function listDirections(meshes: readonly TriangleMesh[], most = 8): Float64Array[] {
  const out: Float64Array[] = [];
  for (let ones = 1; ones <= 3; ones++)
    for (let code = 0; code < 27; code++) {
      const d = [(code % 3) - 1, (Math.floor(code / 3) % 3) - 1, Math.floor(code / 9) - 1];
      const square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
      if (square === ones) out.push(Float64Array.from(d, (x) => x / Math.sqrt(square)));
    }
  const known = (x: number, y: number, z: number): boolean =>
    out.some((d) => Math.abs(d[0] * x + d[1] * y + d[2] * z) > 1 - SAME);
  for (const { x, y, z } of listNormals(meshes)) {
    if (most === 0) break;
    if (known(x, y, z)) continue;
    out.push(Float64Array.of(x, y, z), Float64Array.of(-x, -y, -z));
    most--;
  }
  return out;
}

interface FaceNormal {
  x: number;
  y: number;
  z: number;
  area: number;
}

/** Normals of faces by area, largest first; opposite ones are one. */
function listNormals(meshes: readonly TriangleMesh[]): FaceNormal[] {
  const found: FaceNormal[] = [];
  for (const { vertices: v, triangles } of meshes)
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
      const u = [0, 1, 2].map((k) => v[b + k] - v[a + k]);
      const w = [0, 1, 2].map((k) => v[c + k] - v[a + k]);
      const n = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
      const twice = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
      if (!(twice > 0)) continue;
      const [x, y, z] = n.map((k) => k / twice);
      const same = found.find((f) => Math.abs(f.x * x + f.y * y + f.z * z) > 1 - SAME);
      if (same) same.area += twice / 2;
      else if (found.length < 512) found.push({ x, y, z, area: twice / 2 });
    }
  return found.sort((a, b) => b.area - a.area);
}
