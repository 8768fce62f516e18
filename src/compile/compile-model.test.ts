import { describe, expect, it } from 'vitest';
import { aba } from '../dynamics/aba.js';
import { crba } from '../dynamics/crba.js';
import { createDynamicsData } from '../dynamics/dynamics-data.js';
import { rnea } from '../dynamics/rnea.js';
import { forwardKinematics } from '../kinematics/forward-kinematics.js';
import { createRandom } from '../math/random.js';
import { createRandomState, createRandomTree, relativeError } from '../model/random-tree.test-support.js';
import { compileModel } from './compiled-model.js';

describe('try', () => {
  it.each(Array.from({ length: 40 }, (_, i) => i))('tree %i', (seed) => {
    const model = createRandomTree(seed, { joints: 2 + (seed % 12), mimic: seed % 3 === 0 });
    const compiled = compileModel(model);
    const data = compiled.createData();
    const generic = createDynamicsData(model);
    const random = createRandom(seed);
    const { q, v, a } = createRandomState(model, random);
    forwardKinematics(model, generic.kinematics, q);
    compiled.forwardKinematics(data, q);
    expect(relativeError(data.kinematics.jointPlacements, generic.kinematics.jointPlacements)).toBeLessThan(1e-13);
    expect(relativeError(compiled.rnea(data, q, v, a), rnea(model, generic, q, v, a))).toBeLessThan(1e-12);
    expect(relativeError(compiled.crba(data, q), crba(model, generic, q))).toBeLessThan(1e-12);
    compiled.aba(data, q, v, a);
    aba(model, generic, q, v, a);
    expect(relativeError(data.ddq, generic.ddq)).toBeLessThan(1e-9);
  });
});
