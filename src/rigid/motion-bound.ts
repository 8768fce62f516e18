/**
 * How far any point of a body gets from where it is at time m of a motion, within time s before or after.
 *
 * Method: with the centre c of the body's ball, u the axis and theta the angle of the whole turn, dp the way of the origin, a point v is
 * displaced by at most |c(t) - c(m)| + 2 sin(theta s / 2) r', where r' is the largest distance of a vertex from the axis through c, at
 * most the ball's radius. The centre's own way is s (dp + theta u x R_m c) and a rest below (theta s)^2 / 2 |u x c|. So
 *   bound(s) = s |dp + theta u x R_m c| + theta s r' + (theta s)^2 / 2 |u x c|,
 * which grows with s and is solved for s in closed form.
 * Units as the body's. Rounding: a relative 1e-9 is added; poses' own is the pair's `slack`. Tested by motion.test.ts.
 */
import type { BodyPair } from './body-pair.js';
import { angleBetween, type RigidPose, turnAxis } from './pose.js';

const ROUNDING = 1 + 1e-9;

export class MotionBound {
  private theta = 0;
  private linear = 0;
  private square = 0;
  private armRadius = 0;
  private readonly axis = new Float64Array(3);
  private readonly way = new Float64Array(3);

  constructor(private readonly pair: BodyPair) {}

  /** Prepares for the motion from a to b. */
  setMotion(a: RigidPose, b: RigidPose): void {
    const { way } = this;
    for (let k = 0; k < 3; k++) way[k] = b[k] - a[k];
    this.theta = angleBetween(a, b) * ROUNDING;
    turnAxis(this.axis, a, b);
    this.armRadius = this.theta === 0 ? 0 : this.findArm(a);
    // The distance of c from the axis through the origin is the same before and after the turn.
    const { x, y, z } = this.crossCenter(a);
    this.square = (this.theta * this.theta * Math.sqrt(x * x + y * y + z * z)) / 2;
  }

  /** Angle of the whole turn. */
  get angle(): number {
    return this.theta;
  }

  /** Before `within` and `reach`: the pose at time m. */
  setMiddle(middle: RigidPose): void {
    const { way, theta } = this;
    const { x, y, z } = this.crossCenter(middle);
    const vx = way[0] + theta * x;
    const vy = way[1] + theta * y;
    const vz = way[2] + theta * z;
    this.linear = (Math.sqrt(vx * vx + vy * vy + vz * vz) + theta * this.armRadius) * ROUNDING;
  }

  /** How far points get within s of the middle. */
  within(s: number): number {
    return (s * this.linear + s * s * this.square) * ROUNDING;
  }

  /** The longest s within which no point gets farther than d. */
  reach(d: number): number {
    if (d <= 0) return 0;
    const { linear, square } = this;
    if (linear === 0 && square === 0) return Infinity;
    return (2 * d) / (linear + Math.sqrt(linear * linear + 4 * square * d)) / (ROUNDING * ROUNDING);
  }

  /** axis x R c at this pose. */
  private crossCenter(pose: RigidPose): { x: number; y: number; z: number } {
    const c = rotated(scratch, pose, this.pair.center);
    const u = this.axis;
    return { x: u[1] * c[2] - u[2] * c[1], y: u[2] * c[0] - u[0] * c[2], z: u[0] * c[1] - u[1] * c[0] };
  }

  /** Largest distance from the axis through the centre: of the corners of the body's box, or the ball's radius. */
  private findArm(a: RigidPose): number {
    const { bounds } = this.pair.body;
    const { center, radius } = this.pair;
    const u = rotatedBack(scratch, a, this.axis);
    let most = 0;
    for (let corner = 0; corner < 8; corner++) {
      const x = (corner & 1 ? bounds[3] : bounds[0]) - center[0];
      const y = (corner & 2 ? bounds[4] : bounds[1]) - center[1];
      const z = (corner & 4 ? bounds[5] : bounds[2]) - center[2];
      const cx = u[1] * z - u[2] * y;
      const cy = u[2] * x - u[0] * z;
      const cz = u[0] * y - u[1] * x;
      const square = cx * cx + cy * cy + cz * cz;
      if (square > most) most = square;
    }
    return Math.min(Math.sqrt(most), radius);
  }
}

const scratch = new Float64Array(3);

/** out = R(q) v of a pose. */
export function rotated(out: Float64Array, pose: RigidPose, v: Float64Array): Float64Array {
  return turn(out, pose[3], pose[4], pose[5], pose[6], v);
}

/** out = R(q)^T v. */
export function rotatedBack(out: Float64Array, pose: RigidPose, v: Float64Array): Float64Array {
  return turn(out, -pose[3], -pose[4], -pose[5], pose[6], v);
}

function turn(out: Float64Array, x: number, y: number, z: number, w: number, v: Float64Array): Float64Array {
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  const ox = v[0] + w * tx + y * tz - z * ty;
  const oy = v[1] + w * ty + z * tx - x * tz;
  const oz = v[2] + w * tz + x * ty - y * tx;
  out[0] = ox;
  out[1] = oy;
  out[2] = oz;
  return out;
}
