/**
 * Planar joint: q = (x, y, cos, sin), v = (vx, vy, w) in the moving frame.
 *
 * The plane's basis (e1, e2, n) is the smallest rotation that carries z to the joint's axis n, so a joint with axis z moves
 * in its own x-y plane. Near -z that rotation would turn with the last digits of the axis: where n_z < -0.99 the basis is the half turn
 * about x, followed by the smallest rotation that carries -z to n. X_PM = shift by x e1 + y e2, then turn about n.
 * Integration is the exponential of SE(2): a constant v draws an arc.
 * Source: Sola, Deray, Atchuthan 2018, arXiv:1812.01537, equations (156)-(158).
 */
import { cosineCoefficient, cotangentCoefficient, sineCoefficient } from '../../math/so3.js';
import { constantSubspace } from './constant-subspace.js';
import { circleDifference, continuousCosSin, normalizeCircle, turnCircle } from './continuous-cos-sin.js';
import { groupJacobians } from './group-jacobians.js';
import type { JointKind } from './joint-kind.js';
import { largestMagnitude, sampleTranslation } from './line.js';

/** No axis of a file lies here but by intent: 8 degrees about -z. */
const NEAR_DOWN = -0.99;

const basis = new Float64Array(6);
const step = new Float64Array(3);

/** e1 and e2 of the plane with unit normal `axis`. */
function writePlaneBasis(axis: Float64Array, axisAt: number): void {
  const x = axis[axisAt];
  const y = axis[axisAt + 1];
  const z = axis[axisAt + 2];
  if (z < NEAR_DOWN) {
    // The smallest rotation from -z to n, of x and of -y.
    const k = 1 / (1 - z);
    basis[0] = 1 - k * x * x;
    basis[1] = -k * x * y;
    basis[2] = x;
    basis[3] = k * x * y;
    basis[4] = k * y * y - 1;
    basis[5] = -y;
    return;
  }
  const k = 1 / (1 + z);
  basis[0] = 1 - k * x * x;
  basis[1] = -k * x * y;
  basis[2] = -x;
  basis[3] = -k * x * y;
  basis[4] = 1 - k * y * y;
  basis[5] = -y;
}

export const planar: JointKind = {
  name: 'planar',
  nq: 4,
  nv: 3,
  unitCoordinates: 2,
  shiftCoordinates: 2,
  usesAxis: true,
  motion: 'general',
  isWrapped: true,
  group: 'plane',
  largestShift(lower, upper, iq) {
    const x = largestMagnitude(lower, upper, iq);
    const y = largestMagnitude(lower, upper, iq + 1);
    return Math.sqrt(x * x + y * y);
  },
  place(out, outAt, axis, axisAt, q, iq) {
    continuousCosSin.place(out, outAt, axis, axisAt, q, iq + 2);
    writePlaneBasis(axis, axisAt);
    for (let i = 0; i < 3; i++) out[outAt + 9 + i] = q[iq] * basis[i] + q[iq + 1] * basis[3 + i];
  },
  writeSubspace(out, outAt, axis, axisAt) {
    writePlaneBasis(axis, axisAt);
    for (let i = 0; i < 3; i++) {
      out[outAt + i] = basis[i];
      out[outAt + 3 + i] = 0;
      out[outAt + 6 + i] = basis[3 + i];
      out[outAt + 9 + i] = 0;
      out[outAt + 12 + i] = 0;
      out[outAt + 15 + i] = axis[axisAt + i];
    }
  },
  writeSubspaceRate: constantSubspace(3),
  setNeutral(out, iq) {
    out[iq] = 0;
    out[iq + 1] = 0;
    out[iq + 2] = 1;
    out[iq + 3] = 0;
  },
  integrate: (out, q, v, iq, iv) => movePlane(out, q, v, 1, iq, iv),
  difference(out, a, b, iq, iv) {
    planeDifference(a, b, iq);
    for (let i = 0; i < 3; i++) out[iv + i] = step[i];
  },
  ...groupJacobians([0, 1, 5]),
  interpolate(out, a, b, t, iq) {
    planeDifference(a, b, iq);
    movePlane(out, a, step, t, iq, 0);
  },
  squaredDistance(a, b, iq) {
    planeDifference(a, b, iq);
    return step[0] * step[0] + step[1] * step[1] + step[2] * step[2];
  },
  /** Without limits: x and y in [-1, 1] m; any heading. */
  setRandom(out, lower, upper, random, iq) {
    out[iq] = sampleTranslation(lower[iq], upper[iq], random);
    out[iq + 1] = sampleTranslation(lower[iq + 1], upper[iq + 1], random);
    continuousCosSin.setRandom(out, lower, upper, random, iq + 2);
  },
  clamp(out, q, lower, upper, iq) {
    for (let i = iq; i < iq + 2; i++) out[i] = Math.min(Math.max(q[i], lower[i]), upper[i]);
    normalizeCircle(out, q, iq + 2);
  },
  normalize(out, q, iq) {
    out[iq] = q[iq];
    out[iq + 1] = q[iq + 1];
    normalizeCircle(out, q, iq + 2);
  },
};

/** out = q exp(t v) */
function movePlane(out: Float64Array, q: Float64Array, v: Float64Array, t: number, iq: number, iv: number): void {
  const w = t * v[iv + 2];
  // V(w) = [[sin w/w, -(1 - cos w)/w], [(1 - cos w)/w, sin w/w]]
  const theta = Math.abs(w);
  const diagonal = 1 - w * w * sineCoefficient(theta);
  const off = w * cosineCoefficient(theta);
  const x = t * (diagonal * v[iv] - off * v[iv + 1]);
  const y = t * (off * v[iv] + diagonal * v[iv + 1]);
  normalizeCircle(out, q, iq + 2);
  const c = out[iq + 2];
  const s = out[iq + 3];
  const px = q[iq] + c * x - s * y;
  out[iq + 1] = q[iq + 1] + s * x + c * y;
  out[iq] = px;
  turnCircle(out, out, w, iq + 2);
}

/** step = log(a^-1 b) */
function planeDifference(a: Float64Array, b: Float64Array, iq: number): void {
  const w = circleDifference(a, b, iq + 2);
  const n = Math.sqrt(a[iq + 2] * a[iq + 2] + a[iq + 3] * a[iq + 3]);
  const c = n > 0 ? a[iq + 2] / n : 1;
  const s = n > 0 ? a[iq + 3] / n : 0;
  const dx = b[iq] - a[iq];
  const dy = b[iq + 1] - a[iq + 1];
  const x = c * dx + s * dy;
  const y = c * dy - s * dx;
  // V(w)^-1 = [[k, w/2], [-w/2, k]], k = (w/2) cot(w/2)
  const k = 1 - w * w * cotangentCoefficient(Math.abs(w));
  step[0] = k * x + 0.5 * w * y;
  step[1] = k * y - 0.5 * w * x;
  step[2] = w;
}
