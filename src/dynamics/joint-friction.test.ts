import { describe, expect, it } from 'vitest';
import { joint, robot } from '../../test/models.js';
import { createRandom } from '../math/random.js';
import { buildModel } from '../model/build-model.js';
import { createRandomState, createRandomTree, relativeError } from '../model/random-tree.test-support.js';
import { aba } from './aba.js';
import { createDynamicsData } from './dynamics-data.js';
import { readJointFriction } from './joint-friction.js';
import { rnea } from './rnea.js';
import { computeRneaDerivatives } from './rnea-derivatives.js';

describe('joint friction', () => {
  it.each([1, 2, 3, 4])('adds to the torques and is overcome by forward dynamics (tree %i)', (seed) => {
    const model = createRandomTree(seed, { joints: 8, mimic: seed % 2 === 0 });
    const damping = Float64Array.from({ length: model.nv }, (_, i) => 0.1 * i);
    const friction = Float64Array.from({ length: model.nv }, (_, i) => (i % 3) * 0.5);
    const data = createDynamicsData(model, { damping, friction });
    const { q, v, a } = createRandomState(model, createRandom(seed));
    v[0] = 0;
    const free = rnea(model, createDynamicsData(model), q, v, a);
    const expected = free.map((t, i) => t + damping[i] * v[i] + friction[i] * (v[i] > 0 ? 1 : v[i] < 0 ? -1 : 0));
    const tau = Float64Array.from(rnea(model, data, q, v, a));
    expect(relativeError(tau, expected)).toBeLessThan(1e-14);
    expect(aba(model, data, q, v, tau)).toBe('ok');
    expect(relativeError(data.ddq, a)).toBeLessThan(1e-8);
  });

  it('is in the derivative by velocities', () => {
    const model = createRandomTree(5, { joints: 6 });
    const damping = Float64Array.from({ length: model.nv }, (_, i) => 1 + i);
    const [data, free] = [createDynamicsData(model, { damping }), createDynamicsData(model)];
    const { q, v, a } = createRandomState(model, createRandom(5));
    computeRneaDerivatives(model, data, q, v, a);
    computeRneaDerivatives(model, free, q, v, a);
    const expected = free.dtauDv.map((x, i) => x + (i % (model.nv + 1) === 0 ? damping[i % model.nv] : 0));
    expect(relativeError(data.dtauDv, expected)).toBeLessThan(1e-14);
  });

  it('is read from the descriptions of the joints', () => {
    const { model } = buildModel(
      robot(
        [
          { ...joint('a', 'revolute', 'l0', 'l1', {}), dynamics: { damping: 0.5, friction: 0.25 } },
          joint('b', 'prismatic', 'l1', 'l2', {}),
          { ...joint('c', 'spherical', 'l2', 'l3', {}), dynamics: { damping: 2, friction: 0 } },
        ],
        ['l0', 'l1', 'l2', 'l3'].map((name) => ({ name })),
      ),
    );
    const { damping, friction } = readJointFriction(model);
    expect([...damping]).toEqual([0.5, 0, 2, 2, 2]);
    expect([...friction]).toEqual([0.25, 0, 0, 0, 0]);
  });

  it('names misuse', () => {
    const model = createRandomTree(5, { joints: 6 });
    expect(() => createDynamicsData(model, { damping: [1] })).toThrow(/damping, got 1 numbers/);
  });
});
