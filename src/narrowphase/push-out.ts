/**
 * Depth of an overlap in which a shape is not convex: a translation of B that separates it from A, as short as the search
 * finds, and a proof where it is the shortest.
 *
 * Method: 1. the convex outer shapes give a first push-out that separates in any case; 2. candidate directions, in this
 * order: that one, the normals of overlapping convex parts (deepest first), the mean normal of what touches, and DIRECTIONS
 * spread over the sphere; each is walked to its exit (directional-depth.ts), meshes only when free at a fraction of the best
 * push-out; 3. promising exits are refined by contact-space projection: the planes of all contacts where B has just left A
 * are solved for the point nearest to the start, which gives the next direction; rings about the best end the search; 4. no translation shorter than the deepest
 * pair of convex parts can separate, so when that is reached the depth is exact.
 * Source: Je, Tang, Lee, Lee, Kim 2012, "PolyDepth: real-time penetration depth computation using iterative contact-space
 * projection", doi:10.1145/2077341.2077346; Hildreth 1957, "A quadratic programming procedure", doi:10.1002/nav.3800040113
 * (the projection onto the planes).
 * Frames: A's frame. The depth of a non-convex pair is an upper bound of the least translation: the search is local about
 * its candidates. Cost: some 50 overlap queries when shallow, 200 to 500 when deep; deterministic.
 * Checked by push-out.test.ts (against sampled directions) and test/contract/part-shapes.test.ts.
 */
import { createTransform, invertTransform, type Transform } from '../math/transform.js';
import { type Collider, MESH } from './collider.js';
import { measureCores } from './convex-pairs.js';
import { type CorePair, visitCorePairs } from './core-pairs.js';
import { bisectExit, findExit, overlapsAt, staysFree } from './directional-depth.js';
import { turnResult } from './pair-matrix.js';
import { SIGNED, swapResult } from './pair-result.js';
import { createDistanceResult, type DistanceResult } from './query.js';

/** Directions spread over the sphere. */
const DIRECTIONS = 200;
/** Of the best push-out: where a candidate is tried before its exit is sought. */
const FRACTIONS = [0.96, 0.8, 0.55, 0.3] as const;
const MAX_PROJECTIONS = 24;
const MAX_PLANES = 48;
/** Sweeps of the projection onto the planes. */
const SWEEPS = 80;
/** Of the scale: how far outside the contacts of an exit are measured. */
const OUTSIDE = 1e-7;
/** Relative gain below which a direction is no improvement. */
const GAIN = 1e-6;
/** Relative difference to the lower bound below which the depth is proven. */
const PROVEN = 1e-9;
/** Relative overshoot of an exit that is not corrected. */
const TIGHT = 1e-9;
const MAX_NORMALS = 24;
/** Of the best: directions with exits up to here are refined. */
const REFINED = 1.5;
const MAX_REFINED = 12;
/** Rings: angles in radians (tangents), halved from the first to the last. */
const FIRST_RING = 0.32;
const LAST_RING = 0.03;
const MAX_RINGS = 12;
/** Of the best: where a direction of a ring must be free to be walked. */
const NEAR_BEST = 0.985;
/** Cosine and sine of eighths of a turn. */
const EIGHTH = Math.SQRT1_2;
const RING = [1, 0, EIGHTH, EIGHTH, 0, 1, -EIGHTH, EIGHTH, -1, 0, -EIGHTH, -EIGHTH, 0, -1, EIGHTH, -EIGHTH] as const;
/** Cosine within which directions of the spiral count as neighbours. */
const NEIGHBOUR = 0.96;

/** Unit vectors on a spiral with equal steps in z, the golden angle apart. */
const spiral = createSpiral(DIRECTIONS);

const trial = createDistanceResult();
const moved = createTransform();
const X_Exchanged = createTransform();
const u = new Float64Array(3);
const candidate = new Float64Array(3);
const direct = new Float64Array(3);
const local = new Float64Array(3);
const goal = new Float64Array(3);
const across = new Float64Array(3);
const t = new Float64Array(3);
const exits = new Float64Array(DIRECTIONS);
const bestDirection = new Float64Array(3);
const mean = new Float64Array(3);
/** Depth and normal (A's frame) of overlapping convex parts. */
const normals = new Float64Array(4 * MAX_NORMALS);
let normalCount = 0;
let lowerBound = 0;
/** Planes n . t >= c where B is about to touch: n, c. */
const planes = new Float64Array(4 * MAX_PLANES);
const multipliers = new Float64Array(MAX_PLANES);
let planeCount = 0;
let best = Infinity;
const overlapLimit = { tolerance: 0, maxPairs: 64 };
const contactLimit = { tolerance: 0, maxPairs: 64 };

/** One overlap that is searched for its push-out. */
interface Search {
  readonly a: Collider;
  readonly b: Collider;
  readonly X_AB: Transform;
}

function createSpiral(count: number): Float64Array {
  // cos and sin of the golden angle, turned by products: the same bits everywhere.
  const c = -0.7373688780783197;
  const s = 0.6754902942615238;
  const out = new Float64Array(3 * count);
  let x = 1;
  let y = 0;
  for (let i = 0; i < count; i++) {
    const z = 1 - (2 * i + 1) / count;
    const r = Math.sqrt(1 - z * z);
    out[3 * i] = r * x;
    out[3 * i + 1] = r * y;
    out[3 * i + 2] = z;
    const turned = c * x - s * y;
    y = s * x + c * y;
    x = turned;
  }
  return out;
}

function normalize(v: Float64Array): boolean {
  const norm = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  if (!(norm > 0)) return false;
  for (let k = 0; k < 3; k++) v[k] /= norm;
  return true;
}

/** Vector v of a part's frame in A's. */
function toWhole(out: Float64Array, X_WholeA: Transform, v: Float64Array): void {
  for (let k = 0; k < 3; k++) out[k] = X_WholeA[3 * k] * v[0] + X_WholeA[3 * k + 1] * v[1] + X_WholeA[3 * k + 2] * v[2];
}

/** Both cores are whole convex parts, not triangles of meshes: their depth bounds the depth of all from below. */
let provesDepth = true;

function visitOverlap(pair: CorePair): boolean {
  measureCores(trial, pair.coreA, pair.coreB, pair.X_AB, 0, SIGNED);
  if (trial.status === 'beyond-bound' || trial.distance > 0) return true;
  toWhole(candidate, pair.X_WholeA, trial.normal);
  const depth = -trial.distance;
  for (let k = 0; k < 3; k++) mean[k] += candidate[k];
  if (provesDepth) lowerBound = Math.max(lowerBound, depth);
  let at = normalCount;
  if (at === MAX_NORMALS) {
    at = 0;
    for (let i = 1; i < MAX_NORMALS; i++) if (normals[4 * i] < normals[4 * at]) at = i;
    if (normals[4 * at] >= depth) return true;
  } else normalCount++;
  normals[4 * at] = depth;
  for (let k = 0; k < 3; k++) normals[4 * at + 1 + k] = candidate[k];
  return true;
}

function gatherOverlap(a: Collider, b: Collider, X_AB: Transform): void {
  normalCount = 0;
  lowerBound = 0;
  mean.fill(0);
  provesDepth = a.type !== MESH && b.type !== MESH && !holdsMesh(a) && !holdsMesh(b);
  visitCorePairs(a, b, X_AB, overlapLimit, visitOverlap);
}

function holdsMesh({ shape }: Collider): boolean {
  return shape.type === 'compound';
}

function visitContact(pair: CorePair): boolean {
  measureCores(trial, pair.coreA, pair.coreB, pair.X_AB, contactLimit.tolerance, SIGNED);
  if (trial.status === 'beyond-bound' || !(trial.distance > 0)) return true;
  toWhole(candidate, pair.X_WholeA, trial.normal);
  const at = 4 * planeCount++;
  for (let k = 0; k < 3; k++) planes[at + k] = candidate[k];
  planes[at + 3] = -trial.distance;
  return planeCount < MAX_PLANES;
}

/** Planes of the contacts of B at t (A's frame), as bounds on the translation. */
function gatherPlanes(a: Collider, b: Collider, X_AB: Transform, t: Float64Array, tolerance: number): void {
  for (let i = 0; i < 9; i++) moved[i] = X_AB[i];
  for (let k = 0; k < 3; k++) moved[9 + k] = X_AB[9 + k] + t[k];
  planeCount = 0;
  contactLimit.tolerance = tolerance;
  visitCorePairs(a, b, moved, contactLimit, visitContact);
  for (let i = 0; i < planeCount; i++) for (let k = 0; k < 3; k++) planes[4 * i + 3] += planes[4 * i + k] * t[k];
}

/** The shortest vector on the outer side of all planes (Hildreth's sweeps), into `candidate`. */
function projectOrigin(): void {
  multipliers.fill(0);
  candidate.fill(0);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let change = 0;
    for (let i = 0; i < planeCount; i++) {
      const at = 4 * i;
      const short =
        planes[at + 3] - planes[at] * candidate[0] - planes[at + 1] * candidate[1] - planes[at + 2] * candidate[2];
      const next = Math.max(0, multipliers[i] + short);
      const by = next - multipliers[i];
      if (by === 0) continue;
      multipliers[i] = next;
      for (let k = 0; k < 3; k++) candidate[k] += by * planes[at + k];
      change = Math.max(change, Math.abs(by));
    }
    if (change <= 1e-13 * best) break;
  }
}

/** Length at which B leaves A along v, below `limit`, else Infinity. `from`: where it is expected, to save the way there. */
function findLength(s: Search, v: ArrayLike<number>, from: number, limit: number): number {
  const { a, b, X_AB } = s;
  const length = findExit(a, b, X_AB, v, { from, limit });
  // Free at once: the exit lies before.
  if (length !== from || from === 0) return length;
  return Math.min(length, findExit(a, b, X_AB, v, { from: 0, limit: from }));
}

/** Keeps v when it is the best. */
function keepBest(v: ArrayLike<number>, length: number): void {
  if (!(length < best * (1 - GAIN))) return;
  best = length;
  for (let k = 0; k < 3; k++) bestDirection[k] = v[k];
}

/** Contact-space projection from an exit along `v`, which is changed, until it gains no more. */
function descend(s: Search, v: Float64Array, start: number): void {
  const { a, b, X_AB } = s;
  const outside = OUTSIDE * (a.extent + b.extent);
  let length = start;
  for (let round = 0; round < MAX_PROJECTIONS && !isProven(); round++) {
    keepBest(v, length);
    for (let k = 0; k < 3; k++) t[k] = (length + outside) * v[k];
    gatherPlanes(a, b, X_AB, t, 4 * outside);
    if (planeCount === 0) return;
    projectOrigin();
    const aim = Math.sqrt(candidate[0] ** 2 + candidate[1] ** 2 + candidate[2] ** 2);
    if (!(aim > 0)) return;
    for (let k = 0; k < 3; k++) goal[k] = candidate[k] / aim;
    let shorter = Infinity;
    // The linear model may reach too far: half and quarter of the turn are tried after it.
    for (let share = 1; share > 0.2 && shorter === Infinity; share *= 0.5) {
      for (let k = 0; k < 3; k++) u[k] = share * goal[k] + (1 - share) * v[k];
      if (!normalize(u)) break;
      shorter = findLength(s, u, share === 1 ? Math.min(aim, length) * (1 - 1e-9) : 0, length * (1 - GAIN));
    }
    if (shorter === Infinity) return;
    length = shorter;
    for (let k = 0; k < 3; k++) v[k] = u[k];
  }
  keepBest(v, length);
}

function isProven(): boolean {
  return lowerBound > 0 && best <= lowerBound * (1 + PROVEN);
}

/** The push-out of the convex outer shapes. */
function startFromOuter({ a, b, X_AB }: Search): void {
  measureCores(trial, a.outerCore, b.outerCore, X_AB, Infinity, SIGNED);
  best = Math.max(-trial.distance, 0);
  for (let k = 0; k < 3; k++) bestDirection[k] = trial.normal[k];
}

/** Exit along v from `from`, refined when it is not much longer than the best. */
function tryDirection(s: Search, v: ArrayLike<number>, from: number): void {
  const length = findLength(s, v, from, REFINED * best);
  if (length === Infinity) return;
  for (let k = 0; k < 3; k++) local[k] = v[k];
  descend(s, local, length);
}

/** Moves the deepest of the overlapping parts from `taken` on to that place. */
function selectDeepest(taken: number): void {
  let deepest = taken;
  for (let i = taken + 1; i < normalCount; i++) if (normals[4 * i] > normals[4 * deepest]) deepest = i;
  for (let k = 0; k < 4; k++) {
    const x = normals[4 * taken + k];
    normals[4 * taken + k] = normals[4 * deepest + k];
    normals[4 * deepest + k] = x;
  }
}

/** All directions of the spiral to their exits; the best few are refined. */
function searchThoroughly(s: Search): void {
  for (let i = 0; i < DIRECTIONS; i++) {
    for (let k = 0; k < 3; k++) direct[k] = spiral[3 * i + k];
    exits[i] = findExit(s.a, s.b, s.X_AB, direct, { from: 0, limit: REFINED * best, coarse: true });
  }
  for (let n = 0; n < MAX_REFINED && !isProven(); n++) {
    let first = 0;
    for (let i = 1; i < DIRECTIONS; i++) if (exits[i] < exits[first]) first = i;
    if (exits[first] === Infinity) return;
    for (let k = 0; k < 3; k++) local[k] = spiral[3 * first + k];
    descend(s, local, findLength(s, local, 0, Infinity));
    // Its neighbours lead to the same place.
    for (let i = 0; i < DIRECTIONS; i++) {
      let cosine = 0;
      for (let k = 0; k < 3; k++) cosine += spiral[3 * i + k] * spiral[3 * first + k];
      if (cosine > NEIGHBOUR) exits[i] = Infinity;
    }
  }
}

/** Directions of the spiral that are free at fractions of the best push-out. */
function searchFractions(s: Search): void {
  const { a, b, X_AB } = s;
  for (let i = 0; i < DIRECTIONS && !isProven(); i++) {
    for (let k = 0; k < 3; k++) direct[k] = spiral[3 * i + k];
    for (const fraction of FRACTIONS) {
      if (overlapsAt(a, b, X_AB, direct, fraction * best)) continue;
      tryDirection(s, direct, 0);
      break;
    }
  }
}

/** Pattern search: rings of directions about the best, tried just short of it; narrower where none is free there. */
function searchRings(s: Search): void {
  const { a, b, X_AB } = s;
  let rounds = MAX_RINGS;
  for (let angle = FIRST_RING; angle > LAST_RING && rounds > 0 && !isProven(); ) {
    rounds--;
    const [x, y, z] = bestDirection;
    // Two directions across: the axis that the best leans on least, made orthogonal.
    const k = Math.abs(x) <= Math.abs(y) && Math.abs(x) <= Math.abs(z) ? 0 : Math.abs(y) <= Math.abs(z) ? 1 : 2;
    across.fill(0);
    across[k] = 1;
    for (let i = 0; i < 3; i++) across[i] -= bestDirection[k] * bestDirection[i];
    normalize(across);
    const before = best;
    for (let i = 0; i < RING.length; i += 2) {
      const [c, d] = [angle * RING[i], angle * RING[i + 1]];
      direct[0] = x + c * across[0] + d * (y * across[2] - z * across[1]);
      direct[1] = y + c * across[1] + d * (z * across[0] - x * across[2]);
      direct[2] = z + c * across[2] + d * (x * across[1] - y * across[0]);
      normalize(direct);
      if (!overlapsAt(a, b, X_AB, direct, NEAR_BEST * best)) tryDirection(s, direct, 0);
    }
    if (best > before * (1 - GAIN)) angle *= 0.5;
  }
}

function search(s: Search): void {
  gatherOverlap(s.a, s.b, s.X_AB);
  startFromOuter(s);
  for (let k = 0; k < 3; k++) direct[k] = bestDirection[k];
  tryDirection(s, direct, 0);
  // Deepest first: its normal is optimal when nothing else is in the way.
  for (let taken = 0; taken < normalCount && !isProven(); taken++) {
    selectDeepest(taken);
    for (let k = 0; k < 3; k++) direct[k] = normals[4 * taken + 1 + k];
    tryDirection(s, direct, taken === 0 ? normals[0] : 0);
  }
  for (let k = 0; k < 3; k++) direct[k] = mean[k];
  if (!isProven() && normalize(direct)) tryDirection(s, direct, 0);
  if (isProven()) return;
  if (s.a.type === MESH || s.b.type === MESH) searchFractions(s);
  else searchThoroughly(s);
  searchRings(s);
}

/** An exit that is free a little earlier too was overshot: the place where the overlap ends is found by halving. */
function tighten({ a, b, X_AB }: Search): void {
  if (overlapsAt(a, b, X_AB, bestDirection, best * (1 - TIGHT))) return;
  const earlier = bisectExit(a, b, X_AB, bestDirection, 0, best);
  if (staysFree(a, b, X_AB, bestDirection, earlier)) best = earlier;
}

/** The contact where B, pushed out, touches A: pointA there, pointB where that point of B is now. */
function writePoints(out: DistanceResult, { a, b, X_AB }: Search): void {
  const outside = OUTSIDE * (a.extent + b.extent);
  for (let i = 0; i < 9; i++) moved[i] = X_AB[i];
  for (let k = 0; k < 3; k++) moved[9 + k] = X_AB[9 + k] + (best + outside) * bestDirection[k];
  let nearest = Infinity;
  contactLimit.tolerance = 4 * outside;
  visitCorePairs(a, b, moved, contactLimit, (pair) => {
    measureCores(trial, pair.coreA, pair.coreB, pair.X_AB, contactLimit.tolerance, SIGNED);
    if (trial.status === 'beyond-bound' || trial.distance >= nearest) return true;
    nearest = trial.distance;
    const { X_WholeA } = pair;
    toWhole(out.pointA, X_WholeA, trial.pointA);
    for (let k = 0; k < 3; k++) out.pointA[k] += X_WholeA[9 + k];
    out.featureA = pair.featureA;
    out.featureB = pair.featureB;
    out.childA = pair.childA;
    out.childB = pair.childB;
    return true;
  });
  if (nearest === Infinity) {
    measureCores(trial, a.outerCore, b.outerCore, X_AB, Infinity, SIGNED);
    for (let k = 0; k < 3; k++) out.pointA[k] = trial.pointA[k];
  }
  for (let k = 0; k < 3; k++) {
    out.normal[k] = bestDirection[k];
    out.pointB[k] = out.pointA[k] - best * bestDirection[k];
  }
}

/** One order for a pair, so that exchanging the operands changes nothing. */
function comesAfter(a: Collider, b: Collider): boolean {
  if (a.type !== b.type) return a.type > b.type;
  if (a.boundingRadius !== b.boundingRadius) return a.boundingRadius > b.boundingRadius;
  for (let k = 0; k < 6; k++) if (a.localBounds[k] !== b.localBounds[k]) return a.localBounds[k] > b.localBounds[k];
  return (a.group?.hierarchy.order.length ?? 0) > (b.group?.hierarchy.order.length ?? 0);
}

/**
 * Writes status, distance (minus the push-out's length), points, normal and features of an overlap. Returns false, with
 * nothing written, when a surface takes part, which has no depth.
 */
export function writePushOut(out: DistanceResult, a: Collider, b: Collider, X_AB: Transform): boolean {
  if (!a.isSolid || !b.isSolid) return false;
  const exchanged = comesAfter(a, b);
  const task = exchanged ? { a: b, b: a, X_AB: invertTransform(X_Exchanged, X_AB) } : { a, b, X_AB };
  search(task);
  if (!isProven()) tighten(task);
  out.distance = -best;
  out.status = isProven() ? 'ok' : 'depth-bound';
  writePoints(out, task);
  if (exchanged) {
    swapResult(out);
    turnResult(out, X_AB);
  }
  return true;
}
