/**
 * All solutions of inverse kinematics that a budget of starts finds: for arms without redundancy the separate postures (elbow
 * up or down, wrist turned over, ...), for redundant ones a sample of the solutions.
 *
 * Method: descents from the request's start and from seeded random configurations; what differs from every solution found
 * before by more than `distinct` in some coordinate is kept. Joints that can go a full turn and be where they were are turned to
 * where they are nearest to the start, or, when asked, tried in every turn that their limits allow, which needs no descent.
 * Units: metres, radians. Cost: one descent per start. Same request, same solutions in the same order: by distance from the
 * start (`distanceConfiguration`), the first found first among equals.
 * Ends: `isSettled` is false when the last quarter of the starts still found something new: a larger budget may find more.
 * Tested by solve-many.test.ts.
 */

import { type Fields, oneOf, requireNotNegative, wholeFrom } from '../math/arguments.js';
import { createRandom } from '../math/random.js';
import { distanceConfiguration } from '../model/configuration.js';
import type { Model } from '../model/model.js';
import { listWholeTurns } from '../model/whole-turns.js';
import { REQUEST, requireRequest } from './request-door.js';
import { type IkRequest, type IkSolver, readLimits, requireSolver } from './solve-ik.js';

const FIELDS: Fields = {
  ...REQUEST,
  starts: wholeFrom(1),
  distinct: requireNotNegative,
  most: wholeFrom(1),
  turns: oneOf('nearest', 'all'),
};

export interface IkAllRequest extends Omit<IkRequest, 'restarts' | 'goal'> {
  /** Starts; default 200. */
  readonly starts?: number;
  /** Solutions closer than this in every coordinate are one; default 0.01. */
  readonly distinct?: number;
  /** Solutions at most; default 1000. */
  readonly most?: number;
  /**
   * Joints that can go a full turn within their limits: `nearest` (default) gives each solution once, those joints turned to where they
   * are nearest to the start; `all` gives every combination of turns as a solution of its own.
   */
  readonly turns?: 'nearest' | 'all';
}

export interface IkAllResult {
  /** Nearest to the start first. */
  readonly solutions: readonly Float64Array[];
  readonly isSettled: boolean;
  /** Over all starts. */
  readonly iterations: number;
}

const TURN = 2 * Math.PI;

export function solveAllIk(solver: IkSolver, request: IkAllRequest): IkAllResult {
  requireSolver('solveAllIk', solver);
  requireRequest('solveAllIk', solver.model, request, FIELDS);
  const { descent } = solver;
  const { starts = 200, distinct = 0.01, most = 1000, turns = 'nearest', isValid } = request;
  const stack = solver.prepare(request);
  const limits = readLimits(request);
  const random = createRandom(request.seed ?? 1);
  const solutions: Float64Array[] = [];
  /** Of every start that ended well, folded; what `isValid` refuses included. */
  const postures: Float64Array[] = [];
  let iterations = 0;
  let lastNews = 0;
  const keep = (q: Float64Array): boolean => {
    if (solutions.length >= most || !(isValid?.(q) ?? true)) return false;
    if (solutions.some((other) => isSame(other, q, distinct))) return false;
    solutions.push(Float64Array.from(q));
    return true;
  };
  solver.placeStart();
  const start = Float64Array.from(descent.q);
  const turning = listTurning(solver.model, descent);
  for (let attempt = 0; attempt < starts && solutions.length < most; attempt++) {
    if (attempt > 0) solver.drawStart(random);
    iterations += descent.run(stack, limits);
    if (!descent.isMet(stack, limits)) continue;
    const before = solutions.length;
    const folded = foldTurns(solver.model, turning, descent, start);
    if (postures.some((other) => isSame(other, folded, distinct))) continue;
    postures.push(folded);
    if (turns === 'nearest' && (isValid?.(folded) ?? true)) keep(folded);
    else {
      // Every turn; or, where the nearest one is refused, the nearest that is not.
      const candidates = [folded, ...listTurns(solver.model, turning, folded, most)];
      if (turns === 'nearest') sortByDistance(solver.model, candidates, start);
      for (const turned of candidates) if (keep(turned) && turns === 'nearest') break;
    }
    if (solutions.length > before) lastNews = attempt;
  }
  sortByDistance(solver.model, solutions, start);
  return { solutions, isSettled: lastNews < 0.75 * starts && solutions.length < most, iterations };
}

function isSame(a: Float64Array, b: Float64Array, distinct: number): boolean {
  for (let i = 0; i < a.length; i++) if (Math.abs(a[i] - b[i]) > distinct) return false;
  return true;
}

/** Coordinates that may move and that a full turn leaves where they are. */
function listTurning(model: Model, { coordinates, free }: IkSolver['descent']): number[] {
  const wholeTurns = listWholeTurns(model);
  return Array.from(free, (k) => coordinates[k]).filter((i) => i >= 0 && wholeTurns[i] === 1);
}

/** The solution with turning joints as near to the start as full turns bring them, inside the limits. */
function foldTurns(
  model: Model,
  turning: readonly number[],
  descent: IkSolver['descent'],
  start: Float64Array,
): Float64Array {
  const folded = Float64Array.from(descent.q);
  for (const i of turning) {
    const turns = Math.round((start[i] - folded[i]) / TURN);
    const step = Math.sign(turns) * TURN;
    for (let n = Math.abs(turns); n > 0; n--) {
      const value = folded[i] + step;
      if (descent.honoursLimits && !(value >= model.lower[i] && value <= model.upper[i])) break;
      folded[i] = value;
    }
  }
  return folded;
}

/** The same placement with turning joints full turns further, as far as limits allow, all combinations but the given one. */
function listTurns(model: Model, turning: readonly number[], q: Float64Array, most: number): Float64Array[] {
  let found: Float64Array[] = [q];
  for (const i of turning) {
    const { lower, upper } = model;
    if (!(upper[i] - lower[i] < Infinity)) continue;
    const longer: Float64Array[] = [];
    for (const from of found) {
      longer.push(from);
      for (const turn of [-TURN, TURN]) {
        for (
          let value = from[i] + turn;
          value >= lower[i] && value <= upper[i] && longer.length < 2 * most;
          value += turn
        ) {
          const next = Float64Array.from(from);
          next[i] = value;
          longer.push(next);
        }
      }
    }
    found = longer;
  }
  return found.slice(1);
}

function sortByDistance(model: Model, solutions: Float64Array[], start: Float64Array): void {
  const distances = new Map(solutions.map((q) => [q, distanceConfiguration(model, start, q)]));
  solutions.sort((a, b) => (distances.get(a) as number) - (distances.get(b) as number));
}
