/** A joint with lower = upper is a fixed joint: the same solutions from the same work. */
import { describe, expect, it } from 'vitest';
import { joint, placement, robot } from '../../test/models.js';
import { computeFramePlacement, updateKinematics } from '../kinematics/forward-kinematics.js';
import { createRandom } from '../math/random.js';
import { createTransform } from '../math/transform.js';
import { buildModel } from '../model/build-model.js';
import { randomConfiguration } from '../model/configuration.js';
import { createData, findFrame, type Model } from '../model/model.js';
import { createIkSolver } from './solve-ik.js';
import { createTracker } from './track.js';

const AXES = [
  [0, 0, 1],
  [0, 1, 0],
  [0, 0, 1],
  [0, -1, 0],
  [0, 0, 1],
  [0, 1, 0],
  [0, 0, 1],
] as const;
const LIFTS = [0.34, 0, 0.4, 0, 0.4, 0, 0.126];

/** Seven joints, some of them locked at 0: by their limits, or as fixed joints. */
function createArm(locked: readonly number[], how: 'limits' | 'fixed'): { model: Model; tool: number } {
  const joints = AXES.map((axis, i) => {
    const isLocked = locked.includes(i);
    const limits = isLocked ? { lower: 0, upper: 0 } : { lower: -2.9, upper: 2.9, velocity: 2 };
    const origin = placement([0, 0, LIFTS[i]]);
    return isLocked && how === 'fixed'
      ? joint(`j${i}`, 'fixed', `l${i}`, `l${i + 1}`, { origin })
      : joint(`j${i}`, 'revolute', `l${i}`, `l${i + 1}`, { axis, limits, origin });
  });
  const { model } = buildModel(
    robot([...joints, joint('tool', 'fixed', 'l7', 'tool', { origin: placement([0, 0, 0.1]) })]),
  );
  return { model, tool: findFrame(model, 'tool') };
}

describe('joints with one value', () => {
  it.each([[[0]], [[2]], [[6]]])('locked %j: inverse kinematics as with fixed joints', (locked) => {
    const [byLimits, byFixing] = [createArm(locked, 'limits'), createArm(locked, 'fixed')];
    const solvers = [byLimits, byFixing].map(({ model, tool }) => createIkSolver(model, tool));
    const data = createData(byFixing.model);
    const random = createRandom(60);
    const q = new Float64Array(byFixing.model.nq);
    for (let n = 0; n < 100; n++) {
      randomConfiguration(q, byFixing.model, random);
      updateKinematics(byFixing.model, data, q);
      const target = computeFramePlacement(createTransform(), byFixing.model, data, byFixing.tool);
      const [own, reference] = solvers.map((solver) => solver.solve({ target, seed: n + 1 }));
      expect(own.status, `target ${n}`).toBe(reference.status);
      expect(own.status, `target ${n}`).toBe('solved');
      expect([own.iterations, own.restarts], `target ${n}`).toEqual([reference.iterations, reference.restarts]);
      expect([...own.q].filter((_, i) => !locked.includes(i))).toEqual([...reference.q]);
    }
  });

  it('tracking moves the others as with a fixed joint', () => {
    const trackers = (['limits', 'fixed'] as const).map((how) => {
      const { model, tool } = createArm([2], how);
      const target = createTransform();
      const q = Float64Array.from({ length: model.nq }, (_, i) => (how === 'limits' && i === 2 ? 0 : 0.3));
      const data = createData(model);
      updateKinematics(model, data, q);
      computeFramePlacement(target, model, data, tool);
      for (let i = 9; i < 12; i++) target[i] += 0.05;
      const tracker = createTracker(model, { levels: [[{ kind: 'pose', frame: tool, target }]], timeStep: 0.01 });
      tracker.reset(q);
      return tracker;
    });
    for (let n = 0; n < 60; n++) {
      const [a, b] = trackers.map((tracker) => tracker.step());
      expect(a).toBe(b);
      const [own, reference] = trackers.map(({ q }) => q);
      [...own.filter((_, i) => i !== 2)].forEach((x, i) => {
        expect(x).toBeCloseTo(reference[i], 9);
      });
    }
  });

  it('takes no random draw', () => {
    const [a, b] = [createArm([1, 4], 'limits'), createArm([1, 4], 'fixed')].map(({ model }) =>
      randomConfiguration(new Float64Array(model.nq), model, createRandom(5)),
    );
    expect([...a].filter((_, i) => i !== 1 && i !== 4)).toEqual([...b]);
  });
});
