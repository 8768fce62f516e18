/**
 * The length below which a pair counts as touching.
 *
 * Doubles near magnitude m are spaced by up to m x 2^-52; a query of a few dozen operations stays below m x 1e-10 with room
 * to spare, and a robot of metres then touches at a tenth of a nanometre.
 */

/** Touching tolerance per unit of (largest extent + largest |coordinate|). */
export const TOUCHING = 1e-10;

/** |distance| up to this counts as contact: 1e-10 x (largest extent + largest |coordinate| of the pair), metres. */
export function touchingTolerance(largestExtent: number, largestCoordinate: number): number {
  return TOUCHING * (largestExtent + largestCoordinate);
}
