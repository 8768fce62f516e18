/** Placement and sampling shared by joints that turn about an axis or hold a quaternion. */
import type { Random } from '../../math/random.js';
import { cos, sin } from '../../math/scalar.js';

/** X = rotation about a unit axis given by cosine and sine, no translation (Rodrigues). */
export function placeRotation(
  out: Float64Array,
  outAt: number,
  axis: Float64Array,
  axisAt: number,
  c: number,
  s: number,
): void {
  const x = axis[axisAt];
  const y = axis[axisAt + 1];
  const z = axis[axisAt + 2];
  const u = 1 - c;
  const xy = u * x * y;
  const xz = u * x * z;
  const yz = u * y * z;
  out[outAt] = c + u * x * x;
  out[outAt + 1] = xy - s * z;
  out[outAt + 2] = xz + s * y;
  out[outAt + 3] = xy + s * z;
  out[outAt + 4] = c + u * y * y;
  out[outAt + 5] = yz - s * x;
  out[outAt + 6] = xz - s * y;
  out[outAt + 7] = yz + s * x;
  out[outAt + 8] = c + u * z * z;
  out[outAt + 9] = 0;
  out[outAt + 10] = 0;
  out[outAt + 11] = 0;
}

/** Rotation part of a quaternion of any non-zero length; zero gives the identity. */
export function placeQuaternion(out: Float64Array, outAt: number, q: Float64Array, iq: number): void {
  const x = q[iq];
  const y = q[iq + 1];
  const z = q[iq + 2];
  const w = q[iq + 3];
  const n = x * x + y * y + z * z + w * w;
  const s = n > 0 ? 2 / n : 0;
  out[outAt] = 1 - s * (y * y + z * z);
  out[outAt + 1] = s * (x * y - z * w);
  out[outAt + 2] = s * (x * z + y * w);
  out[outAt + 3] = s * (x * y + z * w);
  out[outAt + 4] = 1 - s * (x * x + z * z);
  out[outAt + 5] = s * (y * z - x * w);
  out[outAt + 6] = s * (x * z - y * w);
  out[outAt + 7] = s * (y * z + x * w);
  out[outAt + 8] = 1 - s * (x * x + y * y);
}

/** Angle in [-pi, pi] that differs from x by whole turns. */
export function wrapAngle(x: number): number {
  if (x >= -Math.PI && x <= Math.PI) return x;
  const turns = Math.round(x / (2 * Math.PI));
  return Math.min(Math.PI, Math.max(-Math.PI, x - turns * 2 * Math.PI));
}

/**
 * Uniformly distributed unit quaternion with w >= 0.
 * Source: Shoemake 1992, "Uniform random rotations", Graphics Gems III, doi:10.1016/B978-0-08-050755-2.50036-1.
 */
export function setRandomQuaternion(out: Float64Array, iq: number, random: Random): void {
  const u = random.next();
  const a = 2 * Math.PI * random.next();
  const b = 2 * Math.PI * random.next();
  const r = Math.sqrt(1 - u);
  const s = Math.sqrt(u);
  const w = s * cos(b);
  const sign = w < 0 ? -1 : 1;
  out[iq] = sign * r * sin(a);
  out[iq + 1] = sign * r * cos(a);
  out[iq + 2] = sign * s * sin(b);
  out[iq + 3] = sign * w;
}

/** Quaternion divided by its length, the identity for zero. */
export function normalizeQuaternionAt(out: Float64Array, q: Float64Array, iq: number): void {
  const m = Math.max(Math.abs(q[iq]), Math.abs(q[iq + 1]), Math.abs(q[iq + 2]), Math.abs(q[iq + 3]));
  if (m === 0) {
    out[iq] = 0;
    out[iq + 1] = 0;
    out[iq + 2] = 0;
    out[iq + 3] = 1;
    return;
  }
  const x = q[iq] / m;
  const y = q[iq + 1] / m;
  const z = q[iq + 2] / m;
  const w = q[iq + 3] / m;
  const n = Math.sqrt(x * x + y * y + z * z + w * w);
  out[iq] = x / n;
  out[iq + 1] = y / n;
  out[iq + 2] = z / n;
  out[iq + 3] = w / n;
}
