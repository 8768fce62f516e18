/** Position limits and turns of joints that others follow. */
import { describe, expect, it } from 'vitest';
import { joint, robot } from '../../test/models.js';
import { createRandom } from '../math/random.js';
import { buildModel } from './build-model.js';
import {
  clampConfiguration,
  differenceConfiguration,
  distanceConfiguration,
  interpolateConfiguration,
  isWithinLimits,
  normalizeConfiguration,
  randomConfiguration,
} from './configuration.js';
import type { JointType } from './description.js';
import { mimicValue } from './named-configuration.js';
import { listWholeTurns } from './whole-turns.js';

const pair = (
  own: [number, number] | null,
  multiplier: number,
  offset: number,
  follower: [number, number] | null,
  types: [JointType, JointType] = ['revolute', 'revolute'],
) => {
  const limits = (range: [number, number] | null) => (range ? { limits: { lower: range[0], upper: range[1] } } : {});
  return buildModel(
    robot([
      joint('leader', types[0], 'base', 'a', limits(own)),
      joint('follower', types[1], 'base', 'b', { mimic: { joint: 'leader', multiplier, offset }, ...limits(follower) }),
    ]),
  );
};

describe('limits of joints that follow', () => {
  it('narrow their driver: +-1 with a follower of twice the angle within +-0.3', () => {
    const { model, issues } = pair([-1, 1], 2, 0, [-0.3, 0.3]);
    expect([model.lower[0], model.upper[0]]).toEqual([-0.15, 0.15]);
    expect(issues).toMatchObject([{ severity: 'info', code: 'mimic-limits-narrow', element: 'joint "follower"' }]);
    expect(isWithinLimits(model, Float64Array.of(0.9))).toBe(false);
    expect(clampConfiguration(new Float64Array(1), model, Float64Array.of(0.9))[0]).toBe(0.15);
    const random = createRandom(1);
    for (let n = 0; n < 100; n++) {
      const q = randomConfiguration(new Float64Array(1), model, random);
      expect(Math.abs(mimicValue(model, q, 2))).toBeLessThanOrEqual(0.3);
    }
  });

  it('of opposite sense contradict, are ignored, and are named', () => {
    const { model, issues } = pair([0, 0.548], -1, 0, [0, 0.548]);
    expect([model.lower[0], model.upper[0]]).toEqual([0, 0.548]);
    expect(issues).toMatchObject([{ severity: 'warning', code: 'mimic-limits', assumes: 'altered' }]);
    expect(issues[0].message).toContain('leave "leader" none of its range 0 to 0.548');
  });

  it('narrow continuous drivers too, and say nothing where they are absent or wide enough', () => {
    const { model, issues } = pair(null, -0.5, 0.1, [-1, 1], ['continuous', 'revolute']);
    expect([model.lower[0], model.upper[0]]).toEqual([-1.8, 2.2]);
    expect(issues).toHaveLength(1);
    expect(pair([-1, 1], 2, 0, null).issues).toEqual([]);
    expect(pair([-1, 1], 2, 0, null).model.upper[0]).toBe(1);
    expect(pair([0, 0.5], 3, 0, [0, 1.5]).issues).toEqual([]);
    expect(pair([0, 0.5], 3, 0, [0, 1.5]).model.upper[0]).toBe(0.5);
    expect(pair([0, 0.5], 0, 2, [0, 1.5]).issues).toMatchObject([{ code: 'mimic-limits' }]);
  });

  it('leave every follower that is no contradiction inside its own, random mechanisms', () => {
    const random = createRandom(10);
    for (let n = 0; n < 500; n++) {
      const draw = (): [number, number] => {
        const [a, b] = [random.uniform(-2, 2), random.uniform(-2, 2)];
        return a < b ? [a, b] : [b, a];
      };
      const follower = draw();
      const [multiplier, offset] = [random.uniform(-3, 3), random.uniform(-1, 1)];
      const { model, issues } = pair(draw(), multiplier, offset, follower);
      const isContradiction = issues.some(({ code }) => code === 'mimic-limits');
      for (const q of [model.lower, model.upper]) {
        const value = mimicValue(model, q, 2);
        const isInside = value >= follower[0] - 1e-8 && value <= follower[1] + 1e-8;
        if (!isContradiction) expect(isInside, `draw ${n}`).toBe(true);
      }
      expect(model.lower[0]).toBeLessThanOrEqual(model.upper[0]);
    }
  });
});

describe('continuous joints that others follow', () => {
  const ops = (multiplier: number, types: [JointType, JointType] = ['continuous', 'continuous']) => {
    const { model } = pair(null, multiplier, 0, null, types);
    const one = (x: number): Float64Array => Float64Array.of(x);
    const out = new Float64Array(1);
    return {
      model,
      normalize: (x: number) => normalizeConfiguration(out, model, one(x))[0],
      difference: (a: number, b: number) => differenceConfiguration(out, model, one(a), one(b))[0],
      interpolate: (a: number, b: number, t: number) => interpolateConfiguration(out, model, one(a), one(b), t)[0],
      distance: (a: number, b: number) => distanceConfiguration(model, one(a), one(b)),
    };
  };

  it.each([
    [0.5, ['continuous', 'continuous']],
    [-1.25, ['continuous', 'revolute']],
    [0.01, ['continuous', 'prismatic']],
    [1, ['continuous', 'prismatic']],
  ] as [number, [JointType, JointType]][])('multiplier %d of %s: turns count', (multiplier, types) => {
    const { model, normalize, difference, interpolate, distance } = ops(multiplier, types);
    expect(normalize(4)).toBe(4);
    expect(difference(-3, 3)).toBe(6);
    expect(interpolate(-3, 3, 1)).toBe(3);
    expect(distance(-3, 3)).toBe(6);
    expect(listWholeTurns(model)[0]).toBe(0);
  });

  it.each([1, -2, 3, 0])('multiplier %d: a full turn is nothing', (multiplier) => {
    const { model, normalize, difference } = ops(multiplier);
    expect(normalize(4)).toBeCloseTo(4 - 2 * Math.PI, 12);
    expect(difference(-3, 3)).toBeCloseTo(6 - 2 * Math.PI, 12);
    expect(listWholeTurns(model)[0]).toBe(1);
  });

  it('what is equal after normalizing has every link in the same place', () => {
    const random = createRandom(54);
    for (let n = 0; n < 300; n++) {
      const multiplier = random.next() < 0.5 ? Math.round(random.uniform(-3, 3)) : random.uniform(-3, 3);
      const { model, normalize } = ops(multiplier);
      const q = random.uniform(-20, 20);
      const [before, after] = [q, normalize(q)].map((x) => mimicValue(model, Float64Array.of(x), 2));
      expect(Math.abs(Math.sin((before - after) / 2)), `multiplier ${multiplier}, q ${q}`).toBeLessThan(1e-12);
    }
  });
});
