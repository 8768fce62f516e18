/** Plain data of a floor's world file: a scene whose objects stand or are carried, and robots that drive among them by queues of actions. */
import type { Pose } from '../math/transform.js';
import type { SceneDescription } from './description.js';

/** Where things are: rows of a grid, random places within bounds, or one by one. Metres. */
export type FloorPlaces =
  | {
      readonly grid: {
        readonly columns: number;
        readonly spacing: number;
        readonly origin?: readonly [number, number];
      };
    }
  | { readonly random: { readonly bounds: readonly [number, number, number, number]; readonly apart: number } }
  | readonly (readonly [number, number])[];

export type FloorShape =
  | { readonly type: 'disc'; readonly radius: number; readonly height?: number }
  | { readonly type: 'box'; readonly size: readonly [number, number, number] };

/** What robots can be told to do. */
export type FloorAction =
  /** To x, y and, where it is given, yaw. */
  | { readonly type: 'move'; readonly to: readonly [number, number] | readonly [number, number, number] }
  | { readonly type: 'path'; readonly points: readonly (readonly [number, number])[] }
  | { readonly type: 'wait' | 'charge'; readonly seconds: number }
  /** Takes up an object of `loads`. */
  | { readonly type: 'pick'; readonly object: string; readonly within?: number }
  | { readonly type: 'drop' }
  | { readonly type: 'joints'; readonly values: readonly number[] }
  /** Joints that bring the gripper to a point, or a pose, of the world. */
  | { readonly type: 'pose'; readonly target: readonly [number, number, number] | Pose };

/** What robots of one kind share. */
export interface FloorRobotKind {
  readonly name: string;
  readonly base: 'omni' | 'differential' | 'car';
  readonly shape: FloorShape;
  /** Metres and seconds; each 1 where it is left out. */
  readonly speed?: number;
  readonly acceleration?: number;
  /** Radians per second. */
  readonly turnRate?: number;
  readonly turningRadius?: number;
  /** Keeps clear of what stands and of the others that do so. */
  readonly avoids?: boolean;
  /** One of `arms`. */
  readonly arm?: string;
  /** Joint values at first. */
  readonly q?: readonly number[];
  /** How fast joints change, per second. */
  readonly jointRate?: number;
  readonly actions?: readonly FloorAction[];
  /** Begins again when all actions are done. */
  readonly repeat?: boolean;
}

/** One robot. */
export interface FloorRobot extends FloorRobotKind {
  /** x, y, yaw. */
  readonly pose: readonly [number, number, number];
}

/** Many of one kind, named NAME-1, NAME-2, ...; each goes to its goal first, then does the actions. */
export interface FloorRobotGroup extends FloorRobotKind {
  readonly count: number;
  readonly at: FloorPlaces;
  readonly goals?: FloorPlaces;
}

export interface FloorArm {
  /** URDF or xacro file. */
  readonly file: string;
  /** Pose of the arm's base in the robot's. */
  readonly mount?: Pose;
  /** What it picks goes along with this link. Default: the last. */
  readonly gripper?: string;
}

export interface FloorSection {
  readonly arms?: Readonly<Record<string, FloorArm>>;
  /** Names of objects that can be carried; the others stand still. */
  readonly loads?: readonly string[];
  readonly robots: readonly (FloorRobot | FloorRobotGroup)[];
  /** Seconds of a step. Default 0.1; arms close to things need less to be proven apart. */
  readonly step?: number;
  /** Of random places and of the arms' random starts. */
  readonly seed?: number;
  /** Pairs that are looked at in a step: those of bodies that moved (default), or all. */
  readonly checks?: 'moved' | 'all';
  /** How the cells of the broad phase get their size. */
  readonly cellSizeMode?: 'AUTO_INITIAL' | 'CONSTANT' | 'AUTO_ADAPTIVE';
  /** Metres, of `CONSTANT`. */
  readonly cellSize?: number;
}

/** A scene (version 1) with a floor. */
export interface FloorDescription extends Pick<SceneDescription, 'version' | 'objects'> {
  readonly floor: FloorSection;
}
