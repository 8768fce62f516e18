import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distanceConfiguration, interpolateConfiguration } from '../model/configuration.js';
import { createBlendedPath } from './blended-path.js';
import type { JointCurve } from './joint-curve.js';
import {
  apart,
  createChain,
  createMixedRobot,
  createWheel,
  derivativeErrors,
  largest,
  randomWalk,
  randomWaypoints,
} from './trajectories.test-support.js';
import { createTrajectoryPoint } from './trajectory.js';

const chain = createChain(3);
const mixed = createMixedRobot();

/** Largest jump of q and of the tangent from one piece to the next. */
function jumps(curve: JointCurve): { q: number; v: number; a: number } {
  const [before, after] = [createTrajectoryPoint(curve.model), createTrajectoryPoint(curve.model)];
  const most = { q: 0, v: 0, a: 0 };
  for (let p = 1; p < curve.pieces.length; p++) {
    curve.evaluatePiece(before, p - 1, curve.pieces[p - 1].length);
    curve.evaluatePiece(after, p, 0);
    most.q = Math.max(most.q, apart(curve.model, before.q, after.q));
    for (const key of ['v', 'a'] as const)
      most[key] = Math.max(most[key], largest(before[key].map((x, k) => x - after[key][k])));
  }
  return most;
}

/** Distance of each blend's middle, where it is farthest, from the waypoint it rounds. */
function deviations(curve: JointCurve, waypoints: readonly Float64Array[]): number[] {
  const point = createTrajectoryPoint(curve.model);
  const blends = [...curve.pieces.keys()].filter((p) => curve.pieces[p].terms.length === 2);
  return blends.map((p, k) => {
    curve.evaluatePiece(point, p, curve.pieces[p].length / 2);
    return distanceConfiguration(curve.model, waypoints[k + 1], point.q);
  });
}

describe('createBlendedPath', () => {
  it('without deviation is the straight motions, waypoint by waypoint', () => {
    const waypoints = randomWaypoints(mixed, 4, 1);
    const curve = createBlendedPath(mixed, waypoints);
    expect(curve.pieces).toHaveLength(3);
    const point = createTrajectoryPoint(mixed);
    const expected = new Float64Array(mixed.nq);
    for (let k = 0; k < 3; k++) {
      expect(apart(mixed, curve.evaluate(point, curve.breaks[k]).q, waypoints[k])).toBeLessThan(1e-15);
      for (const t of [0.25, 0.5, 0.9]) {
        curve.evaluatePiece(point, k, t * curve.pieces[k].length);
        interpolateConfiguration(expected, mixed, waypoints[k], waypoints[k + 1], t);
        expect(apart(mixed, point.q, expected)).toBeLessThan(1e-14);
      }
    }
    expect(curve.evaluate(point, curve.duration).q).toEqual(waypoints[3]);
  });

  it.each(['parabolic', 'smooth'] as const)('%s blends keep tangents continuous and the stated deviation', (blend) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.double({ min: 1e-4, max: 0.3, noNaN: true }),
        fc.boolean(),
        (seed, deviation, isMixed) => {
          const model = isMixed ? mixed : chain;
          const waypoints = isMixed ? randomWaypoints(model, 5, seed) : randomWalk(model, 5, 1, seed);
          const curve = createBlendedPath(model, waypoints, { deviation, blend });
          const { q, v, a } = jumps(curve);
          expect(q).toBeLessThan(1e-13);
          expect(v).toBeLessThan(1e-9);
          if (blend === 'smooth') expect(a).toBeLessThan(1e-6);
          const found = deviations(curve, waypoints);
          expect(found).toHaveLength(3);
          for (const distance of found) expect(distance).toBeLessThan(deviation * (isMixed ? 1.0001 : 1 + 1e-9));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('derivatives agree with differences on blends too', () => {
    const curve = createBlendedPath(mixed, randomWaypoints(mixed, 4, 6), { deviation: 0.1, blend: 'smooth' });
    for (let p = 0; p < curve.pieces.length; p++) {
      const { v, a } = derivativeErrors(curve, 0.5 * (curve.breaks[p] + curve.breaks[p + 1]), 1e-6);
      expect(v).toBeLessThan(1e-7);
      expect(a).toBeLessThan(1e-6);
    }
  });

  it('the corner of a right angle: middle of the blend is the deviation away', () => {
    const model = createChain(2);
    const curve = createBlendedPath(
      model,
      [
        [0, 0],
        [1, 0],
        [1, 1],
      ],
      { deviation: 0.1 },
    );
    const point = createTrajectoryPoint(model);
    const { q } = curve.evaluate(point, curve.duration / 2);
    expect(Math.hypot(q[0] - 1, q[1])).toBeCloseTo(0.1, 12);
  });

  it('leaves out repeated waypoints, keeps one alone, and goes the short way round', () => {
    expect(createBlendedPath(chain, [[1, 2, 3]]).duration).toBe(0);
    expect(
      createBlendedPath(chain, [
        [1, 2, 3],
        [1, 2, 3],
      ]).pieces,
    ).toHaveLength(0);
    const twice = createBlendedPath(
      chain,
      [
        [0, 0, 0],
        [0, 0, 0],
        [1, 0, 0],
        [1, 0, 0],
        [1, 1, 0],
      ],
      { deviation: 0.05 },
    );
    expect(twice.pieces).toHaveLength(3);
    const wheel = createWheel();
    const turning = createBlendedPath(wheel, [[3], [-3], [-1]]);
    expect(turning.duration).toBeCloseTo(2 * Math.PI - 6 + 2, 12);
    expect(turning.evaluate(createTrajectoryPoint(wheel), turning.duration).q[0]).toBeCloseTo(2 * Math.PI - 1, 12);
  });

  it('refuses what is no path', () => {
    expect(() => createBlendedPath(chain, [])).toThrow(/waypoints, got none/);
    expect(() => createBlendedPath(chain, [[0, 0]])).toThrow(/waypoint 0.*got 2 numbers/);
    expect(() => createBlendedPath(chain, [[0, 0, Number.NaN]])).toThrow(/expected a finite number/);
    expect(() => createBlendedPath(chain, [[0, 0, 0]], { deviation: -1 })).toThrow(/deviation, got -1/);
  });
});
