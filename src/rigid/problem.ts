/**
 * A rigid-body problem: a body among obstacles that stand still, where it is and where it is to go.
 *
 * Poses are x y z qx qy qz qw of the body's frame in the obstacles'. Between two poses of a path the body's origin goes straight while
 * the body turns at a constant rate by the shorter way. Units as the meshes'.
 */

import { requireIndexedMesh } from '../geometry/require-mesh.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { requireNumbers, requireObject, requireOneOf, throwMisuse } from '../math/arguments.js';
import type { RigidPose } from './pose.js';
import { requirePose } from './requests.js';

export type RigidGroup = 'SE3' | 'SE2';

export interface RigidProblem {
  /** SE2: moves in x and y and turns about z only; z of the start is kept. */
  readonly group: RigidGroup;
  readonly body: TriangleMesh;
  readonly obstacles: TriangleMesh;
  readonly start: RigidPose;
  readonly goal: RigidPose;
  /** Positions of the body's origin stay within: min and max, 3 numbers each. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** Throws on what is no problem. */
export function requireRigidProblem(call: string, problem: RigidProblem): void {
  requireObject(call, 'problem', problem);
  const { group, start, goal, lower, upper } = problem;
  requireOneOf(call, 'problem.group', group, ['SE3', 'SE2']);
  for (const name of ['body', 'obstacles'] as const) requireIndexedMesh(call, `problem.${name}`, problem[name]);
  for (const name of ['lower', 'upper'] as const) requireNumbers(call, `problem.${name}`, problem[name], 3);
  for (const name of ['start', 'goal'] as const) {
    requirePose(call, `problem.${name}`, problem[name]);
    if (group === 'SE2' && (problem[name][3] !== 0 || problem[name][4] !== 0))
      throwMisuse(call, `problem.${name}`, problem[name], 'a turn about z');
  }
  if (group === 'SE2' && start[2] !== goal[2]) throwMisuse(call, 'problem.goal', goal, 'the z of the start');
  for (let k = 0; k < 3; k++)
    if (lower[k] > upper[k]) throwMisuse(call, 'problem.lower', lower, 'no numbers above those of problem.upper');
}
