/**
 * Motion of a rigid body from one pose to another, by a share s in [0, 1] of the way.
 *
 * screw: one turn about and shift along a fixed axis, X(s) = X_A exp(s log(X_A^-1 X_B)): the shortest motion in SE(3), the
 *   same whatever point of the body is looked at. decoupled: the origin goes straight, the orientation turns about a fixed
 *   axis: what a tool on a line should do.
 * Velocities are body velocities [linear, angular] per unit of s, in the moving frame; both are needed to time the motion
 * (see `planProfile`): of the screw they are constant, of the decoupled motion their norms are.
 * Source: Lynch, Park 2017, "Modern robotics", section 9.2.1 (screw and decoupled motions). Turns of exactly pi: one of the
 * two ways, always the same. Tested by pose-motion.test.ts.
 */

import { requireNumbers, requireOneOf } from '../math/arguments.js';
import { requireRotation } from '../math/require-transform.js';
import { expSe3, logSe3 } from '../math/se3.js';
import { expSo3, logSo3 } from '../math/so3.js';
import { createTransform, multiplyTransform, relativeTransform, type Transform } from '../math/transform.js';

export interface PoseMotion {
  /** Length of the origin's way in metres (of the screw: along the arc), and the angle turned, radians. */
  readonly translation: number;
  readonly rotation: number;
  /** Writes X_WF at share s, clamped to [0, 1]; s = 1 is the end bit for bit. */
  place(out: Transform, s: number): Transform;
  /** Writes the body velocity per unit of s, 6 numbers. */
  velocity(out: Float64Array, s: number): Float64Array;
}

/** Shares of the way from X_WA to X_WB, 12 numbers each. */
export function createPoseMotion(
  X_WA: ArrayLike<number>,
  X_WB: ArrayLike<number>,
  mode: 'screw' | 'decoupled' = 'screw',
): PoseMotion {
  requireOneOf('createPoseMotion', 'mode', mode, ['screw', 'decoupled']);
  for (const [name, X] of [
    ['X_WA', X_WA],
    ['X_WB', X_WB],
  ] as const) {
    requireNumbers('createPoseMotion', name, X, 12);
    requireRotation(`createPoseMotion: ${name}`, X);
  }
  const start = Float64Array.from(X_WA);
  const end = Float64Array.from(X_WB);
  const X_AB = relativeTransform(createTransform(), start, end);
  return mode === 'screw' ? createScrew(start, end, X_AB) : createDecoupled(start, end, X_AB);
}

function createScrew(start: Transform, end: Transform, X_AB: Transform): PoseMotion {
  const twist = logSe3(new Float64Array(6), X_AB);
  const scaled = new Float64Array(6);
  const step = createTransform();
  return {
    translation: norm(twist, 0),
    rotation: norm(twist, 3),
    place(out, s) {
      if (s >= 1) return copy(out, end);
      for (let i = 0; i < 6; i++) scaled[i] = Math.max(s, 0) * twist[i];
      return multiplyTransform(out, start, expSe3(step, scaled));
    },
    velocity: (out) => copy(out, twist),
  };
}

function createDecoupled(start: Transform, end: Transform, X_AB: Transform): PoseMotion {
  const turn = logSo3(new Float64Array(3), X_AB);
  /** From origin to origin, in A's axes. */
  const way = X_AB.slice(9, 12);
  const scaled = new Float64Array(3);
  const step = createTransform();
  return {
    translation: norm(way, 0),
    rotation: norm(turn, 0),
    place(out, s) {
      if (s >= 1) return copy(out, end);
      const share = Math.max(s, 0);
      for (let i = 0; i < 3; i++) {
        scaled[i] = share * turn[i];
        step[9 + i] = share * way[i];
      }
      expSo3(step, scaled);
      return multiplyTransform(out, start, step);
    },
    velocity(out, s) {
      for (let i = 0; i < 3; i++) scaled[i] = Math.min(Math.max(s, 0), 1) * turn[i];
      expSo3(step, scaled);
      // The way in the moving frame's axes: R_AF^T way.
      for (let i = 0; i < 3; i++) {
        out[i] = step[i] * way[0] + step[3 + i] * way[1] + step[6 + i] * way[2];
        out[3 + i] = turn[i];
      }
      return out;
    },
  };
}

function norm(values: Float64Array, at: number): number {
  return Math.sqrt(values[at] ** 2 + values[at + 1] ** 2 + values[at + 2] ** 2);
}

function copy(out: Float64Array, from: Float64Array): Float64Array {
  for (let i = 0; i < from.length; i++) out[i] = from[i];
  return out;
}
