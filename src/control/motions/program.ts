/**
 * A programmed motion as plain data, format `clearance.motion/1`: a tool, places by name, and moves one after the other.
 * Metres, seconds, radians; poses [x, y, z, qx, qy, qz, qw] in the world, or in a frame of the program (docs/motions.md).
 */

export const MOTION_FORMAT: MotionProgram['format'] = 'clearance.motion/1';

export interface MotionProgram {
  readonly format: 'clearance.motion/1';
  readonly name?: string;
  readonly tool: ToolDescription;
  /** Poses in the world by name, for `in`: fixtures, pallets. */
  readonly frames?: Readonly<Record<string, readonly number[]>>;
  /** Places that moves name. */
  readonly points?: Readonly<Record<string, PointDescription>>;
  /** Where the program begins: nq numbers, or numbers by joint name (the others neutral). */
  readonly start?: JointValues;
  /** Of every move that does not say otherwise. */
  readonly defaults?: MoveSettings;
  readonly moves: readonly MoveDescription[];
}

export interface ToolDescription {
  /** A link or joint of the robot. */
  readonly frame: string;
  /** X_FT; default the frame itself. */
  readonly offset?: readonly number[];
}

export type JointValues = readonly number[] | Readonly<Record<string, number>>;

/** A pose, a position (the orientation stays), the name of a point, or an object that says more. */
export type TargetDescription = readonly number[] | string | PointDescription;

export type PointDescription = readonly number[] | PointParts;

export interface PointParts {
  /** Seven numbers, or three: the orientation stays. */
  readonly pose?: readonly number[];
  /** Instead: the name of another point. */
  readonly at?: string;
  /** Instead: joint values, for `ptp`. */
  readonly joints?: JointValues;
  /** A frame of the program that `pose` and `shift` are in; default the world. */
  readonly in?: string;
  /** Added to the position, along the axes of `in`. */
  readonly shift?: readonly number[];
  /** Added to the position, along the tool's axes. */
  readonly toolShift?: readonly number[];
}

export interface MoveSettings {
  /** Of the tool's origin, m/s; default no limit beyond the joints'. */
  readonly speed?: number;
  /** Of the tool's orientation, rad/s. */
  readonly turnSpeed?: number;
  /** Of the tool's origin, along the path and across it together, m/s^2. */
  readonly acceleration?: number;
  /** Share of the joints' velocity limits, above 0 to 1; default 1. */
  readonly jointSpeed?: number;
  /** Share of the joints' acceleration limits. */
  readonly jointAcceleration?: number;
  /** Blend into the next move within this distance of the end, metres; default 0: the tool goes through the end. */
  readonly radius?: number;
  /** `interpolate` (default): to the end's, about one axis; `fixed`: the start's; `tangent`: turns with the path. */
  readonly orientation?: 'interpolate' | 'fixed' | 'tangent';
  /** Near singularities: `slow` (default) drives as fast as the joints allow; `refuse` ends the program before it starts. */
  readonly singularities?: 'slow' | 'refuse';
}

interface MoveCommon extends MoveSettings {
  /** For answers. */
  readonly name?: string;
}

/** All joints in step, straight in joint space. */
export interface PtpMove extends MoveCommon {
  readonly move: 'ptp';
  readonly to: TargetDescription;
}

/** The tool's origin on a straight line. */
export interface LinMove extends MoveCommon {
  readonly move: 'lin';
  readonly to: TargetDescription;
}

/** The tool's origin on an arc of a circle: through `via`, or about `center` (the short way). */
export interface CircMove extends MoveCommon {
  readonly move: 'circ';
  readonly to: TargetDescription;
  readonly via?: TargetDescription;
  readonly center?: readonly number[];
  /** Radians to go instead of the angle to `to`, which then only says which circle. */
  readonly angle?: number;
}

/** A smooth curve through all poses, its curvature continuous. */
export interface SplineMove extends MoveCommon {
  readonly move: 'spline';
  readonly through: readonly TargetDescription[];
}

/** A path along which the tool may turn about one of its axes: a weld, a glue line. The arm goes `ptp` to its start. */
export interface SeamMove extends MoveCommon {
  readonly move: 'seam';
  /** Poses, two or more, full orientations. */
  readonly along: readonly TargetDescription[];
  /** Straight from pose to pose (default), or a smooth curve. */
  readonly shape?: 'lin' | 'spline';
  /** Axis of the tool about which it may turn. */
  readonly free: 'x' | 'y' | 'z';
  /** Least and largest turn, radians; default a whole turn. */
  readonly range?: readonly number[];
  /** Turns tried at each station; default 24. */
  readonly samples?: number;
}

export interface WaitMove {
  readonly move: 'wait';
  readonly name?: string;
  readonly seconds: number;
}

export type MoveDescription = PtpMove | LinMove | CircMove | SplineMove | SeamMove | WaitMove;
export type TravelMove = Exclude<MoveDescription, WaitMove>;
