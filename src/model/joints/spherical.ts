/** Spherical joint: q = unit quaternion (x, y, z, w), v = angular velocity in the moving frame. Limits do not apply. */
import { multiplyQuat } from '../../math/quat.js';
import { expQuat, logQuat } from '../../math/so3.js';
import { constantSubspace } from './constant-subspace.js';
import { groupJacobians } from './group-jacobians.js';
import type { JointKind } from './joint-kind.js';
import { normalizeQuaternionAt, placeQuaternion, setRandomQuaternion } from './rotation.js';

const first = new Float64Array(4);
const second = new Float64Array(4);
const turn = new Float64Array(3);

/** w = log(a^-1 b), the short way round; quaternions of any non-zero length. */
export function quaternionDifference(w: Float64Array, a: Float64Array, b: Float64Array, iq: number): void {
  loadQuaternion(first, a, iq);
  loadQuaternion(second, b, iq);
  first[0] = -first[0];
  first[1] = -first[1];
  first[2] = -first[2];
  logQuat(w, multiplyQuat(first, first, second));
}

/** out = q exp(w), normalised. */
export function turnQuaternion(out: Float64Array, q: Float64Array, w: Float64Array, iq: number): void {
  loadQuaternion(first, q, iq);
  multiplyQuat(first, first, expQuat(second, w));
  normalizeQuaternionAt(first, first, 0);
  for (let i = 0; i < 4; i++) out[iq + i] = first[i];
}

function loadQuaternion(out: Float64Array, q: Float64Array, iq: number): void {
  for (let i = 0; i < 4; i++) out[i] = q[iq + i];
  normalizeQuaternionAt(out, out, 0);
}

export const spherical: JointKind = {
  name: 'spherical',
  nq: 4,
  nv: 3,
  unitCoordinates: 4,
  shiftCoordinates: 0,
  usesAxis: false,
  motion: 'general',
  isWrapped: true,
  group: 'rotation',
  largestShift: () => 0,
  place(out, outAt, _axis, _axisAt, q, iq) {
    placeQuaternion(out, outAt, q, iq);
    out[outAt + 9] = 0;
    out[outAt + 10] = 0;
    out[outAt + 11] = 0;
  },
  writeSubspace(out, outAt) {
    for (let i = 0; i < 18; i++) out[outAt + i] = i === 3 || i === 10 || i === 17 ? 1 : 0;
  },
  writeSubspaceRate: constantSubspace(3),
  setNeutral(out, iq) {
    out[iq] = 0;
    out[iq + 1] = 0;
    out[iq + 2] = 0;
    out[iq + 3] = 1;
  },
  integrate(out, q, v, iq, iv) {
    turn[0] = v[iv];
    turn[1] = v[iv + 1];
    turn[2] = v[iv + 2];
    turnQuaternion(out, q, turn, iq);
  },
  difference(out, a, b, iq, iv) {
    quaternionDifference(turn, a, b, iq);
    for (let i = 0; i < 3; i++) out[iv + i] = turn[i];
  },
  ...groupJacobians([3, 4, 5]),
  interpolate(out, a, b, t, iq) {
    quaternionDifference(turn, a, b, iq);
    for (let i = 0; i < 3; i++) turn[i] *= t;
    turnQuaternion(out, a, turn, iq);
  },
  squaredDistance(a, b, iq) {
    quaternionDifference(turn, a, b, iq);
    return turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2];
  },
  setRandom: (out, _lower, _upper, random, iq) => setRandomQuaternion(out, iq, random),
  clamp: (out, q, _lower, _upper, iq) => normalizeQuaternionAt(out, q, iq),
  normalize: normalizeQuaternionAt,
};
