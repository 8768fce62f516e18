import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { createRandomState, createRandomTree, multiply, relativeError } from '../model/random-tree.test-support.js';
import { createDynamicsData } from './dynamics-data.js';
import { computeRegressor } from './regressor.js';
import { rnea } from './rnea.js';

describe.each([false, true])('torque regressor, mimic joints: %s', (mimic) => {
  it('times the parameters is inverse dynamics', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const model = createRandomTree(seed, { joints: 1 + (seed % 20), mimic });
      const data = createDynamicsData(model, { gravity: [1, 2, -9] });
      const { q, v, a } = createRandomState(model, createRandom(seed));
      const parameters = data.bodyInertias.subarray(10);
      const Y = computeRegressor(new Float64Array(model.nv * parameters.length), model, data, q, v, a);
      expect(relativeError(multiply(Y, parameters), rnea(model, data, q, v, a))).toBeLessThan(1e-12);
    }
  });

  it('names a matrix of the wrong size', () => {
    const model = createRandomTree(1, { joints: 2, base: 'fixed', types: ['revolute'] });
    const data = createDynamicsData(model);
    expect(() => computeRegressor(new Float64Array(3), model, data, [0, 0], [0, 0], [0, 0])).toThrow(
      'expected a Float64Array of 2 x 20',
    );
  });
});
