/**
 * Spatial (6-D) vectors: motions [v, w] and forces [f, n], linear part first, and their change of frame.
 *
 * With X_AB = (R, p):
 *   motion   v_A = R v_B + p x (R w_B),   w_A = R w_B
 *   force    f_A = R f_B,                 n_A = R n_B + p x (R f_B)
 * Power f . v + n . w is the same in both frames. A motion is read at the frame's origin: v is the velocity of the body
 * point that passes through it.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", sections 2.8 and 2.9, doi:10.1007/978-1-4899-7560-7
 * (angular part first there); Lynch, Park 2017, "Modern robotics", section 3.3.
 * `out` comes first and may alias any input. Cost: constant, no allocation.
 * Tested by operations.test.ts and test/oracle/lie.test.ts.
 */
import type { MutableNumericArray, NumericArray } from './vec3.js';

export type Motion = Float64Array;
export type Force = Float64Array;

/** V_A = Ad(X_AB) V_B */
export function transformMotion<T extends MutableNumericArray>(out: T, X: NumericArray, m: NumericArray): T {
  const vx = X[0] * m[0] + X[1] * m[1] + X[2] * m[2];
  const vy = X[3] * m[0] + X[4] * m[1] + X[5] * m[2];
  const vz = X[6] * m[0] + X[7] * m[1] + X[8] * m[2];
  const wx = X[0] * m[3] + X[1] * m[4] + X[2] * m[5];
  const wy = X[3] * m[3] + X[4] * m[4] + X[5] * m[5];
  const wz = X[6] * m[3] + X[7] * m[4] + X[8] * m[5];
  out[0] = vx + X[10] * wz - X[11] * wy;
  out[1] = vy + X[11] * wx - X[9] * wz;
  out[2] = vz + X[9] * wy - X[10] * wx;
  out[3] = wx;
  out[4] = wy;
  out[5] = wz;
  return out;
}

/** V_B = Ad(X_AB)^-1 V_A */
export function inverseTransformMotion<T extends MutableNumericArray>(out: T, X: NumericArray, m: NumericArray): T {
  const wx = m[3];
  const wy = m[4];
  const wz = m[5];
  const vx = m[0] - (X[10] * wz - X[11] * wy);
  const vy = m[1] - (X[11] * wx - X[9] * wz);
  const vz = m[2] - (X[9] * wy - X[10] * wx);
  out[0] = X[0] * vx + X[3] * vy + X[6] * vz;
  out[1] = X[1] * vx + X[4] * vy + X[7] * vz;
  out[2] = X[2] * vx + X[5] * vy + X[8] * vz;
  out[3] = X[0] * wx + X[3] * wy + X[6] * wz;
  out[4] = X[1] * wx + X[4] * wy + X[7] * wz;
  out[5] = X[2] * wx + X[5] * wy + X[8] * wz;
  return out;
}

/** F_A = Ad(X_AB)^-T F_B */
export function transformForce<T extends MutableNumericArray>(out: T, X: NumericArray, f: NumericArray): T {
  const fx = X[0] * f[0] + X[1] * f[1] + X[2] * f[2];
  const fy = X[3] * f[0] + X[4] * f[1] + X[5] * f[2];
  const fz = X[6] * f[0] + X[7] * f[1] + X[8] * f[2];
  const nx = X[0] * f[3] + X[1] * f[4] + X[2] * f[5];
  const ny = X[3] * f[3] + X[4] * f[4] + X[5] * f[5];
  const nz = X[6] * f[3] + X[7] * f[4] + X[8] * f[5];
  out[0] = fx;
  out[1] = fy;
  out[2] = fz;
  out[3] = nx + X[10] * fz - X[11] * fy;
  out[4] = ny + X[11] * fx - X[9] * fz;
  out[5] = nz + X[9] * fy - X[10] * fx;
  return out;
}

/** F_B = Ad(X_AB)^T F_A */
export function inverseTransformForce<T extends MutableNumericArray>(out: T, X: NumericArray, f: NumericArray): T {
  const fx = f[0];
  const fy = f[1];
  const fz = f[2];
  const nx = f[3] - (X[10] * fz - X[11] * fy);
  const ny = f[4] - (X[11] * fx - X[9] * fz);
  const nz = f[5] - (X[9] * fy - X[10] * fx);
  out[0] = X[0] * fx + X[3] * fy + X[6] * fz;
  out[1] = X[1] * fx + X[4] * fy + X[7] * fz;
  out[2] = X[2] * fx + X[5] * fy + X[8] * fz;
  out[3] = X[0] * nx + X[3] * ny + X[6] * nz;
  out[4] = X[1] * nx + X[4] * ny + X[7] * nz;
  out[5] = X[2] * nx + X[5] * ny + X[8] * nz;
  return out;
}

/** out = a x b, both motions: [w_a x v_b + v_a x w_b, w_a x w_b]. */
export function crossMotion<T extends MutableNumericArray>(out: T, a: NumericArray, b: NumericArray): T {
  const x = a[4] * b[2] - a[5] * b[1] + a[1] * b[5] - a[2] * b[4];
  const y = a[5] * b[0] - a[3] * b[2] + a[2] * b[3] - a[0] * b[5];
  const z = a[3] * b[1] - a[4] * b[0] + a[0] * b[4] - a[1] * b[3];
  const u = a[4] * b[5] - a[5] * b[4];
  const v = a[5] * b[3] - a[3] * b[5];
  const w = a[3] * b[4] - a[4] * b[3];
  out[0] = x;
  out[1] = y;
  out[2] = z;
  out[3] = u;
  out[4] = v;
  out[5] = w;
  return out;
}

/** out = a x* f, motion and force: [w x f, w x n + v x f]. */
export function crossForce<T extends MutableNumericArray>(out: T, a: NumericArray, f: NumericArray): T {
  const x = a[4] * f[2] - a[5] * f[1];
  const y = a[5] * f[0] - a[3] * f[2];
  const z = a[3] * f[1] - a[4] * f[0];
  const u = a[4] * f[5] - a[5] * f[4] + a[1] * f[2] - a[2] * f[1];
  const v = a[5] * f[3] - a[3] * f[5] + a[2] * f[0] - a[0] * f[2];
  const w = a[3] * f[4] - a[4] * f[3] + a[0] * f[1] - a[1] * f[0];
  out[0] = x;
  out[1] = y;
  out[2] = z;
  out[3] = u;
  out[4] = v;
  out[5] = w;
  return out;
}

/** Power of a force over a motion, W. */
export function dotMotionForce(m: NumericArray, f: NumericArray): number {
  return m[0] * f[0] + m[1] * f[1] + m[2] * f[2] + m[3] * f[3] + m[4] * f[4] + m[5] * f[5];
}

/** Ad(X_AB), 6x6 row-major, acting on motions: [[R, hat(p) R], [0, R]]. */
export function writeAdjoint<T extends MutableNumericArray>(out: T, X: NumericArray): T {
  return writeAdjointBlocks(out, X, 3, 18);
}

/** Ad(X_AB)^-T, 6x6 row-major, acting on forces: [[R, 0], [hat(p) R, R]]. */
export function writeDualAdjoint<T extends MutableNumericArray>(out: T, X: NumericArray): T {
  return writeAdjointBlocks(out, X, 18, 3);
}

/** R on the diagonal, hat(p) R at one corner, zeros at the other. */
function writeAdjointBlocks<T extends MutableNumericArray>(
  out: T,
  X: NumericArray,
  mixedAt: number,
  zeroAt: number,
): T {
  const px = X[9];
  const py = X[10];
  const pz = X[11];
  for (let c = 0; c < 3; c++) {
    const a = X[c];
    const b = X[c + 3];
    const d = X[c + 6];
    out[c] = a;
    out[c + 6] = b;
    out[c + 12] = d;
    out[c + 21] = a;
    out[c + 27] = b;
    out[c + 33] = d;
    out[mixedAt + c] = py * d - pz * b;
    out[mixedAt + c + 6] = pz * a - px * d;
    out[mixedAt + c + 12] = px * b - py * a;
    for (let r = 0; r < 3; r++) out[zeroAt + c + 6 * r] = 0;
  }
  return out;
}
