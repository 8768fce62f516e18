/**
 * Shooting under constraints on states and controls: lower <= r(x, u) <= upper, or r = value, at some or all stages.
 *
 * Method: the augmented Lagrangian. Each bounded entry c costs, with its multiplier m and the penalty p,
 *   p / 2 dist^2(s, [lower, upper]) - m^2 / (2 p),   s = c + m / p
 * which is smooth, zero in slope where the bound is slack, and needs no slack variables. After each solution m <- p (s - projection
 * of s); the penalty of all grows tenfold when the worst violation has not fallen to a quarter. Limits of the control are
 * kept exactly by the solver itself and need no constraint.
 * Source: Rockafellar 1973, doi:10.1007/BF01580136 (the penalty for inequalities); Conn, Gould, Toint 1991,
 * doi:10.1137/0728030 (when to raise it); Howell, Jackson, Manchester 2019, "ALTRO", doi:10.1109/IROS40897.2019.8967788.
 * Cost: a few solutions, each from the last. Ends: 'converged' (violation at most `constraintTolerance`, last solution converged);
 * 'violated' when the rounds are used up before that; else as solveShooting of the last round. The worst violation is in
 * the result, whatever the status. Tested by solve-constrained.test.ts.
 */

import {
  type Fields,
  requireBounds,
  requireFields,
  requireList,
  requireOptions,
  requirePositiveNumber,
  unchecked,
  wholeFrom,
} from '../../math/arguments.js';
import { MisuseError } from '../../math/misuse.js';
import { addGaussNewton, gatherNeeds } from './cost-sum.js';
import { type Needs, type Residual, requireResidual, type StageContext } from './residual.js';
import {
  createShootingSolver,
  SHOOTING_OPTIONS,
  type ShootingOptions,
  type ShootingResult,
  type ShootingStatus,
} from './solve-shooting.js';
import {
  requireProblem,
  type ShootingProblem,
  type Stage,
  type StageDerivatives,
  type TerminalStage,
} from './stage.js';

export interface ShootingConstraint {
  readonly residual: Residual;
  /** One number per entry of the residual, -Infinity and Infinity where there is none; equal ones are an equation. */
  readonly lower: ArrayLike<number>;
  readonly upper: ArrayLike<number>;
  /** Where it holds: every stage (default), the end, both, or stages by index. A residual of controls has no value at the end. */
  readonly at?: 'stages' | 'end' | 'all' | readonly number[];
}

export interface ConstrainedShootingOptions extends ShootingOptions {
  /** Largest violation that is accepted, in the residual's units; default 1e-6. */
  readonly constraintTolerance?: number;
  /** First penalty, per squared unit; default 10. */
  readonly penalty?: number;
  /** Rounds; default 30. */
  readonly rounds?: number;
}

export interface ConstrainedShootingResult extends Omit<ShootingResult, 'status'> {
  readonly status: ShootingStatus | 'violated';
  /** The worst excess beyond a bound, and where it is: index of the constraint, of the stage (their count: the end). */
  readonly violation: number;
  readonly violated: { readonly constraint: number; readonly stage: number };
  readonly rounds: number;
  readonly penalty: number;
}

const CONSTRAINT: Fields = { residual: requireResidual, lower: requireBounds, upper: requireBounds, at: unchecked };

/** A constraint at one stage. */
interface Held {
  readonly constraint: number;
  readonly residual: Residual;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly multipliers: Float64Array;
  readonly r: Float64Array;
  readonly first: Float64Array;
  readonly second: Float64Array;
  readonly rx: Float64Array;
  readonly ru: Float64Array;
}

const RAISE = 10;
const ENOUGH = 0.25;
const MOST_PENALTY = 1e12;

const OPTIONS: Fields = {
  ...SHOOTING_OPTIONS,
  constraintTolerance: requirePositiveNumber,
  penalty: requirePositiveNumber,
  rounds: wholeFrom(1),
};

export function solveConstrainedShooting(
  problem: ShootingProblem,
  constraints: readonly ShootingConstraint[],
  options: ConstrainedShootingOptions = {},
): ConstrainedShootingResult {
  const call = 'solveConstrainedShooting';
  requireProblem(call, 'problem', problem);
  requireList(call, 'constraints', constraints, 'a list of constraints');
  requireOptions(call, options, OPTIONS);
  const { constraintTolerance = 1e-6, penalty: firstPenalty = 10, rounds = 30, ...shooting } = options;
  const held = placeConstraints(call, problem, constraints);
  const penalty = { value: firstPenalty };
  const { stages, terminal } = problem;
  const solver = createShootingSolver({
    start: problem.start,
    stages: stages.map((stage, k) => (held[k].length === 0 ? stage : penalise(stage, held[k], penalty))),
    terminal: held[stages.length].length === 0 ? terminal : penaliseEnd(terminal, held[stages.length], penalty),
  });
  const { tolerance = 1e-9 } = shooting;
  const log: ShootingResult['log'][number][] = [];
  let loose = Math.max(tolerance, 1e-3);
  let worst = Infinity;
  let result: ShootingResult | null = null;
  let iterations = 0;
  for (let round = 1; ; round++) {
    result = solver.solve({
      ...shooting,
      ...(result === null ? {} : { states: result.states, controls: result.controls }),
      tolerance: loose,
    });
    log.push(...result.log);
    iterations += result.iterations;
    const found = measure(problem, held, result);
    const { violation } = found;
    const met = violation <= constraintTolerance;
    if ((met && loose <= tolerance) || round >= rounds || result.status === 'no value') {
      return {
        ...result,
        status: met ? result.status : result.status === 'no value' ? 'no value' : 'violated',
        cost: evaluateCost(problem, result),
        iterations,
        log,
        violation,
        violated: { constraint: found.constraint, stage: found.stage },
        rounds: round,
        penalty: penalty.value,
      };
    }
    updateMultipliers(held, penalty.value, problem, result);
    if (!met && violation > ENOUGH * worst && penalty.value < MOST_PENALTY) raisePenalty(penalty);
    worst = violation;
    loose = Math.max(tolerance, loose * (met ? 1e-3 : 0.1));
  }
}

function raisePenalty(penalty: { value: number }): void {
  penalty.value *= RAISE;
}

function placeConstraints(
  call: string,
  { stages, terminal }: ShootingProblem,
  constraints: readonly ShootingConstraint[],
): Held[][] {
  const held: Held[][] = Array.from({ length: stages.length + 1 }, () => []);
  for (const [i, constraint] of constraints.entries()) {
    const what = `constraints[${i}]`;
    requireFields(call, what, constraint, CONSTRAINT);
    const { residual, lower, upper, at = 'stages' } = constraint;
    requireResidual(call, `${what}.residual`, residual);
    requireBounds(call, `${what}.lower`, lower, residual.size);
    requireBounds(call, `${what}.upper`, upper, residual.size);
    for (let e = 0; e < residual.size; e++)
      if (!(lower[e] <= upper[e]))
        throw new MisuseError(`${call}: ${what}.lower[${e}], got ${lower[e]} above ${upper[e]}, expected at most that`);
    const places = listPlaces(call, what, at, stages.length);
    for (const k of places) {
      const stage = k === stages.length ? terminal : stages[k];
      if (stage.contextAt === undefined)
        throw new MisuseError(`${call}: ${what}.at, got stage ${k}, expected one that has contextAt`);
      const nu = k === stages.length ? 0 : stages[k].nu;
      const { size } = residual;
      held[k].push({
        constraint: i,
        residual,
        lower: Float64Array.from(lower),
        upper: Float64Array.from(upper),
        multipliers: new Float64Array(size),
        r: new Float64Array(size),
        first: new Float64Array(size),
        second: new Float64Array(size),
        rx: new Float64Array(size * terminal.space.ndx),
        ru: new Float64Array(size * nu),
      });
    }
  }
  return held;
}

function listPlaces(call: string, what: string, at: ShootingConstraint['at'], count: number): readonly number[] {
  const stages = Array.from({ length: count }, (_, k) => k);
  if (at === 'stages') return stages;
  if (at === 'end') return [count];
  if (at === 'all') return [...stages, count];
  requireList(call, `${what}.at`, at, "'stages', 'end', 'all' or a list of stages");
  for (const k of at as readonly unknown[])
    if (!(Number.isInteger(k) && (k as number) >= 0 && (k as number) < count))
      throw new MisuseError(`${call}: ${what}.at, got ${String(k)}, expected 0 to ${count - 1}`);
  return at as readonly number[];
}

const clamp = (x: number, low: number, high: number): number => Math.min(high, Math.max(low, x));

/** Cost of all constraints at a stage. */
function costOf(held: readonly Held[], context: StageContext, penalty: number): number {
  let sum = 0;
  for (const { residual, lower, upper, multipliers, r } of held) {
    residual.evaluate(r, context);
    for (let i = 0; i < r.length; i++) {
      const s = r[i] + multipliers[i] / penalty;
      const excess = s - clamp(s, lower[i], upper[i]);
      sum += 0.5 * penalty * excess * excess - (0.5 * multipliers[i] * multipliers[i]) / penalty;
    }
  }
  return sum;
}

function addDerivatives(
  out: Omit<StageDerivatives, 'fx' | 'fu'>,
  held: readonly Held[],
  context: StageContext,
  penalty: number,
): void {
  for (const { residual, lower, upper, multipliers, r, first, second, rx, ru } of held) {
    residual.evaluate(r, context);
    let active = false;
    for (let i = 0; i < r.length; i++) {
      const s = r[i] + multipliers[i] / penalty;
      first[i] = penalty * (s - clamp(s, lower[i], upper[i]));
      second[i] = first[i] === 0 && lower[i] !== upper[i] ? 0 : penalty;
      active ||= second[i] !== 0;
    }
    if (!active) continue;
    rx.fill(0);
    ru.fill(0);
    residual.differentiate(rx, ru, context);
    addGaussNewton(out, residual, { rx, ru, first, second, scale: 1 }, context.space.ndx, context.nu);
  }
}

const needsOf = (held: readonly Held[]): Needs => gatherNeeds(held.map(({ residual }) => residual));

function penalise(stage: Stage, held: readonly Held[], penalty: { readonly value: number }): Stage {
  const needs = needsOf(held);
  const contextAt = stage.contextAt as NonNullable<Stage['contextAt']>;
  return {
    ...stage,
    evaluate: (next, x, u) => {
      const cost = stage.evaluate(next, x, u);
      return Number.isFinite(cost) ? cost + costOf(held, contextAt(x, u, needs), penalty.value) : cost;
    },
    differentiate: (out, x, u) => {
      stage.differentiate(out, x, u);
      addDerivatives(out, held, contextAt(x, u, needs), penalty.value);
    },
  };
}

function penaliseEnd(end: TerminalStage, held: readonly Held[], penalty: { readonly value: number }): TerminalStage {
  const needs = needsOf(held);
  const contextAt = end.contextAt as NonNullable<TerminalStage['contextAt']>;
  const none = new Float64Array(0);
  return {
    ...end,
    evaluate: (x) => {
      const cost = end.evaluate(x);
      return Number.isFinite(cost) ? cost + costOf(held, contextAt(x, needs), penalty.value) : cost;
    },
    differentiate: (lx, lxx, x) => {
      end.differentiate(lx, lxx, x);
      addDerivatives({ lx, lxx, lu: none, lxu: none, luu: none }, held, contextAt(x, needs), penalty.value);
    },
  };
}

/** Calls back with every constraint's residual evaluated on a trajectory. */
function visit(
  { stages, terminal }: ShootingProblem,
  held: readonly (readonly Held[])[],
  { states, controls }: ShootingResult,
  look: (each: Held, stage: number) => void,
): void {
  held.forEach((list, k) => {
    if (list.length === 0) return;
    const needs = needsOf(list);
    const context =
      k === stages.length
        ? terminal.contextAt?.(states[k], needs)
        : stages[k].contextAt?.(states[k], controls[k], needs);
    for (const each of list) {
      each.residual.evaluate(each.r, context as StageContext);
      look(each, k);
    }
  });
}

function measure(
  problem: ShootingProblem,
  held: readonly (readonly Held[])[],
  result: ShootingResult,
): { violation: number; constraint: number; stage: number } {
  const worst = { violation: 0, constraint: -1, stage: -1 };
  visit(problem, held, result, ({ r, lower, upper, constraint }, stage) => {
    for (let i = 0; i < r.length; i++) {
      const violation = Math.abs(r[i] - clamp(r[i], lower[i], upper[i]));
      if (violation > worst.violation) Object.assign(worst, { violation, constraint, stage });
    }
  });
  return worst;
}

function updateMultipliers(
  held: readonly (readonly Held[])[],
  penalty: number,
  problem: ShootingProblem,
  result: ShootingResult,
): void {
  visit(problem, held, result, ({ r, lower, upper, multipliers }) => {
    for (let i = 0; i < r.length; i++) {
      const s = r[i] + multipliers[i] / penalty;
      multipliers[i] = penalty * (s - clamp(s, lower[i], upper[i]));
    }
  });
}

/** The cost without penalties. */
function evaluateCost({ stages, terminal }: ShootingProblem, { states, controls }: ShootingResult): number {
  const next = new Float64Array(terminal.space.nx);
  let cost = terminal.evaluate(states[stages.length]);
  for (const [k, stage] of stages.entries()) cost += stage.evaluate(next, states[k], controls[k]);
  return cost;
}
