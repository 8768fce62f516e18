/** What the control page and its worker tell each other. */
import type { MotionStatus, MoveReport, PathAttempt, PathMethod, PathOptimisation } from 'clearance/control';
import type { Content } from '../load/content.js';

export interface MotionAsk {
  /** A program file. */
  readonly program: string;
  /** Of every joint, rad/s^2 or m/s^2. */
  readonly acceleration: number;
  /** Prove the motion free. */
  readonly isProven: boolean;
}

export interface OptimisationAsk {
  /** A problem file. */
  readonly problem: string;
  readonly method: PathMethod;
  readonly seeds: number;
}

export type ToControl =
  | { readonly type: 'open'; readonly content: Content }
  | { readonly type: 'motion'; readonly ask: MotionAsk }
  | { readonly type: 'optimise'; readonly ask: OptimisationAsk };

/** A place of a motion as the page shows it. */
export interface ShownPlace {
  readonly words: string;
  /** Of the tool, in W. */
  readonly position: readonly number[];
  /** Seconds; null where nothing was timed. */
  readonly time: number | null;
}

export interface MotionAnswer {
  readonly status: MotionStatus;
  readonly reason: string;
  readonly place: ShownPlace | null;
  readonly duration: number;
  readonly moves: readonly MoveReport[];
  readonly singularities: readonly ShownPlace[];
  readonly isCertified: boolean;
  /** Metres; null without a proof or a pair. */
  readonly clearance: number | null;
  /** Samples: seconds, nq joint values each, the tool's place in W, its speed in m/s, the largest share of a velocity limit. */
  readonly times: Float64Array;
  readonly rows: Float64Array;
  readonly tool: Float32Array;
  readonly speed: Float64Array;
  readonly share: Float64Array;
}

/** One iteration of a descent: waypoints of nq numbers, and the tool's places along them. */
export interface IterationAnswer {
  readonly seed: number;
  readonly iteration: number;
  readonly cost: number;
  readonly violation: number;
  readonly rows: Float64Array;
  readonly tool: Float32Array;
}

export interface OptimisationAnswer
  extends Pick<PathOptimisation, 'status' | 'reason' | 'certified' | 'length' | 'cost' | 'iterations' | 'chosen'> {
  readonly clearance: number | null;
  readonly attempts: readonly Pick<PathAttempt, 'iterations' | 'certified' | 'length'>[];
  readonly rows: Float64Array;
  readonly tool: Float32Array;
}

export type FromControl =
  | { readonly type: 'ready' }
  | { readonly type: 'motion'; readonly answer: MotionAnswer }
  | { readonly type: 'iteration'; readonly iteration: IterationAnswer }
  | { readonly type: 'optimisation'; readonly answer: OptimisationAnswer }
  | { readonly type: 'failed'; readonly message: string };
