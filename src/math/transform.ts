/**
 * Rigid transforms X_AB (pose of frame B in frame A) as twelve numbers:
 *
 *   index  0..8   R_AB, rotation matrix, row-major
 *   index  9..11  p_AB, origin of B expressed in A
 *
 * `out` comes first and may alias any input. The ...At forms work in place on flat arrays with
 * stride TRANSFORM_STRIDE. A pose is the seven numbers [x, y, z, qx, qy, qz, qw].
 */
import { mat3ToQuat, normalizeQuat, quatToMat3, setQuat } from './quat.js';
import { cos, sin } from './scalar.js';
import { type MutableNumericArray, type NumericArray, setVec3 } from './vec3.js';

export type Transform = Float64Array;
/** [x, y, z, qx, qy, qz, qw], metres and unit quaternion, scalar last. */
export type Pose = readonly [number, number, number, number, number, number, number];

export const TRANSFORM_STRIDE = 12;

export function createTransform(): Transform {
  return setIdentityTransform(new Float64Array(TRANSFORM_STRIDE));
}

export function setIdentityTransform<T extends MutableNumericArray>(out: T): T {
  for (let i = 0; i < 12; i++) out[i] = i === 0 || i === 4 || i === 8 ? 1 : 0;
  return out;
}

export function copyTransform<T extends MutableNumericArray>(out: T, a: NumericArray): T {
  for (let i = 0; i < 12; i++) out[i] = a[i];
  return out;
}

export function copyTransformAt(out: MutableNumericArray, outAt: number, a: NumericArray, aAt: number): void {
  out[outAt] = a[aAt];
  out[outAt + 1] = a[aAt + 1];
  out[outAt + 2] = a[aAt + 2];
  out[outAt + 3] = a[aAt + 3];
  out[outAt + 4] = a[aAt + 4];
  out[outAt + 5] = a[aAt + 5];
  out[outAt + 6] = a[aAt + 6];
  out[outAt + 7] = a[aAt + 7];
  out[outAt + 8] = a[aAt + 8];
  out[outAt + 9] = a[aAt + 9];
  out[outAt + 10] = a[aAt + 10];
  out[outAt + 11] = a[aAt + 11];
}

/** X_AC = X_AB X_BC */
export function multiplyTransform<T extends MutableNumericArray>(out: T, a: NumericArray, b: NumericArray): T {
  multiplyTransformAt(out, 0, a, 0, b, 0);
  return out;
}

/** X_AC = X_AB X_BC on flat arrays; the ranges may coincide but not partly overlap. */
export function multiplyTransformAt(
  out: MutableNumericArray,
  outAt: number,
  a: NumericArray,
  aAt: number,
  b: NumericArray,
  bAt: number,
): void {
  const b0 = b[bAt];
  const b1 = b[bAt + 1];
  const b2 = b[bAt + 2];
  const b3 = b[bAt + 3];
  const b4 = b[bAt + 4];
  const b5 = b[bAt + 5];
  const b6 = b[bAt + 6];
  const b7 = b[bAt + 7];
  const b8 = b[bAt + 8];
  const x = b[bAt + 9];
  const y = b[bAt + 10];
  const z = b[bAt + 11];
  const px = a[aAt + 9];
  const py = a[aAt + 10];
  const pz = a[aAt + 11];
  let a0 = a[aAt];
  let a1 = a[aAt + 1];
  let a2 = a[aAt + 2];
  out[outAt] = a0 * b0 + a1 * b3 + a2 * b6;
  out[outAt + 1] = a0 * b1 + a1 * b4 + a2 * b7;
  out[outAt + 2] = a0 * b2 + a1 * b5 + a2 * b8;
  out[outAt + 9] = a0 * x + a1 * y + a2 * z + px;
  a0 = a[aAt + 3];
  a1 = a[aAt + 4];
  a2 = a[aAt + 5];
  out[outAt + 3] = a0 * b0 + a1 * b3 + a2 * b6;
  out[outAt + 4] = a0 * b1 + a1 * b4 + a2 * b7;
  out[outAt + 5] = a0 * b2 + a1 * b5 + a2 * b8;
  out[outAt + 10] = a0 * x + a1 * y + a2 * z + py;
  a0 = a[aAt + 6];
  a1 = a[aAt + 7];
  a2 = a[aAt + 8];
  out[outAt + 6] = a0 * b0 + a1 * b3 + a2 * b6;
  out[outAt + 7] = a0 * b1 + a1 * b4 + a2 * b7;
  out[outAt + 8] = a0 * b2 + a1 * b5 + a2 * b8;
  out[outAt + 11] = a0 * x + a1 * y + a2 * z + pz;
}

/** X_BA from X_AB */
export function invertTransform<T extends MutableNumericArray>(out: T, a: NumericArray): T {
  const r0 = a[0];
  const r1 = a[1];
  const r2 = a[2];
  const r3 = a[3];
  const r4 = a[4];
  const r5 = a[5];
  const r6 = a[6];
  const r7 = a[7];
  const r8 = a[8];
  const x = a[9];
  const y = a[10];
  const z = a[11];
  out[0] = r0;
  out[1] = r3;
  out[2] = r6;
  out[3] = r1;
  out[4] = r4;
  out[5] = r7;
  out[6] = r2;
  out[7] = r5;
  out[8] = r8;
  out[9] = -(r0 * x + r3 * y + r6 * z);
  out[10] = -(r1 * x + r4 * y + r7 * z);
  out[11] = -(r2 * x + r5 * y + r8 * z);
  return out;
}

/** X_BC = X_AB^-1 X_AC */
export function relativeTransform<T extends MutableNumericArray>(out: T, a: NumericArray, b: NumericArray): T {
  relativeTransformAt(out, 0, a, b);
  return out;
}

/** X_BC = X_AB^-1 X_AC into a flat array at `at`. */
export function relativeTransformAt(out: MutableNumericArray, at: number, a: NumericArray, b: NumericArray): void {
  const a0 = a[0];
  const a1 = a[1];
  const a2 = a[2];
  const a3 = a[3];
  const a4 = a[4];
  const a5 = a[5];
  const a6 = a[6];
  const a7 = a[7];
  const a8 = a[8];
  const x = b[9] - a[9];
  const y = b[10] - a[10];
  const z = b[11] - a[11];
  const b0 = b[0];
  const b1 = b[1];
  const b2 = b[2];
  const b3 = b[3];
  const b4 = b[4];
  const b5 = b[5];
  const b6 = b[6];
  const b7 = b[7];
  const b8 = b[8];
  out[at] = a0 * b0 + a3 * b3 + a6 * b6;
  out[at + 1] = a0 * b1 + a3 * b4 + a6 * b7;
  out[at + 2] = a0 * b2 + a3 * b5 + a6 * b8;
  out[at + 3] = a1 * b0 + a4 * b3 + a7 * b6;
  out[at + 4] = a1 * b1 + a4 * b4 + a7 * b7;
  out[at + 5] = a1 * b2 + a4 * b5 + a7 * b8;
  out[at + 6] = a2 * b0 + a5 * b3 + a8 * b6;
  out[at + 7] = a2 * b1 + a5 * b4 + a8 * b7;
  out[at + 8] = a2 * b2 + a5 * b5 + a8 * b8;
  out[at + 9] = a0 * x + a3 * y + a6 * z;
  out[at + 10] = a1 * x + a4 * y + a7 * z;
  out[at + 11] = a2 * x + a5 * y + a8 * z;
}

/** p_AQ = X_AB p_BQ */
export function transformPoint<T extends MutableNumericArray>(out: T, X: NumericArray, p: NumericArray): T {
  const x = p[0];
  const y = p[1];
  const z = p[2];
  return setVec3(
    out,
    X[0] * x + X[1] * y + X[2] * z + X[9],
    X[3] * x + X[4] * y + X[5] * z + X[10],
    X[6] * x + X[7] * y + X[8] * z + X[11],
  );
}

/** p_BQ = X_AB^-1 p_AQ */
export function inverseTransformPoint<T extends MutableNumericArray>(out: T, X: NumericArray, p: NumericArray): T {
  const x = p[0] - X[9];
  const y = p[1] - X[10];
  const z = p[2] - X[11];
  return setVec3(out, X[0] * x + X[3] * y + X[6] * z, X[1] * x + X[4] * y + X[7] * z, X[2] * x + X[5] * y + X[8] * z);
}

const quaternion = new Float64Array(4);

/** Transform of a pose; the quaternion is normalised. */
export function poseToTransform<T extends MutableNumericArray>(out: T, pose: NumericArray): T {
  const x = pose[0];
  const y = pose[1];
  const z = pose[2];
  normalizeQuat(quaternion, setQuat(quaternion, pose[3], pose[4], pose[5], pose[6]));
  quatToMat3(out, quaternion);
  out[9] = x;
  out[10] = y;
  out[11] = z;
  return out;
}

/** Pose [x, y, z, qx, qy, qz, qw] of a transform, qw >= 0. */
export function transformToPose<T extends MutableNumericArray>(out: T, X: NumericArray): T {
  mat3ToQuat(quaternion, X);
  out[0] = X[9];
  out[1] = X[10];
  out[2] = X[11];
  out[3] = quaternion[0];
  out[4] = quaternion[1];
  out[5] = quaternion[2];
  out[6] = quaternion[3];
  return out;
}

/** URDF `xyz rpy`: R = Rz(yaw) Ry(pitch) Rx(roll), radians. */
export function originToTransform<T extends MutableNumericArray>(out: T, xyz: NumericArray, rpy: NumericArray): T {
  const x = xyz[0];
  const y = xyz[1];
  const z = xyz[2];
  const sr = sin(rpy[0]);
  const cr = cos(rpy[0]);
  const sp = sin(rpy[1]);
  const cp = cos(rpy[1]);
  const sy = sin(rpy[2]);
  const cy = cos(rpy[2]);
  out[0] = cy * cp;
  out[1] = cy * sp * sr - sy * cr;
  out[2] = cy * sp * cr + sy * sr;
  out[3] = sy * cp;
  out[4] = sy * sp * sr + cy * cr;
  out[5] = sy * sp * cr - cy * sr;
  out[6] = -sp;
  out[7] = cp * sr;
  out[8] = cp * cr;
  out[9] = x;
  out[10] = y;
  out[11] = z;
  return out;
}
