/**
 * Goes on with GJK where doubles end: polytopes apart by a gap so short beside their size that the rounding of its ends turns it.
 * A gap of 1e-8 of the size has but eight digits of its direction; the support plane then sinks by 1e-8 of the size at far points.
 *
 * Method: GJK as in convex-gjk.ts, with the nearest point of the simplex found among all its faces, edges and vertices in pairs of
 * doubles (doubled.ts): a face gives the direction by the cross product of its edges, an edge e by e x (w x e), and what is nearer
 * is decided by the products of those. The vertices of C stay what rounding made them, which moves the gap by no more than their
 * rounding. Ends when the support plane is as far as v but for the rounding of w.
 * Source: Gilbert, Johnson, Keerthi 1988, doi:10.1109/56.2083; the rest is ours.
 * Frames: A's frame. Goes on from the state's simplex and writes the state. Cost: 2-6 rounds of 5 us, and only where GJK is stuck.
 * GJK_LIMIT comes back when a round gets no nearer, which rounding has not been seen to do. Checked by refine-gap.test.ts.
 */
import { GJK_BEYOND, GJK_LIMIT, GJK_OVERLAP, GJK_SEPARATED } from './convex-codes';
import { keepTrial, trial } from './convex-simplex';
import { F64, isKnownVertex, s, supportDifference } from './convex-state';
import { crossInto, dotInto, isLess, multiplyInto, subtractInto, widenInto } from './doubled';

const MAX_ROUNDS = 64;
/** What the rounding of w leaves open of the lower bound, per unit of scale: 16 x 2^-52. */
export const OPEN = 3.6e-15;
/** |v| per unit of scale that is none. */
const NOTHING = 1e-12;

const a = changetype<F64>(memory.data(48, 16));
const b = changetype<F64>(memory.data(48, 16));
const c = changetype<F64>(memory.data(48, 16));
const p = changetype<F64>(memory.data(48, 16));
const q = changetype<F64>(memory.data(48, 16));
const r = changetype<F64>(memory.data(48, 16));
const n = changetype<F64>(memory.data(48, 16));
const m = changetype<F64>(memory.data(48, 16));
/** Squared distance of the last and of the best piece: two pairs, over and under the line. */
const own = changetype<F64>(memory.data(32, 16));
const best = changetype<F64>(memory.data(32, 16));
const left = changetype<F64>(memory.data(16, 16));
const right = changetype<F64>(memory.data(16, 16));
const sum = changetype<F64>(memory.data(16, 16));

@inline
function after(f: F64, count: i32): F64 {
  return changetype<F64>(changetype<usize>(f) + ((<usize>count) << 3));
}

/** Whether the last piece is nearer than the best; then it is the best. */
function isNearer(): bool {
  multiplyInto(left, own, after(best, 2));
  multiplyInto(right, best, after(own, 2));
  if (!isLess(left, right)) return false;
  for (let k = 0; k < 4; k++) best[k] = own[k];
  return true;
}

function offerVertex(i: i32): void {
  widenInto(a, after(s.w, 3 * i));
  dotInto(own, a, a);
  own[2] = 1;
  own[3] = 0;
  if (!isNearer()) return;
  trial.count = 1;
  trial.index[0] = i;
  trial.weight[0] = 1;
  for (let k = 0; k < 3; k++) trial.point[k] = s.w[3 * i + k];
}

function offerEdge(i: i32, j: i32): void {
  widenInto(a, after(s.w, 3 * i));
  subtractInto(p, after(s.w, 3 * j), after(s.w, 3 * i));
  dotInto(sum, a, p);
  const t = -sum[0];
  const under = after(own, 2);
  dotInto(under, p, p);
  if (!(t > 0 && t < under[0])) return;
  crossInto(n, a, p);
  dotInto(own, n, n);
  if (!isNearer()) return;
  crossInto(m, p, n);
  trial.count = 2;
  trial.index[0] = i;
  trial.index[1] = j;
  trial.weight[1] = t / under[0];
  trial.weight[0] = 1 - trial.weight[1];
  for (let k = 0; k < 3; k++) trial.point[k] = m[2 * k] / under[0];
}

function offerFace(i: i32, j: i32, k: i32): void {
  const w = s.w;
  widenInto(a, after(w, 3 * i));
  widenInto(b, after(w, 3 * j));
  widenInto(c, after(w, 3 * k));
  subtractInto(p, after(w, 3 * j), after(w, 3 * i));
  subtractInto(q, after(w, 3 * k), after(w, 3 * i));
  subtractInto(r, after(w, 3 * k), after(w, 3 * j));
  crossInto(n, p, q);
  const under = after(own, 2);
  dotInto(under, n, n);
  if (!(under[0] > 0)) return;
  crossInto(m, b, r);
  dotInto(sum, n, m);
  const weightI = sum[0];
  crossInto(m, q, c);
  dotInto(sum, n, m);
  const weightJ = sum[0];
  crossInto(m, a, p);
  dotInto(sum, n, m);
  const weightK = sum[0];
  if (!(weightI > 0 && weightJ > 0 && weightK > 0)) return;
  dotInto(sum, n, a);
  multiplyInto(own, sum, sum);
  const along = sum[0];
  if (!isNearer()) return;
  trial.count = 3;
  trial.index[0] = i;
  trial.index[1] = j;
  trial.index[2] = k;
  trial.weight[0] = weightI / under[0];
  trial.weight[1] = weightJ / under[0];
  trial.weight[2] = weightK / under[0];
  for (let l = 0; l < 3; l++) trial.point[l] = (n[2 * l] * along) / under[0];
}

/** On which side of the face the origin is, times on which side vertex l is. */
function compareSides(i: i32, j: i32, k: i32, l: i32): f64 {
  const w = s.w;
  widenInto(a, after(w, 3 * i));
  subtractInto(p, after(w, 3 * j), after(w, 3 * i));
  subtractInto(q, after(w, 3 * k), after(w, 3 * i));
  subtractInto(r, after(w, 3 * l), after(w, 3 * i));
  crossInto(n, p, q);
  dotInto(sum, n, a);
  const origin = -sum[0];
  dotInto(sum, n, r);
  return sum[0] == 0 ? -1 : origin * (sum[0] > 0 ? 1 : -1);
}

/** The point of the simplex nearest the origin, into `trial`. False when four vertices hold the origin. */
function solveSimplex(count: i32): bool {
  if (
    count == 4 &&
    compareSides(0, 1, 2, 3) >= 0 &&
    compareSides(0, 1, 3, 2) >= 0 &&
    compareSides(0, 2, 3, 1) >= 0 &&
    compareSides(1, 2, 3, 0) >= 0
  )
    return false;
  best[0] = 1;
  best[1] = 0;
  best[2] = 0;
  best[3] = 0;
  for (let i = 0; i < count; i++) offerVertex(i);
  for (let i = 0; i < count; i++) for (let j = i + 1; j < count; j++) offerEdge(i, j);
  for (let i = 0; i < count; i++)
    for (let j = i + 1; j < count; j++) for (let k = j + 1; k < count; k++) offerFace(i, j, k);
  const v = trial.point;
  v[3] = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  return true;
}

/** The same codes as runGjk; the simplex has one to three vertices. */
export function refineGap(bound: f64): i32 {
  const v = s.v;
  const d = s.d;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (!solveSimplex(s.count)) {
      s.count = 4;
      return GJK_OVERLAP;
    }
    keepTrial();
    s.rounds++;
    const norm = sqrt(trial.point[3]);
    if (norm <= NOTHING * s.scale) return GJK_OVERLAP;
    for (let k = 0; k < 3; k++) d[k] = -v[k];
    const slot = s.count;
    supportDifference(slot);
    const lower = (v[0] * s.w[3 * slot] + v[1] * s.w[3 * slot + 1] + v[2] * s.w[3 * slot + 2]) / norm;
    if (lower > s.lowerBound) {
      s.lowerBound = lower;
      for (let k = 0; k < 3; k++) s.lowerV[k] = v[k];
      if (lower > bound) return GJK_BEYOND;
    }
    if (norm - lower <= OPEN * s.scale) return GJK_SEPARATED;
    if (isKnownVertex(s.w, slot)) return GJK_LIMIT;
    s.count = slot + 1;
  }
  return GJK_LIMIT;
}
