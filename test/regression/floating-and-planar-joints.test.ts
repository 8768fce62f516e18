import { describe, expect, it } from 'vitest';
import { computeFramePlacement, forwardKinematics } from '../../src/kinematics/forward-kinematics.js';
import { buildModel } from '../../src/model/build-model.js';
import { createData, findFrame } from '../../src/model/model.js';
import { configurationFromNamed } from '../../src/model/named-configuration.js';
import { joint, placement, robot } from '../models.js';

describe('floating and planar joints', () => {
  it('U100: a floating joint of the file loads and moves what hangs on it', () => {
    const { model, issues } = buildModel(
      robot([
        joint('free', 'floating', 'world', 'base'),
        joint('a', 'revolute', 'base', 'la', { origin: placement([1, 0, 0]) }),
        joint('b', 'revolute', 'la', 'lb', { origin: placement([1, 0, 0]) }),
      ]),
    );
    expect(issues).toEqual([]);
    expect([model.nv, model.nq]).toEqual([6 + 2, 7 + 2]);
    const data = createData(model);
    const r = Math.SQRT1_2;
    forwardKinematics(model, data, configurationFromNamed(model, { free: [0, 0, 3, 0, 0, r, r], a: Math.PI / 2 }));
    const X = computeFramePlacement(new Float64Array(12), model, data, findFrame(model, 'lb'));
    [-1, 1, 3].forEach((value, i) => {
      expect(X[9 + i]).toBeCloseTo(value, 15);
    });
  });
});
