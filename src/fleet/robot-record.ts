/** What a fleet keeps of each robot beside its row of numbers. */
import type { AvoidingRobot } from './avoiding-drive.js';
import type { Piece } from './drive-pieces.js';
import type { FleetRobot, RobotAction } from './robot-actions.js';

export interface RobotRecord {
  readonly id: number;
  readonly description: FleetRobot;
  /** Of its bodies in the world; 0 while it has but one. */
  group: number;
  /** Bodies of the arm's shapes. */
  readonly links: number[];
  readonly queue: RobotAction[];
  readonly pieces: Piece[];
  /** Where a robot that avoids is to go, in order, and how it looks at the end. */
  readonly targets: number[][];
  finalYaw: number | null;
  wantedJoints: readonly number[] | null;
  current: RobotAction | null;
  readonly joints: Float64Array;
  avoiding: AvoidingRobot | null;
  /** Body that it carries or -1, where it is on the gripper or base, and the farthest of its points from there. */
  load: number;
  readonly grip: Float64Array;
  loadRadius: number;
  /** Of the last step: radians turned, deviation from even motion, change of each joint. */
  turned: number;
  deviation: number;
  readonly changes: Float64Array;
  isStill: boolean;
  isGone: boolean;
}

export function createRobotRecord(id: number, description: FleetRobot, joints: Float64Array): RobotRecord {
  return {
    id,
    description,
    group: 0,
    links: [],
    queue: [],
    pieces: [],
    targets: [],
    finalYaw: null,
    wantedJoints: null,
    current: null,
    joints,
    avoiding: null,
    load: -1,
    grip: new Float64Array(12),
    loadRadius: 0,
    turned: 0,
    deviation: 0,
    changes: new Float64Array(joints.length),
    isStill: false,
    isGone: false,
  };
}
