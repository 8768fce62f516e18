// One convex body on its way over t in [0, 1]: where it is, and the point that reaches farthest along a direction.
//
// What the motion consists of comes from src/narrowphase/rigid-motion.ts, which says what it is and evaluates it by the same
// formulas: R(t) = parts + cos(t angle) parts + sin(t angle) parts; the origin on a straight line, or on a screw.
// Source: Lynch, Park 2017, "Modern Robotics", sections 3.2.3 and 3.3.3, doi:10.1017/9781316661239; sine and cosine as in
// src/math/scalar.ts, for arguments below 1e5.
// Frames: W. Tests: src/narrowphase/cast.test.ts.
import { cosineOfReduced, sineOfReduced } from '../../src/math/sine-polynomials';
import { F64, SupportCore, supportInto } from '../convex/convex-state';

// Offsets in a body's numbers. The first MOTION_NUMBERS are written by TypeScript, see src/narrowphase/cast-kernel.ts.
const PARTS = 0;
const FROM = 27;
const VELOCITY = 30;
const TWIST = 33;
const AXIS = 36;
const ANGLE = 39;
const SPIN = 40;
const IS_SCREW = 41;
/** A half-space is a point inflated by its offset, which is right along its own normal. */
const RADIUS = 42;
/** Bound of how far the shape's points are from its frame's origin. */
const SIZE = 43;
/** Pose now, rotation vector per unit t, velocity of the origin now. */
const POSE = 44;
const OMEGA = 56;
const ORIGIN_VELOCITY = 59;
/** Of the last `look`: the direction and the point found in the body's frame, the point turned to W, reach, speed. */
const DIRECTION = 62;
const SUPPORT = 65;
const ARM = 68;
const REACH = 71;
const SPEED = 72;
export const BODY_NUMBERS = 74;

/** Angles below this turn by their series: the closed form divides by them. */
const SMALL_ANGLE = 1e-4;

const sineCosine = changetype<F64>(memory.data(16, 16));

@unmanaged
export class Body {
  @inline
  private get f(): F64 {
    return changetype<F64>(this);
  }

  @inline
  private at(i: i32): F64 {
    return changetype<F64>(changetype<usize>(this) + ((<usize>i) << 3));
  }

  @inline
  get X(): F64 {
    return this.at(POSE);
  }

  @inline
  get angle(): f64 {
    return this.f[ANGLE];
  }

  @inline
  get spin(): f64 {
    return this.f[SPIN];
  }

  @inline
  get radius(): f64 {
    return this.f[RADIUS];
  }

  @inline
  get size(): f64 {
    return this.f[SIZE];
  }

  @inline
  get omega(): F64 {
    return this.at(OMEGA);
  }

  @inline
  get support(): F64 {
    return this.at(SUPPORT);
  }

  @inline
  get arm(): F64 {
    return this.at(ARM);
  }

  @inline
  get reach(): f64 {
    return this.f[REACH];
  }

  @inline
  get speed(): f64 {
    return this.f[SPEED];
  }

  /** Sets what does not change, and the pose at time t. */
  start(t: f64): void {
    const f = this.f;
    for (let k = 0; k < 3; k++) {
      f[OMEGA + k] = f[ANGLE] * f[AXIS + k];
      f[ORIGIN_VELOCITY + k] = f[VELOCITY + k];
    }
    for (let k = 0; k < 9; k++) f[POSE + k] = f[PARTS + k];
    this.moveTo(t);
  }

  moveTo(t: f64): void {
    const f = this.f;
    const angle = f[ANGLE];
    if (angle > 0) {
      sinCos(sineCosine, t * angle);
      const s = sineCosine[0];
      const c = sineCosine[1];
      for (let k = 0; k < 9; k++) f[POSE + k] = f[PARTS + k] + c * f[PARTS + 9 + k] + s * f[PARTS + 18 + k];
      if (f[IS_SCREW] != 0) {
        this.placeOnScrew(t, c, s);
        return;
      }
    }
    f[POSE + 9] = f[FROM] + t * f[VELOCITY];
    f[POSE + 10] = f[FROM + 1] + t * f[VELOCITY + 1];
    f[POSE + 11] = f[FROM + 2] + t * f[VELOCITY + 2];
  }

  /** p(t) = R(t angle) p0 + t V(t angle) v; c and s are of t angle. */
  private placeOnScrew(t: f64, c: f64, s: f64): void {
    const f = this.f;
    const p = this.at(FROM);
    const k = this.at(AXIS);
    const v = this.at(TWIST);
    const w = this.omega;
    const u = this.at(ORIGIN_VELOCITY);
    const X = this.X;
    const phi = t * f[ANGLE];
    const a = phi < SMALL_ANGLE ? 0.5 * phi : (1 - c) / phi;
    const b = phi < SMALL_ANGLE ? (phi * phi) / 6 : 1 - s / phi;
    const kp = k[0] * p[0] + k[1] * p[1] + k[2] * p[2];
    const kv = k[0] * v[0] + k[1] * v[1] + k[2] * v[2];
    for (let i = 0; i < 3; i++) {
      const j = i == 2 ? 0 : i + 1;
      const m = i == 0 ? 2 : i - 1;
      const turned = c * p[i] + s * (k[j] * p[m] - k[m] * p[j]) + (1 - c) * kp * k[i];
      X[9 + i] = turned + t * (v[i] + a * (k[j] * v[m] - k[m] * v[j]) + b * (kv * k[i] - v[i]));
    }
    u[0] = v[0] + w[1] * X[11] - w[2] * X[10];
    u[1] = v[1] + w[2] * X[9] - w[0] * X[11];
    u[2] = v[2] + w[0] * X[10] - w[1] * X[9];
  }

  /**
   * Finds the point of the core that reaches farthest along sign * n at the pose of the last `moveTo`: its reach from the
   * frame's origin, radius included, and how fast it moves along sign * n.
   */
  look(core: SupportCore, n: F64, sign: f64): void {
    const f = this.f;
    const X = this.X;
    const x = sign * n[0];
    const y = sign * n[1];
    const z = sign * n[2];
    f[DIRECTION] = X[0] * x + X[3] * y + X[6] * z;
    f[DIRECTION + 1] = X[1] * x + X[4] * y + X[7] * z;
    f[DIRECTION + 2] = X[2] * x + X[5] * y + X[8] * z;
    supportInto(f, SUPPORT, core, this.at(DIRECTION));
    const rx = f[SUPPORT];
    const ry = f[SUPPORT + 1];
    const rz = f[SUPPORT + 2];
    const ax = X[0] * rx + X[1] * ry + X[2] * rz;
    const ay = X[3] * rx + X[4] * ry + X[5] * rz;
    const az = X[6] * rx + X[7] * ry + X[8] * rz;
    f[ARM] = ax;
    f[ARM + 1] = ay;
    f[ARM + 2] = az;
    f[REACH] = x * ax + y * ay + z * az + f[RADIUS];
    const w = this.omega;
    const v = this.at(ORIGIN_VELOCITY);
    f[SPEED] =
      x * (v[0] + w[1] * az - w[2] * ay) + y * (v[1] + w[2] * ax - w[0] * az) + z * (v[2] + w[0] * ay - w[1] * ax);
  }

  /** Bound of any point's acceleration along n, a unit vector: it lies across the axis, so |n x axis| of it at most. */
  bendAlong(n: F64): f64 {
    const f = this.f;
    if (f[ANGLE] == 0) return 0;
    const x = n[1] * f[AXIS + 2] - n[2] * f[AXIS + 1];
    const y = n[2] * f[AXIS] - n[0] * f[AXIS + 2];
    const z = n[0] * f[AXIS + 1] - n[1] * f[AXIS];
    return f[ANGLE] * f[SPIN] * sqrt(x * x + y * y + z * z);
  }
}

/** out[0] = sin x, out[1] = cos x. */
export function sinCos(out: F64, x: f64): void {
  let k: i32 = 0;
  let r = x;
  let low: f64 = 0;
  if (x > 0.7853981633974483 || x < -0.7853981633974483) {
    const q = nearest<f64>(x * 0.6366197723675814);
    k = <i32>q;
    const t = x - q * 1.5707963267341256;
    const w = q * 6.077100506303966e-11;
    const d = t - w;
    const v = d - t;
    const e = t - (d - v) - (w + v) - q * 2.0222662487959506e-21;
    r = d + e;
    low = d - r + e;
  }
  const sine = sineOfReduced(r, low);
  const cosine = cosineOfReduced(r, low);
  const isOdd = (k & 1) != 0;
  const a = isOdd ? cosine : sine;
  const b = isOdd ? sine : cosine;
  out[0] = (k & 2) != 0 ? -a : a;
  out[1] = ((k + 1) & 2) != 0 ? -b : b;
}
