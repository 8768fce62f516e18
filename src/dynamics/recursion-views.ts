/** Where the recursions of dynamics work in the kernel (recursion-block.ts). */
import type { Kernel } from '../kernel/kernel.js';
import type { DynamicsFunctions } from '../kernel/parts/dynamics.js';
import type { Model } from '../model/model.js';

/** Named as in the data. */
export interface RecursionViews {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly a: Float64Array;
  readonly tau: Float64Array;
  readonly armature: Float64Array;
  readonly gravity: Float64Array;
  readonly bodyMotions: Float64Array;
  readonly forces: Float64Array;
  readonly relativePlacements: Float64Array;
  readonly zeroPlacements: Float64Array;
  readonly M: Float64Array;
  /** X_JM of joints whose kind has no shortcut. */
  readonly locals: Float64Array;
  readonly jointPlacements: Float64Array;
  readonly ddq: Float64Array;
}

export interface RecursionBlock {
  readonly kernel: Kernel;
  readonly functions: DynamicsFunctions;
  readonly model: Model;
  readonly address: number;
  readonly addresses: Readonly<Record<keyof RecursionViews, number>>;
  /** Joints that `relativePlacements`, `zeroPlacements` and `locals` are written for before a call. */
  readonly relativeJoints: readonly number[];
  readonly zeroJoints: readonly number[];
  readonly localJoints: readonly number[];
  /** Renewed when the memory has grown. */
  views: RecursionViews;
}

/** What the data hold. */
export interface HeldRecursions {
  block: RecursionBlock | null;
  /** Calls so far: the first ones are done in JavaScript, so that who makes few compiles nothing. */
  calls: number;
  /** The loops in JavaScript do it: for tests, and where the block cannot be made. */
  isRefused: boolean;
}
