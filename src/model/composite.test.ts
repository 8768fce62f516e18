import { describe, expect, it } from 'vitest';
import { joint, placement, robot } from '../../test/models.js';
import { createRandom } from '../math/random.js';
import { createTransform, multiplyTransform, relativeTransform } from '../math/transform.js';
import { buildModel } from './build-model.js';
import { createNeutralConfiguration, randomConfiguration } from './configuration.js';
import { computeDifferenceJacobian, computeIntegrateJacobian } from './configuration-jacobians.js';
import type { JointDescription } from './description.js';
import { createWholeJoint } from './lay-out-parts.js';
import { findJoint } from './model.js';
import { configurationFromNamed, configurationToNamed } from './named-configuration.js';
import { createRandomTree, relativeError } from './random-tree.test-support.js';

const wrist: JointDescription = joint('wrist', 'composite', 'l1', 'l2', {
  origin: placement([0.3, 0.1, -0.2], [1, 0.2, 0.5]),
  parts: [
    { type: 'continuous', axis: [0, 0, 1], limits: { velocity: 2 } },
    { type: 'prismatic', axis: [1, 0, 0], limits: { lower: -0.1, upper: 0.4 }, origin: placement([0.1, 0.2, 0.3]) },
    { type: 'spherical', origin: placement([0, 0.1, 0], [0.5, 0, 0]) },
  ],
  dynamics: { damping: 3, friction: 0 },
});
const arm = robot([
  joint('hip', 'universal', 'base', 'l1', {
    axis: [1, 0, 0],
    secondAxis: [0, 2, 0],
    limits: { lower: -1, upper: 0.5, effort: 9 },
  }),
  wrist,
  joint('tool', 'revolute', 'l2', 'l3', { axis: [0, 1, 0] }),
]);

describe('composite joints', () => {
  it('are joints of the model one by one, with the name on the last', () => {
    const { model, issues } = buildModel(arm, { continuous: 'cos-sin' });
    expect(issues).toEqual([]);
    expect(model.jointNames).toEqual(['universe', 'hip/1', 'hip', 'wrist/1', 'wrist/2', 'wrist', 'tool']);
    expect([...model.wholeJoints]).toEqual([0, 2, 2, 5, 5, 5, 6]);
    expect([...model.parents]).toEqual([0, 0, 1, 2, 3, 4, 5]);
    expect(model.nq).toBe(2 + 2 + 1 + 4 + 1);
    expect(model.nv).toBe(2 + 1 + 1 + 3 + 1);
    expect([...model.lower.subarray(0, 2), ...model.upper.subarray(0, 2)]).toEqual([-1, -1, 0.5, 0.5]);
    expect([...model.effortLimits.subarray(0, 2)]).toEqual([9, 9]);
    expect([model.lower[4], model.upper[4], model.velocityLimits[2]]).toEqual([-0.1, 0.4, 2]);
    expect(model.linkNames).toEqual(['base', 'l1', 'l2', 'l3']);
    expect(model.frames.filter((frame) => frame.kind === 'joint').map((frame) => frame.name)).toEqual([
      'hip',
      'wrist',
      'tool',
    ]);
    expect([...model.masses.subarray(1)]).toEqual([0, 0, 0, 0, 0, 0]);
    expect(model.jointDescriptions[3]?.dynamics).toEqual({ damping: 3, friction: 0 });
  });

  it('seen as one, are the product of their parts, with the columns of the parts in the last frame', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const model = createRandomTree(seed, { joints: 6, types: ['composite', 'universal', 'revolute'], base: 'fixed' });
      const random = createRandom(seed);
      const q = randomConfiguration(new Float64Array(model.nq), model, random);
      for (let j = 1; j < model.jointCount; j = model.wholeJoints[j] + 1) {
        const { kind, first, last, iq, iv } = createWholeJoint(model, model.wholeJoints[j]);
        expect([first, last]).toEqual([j, model.wholeJoints[j]]);
        let nq = 0;
        const expected = createTransform();
        const columns: number[] = [];
        for (let i = first; i <= last; i++) {
          nq += model.nqs[i];
          const own = createTransform();
          model.jointKinds[i]?.place(own, 0, model.axes, 3 * i, q, model.idxQ[i]);
          if (i > first) multiplyTransform(expected, expected, model.placements.subarray(12 * i, 12 * i + 12));
          multiplyTransform(expected, expected, own);
          columns.push(...model.motionSubspaces.subarray(6 * model.idxV[i], 6 * (model.idxV[i] + model.nvs[i])));
        }
        expect([iq, iv, kind.nq]).toEqual([model.idxQ[j], model.idxV[j], nq]);
        const X = createTransform();
        kind.place(X, 0, model.axes, 3 * last, q, iq);
        expect(relativeError(X, expected)).toBeLessThan(1e-14);
        const S = new Float64Array(6 * kind.nv);
        kind.writeSubspace(S, 0, model.axes, 3 * last, q, iq);
        // The last part's columns are its own.
        const tail = 6 * model.nvs[last];
        expect(relativeError(S.subarray(S.length - tail), columns.slice(-tail))).toBeLessThan(1e-15);
      }
    }
  });

  it('take and give their coordinates by name', () => {
    const { model } = buildModel(arm, { continuous: 'cos-sin' });
    const named = { hip: [0.1, 0.2], wrist: [0.6, 0.8, 0.3, 0, 0, 0, 1], tool: 0.5 };
    const q = configurationFromNamed(model, named);
    expect([...q]).toEqual([0.1, 0.2, 0.6, 0.8, 0.3, 0, 0, 0, 1, 0.5]);
    expect(configurationToNamed(model, q)).toEqual(named);
    const angle = configurationFromNamed(model, { wrist: [Math.PI / 2, 0.3, 0, 0, 0, 1], 'hip/1': 0.7 });
    expect(angle[0]).toBe(0.7);
    expect(angle[3]).toBe(1);
    expect(() => configurationFromNamed(model, { hip: 1 })).toThrow(/joint "hip", got 1 numbers, expected 2/);
    expect(() => configurationFromNamed(model, { wrist: [1, 2] })).toThrow(/expected 7 \(a composite joint\)/);
  });

  it('name what is wrong with them', () => {
    const build = (extra: Partial<JointDescription>) => () =>
      buildModel(robot([{ ...joint('a', 'composite', 'l0', 'l1'), ...extra }]));
    expect(build({})).toThrow(/joint "a", got no parts/);
    expect(build({ type: 'universal' })).toThrow(/universal joint "a", got no secondAxis/);
    expect(build({ parts: [{ type: 'fixed' as 'revolute' }] })).toThrow(/part 1 of joint "a", got type fixed/);
    expect(build({ parts: [{ type: 'revolute', axis: [Number.NaN, 0, 0] }] })).toThrow(/part 1 of joint "a"/);
    expect(build({ type: 'cam' as 'revolute' })).toThrow(/joint type, got cam/);
    const taken = robot([
      joint('a', 'universal', 'l0', 'l1', { secondAxis: [1, 0, 0] }),
      joint('a/1', 'revolute', 'l1', 'l2'),
    ]);
    expect(() => buildModel(taken)).toThrow(/joint "a\/1", got the name of a part of "a"/);
    const { model, issues } = buildModel(
      robot([
        joint('a', 'universal', 'l0', 'l1', { secondAxis: [0, 0, 0] }),
        joint('b', 'revolute', 'l1', 'l2', { mimic: { joint: 'a', multiplier: 1, offset: 0 } }),
      ]),
    );
    expect(issues.map(({ code }) => code)).toEqual(['mimic-type', 'zero-axis']);
    expect(findJoint(model, 'b')).toBe(3);
    expect(() => createWholeJoint(model, 0)).toThrow(/joint, got 0/);
  });
});

describe('Jacobians of whole configurations', () => {
  it('hold each joint in its block, and check their arguments', () => {
    const model = createRandomTree(5, { joints: 12, mimic: true });
    const random = createRandom(5);
    const n = model.nv;
    const a = randomConfiguration(new Float64Array(model.nq), model, random);
    const b = randomConfiguration(new Float64Array(model.nq), model, random);
    const v = Float64Array.from({ length: n }, () => random.uniform(-1, 1));
    const J = new Float64Array(n * n);
    expect(computeIntegrateJacobian(J, model, v, 'v')).toBe(J);
    const owner = new Int32Array(n);
    for (let j = 1; j < model.jointCount; j++) owner.fill(j, model.idxV[j], model.idxV[j] + model.nvs[j]);
    for (let i = 0; i < n * n; i++) {
      if (owner[Math.floor(i / n)] !== owner[i % n]) expect(J[i]).toBe(0);
      else if (Math.floor(i / n) === i % n) expect(J[i]).not.toBe(0);
    }
    // Nothing to move: every derivative is the identity.
    for (const by of ['q', 'v'] as const) {
      computeIntegrateJacobian(J, model, new Float64Array(n), by);
      expect([...J]).toEqual(Array.from(J, (_, i) => (i % (n + 1) === 0 ? 1 : 0)));
    }
    const byA = computeDifferenceJacobian(new Float64Array(n * n), model, b, a, 'a');
    const byB = computeDifferenceJacobian(new Float64Array(n * n), model, a, b, 'b');
    // difference(b, a) = -difference(a, b), whichever of the two places b changes in.
    expect(
      relativeError(
        byA,
        byB.map((x) => -x),
      ),
    ).toBeLessThan(1e-12);
    expect(() => computeIntegrateJacobian(J, model, a.slice(1), 'v')).toThrow(/computeIntegrateJacobian: v/);
    expect(() => computeDifferenceJacobian(J, model, v, b, 'a')).toThrow(/computeDifferenceJacobian: a/);
    expect(() => computeDifferenceJacobian(v, model, a, b, 'a')).toThrow(/computeDifferenceJacobian: out/);
  });
});

it('neutral stands at the parts as they are mounted', () => {
  const { model } = buildModel(robot([wrist]));
  const { kind, iq } = createWholeJoint(model, findJoint(model, 'wrist'));
  const X = createTransform();
  kind.place(X, 0, model.axes, 0, createNeutralConfiguration(model), iq);
  const parts = (wrist.parts ?? []).map((part) => part.origin ?? createTransform());
  const expected = parts.reduce((product, part) => multiplyTransform(createTransform(), product, part));
  expect(relativeError(relativeTransform(createTransform(), expected, X), createTransform())).toBeLessThan(1e-15);
});
