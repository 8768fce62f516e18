// Entry points of queries between convex cores: what src/narrowphase/convex-kernel.ts calls. Input and results lie at the
// addresses of layout.ts.
import { CONVEX_COUNTS, CONVEX_LOWER_BOUND, CONVEX_RESULT } from '../../src/kernel/layout';
import { APPROACH_NEAR, APPROACH_WITHIN, approach } from './convex-approach';
import { aimNear, overlapOnLine } from './convex-line';
import { computePenetration, findDepthAtOnce, isSeparation } from './convex-depth';
import { DECIDE_BEYOND, DECIDE_WITHIN, decideWithin } from './convex-decide';
import { out } from './convex-epa';
import { GJK_BEYOND, GJK_LIMIT, GJK_OVERLAP, GJK_SEPARATED } from './convex-codes';
import { findFirst, runGjk } from './convex-gjk';
import { combineWitness, weighTetrahedron } from './convex-simplex';
import { F64, s } from './convex-state';
import { isZonotopePair } from './convex-zonotope';

/** What became of a query, as src/narrowphase/convex-kernel.ts reads it. */
const EXACT = 0;
const BEYOND = 1;
const COLLIDES = 2;
const LIMIT = 3;
/** Gap of inflated cores, per unit of scale, below which the direction of v is rounding noise. */
const NOISY_GAP = 1e-11;

const result = changetype<F64>(CONVEX_RESULT);
const pointA = changetype<F64>(CONVEX_RESULT + 32);
const pointB = changetype<F64>(CONVEX_RESULT + 56);
/** What GJK was given last. */
let lastBound: f64 = 0;
/** The closest points that GJK had when it ended at a limit. */
const n = changetype<F64>(memory.data(24, 16));
const limitA = changetype<F64>(memory.data(24, 16));
const limitB = changetype<F64>(memory.data(24, 16));

/** Makes what TypeScript may read of the state visible to it. */
function publish(): void {
  store<f64>(CONVEX_LOWER_BOUND, s.lowerBound);
  store<i32>(CONVEX_COUNTS, s.count);
  store<i32>(CONVEX_COUNTS + 4, s.rounds);
}

/** GJK on the cores in the shared area, see convex-gjk.ts. */
export function convexGjk(bound: f64, warmCount: i32): i32 {
  lastBound = bound;
  const code = runGjk(bound, warmCount);
  publish();
  return code;
}

/**
 * After GJK_LIMIT: whether the inflated cores touch, and without `signed` whether they come within the bound, is decided once more.
 * Returns the code to go on with; GJK_LIMIT when only the lower bound is known.
 */
function decideLimit(signed: bool): i32 {
  const radius = s.a.radius + s.b.radius;
  combineWitness(limitA, limitB);
  for (let k = 0; k < 3; k++) n[k] = s.v[k];
  if (s.lowerBound <= 0) for (let k = 0; k < 3; k++) s.lowerV[k] = s.v[k];
  if (s.lowerBound <= radius) {
    let verdict = decideWithin(radius);
    if (verdict == DECIDE_WITHIN && signed && radius > 0) {
      for (let k = 0; k < 3; k++) s.v[k] = n[k];
      verdict = decideWithin(0);
      if (verdict == DECIDE_BEYOND) return GJK_LIMIT;
    }
    if (verdict == DECIDE_WITHIN) {
      for (let k = 0; k < 3; k++) s.v[k] = 0;
      return GJK_OVERLAP;
    }
    if (verdict != DECIDE_BEYOND) return GJK_LIMIT;
    // Apart: once more, from the direction that says so.
    const lower = s.lowerBound;
    for (let k = 0; k < 3; k++) {
      n[k] = s.lowerV[k];
      s.v[k] = n[k];
    }
    const code = runGjk(lastBound);
    if (code == GJK_SEPARATED || code == GJK_BEYOND) return code;
    combineWitness(limitA, limitB);
    if (s.lowerBound < lower) {
      s.lowerBound = lower;
      for (let k = 0; k < 3; k++) s.lowerV[k] = n[k];
    }
  }
  if (signed || s.lowerBound > lastBound || !(lastBound < f64.POSITIVE_INFINITY)) return GJK_LIMIT;
  for (let k = 0; k < 3; k++) s.v[k] = s.lowerV[k];
  return decideWithin(lastBound) == DECIDE_BEYOND ? GJK_BEYOND : GJK_LIMIT;
}

/** The lower bound for an answer, along its direction, in the middle of where GJK had got to. */
function answerLimit(): i32 {
  const v = s.lowerV;
  const radiusA = s.a.radius;
  const radiusB = s.b.radius;
  const length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  const distance = s.lowerBound - radiusA - radiusB;
  result[0] = distance;
  for (let k = 0; k < 3; k++) {
    const x = length > 0 ? -v[k] / length : k == 2 ? 1 : 0;
    result[1 + k] = x;
    const middle = 0.5 * (limitA[k] + limitB[k] + (radiusA - radiusB) * x);
    pointA[k] = middle - 0.5 * distance * x;
    pointB[k] = middle + 0.5 * distance * x;
  }
  publish();
  return LIMIT;
}

function answerOverlap(exact: bool): i32 {
  const radiusA = s.a.radius;
  const radiusB = s.b.radius;
  result[0] = -out.depth - radiusA - radiusB;
  for (let k = 0; k < 3; k++) {
    result[1 + k] = out.normal[k];
    pointA[k] = out.pointA[k] + radiusA * out.normal[k];
    pointB[k] = out.pointB[k] - radiusB * out.normal[k];
  }
  publish();
  return exact ? EXACT : LIMIT;
}

/**
 * The answer after GJK has ended with `code`: distance, normal, points, radii included. `signed`: the depth of an overlap is
 * wanted.
 */
export function convexAnswer(code: i32, signed: bool): i32 {
  const radiusA = s.a.radius;
  const radiusB = s.b.radius;
  const radius = radiusA + radiusB;
  if (code == GJK_LIMIT) code = decideLimit(signed);
  if (code == GJK_LIMIT) return answerLimit();
  if (code == GJK_BEYOND) {
    result[0] = s.lowerBound - radius;
    return BEYOND;
  }
  const v = s.v;
  let gap = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  if (code == GJK_OVERLAP || (radius > 0 && gap <= NOISY_GAP * s.scale)) {
    if (!signed) {
      result[0] = -radius;
      return COLLIDES;
    }
    const exact = computePenetration();
    if (radius > 0 || !isSeparation()) return answerOverlap(exact);
    // Once more, from the direction that separates. What EPA found stays unless GJK knows better.
    for (let k = 0; k < 3; k++) v[k] = -out.normal[k];
    code = runGjk(f64.POSITIVE_INFINITY);
    if (code != GJK_SEPARATED) return answerOverlap(exact && out.isStationary);
    gap = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
  result[0] = gap - radius;
  const x = -v[0] / gap;
  const y = -v[1] / gap;
  const z = -v[2] / gap;
  result[1] = x;
  result[2] = y;
  result[3] = z;
  combineWitness(pointA, pointB);
  pointA[0] += radiusA * x;
  pointA[1] += radiusA * y;
  pointA[2] += radiusA * z;
  pointB[0] -= radiusB * x;
  pointB[1] -= radiusB * y;
  pointB[2] -= radiusB * z;
  return EXACT;
}

/** Of src/narrowphase/pair-result.ts: what is asked. */
const MODE_SIGNED = 0;
const MODE_WITHIN = 1;

/**
 * Both steps at once, `mode` being what is asked. GJK is left out where the first direction does not separate and the depth needs no
 * polytope; where it merely does not separate, polytopes start from a better one.
 */
export function convexMeasure(bound: f64, mode: i32): i32 {
  const signed = mode == MODE_SIGNED;
  let hasFirst = false;
  if (signed) {
    hasFirst = true;
    if (findFirst() <= 0) {
      if (!isZonotopePair(s.a, s.b) || overlapOnLine()) {
        if (findDepthAtOnce()) return answerOverlap(true);
        hasFirst = false;
      }
    }
  }
  lastBound = bound + s.a.radius + s.b.radius;
  if (mode == MODE_WITHIN && aimNear(lastBound)) {
    result[0] = -s.a.radius - s.b.radius;
    publish();
    return COLLIDES;
  }
  let code = approach(lastBound, mode == MODE_WITHIN, hasFirst);
  if (code == APPROACH_WITHIN) {
    result[0] = -s.a.radius - s.b.radius;
    publish();
    return COLLIDES;
  }
  if (code == APPROACH_NEAR) code = runGjk(lastBound, s.count);
  publish();
  return convexAnswer(code, signed);
}

/**
 * A point that both inflated cores hold, to pointA, when they come within `touching`; false when they do not. Unlike the middle
 * of the witnesses of a depth it lies on a flat core, too.
 */
export function convexCommon(touching: f64): bool {
  const radiusA = s.a.radius;
  const radius = radiusA + s.b.radius;
  const code = convexGjk(radius + touching, 0);
  if (code == GJK_BEYOND) return false;
  if (code == GJK_OVERLAP && s.count == 4) weighTetrahedron();
  combineWitness(pointA, pointB);
  const share = radius > 0 ? radiusA / radius : 0.5;
  for (let k = 0; k < 3; k++) pointA[k] += share * (pointB[k] - pointA[k]);
  return (
    code == GJK_OVERLAP ||
    code == GJK_LIMIT ||
    sqrt(s.v[0] * s.v[0] + s.v[1] * s.v[1] + s.v[2] * s.v[2]) <= radius + touching
  );
}
