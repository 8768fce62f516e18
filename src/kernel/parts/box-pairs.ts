import { moduleText } from '../generated/box-pairs-part.js';
import type { KernelPart } from '../kernel-part.js';

export interface BoxPairFunctions {
  /** Writes the next pairs of proxies whose boxes may meet, see assembly/broadphase/box-pairs.ts; returns their number. */
  nextBoxPairs(block: number): number;
}

export const boxPairs: KernelPart<BoxPairFunctions> = { place: 8, text: moduleText };
