/**
 * A rigid-body problem: a body among obstacles that stand still, where it is and where it is to go.
 *
 * Poses are x y z qx qy qz qw of the body's frame in the obstacles'. Between two poses of a path the body's origin goes straight while
 * the body turns at a constant rate by the shorter way. Units as the meshes'.
 */

import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { requireLength, requireObject, requireOneOf, throwMisuse } from '../math/arguments.js';
import type { RigidPose } from './pose.js';

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

/** Throws on what is no problem; the meshes are looked at where their trees are built. */
export function requireRigidProblem(call: string, problem: RigidProblem): void {
  requireObject(call, 'problem', problem);
  requireOneOf(call, 'problem.group', problem.group, ['SE3', 'SE2']);
  for (const name of ['lower', 'upper'] as const) requireLength(call, `problem.${name}`, problem[name], 3);
  for (const name of ['start', 'goal'] as const) requirePose(call, `problem.${name}`, problem[name], problem.group);
  for (let k = 0; k < 3; k++)
    if (!(problem.lower[k] <= problem.upper[k] && problem.upper[k] - problem.lower[k] < Infinity))
      throwMisuse(call, 'problem.lower', problem.lower, 'finite numbers, none above those of problem.upper');
}

function requirePose(call: string, what: string, pose: RigidPose, group: RigidGroup): void {
  requireLength(call, what, pose, 7);
  let square = 0;
  for (let k = 0; k < 7; k++) {
    if (!Number.isFinite(pose[k])) throwMisuse(call, what, pose, 'seven finite numbers');
    if (k > 2) square += pose[k] * pose[k];
  }
  if (Math.abs(square - 1) > 1e-6) throwMisuse(call, what, pose, 'a quaternion of length 1');
  if (group === 'SE2' && (pose[3] !== 0 || pose[4] !== 0)) throwMisuse(call, what, pose, 'a turn about z');
}
