/**
 * Stages of one's own: a step as a function x' = f(x, u), or a differential equation dx/dt = f(x, u) and an integrator.
 *
 * Method: `euler` x' = x (+) f dt; `runge-kutta` the classical one of order 4, for plain vectors. Derivatives are those
 * that are given, of the step itself; without them central differences of the step with h = 2^-17 (an error of some 1e-10 beside
 * numbers near 1). For method 'ddp' the curvature of the step along p is the central difference of its derivatives,
 * with h = 2^-13 where those are differences themselves.
 * Cost = dt l(x, u) with dt, l(x, u) without. Tested by stages.test.ts.
 */

import {
  type Fields,
  oneOf,
  requireBounds,
  requireCount,
  requireFields,
  requireFunction,
  requireList,
  requirePositiveNumber,
} from '../../math/arguments.js';
import { requireSpace } from '../derivatives/check-derivatives.js';
import { type CostTerm, createCostSum } from './cost-sum.js';
import type { StageContext } from './residual.js';
import { readLimits } from './robot-stage.js';
import type { Stage, TerminalStage } from './stage.js';
import type { StateSpace } from './state-space.js';

export interface FunctionStageRequest {
  readonly space: StateSpace;
  readonly nu: number;
  readonly costs: readonly CostTerm[];
  /** Writes the next state, or with an integrator dx/dt, a step of the space. */
  readonly dynamics: (out: Float64Array, x: Float64Array, u: Float64Array) => void;
  /** Left out: `dynamics` is the step itself. */
  readonly integrator?: 'euler' | 'runge-kutta';
  /** Seconds; needed by an integrator, and scales the costs. */
  readonly dt?: number;
  /** Writes derivatives of the step: fx ndx x ndx, fu ndx x nu, zero when called. */
  readonly differentiate?: (fx: Float64Array, fu: Float64Array, x: Float64Array, u: Float64Array) => void;
  readonly controlLower?: ArrayLike<number>;
  readonly controlUpper?: ArrayLike<number>;
}

const FIELDS: Fields = {
  space: requireSpace,
  nu: (call, what, value) => requireCount(call, what, value, 0),
  costs: requireList,
  dynamics: requireFunction,
  integrator: oneOf('euler', 'runge-kutta'),
  dt: requirePositiveNumber,
  differentiate: requireFunction,
  controlLower: requireBounds,
  controlUpper: requireBounds,
};

const FINE = 2 ** -17;
const COARSE = 2 ** -13;

export function createFunctionStage(request: FunctionStageRequest): Stage {
  const call = 'createFunctionStage';
  requireFields(call, 'request', request, FIELDS);
  const { space, nu, dynamics, integrator, dt = 1, differentiate } = request;
  requireSpace(call, 'request.space', space);
  requireCount(call, 'request.nu', nu);
  requireFunction(call, 'request.dynamics', dynamics);
  if (integrator !== undefined) requirePositiveNumber(call, 'request.dt', request.dt);
  const { nx, ndx } = space;
  const cost = createCostSum(request.costs, ndx, nu, call);
  const step = createStep(space, dynamics, integrator, dt);
  const context: StageContext = { space, nu, x: new Float64Array(nx), u: new Float64Array(nu), robot: null };
  const moved = new Float64Array(nx);
  const move = new Float64Array(ndx);
  const [plus, minus] = [new Float64Array(nx), new Float64Array(nx)];
  const slope = new Float64Array(ndx);
  const pushed = new Float64Array(nu);
  const writeDerivatives = (fx: Float64Array, fu: Float64Array, x: Float64Array, u: Float64Array) => {
    fx.fill(0);
    fu.fill(0);
    if (differentiate !== undefined) {
      differentiate(fx, fu, x, u);
      return;
    }
    for (let c = 0; c < ndx; c++) {
      const h = integrator === undefined && nx !== ndx ? FINE : FINE * Math.max(1, Math.abs(x[c]));
      move.fill(0);
      move[c] = h;
      step(plus, space.integrate(moved, x, move), u);
      move[c] = -h;
      step(minus, space.integrate(moved, x, move), u);
      space.difference(slope, minus, plus);
      for (let r = 0; r < ndx; r++) fx[r * ndx + c] = slope[r] / (2 * h);
    }
    pushed.set(u);
    for (let c = 0; c < nu; c++) {
      const h = FINE * Math.max(1, Math.abs(u[c]));
      pushed[c] = u[c] + h;
      step(plus, x, pushed);
      pushed[c] = u[c] - h;
      step(minus, x, pushed);
      pushed[c] = u[c];
      space.difference(slope, minus, plus);
      for (let r = 0; r < ndx; r++) fu[r * nu + c] = slope[r] / (2 * h);
    }
  };
  const sides = [1, -1].map(() => ({ fx: new Float64Array(ndx * ndx), fu: new Float64Array(ndx * nu) }));
  return {
    space,
    nu,
    ...readLimits(call, request, nu),
    contextAt: (x, u) => {
      context.x.set(x);
      context.u.set(u);
      return context;
    },
    evaluate: (next, x, u) => {
      context.x.set(x);
      context.u.set(u);
      const value = dt * cost.evaluate(context);
      step(next, x, u);
      let zero = 0;
      for (let i = 0; i < nx; i++) zero += next[i] * 0;
      return zero === 0 ? value : Infinity;
    },
    differentiate: (out, x, u) => {
      writeDerivatives(out.fx, out.fu, x, u);
      const { lx, lu, lxx, lxu, luu } = out;
      for (const array of [lx, lu, lxx, lxu, luu]) array.fill(0);
      context.x.set(x);
      context.u.set(u);
      cost.addDerivatives(out, context, dt);
    },
    addCurvature: ({ lxx, lxu, luu }, x, u, p) => {
      const h = differentiate === undefined ? COARSE : FINE;
      const at = new Float64Array(nx);
      const along = new Float64Array(ndx);
      const held = u.slice();
      for (let c = 0; c < ndx + nu; c++) {
        sides.forEach(({ fx, fu }, side) => {
          const amount = side === 0 ? h : -h;
          along.fill(0);
          held.set(u);
          if (c < ndx) along[c] = amount;
          else held[c - ndx] += amount;
          writeDerivatives(fx, fu, space.integrate(at, x, along), held);
        });
        // Column c of the Hessian of p . f: half of it here, half transposed, so that it is symmetric.
        const [{ fx: fxa, fu: fua }, { fx: fxb, fu: fub }] = sides;
        for (let k = 0; k < ndx; k++) {
          let sum = 0;
          for (let r = 0; r < ndx; r++) sum += p[r] * (fxa[r * ndx + k] - fxb[r * ndx + k]);
          sum /= 4 * h;
          if (c < ndx) {
            lxx[k * ndx + c] += sum;
            lxx[c * ndx + k] += sum;
          } else lxu[k * nu + c - ndx] += sum;
        }
        for (let k = 0; k < nu; k++) {
          let sum = 0;
          for (let r = 0; r < ndx; r++) sum += p[r] * (fua[r * nu + k] - fub[r * nu + k]);
          sum /= 4 * h;
          if (c < ndx) lxu[c * nu + k] += sum;
          else {
            luu[k * nu + c - ndx] += sum;
            luu[(c - ndx) * nu + k] += sum;
          }
        }
      }
    },
  };
}

type Step = (out: Float64Array, x: Float64Array, u: Float64Array) => void;

function createStep(
  space: StateSpace,
  dynamics: FunctionStageRequest['dynamics'],
  integrator: FunctionStageRequest['integrator'],
  dt: number,
): Step {
  if (integrator === undefined) return dynamics;
  const { nx, ndx } = space;
  const rates = Array.from({ length: 4 }, () => new Float64Array(ndx));
  const move = new Float64Array(ndx);
  const at = new Float64Array(nx);
  if (integrator === 'euler') {
    return (out, x, u) => {
      dynamics(rates[0], x, u);
      for (let i = 0; i < ndx; i++) move[i] = dt * rates[0][i];
      space.integrate(out, x, move);
    };
  }
  return (out, x, u) => {
    dynamics(rates[0], x, u);
    for (let k = 1; k < 4; k++) {
      const part = k === 3 ? dt : dt / 2;
      for (let i = 0; i < ndx; i++) move[i] = part * rates[k - 1][i];
      dynamics(rates[k], space.integrate(at, x, move), u);
    }
    for (let i = 0; i < ndx; i++) move[i] = (dt / 6) * (rates[0][i] + 2 * rates[1][i] + 2 * rates[2][i] + rates[3][i]);
    space.integrate(out, x, move);
  };
}

/** Costs of the last state of a problem without a robot. */
export function createTerminal(space: StateSpace, costs: readonly CostTerm[]): TerminalStage {
  requireSpace('createTerminal', 'space', space);
  const cost = createCostSum(costs, space.ndx, 0, 'createTerminal');
  const context: StageContext = {
    space,
    nu: 0,
    x: new Float64Array(space.nx),
    u: new Float64Array(0),
    robot: null,
  };
  const none = new Float64Array(0);
  return {
    space,
    contextAt: (x) => {
      context.x.set(x);
      return context;
    },
    evaluate: (x) => {
      context.x.set(x);
      return cost.evaluate(context);
    },
    differentiate: (lx, lxx, x) => {
      context.x.set(x);
      lx.fill(0);
      lxx.fill(0);
      cost.addDerivatives({ lx, lxx, lu: none, lxu: none, luu: none }, context, 1);
    },
  };
}
