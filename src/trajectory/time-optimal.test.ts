import fc from 'fast-check';
import { describe, it } from 'vitest';
import { expect } from '../../test/support/quick-expect.js';
import { createDynamicsData } from '../dynamics/dynamics-data.js';
import { rnea } from '../dynamics/rnea.js';
import type { Model } from '../model/model.js';
import { createRandomTree } from '../model/random-tree.test-support.js';
import { createBlendedPath } from './blended-path.js';
import type { JointCurve } from './joint-curve.js';
import { createLimits, type MotionLimits } from './limits.js';
import { PathConstraints } from './path-constraints.js';
import type { RetimedTrajectory } from './retimed-trajectory.js';
import { createSplinePath } from './spline-path.js';
import { parameterizeTimeOptimal, type TimeOptimalOptions } from './time-optimal.js';
import { minimizeTime } from './time-reference.test-support.js';
import {
  apart,
  createChain,
  createMixedRobot,
  derivativeErrors,
  largest,
  randomWalk,
  randomWaypoints,
} from './trajectories.test-support.js';
import { createTrajectoryPoint } from './trajectory.js';

function solve(path: JointCurve, options: TimeOptimalOptions): RetimedTrajectory {
  const result = parameterizeTimeOptimal(path, options);
  expect(result.reason).toBe('');
  expect(result.usage).toBeLessThanOrEqual(1 + 1e-6);
  return result.trajectory!;
}

/** Largest shares of the limits at `count` even steps through every grid interval, one by one. */
function usage(trajectory: RetimedTrajectory, limits: MotionLimits, count = 10): Record<'v' | 'a' | 'tau', number> {
  const { model, law } = trajectory;
  const point = createTrajectoryPoint(model);
  const most = { v: 0, a: 0, tau: 0 };
  const hasTorque = limits.torque.some((limit) => limit < Infinity);
  const data = createDynamicsData(model);
  for (let i = 0; i < law.speeds.length; i++) {
    for (let n = 0; n < count; n++) {
      trajectory.evaluate(point, law.times[i] + ((law.times[i + 1] - law.times[i]) * n) / count);
      const { q, v, a } = point;
      for (let k = 0; k < model.nv; k++) {
        most.v = Math.max(most.v, Math.abs(v[k]) / limits.velocity[k]);
        most.a = Math.max(most.a, Math.abs(a[k]) / limits.acceleration[k]);
      }
      if (!hasTorque) continue;
      const tau = rnea(model, data, q, v, a);
      for (let k = 0; k < model.nv; k++) most.tau = Math.max(most.tau, Math.abs(tau[k]) / limits.torque[k]);
    }
  }
  return most;
}

const chain = createChain(4);

describe('closed forms', () => {
  const line = (length: number): JointCurve => createBlendedPath(createChain(1, 1), [[0], [length]]);
  const one = createChain(1, 1);

  it('bang-bang: a line without reaching the velocity limit takes 2 sqrt(L / a)', () => {
    for (const intervals of [4, 50, 400]) {
      const trajectory = solve(line(0.5), { limits: createLimits(one, { acceleration: 2, velocity: 100 }), intervals });
      expect(trajectory.duration).toBeCloseTo(2 * Math.sqrt(0.25), 11);
      const { a } = trajectory.evaluate(createTrajectoryPoint(one), 0.1);
      expect(a[0]).toBeCloseTo(2, 12);
    }
  });

  it('trapezoid: L / v + v / a', () => {
    const limits = createLimits(one, { acceleration: 2 });
    // The grid misses the ends of the ramps by a part of an interval: an error of second order.
    expect(solve(line(3), { limits }).duration).toBeCloseTo(3.5, 4);
    expect(solve(line(3), { limits, intervals: 1200 }).duration).toBeCloseTo(3.5, 9);
  });

  it('with velocities at both ends', () => {
    const limits = createLimits(one, { acceleration: 2, velocity: 10 });
    const trajectory = solve(line(1), { limits, startVelocity: [0.5], endVelocity: [1], intervals: 4000 });
    // v_peak^2 = (v0^2 + v1^2)/2 + a L
    const peak = Math.sqrt(0.625 + 2);
    expect(trajectory.duration).toBeCloseTo((2 * peak - 1.5) / 2, 5);
    const point = createTrajectoryPoint(one);
    expect(trajectory.evaluate(point, 0).v[0]).toBeCloseTo(0.5, 14);
    expect(trajectory.evaluate(point, trajectory.duration).v[0]).toBeCloseTo(1, 12);
  });

  it('a reversal on the spot is passed at full deceleration', () => {
    const limits = createLimits(one, { acceleration: 2, velocity: 100 });
    const path = createBlendedPath(one, [[0], [1], [0]], { deviation: 0.1 });
    const trajectory = solve(path, { limits, intervals: 2000 });
    // The blend turns at 0.9: two bang-bang motions of 0.9 that share the deceleration.
    expect(trajectory.duration).toBeCloseTo(4 * Math.sqrt(0.9 / 2), 3);
    expect(usage(trajectory, limits).a).toBeLessThanOrEqual(1 + 1e-9);
  });

  it('gravity: a prismatic joint under its weight takes the time of its two constant accelerations', () => {
    const model = createRandomTree(3, { joints: 1, types: ['prismatic'], base: 'fixed' });
    const data = createDynamicsData(model);
    const rest = new Float64Array(1);
    const weight = rnea(model, data, rest, rest, rest)[0];
    const mass = rnea(model, data, rest, rest, Float64Array.of(1))[0] - weight;
    const torque = Math.abs(weight) + 3;
    const path = createBlendedPath(model, [[0], [0.4]]);
    const limits = createLimits(model, { velocity: 1e3, torque });
    const trajectory = solve(path, { limits, intervals: 2000 });
    // Constant accelerations up and down under a constant weight: L = v^2 / 2 (1/a + 1/b).
    const up = (torque - weight) / mass;
    const down = (torque + weight) / mass;
    const peak = Math.sqrt((2 * 0.4) / (1 / up + 1 / down));
    expect(trajectory.duration).toBeCloseTo(peak / up + peak / down, 5);
    expect(
      parameterizeTimeOptimal(path, { limits: createLimits(model, { torque: 0.5 * Math.abs(weight) }) }),
    ).toMatchObject({
      status: 'infeasible',
      trajectory: null,
      reason: expect.stringMatching(/torque of .* exceeds its limit even at rest/),
    });
  });
});

describe('against the shortest time of the same grid, found by an interior-point method', () => {
  const cases: [string, (seed: number) => [JointCurve, MotionLimits]][] = [
    [
      'blends',
      (seed) => [
        createBlendedPath(chain, randomWalk(chain, 5, 1, seed), { deviation: 0.1 }),
        createLimits(chain, { acceleration: 4 }),
      ],
    ],
    [
      'splines',
      (seed) => [
        createSplinePath(chain, randomWalk(chain, 5, 1, seed)),
        createLimits(chain, { acceleration: [4, 2, 8, 3] }),
      ],
    ],
    [
      'torques',
      (seed) => {
        const model = createRandomTree(seed, { joints: 4, types: ['revolute', 'prismatic'], base: 'fixed' });
        return [createSplinePath(model, randomWaypoints(model, 4, seed)), torqueLimits(model, seed)];
      },
    ],
  ];

  it.each(cases)('%s', (_name, create) => {
    for (let seed = 1; seed <= 4; seed++) {
      const [path, limits] = create(seed);
      // One pass: the rows at the ends of the intervals, as the reference has them.
      const trajectory = parameterizeTimeOptimal(path, { limits, intervals: 60, tolerance: Infinity }).trajectory!;
      const reference = minimizeTime(new PathConstraints(path, limits, createDynamicsData(path.model)), trajectory.law);
      const ratio = trajectory.duration / reference;
      expect(ratio, `seed ${seed}`).toBeLessThan(1.01);
      expect(ratio, `seed ${seed}`).toBeGreaterThan(0.999);
    }
  });
});

/** Torques that hold the robot still anywhere, and some more. */
function torqueLimits(model: Model, seed: number): MotionLimits {
  const data = createDynamicsData(model);
  const rest = new Float64Array(model.nv);
  const torque = new Float64Array(model.nv).fill(1);
  for (const q of randomWaypoints(model, 200, seed + 100)) {
    const tau = rnea(model, data, q, rest, rest);
    for (let k = 0; k < model.nv; k++) torque[k] = Math.max(torque[k], 2 * Math.abs(tau[k]));
  }
  return createLimits(model, { velocity: 3, torque });
}

describe('limits between grid points', () => {
  it('hold on random paths through every kind of joint, ten times finer than the grid', () => {
    const mixed = createMixedRobot();
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.constantFrom('blend', 'smooth', 'spline'),
        fc.integer({ min: 10, max: 100 }),
        (seed, kind, intervals) => {
          const waypoints = randomWaypoints(mixed, 5, seed);
          const path =
            kind === 'spline'
              ? createSplinePath(mixed, waypoints)
              : createBlendedPath(mixed, waypoints, {
                  deviation: 0.1,
                  blend: kind === 'smooth' ? 'smooth' : 'parabolic',
                });
          const limits = createLimits(mixed, { velocity: 1.5, acceleration: 3 });
          const trajectory = solve(path, { limits, intervals });
          const { v, a } = usage(trajectory, limits);
          expect(v).toBeLessThanOrEqual(1 + 1e-6);
          expect(a).toBeLessThanOrEqual(1 + 1e-6);
          // Something is always at its limit.
          expect(Math.max(v, a)).toBeGreaterThan(0.999);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('hold for torques', () => {
    for (let seed = 1; seed <= 6; seed++) {
      const model = createRandomTree(seed, {
        joints: 5,
        types: ['revolute', 'prismatic', 'continuous'],
        mimic: true,
        base: 'fixed',
      });
      const limits = torqueLimits(model, seed);
      const trajectory = solve(createSplinePath(model, randomWaypoints(model, 4, seed)), { limits, intervals: 100 });
      const { v, tau } = usage(trajectory, limits);
      expect(v).toBeLessThanOrEqual(1 + 1e-6);
      expect(tau).toBeLessThanOrEqual(1 + 1e-6);
      expect(Math.max(v, tau)).toBeGreaterThan(0.99);
    }
  });

  it('collocation keeps them at grid points only', () => {
    const path = createSplinePath(chain, randomWalk(chain, 6, 1, 2));
    const limits = createLimits(chain, { acceleration: 4 });
    const result = parameterizeTimeOptimal(path, { limits, scheme: 'collocation', intervals: 200 });
    const { law } = result.trajectory!;
    const point = createTrajectoryPoint(chain);
    for (const time of law.times.subarray(0, -1))
      expect(largest(result.trajectory!.evaluate(point, time).a)).toBeLessThanOrEqual(4 * (1 + 1e-9));
    expect(result.usage).toBeGreaterThan(1);
    expect(result.trajectory!.duration / solve(path, { limits, intervals: 200 }).duration).toBeCloseTo(1, 2);
  });
});

describe('properties', () => {
  it('the path is followed, forwards, with consistent derivatives', () => {
    const mixed = createMixedRobot();
    const path = createSplinePath(mixed, randomWaypoints(mixed, 4, 11));
    const trajectory = solve(path, { limits: createLimits(mixed, { velocity: 1, acceleration: 2 }) });
    const point = createTrajectoryPoint(mixed);
    const onPath = createTrajectoryPoint(mixed);
    let before = -1;
    for (let i = 0; i <= 300; i++) {
      const time = (trajectory.duration * i) / 300;
      const s = trajectory.parameterAt(time);
      expect(s).toBeGreaterThan(before);
      before = s;
      expect(apart(mixed, trajectory.evaluate(point, time).q, path.evaluate(onPath, s).q)).toBeLessThan(1e-12);
    }
    expect(before).toBeCloseTo(path.duration, 12);
    for (let i = 0; i < trajectory.law.speeds.length; i += 7) {
      const middle = 0.5 * (trajectory.law.times[i] + trajectory.law.times[i + 1]);
      const { v, a } = derivativeErrors(trajectory, middle, 1e-6);
      expect(v).toBeLessThan(1e-7);
      expect(a).toBeLessThan(1e-5);
    }
  });

  it('larger limits never take longer, and time scales as it must', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const path = createBlendedPath(chain, randomWalk(chain, 6, 1, seed), { deviation: 0.05 });
      const duration = (velocity: number, acceleration: number): number =>
        solve(path, { limits: createLimits(chain, { velocity, acceleration }), intervals: 200 }).duration;
      const base = duration(1, 3);
      expect(duration(1.2, 3)).toBeLessThanOrEqual(base * (1 + 1e-9));
      expect(duration(1, 4)).toBeLessThanOrEqual(base * (1 + 1e-9));
      // Twice as fast: v and a by 2 and 4.
      expect(duration(2, 12)).toBeCloseTo(base / 2, 7);
    }
  });

  it('a finer grid never takes much longer, and converges', () => {
    const path = createSplinePath(chain, randomWalk(chain, 6, 1, 8));
    const limits = createLimits(chain, { acceleration: 4 });
    const durations = [50, 100, 200, 400, 3200].map((intervals) => solve(path, { limits, intervals }).duration);
    const finest = durations[4];
    for (let i = 0; i < 4; i++) expect(durations[i] / finest - 1).toBeLessThan([0.02, 0.01, 0.005, 0.0025][i]);
    expect(Math.min(...durations)).toBeGreaterThan(finest * (1 - 1e-4));
  });
});

describe('degenerate input', () => {
  const limits = createLimits(chain, { acceleration: 4 });

  it('one waypoint, or the same one again: no time, and the waypoint', () => {
    for (const waypoints of [
      [[1, 2, 3, 4]],
      [
        [1, 2, 3, 4],
        [1, 2, 3, 4],
      ],
    ]) {
      const trajectory = solve(createBlendedPath(chain, waypoints), { limits });
      expect(trajectory.duration).toBe(0);
      const point = trajectory.evaluate(createTrajectoryPoint(chain), 0);
      expect([...point.q]).toEqual([1, 2, 3, 4]);
      expect(largest(point.v)).toBe(0);
      expect(trajectory.parameterAt(1)).toBe(0);
    }
  });

  it.each(['blend', 'corner', 'spline'])('segments of 1e-9, reversals, joints that rest (%s)', (kind) => {
    const waypoints = [
      [0, 0, 0, 0],
      [1, 0, 0, 0],
      [1, 1e-9, 0, 0],
      [1 - 1e-9, 0, 0, 0],
      [0.5, 0.5, 0, 0],
      [1, 1, 0, 0],
      [0.5, 0.5, 0, 0],
      [0.5, 0.5, 0, 0],
      [2, 0, 0, 0],
    ];
    const path =
      kind === 'spline'
        ? createSplinePath(chain, waypoints)
        : createBlendedPath(chain, waypoints, { deviation: kind === 'blend' ? 0.05 : 0 });
    const trajectory = solve(path, { limits });
    const { v, a } = usage(trajectory, limits);
    expect(v).toBeLessThanOrEqual(1 + 1e-6);
    expect(a).toBeLessThanOrEqual(1 + 1e-6);
    expect(trajectory.duration).toBeLessThan(20);
    const { q } = trajectory.evaluate(createTrajectoryPoint(chain), trajectory.duration);
    expect([...q]).toEqual(waypoints[8]);
  });

  it.each([1e-12, 3e-12, 1e-10, 1e-7])('waypoints %s apart are moved between, under any acceleration', (distance) => {
    for (const acceleration of [1e-6, 1e-3, 1, 1e3]) {
      const model = createChain(1, 1);
      const path = createBlendedPath(model, [[0], [distance]]);
      const { status, trajectory } = parameterizeTimeOptimal(path, {
        limits: createLimits(model, { velocity: 1e6, acceleration }),
      });
      expect(status, `acceleration ${acceleration}`).toBe('solved');
      expect(trajectory!.duration / (2 * Math.sqrt(distance / acceleration))).toBeCloseTo(1, 6);
    }
  });

  it('ten thousand waypoints', () => {
    const waypoints = randomWalk(chain, 10_000, 0.05, 4);
    const trajectory = solve(createBlendedPath(chain, waypoints, { deviation: 0.005 }), { limits });
    const { v, a } = usage(trajectory, limits, 3);
    expect(v).toBeLessThanOrEqual(1 + 1e-6);
    expect(a).toBeLessThanOrEqual(1 + 1e-6);
  });

  it('takes velocities at the ends that are the limit itself', () => {
    const limits = createLimits(createChain(3), { velocity: 0.9, acceleration: 3 });
    for (let seed = 1; seed <= 100; seed++) {
      const robot = createChain(3);
      const [start, end] = randomWaypoints(robot, 2, seed);
      const step = end.map((x, i) => x - start[i]);
      const share = Math.min(...step.map((x) => 0.9 / Math.abs(x)));
      const velocity = step.map((x) => x * share);
      const path = createBlendedPath(robot, [start, end]);
      for (const ends of [{ startVelocity: velocity }, { endVelocity: velocity }]) {
        expect(parameterizeTimeOptimal(path, { limits, intervals: 50, ...ends }).reason).toBe('');
      }
    }
  });

  it('refuses coordinates so large that no time is left in their digits', () => {
    const robot = createChain(1);
    expect(() => createBlendedPath(robot, [[0], [1e300]])).toThrow('waypoint 1: got 1e+300, expected at most');
    const limits = createLimits(robot, { velocity: 1, acceleration: 3 });
    const { trajectory } = parameterizeTimeOptimal(createBlendedPath(robot, [[0], [1e9]]), { limits });
    expect(trajectory!.duration / 1e9).toBeGreaterThanOrEqual(1);
    expect(trajectory!.duration / 1e9).toBeLessThan(1.005);
  });

  it('refuses limits of 0, missing limits, and velocities off the path', () => {
    const path = createBlendedPath(chain, [
      [0, 0, 0, 0],
      [1, 1, 0, 0],
    ]);
    expect(() => createLimits(chain, { acceleration: 0 })).toThrow(/acceleration of joint "j0", got 0/);
    expect(() => createLimits(chain, { velocity: [1, 1, -1, 1] })).toThrow(/velocity of joint "j2", got -1/);
    expect(() => createLimits(chain, { jerk: Number.NaN })).toThrow(/jerk of joint "j0", got NaN/);
    expect(() => parameterizeTimeOptimal(path, { limits: createLimits(chain) })).toThrow(/neither an acceleration/);
    expect(() => parameterizeTimeOptimal(path, { limits, startVelocity: [1, 0, 0, 0] })).toThrow(/startVelocity/);
    expect(() => parameterizeTimeOptimal(path, { limits, startVelocity: [-1, -1, 0, 0] })).toThrow(/startVelocity/);
    expect(() => parameterizeTimeOptimal(path, { limits, endVelocity: [1] })).toThrow(/expected nv = 4/);
    expect(parameterizeTimeOptimal(path, { limits, startVelocity: [1.9, 1.9, 0, 0], intervals: 20 }).status).toBe(
      'solved',
    );
    expect(parameterizeTimeOptimal(path, { limits, endVelocity: [5, 5, 0, 0] })).toMatchObject({
      status: 'infeasible',
      reason: expect.stringMatching(/end velocity/),
    });
    const short = createBlendedPath(chain, [
      [0, 0, 0, 0],
      [0.01, 0, 0, 0],
    ]);
    expect(parameterizeTimeOptimal(short, { limits, startVelocity: [1.5, 0, 0, 0] })).toMatchObject({
      status: 'infeasible',
      reason: expect.stringMatching(/start velocity cannot be kept/),
    });
  });
});
