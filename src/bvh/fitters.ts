/**
 * The fitters of the text by name: where a set of triangles is split, and along which axes its box lies. The kernel
 * computes them (assembly/mesh/statistics.ts); the convex hull of RAPID2_FIT's optional step is built here, on its request.
 *
 * Source: Li, Shellshear, Bohlin, Carlson 2020, "Construction of bounding volume hierarchies for triangle meshes with
 *   mixed face sizes", sections II to IV.
 * Tests: fitters.test.ts.
 */
import { buildConvexHull } from '../geometry/hull.js';
import type { Kernel } from '../kernel/kernel.js';
import { FIT_INERTIA, FIT_PQP, FIT_RAPID2, FIT_RAPID2_HULL } from '../kernel/layout.js';

export type Fitter = 'PQP_FIT' | 'RAPID2_FIT' | 'INERTIA_FIT';

/** Code as trees store it. */
export function fitterCode(fitter: Fitter, hull: boolean): number {
  if (fitter === 'RAPID2_FIT') return hull ? FIT_RAPID2_HULL : FIT_RAPID2;
  return fitter === 'PQP_FIT' ? FIT_PQP : FIT_INERTIA;
}

/**
 * Writes the hull faces of the triangles order[first .. first + count), 9 numbers each, to `faces` (addresses in the
 * kernel); returns their number, 0 when the corners span no face.
 */
export function writeHull(
  kernel: Kernel,
  corners: number,
  order: number,
  first: number,
  count: number,
  faces: number,
): number {
  const { f64, u32 } = kernel;
  const points = new Float64Array(9 * count);
  for (let i = 0; i < count; i++) {
    const at = corners / 8 + 9 * u32[order / 4 + first + i];
    points.set(f64.subarray(at, at + 9), 9 * i);
  }
  const { vertices, triangles } = buildConvexHull(points);
  for (let i = 0; i < triangles.length; i++) {
    for (let k = 0; k < 3; k++) f64[faces / 8 + 3 * i + k] = vertices[3 * triangles[i] + k];
  }
  return triangles.length / 3;
}
