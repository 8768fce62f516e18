import { describe, expect, it } from 'vitest';
import { forwardKinematics, updateFramePlacements } from '../../src/kinematics/forward-kinematics.js';
import { createRandom } from '../../src/math/random.js';
import { buildModel } from '../../src/model/build-model.js';
import { clampConfiguration, isWithinLimits, randomConfiguration } from '../../src/model/configuration.js';
import { createData } from '../../src/model/model.js';
import { joint, robot } from '../models.js';

describe('continuous and revolute limits', () => {
  it('U093: a continuous joint without limits samples finite angles within a turn', () => {
    const { model } = buildModel(robot([joint('c', 'continuous', 'base', 'tip')]));
    expect([model.lower[0], model.upper[0]]).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
    const data = createData(model);
    const random = createRandom(93);
    const q = new Float64Array(1);
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let n = 0; n < 1000; n++) {
      randomConfiguration(q, model, random);
      expect(Number.isFinite(q[0]) && Math.abs(q[0]) <= Math.PI).toBe(true);
      least = Math.min(least, q[0]);
      most = Math.max(most, q[0]);
      forwardKinematics(model, data, q);
      updateFramePlacements(model, data);
      expect(data.framePlacements.every(Number.isFinite)).toBe(true);
    }
    expect(least).toBeLessThan(-3);
    expect(most).toBeGreaterThan(3);
  });

  it('U095, U099: limits are part of the model and of clamping, so that solvers can honour them', () => {
    const { model } = buildModel(
      robot([
        joint('q1', 'revolute', 'base', 'upper'),
        joint('q2', 'revolute', 'upper', 'lower', { limits: { lower: 0.2, upper: 2.5 } }),
      ]),
    );
    const straight = Float64Array.of(0, 0);
    expect(isWithinLimits(model, straight)).toBe(false);
    expect([...clampConfiguration(new Float64Array(2), model, straight)]).toEqual([0, 0.2]);
  });
});
