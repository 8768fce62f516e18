import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { JointCurve } from './joint-curve.js';
import { apart, createMixedRobot, derivativeErrors, randomWaypoints } from './trajectories.test-support.js';
import { createTrajectoryPoint } from './trajectory.js';

/** Random pieces of up to five factors with polynomials of degree 5. */
function randomCurve(seed: number, factors: number): JointCurve {
  const model = createMixedRobot();
  const random = createRandom(seed);
  const vector = (size: number, n: number): Float64Array =>
    Float64Array.from({ length: n }, () => random.uniform(-size, size));
  const [base, end] = randomWaypoints(model, 2, seed);
  const terms = Array.from({ length: factors }, () => ({ increment: vector(1, model.nv), polynomial: vector(1, 6) }));
  return new JointCurve(model, [{ length: random.uniform(0.5, 2), base, terms }], end);
}

describe('JointCurve', () => {
  it.each([1, 2, 3, 5])('derivatives of %d factors agree with differences, for every kind of joint', (factors) => {
    for (let seed = 1; seed <= 20; seed++) {
      const curve = randomCurve(seed, factors);
      for (const share of [0.1, 0.5, 0.83]) {
        const { v, a } = derivativeErrors(curve, share * curve.duration);
        expect(v, `seed ${seed}`).toBeLessThan(1e-6);
        expect(a, `seed ${seed}`).toBeLessThan(1e-6);
      }
    }
  });

  it('finds pieces, clamps the parameter, and ends bit for bit', () => {
    const model = createMixedRobot();
    const [a, b] = randomWaypoints(model, 2, 4);
    const term = { increment: new Float64Array(model.nv).fill(0.1), polynomial: [0, 1] };
    const curve = new JointCurve(
      model,
      [
        { length: 0.5, base: a, terms: [term] },
        { length: 0.25, base: b, terms: [term] },
      ],
      b,
    );
    expect([curve.duration, ...curve.breaks]).toEqual([0.75, 0, 0.5, 0.75]);
    expect([0, 0.49, 0.5, 0.75].map((at) => curve.findPiece(at))).toEqual([0, 0, 1, 1]);
    const point = createTrajectoryPoint(model);
    expect([...curve.evaluate(point, 2).q]).toEqual([...b]);
    expect(apart(model, curve.evaluate(point, -1).q, a)).toBeLessThan(1e-15);
    expect(curve.evaluate(point, 0.1).v[0]).toBeCloseTo(0.2, 15);
  });

  it('without pieces stands still', () => {
    const model = createMixedRobot();
    const [q] = randomWaypoints(model, 1, 9);
    const point = new JointCurve(model, [], q).evaluate(createTrajectoryPoint(model), 1);
    expect(point.q).toEqual(q);
    expect(point.v.every((x) => x === 0) && point.a.every((x) => x === 0)).toBe(true);
  });
});
