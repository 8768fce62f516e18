/**
 * 3x3 matrices, nine numbers row-major: [r00 r01 r02 r10 r11 r12 r20 r21 r22].
 * `out` comes first and may alias any input.
 */
import { type MutableNumericArray, type NumericArray, setVec3 } from './vec3.js';

export type Mat3 = Float64Array;

export function createMat3(): Mat3 {
  return setIdentityMat3(new Float64Array(9));
}

export function setIdentityMat3<T extends MutableNumericArray>(out: T): T {
  for (let i = 0; i < 9; i++) out[i] = i % 4 === 0 ? 1 : 0;
  return out;
}

export function copyMat3<T extends MutableNumericArray>(out: T, a: NumericArray): T {
  for (let i = 0; i < 9; i++) out[i] = a[i];
  return out;
}

export function transposeMat3<T extends MutableNumericArray>(out: T, a: NumericArray): T {
  const a01 = a[1];
  const a02 = a[2];
  const a12 = a[5];
  out[0] = a[0];
  out[4] = a[4];
  out[8] = a[8];
  out[1] = a[3];
  out[2] = a[6];
  out[5] = a[7];
  out[3] = a01;
  out[6] = a02;
  out[7] = a12;
  return out;
}

/** out = a b */
export function multiplyMat3<T extends MutableNumericArray>(out: T, a: NumericArray, b: NumericArray): T {
  const b0 = b[0];
  const b1 = b[1];
  const b2 = b[2];
  const b3 = b[3];
  const b4 = b[4];
  const b5 = b[5];
  const b6 = b[6];
  const b7 = b[7];
  const b8 = b[8];
  for (let r = 0; r < 9; r += 3) {
    const x = a[r];
    const y = a[r + 1];
    const z = a[r + 2];
    out[r] = x * b0 + y * b3 + z * b6;
    out[r + 1] = x * b1 + y * b4 + z * b7;
    out[r + 2] = x * b2 + y * b5 + z * b8;
  }
  return out;
}

/** out = m v */
export function multiplyMat3Vec3<T extends MutableNumericArray>(out: T, m: NumericArray, v: NumericArray): T {
  const x = v[0];
  const y = v[1];
  const z = v[2];
  return setVec3(out, m[0] * x + m[1] * y + m[2] * z, m[3] * x + m[4] * y + m[5] * z, m[6] * x + m[7] * y + m[8] * z);
}

/** out = m^T v */
export function multiplyTransposedMat3Vec3<T extends MutableNumericArray>(out: T, m: NumericArray, v: NumericArray): T {
  const x = v[0];
  const y = v[1];
  const z = v[2];
  return setVec3(out, m[0] * x + m[3] * y + m[6] * z, m[1] * x + m[4] * y + m[7] * z, m[2] * x + m[5] * y + m[8] * z);
}

/** How far m is from a rotation: the largest entry of m m^T - I, Infinity for a mirror; NaN where an entry is. */
export function rotationError(m: NumericArray): number {
  let error = determinantMat3(m) <= 0 ? Infinity : 0;
  for (let i = 0; i < 9; i += 3)
    for (let j = i; j < 9; j += 3) {
      const product = m[i] * m[j] + m[i + 1] * m[j + 1] + m[i + 2] * m[j + 2];
      error = Math.max(error, Math.abs(product - (i === j ? 1 : 0)));
    }
  return error;
}

export function determinantMat3(m: NumericArray): number {
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
}
