/**
 * Floating joint: q = (x, y, z, qx, qy, qz, qw), v = (linear, angular) velocity in the moving frame.
 * Integration is the exponential of SE(3) (right-plus); difference its logarithm.
 */
import { expSe3Parts, logSe3Parts } from '../../math/se3.js';
import { constantSubspace } from './constant-subspace.js';
import { groupJacobians } from './group-jacobians.js';
import type { JointKind } from './joint-kind.js';
import { largestMagnitude, sampleTranslation } from './line.js';
import { normalizeQuaternionAt, placeQuaternion, setRandomQuaternion } from './rotation.js';
import { quaternionDifference, turnQuaternion } from './spherical.js';

const rotation = new Float64Array(9);
const linear = new Float64Array(3);
const angular = new Float64Array(3);

export const floating: JointKind = {
  name: 'floating',
  nq: 7,
  nv: 6,
  unitCoordinates: 4,
  shiftCoordinates: 3,
  usesAxis: false,
  motion: 'general',
  isWrapped: true,
  group: 'rigid',
  largestShift(lower, upper, iq) {
    let squared = 0;
    for (let i = iq; i < iq + 3; i++) squared += largestMagnitude(lower, upper, i) ** 2;
    return Math.sqrt(squared);
  },
  place(out, outAt, _axis, _axisAt, q, iq) {
    placeQuaternion(out, outAt, q, iq + 3);
    out[outAt + 9] = q[iq];
    out[outAt + 10] = q[iq + 1];
    out[outAt + 11] = q[iq + 2];
  },
  writeSubspace(out, outAt) {
    for (let i = 0; i < 36; i++) out[outAt + i] = i % 7 === 0 ? 1 : 0;
  },
  writeSubspaceRate: constantSubspace(6),
  setNeutral(out, iq) {
    for (let i = 0; i < 7; i++) out[iq + i] = i === 6 ? 1 : 0;
  },
  integrate(out, q, v, iq, iv) {
    for (let i = 0; i < 3; i++) {
      linear[i] = v[iv + i];
      angular[i] = v[iv + 3 + i];
    }
    moveBody(out, q, iq);
  },
  difference(out, a, b, iq, iv) {
    bodyDifference(a, b, iq);
    for (let i = 0; i < 3; i++) {
      out[iv + i] = linear[i];
      out[iv + 3 + i] = angular[i];
    }
  },
  ...groupJacobians([0, 1, 2, 3, 4, 5]),
  interpolate(out, a, b, t, iq) {
    bodyDifference(a, b, iq);
    for (let i = 0; i < 3; i++) {
      linear[i] *= t;
      angular[i] *= t;
    }
    moveBody(out, a, iq);
  },
  squaredDistance(a, b, iq) {
    bodyDifference(a, b, iq);
    let sum = 0;
    for (let i = 0; i < 3; i++) sum += linear[i] * linear[i] + angular[i] * angular[i];
    return sum;
  },
  /** Without limits: position in [-1, 1] m on each axis; any orientation. */
  setRandom(out, lower, upper, random, iq) {
    for (let i = iq; i < iq + 3; i++) out[i] = sampleTranslation(lower[i], upper[i], random);
    setRandomQuaternion(out, iq + 3, random);
  },
  clamp(out, q, lower, upper, iq) {
    for (let i = iq; i < iq + 3; i++) out[i] = Math.min(Math.max(q[i], lower[i]), upper[i]);
    normalizeQuaternionAt(out, q, iq + 3);
  },
  normalize(out, q, iq) {
    for (let i = iq; i < iq + 3; i++) out[i] = q[i];
    normalizeQuaternionAt(out, q, iq + 3);
  },
};

/** out = q exp(linear, angular) */
function moveBody(out: Float64Array, q: Float64Array, iq: number): void {
  placeQuaternion(rotation, 0, q, iq + 3);
  expSe3Parts(linear, linear, angular);
  for (let i = 0; i < 3; i++) {
    out[iq + i] =
      q[iq + i] + rotation[3 * i] * linear[0] + rotation[3 * i + 1] * linear[1] + rotation[3 * i + 2] * linear[2];
  }
  turnQuaternion(out, q, angular, iq + 3);
}

/** (linear, angular) = log(a^-1 b) */
function bodyDifference(a: Float64Array, b: Float64Array, iq: number): void {
  quaternionDifference(angular, a, b, iq + 3);
  placeQuaternion(rotation, 0, a, iq + 3);
  const x = b[iq] - a[iq];
  const y = b[iq + 1] - a[iq + 1];
  const z = b[iq + 2] - a[iq + 2];
  for (let i = 0; i < 3; i++) linear[i] = rotation[i] * x + rotation[i + 3] * y + rotation[i + 6] * z;
  logSe3Parts(linear, linear, angular);
}
