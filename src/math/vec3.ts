/**
 * 3-vectors as plain numeric arrays of length 3.
 * `out` comes first and may alias any input. Cost: constant, no allocation (except `createVec3`).
 */

/** Anything that can be read as numbers: number[], tuples, typed arrays. */
export type NumericArray = ArrayLike<number>;
/** Anything that can be written: prefer Float64Array in hot code (one element kind keeps V8 monomorphic). */
export type MutableNumericArray = { readonly length: number; [index: number]: number };
export type Vec3 = Float64Array;

export function createVec3(x = 0, y = 0, z = 0): Vec3 {
  const out = new Float64Array(3);
  out[0] = x;
  out[1] = y;
  out[2] = z;
  return out;
}

export function setVec3<T extends MutableNumericArray>(out: T, x: number, y: number, z: number): T {
  out[0] = x;
  out[1] = y;
  out[2] = z;
  return out;
}

export function copyVec3<T extends MutableNumericArray>(out: T, a: NumericArray): T {
  return setVec3(out, a[0], a[1], a[2]);
}

export function addVec3<T extends MutableNumericArray>(out: T, a: NumericArray, b: NumericArray): T {
  return setVec3(out, a[0] + b[0], a[1] + b[1], a[2] + b[2]);
}

/** out = a - b */
export function subtractVec3<T extends MutableNumericArray>(out: T, a: NumericArray, b: NumericArray): T {
  return setVec3(out, a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

export function scaleVec3<T extends MutableNumericArray>(out: T, a: NumericArray, s: number): T {
  return setVec3(out, a[0] * s, a[1] * s, a[2] * s);
}

/** out = a + s b */
export function addScaledVec3<T extends MutableNumericArray>(out: T, a: NumericArray, b: NumericArray, s: number): T {
  return setVec3(out, a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]);
}

export function negateVec3<T extends MutableNumericArray>(out: T, a: NumericArray): T {
  return setVec3(out, -a[0], -a[1], -a[2]);
}

export function dotVec3(a: NumericArray, b: NumericArray): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function crossVec3<T extends MutableNumericArray>(out: T, a: NumericArray, b: NumericArray): T {
  const ax = a[0];
  const ay = a[1];
  const az = a[2];
  const bx = b[0];
  const by = b[1];
  const bz = b[2];
  return setVec3(out, ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx);
}

export function squaredNormVec3(a: NumericArray): number {
  return a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
}

export function normVec3(a: NumericArray): number {
  return Math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

export function distanceVec3(a: NumericArray, b: NumericArray): number {
  const x = a[0] - b[0];
  const y = a[1] - b[1];
  const z = a[2] - b[2];
  return Math.sqrt(x * x + y * y + z * z);
}

/** out = a / |a|; the zero vector stays zero. Scaled first, so squares neither overflow nor underflow. */
export function normalizeVec3<T extends MutableNumericArray>(out: T, a: NumericArray): T {
  const m = Math.max(Math.abs(a[0]), Math.abs(a[1]), Math.abs(a[2]));
  if (m === 0) return setVec3(out, 0, 0, 0);
  const x = a[0] / m;
  const y = a[1] / m;
  const z = a[2] / m;
  const s = 1 / Math.sqrt(x * x + y * y + z * z);
  return setVec3(out, x * s, y * s, z * s);
}

/** out = a + t (b - a) */
export function lerpVec3<T extends MutableNumericArray>(out: T, a: NumericArray, b: NumericArray, t: number): T {
  return setVec3(out, a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2]));
}
