import { moduleText } from '../generated/chain-part.js';
import type { KernelPart } from '../kernel-part.js';

export interface ChainFunctions {
  /** Links of a chain that may touch, see assembly/chain/chain.ts: 1 with the pair in the result area, 0 when there is none. */
  searchChain(block: number, changed: number, margin: number): number;
  resumeChain(): number;
  /** Updates and undoes, see assembly/chain/chain-update.ts. */
  keepJoint(block: number, log: number, logBytes: number, joint: number, place: number): void;
  updateChain(block: number, log: number, logBytes: number, count: number): void;
  revertChain(block: number, log: number, logBytes: number): void;
  /** The volume of a node from those of its children, fitted by `chainFitter` where that is not done in the kernel. */
  fitChain(block: number, level: number, index: number): void;
}

export const chains: KernelPart<ChainFunctions> = { place: 7, sample: 'searchChain', text: moduleText };
