/** What robots of a fleet are, what they can be told to do, and what is told of it. */
import { requireNotNegative, requireNumbers, requireOneOf, requireText, throwMisuse } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { FleetArm } from './fleet-arm.js';
import type { FleetBody } from './fleet-body.js';

export type BaseKind = 'omni' | 'differential' | 'car';

export interface FleetRobot extends FleetBody {
  readonly base: BaseKind;
  /** Metres per second. Default 1. */
  readonly speed?: number;
  /** Metres per second squared. Default 1. */
  readonly acceleration?: number;
  /** Radians per second. Default 1. */
  readonly turnRate?: number;
  /** Of a car, metres. Default 1. */
  readonly turningRadius?: number;
  /** Keeps clear of static bodies and of the others that do so (avoiding-drive.ts); not of cars. Default false. */
  readonly avoids?: boolean;
  /** Stands on the base, its links bodies of the world. */
  readonly arm?: FleetArm;
  /** Joint values at first, default 0, and how fast they change, radians (or metres) per second, default 1. */
  readonly joints?: { readonly values: readonly number[]; readonly rate: number };
}

/** Where a base is to go, or joints; null where there is no answer. */
export type PoseSolver = (
  x: number,
  y: number,
  yaw: number,
  joints: readonly number[],
) =>
  | readonly [number, number, number]
  | { readonly base?: readonly [number, number, number]; readonly joints?: readonly number[] }
  | null;

export type RobotAction =
  /** To x, y and, where it is given, yaw. */
  | { readonly type: 'move'; readonly to: readonly [number, number] | readonly [number, number, number] }
  | { readonly type: 'path'; readonly points: readonly (readonly [number, number])[] }
  | { readonly type: 'wait'; readonly seconds: number }
  | { readonly type: 'charge'; readonly seconds: number }
  /**
   * Takes up a body, which goes along with the gripper, or the base where there is no arm, and is compared with none of the robot's own. Fails
   * where it is farther than `within` metres, or belongs to another robot.
   */
  | { readonly type: 'pick'; readonly body: string; readonly within?: number }
  | { readonly type: 'drop' }
  /** Fails where a value is beyond the arm's limits. */
  | { readonly type: 'joints'; readonly values: readonly number[] }
  /** Goes where a solver says, asked when the action begins: base first, then joints; null ends the action as failed. `name`: for `restore`. */
  | { readonly type: 'pose'; readonly solve: PoseSolver; readonly name?: string };

export interface ActionEvent {
  readonly robot: string;
  readonly action: RobotAction['type'];
  readonly outcome: 'begun' | 'done' | 'failed';
  readonly time: number;
}

export function requireAction(action: RobotAction): void {
  const call = 'enqueue';
  requireOneOf(call, 'action.type', action?.type, ['move', 'path', 'wait', 'charge', 'pick', 'drop', 'joints', 'pose']);
  switch (action.type) {
    case 'move': {
      const to: readonly number[] = action.to;
      requireNumbers(call, 'action.to', to);
      if (to.length !== 2 && to.length !== 3)
        throw new MisuseError(`${call}: action.to, got ${to.length} numbers, expected x, y or x, y, yaw`);
      return;
    }
    case 'path':
      action.points.forEach((point, k) => {
        requireNumbers(call, `action.points[${k}]`, point, 2);
      });
      return;
    case 'joints':
      requireNumbers(call, 'action.values', action.values);
      return;
    case 'wait':
    case 'charge':
      requireNotNegative(call, 'action.seconds', action.seconds);
      return;
    case 'pick':
      requireText(call, 'action.body', action.body);
      if (action.within !== undefined) requireNotNegative(call, 'action.within', action.within);
      return;
    case 'pose':
      if (typeof action.solve !== 'function') throwMisuse(call, 'action.solve', action.solve, 'a function');
      return;
    case 'drop':
  }
}
