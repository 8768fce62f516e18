import { describe, expect, it } from 'vitest';
import { joint, robot } from '../../test/models.js';
import { createRandom } from '../math/random.js';
import { buildModel } from './build-model.js';
import { isWithinLimits, randomConfiguration } from './configuration.js';
import { clampToLimits, describeLimitViolations, LIMIT_TOLERANCE } from './limit-tolerance.js';

/** Half a turn as robots' files print it. */
const PRINTED = Number('-3.14159');
const turn = { lower: -2 * Math.PI, upper: 2 * Math.PI };
const { model: six } = buildModel(
  robot(
    Array.from({ length: 6 }, (_, i) =>
      joint(`j${i}`, 'revolute', `l${i}`, `l${i + 1}`, {
        limits: i === 2 ? { lower: -Math.PI, upper: Math.PI } : turn,
      }),
    ),
  ),
);

describe('describeLimitViolations', () => {
  it('names every joint beyond its limits, by how much, and suspects degrees', () => {
    const report = describeLimitViolations(six, [0, -90, 90, 0, 0, 0]);
    expect(report.violations.map(({ joint, excess }) => [joint, excess])).toEqual([
      ['j1', 90 - 2 * Math.PI],
      ['j2', 90 - Math.PI],
    ]);
    expect(report.looksLikeDegrees).toBe(true);
    expect(report.message).toMatch(/"j1" = -90 is beyond its lower limit -6\.28.*by 83\.72.*degrees/);
  });

  it('suspects no degrees where the values are no good as degrees either, or small', () => {
    expect(describeLimitViolations(six, [0, -90, 400, 0, 0, 0]).looksLikeDegrees).toBe(false);
    expect(describeLimitViolations(six, [0, -6.5, 0, 0, 0, 0]).looksLikeDegrees).toBe(true);
    expect(describeLimitViolations(six, [0, 1, 3.3, 0, 0, 0]).looksLikeDegrees).toBe(false);
    expect(describeLimitViolations(six, [0, 1, 3, 0, 0, 0]).message).toBe('');
  });

  it('suspects whole degrees of wheels and none of shifts', () => {
    const { model } = buildModel(
      robot([
        joint('wheel', 'continuous', 'a', 'b'),
        joint('rail', 'prismatic', 'b', 'c', { limits: { lower: 0, upper: 50 } }),
      ]),
    );
    expect(describeLimitViolations(model, [90, 20]).looksLikeDegrees).toBe(true);
    expect(describeLimitViolations(model, [90.25, 20]).looksLikeDegrees).toBe(false);
    expect(describeLimitViolations(model, [1, 60]).looksLikeDegrees).toBe(false);
    expect(describeLimitViolations(model, [1, 60]).violations).toHaveLength(1);
  });

  it('refuses what is no configuration', () => {
    expect(() => describeLimitViolations(six, [0, 1])).toThrow(/got 2 numbers, expected 6/);
    expect(() => describeLimitViolations(six, [0, Number.NaN, 0, 0, 0, 0])).toThrow(/"j1", got NaN/);
    expect(() => describeLimitViolations(six, new Float64Array(6), -1)).toThrow(/tolerance, got -1/);
  });
});

describe('clampToLimits', () => {
  it('moves the last digits of a limit onto it and leaves the rest', () => {
    const { model } = buildModel(
      robot([
        joint('a', 'revolute', 'l0', 'l1', { limits: { lower: PRINTED, upper: -PRINTED } }),
        joint('b', 'revolute', 'l1', 'l2', { limits: { lower: -1, upper: 1 } }),
      ]),
    );
    const out = new Float64Array(2);
    const report = clampToLimits(out, model, [-Math.PI, 1.1]);
    expect([...out]).toEqual([PRINTED, 1.1]);
    expect(report.rounded.map(({ joint }) => joint)).toEqual(['a']);
    expect(report.violations.map(({ joint }) => joint)).toEqual(['b']);
  });

  it('gives a configuration inside the limits whenever nothing is violated, random excesses', () => {
    const random = createRandom(64);
    const q = new Float64Array(6);
    for (let n = 0; n < 1000; n++) {
      randomConfiguration(q, six, random);
      const i = Math.floor(6 * random.next());
      const excess = 3 * LIMIT_TOLERANCE * random.next();
      q[i] = random.next() < 0.5 ? six.upper[i] + excess : six.lower[i] - excess;
      const { violations, rounded } = clampToLimits(q, six, q);
      expect(violations.length + rounded.length, `draw ${n}`).toBe(1);
      expect(isWithinLimits(six, q), `draw ${n}, excess ${excess}`).toBe(violations.length === 0);
      if (Math.abs(excess - LIMIT_TOLERANCE) > 1e-9)
        expect(violations.length, `draw ${n}, excess ${excess}`).toBe(excess > LIMIT_TOLERANCE ? 1 : 0);
    }
  });
});
