/**
 * Shooting against published runs: Crocoddyl's arm manipulation with the left arm of Talos. Its example, as its repository logged it
 * (examples/log/arm_manipulation.log of September 2019 and of May 2021, which differ in the example's costs), and its benchmark
 * (benchmark/arm-manipulation.cpp at e36f35be, 3 October 2019), as that source prints it when built with Pinocchio 3.7.
 *
 * Mastalli printed a run of that benchmark with four threads on that day (loco-3d/crocoddyl, issue 574): 1.28603 ... 0.211632. It
 * holds a data race of the library: `StateMultibody` kept the operands of `integrate` and `diff` in members that all threads
 * shared (removed two weeks later, f049436e, for issue 256, "Multi-threading breaks determinism of DDP"). In the first iteration
 * the next state of stage 56 was computed from the reference of the state cost (zero) in place of the stage's own state. With that
 * one torn state the first three rows are the published ones to six digits and the next two to two units of the sixth; the rest
 * differs as later iterations raced again, which no solver can repeat: that source with four threads gave 16 different endings in
 * 60 runs on two cores, last costs 0.211474 to 0.211583.
 */
import { describe, expect, it } from 'vitest';
import {
  createControlResidual,
  createFramePlacementResidual,
  createRobotSpace,
  createRobotStage,
  createRobotTerminal,
  createStateResidual,
  type Stage,
  solveShooting,
} from '../../src/control.js';
import { computeGravity, createDynamicsData } from '../../src/dynamics.js';
import { createTalosArm } from '../support/talos-arm.js';

const model = createTalosArm();

/** Costs per iteration and steps taken, to the digits that were published. */
const LOGS = {
  2019: {
    cost: [0.428053, 0.375971, 0.275989, 0.246724, 0.197477, 0.19225, 0.189677],
    slope: [1.91916e-8, 4.33645e-8, 3.04933e-8, 1.14202e-8, 1.20824e-8, 1.00371e-9, 2.26074e-10],
    step: [1, 0.5, 0.5, 1, 1, 1, 1],
  },
  2021: {
    cost: [
      0.515359, 0.482224, 0.366371, 0.354102, 0.346547, 0.294354, 0.251058, 0.2109, 0.205559, 0.192972, 0.191754,
      0.190394, 0.189993, 0.18956,
    ],
    slope: [
      3.65308e-8, 7.76126e-8, 8.84743e-8, 6.98811e-8, 5.82273e-8, 5.09707e-8, 3.24832e-8, 2.38192e-8, 1.43498e-8,
      1.20281e-8, 2.87489e-9, 2.78322e-9, 1.58208e-9, 7.03184e-10,
    ],
    step: [1, 1, 0.5, 0.125, 0.25, 1, 0.5, 1, 0.5, 0.5, 0.25, 0.25, 0.125, 0.25],
  },
} as const;

/** What the benchmark prints: cost and slope. */
const BENCHMARK = {
  cost: [
    1.28491, 1.27937, 1.22891, 0.948794, 0.636794, 0.586618, 0.572169, 0.39286, 0.28527, 0.211551, 0.206611, 0.202865,
  ],
  slope: [
    7.67055e-5, 7.59628e-5, 6.94148e-5, 3.94142e-5, 5.61456e-6, 8.89063e-8, 5.20033e-8, 1.0689e-7, 6.75304e-8,
    2.36157e-8, 3.17611e-9, 6.04763e-10,
  ],
};

/** Mastalli's run with four threads: cost and slope of each iteration, step, and regularisation after it. */
const MASTALLI = {
  cost: [1.28603, 1.28048, 1.22992, 0.949337, 0.636857, 0.586612, 0.573587, 0.393498, 0.284041, 0.211632],
  slope: [
    8.98541e-4, 7.61681e-5, 6.95954e-5, 3.94974e-5, 5.62421e-6, 8.90989e-8, 5.20957e-8, 1.07588e-7, 6.78601e-8,
    2.32455e-8,
  ],
  step: [1, 1, 1, 1, 1, 1, 0.5, 0.5, 1, 1],
  regularisation: [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-7, 1e-7, 1e-8, 1e-9],
};

const STEPS = 250;
const BENCHMARK_STEPS = 100;
const dt = 1e-3;

function createProblem(year: 2019 | 2021, steps = STEPS) {
  const dynamics = { armature: [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0] };
  const goal = createFramePlacementResidual(model, 'gripper', [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0.4]);
  const effort = createControlResidual(model.nv);
  // In 2021 the example weighed the control twice; its costs were not yet multiplied by the step's time in 2019.
  const state = year === 2019 ? createStateResidual(createRobotSpace(model)) : effort;
  const stage = createRobotStage({
    model,
    dt,
    dynamics,
    costs: [
      { residual: goal, weight: 1e-3 / dt },
      { residual: state, weight: 1e-7 / dt },
      { residual: effort, weight: 1e-7 / dt },
    ],
  });
  const start = new Float64Array(14);
  start.set([0.173046, 1, -0.52366, 0, 0, 0.1, -0.005]);
  return {
    start,
    stages: new Array(steps).fill(stage),
    terminal: createRobotTerminal(model, [{ residual: goal, weight: 1 }]),
  };
}

describe("Crocoddyl's arm manipulation", () => {
  for (const year of [2019, 2021] as const) {
    it(`has the published costs, slopes and steps of ${year}, to six digits`, () => {
      const { cost, slope, step } = LOGS[year];
      const result = solveShooting(createProblem(year), {
        method: 'ilqr',
        criterion: 'gradient',
        // Its guess: all states zero, far from the start.
        states: Array.from({ length: STEPS + 1 }, () => new Float64Array(14)),
      });
      expect(result.status).toBe('converged');
      expect(result.log.map((entry) => Number(entry.cost.toPrecision(6)))).toEqual(cost);
      expect(result.log.map((entry) => Number(entry.criterion.toPrecision(6)))).toEqual(slope);
      expect(result.log.map((entry) => entry.step)).toEqual(step);
    });
  }

  describe('the benchmark of October 2019', () => {
    const solve = (stages?: readonly Stage[]) => {
      const problem = createProblem(2019, BENCHMARK_STEPS);
      const torques = computeGravity(model, createDynamicsData(model), problem.start.subarray(0, 7));
      return solveShooting(
        { ...problem, stages: stages ?? problem.stages },
        {
          ...{ method: 'ilqr', criterion: 'gradient', firstRegularisation: 0.1, iterations: 100 },
          states: new Array(BENCHMARK_STEPS + 1).fill(problem.start),
          controls: new Array(BENCHMARK_STEPS).fill(torques),
        },
      );
    };

    it('has the costs and slopes that its source prints, to six digits, and the steps of the published run', () => {
      const { log, status } = solve();
      expect(status).toBe('converged');
      expect(log.map((entry) => Number(entry.cost.toPrecision(6)))).toEqual(BENCHMARK.cost);
      expect(log.map((entry) => Number(entry.criterion.toPrecision(6)))).toEqual(BENCHMARK.slope);
      expect(log.slice(0, 10).map((entry) => entry.step)).toEqual(MASTALLI.step);
      for (const [i, regularisation] of MASTALLI.regularisation.entries()) {
        expect(log[i + 1].regularisation).toBeCloseTo(regularisation, 12);
      }
    });

    it('has the published run with four threads from the state that a thread tore', () => {
      const { stages } = createProblem(2019, BENCHMARK_STEPS);
      const stage: Stage = stages[56];
      let calls = 0;
      // The first call sums the cost of the guess (its next state is not read), the second finds the gaps of the guess.
      const torn: Stage = {
        ...stage,
        evaluate(next, x, u) {
          const cost = stage.evaluate(next, x, u);
          if (calls++ === 1) next.fill(0, 0, 7);
          return cost;
        },
      };
      stages[56] = torn;
      const { log } = solve(stages);
      const digits = (value: number, of: number) => Math.abs(value / of - 1);
      for (let i = 0; i < 3; i++) {
        expect(Number(log[i].cost.toPrecision(6))).toBe(MASTALLI.cost[i]);
        expect(Number(log[i].criterion.toPrecision(6))).toBe(MASTALLI.slope[i]);
      }
      for (let i = 3; i < 5; i++) {
        expect(digits(log[i].cost, MASTALLI.cost[i])).toBeLessThan(2e-6);
        expect(digits(log[i].criterion, MASTALLI.slope[i])).toBeLessThan(2e-5);
      }
      for (let i = 5; i < 10; i++) expect(digits(log[i].cost, MASTALLI.cost[i])).toBeLessThan(4e-3);
      expect(log.slice(0, 10).map((entry) => entry.step)).toEqual(MASTALLI.step);
    });
  });
});
