/**
 * Model-predictive control: a problem of shooting solved anew in every cycle, from where the system is now.
 *
 * Method: real-time iterations. A cycle (1) lets the caller move targets and obstacles; (2) shifts the last solution by one
 * cycle's time, states and controls between those of neighbouring stages, with the measured state first; (3) runs a given number
 * of iterations of the solver, usually one; (4) hands out the first control and its feedback. The shifted plan is rolled out from the
 * measured state with its own feedback as well. Where the solution takes no step or costs twice that, as FDDP may far from
 * feasible, the cycle iterates again from that motion, which has no gaps, by iLQR, whose cost cannot rise; if this takes no step
 * either, the motion itself goes on, and the cycle says 'kept'.
 * Time: the loop waits for nothing and reads no clock of its own. `clock` comes from outside, in milliseconds; with it every
 * cycle's latency is measured and cycles longer than 1 / rate count as late. Results never depend on it.
 * Source: Diehl, Bock, Schloeder 2005, "A real-time iteration scheme for nonlinear optimization in optimal feedback control",
 * doi:10.1137/S0363012902400713.
 * Cost: iterations of solveShooting; nothing else is allocated but the solver's log. Tested by predictive-controller.test.ts.
 */

import {
  type Fields,
  oneOf,
  requireCount,
  requireFields,
  requireFloats,
  requireFunction,
  requireList,
  requireNumbers,
  requireObject,
  requirePositiveNumber,
  throwMisuse,
} from '../../math/arguments.js';
import {
  createShootingSolver,
  type ShootingMethod,
  type ShootingResult,
  type ShootingStatus,
} from '../shooting/solve-shooting.js';
import { requireProblem, type ShootingProblem } from '../shooting/stage.js';

export interface PredictiveControllerRequest {
  /** Its start is the first measurement; what its stages hold may be moved between cycles. */
  readonly problem: ShootingProblem;
  /** Cycles per second. */
  readonly rate: number;
  /** Seconds of a stage of the problem. */
  readonly stageTime: number;
  /** Iterations in a cycle; default 1. */
  readonly iterations?: number;
  /** Iterations before the first cycle's control; default 50. */
  readonly firstIterations?: number;
  /** Default 'fddp'. */
  readonly method?: ShootingMethod;
  /** Regularisation to begin each cycle with; default 1e-9. */
  readonly regularisation?: number;
  /** Guess of the controls, for the first cycle. */
  readonly controls?: readonly ArrayLike<number>[];
  /** Milliseconds of any steady clock; left out: latency is not measured. */
  readonly clock?: () => number;
  /** Called before each solution with the cycle's time in seconds: moves targets and obstacles. */
  readonly update?: (time: number) => void;
}

export interface PredictiveCycle {
  readonly cycle: number;
  /** Seconds since the first cycle, cycle / rate. */
  readonly time: number;
  /** 'kept': no solution, the plan before goes on. */
  readonly status: ShootingStatus | 'kept';
  readonly cost: number;
  /** Milliseconds; null without a clock. */
  readonly latency: number | null;
  readonly late: boolean;
}

export interface PredictiveReport {
  readonly cycles: number;
  readonly late: number;
  readonly kept: number;
  /** Milliseconds over all cycles but the first; null without a clock. */
  readonly latency: { readonly median: number; readonly p99: number; readonly worst: number } | null;
}

export interface PredictiveController {
  /** Writes the control for the state that was measured. */
  readonly step: (control: Float64Array, x: ArrayLike<number>) => PredictiveCycle;
  /** Control between cycles, by the feedback of the last one. */
  readonly feedback: (control: Float64Array, x: Float64Array) => Float64Array;
  /** The plan in force: states and controls from now on. */
  readonly states: readonly Float64Array[];
  readonly controls: readonly Float64Array[];
  readonly report: () => PredictiveReport;
}

const FIELDS: Fields = {
  problem: requireObject,
  rate: requirePositiveNumber,
  stageTime: requirePositiveNumber,
  iterations: (call, what, value) => requireCount(call, what, value, 1),
  firstIterations: (call, what, value) => requireCount(call, what, value, 1),
  method: oneOf('ilqr', 'ddp', 'fddp'),
  regularisation: requirePositiveNumber,
  controls: requireList,
  clock: requireFunction,
  update: requireFunction,
};

/** A result that costs this much more than going on without it is refused. */
const WORSE = 2;

export function createPredictiveController(request: PredictiveControllerRequest): PredictiveController {
  const call = 'createPredictiveController';
  requireFields(call, 'request', request, FIELDS);
  const { problem, rate, stageTime, clock, update, iterations = 1, firstIterations = 50 } = request;
  requireProblem(call, 'request.problem', problem);
  if (problem.stages.length === 0) throwMisuse(call, 'request.problem.stages', problem.stages, 'one stage at least');
  requirePositiveNumber(call, 'request.rate', rate);
  requirePositiveNumber(call, 'request.stageTime', stageTime);
  const start = Float64Array.from(problem.start);
  const solver = createShootingSolver({ ...problem, start });
  const { stages, terminal } = problem;
  const { space } = terminal;
  const count = stages.length;
  const states = Array.from({ length: count + 1 }, () => Float64Array.from(start));
  const controls = stages.map(({ nu }) => new Float64Array(nu));
  const gains = stages.map(({ nu }) => new Float64Array(nu * space.ndx));
  const trials = stages.map(({ nu }) => new Float64Array(nu));
  const trialStates = Array.from({ length: count + 1 }, () => Float64Array.from(start));
  const anchor = new Float64Array(space.nx);
  const difference = new Float64Array(space.ndx);
  const options = {
    method: request.method ?? 'fddp',
    ...(request.regularisation === undefined ? {} : { regularisation: request.regularisation }),
  };
  const latencies: number[] = [];
  const part = Math.min(1, 1 / (rate * stageTime));
  let cycle = 0;
  let late = 0;
  let kept = 0;
  let firstLatency: number | null = null;

  /** The plan a cycle later. */
  const shift = () => {
    for (let k = 0; k < count; k++) {
      space.difference(difference, states[k], states[k + 1]);
      for (let i = 0; i < difference.length; i++) difference[i] *= part;
      space.integrate(states[k], states[k], difference);
      if (k + 1 === count || controls[k + 1].length !== controls[k].length) continue;
      for (let i = 0; i < controls[k].length; i++) controls[k][i] += part * (controls[k + 1][i] - controls[k][i]);
    }
    if (part === 1 && count > 1) stages[count - 1].evaluate(states[count], states[count - 1], controls[count - 1]);
  };

  /** Rolls out from the measured state into the trial, with the plan's feedback or without controls; its cost. */
  const tryPlan = (withPlan: boolean): number => {
    trialStates[0].set(start);
    let cost = 0;
    for (const [k, stage] of stages.entries()) {
      const u = trials[k];
      u.fill(0);
      if (withPlan) {
        space.difference(difference, states[k], trialStates[k]);
        for (let i = 0; i < u.length; i++) {
          u[i] = controls[k][i];
          for (let c = 0; c < difference.length; c++) u[i] -= gains[k][i * difference.length + c] * difference[c];
        }
      }
      const { controlLower: low, controlUpper: high } = stage;
      if (low !== undefined && high !== undefined)
        for (let i = 0; i < u.length; i++) u[i] = Math.min(high[i], Math.max(low[i], u[i]));
      cost += stage.evaluate(trialStates[k + 1], trialStates[k], u);
      if (!Number.isFinite(cost)) return Infinity;
    }
    return cost + terminal.evaluate(trialStates[count]);
  };

  /** Whether a result may replace the fallback. While gaps close a cost may rise; far above, it is no plan. */
  const improves = ({ status, cost, log }: ShootingResult, fallback: number): boolean =>
    Number.isFinite(cost) &&
    status !== 'no value' &&
    (status === 'converged' || log.some(({ step }) => step > 0)) &&
    !(cost > WORSE * fallback);

  const solveCycle = (): ShootingResult => {
    const first = cycle === 0;
    return solver.solve({
      ...options,
      iterations: first ? firstIterations : iterations,
      ...(first ? (request.controls === undefined ? {} : { controls: request.controls }) : { states, controls }),
    });
  };

  return {
    states,
    controls,
    step: (control, x) => {
      requireFloats('step', 'control', control, stages[0].nu);
      requireNumbers('step', 'x', x, space.nx);
      const begin = clock?.() ?? 0;
      start.set(x);
      update?.(cycle / rate);
      // What goes on without a solution: the plan with its feedback, or where that has no value nothing at all.
      let fallback = Infinity;
      if (cycle > 0) {
        shift();
        states[0].set(x);
        fallback = tryPlan(true);
        if (!Number.isFinite(fallback)) fallback = tryPlan(false);
      }
      let result = solveCycle();
      let solved = improves(result, fallback);
      if (!solved && Number.isFinite(fallback)) {
        for (let k = 0; k <= count; k++) states[k].set(trialStates[k]);
        for (let k = 0; k < count; k++) controls[k].set(trials[k]);
        result = solver.solve({ ...options, method: 'ilqr', iterations, states, controls });
        solved = improves(result, fallback);
      }
      if (solved) {
        for (let k = 0; k <= count; k++) states[k].set(result.states[k]);
        for (let k = 0; k < count; k++) controls[k].set(result.controls[k]);
        for (let k = 0; k < count; k++) gains[k].set(result.gains[k]);
      } else kept++;
      anchor.set(x);
      control.set(controls[0]);
      const latency = clock === undefined ? null : clock() - begin;
      const isLate = latency !== null && latency > 1000 / rate;
      if (cycle === 0) firstLatency = latency;
      else {
        if (latency !== null) latencies.push(latency);
        if (isLate) late++;
      }
      const entry: PredictiveCycle = {
        cycle,
        time: cycle / rate,
        status: solved ? result.status : 'kept',
        cost: result.cost,
        latency,
        late: isLate,
      };
      cycle++;
      return entry;
    },
    feedback: (control, x) => {
      space.difference(difference, anchor, x);
      const { nu, controlLower, controlUpper } = stages[0];
      for (let i = 0; i < nu; i++) {
        let sum = controls[0][i];
        for (let c = 0; c < difference.length; c++) sum -= gains[0][i * difference.length + c] * difference[c];
        if (controlLower !== undefined && controlUpper !== undefined)
          sum = Math.min(controlUpper[i], Math.max(controlLower[i], sum));
        control[i] = sum;
      }
      return control;
    },
    report: () => {
      const sorted = latencies.slice().sort((a, b) => a - b);
      const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
      return {
        cycles: cycle,
        late,
        kept,
        latency:
          firstLatency === null || sorted.length === 0
            ? null
            : { median: at(0.5), p99: at(0.99), worst: sorted[sorted.length - 1] },
      };
    },
  };
}
