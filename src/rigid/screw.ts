/**
 * Screw motions between two poses: a turn about an axis that stands still in space and in the body, and a way along it.
 *
 * Method: Chasles' theorem. With the turn theta about u that takes a to b and the way d of what the turn leaves behind, the pitch's way is
 * h = d . u and the axis goes through p0 = (d' + cot(theta/2) u x d') / 2, d' = d - h u, seen from the place that the turn leaves. A
 * point at distance rho from the axis moves by at most s (h^2 + (theta rho)^2)^(1/2) in time s, and rho does not change; so the whole
 * motion has one bound, and none of a straight way's that grows with the square of time. Where the turn is too small to have an axis the
 * motion is the straight one.
 * A screw is a motion of translation and slerp of any point on its axis; paths hold motions of the body's origin, so that a screw comes into
 * one as motions of that, each proven by itself (`toStraightMotions`).
 * Source: Murray, Li, Sastry 1994, "A mathematical introduction to robotic manipulation", sections 2.3 and 3.3; bound as in
 * certify-motion.ts.
 * Units as the body's. Fails: `undecided` where a gap is too small to be told from contact. Tested by screw.test.ts, against the straight
 * motion of the point on the axis.
 */

import { multiplyQuat, slerpQuat } from '../math/quat.js';
import type { BodyPair } from './body-pair.js';
import { createMotionProof, MotionCertifier, type MotionProof } from './certify-motion.js';
import { rotated, rotatedBack } from './motion-bound.js';
import { angleBetween, type RigidPose, turnAxis } from './pose.js';

/** Smallest turn that has an axis. */
const SMALLEST_TURN = 1e-4;
const ROUNDING = 1 + 1e-9;
const SHORTEST = 2 ** -40;
/** Halvings of a screw until its motions of the origin are free. */
const DEPTH = 12;

export interface ScrewAxis {
  /** Unit vector, in world. */
  readonly direction: Float64Array;
  /** The point of the axis nearest to the body's origin at the start, in world. */
  readonly point: Float64Array;
  /** Radians of the whole motion, up to pi, and the way along the direction. */
  readonly angle: number;
  readonly way: number;
}

/** Axis of the screw from a to b; null where the body turns too little to have one. */
export function findScrewAxis(a: RigidPose, b: RigidPose): ScrewAxis | null {
  const angle = angleBetween(a, b);
  if (!(angle > SMALLEST_TURN)) return null;
  const direction = turnAxis(new Float64Array(3), a, b);
  const [x, y, z] = direction;
  const d = [0, 1, 2].map((k) => b[k] - a[k]);
  const way = d[0] * x + d[1] * y + d[2] * z;
  const across = d.map((value, k) => value - way * direction[k]);
  const cross = [y * across[2] - z * across[1], z * across[0] - x * across[2], x * across[1] - y * across[0]];
  // cot(theta / 2) from the relative quaternion's parts.
  let near = 0;
  let far = 0;
  for (let k = 3; k < 7; k++) {
    near += (a[k] - b[k]) ** 2;
    far += (a[k] + b[k]) ** 2;
  }
  // |q - q'| = 2 sin(theta / 4), |q + q'| = 2 cos(theta / 4), or the other way around.
  const tan = Math.sqrt(Math.min(near, far) / Math.max(near, far));
  const cot = (1 - tan * tan) / (2 * tan);
  const point = Float64Array.from(across, (value, k) => a[k] + (value + cot * cross[k]) / 2);
  return { direction, point, angle, way };
}

const from = new Float64Array(4);
const to = new Float64Array(4);

/** The pose at t in [0, 1] of the screw motion from a to b; exactly a at 0 and, but for the quaternion's sign, exactly b at 1. */
export function interpolateScrew(
  out: RigidPose,
  a: RigidPose,
  b: RigidPose,
  t: number,
  axis: ScrewAxis | null = findScrewAxis(a, b),
): RigidPose {
  if (t === 0 || t === 1) {
    const end = t === 0 ? a : b;
    for (let k = 0; k < 7; k++) out[k] = end[k];
    return out;
  }
  for (let k = 0; k < 4; k++) {
    from[k] = a[3 + k];
    to[k] = b[3 + k];
  }
  if (!axis) {
    for (let k = 0; k < 3; k++) out[k] = a[k] + t * (b[k] - a[k]);
    slerpQuat(from, from, to, t);
  } else {
    const arm = Float64Array.from(axis.point, (p, k) => a[k] - p);
    slerpQuat(to, from, to, t);
    // The turn up to now: q(t) conj(q(0)).
    for (let k = 0; k < 3; k++) from[k] = -from[k];
    const turn = new Float64Array(7);
    multiplyQuat(from, to, from);
    turn.set(from, 3);
    rotated(arm, turn, arm);
    for (let k = 0; k < 3; k++) out[k] = axis.point[k] + t * axis.way * axis.direction[k] + arm[k];
    for (let k = 0; k < 4; k++) from[k] = to[k];
  }
  for (let k = 0; k < 4; k++) out[3 + k] = from[k];
  return out;
}

export class ScrewCertifier {
  readonly pose: RigidPose = new Float64Array(7);
  private readonly queue: number[] = [];

  constructor(private readonly pair: BodyPair) {}

  /** As `MotionCertifier.certify`, of the screw motion from a to b; balls are times of it. */
  certify(out: MotionProof, a: RigidPose, b: RigidPose, most = 1 << 20): MotionProof {
    const axis = findScrewAxis(a, b);
    if (!axis) return new MotionCertifier(this.pair).certify(out, a, b, 0, most);
    const { pair, queue, pose } = this;
    const speed = this.findSpeed(a, axis);
    // Places that are computed by way of a far axis are less exact.
    const far = Math.max(...axis.point.map((p, k) => Math.abs(p - a[k])));
    const slack = pair.slack * (1 + far / Math.max(pair.radius, 1e-300));
    out.verdict = 'undecided';
    out.distance = Infinity;
    out.bound = 0;
    out.balls.length = 0;
    queue.length = 0;
    queue.push(0, 1);
    for (let at = 0; at < queue.length; at += 2) {
      const t0 = queue[at];
      const t1 = queue[at + 1];
      const t = t0 + (t1 - t0) / 2;
      interpolateScrew(pose, a, b, t, axis);
      const needed = Math.max(t - t0, t1 - t) * speed + slack;
      const d = pair.distance(pose, needed);
      if (d < out.distance) {
        out.t = t;
        out.distance = d;
        pair.writeTriangles(out, pair.nearest);
      }
      if (d <= pair.touching) {
        out.verdict = 'blocked';
        return out;
      }
      const proven = Math.min(d, needed);
      out.balls.push(t, proven);
      if (proven >= needed) continue;
      const step = ((proven - slack) / speed) * (1 - 1e-9);
      if (!(step >= SHORTEST) || queue.length > 2 * most) return out;
      if (t - step > t0) queue.push(t0, t - step);
      if (t + step < t1) queue.push(t + step, t1);
    }
    out.verdict = 'free';
    return out;
  }

  /** (h^2 + (theta rho)^2)^(1/2), rho the largest distance of a vertex from the axis. */
  private findSpeed(a: RigidPose, { direction, point, angle, way }: ScrewAxis): number {
    const { vertices } = this.pair.body.mesh;
    const u = rotatedBack(new Float64Array(3), a, direction);
    const p = rotatedBack(
      new Float64Array(3),
      a,
      Float64Array.from(point, (x, k) => x - a[k]),
    );
    let square = 0;
    for (let i = 0; i < vertices.length; i += 3) {
      const x = vertices[i] - p[0];
      const y = vertices[i + 1] - p[1];
      const z = vertices[i + 2] - p[2];
      const cx = u[1] * z - u[2] * y;
      const cy = u[2] * x - u[0] * z;
      const cz = u[0] * y - u[1] * x;
      square = Math.max(square, cx * cx + cy * cy + cz * cz);
    }
    return Math.sqrt(way * way + angle * angle * square) * ROUNDING;
  }
}

/**
 * A screw as motions of a path, each of them proven free, cut where that is needed; null where the screw, or what it is cut into, is not
 * free. Poses from a to b.
 */
export function toStraightMotions(pair: BodyPair, a: RigidPose, b: RigidPose, most = 1 << 20): RigidPose[] | null {
  const proof = createMotionProof();
  const axis = findScrewAxis(a, b);
  if (new ScrewCertifier(pair).certify(proof, a, b, most).verdict !== 'free') return null;
  const certifier = new MotionCertifier(pair);
  const out: RigidPose[] = [a];
  const times = [1];
  for (let reached = 0; times.length > 0; ) {
    const t = times[times.length - 1];
    const pose = t === 1 ? b : interpolateScrew(new Float64Array(7), a, b, t, axis);
    if (certifier.certify(proof, out[out.length - 1], pose, 0, most).verdict === 'free') {
      out.push(pose);
      reached = t;
      times.pop();
    } else if (times.length > DEPTH) return null;
    else times.push(reached + (t - reached) / 2);
  }
  return out;
}
