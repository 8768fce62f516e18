import { describe, expect, it } from 'vitest';
import { createWeightedQuadratic } from '../shooting/activations.js';
import { createFunctionStage, createTerminal } from '../shooting/function-stage.js';
import { createControlResidual, createStateResidual } from '../shooting/plain-residuals.js';
import type { ShootingProblem, Stage } from '../shooting/stage.js';
import { createVectorSpace } from '../shooting/state-space.js';
import { createPredictiveController } from './predictive-controller.js';

const space = createVectorSpace(2);
const dt = 0.05;

/** A mass that follows a target, which may be moved. */
function createMass(target: Float64Array): ShootingProblem {
  const follow = createStateResidual(space, target);
  const activation = createWeightedQuadratic([1, 0.05]);
  const stage = createFunctionStage({
    space,
    nu: 1,
    costs: [
      { residual: follow, weight: 10, activation },
      { residual: createControlResidual(1), weight: 0.1 },
    ],
    dynamics: (out, x, u) => {
      out[0] = x[0] + dt * x[1];
      out[1] = x[1] + dt * u[0];
    },
    dt,
    controlLower: [-5],
    controlUpper: [5],
  });
  const terminal = createTerminal(space, [{ residual: follow, weight: 10, activation }]);
  return { start: new Float64Array(2), stages: new Array<Stage>(20).fill(stage), terminal };
}

describe('The predictive controller', () => {
  it('follows a target that jumps, within limits, and tells late cycles by the clock it is given', () => {
    const target = new Float64Array(2);
    let now = 0;
    const controller = createPredictiveController({
      problem: createMass(target),
      rate: 50,
      stageTime: dt,
      // Every clock reading is 4 ms after the last, but for one cycle in ten.
      clock: () => {
        now += calls++ % 20 === 19 ? 30 : 4;
        return now;
      },
      update: (time) => {
        target[0] = time < 2 ? 1 : -0.5;
      },
    });
    let calls = 0;
    const x = new Float64Array(2);
    const u = new Float64Array(1);
    for (let k = 0; k < 200; k++) {
      const cycle = controller.step(u, x);
      expect(cycle.status).not.toBe('kept');
      expect(Math.abs(u[0])).toBeLessThanOrEqual(5);
      x[0] += 0.02 * x[1];
      x[1] += 0.02 * u[0];
      if (k === 99) expect(x[0]).toBeCloseTo(1, 1);
    }
    expect(x[0]).toBeCloseTo(-0.5, 1);
    const { cycles, late, kept, latency } = controller.report();
    expect({ cycles, late, kept }).toEqual({ cycles: 200, late: 20, kept: 0 });
    expect(latency).toEqual({ median: 4, p99: 30, worst: 30 });
    // Feedback at the measured state is the control itself.
    controller.step(u, x);
    expect(controller.feedback(new Float64Array(1), x)[0]).toBe(u[0]);
  });

  it('does not depend on the clock', () => {
    const run = (clock?: () => number) => {
      const controller = createPredictiveController({
        problem: createMass(Float64Array.of(1, 0)),
        rate: 20,
        stageTime: dt,
        ...(clock === undefined ? {} : { clock }),
      });
      const x = new Float64Array(2);
      const u = new Float64Array(1);
      const out: number[] = [];
      for (let k = 0; k < 30; k++) {
        controller.step(u, x);
        x[0] += dt * x[1];
        x[1] += dt * u[0];
        out.push(u[0]);
      }
      return { out, latency: controller.report().latency };
    };
    const plain = run();
    let now = 0;
    const timed = run(() => (now += 1));
    expect(timed.out).toEqual(plain.out);
    expect(plain.latency).toBe(null);
    expect(() =>
      createPredictiveController({ problem: createMass(new Float64Array(2)), rate: 0, stageTime: 1 }),
    ).toThrow(/rate/);
  });

  it('keeps the plan in force where a state has no value', () => {
    const controller = createPredictiveController({
      problem: createMass(Float64Array.of(1, 0)),
      rate: 20,
      stageTime: dt,
    });
    const u = new Float64Array(1);
    controller.step(u, [0, 0]);
    const planned = controller.controls[1][0];
    const cycle = controller.step(u, [1e300, 1e300]);
    expect(cycle.status).toBe('kept');
    expect(u[0]).toBe(planned);
  });
});
