// The block of a ChainTree that a chain kernel works on: levels of its nodes, and what all chain kernels agree on about boxes.
// Layout: kernel/layout.ts, CHAIN_...
import { CHAIN_COUNTS, CHAIN_STARTS } from '../../src/kernel/layout';
import { readU32 } from '../memory';

/** Half extents and radius of a node's volume. */
export const HALF: usize = 96;
export const RADIUS: usize = 120;
/** More than the sums lose, so that containment survives every level. */
export const ROUNDING: f64 = 1e-14;
/** Rounding to f32 loses less. */
export const OUTWARD: f64 = 1 + 2e-7;

let block: usize = 0;

/** Names the block whose levels are asked for. */
@inline
export function openLevels(theBlock: usize): void {
  block = theBlock;
}

/** Number of a level's first node. */
@inline
export function startOf(level: u32): u32 {
  return readU32(block + (level << 2), CHAIN_STARTS);
}

/** Nodes of a level. */
@inline
export function countOf(level: u32): u32 {
  return readU32(block + (level << 2), CHAIN_COUNTS);
}
