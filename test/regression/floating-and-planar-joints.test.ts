import { describe, expect, it } from 'vitest';
import { computeFramePlacement, forwardKinematics } from '../../src/kinematics/forward-kinematics.js';
import { createRandom } from '../../src/math/random.js';
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

describe('planar joints from an axis', () => {
  const moved = (axis: readonly [number, number, number]): Float64Array => {
    const { model } = buildModel(robot([joint('plane', 'planar', 'base', 'a', { axis })]));
    const data = createData(model);
    forwardKinematics(model, data, Float64Array.of(1, 2, 1, 0));
    return data.jointPlacements.slice(12);
  };

  it('the last digits of an axis near -z change nothing but the last digits of the frame', () => {
    const down = moved([0, 0, -1]);
    expect([...down.slice(9)]).toEqual([1, -2, 0]);
    for (const axis of [
      [1.5e-6, 0, -1],
      [1e-6, 0, -1],
      [-1e-5, 3e-6, -1],
      [0, 1e-4, -1],
    ] as const) {
      moved(axis).forEach((x, i) => {
        expect(Math.abs(x - down[i]), `${axis}`).toBeLessThan(5e-4);
      });
    }
  });

  it('every axis, a little turned, gives a frame a little turned', () => {
    const random = createRandom(55);
    for (let n = 0; n < 2000; n++) {
      const axis = [random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)] as const;
      const length = Math.sqrt(axis[0] ** 2 + axis[1] ** 2 + axis[2] ** 2);
      // The seam of the rule, where no robot's file puts an axis.
      if (length < 0.1 || Math.abs(axis[2] / length + 0.99) < 1e-5) continue;
      const X = moved(axis);
      const Y = moved([axis[0] + 1e-7, axis[1] - 1e-7, axis[2] + 1e-7]);
      X.forEach((x, i) => {
        expect(Math.abs(x - Y[i]), `draw ${n}, axis ${axis}`).toBeLessThan(1e-3);
      });
      // In the plane: the origin moved by 1 and 2 along two perpendicular directions across the axis.
      const across = (X[9] * axis[0] + X[10] * axis[1] + X[11] * axis[2]) / length;
      expect(Math.abs(across)).toBeLessThan(1e-12);
      expect(Math.hypot(X[9], X[10], X[11])).toBeCloseTo(Math.sqrt(5), 12);
    }
  });
});
