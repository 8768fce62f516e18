import { describe, expect, it } from 'vitest';
import { joint, robot } from '../../test/models.js';
import { buildModel } from '../model/build-model.js';
import { createRandomTree } from '../model/random-tree.test-support.js';
import { createBlendedPath } from './blended-path.js';
import { createCubicTrajectory } from './joint-splines.js';
import { createLimits } from './limits.js';
import { planPointToPoint } from './point-to-point.js';
import { parameterizeTimeOptimal } from './time-optimal.js';
import { createChain, createMixedRobot, randomWaypoints } from './trajectories.test-support.js';
import type { Trajectory } from './trajectory.js';
import { validateTrajectory } from './validate-trajectory.js';

const one = createChain(1);
/** q = 3 t^2 - 2 t^3: |v| <= 1.5, |a| <= 6, |jerk| = 12. */
const swing = createCubicTrajectory(one, [[0], [1]], [0, 1]);

describe('validateTrajectory', () => {
  it('measures how much of each limit is used', () => {
    const limits = createLimits(one, { velocity: 3, acceleration: 12, jerk: 24 });
    const { valid, first, usage, points } = validateTrajectory(swing, { limits });
    expect([valid, first, points]).toEqual([true, null, 10_001]);
    expect(usage.velocity).toBeCloseTo(0.5, 9);
    expect(usage.acceleration).toBeCloseTo(0.5, 9);
    expect(usage.jerk).toBeCloseTo(0.5, 6);
    expect(usage.position).toBeCloseTo(0.001, 9);
    expect(usage.jump).toBeLessThan(1);
    expect(usage.torque).toBe(0);
  });

  it.each([
    ['velocity', { velocity: 0.75, acceleration: 12 }, 0.1465],
    ['acceleration', { velocity: 3, acceleration: 5 }, 0],
    ['jerk', { velocity: 3, acceleration: 12, jerk: 11 }, 0],
  ] as const)('names the first violation: %s', (kind, options, time) => {
    const { valid, first } = validateTrajectory(swing, { limits: createLimits(one, options) });
    expect(valid).toBe(false);
    expect(first).toMatchObject({ kind, joint: 'j0' });
    expect(first!.time).toBeCloseTo(time, 3);
    expect(Math.abs(first!.value)).toBeGreaterThan(first!.limit);
  });

  it('finds positions beyond the limits, also of a joint that mimics', () => {
    const limited = { lower: -2, upper: 2, velocity: 9, effort: 9 };
    const { model } = buildModel(
      robot([
        joint('a', 'revolute', 'base', 'la', { limits: limited }),
        joint('m', 'revolute', 'la', 'lm', {
          limits: { ...limited, lower: -1, upper: 1 },
          mimic: { joint: 'a', multiplier: 2, offset: 0 },
        }),
      ]),
    );
    const limits = createLimits(model, { acceleration: 100 });
    const move = (to: number): Trajectory => createCubicTrajectory(model, [[0], [to]], [0, 2]);
    expect(validateTrajectory(move(0.5), { limits }).valid).toBe(true);
    expect(validateTrajectory(move(0.6), { limits }).first).toMatchObject({ kind: 'position', joint: 'a', limit: 0.5 });
    expect(validateTrajectory(move(-2.5), { limits }).usage.position).toBeCloseTo(5, 9);
  });

  it('finds torques, by its own inverse dynamics', () => {
    const model = createRandomTree(2, { joints: 3, types: ['revolute'], base: 'fixed' });
    const [start, end] = randomWaypoints(model, 2, 1);
    const slow = createCubicTrajectory(model, [start, end], [0, 100]);
    const { usage } = validateTrajectory(slow, { limits: createLimits(model, { velocity: 9, torque: 1 }) });
    expect(usage.torque).toBeGreaterThan(0);
    const held = createLimits(model, { velocity: 9, torque: 1.01 * usage.torque });
    expect(validateTrajectory(slow, { limits: held }).valid).toBe(true);
    const fast = createCubicTrajectory(model, [start, end], [0, 0.2]);
    expect(
      validateTrajectory(fast, { limits: createLimits(model, { velocity: 1e6, torque: 1.01 * usage.torque }) }).first,
    ).toMatchObject({
      kind: 'torque',
    });
  });

  it('finds jumps and NaN', () => {
    const limits = createLimits(one, { velocity: 3, acceleration: 12 });
    const jumping: Trajectory = {
      ...swing,
      model: one,
      duration: 1,
      evaluate: (out, time) => {
        swing.evaluate(out, time);
        if (time > 0.3) out.q[0] += 0.01;
        return out;
      },
    };
    const { first } = validateTrajectory(jumping, { limits });
    expect(first).toMatchObject({ kind: 'jump', joint: 'j0' });
    expect(first!.time).toBeCloseTo(0.3, 3);
    const broken: Trajectory = {
      ...jumping,
      evaluate: (out, time) => {
        swing.evaluate(out, time);
        out.v[0] = Number.NaN;
        return out;
      },
    };
    expect(validateTrajectory(broken, { limits }).valid).toBe(false);
  });

  it('finds nothing wrong with what this library times', () => {
    const mixed = createMixedRobot();
    const waypoints = randomWaypoints(mixed, 5, 7).map((q) => q.map((x, k) => (k < 2 ? 0.1 * x : x)));
    const limits = createLimits(mixed, { velocity: 1, acceleration: 2 });
    const path = createBlendedPath(mixed, waypoints, { deviation: 0.05 });
    const timed = parameterizeTimeOptimal(path, { limits }).trajectory!;
    expect(validateTrajectory(timed, { limits })).toMatchObject({ valid: true, first: null });
    const jerky = createLimits(mixed, { velocity: 1, acceleration: 2, jerk: 20 });
    const direct = planPointToPoint(mixed, waypoints[0], waypoints[1], { limits: jerky }).trajectory!;
    expect(validateTrajectory(direct, { limits: jerky })).toMatchObject({ valid: true, first: null });
  });

  it('takes a trajectory without duration, and refuses a step of 0', () => {
    const limits = createLimits(one, { acceleration: 1 });
    const still = createBlendedPath(one, [[1]]);
    expect(validateTrajectory(still, { limits }).valid).toBe(true);
    expect(() => validateTrajectory(swing, { limits, dt: 0 })).toThrow(/dt, got 0/);
  });
});
