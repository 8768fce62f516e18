import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { createData } from '../model/model.js';
import { createRandomState, createRandomTree, relativeError } from '../model/random-tree.test-support.js';
import { forwardKinematics } from './forward-kinematics.js';
import { computeFrameJacobian } from './frame-jacobian.js';
import { computeJointJacobians } from './joint-jacobians.js';

describe('Jacobian of all joints', () => {
  it.each([1, 2, 3, 4, 5, 6])('has the columns of every frame (tree %i)', (seed) => {
    const model = createRandomTree(seed, { joints: 14 });
    const data = createData(model);
    forwardKinematics(model, data, createRandomState(model, createRandom(seed)).q);
    const all = computeJointJacobians(new Float64Array(6 * model.nv).fill(Number.NaN), model, data);
    const frameJacobian = new Float64Array(6 * model.nv);
    for (let f = 0; f < model.frameCount; f++) {
      computeFrameJacobian(frameJacobian, model, data, f, 'world');
      const moved = new Set<number>();
      for (const j of model.supports[model.frameJoints[f]]) {
        for (let k = 0; k < model.nvs[j]; k++) moved.add(model.idxV[j] + k);
      }
      const expected = Array.from(all, (x, i) => (moved.has(i % model.nv) ? x : 0));
      expect(relativeError(frameJacobian, expected)).toBeLessThan(1e-13);
    }
  });

  it('adds mimic joints to the columns of their drivers', () => {
    // On a chain the last frame sees every joint.
    const model = createRandomTree(9, { joints: 12, mimic: true, types: ['revolute', 'prismatic'], base: 'floating' });
    expect(model.mimicDrivers.some((driver) => driver > 0)).toBe(true);
    const data = createData(model);
    forwardKinematics(model, data, createRandomState(model, createRandom(9)).q);
    const all = computeJointJacobians(new Float64Array(6 * model.nv), model, data);
    // Sum over joints of what each adds, from the frame Jacobians of a joint's own frame less those of its parent's.
    const expected = new Float64Array(6 * model.nv);
    const own = new Float64Array(6 * model.nv);
    for (let j = 1; j < model.jointCount; j++) {
      for (const [joint, sign] of [
        [j, 1],
        [model.parents[j], -1],
      ]) {
        if (joint === 0) continue;
        const frame = model.frameJoints.indexOf(joint);
        computeFrameJacobian(own, model, data, frame, 'world');
        for (let i = 0; i < own.length; i++) expected[i] += sign * own[i];
      }
    }
    expect(relativeError(all, expected)).toBeLessThan(1e-12);
  });

  it('says what a wrong output is', () => {
    const model = createRandomTree(1, { joints: 3 });
    expect(() => computeJointJacobians(new Float64Array(5), model, createData(model))).toThrow(
      /computeJointJacobians: out, got 5 numbers/,
    );
  });
});
