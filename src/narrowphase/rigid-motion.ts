/**
 * One body's motion over t in [0, 1], to be evaluated anywhere, with bounds of how fast any of its points moves.
 *
 * 'slerp': the frame's origin goes straight from start to end, the rotation about a fixed axis. 'screw': the whole body turns
 * about a fixed line and slides along it, X(t) = exp(t xi) X(0). Both turn the shorter way at constant speed.
 * A point's velocity is a constant part plus a turning part across the axis, whose size is at most `spin()`:
 * slerp: angle x distance of the shape's points from the axis through the frame's origin; screw: the origin's own
 * turning speed in addition. It turns with the body, so the point's acceleration is at most angle x `spin()`.
 * Source: Lynch, Park 2017, "Modern Robotics", section 3.2.3 (Rodrigues' formula) and 3.3.3 (exponential of a twist),
 * doi:10.1017/9781316661239.
 * Frames: W; rotations and twists of the world frame. Checked by cast.test.ts.
 */
import type { SupportCore } from '../geometry/support.js';
import { mat3ToQuat } from '../math/quat.js';
import { atan2, cos, sin, sinCos } from '../math/scalar.js';
import type { Transform } from '../math/transform.js';
import { normVec3, type Vec3 } from '../math/vec3.js';
import { BOX, CAPSULE, CONE, type Collider, CYLINDER, HALFSPACE, SPHERE } from './collider.js';

/** Angles below this turn by their series: the closed form divides by them. */
const SMALL_ANGLE = 1e-4;

export class RigidMotion {
  /** X_W(body) at the last `moveTo`. */
  readonly X = new Float64Array(12);
  private readonly from = new Float64Array(3);
  /** Constant part of the velocity. */
  private readonly velocity = new Float64Array(3);
  /** Screws: velocity of the point of the body at W's origin. */
  private readonly twist = new Float64Array(3);
  private readonly q0 = new Float64Array(4);
  private readonly q1 = new Float64Array(4);
  private readonly difference = new Float64Array(3);
  /** Axis of the rotation in W, angle per unit t. */
  private readonly axis = new Float64Array(3);
  angle = 0;
  /** R(t) = parts 0..8 + cos(t angle) parts 9..17 + sin(t angle) parts 18..26. */
  private readonly parts = new Float64Array(27);
  private turning = 0;
  private isScrew = false;
  core!: SupportCore;
  /** Of the core; a half-space is a point inflated by its offset, which is right along its own normal. */
  private radius = 0;
  /** Bound of how far the shape's points are from its frame's origin. */
  private size = 0;

  prepare(collider: Collider, X0: Transform, X1: Transform, isScrew: boolean): void {
    const { from, velocity } = this;
    this.core = collider.core;
    this.radius = collider.type === HALFSPACE ? collider.plane[3] : collider.core.radius;
    this.size = normVec3(collider.center) + collider.boundingRadius;
    for (let i = 0; i < 3; i++) {
      from[i] = X0[9 + i];
      velocity[i] = X1[9 + i] - X0[9 + i];
    }
    this.measureRotation(X0, X1);
    this.isScrew = isScrew && this.angle > 0;
    this.turning = 0;
    if (this.angle > 0) {
      this.turning = this.angle * reachFromAxis(collider, X0, this.axis);
      this.setParts(X0);
    }
    if (this.isScrew) this.setTwist(X1);
    this.X.set(X0);
  }

  /** Axis and angle of R1 R0^T, the shorter way round. */
  private measureRotation(X0: Transform, X1: Transform): void {
    this.angle = 0;
    let isTurned = false;
    for (let i = 0; i < 9; i++) if (X0[i] !== X1[i]) isTurned = true;
    if (!isTurned) return;
    const { q0, q1, axis } = this;
    mat3ToQuat(q0, X0);
    mat3ToQuat(q1, X1);
    const x0 = q0[0];
    const y0 = q0[1];
    const z0 = q0[2];
    const w0 = q0[3];
    const x1 = q1[0];
    const y1 = q1[1];
    const z1 = q1[2];
    const w1 = q1[3];
    const w = w1 * w0 + x1 * x0 + y1 * y0 + z1 * z0;
    const sign = w < 0 ? -1 : 1;
    axis[0] = sign * (-w1 * x0 + x1 * w0 - y1 * z0 + z1 * y0);
    axis[1] = sign * (-w1 * y0 + y1 * w0 - z1 * x0 + x1 * z0);
    axis[2] = sign * (-w1 * z0 + z1 * w0 - x1 * y0 + y1 * x0);
    const sine = normVec3(axis);
    if (sine < 1e-15) return;
    this.angle = 2 * atan2(sine, Math.abs(w));
    for (let i = 0; i < 3; i++) axis[i] /= sine;
  }

  /** R(t) r = k (k . r) + cos (r - k (k . r)) + sin k x r, for every column r of R0. */
  private setParts(X0: Transform): void {
    const { axis: k, parts } = this;
    for (let column = 0; column < 3; column++) {
      const x = X0[column];
      const y = X0[3 + column];
      const z = X0[6 + column];
      const along = k[0] * x + k[1] * y + k[2] * z;
      parts[column] = along * k[0];
      parts[3 + column] = along * k[1];
      parts[6 + column] = along * k[2];
      parts[9 + column] = x - along * k[0];
      parts[12 + column] = y - along * k[1];
      parts[15 + column] = z - along * k[2];
      parts[18 + column] = k[1] * z - k[2] * y;
      parts[21 + column] = k[2] * x - k[0] * z;
      parts[24 + column] = k[0] * y - k[1] * x;
    }
  }

  /** The twist whose exponential takes the start to the end: v = V(angle)^-1 (p1 - R p0). */
  private setTwist(X1: Transform): void {
    const { axis: k, angle, from, twist, velocity } = this;
    const c = cos(angle);
    const s = sin(angle);
    const kp = k[0] * from[0] + k[1] * from[1] + k[2] * from[2];
    const { difference: d } = this;
    for (let i = 0; i < 3; i++) {
      const [j, m] = [(i + 1) % 3, (i + 2) % 3];
      d[i] = X1[9 + i] - (c * from[i] + s * (k[j] * from[m] - k[m] * from[j]) + (1 - c) * kp * k[i]);
    }
    // V^-1 = 1 - angle/2 [k] + (1 - (angle/2) cot(angle/2)) [k]^2.
    const halfAngle = 0.5 * angle;
    const g = angle < SMALL_ANGLE ? (angle * angle) / 12 : 1 - (halfAngle * cos(halfAngle)) / sin(halfAngle);
    const kd = k[0] * d[0] + k[1] * d[1] + k[2] * d[2];
    let along = 0;
    for (let i = 0; i < 3; i++) {
      const [j, m] = [(i + 1) % 3, (i + 2) % 3];
      twist[i] = d[i] - halfAngle * (k[j] * d[m] - k[m] * d[j]) + g * (kd * k[i] - d[i]);
      along += twist[i] * k[i];
    }
    let squared = 0;
    for (let i = 0; i < 3; i++) {
      const [j, m] = [(i + 1) % 3, (i + 2) % 3];
      velocity[i] = along * k[i];
      const own = twist[i] + angle * (k[j] * from[m] - k[m] * from[j]) - velocity[i];
      squared += own * own;
    }
    this.turning += Math.sqrt(squared);
  }

  moveTo(t: number): void {
    const { X, from, velocity, angle } = this;
    if (angle > 0) {
      const { parts } = this;
      sinCos(sineCosine, t * angle);
      const s = sineCosine[0];
      const c = sineCosine[1];
      X[0] = parts[0] + c * parts[9] + s * parts[18];
      X[1] = parts[1] + c * parts[10] + s * parts[19];
      X[2] = parts[2] + c * parts[11] + s * parts[20];
      X[3] = parts[3] + c * parts[12] + s * parts[21];
      X[4] = parts[4] + c * parts[13] + s * parts[22];
      X[5] = parts[5] + c * parts[14] + s * parts[23];
      X[6] = parts[6] + c * parts[15] + s * parts[24];
      X[7] = parts[7] + c * parts[16] + s * parts[25];
      X[8] = parts[8] + c * parts[17] + s * parts[26];
      if (this.isScrew) {
        this.placeOnScrew(t, c, s);
        return;
      }
    }
    X[9] = from[0] + t * velocity[0];
    X[10] = from[1] + t * velocity[1];
    X[11] = from[2] + t * velocity[2];
  }

  /** p(t) = R(t angle) p0 + t V(t angle) v; c and s are of t angle. */
  private placeOnScrew(t: number, c: number, s: number): void {
    const { X, from: p, axis: k, twist: v } = this;
    const phi = t * this.angle;
    const a = phi < SMALL_ANGLE ? 0.5 * phi : (1 - c) / phi;
    const b = phi < SMALL_ANGLE ? (phi * phi) / 6 : 1 - s / phi;
    const kp = k[0] * p[0] + k[1] * p[1] + k[2] * p[2];
    const kv = k[0] * v[0] + k[1] * v[1] + k[2] * v[2];
    for (let i = 0; i < 3; i++) {
      const j = i === 2 ? 0 : i + 1;
      const m = i === 0 ? 2 : i - 1;
      const turned = c * p[i] + s * (k[j] * p[m] - k[m] * p[j]) + (1 - c) * kp * k[i];
      X[9 + i] = turned + t * (v[i] + a * (k[j] * v[m] - k[m] * v[j]) + b * (kv * k[i] - v[i]));
    }
  }

  /** Writes what assembly/mesh/moving-body.ts asks for to f64[at ..]. */
  write(f64: Float64Array, at: number): void {
    const { X, parts, from, velocity, twist, axis } = this;
    const isTurning = this.angle > 0;
    for (let i = 0; i < 9; i++) f64[at + i] = isTurning ? parts[i] : X[i];
    if (isTurning) for (let i = 9; i < 27; i++) f64[at + i] = parts[i];
    for (let i = 0; i < 3; i++) {
      f64[at + 27 + i] = from[i];
      f64[at + 30 + i] = velocity[i];
      f64[at + 33 + i] = twist[i];
      f64[at + 36 + i] = axis[i];
    }
    f64[at + 39] = this.angle;
    f64[at + 40] = this.turning;
    f64[at + 41] = this.isScrew ? 1 : 0;
    f64[at + 42] = this.radius;
    f64[at + 43] = this.size;
  }

  velocityAt(i: number): number {
    return this.velocity[i];
  }

  /** Bound of the turning part of any point's speed. */
  spin(): number {
    return this.turning;
  }

  /** Bound of its component along n: it lies across the axis, so |n x axis| of it at most. */
  spinAlong(n: Vec3): number {
    if (this.angle === 0) return 0;
    const { axis } = this;
    const x = n[1] * axis[2] - n[2] * axis[1];
    const y = n[2] * axis[0] - n[0] * axis[2];
    const z = n[0] * axis[1] - n[1] * axis[0];
    return this.turning * Math.sqrt(x * x + y * y + z * z);
  }
}

const sineCosine = new Float64Array(2);

/** Bound of how far the shape's points are from the line through its frame's origin along the world axis. */
function reachFromAxis(collider: Collider, X: Transform, axis: Float64Array): number {
  const { core, type } = collider;
  const whole = normVec3(collider.center) + collider.boundingRadius;
  if (type === SPHERE) return core.radius;
  if (type !== CAPSULE && type !== CYLINDER && type !== CONE && type !== BOX) return whole;
  const x = X[0] * axis[0] + X[3] * axis[1] + X[6] * axis[2];
  const y = X[1] * axis[0] + X[4] * axis[1] + X[7] * axis[2];
  const z = X[2] * axis[0] + X[5] * axis[1] + X[8] * axis[2];
  if (type === BOX) {
    let most = 0;
    for (let corner = 0; corner < 4; corner++) {
      const cy = corner & 1 ? core.y : -core.y;
      const cz = corner & 2 ? core.z : -core.z;
      const along = x * core.x + y * cy + z * cz;
      most = Math.max(most, core.x * core.x + cy * cy + cz * cz - along * along);
    }
    return Math.sqrt(most);
  }
  const sine = Math.sqrt(x * x + y * y);
  const radius = type === CAPSULE ? core.radius : core.x;
  return Math.min(whole, radius + core.z * sine);
}
