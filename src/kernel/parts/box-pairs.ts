import { moduleText } from '../generated/box-pairs-part.js';
import type { KernelPart } from '../kernel-part.js';

export interface BoxPairFunctions {
  /** Writes the next pairs of proxies whose boxes may meet, see assembly/broadphase/box-pairs.ts; returns their number. */
  nextBoxPairs(block: number): number;
  /** Writes children and parents of a tree over the items of a block of so many bytes, see assembly/broadphase/box-tree.ts. */
  buildBoxTree(block: number, bytes: number): void;
}

export const boxPairs: KernelPart<BoxPairFunctions> = { place: 5, sample: 'nextBoxPairs', text: moduleText };
