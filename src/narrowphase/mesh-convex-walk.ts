/**
 * The nearest triangle of a mesh to a convex core by a walk outside the kernel: for cores that the kernel does not know, and for
 * trees of an earlier kernel. What mesh-convex.ts asks of the kernel otherwise, and the tests compare it with.
 *
 * Method: the triangles near the core's box, nearest boxes first, GJK for each, with the best distance so far as the bound.
 * Frames: the core's. Cost: 0.1 us per node, 0.5 us per triangle. Checked by test/contract/mesh-convex.test.ts.
 */
import type { MeshBvh } from '../bvh/mesh-bvh.js';
import { walkTriangles } from '../bvh/walk-triangles.js';
import { CORE_POINTS, SupportCore } from '../geometry/support.js';
import type { Transform } from '../math/transform.js';
import { measureCores } from './convex-pairs.js';
import { GAP } from './pair-result.js';
import { createDistanceResult, type DistanceResult } from './query.js';

const triangleCore = new SupportCore(CORE_POINTS, 0, 0, 0, 0, new Float64Array(9));
const trial = createDistanceResult();
let visited = 0;

/** Triangles measured since the module was loaded; queries report differences. */
export function countWalkedTriangles(): number {
  return visited;
}

/** `box`: bounds of the whole shape in the mesh's frame. Returns the triangle nearer than `bound`, -1 without one. */
export function searchByWalk(
  out: DistanceResult,
  core: SupportCore,
  bvh: MeshBvh,
  X_AB: Transform,
  box: Float64Array,
  limits: Readonly<{ bound: number; enough: number }>,
): number {
  const { vertices, triangles } = bvh.mesh;
  const { points } = triangleCore;
  let best = limits.bound;
  let bestTriangle = -1;
  walkTriangles(bvh, box, best, (triangle) => {
    visited++;
    for (let c = 0; c < 3; c++) {
      const v = 3 * triangles[3 * triangle + c];
      points[3 * c] = vertices[v];
      points[3 * c + 1] = vertices[v + 1];
      points[3 * c + 2] = vertices[v + 2];
    }
    measureCores(trial, core, triangleCore, X_AB, best, GAP);
    if (trial.distance >= best || trial.status === 'beyond-bound') return best;
    best = Math.max(trial.distance, 0);
    bestTriangle = triangle;
    if (best > 0) {
      out.pointA.set(trial.pointA);
      out.pointB.set(trial.pointB);
      out.normal.set(trial.normal);
      out.status = trial.status;
    }
    return best <= limits.enough ? -1 : best;
  });
  out.distance = best;
  return bestTriangle;
}
