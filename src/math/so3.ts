/**
 * Exponential, logarithm and their Jacobians on the rotation group SO(3).
 *
 * Method: with w a rotation vector, theta = |w| and W = hat(w),
 *   exp(w)  = I + a W + b W^2,          a = sin(theta)/theta,  b = (1 - cos(theta))/theta^2
 *   Jl(w)   = I + b W + c W^2,          c = (theta - sin(theta))/theta^3
 *   Jl^-1   = I - W/2 + d W^2,          d = (1 - (theta/2) cot(theta/2))/theta^2
 *   Jr(w)   = Jl(w)^T = Jl(-w)
 * b is formed from sin(theta/2), which has no cancellation; c and d use their power series below theta = 1.
 * log goes through the unit quaternion (largest component divided by, Shepperd), so it is accurate at 0 and at pi;
 * the angle is 2 atan2(|vector|, scalar), never acos.
 * Source: Sola, Deray, Atchuthan 2018, "A micro Lie theory for state estimation in robotics", equations (143)-(146),
 * arXiv:1812.01537; Shepperd 1978, doi:10.2514/3.55767b.
 *
 * Frames: exp(w) = R_AB for the rotation vector w (radians), the same numbers in A and in B.
 * Convention: right-plus, R (+) w = R exp(w); Jr is d(log(exp(w)^-1 exp(w + dw)))/dw, Jl its left counterpart.
 * At exactly pi both signs of the axis are right; log picks the one with a non-negative quaternion scalar.
 * Jl^-1 does not exist at theta = 2 pi k, k > 0: callers keep theta below 2 pi (log returns at most pi).
 * Tested by lie.test.ts (extended precision) and test/oracle/lie.test.ts.
 */
import { mat3ToQuat } from './quat.js';
import { atan2, sinCos } from './scalar.js';
import { type MutableNumericArray, type NumericArray, setVec3 } from './vec3.js';

const trig = new Float64Array(2);
const quaternion = new Float64Array(4);

/** (1 - cos(theta))/theta^2. */
export function cosineCoefficient(theta: number): number {
  if (theta < 1e-8) return 0.5;
  sinCos(trig, 0.5 * theta);
  const half = trig[0] / theta;
  return 2 * half * half;
}

/** (theta - sin(theta))/theta^3. */
export function sineCoefficient(theta: number): number {
  const x = theta * theta;
  if (x < 1) {
    // 1/3! - x/5! + x^2/7! - ... + x^8/19!
    return (
      (1 -
        (x / 20) *
          (1 -
            (x / 42) *
              (1 - (x / 72) * (1 - (x / 110) * (1 - (x / 156) * (1 - (x / 210) * (1 - (x / 272) * (1 - x / 342)))))))) /
      6
    );
  }
  sinCos(trig, theta);
  return (theta - trig[0]) / (theta * x);
}

/** (1 - (theta/2) cot(theta/2))/theta^2, the W^2 coefficient of the inverse Jacobians. */
export function cotangentCoefficient(theta: number): number {
  const x = theta * theta;
  if (x < 1) {
    // Sum of |B_2k| x^(k-1)/(2k)!, k = 1..10; the next term is below 2^-56 of the sum at x = 1.
    return (
      1 / 12 +
      x *
        (1 / 720 +
          x *
            (1 / 30240 +
              x *
                (1 / 1209600 +
                  x *
                    (1 / 47900160 +
                      x *
                        (691 / 1307674368000 +
                          x *
                            (1 / 74724249600 +
                              x *
                                (3617 / 10670622842880000 +
                                  x * (43867 / 5109094217170944000 + x * (174611 / 802857662698291200000)))))))))
    );
  }
  sinCos(trig, 0.5 * theta);
  return (1 - (0.5 * theta * trig[1]) / trig[0]) / x;
}

/** Unit quaternion of a rotation vector. */
export function expQuat<T extends MutableNumericArray>(out: T, w: NumericArray): T {
  const x = w[0];
  const y = w[1];
  const z = w[2];
  const theta = Math.sqrt(x * x + y * y + z * z);
  sinCos(trig, 0.5 * theta);
  const s = theta < 1e-150 ? 0.5 : trig[0] / theta;
  out[0] = s * x;
  out[1] = s * y;
  out[2] = s * z;
  out[3] = trig[1];
  return out;
}

/** Rotation vector of a unit quaternion, |w| <= pi. Small angles keep all their digits. */
export function logQuat<T extends MutableNumericArray>(out: T, q: NumericArray): T {
  const sign = q[3] < 0 ? -1 : 1;
  const x = sign * q[0];
  const y = sign * q[1];
  const z = sign * q[2];
  const w = sign * q[3];
  const n = Math.sqrt(x * x + y * y + z * z);
  const s = n < 1e-150 ? 2 : (2 * atan2(n, w)) / n;
  return setVec3(out, s * x, s * y, s * z);
}

/** Rotation matrix of a rotation vector. */
export function expSo3<T extends MutableNumericArray>(out: T, w: NumericArray): T {
  const x = w[0];
  const y = w[1];
  const z = w[2];
  const theta = Math.sqrt(x * x + y * y + z * z);
  sinCos(trig, theta);
  const a = theta < 1e-150 ? 1 : trig[0] / theta;
  return combine(out, x, y, z, a, cosineCoefficient(theta));
}

/** Rotation vector of a rotation matrix, |w| <= pi. */
export function logSo3<T extends MutableNumericArray>(out: T, R: NumericArray): T {
  return logQuat(out, mat3ToQuat(quaternion, R));
}

/** Jl(w): exp(w + dw) = exp(Jl(w) dw) exp(w) to first order. */
export function leftJacobianSo3<T extends MutableNumericArray>(out: T, w: NumericArray): T {
  const theta = Math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  return combine(out, w[0], w[1], w[2], cosineCoefficient(theta), sineCoefficient(theta));
}

/** Jr(w): exp(w + dw) = exp(w) exp(Jr(w) dw) to first order. */
export function rightJacobianSo3<T extends MutableNumericArray>(out: T, w: NumericArray): T {
  const theta = Math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  return combine(out, w[0], w[1], w[2], -cosineCoefficient(theta), sineCoefficient(theta));
}

export function leftJacobianInverseSo3<T extends MutableNumericArray>(out: T, w: NumericArray): T {
  const theta = Math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  return combine(out, w[0], w[1], w[2], -0.5, cotangentCoefficient(theta));
}

export function rightJacobianInverseSo3<T extends MutableNumericArray>(out: T, w: NumericArray): T {
  const theta = Math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  return combine(out, w[0], w[1], w[2], 0.5, cotangentCoefficient(theta));
}

/** out = I + linear hat(w) + quadratic hat(w)^2 */
function combine<T extends MutableNumericArray>(
  out: T,
  x: number,
  y: number,
  z: number,
  linear: number,
  quadratic: number,
): T {
  const xy = quadratic * x * y;
  const xz = quadratic * x * z;
  const yz = quadratic * y * z;
  out[0] = 1 - quadratic * (y * y + z * z);
  out[1] = xy - linear * z;
  out[2] = xz + linear * y;
  out[3] = xy + linear * z;
  out[4] = 1 - quadratic * (x * x + z * z);
  out[5] = yz - linear * x;
  out[6] = xz - linear * y;
  out[7] = yz + linear * x;
  out[8] = 1 - quadratic * (x * x + y * y);
  return out;
}
