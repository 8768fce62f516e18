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
  /** Moves the robot so that the tool comes as near to the pose as it can; tells whether it got there, null: not yet tried. */
  reach(wished: Transform): boolean | null;
  /** What was wished before the solver was there is tried then, and told. */
  onLate(listener: (isReached: boolean) => void): void;
}

/** Null for a robot whose tool nothing moves. `ready`: what comes first is there. */
export function createToolArm(robot: WorkspaceRobot, ready: Promise<void>): ToolArm | null {
  const { model, scene } = robot;
  const link = toolLink(robot);
  const frame = findFrame(model, link, 'link');
  if (frame < 0 || model.supports[model.frameJoints[frame]].length === 0) return null;
  const place = (out: Transform): Transform => robotFramePlacement(out, scene, link);
  let solve: ((wished: Transform) => boolean) | null = null;
  let waiting: Transform | null = null;
  let tell: ((isReached: boolean) => void) | null = null;
  void ready
    .then(() => import('./reach-tool.js'))
    .then(
      ({ createReach }) => {
        solve = createReach(robot, { frame, place });
        if (waiting) tell?.(solve(waiting));
        waiting = null;
      },
      () => {},
    );
  return {
    link,
    frame,
    place,
    reach(wished) {
      if (solve) return solve(wished);
      waiting = wished.slice();
      return null;
    },
    onLate(listener) {
      tell = listener;
    },
  };
}
