/**
 * Checks a certificate of a path with distances alone, apart from what made it.
 *
 * Method: at each ball's time the pose is computed by this file's own interpolation, its distance measured, and required to be at least
 * what the ball says; the times around it that this distance proves are computed from the motion of every vertex: a vertex v moves by at
 * most s |dp + theta u x R_m c| + (theta s)^2 / 2 |u x c| + theta s a(v), a(v) its distance from the axis through the ball's centre. The
 * proven times of all balls must cover [0, 1].
 * Writes nothing; what fails is said with its motion and time. Cost: one distance per ball. Tested by motion.test.ts.
 */

import { normalizeQuat } from '../math/quat.js';
import { atan2, sin } from '../math/scalar.js';
import type { BodyPair } from './body-pair.js';
import type { RigidCertificate } from './certify-path.js';
import type { RigidPose } from './pose.js';

export interface CertificateVerdict {
  readonly valid: boolean;
  /** '' when valid. */
  readonly reason: string;
  /** Balls that were checked. */
  readonly checked: number;
}

/** Relative, on bounds; below the margin of those who make certificates. */
const ROUNDING = 1 + 1e-10;

export function verifyRigidPoses(
  pair: BodyPair,
  path: readonly RigidPose[],
  certificate: RigidCertificate,
): CertificateVerdict {
  let checked = 0;
  const fail = (reason: string): CertificateVerdict => ({ valid: false, reason, checked });
  if (certificate.motions.length !== Math.max(0, path.length - 1))
    return fail(`${certificate.motions.length} motions in the certificate, ${path.length - 1} in the path`);
  for (let i = 0; i < certificate.motions.length; i++) {
    const { balls } = certificate.motions[i];
    if (balls.length % 2 !== 0) return fail(`motion ${i}: a time without a distance`);
    const motion = new CheckedMotion(pair, path[i], path[i + 1]);
    const proven: [number, number][] = [];
    for (let at = 0; at < balls.length; at += 2) {
      const t = balls[at];
      const d = balls[at + 1];
      checked++;
      if (!(t >= 0 && t <= 1 && d >= 0 && d < Infinity)) return fail(`motion ${i}: ball ${at / 2} is none`);
      const middle = motion.pose(t);
      if (pair.distance(middle, d * ROUNDING) < d / ROUNDING - pair.touching)
        return fail(`motion ${i}, t = ${t}: something is nearer than the ${d} that the certificate says`);
      const s = motion.reach(middle, d - pair.touching);
      if (s > 0) proven.push([t - s, t + s]);
    }
    proven.sort((a, b) => a[0] - b[0]);
    let reached = 0;
    let isOpen = true;
    for (const [from, to] of proven) {
      if (from > reached) break;
      reached = Math.max(reached, to);
      if (reached >= 1) isOpen = false;
    }
    if (isOpen) return fail(`motion ${i}: nothing is proven about t = ${reached}`);
  }
  return { valid: true, reason: '', checked };
}

class CheckedMotion {
  private readonly angle: number;
  private readonly sign: number;
  private readonly half: number;
  private readonly arm: number;
  private readonly lever: number;
  /** Of the turn, in the body's frame. */
  private readonly axis: readonly [number, number, number];

  constructor(
    private readonly pair: BodyPair,
    private readonly a: RigidPose,
    private readonly b: RigidPose,
  ) {
    let dot = 0;
    for (let k = 3; k < 7; k++) dot += a[k] * b[k];
    this.sign = dot < 0 ? -1 : 1;
    let near = 0;
    let far = 0;
    for (let k = 3; k < 7; k++) {
      near += (a[k] - this.sign * b[k]) ** 2;
      far += (a[k] + this.sign * b[k]) ** 2;
    }
    this.half = 2 * atan2(Math.sqrt(near), Math.sqrt(far));
    this.angle = 2 * this.half * ROUNDING;
    // conj(a) b: the turn seen from the body.
    const s = this.sign;
    const x = s * (a[6] * b[3] - a[3] * b[6] - a[4] * b[5] + a[5] * b[4]);
    const y = s * (a[6] * b[4] - a[4] * b[6] - a[5] * b[3] + a[3] * b[5]);
    const z = s * (a[6] * b[5] - a[5] * b[6] - a[3] * b[4] + a[4] * b[3]);
    const n = Math.sqrt(x * x + y * y + z * z);
    this.axis = n > 0 ? [x / n, y / n, z / n] : [1, 0, 0];
    const c = pair.center;
    const v = pair.body.mesh.vertices;
    let arm = 0;
    for (let i = 0; i < v.length; i += 3)
      arm = Math.max(arm, this.fromAxis(v[i] - c[0], v[i + 1] - c[1], v[i + 2] - c[2]));
    this.arm = arm;
    this.lever = this.fromAxis(c[0], c[1], c[2]);
  }

  pose(t: number): RigidPose {
    const { a, b, half, sign } = this;
    const out = new Float64Array(7);
    for (let k = 0; k < 3; k++) out[k] = t === 1 ? b[k] : a[k] + t * (b[k] - a[k]);
    const s = sin(half);
    const before = s < 1e-12 ? 1 - t : sin((1 - t) * half) / s;
    const after = sign * (s < 1e-12 ? t : sin(t * half) / s);
    const q = new Float64Array(4);
    for (let k = 0; k < 4; k++) q[k] = before * a[3 + k] + after * b[3 + k];
    out.set(normalizeQuat(q, q), 3);
    return out;
  }

  /** How long before and after the middle no vertex is farther than d from where it is there. */
  reach(middle: RigidPose, d: number): number {
    if (!(d > 0)) return 0;
    const { a, b, angle, axis, lever, arm, pair } = this;
    const [x, y, z] = axis;
    const c = pair.center;
    // u x c in the body's frame, then turned to world.
    const cross = turned(middle, y * c[2] - z * c[1], z * c[0] - x * c[2], x * c[1] - y * c[0]);
    let square = 0;
    for (let k = 0; k < 3; k++) square += (b[k] - a[k] + angle * cross[k]) ** 2;
    const linear = (Math.sqrt(square) + angle * arm) * ROUNDING;
    const rest = ((angle * angle) / 2) * lever * ROUNDING;
    if (linear === 0 && rest === 0) return Infinity;
    return (2 * d) / (linear + Math.sqrt(linear * linear + 4 * rest * d)) / ROUNDING;
  }

  private fromAxis(px: number, py: number, pz: number): number {
    const [x, y, z] = this.axis;
    const cx = y * pz - z * py;
    const cy = z * px - x * pz;
    const cz = x * py - y * px;
    return Math.sqrt(cx * cx + cy * cy + cz * cz);
  }
}

/** R(q) v as a matrix product, not as those who make certificates do it. */
function turned(pose: RigidPose, vx: number, vy: number, vz: number): [number, number, number] {
  const x = pose[3];
  const y = pose[4];
  const z = pose[5];
  const w = pose[6];
  return [
    (1 - 2 * (y * y + z * z)) * vx + 2 * (x * y - z * w) * vy + 2 * (x * z + y * w) * vz,
    2 * (x * y + z * w) * vx + (1 - 2 * (x * x + z * z)) * vy + 2 * (y * z - x * w) * vz,
    2 * (x * z - y * w) * vx + 2 * (y * z + x * w) * vy + (1 - 2 * (x * x + y * y)) * vz,
  ];
}
