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
import { out, runEpa } from './convex-epa';
import { GJK_LIMIT, GJK_SEPARATED } from './convex-codes';
import { measureScale, runGjk, tiltDirection } from './convex-gjk';
import { combineWitness, weighTetrahedron } from './convex-simplex';
import { F64, s, supportDifference } from './convex-state';
import { findZonotopeDepth, isZonotopePair } from './convex-zonotope';

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
/** Depth, per unit of scale, from which GJK need not confirm an overlap. */
const DEEP = 1e-9;
/** How far beyond a proximal step to look when extrapolation fails; grows while that pays. */
const FIRST_STRIDE = 2;

/** History of the last three rounds: directions tried, and where each led. */
const tried0 = changetype<F64>(memory.data(24, 16));
const tried1 = changetype<F64>(memory.data(24, 16));
const tried2 = changetype<F64>(memory.data(24, 16));
const led0 = changetype<F64>(memory.data(24, 16));
const led1 = changetype<F64>(memory.data(24, 16));
const led2 = changetype<F64>(memory.data(24, 16));
const direction = changetype<F64>(memory.data(24, 16));
const witnessA = changetype<F64>(memory.data(24, 16));
const witnessB = changetype<F64>(memory.data(24, 16));
const touchA = changetype<F64>(memory.data(24, 16));
const touchB = changetype<F64>(memory.data(24, 16));

function computeWidth(n: F64): f64 {
  moveTo(s.d, n);
  supportDifference(3);
  return n[0] * s.w[9] + n[1] * s.w[10] + n[2] * s.w[11];
}

function distanceOf(p: F64, q: F64): f64 {
  const x = p[0] - q[0];
  const y = p[1] - q[1];
  const z = p[2] - q[2];
  return sqrt(x * x + y * y + z * z);
}

function moveTo(target: F64, source: F64): void {
  target[0] = source[0];
  target[1] = source[1];
  target[2] = source[2];
}

/**
 * Anderson extrapolation from rounds `count - 1` back to at most `count - 3`; writes a unit vector to `direction`.
 * Returns false when the history is degenerate.
 */
function extrapolate(count: i32): bool {
  const g = led0;
  const f0 = g[0] - tried0[0];
  const f1 = g[1] - tried0[1];
  const f2 = g[2] - tried0[2];
  let a11: f64 = 0;
  let a12: f64 = 0;
  let a22: f64 = 0;
  let b1: f64 = 0;
  let b2: f64 = 0;
  const depth = min<f64>(count - 1, 2);
  for (let k = 0; k < 3; k++) {
    const f = k == 0 ? f0 : k == 1 ? f1 : f2;
    const d1 = f - (led1[k] - tried1[k]);
    const d2 = depth > 1 ? f - (led2[k] - tried2[k]) : 0;
    a11 += d1 * d1;
    a12 += d1 * d2;
    a22 += d2 * d2;
    b1 += d1 * f;
    b2 += d2 * f;
  }
  const det = a11 * a22 - a12 * a12;
  let c1: f64;
  let c2: f64;
  if (depth > 1 && det > 1e-8 * a11 * a22) {
    c1 = (b1 * a22 - b2 * a12) / det;
    c2 = (a11 * b2 - a12 * b1) / det;
  } else {
    if (!(a11 > 0)) return false;
    c1 = b1 / a11;
    c2 = 0;
  }
  let norm: f64 = 0;
  for (let k = 0; k < 3; k++) {
    direction[k] = g[k] - c1 * (g[k] - led1[k]) - c2 * (g[k] - led2[k]);
    norm += direction[k] * direction[k];
  }
  norm = sqrt(norm);
  if (!(norm > 0.5)) return false;
  for (let k = 0; k < 3; k++) direction[k] /= norm;
  return true;
}

/** Continues the last step beyond where it led, by `stride` times its length; writes a unit vector to `direction`. */
function overstep(stride: f64): void {
  let norm: f64 = 0;
  for (let k = 0; k < 3; k++) {
    direction[k] = led0[k] + stride * (led0[k] - tried0[k]);
    norm += direction[k] * direction[k];
  }
  norm = sqrt(norm);
  for (let k = 0; k < 3; k++) direction[k] /= norm;
}

function shiftHistory(): void {
  moveTo(tried2, tried1);
  moveTo(tried1, tried0);
  moveTo(led2, led1);
  moveTo(led1, led0);
}

/** Steps 1-4 of the method on the direction in `out.normal`. */
function descendWidth(): bool {
  const X = s.X;
  const px = X[9];
  const py = X[10];
  const pz = X[11];
  const scale = s.scale;
  moveTo(direction, out.normal);
  let width = computeWidth(direction);
  let converged = false;
  let stalled = 0;
  let stride = FIRST_STRIDE;
  for (let round = 1; round <= MAX_DESCENT && !converged; round++) {
    shiftHistory();
    moveTo(tried0, direction);
    const reach = width + max<f64>(0.25 * width, LEAST_GAP * scale);
    X[9] = px + reach * direction[0];
    X[10] = py + reach * direction[1];
    X[11] = pz + reach * direction[2];
    for (let k = 0; k < 3; k++) s.v[k] = -direction[k];
    const code = runGjk(f64.POSITIVE_INFINITY);
    X[9] = px;
    X[10] = py;
    X[11] = pz;
    if (code != GJK_SEPARATED && code != GJK_LIMIT) break;
    const gap = sqrt(s.v[0] * s.v[0] + s.v[1] * s.v[1] + s.v[2] * s.v[2]);
    combineWitness(witnessA, witnessB);
    for (let k = 0; k < 3; k++) {
      led0[k] = -s.v[k] / gap;
      witnessB[k] -= reach * direction[k];
    }
    const next = computeWidth(led0);
    if (next > width) {
      // Only noise can widen a proximal step: the direction tried is as good as it gets.
      moveTo(out.normal, direction);
      moveTo(out.pointA, witnessA);
      moveTo(out.pointB, witnessB);
      out.depth = width;
      return true;
    }
    const turn = distanceOf(led0, direction);
    moveTo(out.normal, led0);
    moveTo(out.pointA, witnessA);
    moveTo(out.pointB, witnessB);
    out.depth = next;
    stalled = width - next <= PROGRESS * scale ? stalled + 1 : 0;
    converged = turn <= SAME_DIRECTION || stalled == 2;
    width = next;
    if (!converged && round > 1 && extrapolate(round)) {
      const ahead = computeWidth(direction);
      if (ahead < next) {
        width = ahead;
        continue;
      }
    }
    if (!converged) {
      overstep(stride);
      const ahead = computeWidth(direction);
      if (ahead < next) {
        width = ahead;
        stride *= 4;
        continue;
      }
      stride = FIRST_STRIDE;
    }
    moveTo(direction, led0);
  }
  return converged;
}

/**
 * Depth, direction (A to B) and witness points of cores that GJK found overlapping, from its final state.
 * The witness points are made exactly depth * normal apart.
 */
export function computePenetration(): bool {
  const scale = s.scale;
  if (isZonotopePair(s.a, s.b) && findZonotopeDepth()) return true;
  const curved = s.a.isCurved || s.b.isCurved;
  const miss = s.count == 4 ? weighTetrahedron() : 0;
  combineWitness(touchA, touchB);
  let exact = runEpa((curved ? COARSE : EXACT) * scale, curved ? COARSE_PART : 0);
  if (abs<f64>(out.depth) <= TOUCHING * scale) {
    // GJK's own simplex holds the origin: the common point is known, and a width of nothing is the least there is.
    if (miss <= distanceOf(out.pointA, out.pointB)) {
      moveTo(out.pointA, touchA);
      moveTo(out.pointB, touchB);
    }
    exact = true;
  } else if (!out.isStationary && (curved || !out.hasWitness)) {
    // A flat side of C is cut into triangles: when the projection lies in another one, one round finds the witness.
    s.scale = scale;
    const settled = descendWidth();
    exact = exact && (settled || !curved);
  }
  for (let k = 0; k < 3; k++) {
    const middle = 0.5 * (out.pointA[k] + out.pointB[k]);
    out.pointA[k] = middle + 0.5 * out.depth * out.normal[k];
    out.pointB[k] = middle - 0.5 * out.depth * out.normal[k];
  }
  return exact;
}

/** The width found is below 0 beyond rounding: it separates the cores, and GJK saw an overlap that is none. */
export function isSeparation(): bool {
  return out.depth < -TOUCHING * s.scale;
}

/**
 * The same without GJK, for pairs whose depth needs no polytope and that the plane through vertex 0, along -v, does not separate.
 * False when they are apart, merely touch, or are for EPA to answer: GJK is then to be asked, from v, which has become
 * the reverse of a direction that separates if one clearly does, or has been tilted.
 */
export function findDepthAtOnce(): bool {
  if (!isZonotopePair(s.a, s.b)) {
    if (!s.a.isCurved && !s.b.isCurved) tiltDirection();
    return false;
  }
  s.scale = sqrt(measureScale(1));
  if (findZonotopeDepth()) return out.depth > DEEP * s.scale;
  if (out.depth < -DEEP * s.scale) for (let k = 0; k < 3; k++) s.v[k] = -out.normal[k];
  return false;
}
