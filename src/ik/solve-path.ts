/**
 * A continuous joint path that brings a frame through a list of poses, without jumps from one posture to another.
 *
 * Method:
 * 1. solutions of the first pose: the start's own when given, then those that `solve-all.ts` finds;
 * 2. from each, the path of poses is followed by descents without restarts, each from the configuration before. A step whose
 *    joints change by more than `largestStep` is halved along the geodesic of SE(3) (and the descent repeated at the middle)
 *    until it is small: a motion that is fast but continuous, as near a singularity, passes; a jump does not shrink;
 * 3. redundant arms drift towards limits on the way: a descent that fails is tried again from the configuration moved along
 *    its solutions away from the limits (`improve.ts`);
 * 4. with a `goal`, every configuration reached is improved along its solutions as far as the step from the one before stays
 *    within `largestStep`; when that leads into a dead end, the paths without it count too;
 * 5. the first start that gets through wins; else the one that gets farthest is reported.
 * Frames: targets X_WT. Units: metres, radians. Cost: (poses + halvings) x one to three iterations per start tried.
 * Ends: `solved`; `blocked` with the part that was reached: `reached` poses. `isValid` is asked at every configuration of the
 * path, the halvings included. Same request, same path. Tested by solve-many.test.ts.
 */

import { type Fields, requirePositive, unchecked, wholeFrom } from '../math/arguments.js';
import { expSe3, logSe3 } from '../math/se3.js';
import { createTransform, multiplyTransform, relativeTransform, type Transform } from '../math/transform.js';
import type { IkGoal } from './improve.js';
import { REQUEST, requireRequest, requireTargets } from './request-door.js';
import { solveAllIk } from './solve-all.js';
import type { IkRequest, IkSolver } from './solve-ik.js';
import { requireSolver } from './solve-ik.js';

const FIELDS: Fields = {
  ...REQUEST,
  targets: unchecked,
  largestStep: requirePositive,
  starts: wholeFrom(1),
};

export interface IkPathRequest extends Omit<IkRequest, 'target' | 'restarts'> {
  /** X_WT each, in order. */
  readonly targets: readonly Transform[];
  /** Largest change of a coordinate between neighbouring descents; default 0.2. */
  readonly largestStep?: number;
  /** Solutions of the first pose to try; default 16. */
  readonly starts?: number;
}

export interface IkPathResult {
  readonly status: 'solved' | 'blocked';
  /** One configuration per pose reached. */
  readonly path: readonly Float64Array[];
  readonly reached: number;
  /** Largest change of a coordinate between neighbouring poses of the path. */
  readonly largestChange: number;
}

/** Halvings of one step before it counts as a jump. */
const DEEPEST = 12;
const AWAY_FROM_LIMITS: IkGoal = { kind: 'limits', iterations: 8 };

export function solveIkPath(solver: IkSolver, request: IkPathRequest): IkPathResult {
  requireSolver('solveIkPath', solver);
  requireRequest('solveIkPath', solver.model, request, FIELDS);
  requireTargets('solveIkPath', request.targets);
  const { targets, largestStep = 0.2, starts = 16, goal, ...rest } = request;
  if (targets.length === 0) return { status: 'solved', path: [], reached: 0, largestChange: 0 };
  const first = { ...rest, target: targets[0] };
  const candidates: Float64Array[] = [];
  if (request.start) {
    const own = solver.solveChecked({ ...first, restarts: 0 });
    if (own.status === 'solved') candidates.push(own.q);
  }
  candidates.push(...solveAllIk(solver, { ...first, starts: 12 * starts, most: starts, turns: 'all' }).solutions);
  let best: Float64Array[] = [];
  for (const wish of goal ? [goal, undefined] : [undefined]) {
    for (const q of candidates) {
      if (best.length === targets.length) break;
      const from = wish ? solver.solveChecked({ ...first, start: q, restarts: 0, goal: wish }).q : q;
      const path = followPath(solver, { ...rest, targets, largestStep, goal: wish }, from);
      if (path.length > best.length) best = path;
    }
  }
  let largestChange = 0;
  for (let k = 1; k < best.length; k++) largestChange = Math.max(largestChange, measureChange(best[k - 1], best[k]));
  const status = best.length === targets.length ? 'solved' : 'blocked';
  return { status, path: best, reached: best.length, largestChange };
}

type FollowRequest = Omit<IkPathRequest, 'starts'> & { readonly largestStep: number };

/** Configurations at the targets, from a solution of the first one, as far as it goes. */
function followPath(solver: IkSolver, request: FollowRequest, from: Float64Array): Float64Array[] {
  const { targets } = request;
  const path = [from];
  for (let k = 1; k < targets.length; k++) {
    const next = moveAlong(solver, request, { from: targets[k - 1], to: targets[k], q: path[k - 1] });
    if (!next) return path;
    path.push(next);
  }
  return path;
}

interface Piece {
  readonly from: Transform;
  readonly to: Transform;
  readonly q: Float64Array;
}

/** From q at `from` to a configuration at `to` without a jump; null when there is none. */
function moveAlong(solver: IkSolver, request: FollowRequest, whole: Piece): Float64Array | null {
  const { largestStep, targets: _, goal, ...rest } = request;
  // Pieces still to be done, the next one last.
  const pieces: { to: Transform; depth: number }[] = [{ to: whole.to, depth: 0 }];
  let { from, q } = whole;
  while (pieces.length > 0) {
    const piece = pieces[pieces.length - 1];
    const next = solver.solveChecked({ ...rest, target: piece.to, start: q, restarts: 0 });
    if (next.status === 'solved' && measureChange(q, next.q) <= largestStep) {
      from = piece.to;
      q = goal ? improveNear(solver, request, piece.to, q, next.q) : next.q;
      pieces.pop();
    } else if (piece.depth < DEEPEST) {
      pieces.push({ to: halfway(from, piece.to), depth: piece.depth + 1 });
      piece.depth++;
    } else {
      const freed = solver.solveChecked({ ...rest, target: from, start: q, restarts: 0, goal: AWAY_FROM_LIMITS });
      const moved = freed.status === 'solved' ? measureChange(q, freed.q) : 0;
      // The way there is along solutions of one pose, in steps; only a small one is part of a continuous path.
      if (moved < 1e-3 || moved > largestStep) return null;
      const retry = solver.solveChecked({ ...rest, target: piece.to, start: freed.q, restarts: 0 });
      if (retry.status !== 'solved' || measureChange(freed.q, retry.q) > largestStep) return null;
      from = piece.to;
      q = retry.q;
      pieces.pop();
    }
  }
  return q;
}

/** From a solution of `target`, towards the goal as far as the step from `before` allows. */
function improveNear(
  solver: IkSolver,
  { largestStep, targets: _, ...rest }: FollowRequest,
  target: Transform,
  before: Float64Array,
  solution: Float64Array,
): Float64Array {
  const isValid = (q: Float64Array): boolean => measureChange(before, q) <= largestStep && (rest.isValid?.(q) ?? true);
  return solver.solveChecked({ ...rest, target, start: solution, restarts: 0, isValid }).q;
}

/** The middle of the geodesic from a to b. */
function halfway(a: Transform, b: Transform): Transform {
  const half = createTransform();
  const xi = logSe3(new Float64Array(6), relativeTransform(half, a, b));
  for (let i = 0; i < 6; i++) xi[i] *= 0.5;
  return multiplyTransform(half, a, expSe3(half, xi));
}

function measureChange(a: Float64Array, b: Float64Array): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i] - b[i]));
  return largest;
}
