/** One real coordinate: what joints of one angle or shift share. */
import type { Random } from '../../math/random.js';

/** Stands in for an absent bound when sampling a prismatic joint: the range is at most this far from the other bound. */
const UNBOUNDED_REACH = 1;

export function integrateLine(out: Float64Array, q: Float64Array, v: Float64Array, iq: number, iv: number): void {
  out[iq] = q[iq] + v[iv];
}

export function differenceLine(out: Float64Array, a: Float64Array, b: Float64Array, iq: number, iv: number): void {
  out[iv] = b[iq] - a[iq];
}

/** Jacobians of integrate and difference where both are sums: 1, and -1 by the start of a difference. */
export const lineJacobians = {
  writeIntegrateJacobian(out: Float64Array, at: number): void {
    out[at] = 1;
  },
  writeDifferenceJacobian(
    out: Float64Array,
    at: number,
    _stride: number,
    _d: Float64Array,
    _id: number,
    by: 'a' | 'b',
  ): void {
    out[at] = by === 'b' ? 1 : -1;
  },
};

/** The largest |q[iq]| within the bounds. */
export function largestMagnitude(lower: Float64Array, upper: Float64Array, iq: number): number {
  return Math.max(Math.abs(lower[iq]), Math.abs(upper[iq]));
}

/** Exact at both ends: t = 1 gives b's own bits. */
export function interpolateLine(out: Float64Array, a: Float64Array, b: Float64Array, t: number, iq: number): void {
  out[iq] = t === 1 ? b[iq] : a[iq] + t * (b[iq] - a[iq]);
}

export function squaredDistanceLine(a: Float64Array, b: Float64Array, iq: number): number {
  const d = b[iq] - a[iq];
  return d * d;
}

/** A missing bound is replaced by the other one moved by 2 reach; with neither, the range is [-reach, reach]. */
export function sampleLine(lower: number, upper: number, reach: number, random: Random): number {
  let from = lower;
  let to = upper;
  if (from === Number.NEGATIVE_INFINITY) from = to === Number.POSITIVE_INFINITY ? -reach : to - 2 * reach;
  // What is locked takes no draw: the others' draws are those of the robot with a fixed joint.
  if (from === to) return from;
  if (to === Number.POSITIVE_INFINITY) to = lower === Number.NEGATIVE_INFINITY ? reach : from + 2 * reach;
  return Math.min(to, from + (to - from) * random.next());
}

export function sampleTranslation(lower: number, upper: number, random: Random): number {
  return sampleLine(lower, upper, UNBOUNDED_REACH, random);
}

export function clampLine(
  out: Float64Array,
  q: Float64Array,
  lower: Float64Array,
  upper: Float64Array,
  iq: number,
): void {
  out[iq] = Math.min(Math.max(q[iq], lower[iq]), upper[iq]);
}
