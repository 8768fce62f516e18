/** RNEA, CRBA and ABA by the kernel against those in JavaScript: the same bits, also after the memory has grown. */
import { afterEach, describe, expect, it } from 'vitest';
import { useCheckedKernel } from '../kernel/checked-kernel.js';
import { getKernel, useInlinedKernel } from '../kernel/kernel.js';
import { forwardKinematics } from '../kinematics/forward-kinematics.js';
import { createRandom } from '../math/random.js';
import type { Model } from '../model/model.js';
import { createRandomState, createRandomTree } from '../model/random-tree.test-support.js';
import { aba } from './aba.js';
import { computeAbaDerivatives } from './aba-derivatives.js';
import { crba } from './crba.js';
import { createDynamicsData, type DynamicsData } from './dynamics-data.js';
import { computeGravity } from './gravity.js';
import { openRecursions } from './recursions.js';
import { computeNonlinearEffects, rnea } from './rnea.js';
import { computeRneaDerivatives } from './rnea-derivatives.js';

const results = (data: DynamicsData): Float64Array[] => {
  const { tau, forces, nonlinearEffects, gravityTorques, M, ddq, dtauDq, dtauDv, ddqDq, ddqDv, inverseM } = data;
  const { jointPlacements } = data.kinematics;
  return [
    tau,
    forces,
    nonlinearEffects,
    gravityTorques,
    M,
    ddq,
    dtauDq,
    dtauDv,
    ddqDq,
    ddqDv,
    inverseM,
    jointPlacements,
  ].map((x) => x.slice());
};

/** What `compute` writes, in JavaScript and by the kernel. */
function computeBoth(model: Model, compute: (data: DynamicsData) => unknown): [Float64Array[], Float64Array[]] {
  const numbers = (factor: number): Float64Array => Float64Array.from({ length: model.nv }, (_, k) => factor * (1 + k));
  const options = { armature: numbers(0.01), damping: numbers(0.3), friction: numbers(0.2), gravity: [1, 2, -9] };
  const script = createDynamicsData(model, options);
  script.recursions.isRefused = true;
  const kernel = createDynamicsData(model, options);
  kernel.recursions.calls = 1e9;
  script.derivativeBlock.isRefused = true;
  compute(script);
  compute(kernel);
  return [results(script), results(kernel)];
}

describe.each([
  ['inlined', useInlinedKernel],
  ['checked', useCheckedKernel],
])('recursions by the %s kernel', (_, useKernel) => {
  afterEach(() => {
    useInlinedKernel();
  });

  it('have the bits of those in JavaScript', () => {
    useKernel();
    for (let i = 0; i < 8; i++) {
      const model = createRandomTree(300 + i, { joints: 1 + 3 * i, mimic: false });
      const random = createRandom(i);
      const { q, v, a } = createRandomState(model, random);
      // Rest and half turns: signs of zero, and angles that the short reduction may leave to JavaScript.
      const still = new Float64Array(model.nv);
      const half = q.map((x) => (Math.abs(x) <= 1 ? x : Math.PI));
      const huge = Float64Array.from(q, (x) => 1e7 * x);
      for (const angles of [q, half, huge]) {
        for (const rate of [v, still]) {
          if (angles !== q && rate === still) continue;
          const [script, kernel] = computeBoth(model, (data) => {
            rnea(model, data, angles, rate, a);
            computeNonlinearEffects(model, data, angles, rate);
            computeGravity(model, data, angles);
            computeRneaDerivatives(model, data, angles, rate, a);
            crba(model, data, angles);
            aba(model, data, angles, rate, a);
            computeAbaDerivatives(model, data, angles, rate, a);
          });
          expect(kernel).toEqual(script);
        }
      }
    }
  });

  it('go on when the memory has grown, and leave kinematics as forward kinematics does', () => {
    useKernel();
    const model = createRandomTree(77, { joints: 9, mimic: false });
    const { q, v, a } = createRandomState(model, createRandom(5));
    const data = createDynamicsData(model);
    data.recursions.calls = 1e9;
    const before = aba(model, data, q, v, a) && data.ddq.slice();
    getKernel().memory.grow(1);
    aba(model, data, q, v, a);
    expect(data.ddq).toEqual(before);
    const { kinematics } = createDynamicsData(model);
    forwardKinematics(model, kinematics, q);
    expect(data.kinematics.jointPlacements).toEqual(kinematics.jointPlacements);
    expect(data.kinematics.lastConfiguration).toEqual(kinematics.lastConfiguration);
  });
});

it('the first calls, robots with mimic joints and other models of the same size are left to JavaScript', () => {
  const model = createRandomTree(4, { joints: 5, mimic: false });
  const data = createDynamicsData(model);
  expect(openRecursions(model, data)).toBe(null);
  data.recursions.calls = 1e9;
  expect(openRecursions(model, data)?.model).toBe(model);
  const same = createRandomTree(4, { joints: 5, mimic: false });
  expect(openRecursions(same, data)?.model).toBe(same);
  for (let seed = 0; seed < 20; seed++) {
    const other = createRandomTree(seed, { joints: 6, mimic: true });
    const held = createDynamicsData(other);
    held.recursions.calls = 1e9;
    expect(openRecursions(other, held) === null).toBe(held.hasMimic);
  }
});
