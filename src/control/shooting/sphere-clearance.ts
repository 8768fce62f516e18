/**
 * Residual: how far spheres on a robot's frames are from spheres in the world, less both radii; one entry per pair, metres.
 *
 * Method: distance of centres less radii; its gradient is the unit vector between centres times the Jacobian of the robot's
 * sphere. One-sided where centres coincide: the gradient is then taken as zero. A sphere that contains a link and one that
 * contains an obstacle keep the link free wherever the entry is positive.
 * Shapes: `robot` [frame, x, y, z, radius] per sphere, in frame axes; `obstacles` [x, y, z, radius] per sphere, world, which may be
 * moved between solutions. Cost: pairs, and a Jacobian per frame. Tested by residuals.test.ts (differences).
 */

import { computeFramePlacement } from '../../kinematics/forward-kinematics.js';
import { computeFrameJacobian } from '../../kinematics/frame-jacobian.js';
import {
  requireCount,
  requireFloats,
  requireList,
  requireNotNegative,
  requireNumbers,
  requireObject,
} from '../../math/arguments.js';
import { MisuseError } from '../../math/misuse.js';
import { type Model, requireModel } from '../../model/model.js';
import { type Residual, requireRobot, type StageContext } from './residual.js';
import { readFrame } from './robot-residuals.js';

export interface RobotSphere {
  readonly frame: number | string;
  /** In the frame's axes; default its origin. */
  readonly center?: ArrayLike<number>;
  readonly radius: number;
}

const X_WF = new Float64Array(12);

/** Entries: all obstacles for the first robot sphere, then for the second, ... */
export function createSphereClearanceResidual(
  model: Model,
  spheres: readonly RobotSphere[],
  obstacles: Float64Array,
): Residual {
  const call = 'createSphereClearanceResidual';
  requireModel(call, model);
  requireList(call, 'spheres', spheres, 'a list of spheres');
  requireFloats(call, 'obstacles', obstacles);
  requireNumbers(call, 'obstacles', obstacles);
  if (obstacles.length % 4 !== 0 || obstacles.length === 0)
    throw new MisuseError(`${call}: obstacles, got ${obstacles.length} numbers, expected 4 per sphere`);
  const { nv } = model;
  const others = obstacles.length / 4;
  const count = spheres.length;
  requireCount(call, 'spheres.length', count, 1);
  for (const [i, sphere] of spheres.entries()) {
    requireObject(call, `spheres[${i}]`, sphere);
    requireNotNegative(call, `spheres[${i}].radius`, sphere.radius);
  }
  const frames = spheres.map(({ frame }) => readFrame(call, model, frame));
  const centers = spheres.map(({ center = [0, 0, 0] }, i) => {
    requireNumbers(call, `spheres[${i}].center`, center, 3);
    return Float64Array.from(center);
  });
  const J = new Float64Array(6 * nv);
  const world = new Float64Array(3 * count);
  const place = (context: StageContext) => {
    const { data } = requireRobot('sphere clearance', context);
    for (let s = 0; s < count; s++) {
      if (s === 0 || frames[s] !== frames[s - 1]) computeFramePlacement(X_WF, model, data.kinematics, frames[s]);
      const [x, y, z] = centers[s];
      for (let r = 0; r < 3; r++)
        world[3 * s + r] = X_WF[3 * r] * x + X_WF[3 * r + 1] * y + X_WF[3 * r + 2] * z + X_WF[9 + r];
    }
    return data;
  };
  return {
    name: 'sphere clearance',
    size: count * others,
    needs: 'placements',
    ofState: true,
    ofControl: false,
    evaluate: (r, context) => {
      place(context);
      for (let s = 0; s < count; s++) {
        for (let o = 0; o < others; o++) {
          const dx = world[3 * s] - obstacles[4 * o];
          const dy = world[3 * s + 1] - obstacles[4 * o + 1];
          const dz = world[3 * s + 2] - obstacles[4 * o + 2];
          r[s * others + o] = Math.sqrt(dx * dx + dy * dy + dz * dz) - spheres[s].radius - obstacles[4 * o + 3];
        }
      }
    },
    differentiate: (rx, _, context) => {
      const data = place(context);
      for (let s = 0; s < count; s++) {
        if (s === 0 || frames[s] !== frames[s - 1]) {
          computeFramePlacement(X_WF, model, data.kinematics, frames[s]);
          computeFrameJacobian(J, model, data.kinematics, frames[s], 'local-world-aligned');
        }
        const [ax, ay, az] = [world[3 * s] - X_WF[9], world[3 * s + 1] - X_WF[10], world[3 * s + 2] - X_WF[11]];
        for (let o = 0; o < others; o++) {
          const dx = world[3 * s] - obstacles[4 * o];
          const dy = world[3 * s + 1] - obstacles[4 * o + 1];
          const dz = world[3 * s + 2] - obstacles[4 * o + 2];
          const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
          if (length === 0) continue;
          const [x, y, z] = [dx / length, dy / length, dz / length];
          // n . (v + w x a) = n . v + (a x n) . w
          const [wx, wy, wz] = [ay * z - az * y, az * x - ax * z, ax * y - ay * x];
          const at = (s * others + o) * 2 * nv;
          for (let k = 0; k < nv; k++) {
            rx[at + k] =
              x * J[k] +
              y * J[nv + k] +
              z * J[2 * nv + k] +
              wx * J[3 * nv + k] +
              wy * J[4 * nv + k] +
              wz * J[5 * nv + k];
          }
        }
      }
    },
  };
}
