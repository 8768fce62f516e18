/** Analytic derivatives against central differences, on seeded random trees of every joint type, mimic joints included. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { integrateConfiguration } from '../model/configuration.js';
import type { Model } from '../model/model.js';
import { createRandomState, createRandomTree, multiply, relativeError } from '../model/random-tree.test-support.js';
import { aba } from './aba.js';
import { computeAbaDerivatives } from './aba-derivatives.js';
import { createDynamicsData } from './dynamics-data.js';
import { rnea } from './rnea.js';
import { computeRneaDerivatives } from './rnea-derivatives.js';

const H = 1e-5;

/** Columns are central differences of f along unit steps. */
function differences(n: number, f: (step: Float64Array) => ArrayLike<number>): Float64Array {
  const out = new Float64Array(n * n);
  for (let c = 0; c < n; c++) {
    const step = new Float64Array(n);
    step[c] = H;
    const ahead = Float64Array.from(f(step));
    step[c] = -H;
    const behind = f(step);
    for (let r = 0; r < n; r++) out[r * n + c] = (ahead[r] - behind[r]) / (2 * H);
  }
  return out;
}

function moved(model: Model, q: Float64Array, step: Float64Array): Float64Array {
  return integrateConfiguration(new Float64Array(model.nq), model, q, step);
}

const plus = (a: Float64Array, b: Float64Array): Float64Array => a.map((x, i) => x + b[i]);

describe.each([false, true])('derivatives, mimic joints: %s', (mimic) => {
  const cases = Array.from({ length: 25 }, (_, i) => {
    const model = createRandomTree(500 + i, { joints: 2 + (i % 9), mimic });
    const random = createRandom(i);
    const state = createRandomState(model, random);
    const forces = Float64Array.from({ length: 6 * model.jointCount }, () => random.uniform(-5, 5));
    const armature = Float64Array.from({ length: model.nv }, () => random.uniform(0, 0.1));
    return { model, ...state, forces, data: createDynamicsData(model, { armature }) };
  });

  it('of RNEA', () => {
    for (const { model, q, v, a, forces, data } of cases) {
      const n = model.nv;
      const byQ = differences(n, (step) => rnea(model, data, moved(model, q, step), v, a, forces));
      const byV = differences(n, (step) => rnea(model, data, q, plus(v, step), a, forces));
      computeRneaDerivatives(model, data, q, v, a, forces);
      expect(relativeError(data.dtauDq, byQ)).toBeLessThan(1e-8);
      expect(relativeError(data.dtauDv, byV)).toBeLessThan(1e-8);
      // Terms of second degree in v only: Euler's theorem.
      const bias = Float64Array.from(rnea(model, data, q, v, new Float64Array(n)));
      const still = rnea(model, data, q, new Float64Array(n), new Float64Array(n));
      expect(
        relativeError(
          multiply(data.dtauDv, v),
          bias.map((x, i) => 2 * (x - still[i])),
        ),
      ).toBeLessThan(1e-12);
    }
  });

  it('of ABA', () => {
    for (const { model, q, v, a, forces, data } of cases) {
      const n = model.nv;
      const tau = Float64Array.from(a);
      const forward = (p: Float64Array, u: Float64Array, t: Float64Array): Float64Array => {
        aba(model, data, p, u, t, forces);
        return data.ddq;
      };
      const byQ = differences(n, (step) => forward(moved(model, q, step), v, tau));
      const byV = differences(n, (step) => forward(q, plus(v, step), tau));
      const byTau = differences(n, (step) => forward(q, v, plus(tau, step)));
      expect(computeAbaDerivatives(model, data, q, v, tau, forces)).toBe('ok');
      expect(relativeError(data.ddqDq, byQ)).toBeLessThan(1e-6);
      expect(relativeError(data.ddqDv, byV)).toBeLessThan(1e-6);
      expect(relativeError(data.inverseM, byTau)).toBeLessThan(1e-6);
    }
  });
});
