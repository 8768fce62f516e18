/**
 * One body's motion over t in [0, 1], to be evaluated anywhere, with bounds of how fast any of its points moves.
 *
 * 'slerp': the frame's origin goes straight from start to end, the rotation about a fixed axis. 'screw': the whole body turns
 * about a fixed line and slides along it, X(t) = exp(t xi) X(0). Both turn the shorter way at constant speed.
 * A point's velocity is a constant part plus a turning part across the axis, whose size is at most `spin()`:
 * slerp: angle x distance of the shape's points from the axis through the frame's origin; screw: the origin's own
 * turning speed in addition.
 * Source: Lynch, Park 2017, "Modern Robotics", section 3.3.3 (exponential of a twist), doi:10.1017/9781316661239.
 * Frames: W; rotations and twists of the world frame. Checked by cast.test.ts.
 */
import { type SupportCore, supportInto } from '../geometry/support.js';
import { mat3ToQuat, quatToMat3 } from '../math/quat.js';
import { atan2, cos, sin } from '../math/scalar.js';
import type { Transform } from '../math/transform.js';
import { normVec3, type Vec3 } from '../math/vec3.js';
import { BOX, CAPSULE, CONE, type Collider, CYLINDER, SPHERE } from './collider.js';

/** Angles below this turn by their series: the closed form divides by them. */
const SMALL_ANGLE = 1e-4;

export class Mover {
  /** X_W(body) at the last `moveTo`. */
  readonly X = new Float64Array(12);
  private readonly from = new Float64Array(3);
  /** Constant part of the velocity. */
  private readonly velocity = new Float64Array(3);
  /** Screws: velocity of the point of the body at W's origin. */
  private readonly twist = new Float64Array(3);
  private readonly q0 = new Float64Array(4);
  private readonly q1 = new Float64Array(4);
  private readonly q = new Float64Array(4);
  private readonly difference = new Float64Array(3);
  /** Axis of the rotation in W, angle per unit t. */
  private readonly axis = new Float64Array(3);
  angle = 0;
  private turning = 0;
  private isScrew = false;
  private readonly n = new Float64Array(3);
  private readonly turn = new Float64Array(3);
  private originSpeed = 0;
  private bend = 0;
  private reach = 0;
  /** Speed of the farthest point along the direction of `measureReach`. */
  speed = 0;

  prepare(collider: Collider, X0: Transform, X1: Transform, isScrew: boolean): void {
    mat3ToQuat(this.q0, X0);
    mat3ToQuat(this.q1, X1);
    const { from, velocity } = this;
    for (let i = 0; i < 3; i++) {
      from[i] = X0[9 + i];
      velocity[i] = X1[9 + i] - X0[9 + i];
    }
    this.measureRotation();
    this.isScrew = isScrew && this.angle > 0;
    this.turning = this.angle === 0 ? 0 : this.angle * reachFromAxis(collider, X0, this.axis);
    if (this.isScrew) this.setTwist(X1);
    this.X.set(X0);
  }

  /** Rotation vector of q1 q0^-1, the shorter way round. */
  private measureRotation(): void {
    const { q0, q1 } = this;
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
    const { axis } = this;
    axis[0] = sign * (-w1 * x0 + x1 * w0 - y1 * z0 + z1 * y0);
    axis[1] = sign * (-w1 * y0 + y1 * w0 - z1 * x0 + x1 * z0);
    axis[2] = sign * (-w1 * z0 + z1 * w0 - x1 * y0 + y1 * x0);
    const sine = normVec3(axis);
    this.angle = sine < 1e-15 ? 0 : 2 * atan2(sine, Math.abs(w));
    for (let i = 0; i < 3; i++) axis[i] = this.angle === 0 ? 0 : axis[i] / sine;
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
    const { X, from, velocity } = this;
    if (this.angle > 0) this.turnTo(t);
    if (this.isScrew) this.placeOnScrew(t);
    else for (let i = 0; i < 3; i++) X[9 + i] = from[i] + t * velocity[i];
  }

  /** Slerp: the rotation by t angle about the axis, after the start's. */
  private turnTo(t: number): void {
    const { axis, q, q0 } = this;
    const halfAngle = 0.5 * t * this.angle;
    const c = cos(halfAngle);
    const s = sin(halfAngle);
    const x = s * axis[0];
    const y = s * axis[1];
    const z = s * axis[2];
    q[0] = c * q0[0] + x * q0[3] + y * q0[2] - z * q0[1];
    q[1] = c * q0[1] + y * q0[3] + z * q0[0] - x * q0[2];
    q[2] = c * q0[2] + z * q0[3] + x * q0[1] - y * q0[0];
    q[3] = c * q0[3] - x * q0[0] - y * q0[1] - z * q0[2];
    quatToMat3(this.X, q);
  }

  /** p(t) = R(t angle) p0 + t V(t angle) v. */
  private placeOnScrew(t: number): void {
    const { X, from: p, axis: k, twist: v } = this;
    const phi = t * this.angle;
    const c = cos(phi);
    const s = sin(phi);
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

  /**
   * Prepares `growth` for convex shapes at the pose of the last `moveTo`: the reach along sign * n, and how fast its
   * point moves there.
   */
  measureReach(core: SupportCore, n: Vec3, sign: number): void {
    const { axis: k, angle, X, twist, velocity, isScrew } = this;
    const w = sign * angle;
    for (let i = 0; i < 3; i++) {
      const j = i === 2 ? 0 : i + 1;
      const m = i === 0 ? 2 : i - 1;
      this.n[i] = sign * n[i];
      // n . (omega x r) = r . (n x omega).
      this.turn[i] = w * (n[j] * k[m] - n[m] * k[j]);
      const own = isScrew ? twist[i] + angle * (k[j] * X[9 + m] - k[m] * X[9 + j]) : velocity[i];
      along[i] = own;
    }
    const { n: d, turn } = this;
    this.originSpeed = d[0] * along[0] + d[1] * along[1] + d[2] * along[2];
    this.bend = 0.5 * this.turning * Math.sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
    this.reach = this.reachAlong(core, d[0], d[1], d[2]);
    this.speed = this.originSpeed;
    for (let i = 0; i < 3; i++)
      this.speed += turn[i] * (X[3 * i] * support[0] + X[3 * i + 1] * support[1] + X[3 * i + 2] * support[2]);
  }

  /** Largest d . (R r) over the shape, in the body's rotation. */
  private reachAlong(core: SupportCore, x: number, y: number, z: number): number {
    const { X } = this;
    along[0] = X[0] * x + X[3] * y + X[6] * z;
    along[1] = X[1] * x + X[4] * y + X[7] * z;
    along[2] = X[2] * x + X[5] * y + X[8] * z;
    supportInto(support, 0, core, along);
    const value = along[0] * support[0] + along[1] * support[1] + along[2] * support[2];
    return core.radius > 0 ? value + core.radius * Math.sqrt(x * x + y * y + z * z) : value;
  }

  /**
   * Bound of what the reach along `measureReach`'s direction grows by within dt: every point goes straight for dt, which
   * is the reach along n + dt n x omega, and is then off by half its acceleration times dt^2 at most. Convex in dt.
   */
  growth(core: SupportCore, dt: number): number {
    const { n, turn } = this;
    const next =
      this.angle > 0
        ? this.reachAlong(core, n[0] + dt * turn[0], n[1] + dt * turn[1], n[2] + dt * turn[2])
        : this.reach;
    return next - this.reach + dt * this.originSpeed + dt * dt * this.bend;
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

const along = new Float64Array(3);
const support = new Float64Array(3);

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
