import { describe, expect, it } from 'vitest';
import { multiplyMatrices } from '../../math/dense/products.js';
import { createRandom } from '../../math/random.js';
import { measureRiccati } from './riccati-residual.js';
import { type RiccatiRequest, readProblem, solveRiccati } from './solve-riccati.js';

/** Random systems of 1 to 8 states; badly scaled: states in units that differ by up to 10^(2 span). */
function drawSystem(seed: number, time: 'discrete' | 'continuous', span: number): RiccatiRequest {
  const random = createRandom(seed);
  const n = 1 + Math.floor(random.uniform(0, 8));
  const m = 1 + Math.floor(random.uniform(0, 3));
  const draw = (count: number) => Float64Array.from({ length: count }, () => random.uniform(-1, 1));
  const square = (size: number, shift: number) => {
    const L = draw(size * size);
    const out = new Float64Array(size * size);
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) {
        for (let k = 0; k < size; k++) out[i * size + j] += L[i * size + k] * L[j * size + k];
      }
      out[i * size + i] += shift;
    }
    return out;
  };
  const [A, B, Q, R] = [draw(n * n), draw(n * m), square(n, 0.1), square(m, 0.1)];
  const S = draw(n * m).map((x) => 0.01 * x);
  const units = Array.from({ length: n }, () => 10 ** Math.round(random.uniform(-span, span)));
  const inputs = Array.from({ length: m }, () => 10 ** Math.round(random.uniform(-span, span)));
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      A[i * n + j] *= units[i] / units[j];
      Q[i * n + j] /= units[i] * units[j];
    }
    for (let k = 0; k < m; k++) {
      B[i * m + k] *= units[i] / inputs[k];
      S[i * m + k] /= inputs[k] * units[i];
    }
  }
  for (let k = 0; k < m; k++) for (let l = 0; l < m; l++) R[k * m + l] /= inputs[k] * inputs[l];
  return { A, B, Q, R, S: seed % 2 === 0 ? S.fill(0) : S, time };
}

describe('Riccati equations', () => {
  for (const time of ['discrete', 'continuous'] as const) {
    for (const span of [0, 3, 6]) {
      it(`${time}, units up to 10^${2 * span} apart: backward error of 170 random systems at most 1e-12`, () => {
        let [worst, solved] = [0, 0];
        for (let seed = 1; seed <= 170; seed++) {
          const request = drawSystem(seed, time, span);
          const { status, P, backwardError } = solveRiccati(request);
          if (status !== 'solved') continue;
          solved++;
          const again = measureRiccati(time, readProblem('test', request), P);
          worst = Math.max(worst, backwardError, again?.backwardError ?? 1);
        }
        expect(solved).toBe(170);
        expect(worst).toBeLessThan(1e-12);
      });
    }
  }

  it('has the closed forms of one state and of the double integrator', () => {
    // Continuous: 2 a p - p^2 b^2 / r + q = 0.
    const { P, K } = solveRiccati({ A: [2], B: [3], Q: [5], R: [7], time: 'continuous' });
    const p = (2 + Math.sqrt(4 + (9 / 7) * 5)) / (9 / 7);
    expect(P[0]).toBeCloseTo(p, 12);
    expect(K[0]).toBeCloseTo((3 * p) / 7, 12);
    // Double integrator, Q = 1, R = 1: P = [[sqrt 3, 1], [1, sqrt 3]].
    const double = solveRiccati({ A: [0, 1, 0, 0], B: [0, 1], Q: [1, 0, 0, 1], R: [1], time: 'continuous' });
    const root = Math.sqrt(3);
    [root, 1, 1, root].forEach((value, i) => {
      expect(double.P[i]).toBeCloseTo(value, 13);
    });
    // Discrete, a = 1, b = q = r = 1: the golden ratio.
    const golden = solveRiccati({ A: [1], B: [1], Q: [1], R: [1], time: 'discrete' });
    expect(golden.P[0]).toBeCloseTo((1 + Math.sqrt(5)) / 2, 14);
  });

  it('agrees with a long recursion', () => {
    const request = drawSystem(4, 'discrete', 0);
    const problem = readProblem('test', request);
    const { n, m, A, B } = problem;
    const P = new Float64Array(n * n);
    for (let k = 0; k < 400; k++) {
      const step = measureRiccati('discrete', problem, P);
      if (step === null) throw new Error('singular');
      for (let i = 0; i < n * n; i++) P[i] += step.residual[i];
    }
    const solution = solveRiccati(request);
    P.forEach((value, i) => {
      expect(Math.abs(solution.P[i] - value)).toBeLessThan(1e-9 * (1 + Math.abs(value)));
    });
    const BK = multiplyMatrices(new Float64Array(n * n), B, solution.K, [n, m, n]);
    solution.closedLoop.forEach((value, i) => {
      expect(value).toBe(A[i] - BK[i]);
    });
  });

  it('says what cannot be stabilised, and which R is no cost', () => {
    expect(solveRiccati({ A: [2, 0, 0, 0.5], B: [0, 1], Q: [1, 0, 0, 1], R: [1], time: 'discrete' }).status).toBe(
      'not stabilisable',
    );
    expect(solveRiccati({ A: [1, 0, 0, -1], B: [0, 1], Q: [1, 0, 0, 1], R: [1], time: 'continuous' }).status).toBe(
      'not stabilisable',
    );
    expect(solveRiccati({ A: [1], B: [1], Q: [1], R: [0], time: 'discrete' }).status).toBe('singular');
    expect(() => solveRiccati({ A: [1, 2], B: [1], Q: [1], R: [1], time: 'discrete' })).toThrow(/square/);
    expect(() => solveRiccati({ A: [1, 0, 0, 1], B: [1, 1], Q: [1, 2, 3, 1], R: [1], time: 'discrete' })).toThrow(
      /symmetric/,
    );
  });
});
