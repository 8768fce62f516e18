/** Faults seen in other time parameterisations: limit vectors, accelerations between samples, the first step. */
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../src/model/build-model.js';
import type { Model } from '../../src/model/model.js';
import { createBlendedPath } from '../../src/trajectory/blended-path.js';
import { createLimits } from '../../src/trajectory/limits.js';
import { parameterizeTimeOptimal } from '../../src/trajectory/time-optimal.js';
import { sampleTrajectory, type Trajectory } from '../../src/trajectory/trajectory.js';
import { joint, robot } from '../models.js';

const limits = { lower: -10, upper: 10, velocity: 2, effort: 10 };

/** A planar arm of two joints; with `mimic`, a third that follows the first stands between them. */
function twoJoints(mimic: boolean): Model {
  const follower = joint('m', 'revolute', 'la', 'lm', {
    mimic: { joint: 'a', multiplier: 2, offset: 0.1 },
    limits: { ...limits, velocity: 1 },
  });
  return buildModel(
    robot([
      joint('a', 'revolute', 'base', 'la', { limits }),
      ...(mimic ? [follower] : []),
      joint('b', 'revolute', mimic ? 'lm' : 'la', 'lb', { limits }),
    ]),
  ).model;
}

/** Down one side, across, up the other: ten waypoints. */
const uShape = [
  [0, 1],
  [0, 0.6],
  [0, 0.3],
  [0, 0],
  [0.25, 0],
  [0.5, 0],
  [0.75, 0],
  [0.75, 0.3],
  [0.75, 0.6],
  [0.75, 1],
];

function time(model: Model, deviation: number, acceleration: number, options = {}): Trajectory {
  const path = createBlendedPath(model, uShape, { deviation });
  const result = parameterizeTimeOptimal(path, { limits: createLimits(model, { acceleration, ...options }) });
  expect(result.reason).toBe('');
  return result.trajectory!;
}

describe('time parameterisation', () => {
  it('U091: a mimic joint changes nothing: limits, path and samples are of the independent joints', () => {
    const withMimic = twoJoints(true);
    const plain = twoJoints(false);
    expect([withMimic.nv, createLimits(withMimic, { acceleration: 1 }).velocity.length]).toEqual([2, 2]);
    const timed = time(withMimic, 0.05, 1);
    const expected = time(plain, 0.05, 1);
    expect(timed.duration).toBe(expected.duration);
    expect(sampleTrajectory(timed, 0.01)).toEqual(sampleTrajectory(expected, 0.01));
    // The follower's own limit, 1 at twice the driver's speed, is kept when asked for.
    const bounded = sampleTrajectory(time(withMimic, 0.05, 1, { followers: true }), 0.001);
    expect(Math.max(...bounded.velocities.filter((_, k) => k % 2 === 0).map((v) => 2 * Math.abs(v)))).toBeCloseTo(1, 6);
    expect(createLimits(withMimic, { followers: true }).velocity).toEqual(Float64Array.of(0.5, 2));
    expect(() => createLimits(withMimic, { acceleration: [1, 1, 1] })).toThrow(/independent joints only/);
  });

  it.each([0, 0.001, 0.1])(
    'U158: a u-shape stays within |a| <= 0.2 at every millisecond (deviation %d)',
    (deviation) => {
      const limit = 0.2;
      const { times, positions, velocities, accelerations } = sampleTrajectory(
        time(twoJoints(false), deviation, limit),
        1e-3,
      );
      const most = (values: Float64Array): number => values.reduce((m, x) => Math.max(m, Math.abs(x)), 0);
      expect(times.length).toBeGreaterThan(5000);
      expect(most(accelerations)).toBeLessThanOrEqual(limit * (1 + 1e-6));
      // The limit is used, not just kept.
      expect(most(accelerations)).toBeGreaterThan(0.999 * limit);
      expect(most(velocities)).toBeLessThanOrEqual(2 * (1 + 1e-6));
      // The positions tell the same story: second differences are mean accelerations.
      for (let i = 1; i + 2 < times.length; i++) {
        for (let k = 0; k < 2; k++) {
          const [a, b, c] = [positions[2 * i + k - 2], positions[2 * i + k], positions[2 * i + k + 2]];
          expect(Math.abs(a - 2 * b + c) / 1e-6).toBeLessThanOrEqual(limit * (1 + 1e-6) + 1e-8);
        }
      }
    },
  );

  it('U160: the first sample is the first waypoint, the last one the last, and no step exceeds v_max dt', () => {
    const dt = 0.008;
    const trajectory = time(twoJoints(false), 0.02, 5);
    const { times, positions } = sampleTrajectory(trajectory, dt);
    expect([...positions.subarray(0, 2)]).toEqual(uShape[0]);
    expect([...positions.subarray(positions.length - 2)]).toEqual(uShape[9]);
    expect(times[times.length - 1]).toBe(trajectory.duration);
    for (let i = 2; i < positions.length; i++)
      expect(Math.abs(positions[i] - positions[i - 2])).toBeLessThanOrEqual(2 * dt * (1 + 1e-9));
    // From rest the first step is at most a dt^2 / 2.
    expect(Math.abs(positions[3] - positions[1])).toBeLessThanOrEqual(0.5 * 5 * dt * dt * (1 + 1e-9));
    expect(positions[3]).not.toBe(positions[1]);
  });
});
