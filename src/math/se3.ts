/**
 * Exponential and logarithm on the group of rigid motions SE(3), and its Jacobians.
 *
 * xi = [v, w] (linear part first), exp(xi) = [exp(w), Jl(w) v], log(R, p) = [Jl(w)^-1 p, w].
 * Source: Sola, Deray, Atchuthan 2018, arXiv:1812.01537, equations (171)-(174); Barfoot 2017, "State estimation for
 * robotics", section 7.1.5, doi:10.1017/9781316671528.
 * Tested by se3.test.ts (extended precision) and test/oracle/lie.test.ts.
 */
import { cosineCoefficient, cotangentCoefficient, sineCoefficient } from './so3.js';
import { type MutableNumericArray, type NumericArray, setVec3 } from './vec3.js';

/** Translation of exp([v, w]): out = Jl(w) v. */
export function expSe3Parts<T extends MutableNumericArray>(out: T, v: NumericArray, w: NumericArray): T {
  const theta = Math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  return applySeries(out, v, w, cosineCoefficient(theta), sineCoefficient(theta));
}

/** Linear part of log([exp(w), p]): out = Jl(w)^-1 p. */
export function logSe3Parts<T extends MutableNumericArray>(out: T, p: NumericArray, w: NumericArray): T {
  const theta = Math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  return applySeries(out, p, w, -0.5, cotangentCoefficient(theta));
}

/** out = v + linear w x v + quadratic w x (w x v) */
function applySeries<T extends MutableNumericArray>(
  out: T,
  v: NumericArray,
  w: NumericArray,
  linear: number,
  quadratic: number,
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
    x + linear * cx + quadratic * (wy * cz - wz * cy),
    y + linear * cy + quadratic * (wz * cx - wx * cz),
    z + linear * cz + quadratic * (wx * cy - wy * cx),
  );
}
