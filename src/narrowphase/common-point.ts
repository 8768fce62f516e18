/**
 * A point that two overlapping shapes of parts have in common, where a surface takes part and no depth exists.
 *
 * Method: 1. the first pair of cores that touch (convex parts, triangles of meshes): a point of both; 2. a part
 * wholly inside a solid mesh has none: a point of that part.
 * Frames: A's frame. Writes points (both the same), normal, features and children. The normal separates that pair of cores;
 * of a part inside a mesh it leads out of the hulls of the two. Cost: a walk that ends at the first overlap.
 * Fails (returns false): nothing overlaps. Checked by test/contract/nested-parts.test.ts.
 */
import { CORE_POINTS, type SupportCore } from '../geometry/support.js';
import { TOUCHING } from '../math/tolerance.js';
import { createTransform, invertTransform, type Transform } from '../math/transform.js';
import { type Collider, MESH } from './collider.js';
import { isInsideMesh } from './containment.js';
import { findCommonPoint, measureCores } from './convex-pairs.js';
import { type CorePair, visitPartCores } from './core-pairs.js';
import { turnResult } from './pair-matrix.js';
import { SIGNED, setNormal } from './pair-result.js';
import { createDistanceResult, type DistanceResult } from './query.js';
import { type PartPair, traverseParts } from './traverse-parts.js';

const MAX_PAIRS = 16;

const trial = createDistanceResult();
const common = new Float64Array(3);
const X_Inverse = createTransform();
let target: DistanceResult = trial;
/** Distance of the best pair of cores so far; the walk ends at 0. */
let nearest = Infinity;
let touching = 0;

/** The point in `common` and the normal of `trial`, both in the frame of core or part a. */
function takePoint(from: CorePair | PartPair): void {
  target.childA = from.childA;
  target.childB = from.childB;
  target.featureA = from.featureA;
  target.featureB = from.featureB;
  const { normal } = trial;
  for (let k = 0; k < 3; k++) {
    target.pointA[k] = common[k];
    target.pointB[k] = common[k];
    target.normal[k] = normal[k];
  }
  if (normal[0] === 0 && normal[1] === 0 && normal[2] === 0) setNormal(target, 0, 0, 1);
  turnResult(target, from.X_WholeA);
}

function visitCores(cores: CorePair): boolean {
  const { coreA, coreB, X_AB } = cores;
  measureCores(trial, coreA, coreB, X_AB, touching, SIGNED);
  if (trial.status === 'beyond-bound' || trial.distance >= nearest) return true;
  if (!findCommonPoint(common, coreA, coreB, X_AB, touching)) return true;
  nearest = trial.distance;
  takePoint(cores);
  return nearest > 0;
}

/** A point of the inner part, in the outer mesh's frame, that lies inside that mesh; false when there is none. */
function findHeld(out: Float64Array, outer: Collider, inner: Collider, X_OuterInner: Transform): boolean {
  if (outer.type !== MESH || !outer.isSolid || !outer.bvh) return false;
  const points = inner.type === MESH ? inner.representatives : firstPoint(inner.core);
  for (let i = 0; i < points.length; i += 3) {
    for (let k = 0; k < 3; k++)
      out[k] =
        X_OuterInner[3 * k] * points[i] +
        X_OuterInner[3 * k + 1] * points[i + 1] +
        X_OuterInner[3 * k + 2] * points[i + 2] +
        X_OuterInner[9 + k];
    if (isInsideMesh(outer.bvh, outer.isOriented, out[0], out[1], out[2])) return true;
  }
  return false;
}

function firstPoint({ kind, points, center }: SupportCore): Float64Array {
  return kind === CORE_POINTS ? points.subarray(0, 3) : center;
}

function visitPart(part: PartPair): number {
  const { a, b, X_AB } = part;
  if (!visitPartCores(part, touching, MAX_PAIRS, visitCores)) return -Infinity;
  if (nearest < Infinity) return touching;
  let isHeld = findHeld(common, a, b, X_AB);
  if (!isHeld && b.type === MESH && b.isSolid) {
    isHeld = findHeld(common, b, a, invertTransform(X_Inverse, X_AB));
    if (isHeld) {
      const [x, y, z] = common;
      for (let k = 0; k < 3; k++) common[k] = X_AB[3 * k] * x + X_AB[3 * k + 1] * y + X_AB[3 * k + 2] * z + X_AB[9 + k];
    }
  }
  if (!isHeld) return touching;
  measureCores(trial, a.outerCore, b.outerCore, X_AB, Infinity, SIGNED);
  nearest = 0;
  takePoint(part);
  return -Infinity;
}

/** Writes points, normal, features and children of an overlap; status and distance are the caller's. */
export function writeCommonPoint(out: DistanceResult, a: Collider, b: Collider, X_AB: Transform): boolean {
  target = out;
  nearest = Infinity;
  touching = TOUCHING * (a.extent + b.extent);
  traverseParts(a, b, X_AB, touching, visitPart);
  return nearest < Infinity;
}
