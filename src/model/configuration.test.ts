import { describe, expect, it } from 'vitest';
import { joint, robot } from '../../test/models.js';
import { createRandom } from '../math/random.js';
import { buildModel } from './build-model.js';
import {
  clampConfiguration,
  createNeutralConfiguration,
  differenceConfiguration,
  distanceConfiguration,
  integrateConfiguration,
  interpolateConfiguration,
  isWithinLimits,
  neutralConfiguration,
  normalizeConfiguration,
  randomConfiguration,
} from './configuration.js';

const { model } = buildModel(
  robot([
    joint('float', 'floating', 'world', 'body'),
    joint('turn', 'revolute', 'body', 'a', { limits: { lower: -1, upper: 7 } }),
    joint('spin', 'continuous', 'a', 'b'),
    joint('slide', 'prismatic', 'b', 'c', { limits: { lower: 0.1, upper: 0.2 } }),
    joint('follow', 'revolute', 'c', 'd', { mimic: { joint: 'turn', multiplier: 2, offset: 0 } }),
    joint('cart', 'planar', 'world', 'cart'),
    joint('ball', 'spherical', 'cart', 'head'),
  ]),
);

describe('whole configurations', () => {
  it('nq and nv count independent joints only', () => {
    expect([model.nq, model.nv]).toEqual([7 + 1 + 1 + 1 + 4 + 4, 6 + 1 + 1 + 1 + 3 + 3]);
  });

  it('neutral, random, integrate and difference work joint by joint', () => {
    expect([...createNeutralConfiguration(model)]).toEqual([0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    const random = createRandom(3);
    const a = randomConfiguration(new Float64Array(model.nq), model, random);
    const b = randomConfiguration(new Float64Array(model.nq), model, random);
    expect(isWithinLimits(model, a)).toBe(true);
    const v = differenceConfiguration(new Float64Array(model.nv), model, a, b);
    const end = integrateConfiguration(new Float64Array(model.nq), model, a, v);
    expect(distanceConfiguration(model, end, b)).toBeLessThan(1e-13);
    expect(distanceConfiguration(model, a, b)).toBeCloseTo(Math.sqrt(v.reduce((sum, x) => sum + x * x, 0)), 12);
    const half = interpolateConfiguration(new Float64Array(model.nq), model, a, b, 0.5);
    expect(distanceConfiguration(model, a, half)).toBeCloseTo(0.5 * distanceConfiguration(model, a, b), 12);
  });

  it('random repeats with its seed and fills every number', () => {
    const draw = (seed: number): Float64Array =>
      randomConfiguration(new Float64Array(model.nq).fill(Number.NaN), model, createRandom(seed));
    expect(draw(5)).toEqual(draw(5));
    expect(draw(5)).not.toEqual(draw(6));
    expect(draw(5).every(Number.isFinite)).toBe(true);
  });

  it('clamp, normalize and the limits', () => {
    const q = createNeutralConfiguration(model);
    q.set([9, 4, -1], 7);
    expect(isWithinLimits(model, q)).toBe(false);
    const clamped = clampConfiguration(new Float64Array(model.nq), model, q);
    expect([...clamped.slice(7, 10)]).toEqual([7, 4, 0.1]);
    expect(isWithinLimits(model, clamped)).toBe(true);
    expect(isWithinLimits(model, q, 2.5)).toBe(true);
    const normalized = normalizeConfiguration(q, model, q);
    expect(normalized[7]).toBe(9);
    expect(normalized[8]).toBeCloseTo(4 - 2 * Math.PI, 15);
  });

  it('a revolute joint with limits beyond half a turn goes the long way, a continuous one the short way', () => {
    const a = createNeutralConfiguration(model);
    const b = createNeutralConfiguration(model);
    b.set([6, 6], 7);
    const v = differenceConfiguration(new Float64Array(model.nv), model, a, b);
    expect(v[6]).toBe(6);
    expect(v[7]).toBeCloseTo(6 - 2 * Math.PI, 15);
  });

  it('wrong lengths are named', () => {
    const short = new Float64Array(3);
    const q = createNeutralConfiguration(model);
    expect(() => neutralConfiguration(short, model)).toThrow(
      'neutralConfiguration: out of robot "test", got 3 numbers, expected nq = 18',
    );
    expect(() => integrateConfiguration(q, model, q, short)).toThrow(
      'integrateConfiguration: v of robot "test", got 3',
    );
    expect(() => distanceConfiguration(model, q, short)).toThrow('distanceConfiguration: b of robot "test"');
  });
});
