/**
 * Rigid-body inertia as mass (kg), centre of mass (3) and the 3x3 rotational inertia about the centre of mass, row-major.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", section 2.13, doi:10.1007/978-1-4899-7560-7.
 */
import type { MutableNumericArray, NumericArray } from './vec3.js';

/** The full symmetric matrix of [ixx, ixy, ixz, iyy, iyz, izz]. */
export function expandSymmetric<T extends MutableNumericArray>(out: T, packed: NumericArray): T {
  const ixx = packed[0];
  const ixy = packed[1];
  const ixz = packed[2];
  const iyy = packed[3];
  const iyz = packed[4];
  const izz = packed[5];
  out[0] = ixx;
  out[1] = ixy;
  out[2] = ixz;
  out[3] = ixy;
  out[4] = iyy;
  out[5] = iyz;
  out[6] = ixz;
  out[7] = iyz;
  out[8] = izz;
  return out;
}

/** out = R I R^T: inertia seen in turned axes, about the same point. */
export function rotateInertia<T extends MutableNumericArray>(out: T, R: NumericArray, I: NumericArray): T {
  const t = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      t[3 * r + c] = R[3 * r] * I[c] + R[3 * r + 1] * I[3 + c] + R[3 * r + 2] * I[6 + c];
    }
  }
  const r0 = R[0];
  const r1 = R[1];
  const r2 = R[2];
  const r3 = R[3];
  const r4 = R[4];
  const r5 = R[5];
  const r6 = R[6];
  const r7 = R[7];
  const r8 = R[8];
  out[0] = t[0] * r0 + t[1] * r1 + t[2] * r2;
  out[4] = t[3] * r3 + t[4] * r4 + t[5] * r5;
  out[8] = t[6] * r6 + t[7] * r7 + t[8] * r8;
  out[1] = t[0] * r3 + t[1] * r4 + t[2] * r5;
  out[2] = t[0] * r6 + t[1] * r7 + t[2] * r8;
  out[5] = t[3] * r6 + t[4] * r7 + t[5] * r8;
  out[3] = out[1];
  out[6] = out[2];
  out[7] = out[5];
  return out;
}

/** Adds mass (|r|^2 I - r r^T), the inertia of a point mass at r (parallel-axis theorem), to the 9 numbers at outAt. */
export function addPointInertiaAt(
  out: MutableNumericArray,
  outAt: number,
  mass: number,
  x: number,
  y: number,
  z: number,
): void {
  out[outAt] += mass * (y * y + z * z);
  out[outAt + 4] += mass * (x * x + z * z);
  out[outAt + 8] += mass * (x * x + y * y);
  out[outAt + 1] -= mass * x * y;
  out[outAt + 3] -= mass * x * y;
  out[outAt + 2] -= mass * x * z;
  out[outAt + 6] -= mass * x * z;
  out[outAt + 5] -= mass * y * z;
  out[outAt + 7] -= mass * y * z;
}
