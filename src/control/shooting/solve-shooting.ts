/**
 * Shooting methods for problems of optimal control: iLQR, DDP and FDDP.
 *
 * Method, per iteration:
 * 1. derivatives along the trajectory, and its gaps: how far states are from where the stages before them lead;
 * 2. the backward pass (backward-pass.ts): u = u - alpha k - K dx;
 * 3. a search over alpha = 1, 1/2, ..., 1/512 by rolling out with that feedback, until the cost falls by a tenth of what was
 *    expected, alpha (d0 + alpha d1 / 2). When no step is good, or only a very short one, regularisation grows tenfold; it shrinks
 *    after steps above 1/2.
 * `ilqr` and `ddp` roll out the dynamics themselves: gaps of a guess close with the first step that is taken. `ddp` adds the
 * curvature of the dynamics where stages have it. `fddp` closes gaps by the part alpha of each step, and may let the cost rise
 * a little while they close: guesses of states far from any motion are used, not thrown away.
 * Limits of controls are kept by projection in the rollout and by the quadratic program of the backward pass.
 * Source: Mayne 1966, doi:10.1080/00207176608921369 (DDP); Li, Todorov 2004, doi:10.5220/0001143902220229 (iLQR); Tassa, Erez,
 * Todorov 2012, doi:10.1109/IROS.2012.6386025 (search, regularisation); Mastalli et al. 2020,
 * doi:10.1109/ICRA40945.2020.9196673 (FDDP, its expected improvement).
 * Cost: per iteration the derivatives, the backward pass and a few rollouts. Allocates when created only.
 * Ends: 'converged' (expected improvement below `tolerance`, no gaps); 'iteration limit'; 'regularisation limit' (no step
 * improves); 'no value' (the start or the guess has no finite cost, or the whole problem none). The best trajectory is kept.
 * Tested by solve-shooting.test.ts and test/contract/talos-arm-runs.test.ts.
 */

import {
  type Fields,
  oneOf,
  requireCount,
  requireFunction,
  requireList,
  requireNumbers,
  requireOptions,
  requirePositiveNumber,
} from '../../math/arguments.js';
import { MisuseError } from '../../math/misuse.js';
import { powerOfTwo } from '../../math/scalar.js';
import { createWorkspace, passBackward, type Workspace } from './backward-pass.js';
import { requireProblem, type ShootingProblem } from './stage.js';
import type { StateSpace } from './state-space.js';

export type ShootingMethod = 'ilqr' | 'ddp' | 'fddp';

export interface ShootingOptions {
  /** Default 'fddp'. */
  readonly method?: ShootingMethod;
  /** Guess of all states, one more than there are stages. Default: for 'fddp' the start everywhere, else a rollout. */
  readonly states?: readonly ArrayLike<number>[];
  /** Guess of the controls. Default 0, within limits. */
  readonly controls?: readonly ArrayLike<number>[];
  /** Default 100. */
  readonly iterations?: number;
  /** Of the criterion; default 1e-9. */
  readonly tolerance?: number;
  /** What must be small: the expected improvement of the cost (default), or the sum of squares of Qu, its slope by controls. */
  readonly criterion?: 'improvement' | 'gradient';
  /** Least that is added to Quu and Vxx; default 1e-9. */
  readonly regularisation?: number;
  /** At the first iteration; default `regularisation`. Large: cautious first steps. */
  readonly firstRegularisation?: number;
  /** Called after every iteration. */
  readonly onIteration?: (entry: ShootingIteration) => void;
}

export interface ShootingIteration {
  readonly iteration: number;
  readonly cost: number;
  /** Fall of the cost that a full step was expected to give. */
  readonly expected: number;
  readonly criterion: number;
  readonly regularisation: number;
  /** Step that was taken; 0: none. */
  readonly step: number;
  /** Largest gap before the step. */
  readonly gap: number;
}

export type ShootingStatus = 'converged' | 'iteration limit' | 'regularisation limit' | 'no value';

export interface ShootingResult {
  readonly status: ShootingStatus;
  readonly cost: number;
  readonly iterations: number;
  /** Largest gap of the trajectory: 0 when the states are the motion of the controls. */
  readonly gap: number;
  readonly states: readonly Float64Array[];
  readonly controls: readonly Float64Array[];
  /** K, nu x ndx, of u = u_k - K (x (-) x_k) near the trajectory. */
  readonly gains: readonly Float64Array[];
  /** Value of the state at each stage: gradient and Hessian. */
  readonly slopes: readonly Float64Array[];
  readonly hessians: readonly Float64Array[];
  readonly log: readonly ShootingIteration[];
}

/** Holds all memory of a problem, for solving it again and again. Arrays of a result are valid until the next one. */
export interface ShootingSolver {
  readonly problem: ShootingProblem;
  readonly solve: (options?: ShootingOptions) => ShootingResult;
}

/** What the options of every shooting method must be. */
export const SHOOTING_OPTIONS: Fields = {
  method: oneOf('ilqr', 'ddp', 'fddp'),
  states: requireList,
  controls: requireList,
  iterations: (call, what, value) => requireCount(call, what, value, 0),
  tolerance: requirePositiveNumber,
  criterion: oneOf('improvement', 'gradient'),
  regularisation: requirePositiveNumber,
  firstRegularisation: requirePositiveNumber,
  onIteration: requireFunction,
};

const MOST_REGULARISATION = 1e9;
const REGULARISATION_FACTOR = 10;
const STEPS = Array.from({ length: 10 }, (_, i) => powerOfTwo(-i));
/** Part of the expected fall that a step must give, and of an expected rise that it may. */
const ACCEPTED = 0.1;
const ACCEPTED_RISE = 2;
const LONG_STEP = 0.5;
const SHORT_STEP = 0.01;
const GAP = 1e-14;
/** Improvements below this part of the cost are lost in rounding. */
const ROUNDING = 1e-15;

export function solveShooting(problem: ShootingProblem, options: ShootingOptions = {}): ShootingResult {
  return createShootingSolver(problem).solve(options);
}

export function createShootingSolver(problem: ShootingProblem): ShootingSolver {
  requireProblem('createShootingSolver', 'problem', problem);
  const work = createWorkspace(problem);
  return { problem, solve: (options = {}) => solve(problem, work, options) };
}

function solve(problem: ShootingProblem, work: Workspace, options: ShootingOptions): ShootingResult {
  requireOptions('solveShooting', options, SHOOTING_OPTIONS);
  const { method = 'fddp', iterations = 100, tolerance = 1e-9, criterion = 'improvement', onIteration } = options;
  const least = options.regularisation ?? 1e-9;
  const { count, slopes } = work;
  const keepsGaps = method === 'fddp';
  const log: ShootingIteration[] = [];
  let regularisation = Math.max(least, options.firstRegularisation ?? least);
  let cost = loadGuess(problem, work, options, method);
  let gap = measureGaps(problem, work);
  let status: ShootingStatus = Number.isFinite(cost) ? 'iteration limit' : 'no value';
  let done = 0;
  let fresh = true;
  for (; done < iterations && status !== 'no value'; done++) {
    if (fresh) differentiate(problem, work);
    fresh = false;
    const modes = { gaps: gap > GAP, curvature: method === 'ddp' };
    let solved = passBackward(work, problem, regularisation, modes);
    while (!solved && regularisation < MOST_REGULARISATION) {
      regularisation *= REGULARISATION_FACTOR;
      solved = passBackward(work, problem, regularisation, modes);
    }
    if (!solved) {
      status = 'regularisation limit';
      break;
    }
    const gradient = expectImprovement(work);
    const before = { gap, slope: slopes[0] };
    let taken = 0;
    let last = 0;
    for (const alpha of STEPS) {
      last = alpha;
      const tried = rollOut(problem, work, alpha, keepsGaps && modes.gaps);
      if (!Number.isFinite(tried)) continue;
      const [d0, d1] = keepsGaps && modes.gaps ? expectWithGaps(work, problem.terminal.space) : slopes;
      const expected = alpha * (d0 + 0.5 * alpha * d1);
      const fall = cost - tried;
      const good =
        expected >= 0
          ? d0 < 1e-12 || (!keepsGaps && modes.gaps) || fall > ACCEPTED * expected
          : keepsGaps && modes.gaps && fall > ACCEPTED_RISE * expected;
      if (!good) continue;
      takeTrial(work);
      cost = tried;
      gap = keepsGaps && modes.gaps && alpha < 1 ? measureGaps(problem, work) : 0;
      if (gap === 0) for (const each of work.gaps) each.fill(0);
      taken = alpha;
      fresh = true;
      break;
    }
    const improvement = slopes[0] + 0.5 * slopes[1];
    const measure = criterion === 'gradient' ? gradient : Math.abs(improvement);
    const entry = {
      iteration: done,
      cost,
      expected: improvement,
      criterion: measure,
      regularisation,
      step: taken,
      gap: before.gap,
    };
    log.push(entry);
    onIteration?.(entry);
    if (before.gap <= GAP && (measure < tolerance || Math.abs(before.slope) <= ROUNDING * Math.abs(cost))) {
      status = 'converged';
      done++;
      break;
    }
    if (last > LONG_STEP) regularisation = Math.max(least, regularisation / REGULARISATION_FACTOR);
    if (last <= SHORT_STEP) {
      regularisation *= REGULARISATION_FACTOR;
      if (regularisation > MOST_REGULARISATION) {
        status = 'regularisation limit';
        done++;
        break;
      }
    }
  }
  return {
    status,
    cost,
    iterations: done,
    gap,
    states: work.states,
    controls: work.controls,
    gains: work.gains,
    slopes: work.Vx,
    hessians: work.Vxx,
    log,
  };

  function takeTrial({ states, controls, triedStates, triedControls }: Workspace): void {
    for (let k = 0; k <= count; k++) states[k].set(triedStates[k]);
    for (let k = 0; k < count; k++) controls[k].set(triedControls[k]);
  }
}

/** Loads the guess and returns its cost. */
function loadGuess(
  problem: ShootingProblem,
  work: Workspace,
  { states, controls }: ShootingOptions,
  method: ShootingMethod,
): number {
  const { stages, start, terminal } = problem;
  const { count } = work;
  requireLengths('states', states, count + 1, () => terminal.space.nx);
  requireLengths('controls', controls, count, (k) => stages[k].nu);
  for (let k = 0; k < count; k++) {
    const u = work.controls[k];
    const { controlLower, controlUpper } = stages[k];
    for (let i = 0; i < u.length; i++) {
      u[i] = controls === undefined ? 0 : controls[k][i];
      if (controlLower !== undefined && controlUpper !== undefined)
        u[i] = Math.min(controlUpper[i], Math.max(controlLower[i], u[i]));
    }
    work.feedforward[k].fill(0);
    work.gains[k].fill(0);
  }
  if (states !== undefined) for (let k = 0; k <= count; k++) work.states[k].set(states[k]);
  else if (method === 'fddp') for (let k = 0; k <= count; k++) work.states[k].set(start);
  else {
    work.states[0].set(start);
    for (let k = 0; k < count; k++)
      if (!Number.isFinite(stages[k].evaluate(work.states[k + 1], work.states[k], work.controls[k]))) return Infinity;
  }
  let cost = terminal.evaluate(work.states[count]);
  const next = work.triedStates[count];
  for (let k = 0; k < count; k++) cost += stages[k].evaluate(next, work.states[k], work.controls[k]);
  return cost;
}

function requireLengths(
  what: string,
  list: readonly ArrayLike<number>[] | undefined,
  count: number,
  size: (index: number) => number,
): void {
  if (list === undefined) return;
  if (list.length !== count)
    throw new MisuseError(`solveShooting: options.${what}, got ${list.length} entries, expected ${count}`);
  for (const [k, numbers] of list.entries()) requireNumbers('solveShooting', `options.${what}[${k}]`, numbers, size(k));
}

/** Writes all gaps and returns the largest entry. */
function measureGaps({ stages, start, terminal }: ShootingProblem, work: Workspace): number {
  const { gaps, states, controls, count } = work;
  const { space } = terminal;
  const next = work.triedStates[count];
  let largest = 0;
  for (let k = 0; k <= count; k++) {
    if (k > 0) stages[k - 1].evaluate(next, states[k - 1], controls[k - 1]);
    space.difference(gaps[k], states[k], k === 0 ? start : next);
    for (let i = 0; i < work.ndx; i++) largest = Math.max(largest, Math.abs(gaps[k][i]));
  }
  return largest;
}

function differentiate({ stages, terminal }: ShootingProblem, work: Workspace): void {
  for (let k = 0; k < work.count; k++) stages[k].differentiate(work.derivatives[k], work.states[k], work.controls[k]);
  terminal.differentiate(work.terminalSlope, work.terminalHessian, work.states[work.count]);
}

/** Writes d0, d1 of the expected fall and returns the sum of squares of Qu. */
function expectImprovement(work: Workspace): number {
  const { slopes, count } = work;
  let [d0, d1, squares] = [0, 0, 0];
  for (let k = 0; k < count; k++) {
    const [Qu, Quu, feed] = [work.Qu[k], work.Quu[k], work.feedforward[k]];
    const nu = feed.length;
    for (let i = 0; i < nu; i++) {
      d0 += Qu[i] * feed[i];
      squares += Qu[i] * Qu[i];
      for (let l = 0; l < nu; l++) d1 -= feed[i] * Quu[i * nu + l] * feed[l];
    }
  }
  slopes[0] = d0;
  slopes[1] = d1;
  return squares;
}

const expected = new Float64Array(2);

/** The same where gaps stay open: the values of all states count with the part of the gap that is closed. */
function expectWithGaps(work: Workspace, space: StateSpace): Float64Array {
  const { slopes, gaps, Vx, Vxx, states, triedStates, ndx, count, column } = work;
  let [dg, dq, dv] = [slopes[0], slopes[1], 0];
  for (let k = 0; k <= count; k++) {
    const gap = gaps[k];
    space.difference(column, triedStates[k], states[k]);
    for (let i = 0; i < ndx; i++) {
      let ahead = 0;
      let across = 0;
      for (let l = 0; l < ndx; l++) {
        ahead += Vxx[k][i * ndx + l] * gap[l];
        across += Vxx[k][i * ndx + l] * column[l];
      }
      dg -= Vx[k][i] * gap[i];
      dq += gap[i] * ahead;
      dv -= gap[i] * across;
    }
  }
  expected[0] = dg + dv;
  expected[1] = dq - 2 * dv;
  return expected;
}

/** Rolls out with feedback from a step of alpha and returns the cost; not finite: there is none. */
function rollOut(problem: ShootingProblem, work: Workspace, alpha: number, keepGaps: boolean): number {
  const { stages, start, terminal } = problem;
  const { states, controls, triedStates, triedControls, gaps, feedforward, gains, ndx, count, column } = work;
  const { space } = terminal;
  triedStates[0].set(start);
  if (keepGaps && alpha < 1) shrinkGap(triedStates[0], gaps[0]);
  let cost = 0;
  for (let k = 0; k < count; k++) {
    const { nu, controlLower, controlUpper } = stages[k];
    const [u, K, feed, x] = [triedControls[k], gains[k], feedforward[k], triedStates[k]];
    space.difference(column, states[k], x);
    for (let i = 0; i < nu; i++) {
      let sum = controls[k][i] - alpha * feed[i];
      for (let c = 0; c < ndx; c++) sum -= K[i * ndx + c] * column[c];
      if (controlLower !== undefined && controlUpper !== undefined)
        sum = Math.min(controlUpper[i], Math.max(controlLower[i], sum));
      u[i] = sum;
    }
    cost += stages[k].evaluate(triedStates[k + 1], x, u);
    if (!(Math.abs(cost) < 1e100)) return Infinity;
    if (keepGaps && alpha < 1) shrinkGap(triedStates[k + 1], gaps[k + 1]);
  }
  return cost + terminal.evaluate(triedStates[count]);

  function shrinkGap(x: Float64Array, gap: Float64Array): void {
    for (let i = 0; i < ndx; i++) column[i] = (alpha - 1) * gap[i];
    space.integrate(x, x, column.subarray(0, ndx));
  }
}
