/**
 * Distance between two convex cores by GJK, or the proof that they overlap.
 *
 * Method: the closest point v of the difference C = A - B to the origin is approached by simplices of C. Each round
 * 1. takes the support point w of C along -v, whose plane bounds the distance from below (v.w / |v|); 2. stops when
 * v.v - v.w is rounding noise, when w is no new point, or when the lower bound exceeds the caller's bound; 3. moves v
 * to the point of simplex + w nearest the origin and keeps the vertices that carry it. A tetrahedron around the origin
 * means overlap. A round that lengthens v is undone and ends the loop, and only
 * a few may leave it as long as it was, so noise cannot make it cycle. On curved cores the last digits come from Newton's
 * method instead (convex-polish.ts), tried once the cores are known to be apart. GJK_LIMIT also when no round makes progress and
 * the bounds are more than OPEN apart, as on needles over rims.
 * Source: Gilbert, Johnson, Keerthi 1988, doi:10.1109/56.2083; van den Bergen 1999, "A fast and robust GJK
 * implementation for collision detection of convex objects", doi:10.1080/10867651.1999.10487502.
 * Frames: everything in A's frame; X is X_AB. Writes the state. Cost: 4-10 rounds of 0.1 us.
 * Fails never; after MAX_ROUNDS the best v stays and GJK_LIMIT comes back. Checked by gjk.test.ts and polish.test.ts.
 */
import { GJK_BEYOND, GJK_LIMIT, GJK_OVERLAP, GJK_SEPARATED } from './convex-codes';
import { polishDistance } from './convex-polish';
import {
  keepTrial,
  setTrialVertex,
  solveAnyTetrahedron,
  solveSegment,
  solveTetrahedron,
  solveTriangle,
  trial,
} from './convex-simplex';
import { isKnownVertex, s, supportDifference } from './convex-state';
import { OPEN as REFINED, refineGap } from './refine-gap';

/** Of a run that starts again. */
const RESTART = 4;

const MAX_ROUNDS = 256;
/** Relative duality gap at which v counts as converged, and the absolute noise of v.w per unit of |w||v|. */
const RELATIVE_GAP = 1e-14;
const NOISE = 4e-16;
/** |v| below this part of the largest |w| is the origin: rounding cannot tell touching from overlap. */
const ZERO = 1e-15;
/** The same when no more progress is made. */
const NOTHING = 1e-12;
const MAX_BLIND_ROUNDS = 8;
/** Stuck farther than this from convergence, relative: start again from the direction reached, so many times. */
const LOOSE_GAP = 1e-6;
const MAX_RESTARTS = 2;
/** What Newton's method may leave open then, and from this round on, per unit of scale, and what ends as no more than a limit. */
const STUCK = 1e-11;
const OPEN = 1e-10;
/** Newton's method is tried from this relative gap on, or from this round on, and again after so many rounds. */
const POLISH_GAP = 0.05;
const POLISH_ROUND = 5;
const POLISH_AGAIN = 3;
const LATE_ROUND = 16;

/** First simplex: one support point along -v. */
function startCold(): void {
  findFirst();
  setTrialVertex(s.w, 0);
  keepTrial();
}

/** Puts the support point along -v into vertex 0; the plane through it separates when it lies on v's side, above 0. */
export function findFirst(): f64 {
  const v = s.v;
  const d = s.d;
  d[0] = -v[0];
  d[1] = -v[1];
  d[2] = -v[2];
  supportDifference(0);
  return v[0] * s.w[0] + v[1] * s.w[1] + v[2] * s.w[2];
}

/**
 * Turns v by an eighth of a turn, to any side. Where the direction from middle to middle does not separate, GJK would end on a
 * tetrahedron with a corner far behind the middle, on which EPA has more to do.
 */
export function tiltDirection(): void {
  const v = s.v;
  const x = v[0];
  const y = v[1];
  const z = v[2];
  const isSteep = z * z > 0.5 * (x * x + y * y + z * z);
  const px = isSteep ? 0 : -y;
  const py = isSteep ? -z : x;
  const pz = isSteep ? y : 0;
  const length = sqrt((x * x + y * y + z * z) / (px * px + py * py + pz * pz));
  v[0] = x + length * px;
  v[1] = y + length * py;
  v[2] = z + length * pz;
}

/** Largest squared size of the first `count` vertices, in C, A or B. */
export function measureScale(count: i32): f64 {
  const w = s.w;
  const pointsA = s.pointsA;
  const pointsB = s.pointsB;
  let squared: f64 = 0;
  for (let i = 0; i < 3 * count; i += 3)
    squared = max<f64>(
      squared,
      max<f64>(
        w[i] * w[i] + w[i + 1] * w[i + 1] + w[i + 2] * w[i + 2],
        max<f64>(
          pointsA[i] * pointsA[i] + pointsA[i + 1] * pointsA[i + 1] + pointsA[i + 2] * pointsA[i + 2],
          pointsB[i] * pointsB[i] + pointsB[i + 1] * pointsB[i + 1] + pointsB[i + 2] * pointsB[i + 2],
        ),
      ),
    );
  return squared;
}

/** v may have left C by rounding, or not be there yet, but the lower bound holds: on curved cores it says how good v is. */
function judgeGap(vv: f64): i32 {
  const open = abs<f64>(sqrt(vv) - s.lowerBound);
  return open <= max<f64>(LOOSE_GAP * s.lowerBound, OPEN * s.scale) ? GJK_SEPARATED : GJK_LIMIT;
}

/** How a run without progress ends: RESTART while that may help. */
function endStuck(vv: f64, vw: f64, bound: f64, restarts: i32): i32 {
  if (!s.a.isCurved && !s.b.isCurved) {
    if (vv - vw > LOOSE_GAP * vv && restarts < MAX_RESTARTS) return RESTART;
    const isKnown = s.lowerBound > 0 && abs<f64>(sqrt(vv) - s.lowerBound) <= REFINED * s.scale;
    return isKnown ? GJK_SEPARATED : refineGap(bound);
  }
  if (polishDistance()) return GJK_SEPARATED;
  if (vv - vw <= LOOSE_GAP * vv) return judgeGap(vv);
  if (polishDistance(STUCK)) return GJK_SEPARATED;
  return restarts < MAX_RESTARTS ? RESTART : judgeGap(vv);
}

/** First simplex: the state's first `count` vertices. False when they hold the origin. */
function startWarm(count: i32): bool {
  const w = s.w;
  if (count == 1) setTrialVertex(w, 0);
  else if (count == 2) solveSegment(w, 0, 1);
  else if (count == 3) solveTriangle(w, 0, 1, 2);
  else {
    trial.point[4] = ZERO * s.scale;
    if (!solveAnyTetrahedron(w)) {
      s.count = 4;
      return false;
    }
  }
  keepTrial();
  return true;
}

/**
 * Runs GJK on the state's cores, X and first direction -v. `bound`: stop once the distance is known to exceed it.
 * `warmCount`: so many vertices of the state are points of C at X, to start from, with -v the last known direction.
 * On GJK_SEPARATED and GJK_LIMIT, v and the weighted simplex hold the closest points; on GJK_OVERLAP the simplex
 * holds the origin up to rounding.
 */
export function runGjk(bound: f64, warmCount: i32 = 0): i32 {
  const w = s.w;
  const v = s.v;
  const d = s.d;
  const curved = s.a.isCurved || s.b.isCurved;
  s.lowerBound = 0;
  let scaleSquared: f64 = 0;
  if (warmCount > 0) {
    scaleSquared = measureScale(warmCount);
    s.scale = sqrt(scaleSquared);
    s.count = warmCount;
    if (curved && warmCount < 4 && polishDistance()) {
      s.rounds++;
      return s.lowerBound > bound ? GJK_BEYOND : GJK_SEPARATED;
    }
    if (!startWarm(warmCount)) return GJK_OVERLAP;
  } else {
    startCold();
    scaleSquared = measureScale(1);
  }
  let vv = trial.point[3];
  let blindRounds = 0;
  let restarts = 0;
  let polishAt = POLISH_ROUND;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    s.rounds++;
    const scale = sqrt(scaleSquared);
    s.scale = scale;
    if (vv <= ZERO * ZERO * scaleSquared) return GJK_OVERLAP;
    const x = v[0];
    const y = v[1];
    const z = v[2];
    const slot = s.count;
    d[0] = -x;
    d[1] = -y;
    d[2] = -z;
    supportDifference(slot);
    const wx = w[3 * slot];
    const wy = w[3 * slot + 1];
    const wz = w[3 * slot + 2];
    const vw = x * wx + y * wy + z * wz;
    const norm = sqrt(vv);
    if (vw > 0) {
      const lower = vw / norm;
      if (lower > s.lowerBound) {
        s.lowerBound = lower;
        s.lowerV[0] = x;
        s.lowerV[1] = y;
        s.lowerV[2] = z;
      }
      if (lower > bound) return GJK_BEYOND;
    }
    if (vv - vw <= RELATIVE_GAP * vv + NOISE * scale * norm) return GJK_SEPARATED;
    // An edge along a rim's tangent gives one end of the edge over and over.
    if (isKnownVertex(s.w, slot)) {
      if (norm <= NOTHING * scale) return GJK_OVERLAP;
      const end = endStuck(vv, vw, bound, restarts++);
      if (end != RESTART) return end;
      startCold();
      vv = trial.point[3];
      continue;
    }
    const ww = wx * wx + wy * wy + wz * wz;
    if (ww > scaleSquared) scaleSquared = ww;
    if (slot == 1) solveSegment(w, 0, 1);
    else if (slot == 2) solveTriangle(w, 0, 1, 2);
    else {
      trial.point[4] = ZERO * scale;
      if (!solveTetrahedron(w)) {
        s.count = 4;
        return GJK_OVERLAP;
      }
    }
    const next = trial.point[3];
    // |v|^2 is blind to turns of v below 1e-8, which kinked shapes still feel: some rounds without progress may pass.
    if (next >= vv && (next - vv > NOISE * scale * norm || ++blindRounds > MAX_BLIND_ROUNDS)) {
      // What is left of v is noise: whether the cores overlap, and how deep, is for EPA to say.
      if (norm <= NOTHING * scale) return GJK_OVERLAP;
      const end = endStuck(vv, vw, bound, restarts++);
      if (end != RESTART) return end;
      startCold();
      vv = trial.point[3];
      blindRounds = 0;
      continue;
    }
    const close = vv - vw <= POLISH_GAP * vv;
    vv = next;
    keepTrial();
    if (curved && vw > 0 && (round >= polishAt || (close && polishAt == POLISH_ROUND))) {
      if (polishDistance(round >= LATE_ROUND ? STUCK : 0)) return GJK_SEPARATED;
      polishAt = round + POLISH_AGAIN;
    }
  }
  return GJK_LIMIT;
}
