/**
 * A straight line of a frame to a pose, its orientation held: the approach to a grasp, the way out of a hole.
 *
 * Method: inverse kinematics of the end from the posture at the beginning, without restarts, so that it is near; then a path between them that
 * keeps to the line and the orientation (constrained-plan.ts), certified. Frames: W. Units: metres, radians.
 * Ends: `solved`, or what stopped it; the robot stays where it is. Tested by test/contract/pick-and-place.test.ts and group-plans.test.ts.
 */
import { createIkSolver } from '../ik/solve-ik.js';
import { throwMisuse } from '../math/arguments.js';
import { createTransform, invertTransform, multiplyTransform, type Transform } from '../math/transform.js';
import { findFrame } from '../model/model.js';
import { robotFramePlacement, setConfiguration } from '../scene/robot.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { findGroupCoordinates } from '../semantics/group-coordinates.js';
import { planConstrained } from './constrained-plan.js';

export interface LineRequest {
  readonly group: string | undefined;
  readonly frame: string;
  /** Full configuration at the beginning. */
  readonly from: Float64Array;
  /** X_WF at the end; only its position counts, the orientation is that of the beginning. */
  readonly pose: Transform;
  /** Most that the line is left by, metres and radians. */
  readonly deviation: number;
  readonly seed: number;
}

export interface LinePlan {
  readonly status: 'solved' | 'failed';
  readonly reason: string;
  readonly path: readonly Float64Array[];
  readonly certified: boolean;
  readonly deviation: number;
  readonly complete: boolean;
  readonly assumed: readonly string[];
}

const IK_TOLERANCE = 1e-10;
/** Of a search that is straight where it can be. */
const ITERATIONS = 50;

export function planLine(
  scene: Scene,
  robot: SceneRobot,
  { group, frame: name, from, pose, deviation, seed }: LineRequest,
): LinePlan {
  const { model } = robot;
  const { indices, velocities } = findGroupCoordinates(model, robot.semantic, robot.description, group);
  const frame = findFrame(model, name);
  if (frame < 0) throwMisuse('planLine', 'frame', name, 'a link or joint of the robot');
  const solver = createIkSolver(model, frame, { velocities });
  const base = invertTransform(createTransform(), robot.placement);
  const target = multiplyTransform(createTransform(), base, pose);
  const { status, q: goal } = solver.solve({
    ...{ target, start: from, seed, restarts: 0 },
    ...{ positionTolerance: IK_TOLERANCE, rotationTolerance: IK_TOLERANCE },
  });
  const none = { path: [], certified: false, deviation: Number.POSITIVE_INFINITY, complete: true, assumed: [] };
  if (status !== 'solved')
    return { ...none, status: 'failed', reason: 'no posture near the one before reaches the end of the line' };
  const before = robot.q.slice();
  setConfiguration(robot, from);
  const X = robotFramePlacement(createTransform(), robot, name);
  setConfiguration(robot, before);
  const direction = [0, 1, 2].map((i) => pose[9 + i] - X[9 + i]);
  const plan = planConstrained(scene, robot, {
    ...{ group, start: from, goal: Float64Array.from(indices, (i) => goal[i]), seed, deviation, projectEnds: true },
    constraints: [
      { type: 'line', frame: name, direction },
      { type: 'orientation', frame: name },
    ],
    maxIterations: ITERATIONS,
  });
  const { path, certified, complete, assumed } = plan;
  const fixed = { path, certified, deviation: plan.deviation, complete, assumed };
  return plan.status === 'solved'
    ? { ...fixed, status: 'solved', reason: '' }
    : { ...fixed, status: 'failed', reason: `${plan.status}, ${plan.reason}` };
}
