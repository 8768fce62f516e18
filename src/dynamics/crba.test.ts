import { describe, expect, it } from 'vitest';
import { inertial, joint, robot } from '../../test/models.js';
import { forwardKinematics } from '../kinematics/forward-kinematics.js';
import { transformSpatialInertia } from '../math/inertia.js';
import { createRandom } from '../math/random.js';
import { invertTransform, multiplyTransform } from '../math/transform.js';
import { buildModel } from '../model/build-model.js';
import { createRandomState, createRandomTree, multiply, relativeError } from '../model/random-tree.test-support.js';
import { aba } from './aba.js';
import { crba } from './crba.js';
import { createDynamicsData } from './dynamics-data.js';
import { factorizeInertia, solveInertia } from './factorize-inertia.js';
import { computeGravity } from './gravity.js';
import { computeInverseInertia } from './inverse-inertia.js';
import { rnea } from './rnea.js';

/** A point mass 2 kg, 0.5 m out on a massless arm turning about a horizontal axis. */
const pendulum = buildModel(
  robot(
    [joint('j', 'revolute', 'base', 'bob', { axis: [0, 1, 0] })],
    ['base', { name: 'bob', inertial: inertial(2, [0, 0, 0], [0.5, 0, 0]) }],
  ),
).model;

describe('pendulum by hand', () => {
  it('inertia m l^2, gravity torque m g l, acceleration g / l', () => {
    const data = createDynamicsData(pendulum);
    expect(crba(pendulum, data, [0.3])[0]).toBeCloseTo(0.5, 15);
    // Horizontal: gravity turns +x down, about +y.
    expect(computeGravity(pendulum, data, [0])[0]).toBeCloseTo(-2 * 9.81 * 0.5, 14);
    expect(computeGravity(pendulum, data, [Math.PI / 2])[0]).toBeCloseTo(0, 14);
    expect(aba(pendulum, data, [0], [3], [0])).toBe('ok');
    expect(data.ddq[0]).toBeCloseTo(9.81 / 0.5, 13);
    expect(
      rnea(pendulum, data, [0], [0], [1], [0, 0, 0, 0, 0, 0, 0, 0, 2 * 9.81, 0, -0.5 * 2 * 9.81, 0])[0],
    ).toBeCloseTo(0.5 - 2 * 9.81 * 0.5 + 0.5 * 2 * 9.81, 13);
  });

  it('armature adds to the diagonal; gravity is an option', () => {
    const data = createDynamicsData(pendulum, { armature: [0.25], gravity: [0, 0, 0] });
    expect(crba(pendulum, data, [0])[0]).toBeCloseTo(0.75, 15);
    expect(rnea(pendulum, data, [0], [0], [2])[0]).toBeCloseTo(1.5, 15);
    expect(aba(pendulum, data, [0], [0], [1.5])).toBe('ok');
    expect(data.ddq[0]).toBeCloseTo(2, 14);
  });
});

describe("inertia of subtrees in their joints' frames", () => {
  it('is the sum of what math/inertia.ts gives', () => {
    const model = createRandomTree(3, { joints: 12 });
    const data = createDynamicsData(model);
    const { q } = createRandomState(model, createRandom(3));
    crba(model, data, q);
    forwardKinematics(model, data.kinematics, q);
    const placements = data.kinematics.jointPlacements;
    const moved = new Float64Array(10);
    for (let j = 1; j < model.jointCount; j++) {
      const sum = new Float64Array(10);
      const X_JW = invertTransform(new Float64Array(12), placements.subarray(12 * j, 12 * j + 12));
      for (let k = j; k < model.subtreeEnds[j]; k++) {
        const X = multiplyTransform(new Float64Array(12), X_JW, placements.subarray(12 * k, 12 * k + 12));
        transformSpatialInertia(moved, X, data.bodyInertias.subarray(10 * k, 10 * k + 10));
        for (let i = 0; i < 10; i++) sum[i] += moved[i];
      }
      expect(relativeError(data.compositeInertias.subarray(10 * j, 10 * j + 10), sum)).toBeLessThan(1e-13);
    }
  });
});

describe('factors of the inertia matrix', () => {
  it.each([false, true])('solve M x = b, and keep the sparsity of the tree (mimic joints: %s)', (mimic) => {
    for (let seed = 1; seed <= 40; seed++) {
      const model = createRandomTree(seed, { joints: 15, mimic });
      const data = createDynamicsData(model);
      const { q, v } = createRandomState(model, createRandom(seed));
      const n = model.nv;
      crba(model, data, q);
      expect(factorizeInertia(data.factors, data.M, n, data.factorParents)).toBe(true);
      const x = solveInertia(Float64Array.from(v), 1, data.factors, n, data.factorParents);
      expect(relativeError(multiply(data.M, x), v)).toBeLessThan(1e-10);
      let outside = 0;
      for (let i = 0; i < n; i++) {
        const ancestors = new Set<number>([i]);
        for (let k = data.factorParents[i]; k >= 0; k = data.factorParents[k]) ancestors.add(k);
        for (let k = 0; k < i; k++) if (!ancestors.has(k) && data.factors[i * n + k] !== 0) outside++;
      }
      expect(outside).toBe(0);
    }
  });
});

describe('a joint that moves no mass', () => {
  const model = buildModel(
    robot(
      [joint('a', 'revolute', 'base', 'arm'), joint('b', 'revolute', 'arm', 'empty')],
      ['base', { name: 'arm', inertial: inertial(1, [1, 1, 1]) }, 'empty'],
    ),
  ).model;

  it('is reported, and gets no acceleration', () => {
    const data = createDynamicsData(model);
    expect(aba(model, data, [0, 0], [1, 2], [3, 0])).toBe('singular');
    expect([...data.ddq]).toEqual([3, 0]);
    expect(computeInverseInertia(model, data, [0, 0])).toBe('singular');
    expect([...data.inverseM]).toEqual([0, 0, 0, 0]);
  });

  it('moves once it has armature', () => {
    const data = createDynamicsData(model, { armature: [0, 0.5] });
    expect(aba(model, data, [0, 0], [1, 2], [3, 1])).toBe('ok');
    expect([...data.ddq]).toEqual([3, 2]);
  });
});

describe('misuse', () => {
  it('is named', () => {
    const data = createDynamicsData(pendulum);
    expect(() => rnea(pendulum, data, [0], [0, 1], [0])).toThrow('rnea: v, got 2 numbers, expected 1');
    expect(() => aba(pendulum, data, [0], [0], [Number.NaN])).toThrow('aba: tau, got [NaN], expected finite numbers');
    expect(() => rnea(pendulum, data, [0], [0], [0], [1, 2, 3])).toThrow(
      'externalForces, got an array of 3, expected 12',
    );
    expect(() => createDynamicsData(pendulum, { gravity: [0, 0] })).toThrow('gravity, got 2 numbers, expected 3');
    expect(() => createDynamicsData(pendulum, { armature: [1, 2] })).toThrow('armature, got 2 numbers, expected 1');
  });
});
