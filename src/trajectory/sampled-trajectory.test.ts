import { describe, expect, it } from 'vitest';
import { createCubicTrajectory } from './joint-splines.js';
import { createSampledTrajectory } from './sampled-trajectory.js';
import { apart, createChain, createMixedRobot, largest, randomWaypoints } from './trajectories.test-support.js';
import { createTrajectoryPoint, sampleTimes, sampleTrajectory } from './trajectory.js';

const rows = (values: Float64Array, width: number): Float64Array[] =>
  Array.from({ length: values.length / width }, (_, i) => values.slice(width * i, width * (i + 1)));

describe('createSampledTrajectory', () => {
  const mixed = createMixedRobot();
  const source = createCubicTrajectory(mixed, randomWaypoints(mixed, 3, 3), [0, 1, 2.5]);
  const { times, positions, velocities, accelerations } = sampleTrajectory(source, 0.05);
  const samples = { times, positions: rows(positions, mixed.nq) };

  it.each([
    ['positions', samples, 0.01],
    ['velocities', { ...samples, velocities: rows(velocities, mixed.nv) }, 1e-4],
    [
      'accelerations',
      { ...samples, velocities: rows(velocities, mixed.nv), accelerations: rows(accelerations, mixed.nv) },
      1e-4,
    ],
  ])('from %s: meets the samples and comes near between', (_name, given, tolerance) => {
    const again = createSampledTrajectory(mixed, given);
    expect(again.duration).toBeCloseTo(2.5, 14);
    const [a, b] = [createTrajectoryPoint(mixed), createTrajectoryPoint(mixed)];
    for (const [i, time] of times.entries()) {
      again.evaluate(a, time);
      expect(apart(mixed, a.q, samples.positions[i])).toBeLessThan(1e-12);
      if ('velocities' in given && i < times.length - 1)
        expect(largest(a.v.map((x, k) => x - given.velocities![i][k]))).toBeLessThan(1e-9);
    }
    for (let t = 0.025; t < 2.5; t += 0.05)
      expect(apart(mixed, again.evaluate(a, t).q, source.evaluate(b, t).q)).toBeLessThan(tolerance);
  });

  it('refuses times that do not increase', () => {
    const chain = createChain(1);
    expect(() => createSampledTrajectory(chain, { times: [0, 0], positions: [[0], [1]] })).toThrow(/increasing/);
  });
});

describe('sampleTimes', () => {
  it('ends exactly at the duration, with a shorter last step where it must', () => {
    expect([...sampleTimes(1, 0.4)]).toEqual([0, 0.4, 0.8, 1]);
    expect([...sampleTimes(1, 0.25)]).toEqual([0, 0.25, 0.5, 0.75, 1]);
    // 0.3 is not three tenths; the last step is not a rounding error long.
    expect([...sampleTimes(0.3, 0.1)]).toEqual([0, 0.1, 0.2, 0.3]);
    expect([...sampleTimes(0, 0.1)]).toEqual([0]);
    expect([...sampleTimes(0.05, 0.1)]).toEqual([0, 0.05]);
    expect(() => sampleTimes(1, 0)).toThrow(/dt, got 0/);
    expect(() => sampleTimes(Number.NaN, 1)).toThrow(/duration, got NaN/);
    expect(() => sampleTimes(1e9, 1e-3)).toThrow(/at most/);
  });
});
