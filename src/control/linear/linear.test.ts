import { describe, expect, it } from 'vitest';
import { factorizeLu, solveLu } from '../../math/dense/lu.js';
import { createRandom } from '../../math/random.js';
import { solveFiniteLqr } from './finite-lqr.js';
import { createKalmanFilter, predictKalman, solveSteadyKalman, updateKalman } from './kalman.js';
import { type LinearStage, solveLinearQuadratic } from './linear-quadratic.js';
import { solveRiccati } from './solve-riccati.js';
import { trackReference } from './track-reference.js';

const random = createRandom(5);
const draw = (count: number) => Float64Array.from({ length: count }, () => random.uniform(-1, 1));
const diagonal = (values: readonly number[]) =>
  Float64Array.from({ length: values.length ** 2 }, (_, i) =>
    i % (values.length + 1) === 0 ? values[i / (values.length + 1)] : 0,
  );

describe('Linear-quadratic problems over finite time', () => {
  it('solve the same system as all stages at once', () => {
    const [n, m, N] = [3, 2, 6];
    const stages: LinearStage[] = Array.from({ length: N }, () => ({
      A: draw(n * n),
      B: draw(n * m),
      c: draw(n),
      Q: diagonal([1, 2, 3]),
      R: diagonal([1, 0.5]),
      S: draw(n * m).map((x) => 0.1 * x),
      q: draw(n),
      r: draw(m),
    }));
    const terminal = { Q: diagonal([4, 5, 6]), q: draw(n) };
    const { status, gains, offsets } = solveLinearQuadratic(stages, terminal);
    expect(status).toBe('solved');
    const start = draw(n);
    // Unknowns u_0, x_1, u_1, ..., x_N and multipliers of the steps: one dense system.
    const width = N * (n + m);
    const size = width + N * n;
    const K = new Float64Array(size * size);
    const b = new Float64Array(size);
    const uAt = (k: number) => k * (n + m);
    const xAt = (k: number) => k * (n + m) - n;
    stages.forEach((stage, k) => {
      for (let i = 0; i < m; i++) {
        b[uAt(k) + i] -= stage.r?.[i] ?? 0;
        for (let j = 0; j < m; j++) K[(uAt(k) + i) * size + uAt(k) + j] += stage.R[i * m + j];
        for (let j = 0; j < n; j++) {
          const cross = stage.S?.[j * m + i] ?? 0;
          if (k === 0) b[uAt(k) + i] -= cross * start[j];
          else {
            K[(uAt(k) + i) * size + xAt(k) + j] += cross;
            K[(xAt(k) + j) * size + uAt(k) + i] += cross;
          }
        }
      }
      const next = k + 1 === N ? terminal : stages[k + 1];
      for (let i = 0; i < n; i++) {
        b[xAt(k + 1) + i] -= next.q?.[i] ?? 0;
        for (let j = 0; j < n; j++) K[(xAt(k + 1) + i) * size + xAt(k + 1) + j] += next.Q[i * n + j];
        const row = width + k * n + i;
        const set = (column: number, value: number) => {
          K[row * size + column] += value;
          K[column * size + row] += value;
        };
        set(xAt(k + 1) + i, 1);
        for (let j = 0; j < m; j++) set(uAt(k) + j, -stage.B[i * m + j]);
        b[row] = stage.c?.[i] ?? 0;
        for (let j = 0; j < n; j++) {
          if (k === 0) b[row] += stage.A[i * n + j] * start[j];
          else set(xAt(k) + j, -stage.A[i * n + j]);
        }
      }
    });
    const pivots = new Int32Array(size);
    expect(factorizeLu(K, size, pivots)).toBe(true);
    solveLu(b, K, size, pivots, 1);
    let x = start;
    stages.forEach((stage, k) => {
      const u = Float64Array.from({ length: m }, (_, i) => {
        let sum = -offsets[k][i];
        for (let j = 0; j < n; j++) sum -= gains[k][i * n + j] * x[j];
        expect(sum).toBeCloseTo(b[uAt(k) + i], 11);
        return sum;
      });
      x = Float64Array.from({ length: n }, (_, i) => {
        let sum = stage.c?.[i] ?? 0;
        for (let j = 0; j < n; j++) sum += stage.A[i * n + j] * x[j];
        for (let j = 0; j < m; j++) sum += stage.B[i * m + j] * u[j];
        return sum;
      });
    });
  });

  it('says where the problem is not convex', () => {
    const stage = { A: [1], B: [1], Q: [1], R: [1] };
    const { status, stage: where } = solveLinearQuadratic([stage, { ...stage, R: [-5] }, stage], { Q: [0] });
    expect(status).toBe('not convex');
    expect(where).toBe(1);
  });

  it('has, continuous, the closed form of one state, and tends to the infinite regulator', () => {
    // dx = u, integral x^2 + u^2: P(t) = tanh(T - t).
    const { P, gains } = solveFiniteLqr({
      A: [0],
      B: [1],
      Q: [1],
      R: [1],
      QN: [0],
      time: 'continuous',
      duration: 3,
      steps: 6,
    });
    P.forEach((value, i) => {
      expect(value[0]).toBeCloseTo(Math.tanh(3 - 0.5 * i), 14);
    });
    expect(gains[0][0]).toBeCloseTo(Math.tanh(3), 14);
    const system = { A: draw(16), B: draw(8), Q: diagonal([1, 2, 3, 4]), R: diagonal([1, 2]) };
    for (const time of ['continuous', 'discrete'] as const) {
      const infinite = solveRiccati({ ...system, time });
      const long = solveFiniteLqr({
        ...system,
        QN: diagonal([0, 0, 0, 0]),
        steps: 400,
        time,
        ...(time === 'continuous' ? { duration: 200 } : {}),
      });
      infinite.P.forEach((value, i) => {
        expect(Math.abs(long.P[0][i] - value)).toBeLessThan(1e-9 * (1 + Math.abs(value)));
      });
      infinite.K.forEach((value, i) => {
        expect(Math.abs(long.gains[0][i] - value)).toBeLessThan(1e-9 * (1 + Math.abs(value)));
      });
    }
  });

  it('follows a reference that the system can follow without error', () => {
    const h = 0.1;
    const [A, B] = [
      [1, h, 0, 1],
      [(h * h) / 2, h],
    ];
    const states: number[] = [0, 0];
    const controls: number[] = [];
    for (let k = 0; k < 30; k++) {
      const u = Math.sin(0.3 * k);
      const [p, v] = states.slice(-2);
      states.push(p + h * v + B[0] * u, v + h * u);
      controls.push(u);
    }
    const tracker = trackReference({ A, B, Q: [1, 0, 0, 1], R: [0.1], states, controls });
    expect(tracker.status).toBe('solved');
    let x = [0, 0];
    for (let k = 0; k < tracker.steps; k++) {
      const [u] = tracker.control(new Float64Array(1), k, x);
      expect(u).toBeCloseTo(controls[k], 11);
      x = [x[0] + h * x[1] + B[0] * u, x[1] + h * u];
    }
  });
});

describe('The Kalman filter', () => {
  const system = { A: [1, 0.1, 0, 0.95], C: [1, 0], W: [0.01, 0, 0, 0.02], V: [0.5] };

  it('is the least squares estimate from all measurements', () => {
    const filter = createKalmanFilter({ A: [1], C: [1], W: [0], V: [2], x: [0], P: [1e12] });
    const measured = [3, 5, 4, 8];
    for (const y of measured) {
      expect(updateKalman(filter, [y])).toBe('ok');
      predictKalman(filter);
    }
    expect(filter.x[0]).toBeCloseTo(5, 9);
    expect(filter.P[0]).toBeCloseTo(2 / measured.length, 9);
  });

  it('tends to the steady filter', () => {
    const filter = createKalmanFilter({ ...system, B: [0, 1], P: [1, 0, 0, 1] });
    for (let k = 0; k < 500; k++) {
      predictKalman(filter, [0.3]);
      updateKalman(filter, [0]);
    }
    const steady = solveSteadyKalman({ ...system, time: 'discrete' });
    expect(steady.status).toBe('solved');
    steady.L.forEach((value, i) => {
      expect(filter.L[i]).toBeCloseTo(value, 12);
    });
    predictKalman(filter, [0]);
    steady.P.forEach((value, i) => {
      expect(filter.P[i]).toBeCloseTo(value, 12);
    });
    // Continuous, one state: P = r (a + sqrt(a^2 + q / r)).
    const one = solveSteadyKalman({ A: [0.5], C: [1], W: [2], V: [3], time: 'continuous' });
    expect(one.L[0]).toBeCloseTo(0.5 + Math.sqrt(0.25 + 2 / 3), 13);
  });
});
