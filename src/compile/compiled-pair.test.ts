import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { createRandomState, createRandomTree } from '../model/random-tree.test-support.js';
import { compileModelBytes } from './compile-bytes.js';
import { compileModel } from './compiled-model.js';
import { compileModelPair, loadCompiledPair, type Pair, readLane } from './compiled-pair.js';

describe('compiled pairs', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('have in each lane the bits of the scalar module (tree %i)', (seed) => {
    const model = createRandomTree(seed, { joints: 3 + 2 * seed, mimic: seed % 2 === 0 });
    const options = { externalForces: seed > 4 };
    const scalar = compileModel(model, options);
    const data = scalar.createData();
    const pair = compileModelPair(model, options);
    const pairData = pair.createData();
    const random = createRandom(seed);
    const forces = () => Float64Array.from({ length: 6 * model.jointCount }, () => random.uniform(-1, 1));
    for (let k = 0; k < 5; k++) {
      const states = [createRandomState(model, random), createRandomState(model, random)];
      // One of them with an angle that the fast reduction does not serve.
      if (k === 3) states[1].q[0] += 1e7;
      const external: Pair | null = options.externalForces && k > 0 ? [forces(), forces()] : null;
      const of = (name: 'q' | 'v' | 'a'): Pair => [states[0][name], states[1][name]];
      pair.forwardKinematics(pairData, of('q'));
      pair.jointJacobians(pairData, of('q'));
      pair.crba(pairData, of('q'));
      const status = pair.aba(pairData, of('q'), of('v'), of('a'), external);
      const ddq = Float64Array.from(pairData.ddq);
      pair.rnea(pairData, of('q'), of('v'), of('a'), external);
      for (const lane of [0, 1] as const) {
        const { q, v, a } = states[lane];
        const read = (pairs: Float64Array) => readLane(new Float64Array(pairs.length / 2), pairs, lane);
        const own = external === null ? null : external[lane];
        scalar.forwardKinematics(data, q);
        expect(read(pairData.jointPlacements)).toEqual(data.kinematics.jointPlacements);
        expect(read(pairData.jacobians)).toEqual(scalar.jointJacobians(data, q));
        expect(read(pairData.M)).toEqual(scalar.crba(data, q));
        expect(scalar.aba(data, q, v, a, own)).toBe(status);
        expect(read(ddq)).toEqual(data.ddq);
        expect(read(pairData.tau)).toEqual(scalar.rnea(data, q, v, a, own));
      }
    }
  });

  it('come from bytes that were kept, of two lanes and of the same model only', () => {
    const model = createRandomTree(9, { joints: 8 });
    const bytes = compileModelBytes(model, {}, 2);
    const states = [1, 2].map((seed) => createRandomState(model, createRandom(seed)));
    const of = (name: 'q' | 'v' | 'a'): Pair => [states[0][name], states[1][name]];
    const torques = [compileModelPair(model), loadCompiledPair(bytes, model)].map((pair) =>
      pair.rnea(pair.createData(), of('q'), of('v'), of('a')),
    );
    expect(torques[1]).toEqual(torques[0]);
    expect(() => loadCompiledPair(compileModelBytes(model), model)).toThrow(/loadCompiledPair: .*expected/);
    expect(() => loadCompiledPair(bytes, createRandomTree(10, { joints: 8 }))).toThrow(/loadCompiledPair: .*expected/);
  });

  it('read base and gravity from movable data', () => {
    const model = createRandomTree(21, { joints: 6 });
    const pair = compileModelPair(model, { movable: true });
    const pairData = pair.createData();
    const fixed = compileModelPair(model);
    const fixedData = fixed.createData();
    const random = createRandom(21);
    const states = [createRandomState(model, random), createRandomState(model, random)];
    const of = (name: 'q' | 'v' | 'a'): Pair => [states[0][name], states[1][name]];
    const same = pair.rnea(pairData, of('q'), of('v'), of('a'));
    const expected = fixed.rnea(fixedData, of('q'), of('v'), of('a'));
    same.forEach((x, i) => {
      expect(x).toBeCloseTo(expected[i], 10);
    });
    // Gravity off in the second lane only: the first keeps its torques.
    const kept = readLane(new Float64Array(model.nv), same, 0);
    pairData.gravity.set([0, 0, 0], 0);
    for (let i = 0; i < 3; i++) pairData.gravity[2 * i] = i === 2 ? -9.81 : 0;
    const changed = pair.rnea(pairData, of('q'), of('v'), of('a'));
    expect(readLane(new Float64Array(model.nv), changed, 0)).toEqual(kept);
  });

  it('name misuse', () => {
    const model = createRandomTree(2, { joints: 3, base: 'fixed' });
    const pair = compileModelPair(model, { algorithms: ['crba'] });
    const data = pair.createData();
    const { q, v } = createRandomState(model, createRandom(2));
    expect(() => pair.crba(data, [q, []])).toThrow(/crba: q, got \d+ and 0 numbers/);
    expect(() => pair.crba(data, [q, q.map(() => Number.POSITIVE_INFINITY)])).toThrow(/expected finite numbers/);
    expect(() => pair.forwardKinematics(data, [q, q])).toThrow(/got a module compiled for crba/);
    expect(() => compileModelPair(model).crba(data, [q, q])).toThrow(/data of another compiled model/);
    expect(() => readLane(new Float64Array(2), v, 0)).toThrow(/readLane: pairs/);
  });
});
