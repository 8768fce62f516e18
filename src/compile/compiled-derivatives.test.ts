/** Compiled derivatives against the generic functions, which finite differences check. */
import { describe, it } from 'vitest';
import { joint, robot } from '../../test/models.js';
import { expect } from '../../test/support/quick-expect.js';
import { computeAbaDerivatives } from '../dynamics/aba-derivatives.js';
import { createDynamicsData } from '../dynamics/dynamics-data.js';
import { computeRneaDerivatives } from '../dynamics/rnea-derivatives.js';
import { createRandom } from '../math/random.js';
import { buildModel } from '../model/build-model.js';
import { createRandomState, createRandomTree, relativeError } from '../model/random-tree.test-support.js';
import { compileModel } from './compiled-model.js';
import { compileModelPair, type Pair, readLane } from './compiled-pair.js';

const algorithms = ['rneaDerivatives', 'abaDerivatives'] as const;

describe('compiled derivatives', () => {
  it.each([0, 1, 2, 3])('equal the generic functions on random trees (batch %i)', (batch) => {
    const worst: Record<string, number> = {};
    const record = (name: string, error: number) => {
      worst[name] = Math.max(worst[name] ?? 0, error);
    };
    for (let i = 0; i < 10; i++) {
      const seed = 10 * batch + i;
      const model = createRandomTree(seed, { joints: 1 + (seed % 17), mimic: seed % 8 === 7 });
      const random = createRandom(seed);
      const perVelocity = (scale: number) => Float64Array.from({ length: model.nv }, () => random.uniform(0, scale));
      const options =
        seed % 2 === 0 ? { armature: perVelocity(0.1), damping: perVelocity(1), friction: perVelocity(0.5) } : {};
      const externalForces = seed % 3 === 0;
      const compiled = compileModel(model, { ...options, algorithms, externalForces, movable: seed % 5 === 0 });
      const data = compiled.createData();
      const generic = createDynamicsData(model, options);
      for (let k = 0; k < 3; k++) {
        const { q, v, a } = createRandomState(model, random);
        const forces = externalForces
          ? Float64Array.from({ length: 6 * model.jointCount }, () => random.uniform(-5, 5))
          : null;
        computeRneaDerivatives(model, generic, q, v, a, forces);
        compiled.rneaDerivatives(data, q, v, a, forces);
        for (const name of ['dtauDq', 'dtauDv', 'tau'] as const) {
          record(`RNEA ${name}`, relativeError(data[name], generic[name]));
        }
        expect(computeAbaDerivatives(model, generic, q, v, a, forces)).toBe('ok');
        expect(compiled.abaDerivatives(data, q, v, a, forces)).toBe('ok');
        for (const name of ['ddq', 'dtauDq', 'dtauDv', 'inverseM', 'ddqDq', 'ddqDv'] as const) {
          record(`ABA ${name}`, relativeError(data[name], generic[name]));
        }
      }
    }
    for (const [name, error] of Object.entries(worst)) {
      expect(error, name).toBeLessThan(name.startsWith('RNEA') ? 1e-12 : 1e-9);
    }
  });

  it('are for pairs what they are for one configuration, to rounding', () => {
    let worst = 0;
    for (let seed = 0; seed < 12; seed++) {
      const model = createRandomTree(seed, { joints: 1 + (seed % 12), mimic: seed % 4 === 3 });
      const options = { algorithms, externalForces: true, movable: seed % 2 === 0 };
      const compiled = compileModel(model, options);
      const data = compiled.createData();
      const pair = compileModelPair(model, options);
      const pairData = pair.createData();
      const random = createRandom(seed);
      const states = [createRandomState(model, random), createRandomState(model, random)] as const;
      const forces = states.map(() =>
        Float64Array.from({ length: 6 * model.jointCount }, () => random.uniform(-5, 5)),
      ) as unknown as Pair;
      const both = (name: 'q' | 'v' | 'a'): Pair => [states[0][name], states[1][name]];
      const compare = (names: readonly ('tau' | 'ddq' | 'dtauDq' | 'dtauDv' | 'ddqDq' | 'ddqDv' | 'inverseM')[]) => {
        for (const name of names) {
          const own = readLane(new Float64Array(data[name].length), pairData[name], lane);
          worst = Math.max(worst, relativeError(own, data[name]));
        }
      };
      let lane: 0 | 1 = 0;
      for (lane of [0, 1] as const) {
        const { q, v, a } = states[lane];
        pair.rneaDerivatives(pairData, both('q'), both('v'), both('a'), forces);
        compiled.rneaDerivatives(data, q, v, a, forces[lane]);
        compare(['tau', 'dtauDq', 'dtauDv']);
        expect(pair.abaDerivatives(pairData, both('q'), both('v'), both('a'), forces)).toBe('ok');
        compiled.abaDerivatives(data, q, v, a, forces[lane]);
        compare(['ddq', 'dtauDq', 'dtauDv', 'ddqDq', 'ddqDv', 'inverseM']);
      }
    }
    expect(worst).toBeLessThan(1e-12);
  });

  it('say what is singular, and are then zero', () => {
    const { model } = buildModel(
      robot([joint('j0', 'revolute', 'l0', 'l1', { axis: [0, 0, 1] })], [{ name: 'l0' }, { name: 'l1' }]),
    );
    const compiled = compileModel(model, { algorithms });
    const data = compiled.createData();
    expect(compiled.abaDerivatives(data, [0], [0], [1])).toBe('singular');
    expect([data.ddq[0], data.ddqDq[0], data.ddqDv[0], data.inverseM[0]]).toEqual([0, 0, 0, 0]);
    const pair = compileModelPair(model, { algorithms });
    const pairData = pair.createData();
    expect(pair.abaDerivatives(pairData, [[0], [1]], [[0], [0]], [[1], [1]])).toBe('singular');
    expect([...pairData.status]).toEqual([1, 1]);
  });

  it('are there on request alone, and work for a robot without joints', () => {
    const { model } = buildModel(robot([], [{ name: 'l0' }]));
    const compiled = compileModel(model, { algorithms });
    const data = compiled.createData();
    compiled.rneaDerivatives(data, [], [], []);
    expect(compiled.abaDerivatives(data, [], [], [])).toBe('ok');
    const other = compileModel(model);
    expect(() => other.rneaDerivatives(other.createData(), [], [], [])).toThrow(
      /rneaDerivatives: robot .* got a module/,
    );
  });

  it('share a data with the generic functions', () => {
    const model = createRandomTree(21, { joints: 9 });
    const compiled = compileModel(model, { algorithms });
    const data = compiled.createData();
    const { q, v, a } = createRandomState(model, createRandom(21));
    for (let k = 0; k < 2; k++) {
      expect(compiled.abaDerivatives(data, q, v, a)).toBe('ok');
      const [byPlace, inverse] = [data.ddqDq.slice(), data.inverseM.slice()];
      expect(computeAbaDerivatives(model, data, q, v, a)).toBe('ok');
      expect(relativeError(data.ddqDq, byPlace)).toBeLessThan(1e-9);
      expect(relativeError(data.inverseM, inverse)).toBeLessThan(1e-9);
    }
  });
});
