/**
 * A problem of shooting: from a start, one stage after another moves the state and costs something.
 *
 *   minimise sum_k l_k(x_k, u_k) + l_N(x_N)   under x_(k+1) = f_k(x_k, u_k), x_0 given
 *
 * Derivatives are along steps of the state space (right-plus), row-major:
 *   fx  ndx x ndx    fu  ndx x nu     lx  ndx    lu  nu     lxx  ndx x ndx    lxu  ndx x nu    luu  nu x nu
 */

import {
  type Fields,
  requireCount,
  requireFields,
  requireList,
  requireNumbers,
  requireObject,
  throwMisuse,
} from '../../math/arguments.js';
import { requireSpace } from '../derivatives/check-derivatives.js';
import type { Needs, StageContext } from './residual.js';
import type { StateSpace } from './state-space.js';

export interface StageDerivatives {
  readonly fx: Float64Array;
  readonly fu: Float64Array;
  readonly lx: Float64Array;
  readonly lu: Float64Array;
  readonly lxx: Float64Array;
  readonly lxu: Float64Array;
  readonly luu: Float64Array;
}

export interface Stage {
  readonly space: StateSpace;
  readonly nu: number;
  /** Limits of the control; infinite where there is none. Left out: none at all. */
  readonly controlLower?: Float64Array;
  readonly controlUpper?: Float64Array;
  /** Writes the next state and returns the cost. Not finite: the stage has no value there, and a step to it is refused. */
  readonly evaluate: (next: Float64Array, x: Float64Array, u: Float64Array) => number;
  /** Overwrites all of `out`. Second derivatives of costs may be those of Gauss and Newton, without curvature of residuals. */
  readonly differentiate: (out: StageDerivatives, x: Float64Array, u: Float64Array) => void;
  /** Adds sum_i p_i (second derivatives of f_i) to lxx, lxu and luu, for method 'ddp'. */
  readonly addCurvature?: (out: StageDerivatives, x: Float64Array, u: Float64Array, p: Float64Array) => void;
  /** What residuals of constraints look at, at a state and a control; valid until the stage is used again. */
  readonly contextAt?: (x: Float64Array, u: Float64Array, needs: Needs) => StageContext;
}

export interface TerminalStage {
  readonly space: StateSpace;
  readonly evaluate: (x: Float64Array) => number;
  /** Overwrites the gradient (ndx) and the Hessian (ndx x ndx). */
  readonly differentiate: (lx: Float64Array, lxx: Float64Array, x: Float64Array) => void;
  readonly contextAt?: (x: Float64Array, needs: Needs) => StageContext;
}

export interface ShootingProblem {
  readonly start: Float64Array;
  readonly stages: readonly Stage[];
  readonly terminal: TerminalStage;
}

/** A problem whose stages and end share one space. */
export function requireProblem(call: string, what: string, problem: unknown): void {
  requireFields(call, what, problem, PROBLEM);
  const { start, stages, terminal } = problem as ShootingProblem;
  requireObject(call, `${what}.terminal`, terminal, 'what createTerminal or createRobotTerminal returned');
  requireStage(call, `${what}.terminal`, terminal);
  const { nx, ndx } = terminal.space;
  requireNumbers(call, `${what}.start`, start, nx);
  requireList(call, `${what}.stages`, stages, 'a list of stages');
  for (const [i, stage] of stages.entries()) {
    requireStage(call, `${what}.stages[${i}]`, stage);
    requireCount(call, `${what}.stages[${i}].nu`, stage.nu);
    if (stage.space.nx !== nx || stage.space.ndx !== ndx)
      throwMisuse(call, `${what}.stages[${i}]`, stage, `a stage whose states have ${nx} numbers`);
  }
}

const PROBLEM: Fields = { start: requireNumbers, stages: requireList, terminal: requireObject };

function requireStage(call: string, what: string, stage: unknown): void {
  const { space, evaluate, differentiate } = (stage ?? {}) as Partial<Stage>;
  if (!(typeof evaluate === 'function' && typeof differentiate === 'function'))
    throwMisuse(call, what, stage, 'a stage with evaluate and differentiate');
  requireSpace(call, `${what}.space`, space);
}

export function createStageDerivatives(ndx: number, nu: number): StageDerivatives {
  return {
    fx: new Float64Array(ndx * ndx),
    fu: new Float64Array(ndx * nu),
    lx: new Float64Array(ndx),
    lu: new Float64Array(nu),
    lxx: new Float64Array(ndx * ndx),
    lxu: new Float64Array(ndx * nu),
    luu: new Float64Array(nu * nu),
  };
}
