/**
 * The lengths below which numbers count as equal, in one place.
 *
 * Doubles near magnitude m are spaced by up to m x 2^-52; a chain of a few dozen operations stays below m x 1e-10 with room
 * to spare, and a robot of metres then touches at a tenth of a nanometre.
 */

/** Spacing of doubles at 1: 2^-52. */
export const DOUBLE_EPSILON = Number.EPSILON;

/** Relative size of the touching tolerance. */
export const TOUCHING = 1e-10;

/** |distance| up to this counts as touching: 1e-10 x (largest extent + largest |coordinate| of the pair), metres. */
export function touchingTolerance(largestExtent: number, largestCoordinate: number): number {
  return TOUCHING * (largestExtent + largestCoordinate);
}

/** |a - b| <= absolute + relative x max(|a|, |b|); false for NaN. */
export function isClose(a: number, b: number, relative = 1e-12, absolute = 0): boolean {
  return a === b || Math.abs(a - b) <= absolute + relative * Math.max(Math.abs(a), Math.abs(b));
}
