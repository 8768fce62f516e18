/** Where contacts of bodies lie in the kernel's memory (contact-kernel.ts). */
import type { Kernel } from '../kernel/kernel.js';
import type { ContactFunctions } from '../kernel/parts/contacts.js';

export interface ContactBlock {
  readonly kernel: Kernel;
  readonly functions: ContactFunctions;
  readonly address: number;
  /** Contacts it has room for, and bodies. */
  readonly room: number;
  readonly bodyCount: number;
  /** Byte offsets in the block. */
  readonly offsets: ContactOffsets;
}

export interface ContactOffsets {
  readonly data: number;
  readonly movers: number;
  readonly order: number;
  readonly wanted: number;
  readonly pushed: number;
  readonly velocities: number;
  readonly masses: number;
  readonly shifts: number;
}

/** The arrays of body-contacts.ts, as views of the block. */
export interface ContactViews {
  block: ContactBlock | null;
  data: Float64Array;
  movers: Int32Array;
  order: Int32Array;
  wanted: Float64Array;
  pushed: Float64Array;
  velocities: Float64Array;
  masses: Float64Array;
  shifts: Float64Array;
}
