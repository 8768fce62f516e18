/**
 * How far one collider must move along a direction until it no longer overlaps another: the first exit of a ray from the
 * union of all obstacles that pairs of parts make in translation space.
 *
 * Method: 1. every touching pair of convex cores is overlapping on one interval of the way, whose end a ray cast from
 * outside finds by supporting planes; 2. the intervals of all pairs that touch here hold this place, so the farthest end
 * among some of them is a safe step; balls, whose intervals have a closed form, are all taken; 3. a part of which a point is inside
 * a solid mesh overlaps it until that point meets the surface: a ray along u; 4. repeat until nothing touches.
 * Source: van den Bergen 2004, "Ray casting against general convex objects with application to continuous collision
 * detection" (the clipping by supporting planes); Je, Tang, Lee, Lee, Kim 2012, "PolyDepth: real-time penetration depth
 * computation using iterative contact-space projection", doi:10.1145/2077341.2077346 (out-projection).
 * Frames: A's frame; u a unit vector in it; B moves along u. Cost: one overlap query and up to MAX_ENDS ray casts a step.
 * Ends at `limit`, or after MAX_STEPS with Infinity. Checked by push-out.test.ts.
 */
import { castRayMesh } from '../bvh/cast-ray.js';
import { createRayHit } from '../bvh/cast-ray-hit.js';
import { createMeshDistance, distanceMeshMesh } from '../bvh/distance-mesh.js';
import { CORE_POINT, type SupportCore, supportCore } from '../geometry/support.js';
import { TOUCHING } from '../math/tolerance.js';
import { createTransform, inverseTransformPoint, type Transform, transformPoint } from '../math/transform.js';
import { copyVec3, negateVec3 } from '../math/vec3.js';
import { type Collider, MESH } from './collider.js';
import { isInsideMesh } from './containment.js';
import { measureCores } from './convex-pairs.js';
import { type CorePair, toCoreFrame, visitPartCores } from './core-pairs.js';
import { measureColliders } from './pair-matrix.js';
import { GAP, WITHIN } from './pair-result.js';
import { createDistanceResult } from './query.js';
import { type PartPair, traverseParts } from './traverse-parts.js';

/** Interval ends taken into account per step. */
const MAX_ENDS = 16;
const MAX_STEPS = 400;
const MAX_CLIPS = 40;
/** Of the scale: precision of an exit, and of one that only ranks directions. */
const FINE = 1e-13;
const COARSE = 1e-5;
/** Of the scale: free on a shorter stretch than this is no exit. */
const MARGIN = 2e-7;
/** Gaps too narrow to stay in, and places along a surface, that a way may lead through. */
const MAX_NARROW = 20;
/** Of the way: gaps below this may be rounding. */
const NOISE = 1e-9;
/** Of the scale: least step, against ends that rounding puts at 0. */
const LEAST = 4e-13;
/** Of the smaller shape's radius: least step inside a solid mesh; what is thinner may be stepped over. */
const LEAST_INSIDE = 1e-4;

const moved = createTransform();
const direction = new Float64Array(3);
const support = new Float64Array(3);
const X_Shifted = createTransform();
const trial = createDistanceResult();
const near = createMeshDistance();

/** Largest n . x over a - b, in core a's frame; radii included. */
function supportDifference(a: SupportCore, b: SupportCore, X: Transform, x: number, y: number, z: number): number {
  supportCore(support, a, x, y, z);
  let h = support[0] * x + support[1] * y + support[2] * z;
  supportCore(
    support,
    b,
    -(X[0] * x + X[3] * y + X[6] * z),
    -(X[1] * x + X[4] * y + X[7] * z),
    -(X[2] * x + X[5] * y + X[8] * z),
  );
  for (let k = 0; k < 3; k++) {
    const n = k === 0 ? x : k === 1 ? y : z;
    h -= n * (X[3 * k] * support[0] + X[3 * k + 1] * support[1] + X[3 * k + 2] * support[2] + X[9 + k]);
  }
  return h + a.radius + b.radius;
}

/**
 * Where core b, moving along u (unit, core a's frame), has just left core a, to `precision`; beyond rather than short.
 * 0 when they only touch in passing.
 */
export function exitCores(a: SupportCore, b: SupportCore, X_AB: Transform, u: Float64Array, precision: number): number {
  return clipToExit(a, b, X_AB, u, supportDifference(a, b, X_AB, u[0], u[1], u[2]), precision);
}

/** The same from a length s at which they are apart. */
function clipToExit(
  a: SupportCore,
  b: SupportCore,
  X_AB: Transform,
  u: Float64Array,
  start: number,
  precision: number,
): number {
  let s = start;
  let previous = Infinity;
  for (let i = 0; i < 9; i++) X_Shifted[i] = X_AB[i];
  for (let clip = 0; clip < MAX_CLIPS && s > 0; clip++) {
    for (let k = 0; k < 3; k++) X_Shifted[9 + k] = X_AB[9 + k] + s * u[k];
    measureCores(trial, a, b, X_Shifted, Infinity, GAP);
    const gap = trial.distance;
    // Overlapping by rounding, or no nearer than before: as close as the distance resolves.
    if (gap <= 0 || (gap < NOISE * s && gap > 0.5 * previous)) break;
    const { normal } = trial;
    const along = normal[0] * u[0] + normal[1] * u[1] + normal[2] * u[2];
    if (along <= 0) return 0;
    const back = gap / along;
    s -= back;
    previous = gap;
    if (back <= precision) break;
  }
  return Math.max(s, 0);
}

let farthest = 0;
let ends = 0;
let scale = 1;
let precision = FINE;
let leastInside = 0;
let isInside = false;
let direct: ArrayLike<number> = direction;

/** Where ball b, moving along u, leaves ball a: the far end of the chord. 0 when it passes by. */
function exitBalls(a: SupportCore, b: SupportCore, X: Transform, u: Float64Array): number {
  const along = -(X[9] * u[0] + X[10] * u[1] + X[11] * u[2]);
  const [x, y, z] = [X[9] + along * u[0], X[10] + along * u[1], X[11] + along * u[2]];
  const r = a.radius + b.radius;
  const half = r * r - x * x - y * y - z * z;
  return half > 0 ? Math.max(along + Math.sqrt(half), 0) : 0;
}

function visitCores(pair: CorePair): boolean {
  if (pair.coreA.kind === CORE_POINT && pair.coreB.kind === CORE_POINT) {
    const { coreA, coreB, X_AB } = pair;
    const reach = coreA.radius + coreB.radius;
    if (X_AB[9] * X_AB[9] + X_AB[10] * X_AB[10] + X_AB[11] * X_AB[11] > reach * reach) return true;
    toCoreFrame(direction, pair.X_WholeA, direct);
    farthest = Math.max(farthest, LEAST * scale, exitBalls(coreA, coreB, X_AB, direction));
    return true;
  }
  measureCores(trial, pair.coreA, pair.coreB, pair.X_AB, 0, WITHIN);
  if (trial.status === 'beyond-bound' || trial.distance > 0) return true;
  toCoreFrame(direction, pair.X_WholeA, direct);
  farthest = Math.max(farthest, LEAST * scale);
  const { coreA, coreB, X_AB } = pair;
  const most = supportDifference(coreA, coreB, X_AB, direction[0], direction[1], direction[2]);
  if (most > farthest) farthest = Math.max(farthest, clipToExit(coreA, coreB, X_AB, direction, most, precision));
  return ++ends < MAX_ENDS;
}

/** Step of a part that lies inside a solid mesh, or holds it, without touching its surface; 0 when it does not. */
function stepInside({ a, b, X_AB }: PartPair): number {
  if (!(a.type === MESH && a.isSolid) && !(b.type === MESH && b.isSolid)) return 0;
  measureColliders(trial, a, b, X_AB, 0, GAP);
  if (trial.status === 'beyond-bound' || trial.distance > 0) return 0;
  if (!a.bvh || !b.bvh) return leastInside;
  distanceMeshMesh(near, a.bvh, b.bvh, X_AB);
  return Math.max(leastInside, near.distance);
}

const hit = createRayHit();
const origin = new Float64Array(3);
const way = new Float64Array(3);

/** How far a point of the part goes along u inside the solid mesh; 0 when it is not inside. `holder` is part a, or part b. */
function stepOfPoint({ X_AB, X_WholeA }: PartPair, holder: Collider, point: ArrayLike<number>, isA: boolean): number {
  if (!holder.bvh) return 0;
  toCoreFrame(direction, X_WholeA, direct);
  if (isA) {
    transformPoint(origin, X_AB, point);
    copyVec3(way, direction);
  } else {
    inverseTransformPoint(origin, X_AB, point);
    negateVec3(way, toCoreFrame(way, X_AB, direction));
  }
  if (!isInsideMesh(holder.bvh, holder.isOriented, origin[0], origin[1], origin[2])) return 0;
  const { t } = castRayMesh(hit, holder.bvh, origin, way);
  return t < Infinity ? t : 0;
}

/** The same for a convex part, whose surface need not be looked at as long as this is a step. */
function stepOfCentre(part: PartPair): number {
  const { a, b } = part;
  if (a.type === MESH && a.isSolid && b.hasCore) return stepOfPoint(part, a, b.core.center, true);
  if (b.type === MESH && b.isSolid && a.hasCore) return stepOfPoint(part, b, a.core.center, false);
  return 0;
}

function visitPart(part: PartPair): number {
  const through = stepOfCentre(part);
  if (through > leastInside) {
    isInside = true;
    farthest = Math.max(farthest, through);
    return ++ends >= MAX_ENDS ? -Infinity : 0;
  }
  const before = ends;
  if (!visitPartCores(part, 0, MAX_ENDS, visitCores)) return -Infinity;
  if (ends === before) {
    const step = stepInside(part);
    if (step > 0) {
      isInside = true;
      farthest = Math.max(farthest, step);
      if (++ends >= MAX_ENDS) return -Infinity;
    }
  }
  return 0;
}

function shift(X_AB: Transform, u: ArrayLike<number>, s: number): void {
  for (let i = 0; i < 9; i++) moved[i] = X_AB[i];
  for (let k = 0; k < 3; k++) moved[9 + k] = X_AB[9 + k] + s * u[k];
}

/** A step along u from s during which B certainly overlaps A; 0 when it does not overlap. */
function stepFrom(a: Collider, b: Collider, X_AB: Transform, u: ArrayLike<number>, s: number): number {
  shift(X_AB, u, s);
  farthest = 0;
  ends = 0;
  isInside = false;
  direct = u;
  traverseParts(a, b, moved, 0, visitPart);
  return farthest;
}

/** Whether B moved by s u overlaps A, or comes within `tolerance` of it. */
export function overlapsAt(
  a: Collider,
  b: Collider,
  X_AB: Transform,
  u: ArrayLike<number>,
  s: number,
  tolerance = 0,
): boolean {
  shift(X_AB, u, s);
  let touching = false;
  traverseParts(a, b, moved, tolerance, (part) => {
    touching = isTouching(part, tolerance);
    return touching ? -Infinity : tolerance;
  });
  return touching;
}

function isTouching({ a, b, X_AB }: PartPair, tolerance: number): boolean {
  measureColliders(trial, a, b, X_AB, tolerance, WITHIN);
  return trial.status !== 'beyond-bound' && trial.distance <= tolerance;
}

export interface ExitRange {
  readonly from: number;
  readonly limit: number;
  /** The exit to five digits of the extents only. */
  readonly coarse?: boolean;
}

/**
 * Free just beyond s too, by more than counts as touching: s may lie in a gap too narrow to stay in, or u may lead along a
 * surface that B rests on.
 */
export function staysFree(a: Collider, b: Collider, X_AB: Transform, u: ArrayLike<number>, s: number): boolean {
  const size = a.extent + b.extent;
  return !overlapsAt(a, b, X_AB, u, s + MARGIN * size, TOUCHING * size);
}

/** Smallest s in [from, limit) at which B moved by s u is apart from A; Infinity when there is none. */
export function findExit(a: Collider, b: Collider, X_AB: Transform, u: ArrayLike<number>, range: ExitRange): number {
  scale = a.extent + b.extent;
  precision = (range.coarse ? COARSE : FINE) * scale;
  leastInside = LEAST_INSIDE * Math.min(a.boundingRadius, b.boundingRadius);
  let s = range.from;
  let stalled = 1;
  let narrow = 0;
  for (let i = 0; i < MAX_STEPS && s < range.limit; i++) {
    const step = stepFrom(a, b, X_AB, u, s);
    if (step === 0) {
      if (staysFree(a, b, X_AB, u, s)) return s;
      if (++narrow > MAX_NARROW) return Infinity;
      s += MARGIN * scale;
      continue;
    }
    const byInside = isInside;
    stalled = step <= 2 * LEAST * scale ? 2 * stalled : 1;
    const next = s + Math.max(step, stalled * LEAST * scale);
    // A step inside may end on the surface, where rounding decides for a moment that nothing overlaps.
    if (byInside && !overlapsAt(a, b, X_AB, u, next) && staysFree(a, b, X_AB, u, next))
      return bisectExit(a, b, X_AB, u, s, next);
    s = next;
  }
  return Infinity;
}

/** An exit between a place where B overlaps A and one where it is apart. */
export function bisectExit(
  a: Collider,
  b: Collider,
  X_AB: Transform,
  u: ArrayLike<number>,
  inside: number,
  outside: number,
): number {
  for (let i = 0; i < 60; i++) {
    const middle = 0.5 * (inside + outside);
    if (overlapsAt(a, b, X_AB, u, middle)) inside = middle;
    else outside = middle;
  }
  return outside;
}
