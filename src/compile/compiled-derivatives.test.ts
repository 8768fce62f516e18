/** Compiled derivatives against the generic functions, which finite differences check. */
import { describe, it } from 'vitest';
import { expect } from '../../test/support/quick-expect.js';
import { computeAbaDerivatives } from '../dynamics/aba-derivatives.js';
import { createDynamicsData } from '../dynamics/dynamics-data.js';
import { computeRneaDerivatives } from '../dynamics/rnea-derivatives.js';
import { createRandom } from '../math/random.js';
import { createRandomState, createRandomTree, relativeError } from '../model/random-tree.test-support.js';
import { compileModel } from './compiled-model.js';

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
});
