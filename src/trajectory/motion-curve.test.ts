/** Bounds of motion against dense sampling, for every kind of trajectory and joint. */
import { describe, it } from 'vitest';
import { expect } from '../../test/support/quick-expect.js';
import { createRandom } from '../math/random.js';
import { differenceConfiguration, interpolateConfiguration } from '../model/configuration.js';
import type { Model } from '../model/model.js';
import { createBlendedPath } from './blended-path.js';
import { joinTrajectories } from './joined-trajectory.js';
import { createBSplineTrajectory, createCubicTrajectory, createQuinticTrajectory } from './joint-splines.js';
import { createLimits } from './limits.js';
import { isMotionCurve, type MotionCurve, turnsAlong } from './motion-curve.js';
import { planPointToPoint } from './point-to-point.js';
import { createSampledTrajectory } from './sampled-trajectory.js';
import { createSplinePath } from './spline-path.js';
import { findTangentGroup } from './tangent-groups.js';
import { parameterizeTimeOptimal } from './time-optimal.js';
import { createChain, createMixedRobot, randomWaypoints } from './trajectories.test-support.js';
import { createTrajectoryPoint } from './trajectory.js';

type Maker = (model: Model, seed: number) => MotionCurve;

const limitsOf = (model: Model) => createLimits(model, { velocity: 1.5, acceleration: 3 });
const times = [0, 0.7, 1.9, 2.4, 4];
const retime = (model: Model, path: Parameters<typeof parameterizeTimeOptimal>[0]): MotionCurve =>
  parameterizeTimeOptimal(path, { limits: limitsOf(model), intervals: 40 }).trajectory!;

const kinds: Record<string, Maker> = {
  'straight path': (model, seed) => createBlendedPath(model, randomWaypoints(model, 5, seed)),
  'blended path': (model, seed) => createBlendedPath(model, randomWaypoints(model, 5, seed), { deviation: 0.2 }),
  'smooth blends, in time': (model, seed) =>
    retime(model, createBlendedPath(model, randomWaypoints(model, 5, seed), { deviation: 0.2, blend: 'smooth' })),
  'stops, in time': (model, seed) => retime(model, createBlendedPath(model, randomWaypoints(model, 5, seed))),
  'spline path, in time': (model, seed) => retime(model, createSplinePath(model, randomWaypoints(model, 5, seed))),
  cubic: (model, seed) => createCubicTrajectory(model, randomWaypoints(model, 5, seed), times),
  quintic: (model, seed) => createQuinticTrajectory(model, randomWaypoints(model, 5, seed), times),
  'B-spline': (model, seed) => createBSplineTrajectory(model, randomWaypoints(model, 7, seed), { duration: 3 }),
  'samples of positions': (model, seed) =>
    createSampledTrajectory(model, { times, positions: randomWaypoints(model, 5, seed) }),
  'point to point': (model, seed) => pointToPoint(model, seed, 'time'),
  'point to point, each on its own': (model, seed) => pointToPoint(model, seed, 'none'),
  'point to point, straight': (model, seed) => pointToPoint(model, seed, 'straight'),
  joined: (model, seed) => {
    const [a, b, c] = randomWaypoints(model, 3, seed);
    const path = (from: Float64Array, to: Float64Array) => retime(model, createBlendedPath(model, [from, to]));
    return joinTrajectories([path(a, b), path(b, c)]);
  },
};

function pointToPoint(model: Model, seed: number, synchronize: 'time' | 'straight' | 'none'): MotionCurve {
  const [a, b] = randomWaypoints(model, 2, seed);
  const limits = createLimits(model, { velocity: 1.5, acceleration: 3, jerk: 20 });
  return planPointToPoint(model, a, b, { limits, synchronize }).trajectory!;
}

/** |x| per coordinate; in joints of several coordinates the lengths of the linear and of the angular part. */
function sizes(model: Model, x: Float64Array): Float64Array {
  const turns = turnsAlong(model);
  const out = x.map(Math.abs);
  for (let j = 1; j < model.jointCount; j++) {
    if (model.nqs[j] === 0 || findTangentGroup(model.jointKinds[j]!) === null) continue;
    for (let k = model.idxV[j]; k < model.idxV[j] + model.nvs[j]; k++) {
      let squared = 0;
      for (let i = model.idxV[j]; i < model.idxV[j] + model.nvs[j]; i++)
        if (turns[i] === turns[k]) squared += x[i] * x[i];
      out[k] = Math.sqrt(squared);
    }
  }
  return out;
}

describe('motion curves', () => {
  const robots: [string, Model][] = [
    ['chain', createChain(3)],
    ['every joint', createMixedRobot()],
  ];
  const cases = robots.flatMap(([robot, model]) =>
    Object.entries(kinds).map(([kind, make]) => [kind, robot, make, model] as const),
  );

  it.each(cases)('%s, %s: no sampled speed exceeds its bound', (_kind, _robot, make, model) => {
    const random = createRandom(28);
    const out = new Float64Array(model.nv);
    const point = createTrajectoryPoint(model);
    for (let n = 0; n < 4; n++) {
      const curve = make(model, 100 + n);
      expect(isMotionCurve(curve)).toBe(true);
      for (let m = 0; m < 6; m++) {
        const from = random.uniform(0, curve.duration);
        const to = Math.min(from + curve.duration * random.next() ** 3, curve.duration);
        curve.speedBound(out, from, to);
        for (let i = 0; i <= 40; i++) {
          const { v } = curve.evaluate(point, from + ((to - from) * i) / 40);
          sizes(model, v).forEach((speed, k) => {
            expect(speed, `seed ${100 + n}, [${from}, ${to}], coordinate ${k}`).toBeLessThanOrEqual(
              out[k] * (1 + 1e-9) + 1e-9,
            );
          });
        }
      }
    }
  });

  it.each(cases)('%s, %s: no sample is farther from the chord than its bound', (_kind, _robot, make, model) => {
    const random = createRandom(29);
    const out = new Float64Array(model.nv);
    const [start, end, here] = Array.from({ length: 3 }, () => createTrajectoryPoint(model));
    const chord = new Float64Array(model.nq);
    const rest = new Float64Array(model.nv);
    for (let n = 0; n < 4; n++) {
      const curve = make(model, 200 + n);
      for (let m = 0; m < 4; m++) {
        const from = random.uniform(0, curve.duration);
        // Short enough that no angle goes half round.
        const to = Math.min(from + 0.25 * curve.duration * random.next() ** 2, curve.duration);
        curve.chordBound(out, from, to);
        curve.evaluate(start, from);
        curve.evaluate(end, to);
        const step = sizes(model, differenceConfiguration(new Float64Array(model.nv), model, start.q, end.q));
        for (let i = 1; i < 8; i++) {
          curve.evaluate(here, from + ((to - from) * i) / 8);
          // Some point of the chord is near enough in all coordinates at once.
          let least = Infinity;
          for (let s = 0; s <= 100; s++) {
            interpolateConfiguration(chord, model, start.q, end.q, s / 100);
            differenceConfiguration(rest, model, chord, here.q);
            const far = originsApart(model, rest, chord, here.q);
            let worst = -Infinity;
            for (let k = 0; k < model.nv; k++) worst = Math.max(worst, far[k] - out[k] - (1.6 * step[k]) / 100);
            least = Math.min(least, worst);
          }
          expect(least, `seed ${200 + n}, [${from}, ${to}]`).toBeLessThanOrEqual(1e-9);
        }
      }
    }
  });

  it('straight paths are their own chord at any speed; chords of smooth ones close in by the square', () => {
    const model = createChain(3);
    const out = new Float64Array(3);
    const straight = kinds['stops, in time'](model, 3);
    const [a, b] = randomWaypoints(model, 2, 3);
    const one = retime(model, createBlendedPath(model, [a, b]));
    expect(Math.max(...one.chordBound(out, 0, one.duration))).toBeLessThan(1e-8);
    expect(Math.max(...straight.chordBound(out, 0, straight.duration))).toBeGreaterThan(0.1);
    const cubic = kinds.cubic(model, 4);
    const wide = Math.max(...cubic.chordBound(out, 0.1, 0.5));
    const narrow = Math.max(...cubic.chordBound(out, 0.3, 0.34));
    expect(narrow).toBeLessThan(wide / 50);
  });

  it('NaN is no time of any of them, and what was written before stays', () => {
    const model = createChain(2);
    const path = createBlendedPath(model, randomWaypoints(model, 3, 1));
    const timed = retime(model, path);
    const direct = planPointToPoint(model, new Float64Array(2), Float64Array.of(0.5, 1), { limits: limitsOf(model) });
    const point = createTrajectoryPoint(model);
    point.q.fill(7);
    for (const curve of [path, timed, direct.trajectory!, joinTrajectories([direct.trajectory!])]) {
      expect(() => curve.evaluate(point, Number.NaN)).toThrow(
        /^evaluate: (time|parameter), got NaN, expected a number$/,
      );
      expect(() => curve.evaluate(point, '1' as never)).toThrow(/got "1", expected a number$/);
      expect([...point.q]).toEqual([7, 7]);
    }
    expect([...direct.trajectory!.evaluate(point, Infinity).q]).toEqual([0.5, 1]);
  });

  it('refuses what is no interval', () => {
    const model = createChain(2);
    const curve = createBlendedPath(model, randomWaypoints(model, 3, 1));
    expect(() => curve.speedBound(new Float64Array(2), 1, 0)).toThrow(/interval, got from 1 to 0/);
    expect(() => curve.chordBound(new Float64Array(2), Number.NaN, 1)).toThrow(/interval, got from NaN to 1/);
    expect(() => curve.speedBound(new Float64Array(3), 0, 1)).toThrow(/out, got 3 numbers, expected/);
  });
});

/** As `sizes`, with the distance between origins in place of the linear part of the logarithm. */
function originsApart(model: Model, rest: Float64Array, a: Float64Array, b: Float64Array): Float64Array {
  const out = sizes(model, rest);
  for (let j = 1; j < model.jointCount; j++) {
    const count = model.nqs[j] - model.jointKinds[j]!.unitCoordinates;
    if (model.nqs[j] === 0 || count === 0 || model.nvs[j] === 1) continue;
    let squared = 0;
    for (let i = model.idxQ[j]; i < model.idxQ[j] + count; i++) squared += (a[i] - b[i]) ** 2;
    for (let k = model.idxV[j]; k < model.idxV[j] + count; k++) out[k] = Math.sqrt(squared);
  }
  return out;
}
