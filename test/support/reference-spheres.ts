/** The reference robots covered with spheres as a model and a `SphereModel`, and obstacles of the planning problems as shapes. */

import type { Shape } from '../../src/geometry/shapes.js';
import type { SphereModel } from '../../src/geometry/sphere-model.js';
import type { Pose } from '../../src/math/transform.js';
import { originToTransform, poseToTransform } from '../../src/math/transform.js';
import { buildModel } from '../../src/model/build-model.js';
import type { JointDescription } from '../../src/model/description.js';
import type { Model } from '../../src/model/model.js';
import type { Obstacle, SphereRobot } from '../oracle/sphere-robot.js';

export interface ReferenceSpheres {
  readonly model: Model;
  readonly spheres: SphereModel;
  readonly pairs: readonly (readonly [string, string])[];
}

/** Bodies named body0, body1, ... by joint; links hang on them where their spheres are given, without a placement. */
export function toReferenceSpheres(robot: SphereRobot): ReferenceSpheres {
  const body = (joint: number): string => (joint < 0 ? 'base' : `body${joint}`);
  const identity = (): Float64Array => originToTransform(new Float64Array(12), [0, 0, 0], [0, 0, 0]);
  const moving = robot.joints.map(
    ({ name, type, parent, T, axis, lower, upper }, j): JointDescription => ({
      name,
      type,
      parent: body(parent),
      child: body(j),
      origin: Float64Array.of(...T.slice(0, 3).flatMap((row) => row.slice(0, 3)), T[0][3], T[1][3], T[2][3]),
      axis: [axis[0], axis[1], axis[2]],
      limits: { lower, upper },
    }),
  );
  const fixed = robot.links.map(
    ({ name, joint }): JointDescription => ({
      name: `${name}_fixed`,
      type: 'fixed',
      parent: body(joint),
      child: name,
      origin: identity(),
      axis: [0, 0, 1],
    }),
  );
  const joints = [...moving, ...fixed];
  const names = [...new Set(['base', ...joints.map(({ child }) => child)])];
  const { model } = buildModel({ name: robot.name, links: names.map((name) => ({ name })), joints });
  return {
    model,
    spheres: {
      links: robot.links.map(({ name, spheres, bound }) => ({
        link: name,
        bound: Float64Array.from(bound),
        levels: [Float64Array.from(spheres.flat())],
      })),
      proven: false,
      assumed: [],
    },
    pairs: robot.pairs.map(([a, b]) => [robot.links[a].name, robot.links[b].name] as const),
  };
}

export function toShape(obstacle: Obstacle): { shape: Shape; placement: Float64Array } {
  const { type, position: p, radius = 0, length = 0, half_extents: h = [0, 0, 0] } = obstacle;
  const [x, y, z, w] = obstacle.quaternion_xyzw ?? [0, 0, 0, 1];
  const placement = poseToTransform(new Float64Array(12), [p[0], p[1], p[2], x, y, z, w] as Pose);
  if (type === 'box') return { shape: { type, size: [2 * h[0], 2 * h[1], 2 * h[2]] }, placement };
  if (type === 'sphere') return { shape: { type, radius }, placement };
  return { shape: { type, radius, length }, placement };
}
