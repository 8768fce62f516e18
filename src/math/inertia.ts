/**
 * Rigid-body inertia as mass (kg), centre of mass (3) and the 3x3 rotational inertia about the centre of mass, row-major.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", section 2.13, doi:10.1007/978-1-4899-7560-7.
 * `out` comes first and may alias any input. Nothing is allocated, but by
 * `describeImpossibleInertia`. Tested by operations.test.ts and inertia.test.ts.
 */
import { eigenSymmetric3 } from './dense/eigen.js';
import type { MutableNumericArray, NumericArray } from './vec3.js';

/** The full symmetric matrix of [ixx, ixy, ixz, iyy, iyz, izz]. */
export function expandSymmetric<T extends MutableNumericArray>(out: T, packed: NumericArray): T {
  const ixx = packed[0];
  const ixy = packed[1];
  const ixz = packed[2];
  const iyy = packed[3];
  const iyz = packed[4];
  const izz = packed[5];
  out[0] = ixx;
  out[1] = ixy;
  out[2] = ixz;
  out[3] = ixy;
  out[4] = iyy;
  out[5] = iyz;
  out[6] = ixz;
  out[7] = iyz;
  out[8] = izz;
  return out;
}

const product = new Float64Array(9);

/** out = R I R^T: inertia seen in turned axes, about the same point. */
export function rotateInertia<T extends MutableNumericArray>(out: T, R: NumericArray, I: NumericArray): T {
  const t = product;
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      t[3 * r + c] = R[3 * r] * I[c] + R[3 * r + 1] * I[3 + c] + R[3 * r + 2] * I[6 + c];
    }
  }
  const r0 = R[0];
  const r1 = R[1];
  const r2 = R[2];
  const r3 = R[3];
  const r4 = R[4];
  const r5 = R[5];
  const r6 = R[6];
  const r7 = R[7];
  const r8 = R[8];
  out[0] = t[0] * r0 + t[1] * r1 + t[2] * r2;
  out[4] = t[3] * r3 + t[4] * r4 + t[5] * r5;
  out[8] = t[6] * r6 + t[7] * r7 + t[8] * r8;
  out[1] = t[0] * r3 + t[1] * r4 + t[2] * r5;
  out[2] = t[0] * r6 + t[1] * r7 + t[2] * r8;
  out[5] = t[3] * r6 + t[4] * r7 + t[5] * r8;
  out[3] = out[1];
  out[6] = out[2];
  out[7] = out[5];
  return out;
}

/** Adds mass (|r|^2 I - r r^T), the inertia of a point mass at r (parallel-axis theorem), to the 9 numbers at outAt. */
export function addPointInertiaAt(
  out: MutableNumericArray,
  outAt: number,
  mass: number,
  x: number,
  y: number,
  z: number,
): void {
  out[outAt] += mass * (y * y + z * z);
  out[outAt + 4] += mass * (x * x + z * z);
  out[outAt + 8] += mass * (x * x + y * y);
  out[outAt + 1] -= mass * x * y;
  out[outAt + 3] -= mass * x * y;
  out[outAt + 2] -= mass * x * z;
  out[outAt + 6] -= mass * x * z;
  out[outAt + 5] -= mass * y * z;
  out[outAt + 7] -= mass * y * z;
}

/**
 * Spatial inertia of a body about a frame's origin, ten numbers that add up over rigidly joined bodies:
 * [mass, mass c_x, mass c_y, mass c_z, Ixx, Ixy, Ixz, Iyy, Iyz, Izz], c the centre of mass, I about the origin.
 */
export type SpatialInertia = Float64Array;

/** From mass, centre of mass and the 3x3 inertia about the centre of mass. */
export function writeSpatialInertia<T extends MutableNumericArray>(
  out: T,
  mass: number,
  center: NumericArray,
  inertia: NumericArray,
): T {
  const x = center[0];
  const y = center[1];
  const z = center[2];
  out[0] = mass;
  out[1] = mass * x;
  out[2] = mass * y;
  out[3] = mass * z;
  out[4] = inertia[0] + mass * (y * y + z * z);
  out[5] = inertia[1] - mass * x * y;
  out[6] = inertia[2] - mass * x * z;
  out[7] = inertia[4] + mass * (x * x + z * z);
  out[8] = inertia[5] - mass * y * z;
  out[9] = inertia[8] + mass * (x * x + y * y);
  return out;
}

/** Momentum of the body: out = I V, a force vector [linear, angular] at the frame's origin. */
export function multiplySpatialInertia<T extends MutableNumericArray>(out: T, I: NumericArray, V: NumericArray): T {
  const vx = V[0];
  const vy = V[1];
  const vz = V[2];
  const wx = V[3];
  const wy = V[4];
  const wz = V[5];
  const hx = I[1];
  const hy = I[2];
  const hz = I[3];
  out[0] = I[0] * vx + wy * hz - wz * hy;
  out[1] = I[0] * vy + wz * hx - wx * hz;
  out[2] = I[0] * vz + wx * hy - wy * hx;
  out[3] = I[4] * wx + I[5] * wy + I[6] * wz + hy * vz - hz * vy;
  out[4] = I[5] * wx + I[7] * wy + I[8] * wz + hz * vx - hx * vz;
  out[5] = I[6] * wx + I[8] * wy + I[9] * wz + hx * vy - hy * vx;
  return out;
}

/** The same body seen from frame A: out_A from I_B and X_AB. */
export function transformSpatialInertia<T extends MutableNumericArray>(out: T, X: NumericArray, I: NumericArray): T {
  const mass = I[0];
  // About the centre of mass, turned, then about the new origin. Without mass the origin stands in for the centre.
  const inverse = mass === 0 ? 0 : 1 / mass;
  const x = I[1] * inverse;
  const y = I[2] * inverse;
  const z = I[3] * inverse;
  turned[0] = I[4] - mass * (y * y + z * z);
  turned[1] = I[5] + mass * x * y;
  turned[2] = I[6] + mass * x * z;
  turned[3] = turned[1];
  turned[4] = I[7] - mass * (x * x + z * z);
  turned[5] = I[8] + mass * y * z;
  turned[6] = turned[2];
  turned[7] = turned[5];
  turned[8] = I[9] - mass * (x * x + y * y);
  center[0] = X[0] * x + X[1] * y + X[2] * z + X[9];
  center[1] = X[3] * x + X[4] * y + X[5] * z + X[10];
  center[2] = X[6] * x + X[7] * y + X[8] * z + X[11];
  return writeSpatialInertia(out, mass, center, rotateInertia(turned, X, turned));
}

const turned = new Float64Array(9);
const center = new Float64Array(3);

/** Relative to the largest moment: inertias in files are rounded, and thin bodies reach equality. */
const INERTIA_TOLERANCE = 1e-6;
const symmetric = new Float64Array(9);
const moments = new Float64Array(3);
const directions = new Float64Array(9);

/**
 * Why no body can have this mass (kg) and inertia about its centre of mass ([ixx, ixy, ixz, iyy, iyz, izz], kg m^2), or null
 * when one can: mass >= 0, principal moments >= 0, and none larger than the sum of the other two (each is a sum of squared
 * distances from its axis). Zeros are possible: point masses and bodies without inertia.
 * Source: Traversaro, Brossette, Escande, Nori 2016, "Identification of fully physical consistent inertial parameters using
 * optimization on manifolds", section III, doi:10.1109/IROS.2016.7759801.
 * Fails: numbers that are not finite are impossible too.
 */
export function describeImpossibleInertia(mass: number, packed: NumericArray): string | null {
  if (!Number.isFinite(mass)) return `its mass ${mass} is no finite number`;
  if (mass < 0) return `its mass ${mass} is negative`;
  for (let k = 0; k < 6; k++) {
    if (!Number.isFinite(packed[k])) return `its inertia has ${packed[k]}, which is no finite number`;
  }
  const diagonal = [packed[0], packed[3], packed[5]];
  const names = ['ixx', 'iyy', 'izz'];
  const negative = diagonal.findIndex((value) => value < 0);
  if (negative >= 0) return `its ${names[negative]} = ${diagonal[negative]} is negative`;
  eigenSymmetric3(moments, directions, expandSymmetric(symmetric, packed));
  const [a, b, c] = moments;
  const slack = INERTIA_TOLERANCE * Math.max(a, Math.abs(c));
  const list = `${toDigits(a)}, ${toDigits(b)}, ${toDigits(c)}`;
  if (c < -slack) return `its principal moments ${list} are not all positive`;
  if (a > b + c + slack) {
    return `its principal moments ${list} break the triangle inequality: the largest is more than the sum ${toDigits(b + c)} of the others`;
  }
  return null;
}

function toDigits(value: number): string {
  return String(Number(value.toPrecision(6)));
}
