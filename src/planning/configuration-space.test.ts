import { describe, expect, test } from 'vitest';
import { createRandom } from '../math/random.js';
import { createTransform } from '../math/transform.js';
import { buildModel } from '../model/build-model.js';
import { distanceConfiguration, interpolateConfiguration } from '../model/configuration.js';
import type { JointDescription, JointType, ModelDescription } from '../model/description.js';
import { createConfigurationSpace } from './configuration-space.js';

function chain(...types: JointType[]): ModelDescription {
  const joints = types.map(
    (type, i): JointDescription => ({
      name: `joint${i}`,
      type,
      parent: `link${i}`,
      child: `link${i + 1}`,
      origin: createTransform(),
      axis: [0, 0, 1],
      limits: type === 'revolute' || type === 'prismatic' ? { lower: -1, upper: 2 } : undefined,
    }),
  );
  return {
    name: 'chain',
    links: types.map((_, i) => ({ name: `link${i}` })).concat({ name: `link${types.length}` }),
    joints,
  };
}

describe('configuration space', () => {
  test('all joints: measures and interpolates as the model does', () => {
    const { model } = buildModel(chain('revolute', 'continuous', 'spherical', 'planar'), { base: 'floating' });
    const space = createConfigurationSpace(model);
    expect(space.dimension).toBe(model.nq);
    expect(space.euclideanScale).toBeUndefined();
    const random = createRandom(3);
    const [a, b, m, n] = [0, 1, 2, 3].map(() => new Float64Array(model.nq));
    for (let i = 0; i < 50; i++) {
      space.sample(a, random);
      space.sample(b, random);
      expect(space.satisfiesBounds(a), space.explainBounds?.(a)).toBe(true);
      expect(space.distance(a, b)).toBeCloseTo(distanceConfiguration(model, a, b), 12);
      expect(space.interpolate(m, a, b, 0.3)).toEqual(interpolateConfiguration(n, model, a, b, 0.3));
    }
  });

  test('some joints, in the order given', () => {
    const { model } = buildModel(chain('revolute', 'prismatic', 'revolute'));
    const space = createConfigurationSpace(model, { indices: [2, 0], weights: [2, 3] });
    expect(space.dimension).toBe(2);
    expect(space.euclideanScale).toEqual(Float64Array.of(2, 3));
    expect(space.distance(Float64Array.of(0, 0), Float64Array.of(1.5, 4 / 3))).toBe(5);
  });

  test('bounds are explained with the name of the joint', () => {
    const { model } = buildModel(chain('revolute', 'spherical'));
    const space = createConfigurationSpace(model);
    expect(space.explainBounds?.(Float64Array.of(3, 0, 0, 0, 1))).toBe('joint "joint0" is 3, its limits are -1 to 2');
    expect(space.explainBounds?.(Float64Array.of(0, 0, 0, 0, 2))).toBe(
      'joint "joint1" has a quaternion of length 2, expected 1',
    );
    expect(space.explainBounds?.(Float64Array.of(Number.NaN, 0, 0, 0, 1))).toMatch(/joint0.*finite/);
    expect(space.explainBounds?.(Float64Array.of(0))).toBe('has 1 numbers, expected 5');
    expect(space.satisfiesBounds(Float64Array.of(2, 0, 0, 0, 1))).toBe(true);
  });

  test('misuse throws', () => {
    const { model } = buildModel(chain('revolute', 'spherical'));
    expect(() => createConfigurationSpace(model, { indices: [9] })).toThrow(/got 9, expected 0 to 4/);
    expect(() => createConfigurationSpace(model, { indices: [0, 0] })).toThrow(/twice/);
    expect(() => createConfigurationSpace(model, { indices: [1, 2] })).toThrow(/part of its 4 coordinates/);
    expect(() => createConfigurationSpace(model, { weights: [1] })).toThrow(/weight of joint "joint1"/);
  });
});
