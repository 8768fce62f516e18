/** Out of everybody's way, in a context where nobody looks: how what may not count is left out of a question. */
import { placeRobot } from '../scene/robot.js';
import type { SceneRobot } from '../scene/types.js';

/** Metres. */
export const FAR = 1e3;

/** Each `index` to a place of its own. */
export function putAway(robot: SceneRobot, index: number): void {
  const placement = robot.placement.slice();
  placement[11] -= FAR * (index + 1);
  placeRobot(robot, placement);
}
