/**
 * Distance between two convex cores by GJK, or the proof that they overlap.
 *
 * Method: the closest point v of the difference C = A - B to the origin is approached by simplices of C. Each round
 * 1. takes the support point w of C along -v, whose plane bounds the distance from below (v.w / |v|); 2. stops when
 * v.v - v.w is rounding noise, when w is no new point, or when the lower bound exceeds the caller's bound; 3. moves v
 * to the point of simplex + w nearest the origin and keeps the vertices that carry it. A tetrahedron around the origin
 * means overlap. A round that lengthens v is undone and ends the loop, and only
 * a few may leave it as long as it was, so noise cannot make it cycle. On curved cores the last digits come from Newton's
 * method instead (polish.ts), tried once the cores are known to be apart.
 * Source: Gilbert, Johnson, Keerthi 1988, doi:10.1109/56.2083; van den Bergen 1999, "A fast and robust GJK
 * implementation for collision detection of convex objects", doi:10.1080/10867651.1999.10487502.
 * Frames: everything in A's frame; X is X_AB. Writes the state. Cost: 4-10 rounds of 0.1 us.
 * Fails never; after MAX_ROUNDS the best v stays and GJK_LIMIT comes back. Checked by gjk.test.ts.
 */
import { type GjkState, supportDifference } from './gjk-state.js';
import { polishDistance } from './polish.js';
import { keepTrial, setTrialVertex, solveSegment, solveTetrahedron, solveTriangle, trial } from './simplex.js';

export const GJK_SEPARATED = 0;
export const GJK_OVERLAP = 1;
export const GJK_BEYOND = 2;
export const GJK_LIMIT = 3;

const MAX_ROUNDS = 256;
/** Relative duality gap at which v counts as converged, and the absolute noise of v.w per unit of |w||v|. */
const RELATIVE_GAP = 1e-14;
const NOISE = 4e-16;
/** |v| below this part of the largest |w| is the origin: rounding cannot tell touching from overlap. */
const ZERO = 1e-15;
const MAX_BLIND_ROUNDS = 8;
/** Newton's method is tried from this relative gap on, or from this round on, and again after so many rounds. */
const POLISH_GAP = 0.05;
const POLISH_ROUND = 5;
const POLISH_AGAIN = 3;

/**
 * Runs GJK on the state's cores, X and first direction -v. `bound`: stop once the distance is known to exceed it.
 * On GJK_SEPARATED and GJK_LIMIT, v and the weighted simplex hold the closest points; on GJK_OVERLAP the simplex
 * holds the origin up to rounding.
 */
export function runGjk(s: GjkState, bound: number): number {
  const { w, v, d } = s;
  const curved = s.a.isCurved || s.b.isCurved;
  s.lowerBound = 0;
  d[0] = -v[0];
  d[1] = -v[1];
  d[2] = -v[2];
  supportDifference(s, 0);
  setTrialVertex(w, 0);
  keepTrial(s);
  let vv = trial.point[3];
  const { pointsA, pointsB } = s;
  let scaleSquared = Math.max(
    vv,
    pointsA[0] * pointsA[0] + pointsA[1] * pointsA[1] + pointsA[2] * pointsA[2],
    pointsB[0] * pointsB[0] + pointsB[1] * pointsB[1] + pointsB[2] * pointsB[2],
  );
  let blindRounds = 0;
  let polishAt = POLISH_ROUND;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    s.rounds++;
    const scale = Math.sqrt(scaleSquared);
    s.scale = scale;
    if (vv <= ZERO * ZERO * scaleSquared) return GJK_OVERLAP;
    const x = v[0];
    const y = v[1];
    const z = v[2];
    const slot = s.count;
    d[0] = -x;
    d[1] = -y;
    d[2] = -z;
    supportDifference(s, slot);
    const wx = w[3 * slot];
    const wy = w[3 * slot + 1];
    const wz = w[3 * slot + 2];
    const vw = x * wx + y * wy + z * wz;
    const norm = Math.sqrt(vv);
    if (vw > 0) {
      const lower = vw / norm;
      if (lower > s.lowerBound) s.lowerBound = lower;
      if (lower > bound) return GJK_BEYOND;
    }
    if (vv - vw <= RELATIVE_GAP * vv + NOISE * scale * norm) return GJK_SEPARATED;
    for (let i = 0; i < slot; i++)
      if (w[3 * i] === wx && w[3 * i + 1] === wy && w[3 * i + 2] === wz) return GJK_SEPARATED;
    const ww = wx * wx + wy * wy + wz * wz;
    if (ww > scaleSquared) scaleSquared = ww;
    if (slot === 1) solveSegment(w, 0, 1);
    else if (slot === 2) solveTriangle(w, 0, 1, 2);
    else {
      trial.point[4] = ZERO * scale;
      if (!solveTetrahedron(w)) {
        s.count = 4;
        return GJK_OVERLAP;
      }
    }
    const next = trial.point[3];
    // |v|^2 is blind to turns of v below 1e-8, which kinked shapes still feel: some rounds without progress may pass.
    if (next >= vv && (next - vv > NOISE * scale * norm || ++blindRounds > MAX_BLIND_ROUNDS)) return GJK_SEPARATED;
    const close = vv - vw <= POLISH_GAP * vv;
    vv = next;
    keepTrial(s);
    if (curved && vw > 0 && (round >= polishAt || (close && polishAt === POLISH_ROUND))) {
      if (polishDistance(s)) return GJK_SEPARATED;
      polishAt = round + POLISH_AGAIN;
    }
  }
  return GJK_LIMIT;
}
