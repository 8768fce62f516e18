/**
 * Inverse kinematics of many targets of one frame.
 *
 * Method: each target is solved in turn; with `start: 'nearest'` from the solution of the nearest target solved before (by
 * position, one radian counting as `radius` metres), else from the request's start, so that target i gives exactly what it
 * gives alone.
 * Cost: that of `IkSolver.solve` per target; with `nearest` some n^2/2 distances more and fewer restarts.
 * Tested by solve-many.test.ts.
 */

import { type Fields, unchecked } from '../math/arguments.js';
import { hypot } from '../math/scalar.js';
import { logSo3 } from '../math/so3.js';
import { createTransform, relativeTransform, type Transform } from '../math/transform.js';
import { REQUEST, requireRequest, requireTargets } from './request-door.js';
import type { IkRequest, IkResult, IkSolver } from './solve-ik.js';
import { requireSolver } from './solve-ik.js';

const FIELDS: Fields = {
  ...REQUEST,
  targets: unchecked,
};

export interface IkBatchRequest extends Omit<IkRequest, 'target' | 'start'> {
  /** X_WT each */
  readonly targets: readonly Transform[];
  /** Default: the neutral configuration. */
  readonly start?: Float64Array | 'nearest';
}

export interface IkBatchResult {
  readonly results: readonly IkResult[];
  readonly solved: number;
}

const METRES_PER_RADIAN = 0.3;

export function solveIkBatch(solver: IkSolver, request: IkBatchRequest): IkBatchResult {
  requireSolver('solveIkBatch', solver);
  requireRequest('solveIkBatch', solver.model, request, FIELDS);
  requireTargets('solveIkBatch', request.targets);
  const { targets, start, ...rest } = request;
  const results: IkResult[] = [];
  let solved = 0;
  for (const target of targets) {
    const from = start === 'nearest' ? nearestSolution(results, targets, target) : start;
    const result = solver.solveChecked({ ...rest, target, start: from });
    results.push(result);
    if (result.status === 'solved') solved++;
  }
  return { results, solved };
}

function nearestSolution(
  results: readonly IkResult[],
  targets: readonly Transform[],
  target: Transform,
): Float64Array | undefined {
  const between = createTransform();
  const turn = [0, 0, 0];
  let nearest: Float64Array | undefined;
  let least = Number.POSITIVE_INFINITY;
  results.forEach(({ status, q }, i) => {
    if (status !== 'solved') return;
    logSo3(turn, relativeTransform(between, targets[i], target));
    const far = hypot(between[9], between[10], between[11]) + METRES_PER_RADIAN * hypot(turn[0], turn[1], turn[2]);
    if (far < least) {
      least = far;
      nearest = q;
    }
  });
  return nearest;
}
