/**
 * How closed forms answer: straight into a result, with the verdict where that is beyond doubt.
 * Frames: W world, that of the poses given.
 */
import { LONGEST } from '../geometry/shape-range.js';
import { TOUCHING } from '../math/tolerance.js';
import type { DistanceResult } from './query.js';

/** Room for the rounding of a few squares. */
const SURELY = 1 + 1e-12;
/** (x + y)^2 <= 2 (x^2 + y^2), and the largest of squares is no more than their sum: see touchingTolerance. */
const FARTHEST_TOUCHING = 2 * SURELY * TOUCHING * TOUCHING;
const LARGEST_SQUARE = LONGEST * LONGEST;

const number = new Float64Array(16);
/** The upper half of a number holds its sign. */
const halves = new Int32Array(number.buffer);
const VERDICTS: readonly boolean[] = [false, true];

/**
 * Verdict of `out.distance` by the default tolerance, to `out.collides`. `size`: the square of the pair's size, 4 x (sum of extents)^2
 * + squares of all coordinates; NaN where a number of either pose is not finite, of those too that do not matter. False, with any
 * verdict, when numbers must be looked at, or the tolerance itself.
 *
 * Without a branch: which way it goes is chance, known only at the end of the arithmetic, and processors that guessed wrong throw away
 * what they have begun of the next pair.
 */
export function decideTouching(out: DistanceResult, distance: number, size: number): boolean {
  number[0] = distance;
  out.collides = VERDICTS[halves[1] >>> 31];
  return size <= LARGEST_SQUARE && distance * distance > FARTHEST_TOUCHING * size;
}

/** x within +-half, without a branch as above. Errors are those of rounding x + half. */
export function clampToHalf(x: number, half: number): number {
  return 0.5 * (Math.abs(x + half) - Math.abs(x - half));
}

/** `from` as the answer of `out`, but for the verdict. */
export function copyAnswer(out: DistanceResult, from: DistanceResult): void {
  const { pointA, pointB, normal } = out;
  const { pointA: p, pointB: q, normal: n } = from;
  out.status = 'ok';
  out.distance = from.distance;
  out.featureA = -1;
  out.featureB = -1;
  normal[0] = n[0];
  normal[1] = n[1];
  normal[2] = n[2];
  pointA[0] = p[0];
  pointA[1] = p[1];
  pointA[2] = p[2];
  pointB[0] = q[0];
  pointB[1] = q[1];
  pointB[2] = q[2];
}
