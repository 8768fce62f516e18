import { describe, expect, it } from 'vitest';
import { createFunctionStage, createTerminal } from './function-stage.js';
import { createControlResidual, createFunctionResidual, createStateResidual } from './plain-residuals.js';
import { solveConstrainedShooting } from './solve-constrained.js';
import type { ShootingProblem, Stage } from './stage.js';
import { createVectorSpace } from './state-space.js';

const N = 50;
const dt = 1 / N;
const space = createVectorSpace(2);

/** A mass from 0 to 1 in a second, with least effort. */
function createMass(limit = Infinity): ShootingProblem {
  const stage = createFunctionStage({
    space,
    nu: 1,
    costs: [{ residual: createControlResidual(1), weight: 1 }],
    dynamics: (out, x, u) => {
      out[0] = x[0] + dt * x[1] + 0.5 * dt * dt * u[0];
      out[1] = x[1] + dt * u[0];
    },
    dt,
    ...(Number.isFinite(limit) ? { controlLower: [-limit], controlUpper: [limit] } : {}),
  });
  return { start: new Float64Array(2), stages: new Array<Stage>(N).fill(stage), terminal: createTerminal(space, []) };
}

const arrive = { residual: createStateResidual(space, [1, 0]), lower: [0, 0], upper: [0, 0], at: 'end' } as const;

describe('Shooting under constraints', () => {
  it('meets its end exactly, with the known least effort', () => {
    const result = solveConstrainedShooting(createMass(), [arrive], { constraintTolerance: 1e-9 });
    expect(result.status).toBe('converged');
    expect(result.violation).toBeLessThan(1e-9);
    // u = 6 - 12 t costs 6; held over steps of 1/N it costs 6 / (1 - 1/N^2).
    expect(result.cost).toBeCloseTo(6 / (1 - 1 / (N * N)), 6);
  });

  it('keeps a limit of speed, and limits of the control with it', () => {
    const speed = createFunctionResidual({
      name: 'speed',
      size: 1,
      evaluate: (r, x) => {
        r[0] = x[1];
      },
      differentiate: (rx) => {
        rx[1] = 1;
      },
    });
    const slow = { residual: speed, lower: [-Infinity], upper: [1.2], at: 'all' } as const;
    const result = solveConstrainedShooting(createMass(8), [arrive, slow]);
    expect(result.status).toBe('converged');
    expect(Math.max(...result.states.map(([, v]) => v))).toBeLessThan(1.2 + 1e-6);
    expect(Math.max(...result.controls.map(([u]) => Math.abs(u)))).toBeLessThanOrEqual(8);
    expect(result.cost).toBeGreaterThan(6.01);
    // Symmetric in time, as the problem is.
    for (let k = 0; k < N / 2; k++) expect(result.controls[k][0]).toBeCloseTo(-result.controls[N - 1 - k][0], 3);
  });

  it('says what cannot be met, and where', () => {
    const result = solveConstrainedShooting(createMass(1), [arrive], { rounds: 8 });
    expect(result.status).toBe('violated');
    expect(result.violation).toBeGreaterThan(0.1);
    expect(result.violated).toEqual({ constraint: 0, stage: N });
    expect(() => solveConstrainedShooting(createMass(), [{ ...arrive, lower: [1, 1] }])).toThrow(/lower\[0\]/);
    expect(() => solveConstrainedShooting(createMass(), [{ ...arrive, at: [N] }])).toThrow(/expected 0 to 49/);
  });
});
