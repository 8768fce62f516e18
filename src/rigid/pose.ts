/**
 * Poses of one body, x y z qx qy qz qw, and the motion between two of them: the body's origin goes straight, the body turns at a
 * constant rate about one axis by the shorter way (slerp).
 *
 * Planar poses are poses with z as given and a turn about z. Functions write `out` first, which may be an input.
 * Tested by motion.test.ts.
 */
import { slerpQuat } from '../math/quat.js';
import { atan2 } from '../math/scalar.js';

/** x y z qx qy qz qw. */
export type RigidPose = Float64Array;

const from = new Float64Array(4);
const to = new Float64Array(4);

/** The pose at t in [0, 1]; exactly a at 0 and, but for the quaternion's sign, exactly b at 1. */
export function interpolatePose(out: RigidPose, a: RigidPose, b: RigidPose, t: number): RigidPose {
  for (let k = 0; k < 4; k++) {
    from[k] = a[3 + k];
    to[k] = b[3 + k];
  }
  for (let k = 0; k < 3; k++) out[k] = t === 0 ? a[k] : t === 1 ? b[k] : a[k] + t * (b[k] - a[k]);
  if (t === 0 || t === 1) {
    for (let k = 0; k < 4; k++) out[3 + k] = t === 0 ? from[k] : to[k];
    return out;
  }
  slerpQuat(from, from, to, t);
  for (let k = 0; k < 4; k++) out[3 + k] = from[k];
  return out;
}

/** Angle between two orientations, in [0, pi], without the loss of digits that acos has. */
export function angleBetween(a: RigidPose, b: RigidPose): number {
  let minus = 0;
  let plus = 0;
  for (let k = 3; k < 7; k++) {
    const d = a[k] - b[k];
    const e = a[k] + b[k];
    minus += d * d;
    plus += e * e;
  }
  return 4 * atan2(Math.sqrt(Math.min(minus, plus)), Math.sqrt(Math.max(minus, plus)));
}

/** Unit axis, in world, about which the body turns from a to b; x where it does not turn. */
export function turnAxis(out: Float64Array, a: RigidPose, b: RigidPose): Float64Array {
  // b conj(a), vector part, of the shorter turn
  const dot = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6];
  const sign = dot < 0 ? -1 : 1;
  const x = sign * (-b[6] * a[3] + b[3] * a[6] - b[4] * a[5] + b[5] * a[4]);
  const y = sign * (-b[6] * a[4] + b[4] * a[6] - b[5] * a[3] + b[3] * a[5]);
  const z = sign * (-b[6] * a[5] + b[5] * a[6] - b[3] * a[4] + b[4] * a[3]);
  const n = Math.sqrt(x * x + y * y + z * z);
  out[0] = n > 0 ? x / n : 1;
  out[1] = n > 0 ? y / n : 0;
  out[2] = n > 0 ? z / n : 0;
  return out;
}

/** (|dp|^2 + (weight |dq|)^2)^(1/2), dq the shorter chord of unit quaternions: `weight` is the length of half a radian. */
export function poseDistance(a: RigidPose, b: RigidPose, weight: number): number {
  let sum = 0;
  let minus = 0;
  let plus = 0;
  for (let k = 0; k < 7; k++) {
    const d = a[k] - b[k];
    if (k < 3) sum += d * d;
    else {
      const e = a[k] + b[k];
      minus += d * d;
      plus += e * e;
    }
  }
  return Math.sqrt(sum + weight * weight * Math.min(minus, plus));
}
