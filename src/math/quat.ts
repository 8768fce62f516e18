/**
 * Unit quaternions [x, y, z, w] (scalar last, Hamilton product).
 * `out` comes first and may alias any input.
 * Source: Shepperd 1978, "Quaternion from rotation matrix", doi:10.2514/3.55767b; Shoemake 1985 (slerp).
 */
import { atan2, cos, sin } from './scalar.js';
import type { MutableNumericArray, NumericArray } from './vec3.js';

export type Quat = Float64Array;

export function createQuat(x = 0, y = 0, z = 0, w = 1): Quat {
  return setQuat(new Float64Array(4), x, y, z, w);
}

export function setQuat<T extends MutableNumericArray>(out: T, x: number, y: number, z: number, w: number): T {
  out[0] = x;
  out[1] = y;
  out[2] = z;
  out[3] = w;
  return out;
}

/** out = a b: the rotation that applies b first. */
export function multiplyQuat<T extends MutableNumericArray>(out: T, a: NumericArray, b: NumericArray): T {
  const ax = a[0];
  const ay = a[1];
  const az = a[2];
  const aw = a[3];
  const bx = b[0];
  const by = b[1];
  const bz = b[2];
  const bw = b[3];
  return setQuat(
    out,
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  );
}

export function conjugateQuat<T extends MutableNumericArray>(out: T, a: NumericArray): T {
  return setQuat(out, -a[0], -a[1], -a[2], a[3]);
}

/** out = a / |a|; the zero quaternion becomes the identity. */
export function normalizeQuat<T extends MutableNumericArray>(out: T, a: NumericArray): T {
  // Scaled first: squares neither overflow nor underflow, and no Math.hypot, whose bits differ between engines.
  const m = Math.max(Math.abs(a[0]), Math.abs(a[1]), Math.abs(a[2]), Math.abs(a[3]));
  if (m === 0) return setQuat(out, 0, 0, 0, 1);
  const x = a[0] / m;
  const y = a[1] / m;
  const z = a[2] / m;
  const w = a[3] / m;
  const n = Math.sqrt(x * x + y * y + z * z + w * w);
  return setQuat(out, x / n, y / n, z / n, w / n);
}

/** Row-major rotation matrix of a unit quaternion. */
export function quatToMat3<T extends MutableNumericArray>(out: T, q: NumericArray): T {
  const x = q[0];
  const y = q[1];
  const z = q[2];
  const w = q[3];
  out[0] = 1 - 2 * (y * y + z * z);
  out[1] = 2 * (x * y - z * w);
  out[2] = 2 * (x * z + y * w);
  out[3] = 2 * (x * y + z * w);
  out[4] = 1 - 2 * (x * x + z * z);
  out[5] = 2 * (y * z - x * w);
  out[6] = 2 * (x * z - y * w);
  out[7] = 2 * (y * z + x * w);
  out[8] = 1 - 2 * (x * x + y * y);
  return out;
}

/** Unit quaternion of a rotation matrix, w >= 0. Shepperd: divide by the largest component, so no branch is singular. */
export function mat3ToQuat<T extends MutableNumericArray>(out: T, m: NumericArray): T {
  const m00 = m[0];
  const m11 = m[4];
  const m22 = m[8];
  const t = m00 + m11 + m22;
  let x: number;
  let y: number;
  let z: number;
  let w: number;
  if (t >= m00 && t >= m11 && t >= m22) {
    w = 1 + t;
    x = m[7] - m[5];
    y = m[2] - m[6];
    z = m[3] - m[1];
  } else if (m00 >= m11 && m00 >= m22) {
    x = 1 + m00 - m11 - m22;
    y = m[1] + m[3];
    z = m[2] + m[6];
    w = m[7] - m[5];
  } else if (m11 >= m22) {
    y = 1 + m11 - m00 - m22;
    x = m[1] + m[3];
    z = m[5] + m[7];
    w = m[2] - m[6];
  } else {
    z = 1 + m22 - m00 - m11;
    x = m[2] + m[6];
    y = m[5] + m[7];
    w = m[3] - m[1];
  }
  const n = (w < 0 ? -1 : 1) / Math.sqrt(x * x + y * y + z * z + w * w);
  return setQuat(out, x * n, y * n, z * n, w * n);
}

/** Rotation by angle (radians) about a unit axis. */
export function axisAngleToQuat<T extends MutableNumericArray>(out: T, axis: NumericArray, angle: number): T {
  const s = sin(0.5 * angle);
  return setQuat(out, axis[0] * s, axis[1] * s, axis[2] * s, cos(0.5 * angle));
}

/** Writes the unit axis and returns the angle in [0, pi]; the axis of no turn is x. Small angles keep their digits. */
export function quatToAxisAngle(axis: MutableNumericArray, q: NumericArray): number {
  const sign = q[3] < 0 ? -1 : 1;
  const n = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  axis[0] = n > 0 ? (sign * q[0]) / n : 1;
  axis[1] = n > 0 ? (sign * q[1]) / n : 0;
  axis[2] = n > 0 ? (sign * q[2]) / n : 0;
  return 2 * atan2(n, sign * q[3]);
}

/** Shortest-arc spherical interpolation, exact at t = 0 and t = 1 up to sign. */
export function slerpQuat<T extends MutableNumericArray>(out: T, a: NumericArray, b: NumericArray, t: number): T {
  const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = dot < 0 ? -1 : 1;
  // |a - sb| and |a + sb| give the angle without acos, which loses half the digits near 0.
  let minus = 0;
  let plus = 0;
  for (let i = 0; i < 4; i++) {
    const d = a[i] - sign * b[i];
    const e = a[i] + sign * b[i];
    minus += d * d;
    plus += e * e;
  }
  const angle = 2 * atan2(Math.sqrt(minus), Math.sqrt(plus));
  const s = sin(angle);
  const wa = s < 1e-12 ? 1 - t : sin((1 - t) * angle) / s;
  const wb = sign * (s < 1e-12 ? t : sin(t * angle) / s);
  const x = wa * a[0] + wb * b[0];
  const y = wa * a[1] + wb * b[1];
  const z = wa * a[2] + wb * b[2];
  const w = wa * a[3] + wb * b[3];
  return normalizeQuat(setQuat(out, x, y, z, w), out);
}
