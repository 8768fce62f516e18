import { moduleText } from '../generated/box-pairs-part.js';
import type { KernelPart } from '../kernel-part.js';

export interface BoxPairFunctions {
  /** Writes the next pairs of proxies whose boxes are at most `margin` apart, see assembly/broadphase/box-pairs.ts; returns their number. */
  nextBoxPairs(block: number, boxes: number, margin: number): number;
}

export const boxPairs: KernelPart<BoxPairFunctions> = { place: 8, text: moduleText };
