/**
 * A rigid problem of the plane (SE(2)) as one of polygons, and paths back: footprints of body and obstacles at the heights of the body.
 *
 * What is free among footprints is free among the meshes. The other way round it need not be: a footprint fills what meshes as surfaces
 * only enclose, and a slanted wall counts with its widest height. Tested by plane-problem.test.ts.
 */
import { requireList, requireOptions, requirePositiveNumber, throwMisuse } from '../math/arguments.js';
import { atan2, cos, sin } from '../math/scalar.js';
import type { PlanePose, TurningProblem } from '../plane/turning/turning-problem.js';
import { requirePlanePose } from '../plane/turning/turning-problem.js';
import { type FootprintOptions, projectMesh } from '../scene/footprint.js';
import type { RigidPose } from './pose.js';
import { type RigidProblem, requireRigidProblem } from './problem.js';

/** Touching is blocked, as among meshes. Upright triangles that bound no other one get the width `thickness`, as in `projectMesh`. */
export function projectRigidProblem(
  problem: RigidProblem,
  options: Pick<FootprintOptions, 'thickness'> = {},
): TurningProblem {
  requireRigidProblem('projectRigidProblem', problem);
  requireOptions('projectRigidProblem', options, { thickness: requirePositiveNumber });
  const { thickness } = options;
  const { group, body, obstacles, start, goal, lower, upper } = problem;
  if (group !== 'SE2') throwMisuse('projectRigidProblem', 'problem.group', group, 'SE2');
  const own = projectMesh(body, { thickness });
  let low = Infinity;
  let high = -Infinity;
  for (const v of body.triangles) {
    low = Math.min(low, body.vertices[3 * v + 2]);
    high = Math.max(high, body.vertices[3 * v + 2]);
  }
  const z = start[2];
  const around = projectMesh(obstacles, { low: low + z, high: high + z, thickness });
  const toPose = (pose: RigidPose): PlanePose => [pose[0], pose[1], 2 * atan2(pose[5], pose[6])];
  return {
    body: { polygons: own.polygons },
    obstacles: around.polygons.map((polygon) => ({ polygon })),
    bounds: [lower[0], lower[1], upper[0], upper[1]],
    start: toPose(start),
    goal: toPose(goal),
    touching: 'blocked',
  };
}

/** Turns beyond this are cut: a rigid path turns the shorter way. */
const MOST_TURN = 2;

/** Poses x y z qx qy qz qw of a path of the plane, its ends those of the problem. */
export function toRigidPath(problem: RigidProblem, path: readonly PlanePose[]): RigidPose[] {
  requireRigidProblem('toRigidPath', problem);
  requireList('toRigidPath', 'path', path);
  for (const [i, pose] of path.entries()) requirePlanePose('toRigidPath', `path[${i}]`, pose);
  const poses: RigidPose[] = [];
  for (const [i, pose] of path.entries()) {
    const last = path[Math.max(i - 1, 0)];
    const steps = Math.max(1, Math.ceil(Math.abs(pose[2] - last[2]) / MOST_TURN));
    for (let k = 1; k <= steps; k++) {
      const [x, y, theta] = [0, 1, 2].map((c) => last[c] + ((pose[c] - last[c]) * k) / steps);
      poses.push(Float64Array.of(x, y, problem.start[2], 0, 0, sin(theta / 2), cos(theta / 2)));
    }
  }
  if (poses.length > 1) {
    poses[0] = problem.start;
    poses[poses.length - 1] = problem.goal;
  }
  return poses;
}
