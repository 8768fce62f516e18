/**
 * Continuous joint on the unit circle: q = (cos, sin) of the angle, v = angular rate. No coordinate jumps at pi; pairs
 * need not be normalised, (0, 0) reads as angle 0. Position limits do not apply.
 */
import { atan2, cos, sin } from '../../math/scalar.js';
import type { JointKind } from './joint-kind.js';
import { lineJacobians } from './line.js';
import { revolute } from './revolute.js';
import { placeRotation } from './rotation.js';

/** Angle from a to b in [-pi, pi]; independent of the lengths of the pairs. */
export function circleDifference(a: Float64Array, b: Float64Array, at: number): number {
  return atan2(a[at] * b[at + 1] - a[at + 1] * b[at], a[at] * b[at] + a[at + 1] * b[at + 1]);
}

export function normalizeCircle(out: Float64Array, q: Float64Array, at: number): void {
  const n = Math.sqrt(q[at] * q[at] + q[at + 1] * q[at + 1]);
  const c = n > 0 ? q[at] / n : 1;
  out[at + 1] = n > 0 ? q[at + 1] / n : 0;
  out[at] = c;
}

/** Turns the pair by an angle; the length stays 1 however often it is applied. */
export function turnCircle(out: Float64Array, q: Float64Array, angle: number, at: number): void {
  const c = cos(angle);
  const s = sin(angle);
  const x = q[at] * c - q[at + 1] * s;
  out[at + 1] = q[at] * s + q[at + 1] * c;
  out[at] = x;
  normalizeCircle(out, out, at);
}

export const continuousCosSin: JointKind = {
  name: 'continuous-cos-sin',
  nq: 2,
  nv: 1,
  unitCoordinates: 2,
  shiftCoordinates: 0,
  usesAxis: true,
  motion: 'general',
  isWrapped: true,
  group: 'circle',
  largestShift: () => 0,
  place(out, outAt, axis, axisAt, q, iq) {
    const n = Math.sqrt(q[iq] * q[iq] + q[iq + 1] * q[iq + 1]);
    placeRotation(out, outAt, axis, axisAt, n > 0 ? q[iq] / n : 1, n > 0 ? q[iq + 1] / n : 0);
  },
  writeSubspace: revolute.writeSubspace,
  writeSubspaceRate: revolute.writeSubspaceRate,
  setNeutral(out, iq) {
    out[iq] = 1;
    out[iq + 1] = 0;
  },
  integrate: (out, q, v, iq, iv) => turnCircle(out, q, v[iv], iq),
  difference(out, a, b, iq, iv) {
    out[iv] = circleDifference(a, b, iq);
  },
  ...lineJacobians,
  interpolate: (out, a, b, t, iq) => turnCircle(out, a, t * circleDifference(a, b, iq), iq),
  squaredDistance(a, b, iq) {
    const angle = circleDifference(a, b, iq);
    return angle * angle;
  },
  setRandom(out, _lower, _upper, random, iq) {
    const angle = random.uniform(-Math.PI, Math.PI);
    out[iq] = cos(angle);
    out[iq + 1] = sin(angle);
  },
  clamp: (out, q, _lower, _upper, iq) => normalizeCircle(out, q, iq),
  normalize: normalizeCircle,
};
