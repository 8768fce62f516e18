import { Decimal } from 'decimal.js';
import { describe, expect, it } from 'vitest';
import { mat3ToQuat, quatToMat3 } from './quat.js';
import { createRandom } from './random.js';
import {
  expSe3,
  leftJacobianInverseSe3,
  leftJacobianSe3,
  logSe3,
  rightJacobianInverseSe3,
  rightJacobianSe3,
} from './se3.js';
import {
  expQuat,
  expSo3,
  leftJacobianInverseSo3,
  leftJacobianSo3,
  logQuat,
  logSo3,
  rightJacobianInverseSo3,
  rightJacobianSo3,
} from './so3.js';

/**
 * Extended precision: power series of the matrix exponential and of its Jacobian sum_k (+-ad)^k/(k + 1)!, with 36 digits.
 * They share nothing with the closed forms under test.
 */
const Precise = Decimal.clone({ precision: 36 });
type Matrix = Decimal[][];

const digits = (x: number): Decimal => new Precise(Number.isInteger(x) ? x : x.toPrecision(100));

function multiply(a: Matrix, b: Matrix): Matrix {
  return a.map((row) => b[0].map((_, c) => row.reduce((sum, value, k) => sum.add(value.mul(b[k][c])), new Precise(0))));
}

/** sum of m^k/(k + shift)! */
function series(m: Matrix, shift: number): Matrix {
  let power: Matrix = m.map((_, r) => m.map((__, c) => new Precise(r === c ? 1 : 0)));
  let sum = power;
  let factorial = new Precise(1);
  for (let k = 1; k < 40; k++) {
    power = multiply(power, m);
    factorial = factorial.mul(k + shift);
    const divisor = factorial;
    sum = sum.map((row, r) => row.map((value, c) => value.add(power[r][c].div(divisor))));
  }
  return sum;
}

function hat(w: readonly number[]): number[][] {
  return [
    [0, -w[2], w[1]],
    [w[2], 0, -w[0]],
    [-w[1], w[0], 0],
  ];
}

/** ad(xi) = [[hat(w), hat(v)], [0, hat(w)]] */
function bracket(xi: readonly number[]): number[][] {
  const V = hat(xi.slice(0, 3));
  const W = hat(xi.slice(3));
  return [...W.map((row, r) => [...row, ...V[r]]), ...W.map((row) => [0, 0, 0, ...row])];
}

const toPrecise = (m: number[][], sign = 1): Matrix => m.map((row) => row.map((x) => digits(sign * x)));
const flatten = (m: Matrix): number[] => m.flat().map((x) => x.toNumber());

function worst(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let error = 0;
  for (let i = 0; i < b.length; i++) error = Math.max(error, Math.abs(a[i] - b[i]));
  return error;
}

const ANGLES = [0, 1e-170, 1e-9, 1e-4, 1e-2, 0.5, 0.999, 1.001, 1.999, 2.001, Math.PI - 1e-9, Math.PI];

function directions(seed: number, count: number): number[][] {
  const random = createRandom(seed);
  const fixed = [
    [1, 0, 0],
    [0, -1, 0],
    [0, 0, 1],
  ];
  const drawn = Array.from({ length: count }, () => {
    const v = [random.normal(), random.normal(), random.normal()];
    const n = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    return v.map((x) => x / n);
  });
  return [...fixed, ...drawn];
}

describe.each(ANGLES)('rotation by %s', (angle) => {
  it('SO(3) exp, log, Jacobians and inverses against 36 digits', () => {
    for (const axis of directions(11, 1)) {
      const w = axis.map((x) => x * angle);
      const R = flatten(series(toPrecise(hat(w)), 0));
      expect(worst(expSo3(new Float64Array(9), w), R)).toBeLessThan(1e-15);
      expect(worst(quatToMat3(new Float64Array(9), expQuat(new Float64Array(4), w)), R)).toBeLessThan(1.5e-15);
      for (const log of [
        logSo3(new Float64Array(3), R),
        logQuat(new Float64Array(3), mat3ToQuat(new Float64Array(4), R)),
      ]) {
        const flipped =
          angle === Math.PI
            ? worst(
                log,
                w.map((x) => -x),
              )
            : Number.POSITIVE_INFINITY;
        expect(Math.min(worst(log, w), flipped)).toBeLessThan(2e-15);
      }
      const right = flatten(series(toPrecise(hat(w), -1), 1));
      const left = flatten(series(toPrecise(hat(w)), 1));
      expect(worst(rightJacobianSo3(new Float64Array(9), w), right)).toBeLessThan(1e-15);
      expect(worst(leftJacobianSo3(new Float64Array(9), w), left)).toBeLessThan(1e-15);
      expect(residual(leftJacobianInverseSo3(new Float64Array(9), w), left, 3)).toBeLessThan(3e-15);
      expect(residual(rightJacobianInverseSo3(new Float64Array(9), w), right, 3)).toBeLessThan(3e-15);
    }
  });

  it('SE(3) exp, log, Jacobians and inverses against 36 digits', () => {
    for (const axis of directions(12, 1)) {
      const xi = [0.7, -1.9, 1.2, ...axis.map((x) => x * angle)];
      const hatted = hat(xi.slice(3)).map((row, r) => [...row, xi[r]]);
      const X = series(toPrecise([...hatted, [0, 0, 0, 0]]), 0);
      const flat = [...X.slice(0, 3).flatMap((row) => row.slice(0, 3)), X[0][3], X[1][3], X[2][3]].map((x) =>
        x.toNumber(),
      );
      expect(worst(expSe3(new Float64Array(12), xi), flat)).toBeLessThan(3e-15);
      if (angle < Math.PI) expect(worst(logSe3(new Float64Array(6), flat), xi)).toBeLessThan(1e-14);
      const right = flatten(series(toPrecise(bracket(xi), -1), 1));
      const left = flatten(series(toPrecise(bracket(xi)), 1));
      expect(worst(rightJacobianSe3(new Float64Array(36), xi), right)).toBeLessThan(4e-15);
      expect(worst(leftJacobianSe3(new Float64Array(36), xi), left)).toBeLessThan(4e-15);
      expect(residual(leftJacobianInverseSe3(new Float64Array(36), xi), left, 6)).toBeLessThan(2e-14);
      expect(residual(rightJacobianInverseSe3(new Float64Array(36), xi), right, 6)).toBeLessThan(2e-14);
    }
  });
});

/** max |a b - I| */
function residual(a: ArrayLike<number>, b: ArrayLike<number>, n: number): number {
  let error = 0;
  for (let r = 0; r < n; r++) {
    for (let c = 0; c < n; c++) {
      let sum = r === c ? -1 : 0;
      for (let k = 0; k < n; k++) sum += a[n * r + k] * b[n * k + c];
      error = Math.max(error, Math.abs(sum));
    }
  }
  return error;
}

it('log keeps angles of 1e-8 and below, where the arc cosine gives 0', () => {
  for (const angle of [1e-8, 1e-12, 1e-100]) {
    const w = logSo3(new Float64Array(3), expSo3(new Float64Array(9), [angle, 0, 0]));
    expect(Math.abs(w[0] - angle)).toBeLessThan(1e-15 * angle);
    expect([w[1], w[2]]).toEqual([0, 0]);
  }
});

it('log of a quaternion and of its negative are the same short rotation', () => {
  const q = expQuat(new Float64Array(4), [0.3, -0.2, 2.9]);
  const a = logQuat(new Float64Array(3), q);
  const b = logQuat(
    new Float64Array(3),
    q.map((x) => -x),
  );
  expect(worst(a, b)).toBe(0);
  expect(worst(a, [0.3, -0.2, 2.9])).toBeLessThan(1e-14);
});
