/** The distances of a convex shape to every triangle of a mesh, by the query of two convex shapes: no tree, no closed form. */
import { CORE_POINTS, SupportCore } from '../../src/geometry/support.js';
import type { Transform } from '../../src/math/transform.js';
import type { Collider } from '../../src/narrowphase/collider.js';
import { measureCores } from '../../src/narrowphase/convex-pairs.js';
import { loadTriangleCore } from '../../src/narrowphase/core-pairs.js';
import { GAP } from '../../src/narrowphase/pair-result.js';
import { createDistanceResult } from '../../src/narrowphase/query.js';

export interface AllTriangles {
  /** 0 where the triangle is crossed. */
  readonly distances: number[];
  /** Some answer was only a lower bound. */
  readonly isLimited: boolean;
}

const triangle = new SupportCore(CORE_POINTS, 0, 0, 0, 0, new Float64Array(9));
const trial = createDistanceResult();

export function nearestByAllTriangles(shape: Collider, mesh: Collider, X_AB: Transform): AllTriangles {
  const distances: number[] = [];
  let isLimited = false;
  const count = mesh.bvh?.triangleCount ?? 0;
  for (let i = 0; i < count; i++) {
    loadTriangleCore(triangle, mesh, i);
    measureCores(trial, shape.core, triangle, X_AB, Infinity, GAP);
    if (trial.status === 'iteration-limit') isLimited = true;
    distances.push(Math.max(trial.distance, 0));
  }
  return { distances, isLimited };
}
