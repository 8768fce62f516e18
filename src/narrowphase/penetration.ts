/**
 * Penetration depth of two overlapping cores to rounding, also on curved surfaces: EPA first, then a descent on the
 * width h(n) = max over C = A - B of n.x.
 *
 * Method: EPA finds the global least width, exactly on polytopes and to COARSE on curved cores. From its direction n,
 * 1. B is moved out by (h(n) + delta) n, where GJK is accurate; 2. the direction n' of the closest points has
 * h(n') <= h(n), because (h + delta) n . n' - |gap| <= h; 3. repeat: a proximal-point iteration whose fixed points are
 * the stationary directions, where the support point is h(n) n and the witness points differ by exactly depth * n;
 * 4. Anderson extrapolation over the last rounds, or a longer stride, taken only when it narrows further, since the
 * plain iteration contracts only like depth / curvature radius and leaves saddles slowly.
 * Source: the width form of penetration depth, Cameron 1997, doi:10.1109/ROBOT.1997.606761; proximal point, Rockafellar
 * 1976, doi:10.1137/0314056; Walker, Ni 2011, "Anderson acceleration for fixed-point iterations", doi:10.1137/10078356X.
 * Frames: A's frame. Cost: EPA, plus 2-10 short GJK runs on curved cores.
 * Returns false when a limit ended it: the depth is then still a width that separates, but perhaps not the least.
 * Checked by penetration.test.ts and test/oracle/shape-pairs.test.ts.
 */
import { type EpaState, runEpa } from './epa.js';
import { GJK_LIMIT, GJK_SEPARATED, runGjk } from './gjk.js';
import { type GjkState, supportDifference } from './gjk-state.js';
import { combineWitness, weighTetrahedron } from './simplex.js';
import { findZonotopeDepth, isZonotopePair } from './zonotope-depth.js';

/** EPA tolerance per unit of scale: on polytopes only rounding, on curved cores what the descent starts from. */
const EXACT = 2e-15;
const COARSE = 1e-6;
/** Shallow contacts: EPA goes on to this part of the depth, so that the descent starts in the right valley. */
const COARSE_PART = 1e-3;
/** Gap that GJK is given at least, per unit of scale. Small, because a step turns by about lateral slope / gap. */
const LEAST_GAP = 1e-8;
const MAX_DESCENT = 60;
/** Directions closer than this are the same. */
const SAME_DIRECTION = 1e-12;
/** Two rounds in a row that narrow C by less than this part of its scale end the descent: the rest is rounding. */
const PROGRESS = 1e-15;
/** Depth, per unit of scale, that is rounding. */
const TOUCHING = 1e-14;
/** How far beyond a proximal step to look when extrapolation fails; grows while that pays. */
const FIRST_STRIDE = 2;

/** History of the last three rounds: directions tried, and where each led. */
const tried = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
const led = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
const direction = new Float64Array(3);
const witnessA = new Float64Array(3);
const witnessB = new Float64Array(3);
const touchA = new Float64Array(3);
const touchB = new Float64Array(3);

function computeWidth(s: GjkState, n: Float64Array): number {
  moveTo(s.d, n);
  supportDifference(s, 3);
  return n[0] * s.w[9] + n[1] * s.w[10] + n[2] * s.w[11];
}

function moveTo(target: Float64Array, source: Float64Array): void {
  target[0] = source[0];
  target[1] = source[1];
  target[2] = source[2];
}

/**
 * Anderson extrapolation from rounds `count - 1` back to at most `count - 3`; writes a unit vector to `direction`.
 * Returns false when the history is degenerate.
 */
function extrapolate(count: number): boolean {
  const g = led[0];
  const f0 = g[0] - tried[0][0];
  const f1 = g[1] - tried[0][1];
  const f2 = g[2] - tried[0][2];
  let a11 = 0;
  let a12 = 0;
  let a22 = 0;
  let b1 = 0;
  let b2 = 0;
  const depth = Math.min(count - 1, 2);
  for (let k = 0; k < 3; k++) {
    const f = k === 0 ? f0 : k === 1 ? f1 : f2;
    const d1 = f - (led[1][k] - tried[1][k]);
    const d2 = depth > 1 ? f - (led[2][k] - tried[2][k]) : 0;
    a11 += d1 * d1;
    a12 += d1 * d2;
    a22 += d2 * d2;
    b1 += d1 * f;
    b2 += d2 * f;
  }
  const det = a11 * a22 - a12 * a12;
  let c1: number;
  let c2: number;
  if (depth > 1 && det > 1e-8 * a11 * a22) {
    c1 = (b1 * a22 - b2 * a12) / det;
    c2 = (a11 * b2 - a12 * b1) / det;
  } else {
    if (!(a11 > 0)) return false;
    c1 = b1 / a11;
    c2 = 0;
  }
  let norm = 0;
  for (let k = 0; k < 3; k++) {
    direction[k] = g[k] - c1 * (g[k] - led[1][k]) - c2 * (g[k] - led[2][k]);
    norm += direction[k] * direction[k];
  }
  norm = Math.sqrt(norm);
  if (!(norm > 0.5)) return false;
  for (let k = 0; k < 3; k++) direction[k] /= norm;
  return true;
}

/** Continues the last step beyond where it led, by `stride` times its length; writes a unit vector to `direction`. */
function overstep(stride: number): void {
  let norm = 0;
  for (let k = 0; k < 3; k++) {
    direction[k] = led[0][k] + stride * (led[0][k] - tried[0][k]);
    norm += direction[k] * direction[k];
  }
  norm = Math.sqrt(norm);
  for (let k = 0; k < 3; k++) direction[k] /= norm;
}

function shiftHistory(): void {
  const t = tried[2];
  tried[2] = tried[1];
  tried[1] = tried[0];
  tried[0] = t;
  const l = led[2];
  led[2] = led[1];
  led[1] = led[0];
  led[0] = l;
}

/** Steps 1-4 of the method on the direction in `out.normal`. */
function descendWidth(out: EpaState, s: GjkState): boolean {
  const { X } = s;
  const px = X[9];
  const py = X[10];
  const pz = X[11];
  const { scale } = s;
  moveTo(direction, out.normal);
  let width = computeWidth(s, direction);
  let converged = false;
  let stalled = 0;
  let stride = FIRST_STRIDE;
  for (let round = 1; round <= MAX_DESCENT && !converged; round++) {
    shiftHistory();
    moveTo(tried[0], direction);
    const reach = width + Math.max(0.25 * width, LEAST_GAP * scale);
    X[9] = px + reach * direction[0];
    X[10] = py + reach * direction[1];
    X[11] = pz + reach * direction[2];
    for (let k = 0; k < 3; k++) s.v[k] = -direction[k];
    const code = runGjk(s, Infinity);
    X[9] = px;
    X[10] = py;
    X[11] = pz;
    if (code !== GJK_SEPARATED && code !== GJK_LIMIT) break;
    const gap = Math.sqrt(s.v[0] ** 2 + s.v[1] ** 2 + s.v[2] ** 2);
    combineWitness(witnessA, witnessB, s);
    for (let k = 0; k < 3; k++) {
      led[0][k] = -s.v[k] / gap;
      witnessB[k] -= reach * direction[k];
    }
    const next = computeWidth(s, led[0]);
    if (next > width) {
      // Only noise can widen a proximal step: the direction tried is as good as it gets.
      moveTo(out.normal, direction);
      moveTo(out.pointA, witnessA);
      moveTo(out.pointB, witnessB);
      out.depth = width;
      return true;
    }
    const turn = Math.hypot(led[0][0] - direction[0], led[0][1] - direction[1], led[0][2] - direction[2]);
    moveTo(out.normal, led[0]);
    moveTo(out.pointA, witnessA);
    moveTo(out.pointB, witnessB);
    out.depth = next;
    stalled = width - next <= PROGRESS * scale ? stalled + 1 : 0;
    converged = turn <= SAME_DIRECTION || stalled === 2;
    width = next;
    if (!converged && round > 1 && extrapolate(round)) {
      const ahead = computeWidth(s, direction);
      if (ahead < next) {
        width = ahead;
        continue;
      }
    }
    if (!converged) {
      overstep(stride);
      const ahead = computeWidth(s, direction);
      if (ahead < next) {
        width = ahead;
        stride *= 4;
        continue;
      }
      stride = FIRST_STRIDE;
    }
    moveTo(direction, led[0]);
  }
  return converged;
}

/**
 * Depth, direction (A to B) and witness points of cores that GJK found overlapping; `s` is GJK's final state.
 * The witness points are made exactly depth * normal apart.
 */
export function computePenetration(out: EpaState, s: GjkState): boolean {
  const { scale } = s;
  if (isZonotopePair(s.a, s.b) && findZonotopeDepth(out, s)) return true;
  const curved = s.a.isCurved || s.b.isCurved;
  if (s.count === 4) weighTetrahedron(s);
  combineWitness(touchA, touchB, s);
  let exact = runEpa(out, s, (curved ? COARSE : EXACT) * scale, curved ? COARSE_PART : 0);
  if (Math.abs(out.depth) <= TOUCHING * scale) {
    // GJK's own simplex holds the origin: the common point is known, and a width of nothing is the least there is.
    moveTo(out.pointA, touchA);
    moveTo(out.pointB, touchB);
    exact = true;
  } else if (!out.isStationary && (curved || !out.hasWitness)) {
    // A flat side of C is cut into triangles: when the projection lies in another one, one round finds the witness.
    s.scale = scale;
    const settled = descendWidth(out, s);
    exact = exact && (settled || !curved);
  }
  const { pointA, pointB, normal, depth } = out;
  for (let k = 0; k < 3; k++) {
    const middle = 0.5 * (pointA[k] + pointB[k]);
    pointA[k] = middle + 0.5 * depth * normal[k];
    pointB[k] = middle - 0.5 * depth * normal[k];
  }
  return exact;
}
