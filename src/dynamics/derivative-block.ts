/** Where the kernel's part of the derivatives of dynamics works (derivative-kernel.ts). */
import type { Kernel } from '../kernel/kernel.js';
import type { DynamicsFunctions } from '../kernel/parts/dynamics.js';

/** A block, with the places of its arrays: in 64-bit numbers. */
/** In bytes. */
export interface BlockAddresses {
  readonly rates: number;
  readonly subspaces: number;
  readonly matrices: number;
  readonly factors: number;
  readonly pivots: number;
}

export interface DerivativeBlock {
  readonly kernel: Kernel;
  readonly functions: DynamicsFunctions;
  readonly address: number;
  /** Whether pairs are added here: else the products alone are made here. */
  readonly addsPairs: boolean;
  readonly addresses: BlockAddresses;
  /** Renewed when the memory has grown. */
  views: BlockViews;
}

/** Named as in the data. */
export interface BlockViews {
  readonly dtauDq: Float64Array;
  readonly dtauDv: Float64Array;
  readonly ddqDq: Float64Array;
  readonly ddqDv: Float64Array;
  readonly inverseM: Float64Array;
  readonly factors: Float64Array;
  readonly pivots: Float64Array;
  readonly forceRates: Float64Array;
  readonly alignedSubspaces: Float64Array;
  readonly parentRates: Float64Array;
  readonly parentAccelerations: Float64Array;
  readonly rateSums: Float64Array;
}

/** What the data hold. */
export interface HeldBlock {
  block: DerivativeBlock | null;
  /** The loops in JavaScript do it: for tests. */
  isRefused: boolean;
}
