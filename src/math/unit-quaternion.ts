/**
 * The one rule for quaternions that come from outside, in calls, input lines and files alike: a length of 1 within 1e-3 is
 * scaled to 1 (six printed digits pass, another order of the numbers or an angle among them does not), anything else is
 * refused. Readers of files and lines tell of a scaling that is more than rounding (1e-6).
 * Tested by unit-quaternion.test.ts.
 */

/** How far from 1 the length of a quaternion, or of a (cos, sin) pair, may be. */
export const UNIT_TOLERANCE = 1e-3;
/** A length this near to 1 is rounding, of which nothing is told. */
export const UNIT_ROUNDING = 1e-6;

/** Length of the quaternion that begins at `at`. */
export function quaternionLength(values: ArrayLike<number>, at = 0): number {
  const m = Math.max(
    Math.abs(values[at]),
    Math.abs(values[at + 1]),
    Math.abs(values[at + 2]),
    Math.abs(values[at + 3]),
  );
  // Scaled first, so that squares neither overflow nor underflow; NaN stays NaN.
  if (!(m > 0 && m < Infinity)) return m;
  const x = values[at] / m;
  const y = values[at + 1] / m;
  const z = values[at + 2] / m;
  const w = values[at + 3] / m;
  return m * Math.sqrt(x * x + y * y + z * z + w * w);
}

/** What is wrong with the quaternion that begins at `at`, in words; null when it can be used. */
export function describeQuaternion(values: ArrayLike<number>, at = 0): string | null {
  const length = quaternionLength(values, at);
  if (Math.abs(length - 1) <= UNIT_TOLERANCE) return null;
  return `got the quaternion [${quaternionText(values, at)}] of length ${length}, expected x, y, z, w of length 1 (within ${UNIT_TOLERANCE})`;
}

/** That the quaternion is scaled, in words; null when its length is 1 but for rounding. For quaternions that can be used. */
export function describeScaling(values: ArrayLike<number>, at = 0): string | null {
  const length = quaternionLength(values, at);
  if (Math.abs(length - 1) <= UNIT_ROUNDING) return null;
  return `the quaternion [${quaternionText(values, at)}] has length ${length}, scaled to 1`;
}

function quaternionText(values: ArrayLike<number>, at: number): string {
  return [0, 1, 2, 3].map((k) => values[at + k]).join(', ');
}
