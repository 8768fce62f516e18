/** What tests of trajectories share: robots, random waypoints, derivatives by differences. */
import { joint, robot } from '../../test/models.js';
import { createRandom } from '../math/random.js';
import { buildModel } from '../model/build-model.js';
import { differenceConfiguration, randomConfiguration } from '../model/configuration.js';
import type { Model } from '../model/model.js';
import { createTrajectoryPoint, type Trajectory } from './trajectory.js';

/** A chain of revolute joints with wide limits. */
export function createChain(joints: number, velocity = 2): Model {
  return buildModel(
    robot(
      Array.from({ length: joints }, (_, i) =>
        joint(`j${i}`, 'revolute', `l${i}`, `l${i + 1}`, {
          limits: { lower: -1000, upper: 1000, velocity, effort: 100 },
        }),
      ),
    ),
  ).model;
}

/** One joint of every kind that a configuration can hold. */
export function createMixedRobot(): Model {
  const kinds = ['revolute', 'prismatic', 'continuous', 'planar', 'spherical', 'floating'] as const;
  const joints = kinds.map((kind, i) =>
    joint(kind, kind, `l${i}`, `l${i + 1}`, { axis: i === 3 ? [0, 1, 0] : [0, 0, 1] }),
  );
  return buildModel(robot([...joints, joint('wheel', 'continuous', 'l6', 'l7')]), { continuous: 'cos-sin' }).model;
}

/** Continuous joints by their angle. */
export function createWheel(): Model {
  return buildModel(robot([joint('wheel', 'continuous', 'a', 'b')])).model;
}

export function randomWaypoints(model: Model, count: number, seed: number): Float64Array[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => randomConfiguration(new Float64Array(model.nq), model, random));
}

/** Steps of at most `size` per joint. */
export function randomWalk(model: Model, count: number, size: number, seed: number): Float64Array[] {
  const random = createRandom(seed);
  let q = new Float64Array(model.nq);
  return Array.from({ length: count }, () => {
    q = q.map((x) => x + random.uniform(-size, size));
    return q;
  });
}

export function largest(values: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i]));
  return most;
}

/** How far v and a are from central differences of q and v at a time. */
export function derivativeErrors(trajectory: Trajectory, time: number, h = 1e-5): { v: number; a: number } {
  const { model } = trajectory;
  const [before, here, after] = [-h, 0, h].map((shift) =>
    trajectory.evaluate(createTrajectoryPoint(model), time + shift),
  );
  const step = differenceConfiguration(new Float64Array(model.nv), model, before.q, after.q);
  return {
    v: largest(step.map((x, k) => x / (2 * h) - here.v[k])),
    a: largest(here.a.map((x, k) => (after.v[k] - before.v[k]) / (2 * h) - x)),
  };
}

/** Distance between two configurations along each velocity coordinate, the largest. */
export function apart(model: Model, a: Float64Array, b: Float64Array): number {
  return largest(differenceConfiguration(new Float64Array(model.nv), model, a, b));
}
