// How long two moving convex shapes certainly stay apart: the gap along one direction, followed to where it closes.
//
// Method: 1. along a direction n the gap g(t) = min n . B(t) - max n . A(t) bounds the distance from below. A point's place
//   along n is a straight motion plus a sine, of second derivative K at most, so g(t) - K t^2 / 2 is concave: 2. between
//   two times g lies above the chord of its ends less K / 2 (t - t0) (t1 - t), a parabola; 3. the far end is the zero of
//   the tangent (Newton's method). When the parabola stays above the level, the far end is reached, else its first zero,
//   which is safe as well and next to the true one, because the step is short or the motion nearly straight; 4. repeat
//   until little of the gap is left.
// The direction may turn at a constant rate, as the features that it belongs to do: of a face that turns, a fixed normal
// soon meets a corner. The rate enters K; a turning direction is used where that costs less than half of the gap.
// Source: the bound by concavity and its use are ours; Mirtich 1996, "Impulse-based dynamic simulation of rigid body
//   systems", section 2.3, bounds the same gap by its first derivative.
// Frames: W; time is a fraction of the motion. Cost: two support points per evaluation, 2 to 6 evaluations. Never fails:
// where it ends is safe. Tests: src/narrowphase/cast.test.ts, test/oracle/casts.test.ts.
import { F64, s } from '../convex/convex-state';
import { Body, sinCos } from './moving-body';

/** The answer for a gap that does not close within the motion. */
export const NEVER: f64 = 2;

const MAX_STEPS = 24;
/** Steps shorter than this part of the motion leave the rest to the next direction. */
const LEAST_STEP = 1e-12;
/** Part of the gap that may be left. */
const LEFT = 0.05;
/** Part of the gap that a turning direction may cost. */
const TURNING_COST = 0.5;

/** The direction now, from A to B: at the end of a `followAxis` the one it ended with. */
export const axis = changetype<F64>(memory.data(24, 16));
/** What it turns by per unit of time. */
export const turn = changetype<F64>(memory.data(24, 16));
const start = changetype<F64>(memory.data(24, 16));
const side = changetype<F64>(memory.data(24, 16));
const sineCosine = changetype<F64>(memory.data(16, 16));

let gap: f64 = 0;
let closing: f64 = 0;

/** Gap and closing speed at the bodies' poses, `time` after the start of a direction that turns from `start` to `side`. */
function evaluate(a: Body, b: Body, rate: f64, time: f64): void {
  const A = a.X;
  const B = b.X;
  const x = B[9] - A[9];
  const y = B[10] - A[10];
  const z = B[11] - A[11];
  let turned: f64 = 0;
  if (rate == 0) {
    a.look(s.a, axis, 1);
    b.look(s.b, axis, -1);
  } else {
    sinCos(sineCosine, rate * time);
    const sine = sineCosine[0];
    const cosine = sineCosine[1];
    for (let k = 0; k < 3; k++) axis[k] = cosine * start[k] + sine * side[k];
    a.look(s.a, axis, 1);
    b.look(s.b, axis, -1);
    const p = a.arm;
    const q = b.arm;
    turned =
      rate *
      ((cosine * side[0] - sine * start[0]) * (p[0] - q[0] - x) +
        (cosine * side[1] - sine * start[1]) * (p[1] - q[1] - y) +
        (cosine * side[2] - sine * start[2]) * (p[2] - q[2] - z));
  }
  gap = axis[0] * x + axis[1] * y + axis[2] * z - a.reach - b.reach;
  closing = a.speed + b.speed + turned;
}

/** Bound of the gap's second derivative from time t on, along a direction that turns at `rate`. */
function bendTurning(a: Body, b: Body, rate: f64, t: f64, fastest: f64): f64 {
  const A = a.X;
  const B = b.X;
  const x = B[9] - A[9];
  const y = B[10] - A[10];
  const z = B[11] - A[11];
  const far = sqrt(x * x + y * y + z * z) + a.size + b.size + fastest * (1 - t);
  return rate * (rate * far + 2 * fastest) + a.angle * a.spin + b.angle * b.spin;
}

/**
 * The time up to which the gap along `axis` (a unit vector), turning by `turn`, certainly exceeds the level, starting at
 * `from` with the bodies there; NEVER when it does to the end. `fastest` bounds how fast any two points approach. Leaves
 * the bodies at that time, with the points that reached farthest at or near it.
 */
export function followAxis(a: Body, b: Body, from: f64, level: f64, fastest: f64): f64 {
  evaluate(a, b, 0, 0);
  let room = gap - level;
  if (room <= level) return from;
  let t = from;
  let bend = a.bendAlong(axis) + b.bendAlong(axis);
  if (bend == 0) {
    if (closing * (1 - t) < room) return NEVER;
    t += room / closing;
    a.moveTo(t);
    b.moveTo(t);
    return t;
  }
  const square = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2];
  let rate: f64 = 0;
  if (square > 0 && closing > 0) {
    const size = sqrt(square);
    const bound = bendTurning(a, b, size, t, fastest);
    if (0.5 * bound * room < TURNING_COST * closing * closing) {
      rate = size;
      bend = bound;
      for (let k = 0; k < 3; k++) {
        start[k] = axis[k];
        side[k] = turn[k] / size;
        closing += turn[k] * (a.arm[k] + a.X[9 + k] - b.arm[k] - b.X[9 + k]);
      }
    }
  }
  const least = max<f64>(level, LEFT * room);
  for (let step = 0; step < MAX_STEPS && room > least; step++) {
    const rest = 1 - t;
    const span = closing * rest > room ? room / closing : rest;
    const end = span == rest ? 1 : t + span;
    const before = gap;
    a.moveTo(end);
    b.moveTo(end);
    evaluate(a, b, rate, end - from);
    // room + slope x + fall x^2 over x in [0, 1] bounds the gap less the level.
    const fall = 0.5 * bend * span * span;
    const slope = gap - before - fall;
    const root = slope * slope - 4 * fall * room;
    const share = slope < 0 && root >= 0 ? (2 * room) / (sqrt(root) - slope) : 2;
    if (share > 1) {
      if (end == 1) return NEVER;
      t = end;
    } else {
      t += share * span;
      a.moveTo(t);
      b.moveTo(t);
      // The gap is no farther from the level than the parabola may be from the chord: nothing is left to follow.
      if (2 * fall * share * (1 - share) <= least || share * span < LEAST_STEP) return t;
      evaluate(a, b, rate, t - from);
    }
    room = gap - level;
  }
  return t;
}
