import { describe, it } from 'vitest';
import { joint, placement, robot } from '../../test/models.js';
import { expect } from '../../test/support/quick-expect.js';
import { crba } from '../dynamics/crba.js';
import { createDynamicsData } from '../dynamics/dynamics-data.js';
import { rnea } from '../dynamics/rnea.js';
import { forwardKinematics } from '../kinematics/forward-kinematics.js';
import { createRandom } from '../math/random.js';
import { cos, sin } from '../math/scalar.js';
import { buildModel } from '../model/build-model.js';
import { type Model, setBasePlacement } from '../model/model.js';
import { createRandomState, createRandomTree, relativeError } from '../model/random-tree.test-support.js';
import { compareCompiled, type Errors, keepWorst } from './compare.test-support.js';
import { compileModelBytes } from './compile-bytes.js';
import { compileModel, loadCompiledModel } from './compiled-model.js';
import { compileModelPair } from './compiled-pair.js';

function expectSmall(worst: Errors | null): void {
  expect(worst).not.toBeNull();
  const { abaResidual, genericAbaResidual, ...others } = worst as Errors;
  for (const [name, error] of Object.entries(others)) expect(error, name).toBeLessThan(1e-12);
  expect(abaResidual).toBeLessThan(Math.max(1e-12, 10 * genericAbaResidual));
}

const forces = (model: Model, seed: number) => {
  const random = createRandom(seed);
  return Float64Array.from({ length: 6 * model.jointCount }, () => random.uniform(-5, 5));
};

describe('compiled robots', () => {
  // 1,000 trees: test/oracle/compile.test.ts.
  it.each([0, 1, 2, 3, 4, 5])('equal the generic algorithms on random trees (batch %i)', (batch) => {
    let worst: Errors | null = null;
    for (let i = 0; i < 10; i++) {
      const seed = 10 * batch + i;
      const model = createRandomTree(seed, { joints: 2 + (seed % 14), mimic: seed % 3 === 0 });
      const compiled = compileModel(model);
      const data = compiled.createData();
      const generic = createDynamicsData(model);
      const random = createRandom(seed);
      for (let k = 0; k < 3; k++) {
        worst = keepWorst(worst, compareCompiled(compiled, data, generic, createRandomState(model, random)));
      }
    }
    expectSmall(worst);
  });

  it('follow gravity and base placement from the data, armature, friction and external forces', () => {
    let worst: Errors | null = null;
    for (let seed = 1; seed <= 12; seed++) {
      const model = createRandomTree(seed, { joints: 8, mimic: seed % 4 === 0 });
      const armature = Float64Array.from({ length: model.nv }, (_, i) => 0.01 * i);
      const gravity = [1, -2, 5];
      const damping = armature.map((x) => 3 * x);
      const friction = armature.map((x, i) => (i % 2) * x);
      const options = { armature, damping, friction, gravity };
      const compiled = compileModel(model, { movable: true, externalForces: true, ...options });
      const data = compiled.createData();
      const generic = createDynamicsData(model, options);
      const base = placement([0.3, -2, 1], [1, 2, 3]);
      setBasePlacement(data.kinematics, base);
      setBasePlacement(generic.kinematics, base);
      const state = createRandomState(model, createRandom(seed));
      worst = keepWorst(worst, compareCompiled(compiled, data, generic, state, forces(model, seed)));
      // Forces of the call before do not stay.
      worst = keepWorst(worst, compareCompiled(compiled, data, generic, state));
      data.gravity.set([0, 0, 3]);
      generic.gravity.set([0, 0, 3]);
      worst = keepWorst(worst, compareCompiled(compiled, data, generic, state));
    }
    expectSmall(worst);
  });

  it('have sines and cosines of the bits of math/scalar', () => {
    const { model } = buildModel(
      robot(
        [0, 1, 2].map((i) => joint(`j${i}`, 'continuous', i === 0 ? 'l0' : 'l0', `l${i + 1}`, { axis: [0, 0, 1] })),
        [0, 1, 2, 3].map((i) => ({ name: `l${i}` })),
      ),
    );
    const compiled = compileModel(model, { algorithms: ['forwardKinematics'] });
    const data = compiled.createData();
    const random = createRandom(5);
    const angles = [
      0,
      0.7853981633974483,
      -0.7853981633974484,
      Math.PI / 2,
      Math.PI,
      -Math.PI,
      2 * Math.PI,
      1e22,
      -1e6,
    ];
    angles.push(355 / 113, 6381956970095103 * 2 ** 797, 5e-324, 823549.6655, 2 ** 19 * 1.5707963267948966, 1e-9);
    // Half-way between quarter turns, where rounding to the nearest decides.
    for (let k = -9; k < 9; k++) angles.push(((2 * k + 1) * Math.PI) / 4, (k * Math.PI) / 2 + 1e-15);
    for (let i = 0; i < 3000; i++) angles.push(random.uniform(-1, 1) * 10 ** random.uniform(-3, 7));
    while (angles.length % 3 !== 0) angles.push(1);
    for (let i = 0; i < angles.length; i += 3) {
      const q = angles.slice(i, i + 3);
      compiled.forwardKinematics(data, q);
      q.forEach((angle, k) => {
        const at = 12 * (k + 1);
        expect([data.kinematics.jointPlacements[at], data.kinematics.jointPlacements[at + 3]], `${angle}`).toEqual([
          cos(angle),
          // The zero of an angle -0 or a folded one may have the other sign.
          sin(angle) + 0,
        ]);
      });
    }
  });

  it('give the bits of the operations, whatever the cut of the code', () => {
    const model = createRandomTree(4, { joints: 20 });
    const { q, v, a } = createRandomState(model, createRandom(4));
    const results = [
      { segmentSize: 5, functionSize: 50 },
      { segmentSize: 1e9, functionSize: 1e9 },
    ].map((shape) => {
      const compiled = loadCompiledModel(compileModelBytes(model, {}, 1, shape), model);
      const data = compiled.createData();
      compiled.aba(data, q, v, a);
      return [...compiled.rnea(data, q, v, a), ...compiled.crba(data, q), ...data.ddq];
    });
    expect(results[0]).toEqual(results[1]);
  });

  it('can be kept as bytes, which depend on nothing but the model and the options', () => {
    const model = createRandomTree(7, { joints: 6 });
    const bytes = compileModelBytes(model);
    expect(compileModelBytes(createRandomTree(7, { joints: 6 }))).toEqual(bytes);
    const compiled = loadCompiledModel(bytes.slice(), model);
    const { q } = createRandomState(model, createRandom(7));
    const fromModule = loadCompiledModel(new WebAssembly.Module(bytes), model);
    expect(fromModule.crba(fromModule.createData(), q)).toEqual(compiled.crba(compiled.createData(), q));
    expect(compiled.header.operations.crba).toBeGreaterThan(100);
    expect(() => loadCompiledModel(bytes, createRandomTree(8, { joints: 6 }))).toThrow(/got fingerprint/);
    expect(() => loadCompiledModel(compileModelBytes(model, {}, 2), model)).toThrow(/lanes of the bytes, got 2/);
    const other = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
    expect(() => loadCompiledModel(other, model)).toThrow(/expected a compiled robot/);
  });

  it('share a data with the generic functions', () => {
    const model = createRandomTree(11, { joints: 7, base: 'fixed' });
    const compiled = compileModel(model);
    const data = compiled.createData();
    const { q, v, a } = createRandomState(model, createRandom(11));
    const tau = Float64Array.from(compiled.rnea(data, q, v, a));
    expect(relativeError(rnea(model, data, q, v, a), tau)).toBeLessThan(1e-12);
    const M = Float64Array.from(compiled.crba(data, q));
    expect(relativeError(crba(model, data, q), M)).toBeLessThan(1e-12);
    forwardKinematics(model, data.kinematics, q);
    const placements = Float64Array.from(data.kinematics.jointPlacements);
    data.kinematics.moved.fill(0);
    compiled.forwardKinematics(data, q);
    expect(relativeError(data.kinematics.jointPlacements, placements)).toBeLessThan(1e-13);
    expect([...data.kinematics.moved]).toEqual(new Array(model.jointCount).fill(1));
    expect(data.kinematics.lastConfiguration).toEqual(q);
  });

  it('keep the results of different data apart', () => {
    const model = createRandomTree(12, { joints: 5 });
    const compiled = compileModel(model);
    const [first, second] = [compiled.createData(), compiled.createData()];
    const random = createRandom(12);
    const [a, b] = [createRandomState(model, random), createRandomState(model, random)];
    const kept = Float64Array.from(compiled.crba(first, a.q));
    compiled.crba(second, b.q);
    expect(first.M).toEqual(kept);
    expect(second.M).not.toEqual(kept);
  });

  it('snap numbers next to 0 and 1 on request, with the error that is stated', () => {
    const nearly = placement([0.1, 1e-9, 0.3], [Math.PI / 2 + 1e-8, 0, 0]);
    const { model } = buildModel(
      robot(
        [0, 1, 2].map((i) => joint(`j${i}`, 'revolute', `l${i}`, `l${i + 1}`, { axis: [0, 0, 1], origin: nearly })),
        [0, 1, 2, 3].map((i) => ({ name: `l${i}` })),
      ),
    );
    const exact = compileModel(model);
    const snapped = compileModel(model, { snap: 1e-7 });
    const counts = [exact, snapped].map(({ header }) => header.operations.forwardKinematics as number);
    expect(counts[1]).toBeLessThan(0.8 * counts[0]);
    const q = [0.3, -1, 2];
    const [a, b] = [exact.createData(), snapped.createData()];
    exact.forwardKinematics(a, q);
    snapped.forwardKinematics(b, q);
    let difference = 0;
    a.kinematics.jointPlacements.forEach((x, i) => {
      difference = Math.max(difference, Math.abs(x - b.kinematics.jointPlacements[i]));
    });
    expect(difference).toBeGreaterThan(1e-9);
    expect(difference).toBeLessThan(1e-7 * (3 + 2 * 1));
  });

  it('say what is singular', () => {
    const { model } = buildModel(
      robot([joint('j0', 'revolute', 'l0', 'l1', { axis: [0, 0, 1] })], [{ name: 'l0' }, { name: 'l1' }]),
    );
    const compiled = compileModel(model);
    const data = compiled.createData();
    expect(compiled.aba(data, [0], [0], [1])).toBe('singular');
    expect([...data.ddq]).toEqual([0]);
    const pair = compileModelPair(model);
    const pairData = pair.createData();
    expect(pair.aba(pairData, [[0], [1]], [[0], [0]], [[1], [1]])).toBe('singular');
    expect([...pairData.status]).toEqual([1, 1]);
  });

  it('work for a robot without joints', () => {
    const { model } = buildModel(robot([], [{ name: 'l0' }]));
    const compiled = compileModel(model);
    const data = compiled.createData();
    compiled.forwardKinematics(data, []);
    expect([...data.kinematics.jointPlacements]).toEqual([...model.basePlacement]);
    expect(compiled.rnea(data, [], [], []).length).toBe(0);
    expect(compiled.aba(data, [], [], [])).toBe('ok');
  });

  it('name misuse', () => {
    const model = createRandomTree(3, { joints: 3, base: 'fixed' });
    const compiled = compileModel(model, { algorithms: ['rnea'] });
    const data = compiled.createData();
    const { q, v, a } = createRandomState(model, createRandom(3));
    expect(() => compiled.crba(data, q)).toThrow(/crba: robot .* got a module compiled for rnea/);
    expect(() => compiled.rnea(data, q, v, [...a, 1])).toThrow(/rnea: a, got \d+ numbers/);
    expect(() =>
      compiled.rnea(
        data,
        q,
        v.map(() => Number.NaN),
        a,
      ),
    ).toThrow(/expected finite numbers/);
    expect(() => compiled.rnea(data, q, v, a, forces(model, 1))).toThrow(/expected the option externalForces/);
    expect(() => compileModel(model).rnea(data, q, v, a)).toThrow(/data of another compiled model/);
    setBasePlacement(data.kinematics, placement([1, 0, 0], [0, 0, 0]));
    expect(() => compiled.rnea(data, q, v, a)).toThrow(/expected the option movable/);
    expect(() => compileModel(model, { snap: -1 })).toThrow(/snap, got -1/);
    expect(() => compileModel(model, { gravity: [0, 0] })).toThrow(/gravity, got 2 numbers/);
    expect(() => compileModel(model, { armature: [1] })).toThrow(/armature, got/);
    expect(() => compileModel(model, { algorithms: ['ik' as 'rnea'] })).toThrow(/algorithms, got "ik"/);
    const strange = { ...model, jointKinds: model.jointKinds.map((kind) => kind && { ...kind, name: 'cam' }) };
    expect(() => compileModel(strange as Model)).toThrow(/joint "j1" of robot .* got kind cam/);
  });
});
