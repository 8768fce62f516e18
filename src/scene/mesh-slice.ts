/**
 * The slice of a mesh at a height: polygons with holes, where a horizontal plane cuts what the mesh encloses.
 *
 * 1. Each triangle with corners on both sides of the plane gives a segment, from the side that goes down to the one that goes up: then what is
 *    enclosed lies on its left, seen from above. A corner in the plane counts as below it, so a face in the plane counts with what is above it.
 * 2. The cut of a side is computed once for both of its triangles, so closed meshes give closed rings.
 * 3. Segments become an arrangement with counted depths (plane/arrangement.ts): solids that overlap are one.
 *
 * Corners of cuts are rounded to doubles. A mesh that is not closed there has ends in the slice: then every segment is a wall of the width
 * `thickness` in place of an outline. x, y, z of the mesh's frame, metres. Cost: O(n + k log k) for k cut triangles. Tested by mesh-slice.test.ts.
 */
import { requireIndexedMesh } from '../geometry/require-mesh.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { requireNumber, requireOptions, requirePositiveNumber } from '../math/arguments.js';
import { buildArrangement, type Side } from '../plane/arrangement.js';
import { createExactPoint } from '../plane/exact-point.js';
import { listSides, type PlanePoint, type Polygon } from '../plane/polygon.js';
import { traceRegion } from '../plane/region.js';
import { thicken } from './footprint.js';

export interface SliceOptions {
  /** Width of walls where the mesh is not closed; 1e-6 of the slice's extent unless said otherwise. */
  readonly thickness?: number;
}

export interface MeshSlice {
  readonly polygons: readonly Polygon[];
  /** Ends of the outline, where the mesh is open: 0 of a closed mesh. */
  readonly openEnds: number;
  /** Width of walls: 0 where outlines are closed. */
  readonly thickness: number;
}

export function sliceMesh(mesh: TriangleMesh, height: number, options: SliceOptions = {}): MeshSlice {
  requireIndexedMesh('sliceMesh', 'mesh', mesh);
  requireNumber('sliceMesh', 'height', height);
  requireOptions('sliceMesh', options, { thickness: requirePositiveNumber });
  const segments = cutTriangles(mesh, height);
  const degrees = new Map<string, number>();
  for (const [a, b] of segments) {
    degrees.set(a.join(), (degrees.get(a.join()) ?? 0) + 1);
    degrees.set(b.join(), (degrees.get(b.join()) ?? 0) - 1);
  }
  let openEnds = 0;
  for (const degree of degrees.values()) openEnds += Math.abs(degree);
  if (openEnds > 0) {
    const extent = segments.flat(2).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const thickness = options.thickness ?? 1e-6 * extent;
    const walls = segments.map(([a, b]) => thicken(a, b, thickness));
    const { polygons, isRounded } = traceUnion(walls.flatMap((wall) => listSides(wall, 0)));
    return { polygons: isRounded ? walls : polygons, openEnds, thickness };
  }
  // Wound inside out: what is on the right is enclosed.
  let area = 0;
  for (const [a, b] of segments) area += a[0] * b[1] - a[1] * b[0];
  const sides = segments.map(([a, b]): Side => {
    const [from, to] = [createExactPoint(...a), createExactPoint(...b)];
    return area < 0 ? { a: to, b: from, owner: 0 } : { a: from, b: to, owner: 0 };
  });
  return { polygons: traceUnion(sides).polygons, openEnds: 0, thickness: 0 };
}

function traceUnion(sides: readonly Side[]) {
  return traceRegion(
    buildArrangement(sides),
    () => false,
    (isInside) => isInside,
  );
}

function cutTriangles({ vertices, triangles }: TriangleMesh, height: number): [PlanePoint, PlanePoint][] {
  const cuts = new Map<number, PlanePoint>();
  const count = vertices.length / 3;
  /** The same point for both triangles of a side. */
  const cut = (v: number, w: number): PlanePoint => {
    const [a, b] = v < w ? [v, w] : [w, v];
    const key = a * count + b;
    const known = cuts.get(key);
    if (known !== undefined) return known;
    const t = (height - vertices[3 * a + 2]) / (vertices[3 * b + 2] - vertices[3 * a + 2]);
    const at = (k: number): number => {
      const [p, q] = [vertices[3 * a + k], vertices[3 * b + k]];
      return p === q ? p : t < 0.5 ? p + t * (q - p) : q - (1 - t) * (q - p);
    };
    const point: PlanePoint = [at(0), at(1)];
    cuts.set(key, point);
    return point;
  };
  const isAbove = (v: number): boolean => vertices[3 * v + 2] > height;
  const segments: [PlanePoint, PlanePoint][] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    let from: PlanePoint | null = null;
    let to: PlanePoint | null = null;
    for (let k = 0; k < 3; k++) {
      const [v, w] = [triangles[t + k], triangles[t + ((k + 1) % 3)]];
      if (isAbove(v) && !isAbove(w)) from = cut(v, w);
      if (!isAbove(v) && isAbove(w)) to = cut(v, w);
    }
    if (from !== null && to !== null && (from[0] !== to[0] || from[1] !== to[1])) segments.push([from, to]);
  }
  return segments;
}
