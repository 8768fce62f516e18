/**
 * Affine matrices of scene files (COLLADA and glTF nodes): 3x4 by rows, twelve numbers, x' = M x + t. Unlike the rigid
 * transforms of math/ they may scale, shear and mirror.
 */
import { cos, hypot, sin } from '../../math/scalar.js';

export type Affine = readonly number[];

export const IDENTITY_AFFINE: Affine = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** The map that applies b first, then a. */
export function multiplyAffine(a: Affine, b: Affine): number[] {
  const out: number[] = [];
  for (let row = 0; row < 12; row += 4) {
    for (let column = 0; column < 4; column++) {
      const sum = a[row] * b[column] + a[row + 1] * b[4 + column] + a[row + 2] * b[8 + column];
      out.push(column === 3 ? sum + a[row + 3] : sum);
    }
  }
  return out;
}

export function translation(x: number, y: number, z: number): number[] {
  return [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z];
}

export function scaling(x: number, y: number, z: number): number[] {
  return [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0];
}

/** Turn about an axis of any length by degrees; exact for multiples of 90 about a coordinate axis. Null without axis. */
export function rotation(axisX: number, axisY: number, axisZ: number, degrees: number): number[] | null {
  const length = hypot(axisX, axisY, axisZ);
  if (!(length > 0 && length < Number.POSITIVE_INFINITY)) return null;
  const x = axisX / length;
  const y = axisY / length;
  const z = axisZ / length;
  const [s, c] = sineCosineDegrees(degrees);
  const t = 1 - c;
  return [
    t * x * x + c,
    t * x * y - s * z,
    t * x * z + s * y,
    0,
    t * x * y + s * z,
    t * y * y + c,
    t * y * z - s * x,
    0,
    t * x * z - s * y,
    t * y * z + s * x,
    t * z * z + c,
    0,
  ];
}

/** COLLADA lookat: origin at the eye, -z towards the point of interest, y near `up`. Null when they are in line. */
export function lookAt(numbers: readonly number[]): number[] | null {
  const [px, py, pz, ix, iy, iz, ux, uy, uz] = numbers;
  const forward = normalize(ix - px, iy - py, iz - pz);
  if (!forward) return null;
  const right = normalize(...cross(forward, [ux, uy, uz]));
  if (!right) return null;
  const up = cross(right, forward);
  return [right[0], up[0], -forward[0], px, right[1], up[1], -forward[1], py, right[2], up[2], -forward[2], pz];
}

/**
 * COLLADA skew, that of the RenderMan interface: moves points along the second axis so that the first axis turns by
 * the angle towards it. Null when an axis is missing, both are in line, or the turn reaches the second axis.
 *
 * With n2 the second axis, n1 the part of the first axis a across n2, a = (a1, a2) in that plane and r the turned a,
 * the shear x + s (n1 . x) n2 maps a to the direction of r for s = r2 / r1 - a2 / a1.
 */
export function skew(numbers: readonly number[]): number[] | null {
  const [degrees, ax, ay, az, bx, by, bz] = numbers;
  const n2 = normalize(bx, by, bz);
  if (!n2) return null;
  const a2 = ax * n2[0] + ay * n2[1] + az * n2[2];
  const n1 = normalize(ax - a2 * n2[0], ay - a2 * n2[1], az - a2 * n2[2]);
  if (!n1) return null;
  const a1 = ax * n1[0] + ay * n1[1] + az * n1[2];
  const [sine, cosine] = sineCosineDegrees(degrees);
  const r1 = a1 * cosine - a2 * sine;
  const r2 = a1 * sine + a2 * cosine;
  if (!(r1 > 1e-12 * hypot(a1, a2))) return null;
  const s = r2 / r1 - a2 / a1;
  const out = [...IDENTITY_AFFINE];
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) out[4 * row + column] += s * n2[row] * n1[column];
  }
  return out;
}

function sineCosineDegrees(degrees: number): [number, number] {
  const quarter = ((degrees % 360) + 360) % 360;
  if (quarter === 0) return [0, 1];
  if (quarter === 90) return [1, 0];
  if (quarter === 180) return [0, -1];
  if (quarter === 270) return [-1, 0];
  const radians = (quarter * Math.PI) / 180;
  return [sin(radians), cos(radians)];
}

function normalize(x: number, y: number, z: number): [number, number, number] | null {
  const length = hypot(x, y, z);
  return length > 0 && length < Number.POSITIVE_INFINITY ? [x / length, y / length, z / length] : null;
}

function cross(a: readonly number[], b: readonly number[]): [number, number, number] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
