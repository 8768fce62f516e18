import { describe, expect, it } from 'vitest';
import { createRandom } from '../../math/random.js';
import { solveLinearQuadratic } from '../linear/linear-quadratic.js';
import { createWeightedQuadratic } from './activations.js';
import { createFunctionStage, createTerminal } from './function-stage.js';
import { createControlResidual, createStateResidual } from './plain-residuals.js';
import { type ShootingMethod, solveShooting } from './solve-shooting.js';
import type { ShootingProblem, Stage } from './stage.js';
import { createVectorSpace } from './state-space.js';

const METHODS: readonly ShootingMethod[] = ['ilqr', 'ddp', 'fddp'];

/** x' = A x + B u + c with quadratic costs. */
function createLinearProblem(seed: number): {
  problem: ShootingProblem;
  linear: ReturnType<typeof solveLinearQuadratic>;
} {
  const random = createRandom(seed);
  const draw = (count: number) => Float64Array.from({ length: count }, () => random.uniform(-1, 1));
  const [n, m, N] = [4, 2, 12];
  const space = createVectorSpace(n);
  const [A, B, c, target] = [draw(n * n), draw(n * m), draw(n), draw(n)];
  const weights = [1, 2, 3, 4];
  const activation = createWeightedQuadratic(weights);
  const stage = createFunctionStage({
    space,
    nu: m,
    costs: [
      { residual: createStateResidual(space, target), weight: 1, activation },
      { residual: createControlResidual(m), weight: 0.3 },
    ],
    dynamics: (out, x, u) => {
      for (let i = 0; i < n; i++) {
        out[i] = c[i];
        for (let k = 0; k < n; k++) out[i] += A[i * n + k] * x[k];
        for (let k = 0; k < m; k++) out[i] += B[i * m + k] * u[k];
      }
    },
    differentiate: (fx, fu) => {
      fx.set(A);
      fu.set(B);
    },
  });
  const diagonal = (values: readonly number[]) =>
    values.flatMap((value, i) => values.map((_, k) => (i === k ? value : 0)));
  const q = target.map((x, i) => -weights[i] * x);
  const linear = solveLinearQuadratic(
    new Array(N).fill({ A, B, c, Q: diagonal(weights), R: diagonal([0.3, 0.3]), q }),
    { Q: diagonal(weights), q },
  );
  const terminal = createTerminal(space, [{ residual: createStateResidual(space, target), weight: 1, activation }]);
  return { problem: { start: draw(n), stages: new Array<Stage>(N).fill(stage), terminal }, linear };
}

/** A pendulum that hangs, with a weak motor: up in 3 s. */
function createPendulum(limit: number): ShootingProblem {
  const space = createVectorSpace(2);
  const dt = 0.03;
  const stage = createFunctionStage({
    space,
    nu: 1,
    costs: [{ residual: createControlResidual(1), weight: 1e-2 }],
    dynamics: (out, x, u) => {
      out[0] = x[1];
      out[1] = u[0] - 9.81 * Math.sin(x[0]);
    },
    integrator: 'runge-kutta',
    dt,
    ...(Number.isFinite(limit) ? { controlLower: [-limit], controlUpper: [limit] } : {}),
  });
  const terminal = createTerminal(space, [{ residual: createStateResidual(space, [Math.PI, 0]), weight: 100 }]);
  return { start: new Float64Array(2), stages: new Array<Stage>(100).fill(stage), terminal };
}

describe('Shooting', () => {
  for (const method of METHODS) {
    it(`${method} solves a linear-quadratic problem in one step, with the gains of Riccati`, () => {
      for (let seed = 1; seed <= 10; seed++) {
        const { problem, linear } = createLinearProblem(seed);
        const result = solveShooting(problem, { method, regularisation: 1e-300 });
        expect(result.status).toBe('converged');
        // The second iteration finds nothing left to do.
        expect(result.iterations).toBeLessThanOrEqual(2);
        expect(result.log[0].step).toBe(1);
        result.gains.forEach((K, k) => {
          K.forEach((value, i) => {
            expect(Math.abs(value - linear.gains[k][i])).toBeLessThan(1e-10);
          });
          const x = result.states[k];
          result.controls[k].forEach((u, i) => {
            let wanted = -linear.offsets[k][i];
            for (let c = 0; c < 4; c++) wanted -= linear.gains[k][i * 4 + c] * x[c];
            expect(u).toBeCloseTo(wanted, 9);
          });
        });
      }
    });

    it(`${method} swings a pendulum up, with and without limits of its motor`, () => {
      for (const limit of [Infinity, 5]) {
        const problem = createPendulum(limit);
        const result = solveShooting(problem, { method, iterations: 300, controls: wave(100, 1) });
        expect(result.status).toBe('converged');
        expect(result.gap).toBe(0);
        expect(result.states[100][0]).toBeCloseTo(Math.PI, 1);
        const largest = Math.max(...result.controls.map(([u]) => Math.abs(u)));
        expect(largest).toBeLessThanOrEqual(limit);
        // Optimal: no control can be changed to the better.
        const cost = evaluate(problem, result.controls);
        expect(cost).toBeCloseTo(result.cost, 10);
        for (let k = 0; k < 100; k += 7) {
          for (const change of [1e-3, -1e-3]) {
            const changed = result.controls.map((u) => u.slice());
            changed[k][0] = Math.max(-limit, Math.min(limit, changed[k][0] + change));
            expect(evaluate(problem, changed)).toBeGreaterThan(cost - 1e-9);
          }
        }
      }
    });
  }

  it('falls in cost from step to step once there are no gaps, and repeats itself', () => {
    const problem = createPendulum(5);
    const run = () => solveShooting(problem, { method: 'fddp', iterations: 300, controls: wave(100, 1) });
    const { log, cost, states } = run();
    for (let k = 1; k < log.length; k++) if (log[k].gap === 0) expect(log[k].cost).toBeLessThanOrEqual(log[k - 1].cost);
    const again = run();
    expect(again.cost).toBe(cost);
    expect(again.states).toEqual(states);
  });

  it('starts from where it ended', () => {
    const problem = createPendulum(5);
    const first = solveShooting(problem, { method: 'ilqr', iterations: 300, controls: wave(100, 1) });
    const warm = solveShooting(problem, { states: first.states, controls: first.controls });
    expect(warm.status).toBe('converged');
    expect(warm.iterations).toBeLessThanOrEqual(2);
  });

  it('says when there is no value, and what a guess lacks', () => {
    const problem = createPendulum(5);
    const bad = { ...problem, start: Float64Array.of(1e200, 1e200) };
    expect(solveShooting(bad, { method: 'ilqr' }).status).toBe('no value');
    expect(() => solveShooting(problem, { controls: [[0]] })).toThrow(/controls, got 1 entries, expected 100/);
    expect(() => solveShooting({ ...problem, start: new Float64Array(3) })).toThrow(/start/);
  });
});

function wave(count: number, size: number): Float64Array[] {
  return Array.from({ length: count }, (_, k) => Float64Array.of(k % 20 < 10 ? size : -size));
}

function evaluate({ start, stages, terminal }: ShootingProblem, controls: readonly Float64Array[]): number {
  let x = start;
  let cost = 0;
  stages.forEach((stage, k) => {
    const next = new Float64Array(x.length);
    cost += stage.evaluate(next, x, controls[k]);
    x = next;
  });
  return cost + terminal.evaluate(x);
}
