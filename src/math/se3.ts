/**
 * Exponential, logarithm and their Jacobians on the group of rigid motions SE(3).
 *
 * Method: xi = [v, w], linear part first;
 *   exp(xi) = (exp(w), Jl(w) v),   log(R, p) = [Jl(w)^-1 p, w] with w = log(R)
 *   Jl(xi)  = [[Jl(w), Q(v, w)], [0, Jl(w)]],   Jr(xi) = Jl(-xi)
 *   Q = V/2 + c1 (W V + V W + W V W) + c2 (W^2 V + V W^2 - 3 W V W) + c3 (W V W^2 + W^2 V W),  V = hat(v), W = hat(w)
 *   c1 = (theta - sin)/theta^3,  c2 = (theta^2/2 + cos - 1)/theta^4,
 *   c3 = (c2 - 3 (theta^3/6 - theta + sin)/theta^5)/2
 * c2 and c3 use their power series below theta = 2, where the closed forms lose digits.
 * Source: Barfoot 2017, "State estimation for robotics", section 7.1.5, equation (7.86), doi:10.1017/9781316671528;
 * Sola, Deray, Atchuthan 2018, arXiv:1812.01537, equations (171)-(181).
 *
 * Shapes: xi 6 numbers, transforms 12, Jacobians 6x6 row-major. Metres and radians.
 * Convention: right-plus, X (+) xi = X exp(xi), xi in the moving frame; Jr is d(log(exp(xi)^-1 exp(xi + dxi)))/dxi.
 * The inverse Jacobians do not exist at |w| = 2 pi k, k > 0; log returns |w| <= pi.
 * Tested by lie.test.ts (extended precision) and test/oracle/lie.test.ts.
 */
import { multiplyMat3 } from './mat3.js';
import { mat3ToQuat } from './quat.js';
import { atan2, sinCos } from './scalar.js';
import {
  cosineCoefficient,
  cotangentCoefficient,
  expSo3,
  leftJacobianInverseSo3,
  leftJacobianSo3,
  sineCoefficient,
} from './so3.js';
import { type MutableNumericArray, type NumericArray, setVec3 } from './vec3.js';

const linear = new Float64Array(3);
const angular = new Float64Array(3);
const quaternion = new Float64Array(4);

/** X = exp(xi). */
export function expSe3<T extends MutableNumericArray>(out: T, xi: NumericArray): T {
  split(xi, 1);
  expSo3(out, angular);
  expSe3Parts(linear, linear, angular);
  out[9] = linear[0];
  out[10] = linear[1];
  out[11] = linear[2];
  return out;
}

/** xi = log(X), |w| <= pi. */
export function logSe3<T extends MutableNumericArray>(out: T, X: NumericArray): T {
  mat3ToQuat(quaternion, X);
  const x = quaternion[0];
  const y = quaternion[1];
  const z = quaternion[2];
  const cosine = quaternion[3];
  const sine = Math.sqrt(x * x + y * y + z * z);
  const half = atan2(sine, cosine);
  const scale = sine < 1e-150 ? 2 : (2 * half) / sine;
  setVec3(angular, scale * x, scale * y, scale * z);
  setVec3(linear, X[9], X[10], X[11]);
  // (1 - (theta/2) cot(theta/2))/theta^2: its digits are lost as theta^2 falls, which is what it is multiplied by.
  const square = 4 * half * half;
  applySeries(linear, linear, angular, -0.5, square < 1e-8 ? 1 / 12 : (1 - (half * cosine) / sine) / square);
  for (let i = 0; i < 3; i++) {
    out[i] = linear[i];
    out[i + 3] = angular[i];
  }
  return out;
}

/** Translation of exp([v, w]): out = Jl(w) v. */
export function expSe3Parts<T extends MutableNumericArray>(out: T, v: NumericArray, w: NumericArray): T {
  const theta = Math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  return applySeries(out, v, w, cosineCoefficient(theta), sineCoefficient(theta));
}

/** Linear part of log((exp(w), p)): out = Jl(w)^-1 p. */
export function logSe3Parts<T extends MutableNumericArray>(out: T, p: NumericArray, w: NumericArray): T {
  const theta = Math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  return applySeries(out, p, w, -0.5, cotangentCoefficient(theta));
}

/** out = v + first w x v + second w x (w x v) */
function applySeries<T extends MutableNumericArray>(
  out: T,
  v: NumericArray,
  w: NumericArray,
  first: number,
  second: number,
): T {
  const x = v[0];
  const y = v[1];
  const z = v[2];
  const wx = w[0];
  const wy = w[1];
  const wz = w[2];
  const cx = wy * z - wz * y;
  const cy = wz * x - wx * z;
  const cz = wx * y - wy * x;
  return setVec3(
    out,
    x + first * cx + second * (wy * cz - wz * cy),
    y + first * cy + second * (wz * cx - wx * cz),
    z + first * cz + second * (wx * cy - wy * cx),
  );
}

const J = new Float64Array(9);
const Q = new Float64Array(9);

/** Jl(xi), 6x6: exp(xi + dxi) = exp(Jl(xi) dxi) exp(xi) to first order. */
export function leftJacobianSe3<T extends MutableNumericArray>(out: T, xi: NumericArray): T {
  return writeJacobian(out, xi, 1);
}

/** Jr(xi), 6x6: exp(xi + dxi) = exp(xi) exp(Jr(xi) dxi) to first order. */
export function rightJacobianSe3<T extends MutableNumericArray>(out: T, xi: NumericArray): T {
  return writeJacobian(out, xi, -1);
}

export function leftJacobianInverseSe3<T extends MutableNumericArray>(out: T, xi: NumericArray): T {
  return writeJacobianInverse(out, xi, 1);
}

export function rightJacobianInverseSe3<T extends MutableNumericArray>(out: T, xi: NumericArray): T {
  return writeJacobianInverse(out, xi, -1);
}

function split(xi: NumericArray, sign: number): void {
  for (let i = 0; i < 3; i++) {
    linear[i] = sign * xi[i];
    angular[i] = sign * xi[i + 3];
  }
}

function writeJacobian<T extends MutableNumericArray>(out: T, xi: NumericArray, sign: number): T {
  split(xi, sign);
  leftJacobianSo3(J, angular);
  writeQ();
  return writeBlocks(out);
}

function writeJacobianInverse<T extends MutableNumericArray>(out: T, xi: NumericArray, sign: number): T {
  split(xi, sign);
  leftJacobianInverseSo3(J, angular);
  writeQ();
  multiplyMat3(Q, J, Q);
  multiplyMat3(Q, Q, J);
  for (let i = 0; i < 9; i++) Q[i] = -Q[i];
  return writeBlocks(out);
}

/** out = [[J, Q], [0, J]] */
function writeBlocks<T extends MutableNumericArray>(out: T): T {
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      out[6 * r + c] = J[3 * r + c];
      out[6 * r + c + 3] = Q[3 * r + c];
      out[6 * (r + 3) + c] = 0;
      out[6 * (r + 3) + c + 3] = J[3 * r + c];
    }
  }
  return out;
}

/** Coefficients: sign, factorial 4!, 6!, ... and k give term k. */
function listSeries(term: (sign: number, factorial: number, k: number) => number): Float64Array {
  const series = new Float64Array(12);
  for (let k = 0, factorial = 24, sign = 1; k < 12; k++, sign = -sign) {
    series[k] = term(sign, factorial, k);
    factorial *= (2 * k + 5) * (2 * k + 6);
  }
  return series;
}

/** c2 = sum of (-x)^k/(2k + 4)! and c3 = sum of (k + 1) (-x)^k/(2k + 5)!, x = theta^2. */
const C2_SERIES = listSeries((sign, factorial) => sign / factorial);
const C3_SERIES = listSeries((sign, factorial, k) => (sign * (k + 1)) / (factorial * (2 * k + 5)));

const trig = new Float64Array(2);
const W = new Float64Array(9);
const V = new Float64Array(9);
const WV = new Float64Array(9);
const VW = new Float64Array(9);
const WVW = new Float64Array(9);
const term = new Float64Array(9);

/** Q of `linear` and `angular`. */
function writeQ(): void {
  const x = angular[0] * angular[0] + angular[1] * angular[1] + angular[2] * angular[2];
  const theta = Math.sqrt(x);
  const c1 = sineCoefficient(theta);
  let c2 = 0;
  let c3 = 0;
  if (x < 4) {
    for (let k = 11; k >= 0; k--) {
      c2 = c2 * x + C2_SERIES[k];
      c3 = c3 * x + C3_SERIES[k];
    }
  } else {
    sinCos(trig, theta);
    c2 = (0.5 * x + trig[1] - 1) / (x * x);
    c3 = 0.5 * (c2 - (3 * ((theta * x) / 6 - theta + trig[0])) / (x * x * theta));
  }
  writeHat(W, angular);
  writeHat(V, linear);
  multiplyMat3(WV, W, V);
  multiplyMat3(VW, V, W);
  multiplyMat3(WVW, W, VW);
  for (let i = 0; i < 9; i++) Q[i] = 0.5 * V[i] + c1 * (WV[i] + VW[i] + WVW[i]) - 3 * c2 * WVW[i];
  addScaled(c2, multiplyMat3(term, W, WV));
  addScaled(c2, multiplyMat3(term, VW, W));
  addScaled(c3, multiplyMat3(term, WVW, W));
  addScaled(c3, multiplyMat3(term, W, WVW));
}

function addScaled(scale: number, a: Float64Array): void {
  for (let i = 0; i < 9; i++) Q[i] += scale * a[i];
}

function writeHat(out: Float64Array, w: Float64Array): void {
  out[0] = 0;
  out[1] = -w[2];
  out[2] = w[1];
  out[3] = w[2];
  out[4] = 0;
  out[5] = -w[0];
  out[6] = -w[1];
  out[7] = w[0];
  out[8] = 0;
}
