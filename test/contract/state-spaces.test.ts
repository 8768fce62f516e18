/** What every state space promises a planner, over all spaces the package makes. */
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/math/random.js';
import { createTransform } from '../../src/math/transform.js';
import { buildModel } from '../../src/model/build-model.js';
import type { JointType } from '../../src/model/description.js';
import { createConfigurationSpace } from '../../src/planning/configuration-space.js';
import { createHalton } from '../../src/planning/halton.js';
import { createRealVectorSpace } from '../../src/planning/real-vector-space.js';
import type { StateSpace } from '../../src/planning/types.js';

function oneJoint(type: JointType, continuous: 'angle' | 'cos-sin' = 'angle'): StateSpace {
  const { model } = buildModel(
    {
      name: 'one joint',
      links: [{ name: 'a' }, { name: 'b' }],
      joints: [
        {
          name: 'joint',
          type,
          parent: 'a',
          child: 'b',
          origin: createTransform(),
          axis: [0, 0, 1],
          limits: type === 'revolute' || type === 'prismatic' ? { lower: -2, upper: 1 } : undefined,
        },
      ],
    },
    { continuous },
  );
  return createConfigurationSpace(model);
}

/** `metric`: false where the norm of the joint's tangent difference need not obey the triangle inequality. */
const spaces: [string, StateSpace, { metric: boolean }][] = [
  ['real vectors', createRealVectorSpace({ lower: [-1, 0, 5], upper: [1, 3, 5] }), { metric: true }],
  ['weighted', createRealVectorSpace({ lower: [-1, 0], upper: [1, 3], weights: [0.1, 7] }), { metric: true }],
  ['wrapping', createRealVectorSpace({ lower: [-3, 0], upper: [3, 1], wrap: [true, false] }), { metric: true }],
  ['revolute', oneJoint('revolute'), { metric: true }],
  ['prismatic', oneJoint('prismatic'), { metric: true }],
  ['continuous, angle', oneJoint('continuous'), { metric: true }],
  ['continuous, cos and sin', oneJoint('continuous', 'cos-sin'), { metric: true }],
  ['spherical', oneJoint('spherical'), { metric: true }],
  ['planar', oneJoint('planar'), { metric: false }],
  ['floating', oneJoint('floating'), { metric: false }],
];

describe.each(spaces)('%s', (_name, space, { metric }) => {
  const draw = (seed: number, count: number): Float64Array[] => {
    const random = createRandom(seed);
    return Array.from({ length: count }, () => space.sample(new Float64Array(space.dimension), random));
  };

  test('samples lie in bounds, repeat with the seed, and differ between seeds', () => {
    for (const q of draw(1, 200)) expect(space.satisfiesBounds(q), space.explainBounds?.(q)).toBe(true);
    expect(draw(1, 5)).toEqual(draw(1, 5));
    expect(draw(1, 5)).not.toEqual(draw(2, 5));
  });

  test('Halton points sample it too', () => {
    const halton = createHalton(3);
    for (let i = 0; i < 100; i++) {
      const q = space.sample(new Float64Array(space.dimension), halton);
      expect(space.satisfiesBounds(q), space.explainBounds?.(q)).toBe(true);
    }
  });

  test('distance: zero to itself, symmetric, positive, triangle inequality', () => {
    const states = draw(2, 25);
    let self = 0;
    let asymmetry = 0;
    let smallest = Infinity;
    let detourSlack = Infinity;
    for (const a of states) {
      self = Math.max(self, space.distance(a, a));
      for (const b of states) {
        const ab = space.distance(a, b);
        asymmetry = Math.max(asymmetry, Math.abs(ab - space.distance(b, a)));
        if (a !== b) smallest = Math.min(smallest, ab);
        for (const c of states) detourSlack = Math.min(detourSlack, space.distance(a, c) + space.distance(c, b) - ab);
      }
    }
    expect(self).toBeLessThan(1e-7);
    expect(asymmetry).toBeLessThan(1e-10);
    expect(smallest).toBeGreaterThan(0);
    if (metric) expect(detourSlack).toBeGreaterThan(-1e-9);
  });

  test('interpolation: ends, proportional distances, in bounds, out may be an input', () => {
    const states = draw(3, 40);
    for (let i = 1; i < states.length; i++) {
      const a = states[i - 1];
      const b = states[i];
      const out = new Float64Array(space.dimension);
      expect(space.interpolate(out, a, b, 1)).toBe(out);
      expect(out).toEqual(b);
      space.interpolate(out, a, b, 0);
      expect(space.distance(out, a)).toBeLessThan(1e-7);
      const length = space.distance(a, b);
      for (const t of [0.1, 0.25, 0.5, 0.9]) {
        space.interpolate(out, a, b, t);
        expect(space.distance(a, out)).toBeCloseTo(t * length, 7);
        expect(space.distance(out, b)).toBeCloseTo((1 - t) * length, 7);
        expect(space.satisfiesBounds(out), space.explainBounds?.(out)).toBe(true);
        expect(space.interpolate(a.slice(), a, b, t)).toEqual(out);
        const intoA = a.slice();
        expect(space.interpolate(intoA, intoA, b, t)).toEqual(out);
        const intoB = b.slice();
        expect(space.interpolate(intoB, a, intoB, t)).toEqual(out);
      }
    }
  });

  test('a Euclidean scale, where given, gives the distance', () => {
    const scale = space.euclideanScale;
    const states = draw(4, 20);
    for (let i = 1; scale && i < states.length; i++) {
      let sum = 0;
      for (let k = 0; k < space.dimension; k++) sum += (scale[k] * (states[i][k] - states[i - 1][k])) ** 2;
      expect(space.distance(states[i - 1], states[i])).toBeCloseTo(Math.sqrt(sum), 12);
    }
  });

  test('states that are not of the space are out of bounds, with a reason', () => {
    const [q] = draw(5, 1);
    const bad = q.slice();
    bad[space.dimension - 1] = Number.NaN;
    expect(space.satisfiesBounds(bad)).toBe(false);
    expect(space.explainBounds?.(bad)).not.toBe('');
    expect(space.satisfiesBounds(new Float64Array(space.dimension + 1))).toBe(false);
  });
});
