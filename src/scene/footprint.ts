/**
 * The footprint of a mesh: polygons of the plane that contain everything of it between two heights, seen from above.
 *
 * Triangles that reach into the range of heights are projected whole. Their union is traced exactly (plane/region.ts); where a corner
 * of it is no pair of doubles, the triangles themselves are the answer, so that nothing is moved. A triangle that stands upright is a
 * segment: one that is no side of another projected triangle becomes a rectangle of the width `thickness`.
 *
 * What a mesh encloses is filled only where its triangles lie over it, as caps do. Cost: O(n log n) for n triangles, with the
 * crossings of their sides. Tested by footprint.test.ts.
 */

import { requireIndexedMesh } from '../geometry/require-mesh.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { requireNumber, requireOptions, requirePositiveNumber } from '../math/arguments.js';
import { hypot } from '../math/scalar.js';
import { buildArrangement } from '../plane/arrangement.js';
import { listSides, normalizeRings, orientRing, type PlanePoint, type Polygon } from '../plane/polygon.js';
import { traceRegion } from '../plane/region.js';

export interface FootprintOptions {
  /** Heights between which the mesh counts, both included; all of it unless said otherwise. */
  readonly low?: number;
  readonly high?: number;
  /** Width of upright triangles that bound no other one; 1e-6 of the footprint's extent unless said otherwise. */
  readonly thickness?: number;
}

export interface Footprint {
  readonly polygons: readonly Polygon[];
  /** Upright triangles that were given a width, and this width: 0 where none was. */
  readonly thickened: number;
  readonly thickness: number;
}

/** x and y of the mesh's frame; z is the height. */
export function projectMesh(mesh: TriangleMesh, options: FootprintOptions = {}): Footprint {
  requireIndexedMesh('projectMesh', 'mesh', mesh);
  requireOptions('projectMesh', options, { low: requireNumber, high: requireNumber, thickness: requirePositiveNumber });
  const { low = -Infinity, high = Infinity } = options;
  const { vertices, triangles } = mesh;
  const flat = new Map<string, Polygon>();
  const upright = new Map<string, readonly [PlanePoint, PlanePoint]>();
  const sides = new Set<string>();
  let extent = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [0, 1, 2].map((k) => triangles[t + k]);
    const heights = corners.map((v) => vertices[3 * v + 2]);
    if (Math.max(...heights) < low || Math.min(...heights) > high) continue;
    const points = corners.map((v): PlanePoint => [vertices[3 * v], vertices[3 * v + 1]]);
    for (const [x, y] of points) extent = Math.max(extent, Math.abs(x), Math.abs(y));
    if (orientRing(points) === 0) {
      const ends = farthestPair(points);
      if (ends !== null) upright.set(nameSide(...ends), ends);
      continue;
    }
    for (const [i, p] of points.entries()) sides.add(nameSide(p, points[(i + 1) % 3]));
    flat.set([...points].sort(comparePairs).join(';'), normalizeRings({ outer: points }));
  }
  const thickness = options.thickness ?? 1e-6 * extent;
  let thickened = 0;
  const parts = [...flat.values()];
  for (const [name, ends] of upright) {
    if (sides.has(name)) continue;
    thickened++;
    parts.push(thicken(...ends, thickness));
  }
  const arrangement = buildArrangement(parts.flatMap((part) => listSides(part, 0)));
  const { polygons, isRounded } = traceRegion(
    arrangement,
    () => false,
    (isInside) => isInside,
  );
  return { polygons: isRounded ? parts : polygons, thickened, thickness: thickened > 0 ? thickness : 0 };
}

function comparePairs(a: PlanePoint, b: PlanePoint): number {
  return a[0] - b[0] || a[1] - b[1];
}

function nameSide(a: PlanePoint, b: PlanePoint): string {
  return [a, b].sort(comparePairs).join(';');
}

function farthestPair(points: readonly PlanePoint[]): readonly [PlanePoint, PlanePoint] | null {
  const sorted = [...points].sort(comparePairs);
  return comparePairs(sorted[0], sorted[2]) === 0 ? null : [sorted[0], sorted[2]];
}

/** A segment as a rectangle that reaches half of the width beyond it on all sides. */
export function thicken(a: PlanePoint, b: PlanePoint, width: number): Polygon {
  const dx = b[0] - a[0];
  const dy = b[1] - a[1];
  const half = width / 2 / hypot(dx, dy);
  const [ux, uy] = [dx * half, dy * half];
  return {
    outer: [
      [a[0] - ux + uy, a[1] - uy - ux],
      [b[0] + ux + uy, b[1] + uy - ux],
      [b[0] + ux - uy, b[1] + uy + ux],
      [a[0] - ux - uy, a[1] - uy + ux],
    ],
  };
}
