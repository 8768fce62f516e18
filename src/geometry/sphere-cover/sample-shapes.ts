/**
 * Points that stand for shapes while spheres are fitted: of their surface, of their inside, and of the space around.
 *
 * Method: surface by area, evenly (triangles take their shares in turn, within one the points of a low-discrepancy sequence), with corners of the
 * convex hull, which spheres must reach; inside and around by a lattice that is moved off the shape's own planes.
 * Source: M. Roberts 2018, "The unreasonable effectiveness of quasirandom sequences" (the sequence of the plastic number).
 * Frames: L link. Cost: a distance per lattice point. Same shapes, same points. Checked by fit-spheres.test.ts.
 */
import { exp, hypot, log } from '../../math/scalar.js';
import { buildConvexHull } from '../hull.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import type { ShapeField } from './shape-field.js';

const PLASTIC = 1.32471795724474;
/** Hull corners beyond these are taken at regular intervals. */
const MOST_CORNERS = 400;

/** About `count` points of the surface, x y z each; with them the outward normal of the triangle where asked. */
export function sampleSurface(meshes: readonly TriangleMesh[], count: number, normals?: number[]): number[] {
  let area = 0;
  for (const mesh of meshes) for (let t = 0; t < mesh.triangles.length; t += 3) area += normalOf(mesh, t)[3];
  const out: number[] = [];
  let owed = 0.5;
  let index = 1;
  for (const mesh of meshes) {
    const { vertices, triangles } = mesh;
    for (let t = 0; t < triangles.length; t += 3) {
      const [nx, ny, nz, own] = normalOf(mesh, t);
      if (area > 0) owed += (own / area) * count;
      for (; owed >= 1; owed--) {
        let u = index / PLASTIC;
        let v = index / (PLASTIC * PLASTIC);
        index++;
        u -= Math.floor(u);
        v -= Math.floor(v);
        if (u + v > 1) [u, v] = [1 - u, 1 - v];
        const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
        for (let k = 0; k < 3; k++) out.push((1 - u - v) * vertices[a + k] + u * vertices[b + k] + v * vertices[c + k]);
        normals?.push(nx, ny, nz);
      }
    }
  }
  return out;
}

/** Unit normal and area. */
function normalOf({ vertices, triangles }: TriangleMesh, t: number): readonly [number, number, number, number] {
  const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
  const [ux, uy, uz] = [
    vertices[b] - vertices[a],
    vertices[b + 1] - vertices[a + 1],
    vertices[b + 2] - vertices[a + 2],
  ];
  const [vx, vy, vz] = [
    vertices[c] - vertices[a],
    vertices[c + 1] - vertices[a + 1],
    vertices[c + 2] - vertices[a + 2],
  ];
  const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = hypot(x, y, z);
  return length > 0 ? [x / length, y / length, z / length, 0.5 * length] : [0, 0, 1, 0];
}

/** Corners of each shape's convex hull. */
export function sampleCorners(meshes: readonly TriangleMesh[]): number[] {
  const out: number[] = [];
  for (const { vertices } of meshes) {
    const hull = buildConvexHull(vertices).vertices;
    const count = hull.length / 3;
    const step = Math.max(1, count / MOST_CORNERS);
    for (let i = 0; i < count; i += step) out.push(...hull.subarray(3 * Math.floor(i), 3 * Math.floor(i) + 3));
  }
  return out;
}

/** Lattice points within the box with their signed distances, x y z d each. A distance of `far` or more is left out. */
export interface Lattice {
  readonly points: Float64Array;
  readonly spacing: number;
}

export function sampleLattice(field: ShapeField, box: ArrayLike<number>, count: number, far: number): Lattice {
  const size = [0, 1, 2].map((k) => box[k + 3] - box[k]);
  const longest = Math.max(...size);
  const volume = size.reduce((product, s) => product * Math.max(s, 1e-3 * longest), 1);
  // A point has no extent: one cell.
  const spacing = longest > 0 ? Math.max(exp(log(volume / count) / 3), longest / 200) : 1;
  const counts = size.map((s) => Math.max(1, Math.ceil(s / spacing)));
  // Rows in the middle of what is left over, and a little off, since faces of parts like round numbers.
  const first = size.map((s, k) => box[k] + 0.5 * (s - (counts[k] - 1) * spacing) + 0.017 * (k + 1) * spacing);
  const out: number[] = [];
  for (let i = 0; i < counts[0]; i++)
    for (let j = 0; j < counts[1]; j++) {
      // A distance changes by no more than the way from the last point: less is searched.
      let last = Infinity;
      for (let k = 0; k < counts[2]; k++) {
        const [x, y, z] = [first[0] + i * spacing, first[1] + j * spacing, first[2] + k * spacing];
        const limit = Math.min(far, 1.0001 * (Math.abs(last) + spacing));
        const d = field.distance(x, y, z, limit);
        last = d;
        if (d < far) out.push(x, y, z, d);
      }
    }
  return { points: Float64Array.from(out), spacing };
}
