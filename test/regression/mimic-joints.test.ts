import { describe, expect, it } from 'vitest';
import { computeFramePlacement, forwardKinematics } from '../../src/kinematics/forward-kinematics.js';
import { logSo3 } from '../../src/math/so3.js';
import { buildModel } from '../../src/model/build-model.js';
import { createData, findFrame } from '../../src/model/model.js';
import { configurationFromNamed, mimicValue } from '../../src/model/named-configuration.js';
import { joint, robot } from '../models.js';

/** Angle of a link about z. */
function angleOf(model: ReturnType<typeof buildModel>['model'], q: Float64Array, link: string): number {
  const data = createData(model);
  forwardKinematics(model, data, q);
  return logSo3(
    new Float64Array(3),
    computeFramePlacement(new Float64Array(12), model, data, findFrame(model, link)),
  )[2];
}

describe('mimic joints', () => {
  it.each(['angle', 'cos-sin'] as const)('U087: a continuous joint mimics another (%s)', (continuous) => {
    const { model, issues } = buildModel(
      robot([
        joint('a', 'continuous', 'base', 'la'),
        joint('b', 'continuous', 'base', 'lb', { mimic: { joint: 'a', multiplier: -2, offset: 0.1 } }),
      ]),
      { continuous },
    );
    expect(issues).toEqual([]);
    expect([model.nq, model.nv]).toEqual([1, 1]);
    const q = configurationFromNamed(model, { a: 0.5, b: -0.9 });
    expect(mimicValue(model, q, 2)).toBeCloseTo(-0.9, 15);
    expect(angleOf(model, q, 'la')).toBeCloseTo(0.5, 15);
    expect(angleOf(model, q, 'lb')).toBeCloseTo(-0.9, 15);
  });

  it('U089: a joint mimics one that is defined further down', () => {
    const { model, issues } = buildModel(
      robot([
        joint('early', 'revolute', 'base', 'le', { mimic: { joint: 'late', multiplier: 3, offset: 0 } }),
        joint('late', 'revolute', 'base', 'll'),
      ]),
    );
    expect(issues).toEqual([]);
    expect(model.nq).toBe(1);
    const q = configurationFromNamed(model, { late: 0.2 });
    expect(angleOf(model, q, 'le')).toBeCloseTo(0.6, 15);
    expect(angleOf(model, q, 'll')).toBeCloseTo(0.2, 15);
  });

  it('U091: limit vectors and joint numbers count independent joints only', () => {
    const { model } = buildModel(
      robot([
        joint('a', 'revolute', 'base', 'la', { limits: { lower: -1, upper: 1, velocity: 2, effort: 3 } }),
        joint('m', 'revolute', 'la', 'lm', {
          mimic: { joint: 'a', multiplier: 1, offset: 0 },
          limits: { lower: -9, upper: 9, velocity: 9, effort: 9 },
        }),
        joint('b', 'revolute', 'lm', 'lb', { limits: { lower: -4, upper: 4, velocity: 5, effort: 6 } }),
      ]),
    );
    expect([...model.lower]).toEqual([-1, -4]);
    expect([...model.velocityLimits]).toEqual([2, 5]);
    expect([...model.effortLimits]).toEqual([3, 6]);
    expect(model.idxV[3]).toBe(1);
  });
});
