/** Derivatives with pairs and products by the kernel against those in JavaScript: the same bits, also after the memory has grown. */
import { afterEach, describe, expect, it } from 'vitest';
import { useCheckedKernel } from '../kernel/checked-kernel.js';
import { getKernel, useInlinedKernel } from '../kernel/kernel.js';
import { createRandom } from '../math/random.js';
import { createRandomState, createRandomTree } from '../model/random-tree.test-support.js';
import { computeAbaDerivatives } from './aba-derivatives.js';
import { openDerivativeBlock } from './derivative-kernel.js';
import { createDynamicsData, type DynamicsData } from './dynamics-data.js';
import { computeRneaDerivatives } from './rnea-derivatives.js';

const results = ({ dtauDq, dtauDv, ddqDq, ddqDv, inverseM, ddq, tau }: DynamicsData): Float64Array[] =>
  [dtauDq, dtauDv, ddqDq, ddqDv, inverseM, ddq, tau].map((x) => x.slice());

function withoutKernel(data: DynamicsData, compute: () => unknown): Float64Array[] {
  data.derivativeBlock.isRefused = true;
  compute();
  data.derivativeBlock.isRefused = false;
  return results(data);
}

describe.each([
  ['inlined', useInlinedKernel],
  ['checked', useCheckedKernel],
])('derivatives by the %s kernel', (_, useKernel) => {
  afterEach(() => {
    useInlinedKernel();
  });

  it('have the bits of those in JavaScript', () => {
    useKernel();
    let kinds = 0;
    for (let i = 0; i < 10; i++) {
      const model = createRandomTree(900 + i, { joints: 1 + 2 * i, mimic: false });
      const random = createRandom(i);
      const { q, v, a } = createRandomState(model, random);
      const forces = i % 2 ? null : Float64Array.from({ length: 6 * model.jointCount }, () => random.uniform(-5, 5));
      const data = createDynamicsData(model, { armature: new Float64Array(model.nv).fill(0.05) });
      for (const compute of [
        () => computeRneaDerivatives(model, data, q, v, a, forces),
        () => computeAbaDerivatives(model, data, q, v, a, forces),
      ]) {
        const expected = withoutKernel(data, compute);
        compute();
        expect(results(data)).toEqual(expected);
      }
      getKernel().memory.grow(1);
      const before = results(data);
      computeAbaDerivatives(model, data, q, v, a, forces);
      expect(results(data)).toEqual(before);
      const block = openDerivativeBlock(data);
      kinds |= block === null ? 1 : block.addsPairs ? 4 : 2;
    }
    // Without a block, with products alone, with pairs too.
    expect(kinds).toBe(7);
  });
});
