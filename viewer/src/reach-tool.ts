/**
 * The joint values that bring a tool elsewhere, by inverse kinematics in the page.
 *
 * A wish that cannot be met (out of reach, behind a limit) is met as far as it goes: the last pose on the way from here to
 * there that a descent from the present joint values reaches without a jump.
 */
import { createIkSolver, type IkSolver } from 'clearance/ik';
import { createTransform, invertTransform, multiplyTransform, type Transform } from 'clearance/math';
import { setConfiguration } from 'clearance/scene';
import { createPoseMotion } from 'clearance/trajectory';
import type { ToolArm } from './tool-arm.js';
import type { WorkspaceRobot } from './workspace.js';

/** Halvings of the way when the whole of it cannot be gone. */
const HALVINGS = 6;
/** Largest change of a coordinate in one step of a drag: more would be another posture. */
const LARGEST_CHANGE = 0.8;

/** Moves the robot so that the tool comes as near to the pose as it can; tells whether it got there. */
export function createReach(robot: WorkspaceRobot, { frame, place }: Pick<ToolArm, 'frame' | 'place'>) {
  const { model, scene } = robot;
  const solver = createIkSolver(model, frame);
  const here = createTransform();
  const there = createTransform();
  return (wished: Transform): boolean => {
    const toModel = placeModel(robot);
    const from = multiplyTransform(createTransform(), toModel, place(here));
    const to = multiplyTransform(createTransform(), toModel, wished);
    const whole = step(solver, scene.q, to);
    if (whole) {
      setConfiguration(scene, whole);
      return true;
    }
    const motion = createPoseMotion(from, to, 'decoupled');
    let [met, missed] = [0, 1];
    let q: Float64Array | null = null;
    for (let k = 0; k < HALVINGS; k++) {
      const middle = 0.5 * (met + missed);
      const found = step(solver, q ?? scene.q, motion.place(there, middle));
      if (found) q = found;
      if (found) met = middle;
      else missed = middle;
    }
    if (q) setConfiguration(scene, q);
    return false;
  };
}

function step(solver: IkSolver, q: Float64Array, target: Transform): Float64Array | null {
  const { status, q: found } = solver.solve({ target, start: q, restarts: 0 });
  if (status !== 'solved') return null;
  return found.every((x, i) => Math.abs(x - q[i]) <= LARGEST_CHANGE) ? found : null;
}

/** From the world to where the model itself thinks the world is: robots may stand elsewhere in the scene. */
function placeModel({ model, scene }: WorkspaceRobot): Transform {
  const X_BW = invertTransform(createTransform(), scene.data.jointPlacements.slice(0, 12));
  return multiplyTransform(X_BW, model.basePlacement, X_BW);
}
