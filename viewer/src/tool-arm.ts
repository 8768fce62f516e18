/** The arm that carries a tool: where the tool is, and how it is brought elsewhere. */
import type { Transform } from 'clearance/math';
import { findFrame } from 'clearance/model';
import { robotFramePlacement } from 'clearance/scene';
import { toolLink } from './stage/tool-link.js';
import type { WorkspaceRobot } from './workspace.js';

export interface ToolArm {
  /** The tool's link and its frame in the model. */
  readonly link: string;
  readonly frame: number;
  /** X_WT of the tool as the robot stands. */
  place(out: Transform): Transform;
  /** Moves the robot so that the tool comes as near to the pose as it can; tells whether it got there. */
  reach(wished: Transform): boolean;
}

/** Null for a robot whose tool nothing moves. */
export function createToolArm(robot: WorkspaceRobot): ToolArm | null {
  const { model, scene } = robot;
  const link = toolLink(robot);
  const frame = findFrame(model, link, 'link');
  if (frame < 0 || model.supports[model.frameJoints[frame]].length === 0) return null;
  const place = (out: Transform): Transform => robotFramePlacement(out, scene, link);
  let reach: ToolArm['reach'] | null = null;
  // Fetched after the first view, and there before a hand is at the handles; without it the tool stays.
  void import('./reach-tool.js').then(
    ({ createReach }) => {
      reach = createReach(robot, { frame, place });
    },
    () => {},
  );
  return { link, frame, place, reach: (wished) => reach?.(wished) ?? false };
}
