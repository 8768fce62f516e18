import { describe, expect, it } from 'vitest';
import { joint, placement, robot } from '../../test/models.js';
import { createRandom } from '../math/random.js';
import { buildModel } from '../model/build-model.js';
import { createNeutralConfiguration, integrateConfiguration, randomConfiguration } from '../model/configuration.js';
import type { ModelDescription } from '../model/description.js';
import { createData, findFrame, setBasePlacement } from '../model/model.js';
import {
  computeFramePlacement,
  forwardKinematics,
  updateFramePlacements,
  updateKinematics,
  updateMovedFramePlacements,
} from './forward-kinematics.js';
import { computeFrameJacobian } from './frame-jacobian.js';

const HALF_PI = Math.PI / 2;

/** Every joint type, axes aligned and not, a mimic joint on another branch than its driver. */
const everything: ModelDescription = robot([
  joint('float', 'floating', 'world', 'body', { origin: placement([0, 0, 1], [0.1, 0.2, 0.3]) }),
  joint('rx', 'revolute', 'body', 'l1', { axis: [1, 0, 0], origin: placement([0.1, 0, 0], [0.4, 0, 1]) }),
  joint('ry', 'revolute', 'l1', 'l2', { axis: [0, 1, 0], origin: placement([0, 0.2, 0], [0, 0.5, 0]) }),
  joint('rz', 'continuous', 'l2', 'l3', { axis: [0, 0, 1], origin: placement([0, 0, 0.3], [0.2, 0.1, 0]) }),
  joint('ru', 'revolute', 'l3', 'l4', { axis: [2, -3, 6], origin: placement([0.1, 0.1, 0.1]) }),
  joint('p', 'prismatic', 'l4', 'l5', { axis: [0, -3, 4], origin: placement([0, 0.1, 0], [1, 0, 0]) }),
  joint('tip', 'fixed', 'l5', 'tool', { origin: placement([0, 0, 0.2], [0, 1, 0]) }),
  joint('cart', 'planar', 'l1', 'cart', { axis: [0, 1, 0] }),
  joint('ball', 'spherical', 'cart', 'head', { origin: placement([0, 0, 0.5]) }),
  joint('follow', 'revolute', 'head', 'end', {
    axis: [1, 0, 0],
    origin: placement([0.3, 0, 0]),
    mimic: { joint: 'ru', multiplier: -1.5, offset: 0.2 },
  }),
  joint('both', 'revolute', 'l5', 'l6', { axis: [0, 1, 0], mimic: { joint: 'ry', multiplier: 0.5, offset: 0 } }),
]);

describe('forward kinematics', () => {
  it('a two-link arm by hand', () => {
    const { model } = buildModel(
      robot([
        joint('a', 'revolute', 'base', 'upper'),
        joint('b', 'revolute', 'upper', 'lower', { origin: placement([1, 0, 0]) }),
        joint('hand', 'fixed', 'lower', 'hand', { origin: placement([1, 0, 0]) }),
      ]),
      { basePlacement: placement([0, 0, 5]) },
    );
    const data = createData(model);
    forwardKinematics(model, data, [HALF_PI, -HALF_PI]);
    updateFramePlacements(model, data);
    const at = 12 * findFrame(model, 'hand', 'link');
    [1, 1, 5].forEach((value, i) => {
      expect(data.framePlacements[at + 9 + i]).toBeCloseTo(value, 15);
    });
    const base = computeFramePlacement(new Float64Array(12), model, data, findFrame(model, 'base'));
    expect([...base.slice(9)]).toEqual([0, 0, 5]);
  });

  it('updateKinematics gives the bits of forwardKinematics and moves only what must move', () => {
    const { model } = buildModel(everything);
    const random = createRandom(1);
    const [full, incremental] = [createData(model), createData(model)];
    const q = randomConfiguration(new Float64Array(model.nq), model, random);
    expect(updateKinematics(model, incremental, q)).toBe(model.jointCount - 1);
    updateFramePlacements(model, incremental);
    expect(updateKinematics(model, incremental, q)).toBe(0);
    for (let n = 0; n < 200; n++) {
      const j = 1 + random.integer(model.jointCount - 1);
      const other = randomConfiguration(new Float64Array(model.nq), model, random);
      const at = model.idxQ[j];
      const width = Math.max(1, model.nqs[j]);
      q.set(other.subarray(at, at + width), at);
      const moved = updateKinematics(model, incremental, q);
      updateMovedFramePlacements(model, incremental);
      forwardKinematics(model, full, q);
      updateFramePlacements(model, full);
      expect(incremental.jointPlacements).toEqual(full.jointPlacements);
      expect(incremental.framePlacements).toEqual(full.framePlacements);
      const driver = model.mimicDrivers[j] || j;
      let expected = 0;
      for (let k = 1; k < model.jointCount; k++) {
        const moves = model.supports[k].some((i) => i === driver || model.mimicDrivers[i] === driver);
        expect(incremental.moved[k]).toBe(moves ? 1 : 0);
        if (moves) expected++;
      }
      expect(moved).toBe(expected);
    }
  });

  it('a moved base moves every joint, and the robot without coordinates too', () => {
    for (const description of [everything, robot([joint('f', 'fixed', 'a', 'b')])]) {
      const { model } = buildModel(description);
      const data = createData(model);
      const q = createNeutralConfiguration(model);
      updateKinematics(model, data, q);
      setBasePlacement(data, placement([1, 2, 3]));
      expect(updateKinematics(model, data, q)).toBe(model.jointCount - 1);
      updateMovedFramePlacements(model, data);
      const last = 12 * (model.frameCount - 1);
      const reference = createData(buildModel(description, { basePlacement: placement([1, 2, 3]) }).model);
      forwardKinematics(model, reference, q);
      updateFramePlacements(model, reference);
      expect(data.framePlacements.slice(last)).toEqual(reference.framePlacements.slice(last));
    }
  });

  it('misuse is named', () => {
    const { model } = buildModel(everything);
    const data = createData(model);
    const q = createNeutralConfiguration(model);
    expect(() => forwardKinematics(model, data, [1])).toThrow(`got 1 numbers, expected nq = ${model.nq}`);
    q[3] = Number.POSITIVE_INFINITY;
    expect(() => forwardKinematics(model, data, q)).toThrow('expected finite numbers');
    expect(() => updateKinematics(model, data, q)).toThrow('expected finite numbers');
    expect(() => computeFramePlacement(new Float64Array(12), model, data, 99)).toThrow('frame, got 99, expected 0 to');
    expect(() => computeFrameJacobian(new Float64Array(3), model, data, 0, 'world')).toThrow('out, got 3 numbers');
    expect(() => computeFrameJacobian(new Float64Array(6 * model.nv), model, data, -1, 'world')).toThrow(
      'frame, got -1',
    );
  });
});

describe('frame Jacobian', () => {
  it.each(['world', 'local', 'local-world-aligned'] as const)(
    '%s: central differences over every joint type',
    (reference) => {
      const { model } = buildModel(everything, { basePlacement: placement([0.3, 0.2, 0.1], [0.3, 0.2, 0.1]) });
      const data = createData(model);
      const random = createRandom(4);
      const J = new Float64Array(6 * model.nv);
      const h = 1e-6;
      for (const name of ['tool', 'end', 'l6', 'head', 'world']) {
        const frame = findFrame(model, name, 'link');
        const q = randomConfiguration(new Float64Array(model.nq), model, random);
        forwardKinematics(model, data, q);
        computeFrameJacobian(J, model, data, frame, reference);
        const X = computeFramePlacement(new Float64Array(12), model, data, frame);
        const support = model.supports[model.frameJoints[frame]];
        expect(support.length > 0 || J.every((x) => x === 0)).toBe(true);
        for (let k = 0; k < model.nv; k++) {
          const v = new Float64Array(model.nv);
          const ends = [-h, h].map((step) => {
            v[k] = step;
            forwardKinematics(model, data, integrateConfiguration(new Float64Array(model.nq), model, q, v));
            return computeFramePlacement(new Float64Array(12), model, data, frame);
          });
          const dX = ends[1].map((value, i) => (value - ends[0][i]) / (2 * h));
          // dR R^T = hat(w) in world axes.
          const W = (r: number, s: number): number =>
            dX[3 * r] * X[3 * s] + dX[3 * r + 1] * X[3 * s + 1] + dX[3 * r + 2] * X[3 * s + 2];
          const w = [W(2, 1), W(0, 2), W(1, 0)];
          let linear = [dX[9], dX[10], dX[11]];
          if (reference === 'world') {
            linear = [
              linear[0] - (w[1] * X[11] - w[2] * X[10]),
              linear[1] - (w[2] * X[9] - w[0] * X[11]),
              linear[2] - (w[0] * X[10] - w[1] * X[9]),
            ];
          }
          const turn = (u: number[]): number[] =>
            reference === 'local' ? [0, 1, 2].map((c) => X[c] * u[0] + X[3 + c] * u[1] + X[6 + c] * u[2]) : u;
          const expected = [...turn(linear), ...turn(w)];
          expected.forEach((value, r) => {
            expect(Math.abs(J[r * model.nv + k] - value)).toBeLessThan(2e-9);
          });
        }
      }
    },
  );
});
