import { describe, expect, it } from 'vitest';
import { joint, placement, robot } from '../../test/models.js';
import { createRandom } from '../math/random.js';
import { buildModel } from '../model/build-model.js';
import { createData, findFrame, type Model } from '../model/model.js';
import { createRandomState, createRandomTree } from '../model/random-tree.test-support.js';
import { forwardKinematics } from './forward-kinematics.js';
import { computeFrameJacobian } from './frame-jacobian.js';
import { computeManipulability, createManipulability } from './manipulability.js';

function jacobianAt(model: Model, q: Float64Array, frame: number): Float64Array {
  const data = createData(model);
  forwardKinematics(model, data, q);
  return computeFrameJacobian(new Float64Array(6 * model.nv), model, data, frame, 'local-world-aligned');
}

describe('manipulability', () => {
  it('planar 2R arm: w = l1 l2 |sin q2| in its plane', () => {
    const { model } = buildModel(
      robot([
        joint('a', 'revolute', 'l0', 'l1'),
        joint('b', 'revolute', 'l1', 'l2', { origin: placement([0.7, 0, 0]) }),
        joint('tip', 'fixed', 'l2', 'tip', { origin: placement([0.4, 0, 0]) }),
      ]),
    );
    const out = createManipulability(model.nv, 'linear');
    for (const bend of [0.1, 1, Math.PI / 2, -2]) {
      computeManipulability(out, jacobianAt(model, Float64Array.of(0.3, bend), findFrame(model, 'tip')));
      // Two joints cannot move the tip out of the plane: the ellipsoid is flat.
      expect(out.measure).toBe(0);
      expect(out.conditionNumber).toBe(Number.POSITIVE_INFINITY);
      expect(out.lengths[0] * out.lengths[1]).toBeCloseTo(0.7 * 0.4 * Math.abs(Math.sin(bend)), 14);
      expect(out.lengths[2]).toBe(0);
      for (let k = 0; k < 2; k++) expect(out.axes[3 * k + 2]).toBeCloseTo(0, 14);
    }
    // Stretched out it moves across itself only.
    computeManipulability(out, jacobianAt(model, Float64Array.of(0, 0), findFrame(model, 'tip')));
    expect(Math.abs(out.axes[1])).toBeCloseTo(1, 14);
    expect(out.lengths[0]).toBeCloseTo(Math.hypot(1.1, 0.4), 14);
  });

  it('random trees: axes are orthonormal and J J^T = U diag(s^2) U^T', () => {
    const random = createRandom(6);
    const model = createRandomTree(5, { joints: 8, types: ['revolute', 'prismatic'], base: 'fixed' });
    for (const rows of ['all', 'linear', 'angular'] as const) {
      const out = createManipulability(model.nv, rows);
      const count = rows === 'all' ? 6 : 3;
      for (let round = 0; round < 20; round++) {
        const J = jacobianAt(model, createRandomState(model, random).q, model.frameCount - 1);
        computeManipulability(out, J);
        const from = rows === 'angular' ? 3 : 0;
        for (let r = 0; r < count; r++) {
          for (let c = 0; c < count; c++) {
            let gram = 0;
            for (let k = 0; k < model.nv; k++) gram += J[(from + r) * model.nv + k] * J[(from + c) * model.nv + k];
            let rebuilt = 0;
            let unit = 0;
            for (let k = 0; k < count; k++) {
              rebuilt += out.axes[k * count + r] * out.lengths[k] ** 2 * out.axes[k * count + c];
              unit += out.axes[r * count + k] * out.axes[c * count + k];
            }
            expect(rebuilt).toBeCloseTo(gram, 11);
            if (out.lengths[count - 1] > 1e-9) expect(unit).toBeCloseTo(r === c ? 1 : 0, 12);
          }
        }
        expect(out.measure).toBeCloseTo(
          out.lengths.reduce((a, b) => a * b, 1),
          12,
        );
        expect(out.conditionNumber).toBeGreaterThanOrEqual(1);
      }
    }
    expect(() => computeManipulability(createManipulability(3), new Float64Array(6))).toThrow(
      'got 6 numbers, expected 6 x 3',
    );
  });
});
