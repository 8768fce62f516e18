/**
 * All solutions of inverse kinematics that a budget of starts finds: for arms without redundancy the separate postures (elbow
 * up or down, wrist turned over, ...), for redundant ones a sample of the solutions.
 *
 * Method: descents from the request's start and from seeded random configurations; what differs from every solution found
 * before by more than `distinct` in some coordinate is kept. Joints whose range exceeds a turn are then tried a full turn
 * either way, which needs no descent.
 * Units: metres, radians. Cost: one descent per start. Same request, same solutions in the same order.
 * Ends: `isSettled` is false when the last quarter of the starts still found something new: a larger budget may find more.
 * Tested by solve-many.test.ts.
 */
import { createRandom } from '../math/random.js';
import type { Model } from '../model/model.js';
import { type IkRequest, type IkSolver, readLimits } from './solve-ik.js';

export interface IkAllRequest extends Omit<IkRequest, 'restarts' | 'goal'> {
  /** Starts; default 200. */
  readonly starts?: number;
  /** Solutions closer than this in every coordinate are one; default 0.01. */
  readonly distinct?: number;
  /** Solutions at most; default 1000. */
  readonly most?: number;
}

export interface IkAllResult {
  /** In the order found. */
  readonly solutions: readonly Float64Array[];
  readonly isSettled: boolean;
  /** Over all starts. */
  readonly iterations: number;
}

export function solveAllIk(solver: IkSolver, request: IkAllRequest): IkAllResult {
  const { descent } = solver;
  const { starts = 200, distinct = 0.01, most = 1000, isValid } = request;
  const stack = solver.prepare(request);
  const limits = readLimits(request);
  const random = createRandom(request.seed ?? 1);
  const solutions: Float64Array[] = [];
  let iterations = 0;
  let lastNews = 0;
  const keep = (q: Float64Array): boolean => {
    if (solutions.length >= most || !(isValid?.(q) ?? true)) return false;
    if (solutions.some((other) => isSame(other, q, distinct))) return false;
    solutions.push(Float64Array.from(q));
    return true;
  };
  solver.placeStart();
  for (let attempt = 0; attempt < starts && solutions.length < most; attempt++) {
    if (attempt > 0) solver.drawStart(random);
    iterations += descent.run(stack, limits);
    if (!descent.isMet(stack, limits)) continue;
    const before = solutions.length;
    if (keep(descent.q)) for (const turned of listTurns(solver.model, descent.q, descent.coordinates)) keep(turned);
    if (solutions.length > before) lastNews = attempt;
  }
  return { solutions, isSettled: lastNews < 0.75 * starts && solutions.length < most, iterations };
}

function isSame(a: Float64Array, b: Float64Array, distinct: number): boolean {
  for (let i = 0; i < a.length; i++) if (Math.abs(a[i] - b[i]) > distinct) return false;
  return true;
}

/** The same placement with turning joints a full turn further, as far as limits allow, all combinations. */
function listTurns(model: Model, q: Float64Array, coordinates: Int32Array): Float64Array[] {
  let found: Float64Array[] = [q];
  for (let j = 1; j < model.jointCount; j++) {
    const i = coordinates[model.idxV[j]];
    if (model.jointKinds[j]?.name !== 'revolute' || model.mimicDrivers[j] > 0 || i < 0) continue;
    if (!(model.upper[i] - model.lower[i] >= 2 * Math.PI && model.upper[i] - model.lower[i] < 20)) continue;
    const longer: Float64Array[] = [];
    for (const from of found) {
      longer.push(from);
      for (const turn of [-2 * Math.PI, 2 * Math.PI]) {
        const value = from[i] + turn;
        if (value < model.lower[i] || value > model.upper[i]) continue;
        const next = Float64Array.from(from);
        next[i] = value;
        longer.push(next);
      }
    }
    found = longer;
  }
  return found.slice(1);
}
