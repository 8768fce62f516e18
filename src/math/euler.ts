/**
 * Euler angles of all twelve sequences, intrinsic: `zyx` with (a, b, c) is R = Rz(a) Ry(b) Rx(c). The extrinsic sequence is
 * the reversed one with reversed angles; roll, pitch, yaw of URDF are `zyx` with (yaw, pitch, roll).
 *
 * Method: for the sequence i, j, k and the third axis l, entries of R give the middle angle, then the first; the last comes
 * from R with the first turn taken off, so the three always reproduce R, however near the singularity.
 * Singular (middle angle +-pi/2 for three different axes; 0 or pi when first and last are one axis): the last angle is set
 * to 0 by convention. Range: first and last in [-pi, pi]; middle in [-pi/2, pi/2], or [0, pi] when first and last agree.
 * Source: Shoemake 1994, "Euler angle conversion", Graphics Gems IV, III.5, doi:10.1016/B978-0-12-336156-1.50030-6;
 * Diebel 2006, "Representing attitude". Tested by euler.test.ts.
 */
import { multiplyMat3 } from './mat3.js';
import { atan2, cos, sin } from './scalar.js';
import { type MutableNumericArray, type NumericArray, setVec3 } from './vec3.js';

export type EulerSequence =
  | 'xyz'
  | 'xzy'
  | 'yxz'
  | 'yzx'
  | 'zxy'
  | 'zyx'
  | 'xyx'
  | 'xzx'
  | 'yxy'
  | 'yzy'
  | 'zxz'
  | 'zyz';

/** Sine of the distance to the singularity below which the last angle is set to 0. */
const SINGULAR = 1e-12;
const turn = new Float64Array(9);
const product = new Float64Array(9);

const axisIndex = (sequence: EulerSequence, at: number): number => sequence.charCodeAt(at) - 120;

/** R = R_i(angles[0]) R_j(angles[1]) R_k(angles[2]) for the sequence ijk. */
export function eulerToMat3<T extends MutableNumericArray>(out: T, angles: NumericArray, sequence: EulerSequence): T {
  writeTurn(product, axisIndex(sequence, 0), angles[0]);
  multiplyMat3(product, product, writeTurn(turn, axisIndex(sequence, 1), angles[1]));
  return multiplyMat3(out, product, writeTurn(turn, axisIndex(sequence, 2), angles[2]));
}

/** The angles of the sequence that reproduce R. */
export function mat3ToEuler<T extends MutableNumericArray>(out: T, R: NumericArray, sequence: EulerSequence): T {
  const i = axisIndex(sequence, 0);
  const j = axisIndex(sequence, 1);
  const k = axisIndex(sequence, 2);
  const l = 3 - i - j;
  // +1 when i, j, l is a cyclic order.
  const s = (j - i + 3) % 3 === 1 ? 1 : -1;
  const at = (r: number, c: number): number => R[3 * r + c];
  let a: number;
  let b: number;
  let size: number;
  if (i === k) {
    size = Math.sqrt(at(i, j) * at(i, j) + at(i, l) * at(i, l));
    b = atan2(size, at(i, i));
    a = atan2(at(j, i), -s * at(l, i));
  } else {
    size = Math.sqrt(at(i, i) * at(i, i) + at(i, j) * at(i, j));
    b = atan2(s * at(i, k), size);
    a = atan2(-s * at(j, k), at(k, k));
  }
  // With the last angle 0, column j of R is R_i(a) e_j.
  if (size < SINGULAR) return setVec3(out, atan2(s * at(l, j), at(j, j)), b, 0);
  // Row j of R_i(a)^T R is row j of R_k(c).
  const ca = cos(a);
  const sa = s * sin(a);
  const m = k === i ? l : i;
  const sign = (k - j + 3) % 3 === 1 ? 1 : -1;
  const c = atan2(sign * (ca * at(j, m) + sa * at(l, m)), ca * at(j, j) + sa * at(l, j));
  return setVec3(out, a, b, c);
}

/** Rotation about coordinate axis 0, 1 or 2. */
function writeTurn(out: Float64Array, axis: number, angle: number): Float64Array {
  const u = (axis + 1) % 3;
  const v = (axis + 2) % 3;
  const c = cos(angle);
  const s = sin(angle);
  out.fill(0);
  out[4 * axis] = 1;
  out[4 * u] = c;
  out[4 * v] = c;
  out[3 * v + u] = s;
  out[3 * u + v] = -s;
  return out;
}
