import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { interpolateConfiguration } from '../model/configuration.js';
import { joinTrajectories } from './joined-trajectory.js';
import { createLimits } from './limits.js';
import { planPointToPoint } from './point-to-point.js';
import {
  apart,
  createChain,
  createMixedRobot,
  createWheel,
  derivativeErrors,
  largest,
  randomWaypoints,
} from './trajectories.test-support.js';
import { createTrajectoryPoint, sampleTrajectory } from './trajectory.js';

const chain = createChain(3);
const mixed = createMixedRobot();

describe('planPointToPoint', () => {
  it.each([Infinity, 20])('joints arrive together, the slowest as fast as it can (jerk %d)', (jerk) => {
    const limits = createLimits(chain, { velocity: 1, acceleration: 2, jerk });
    const { trajectory } = planPointToPoint(chain, [0, 0, 0], [2, -0.5, 0], { limits });
    expect(trajectory!.duration).toBeCloseTo(2 + 0.5 + (jerk === Infinity ? 0 : 0.1), 12);
    const { velocities, accelerations, positions } = sampleTrajectory(trajectory!, 0.001);
    expect([...positions.subarray(-3)]).toEqual([2, -0.5, 0]);
    expect(largest(velocities)).toBeLessThanOrEqual(1 + 1e-9);
    expect(largest(accelerations)).toBeLessThanOrEqual(2 + 1e-9);
    // Still moving just before the end, all of them that move.
    const { v } = trajectory!.evaluate(createTrajectoryPoint(chain), trajectory!.duration - 0.01);
    expect(v[0]).toBeGreaterThan(0);
    expect(v[1]).toBeLessThan(0);
    expect(v[2]).toBe(0);
  });

  it('with velocities at the ends, keeps limits and ends', () => {
    const limits = createLimits(chain, { velocity: 1.5, acceleration: 3, jerk: 30 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), (seed) => {
        const random = createRandom(seed);
        const vector = (size: number): Float64Array =>
          Float64Array.from({ length: 3 }, () => random.uniform(-size, size));
        const [start, end] = [vector(2), vector(2)];
        const [startVelocity, endVelocity] = [vector(1), vector(1)];
        const { status, trajectory } = planPointToPoint(chain, start, end, { limits, startVelocity, endVelocity });
        expect(status).toBe('solved');
        const point = createTrajectoryPoint(chain);
        trajectory!.evaluate(point, 0);
        expect(apart(chain, point.q, start)).toBe(0);
        expect(point.v).toEqual(startVelocity);
        trajectory!.evaluate(point, trajectory!.duration);
        expect(point.q).toEqual(end);
        expect(point.v).toEqual(endVelocity);
        trajectory!.evaluate(point, trajectory!.duration * (1 - 1e-12));
        expect(apart(chain, point.q, end)).toBeLessThan(1e-8);
        const samples = sampleTrajectory(trajectory!, trajectory!.duration / 200);
        expect(largest(samples.velocities)).toBeLessThanOrEqual(1.5 * (1 + 1e-9));
        expect(largest(samples.accelerations)).toBeLessThanOrEqual(3 * (1 + 1e-9));
      }),
      { numRuns: 200 },
    );
  });

  it('goes on from a moment of a motion and takes what was left of it; ends where it is told to, accelerating', () => {
    const limits = createLimits(chain, { velocity: 1.5, acceleration: 3, jerk: 30 });
    const whole = planPointToPoint(chain, [0, 0, 0], [2, -0.7, 0.3], { limits }).trajectory!;
    const point = createTrajectoryPoint(chain);
    for (const part of [0.05, 0.3, 0.6, 0.95]) {
      const { q, v, a } = whole.evaluate(point, part * whole.duration);
      const options = { limits, startVelocity: v, startAcceleration: a };
      const rest = planPointToPoint(chain, q, [2, -0.7, 0.3], options).trajectory!;
      expect(rest.duration).toBeCloseTo((1 - part) * whole.duration, 5);
      const start = rest.evaluate(createTrajectoryPoint(chain), 0);
      expect(apart(chain, start.q, q)).toBe(0);
      for (let k = 0; k < 3; k++) expect(start.a[k]).toBeCloseTo(a[k], 6);
    }
    const endVelocity = [0.5, 0.2, -0.1];
    const endAcceleration = [1, -0.5, 2];
    const { trajectory } = planPointToPoint(chain, [0, 0, 0], [1, 1, 1], { limits, endVelocity, endAcceleration });
    const end = trajectory!.evaluate(point, trajectory!.duration);
    for (let k = 0; k < 3; k++) expect(end.a[k]).toBeCloseTo(endAcceleration[k], 6);
    expect([...end.v]).toEqual(endVelocity);
    const samples = sampleTrajectory(trajectory!, 0.001);
    expect(largest(samples.accelerations)).toBeLessThanOrEqual(3 * (1 + 1e-9));
    expect(() =>
      planPointToPoint(chain, [0, 0, 0], [1, 1, 1], { limits, endAcceleration, synchronize: 'none' }),
    ).toThrow('endVelocity and endAcceleration with synchronize');
    const steep = { limits, startAcceleration: [3.1, 0, 0] };
    expect(planPointToPoint(chain, [0, 0, 0], [1, 1, 1], steep).reason).toMatch(/acceleration of "/);
  });

  it('takes velocities at the limit, also when rounded past it', () => {
    const limits = createLimits(chain, { velocity: 0.9, acceleration: 3, jerk: 30 });
    const random = createRandom(1);
    for (let round = 0; round < 200; round++) {
      const end = Array.from({ length: 3 }, () => random.uniform(-2, 2));
      const share = Math.min(...end.map((x) => 0.9 / Math.abs(x)));
      const velocity = end.map((x) => x * share);
      for (const synchronize of ['time', 'straight'] as const) {
        const options = { limits, startVelocity: velocity, endVelocity: velocity, synchronize };
        expect(planPointToPoint(chain, [0, 0, 0], end, options).reason).toBe('');
      }
    }
    const beyond = { limits, startVelocity: [0.9 * (1 + 1e-6), 0, 0] };
    expect(planPointToPoint(chain, [0, 0, 0], [1, 1, 1], beyond).status).toBe('infeasible');
  });

  it('moves every kind of joint; spherical, planar and floating ones along their geodesic', () => {
    const limits = createLimits(mixed, { velocity: 1, acceleration: 2, jerk: 20 });
    for (let seed = 1; seed <= 10; seed++) {
      const [start, end] = randomWaypoints(mixed, 2, seed);
      const { trajectory } = planPointToPoint(mixed, start, end, { limits });
      const point = createTrajectoryPoint(mixed);
      expect(apart(mixed, trajectory!.evaluate(point, trajectory!.duration).q, end)).toBeLessThan(1e-15);
      const { v, a } = derivativeErrors(trajectory!, 0.37 * trajectory!.duration, 1e-6);
      expect(v).toBeLessThan(1e-7);
      expect(a).toBeLessThan(1e-4);
      const { velocities, accelerations } = sampleTrajectory(trajectory!, 0.01);
      expect(largest(velocities)).toBeLessThanOrEqual(1 + 1e-9);
      expect(largest(accelerations)).toBeLessThanOrEqual(2 + 1e-9);
    }
  });

  it('straight: on the straight motion throughout', () => {
    const limits = createLimits(mixed, { velocity: 1, acceleration: 2 });
    const [start, end] = randomWaypoints(mixed, 2, 5);
    const { trajectory } = planPointToPoint(mixed, start, end, { limits, synchronize: 'straight' });
    const point = createTrajectoryPoint(mixed);
    const straight = new Float64Array(mixed.nq);
    for (let i = 0; i <= 20; i++) {
      trajectory!.evaluate(point, (trajectory!.duration * i) / 20);
      const whole = apart(mixed, start, end);
      const share = apart(mixed, start, point.q) / whole;
      expect(apart(mixed, point.q, interpolateConfiguration(straight, mixed, start, end, share))).toBeLessThan(1e-12);
    }
    const none = planPointToPoint(mixed, start, end, { limits, synchronize: 'none' }).trajectory!;
    expect(none.duration).toBeLessThanOrEqual(trajectory!.duration);
  });

  it('a wheel goes the short way round; the same configuration takes no time', () => {
    const wheel = createWheel();
    const limits = createLimits(wheel, { velocity: 1, acceleration: 1 });
    const { trajectory } = planPointToPoint(wheel, [3], [-3], { limits });
    const turn = 2 * Math.PI - 6;
    expect(trajectory!.duration).toBeCloseTo(2 * Math.sqrt(turn), 12);
    const still = planPointToPoint(chain, [1, 2, 3], [1, 2, 3], { limits: createLimits(chain, { acceleration: 1 }) });
    expect(still.trajectory!.duration).toBe(0);
    expect([...still.trajectory!.evaluate(createTrajectoryPoint(chain), 0).q]).toEqual([1, 2, 3]);
  });

  it('several motions follow one another', () => {
    const limits = createLimits(chain, { velocity: 1, acceleration: 2, jerk: 20 });
    const stops = [
      [0, 0, 0],
      [1, 0, 0],
      [1, 1, 0],
    ];
    const parts = [0, 1].map((k) => planPointToPoint(chain, stops[k], stops[k + 1], { limits }).trajectory!);
    const joined = joinTrajectories(parts);
    expect(joined.duration).toBeCloseTo(parts[0].duration + parts[1].duration, 14);
    const point = createTrajectoryPoint(chain);
    expect([...joined.evaluate(point, parts[0].duration).q]).toEqual(stops[1]);
    expect([...joined.evaluate(point, joined.duration).q]).toEqual(stops[2]);
    expect([...joined.evaluate(point, 99).q]).toEqual(stops[2]);
    expect([...joined.evaluate(point, -1).q]).toEqual(stops[0]);
    expect(joined.evaluate(point, parts[0].duration + 0.2).v[1]).toBeGreaterThan(0);
    expect(() => joinTrajectories([])).toThrow(/got none/);
    expect(() => joinTrajectories([parts[0], { ...parts[1], model: createChain(3), evaluate: (out) => out }])).toThrow(
      /several models/,
    );
  });

  it('says what is wrong', () => {
    const limits = createLimits(chain, { acceleration: 1 });
    const ends = [
      [0, 0, 0],
      [1, 0, 0],
    ] as const;
    expect(planPointToPoint(chain, ...ends, { limits, startVelocity: [0, 3, 0] })).toMatchObject({
      status: 'infeasible',
      reason: expect.stringMatching(/"j1"/),
    });
    expect(() => planPointToPoint(chain, ...ends, { limits, startVelocity: [0] })).toThrow(/startVelocity/);
    expect(() => planPointToPoint(chain, ...ends, { limits: createLimits(chain) })).toThrow(/got no limit/);
    expect(() => planPointToPoint(chain, ...ends, { limits, endVelocity: [1, 0, 0], synchronize: 'none' })).toThrow(
      /"none"/,
    );
    expect(() =>
      planPointToPoint(chain, ...ends, { limits, startVelocity: [0, 1, 0], synchronize: 'straight' }),
    ).toThrow(/along it/);
  });
});
