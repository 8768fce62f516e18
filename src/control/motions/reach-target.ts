/**
 * The configuration of a `ptp` move to a pose: of the postures that inverse kinematics finds, the nearest one, free where that counts.
 * Cost: STARTS descents. Tested by plan-motion.test.ts.
 */
import { solveAllIk } from '../../ik/solve-all.js';
import { createIkSolver } from '../../ik/solve-ik.js';
import { createTransform, poseToTransform } from '../../math/transform.js';
import type { Tool } from './tool.js';

const STARTS = 64;
/** Tolerances of solutions, metres and radians. */
export const REACHED = 1e-10;

/** Null when no posture brings the tool to the pose. `isFree`: further condition. */
export function reachTarget(
  tool: Tool,
  pose: ArrayLike<number>,
  from: Float64Array,
  isFree?: (q: Float64Array) => boolean,
): Float64Array | null {
  const [q] = listPostures(tool, pose, from, { isFree });
  return q ?? null;
}

export interface PostureOptions {
  readonly isFree?: (q: Float64Array) => boolean;
  readonly starts?: number;
  readonly turns?: 'nearest' | 'all';
}

/** All postures found, the nearest to `from` first. */
export function listPostures(
  tool: Tool,
  pose: ArrayLike<number>,
  from: Float64Array,
  { isFree, starts = STARTS, turns }: PostureOptions,
): readonly Float64Array[] {
  const solver = createIkSolver(tool.model, tool.frame, { velocities: tool.moving });
  const target = tool.solverTarget(poseToTransform(createTransform(), pose));
  const request = { target, start: from, starts, turns, positionTolerance: REACHED, rotationTolerance: REACHED };
  return solveAllIk(solver, { ...request, isValid: isFree }).solutions;
}
