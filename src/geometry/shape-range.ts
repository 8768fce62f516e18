/**
 * Sizes from here to there, and coordinates up to there: the range in which every query keeps its digits. Kernels form fifth and
 * sixth powers of lengths in doubles and squares in single precision; beyond, answers would be wrong before they overflowed.
 */
export const SHORTEST = 1e-15;
export const LONGEST = 1e15;
