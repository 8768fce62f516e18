/**
 * What inverse kinematics and tracking can be asked for, as plain data. Arrays may be changed between calls: each call reads
 * them anew. Frames are indices of `model.frames` (see `findFrame`). Metres and radians.
 */
import type { Data } from '../../model/model.js';

interface CommonTask {
  /** Weight of the task's squared error beside others of the same level; default 1. */
  readonly weight?: number;
  /** Weight of each row instead; 0 leaves a row free. */
  readonly weights?: ArrayLike<number>;
}

/** A frame at X_WT. Rows in the frame's own axes: linear x y z, angular x y z. */
export interface PoseTask extends CommonTask {
  readonly kind: 'pose';
  readonly frame: number;
  readonly target: ArrayLike<number>;
  /** Of the target, for tracking: velocity of its origin, then angular velocity, world axes. */
  readonly velocity?: ArrayLike<number>;
}

/** A point of a frame at a place. Rows along world x y z. */
export interface PositionTask extends CommonTask {
  readonly kind: 'position';
  readonly frame: number;
  /** p_WT */
  readonly target: ArrayLike<number>;
  /** The point in the frame; default its origin. */
  readonly point?: ArrayLike<number>;
  readonly velocity?: ArrayLike<number>;
}

/** A frame turned as R_WT, anywhere. Rows about the frame's own axes. */
export interface OrientationTask extends CommonTask {
  readonly kind: 'orientation';
  readonly frame: number;
  /** The rotation's nine numbers, row by row; of a transform the first nine are read. */
  readonly target: ArrayLike<number>;
  /** Angular velocity of the target, world axes. */
  readonly velocity?: ArrayLike<number>;
}

/** An axis of a frame along a direction of the world, turned about it at will. Two rows. */
export interface AxisTask extends CommonTask {
  readonly kind: 'axis';
  readonly frame: number;
  /** In the frame; need not be of unit length. */
  readonly axis: ArrayLike<number>;
  /** In the world; need not be of unit length. */
  readonly target: ArrayLike<number>;
  readonly velocity?: ArrayLike<number>;
}

/** An axis of a frame, from the frame's origin, through a point of the world. Two rows. */
export interface LookAtTask extends CommonTask {
  readonly kind: 'look-at';
  readonly frame: number;
  readonly axis: ArrayLike<number>;
  readonly target: ArrayLike<number>;
  readonly velocity?: ArrayLike<number>;
}

/** The robot's centre of mass at a place. Rows along world x y z. */
export interface CenterOfMassTask extends CommonTask {
  readonly kind: 'center-of-mass';
  readonly target: ArrayLike<number>;
  readonly velocity?: ArrayLike<number>;
}

/** A whole configuration. One row per coordinate of v. */
export interface PostureTask extends CommonTask {
  readonly kind: 'posture';
  /** nq numbers */
  readonly target: ArrayLike<number>;
  /** nv numbers */
  readonly velocity?: ArrayLike<number>;
}

/** A frame in another frame of the robot: X_AB. Rows in the axes of `frame`. */
export interface RelativePoseTask extends CommonTask {
  readonly kind: 'relative-pose';
  /** B */
  readonly frame: number;
  /** A */
  readonly base: number;
  readonly target: ArrayLike<number>;
  /** Of the target in A: velocity of its origin, then angular velocity, axes of A. */
  readonly velocity?: ArrayLike<number>;
}

export type IkTask =
  | PoseTask
  | PositionTask
  | OrientationTask
  | AxisTask
  | LookAtTask
  | CenterOfMassTask
  | PostureTask
  | RelativePoseTask;

/**
 * A task bound to a model: its error e as rows, and the rows' derivative A with de/dt = -A v while the target stands still.
 * Order of calls: `place`, then `evaluate` after kinematics of q, then `linearize` for the same q.
 */
export interface TaskRows {
  readonly rows: number;
  /** Metres and radians of the last `evaluate`, rows of weight 0 left out. */
  positionError: number;
  rotationError: number;
  /** Reads the target, moved on by `time` at its velocity. Wrong lengths and numbers that are not finite throw. */
  place(time: number): void;
  /** Writes the error from `error[at]`. */
  evaluate(error: Float64Array, at: number, data: Data, q: Float64Array): void;
  /** Writes A, rows x nv, from row `row` of `A`. */
  linearize(A: Float64Array, row: number, data: Data): void;
}

/** All that a descent brings to zero: rows like those of `TaskRows`, with their own kinematics. */
export interface StepRows {
  readonly rows: number;
  readonly error: Float64Array;
  /** The rows' derivative by columns: entry k of v has its `rows` numbers together. */
  readonly columns: Float64Array;
  /** Of the last `evaluate`: squared length of `error`; metres, radians. */
  squaredError: number;
  positionError: number;
  rotationError: number;
  /** Reads the targets; `start` tells where the joints are that do not move. */
  place(start: Float64Array): void;
  /** Writes `error` for q. */
  evaluate(q: Float64Array): void;
  /** Writes `columns` for the q of the last `evaluate`. */
  linearize(): void;
}
