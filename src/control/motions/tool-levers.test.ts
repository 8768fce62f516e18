/** Levers against Jacobians at random configurations; blends of joint moves, proven, against dense places. */
import { describe, expect, it } from 'vitest';
import { joint, placement, robot } from '../../../test/models.js';
import { createRandom } from '../../math/random.js';
import { createTransform } from '../../math/transform.js';
import { buildModel } from '../../model/build-model.js';
import { randomConfiguration } from '../../model/configuration.js';
import { findFrame } from '../../model/model.js';
import { createSevenJointArm, createSixJointArm } from './arms.test-support.js';
import { Tool } from './tool.js';
import { measureLevers } from './tool-levers.js';

const limits = { lower: -0.8, upper: 0.5, velocity: 2 };

/** A slide, a screw of sorts by mimicry, and turns in between. */
function createMixed(): Tool {
  const { model } = buildModel(
    robot([
      joint('turn', 'revolute', 'a', 'b', { axis: [0, 0, 1], limits, origin: placement([0.1, 0, 0.2]) }),
      joint('slide', 'prismatic', 'b', 'c', { axis: [0, 1, 0], limits, origin: placement([0, 0.1, 0]) }),
      joint('bend', 'revolute', 'c', 'd', { axis: [1, 0, 0], limits, origin: placement([0, 0, 0.3]) }),
      joint('follow', 'revolute', 'd', 'e', {
        axis: [0, 1, 0],
        limits,
        origin: placement([0, 0.2, 0]),
        mimic: { joint: 'bend', multiplier: -0.7, offset: 0.1 },
      }),
      joint('reach', 'prismatic', 'e', 'f', {
        axis: [1, 0, 0],
        limits,
        mimic: { joint: 'slide', multiplier: 0.5, offset: 0.2 },
      }),
    ]),
  );
  const X_FT = Float64Array.from([...placement().subarray(0, 9), 0.05, 0, 0.1]);
  return new Tool(model, findFrame(model, 'f'), X_FT, null);
}

describe('measureLevers', () => {
  it.each([
    ['six joints', createSixJointArm().tool],
    ['seven joints', createSevenJointArm().tool],
    ['slides and followers', createMixed()],
  ] as const)('%s: no Jacobian moves the origin farther, and some move it nearly as far', (_, tool) => {
    const { model } = tool;
    const levers = measureLevers(model, tool.frame, tool.X_FT);
    const random = createRandom(4);
    const q = new Float64Array(model.nq);
    const J = new Float64Array(6 * model.nv);
    const most = new Float64Array(model.nv);
    for (let n = 0; n < 3000; n++) {
      randomConfiguration(q, model, random);
      tool.place(createTransform(), q);
      tool.jacobian(J);
      for (let k = 0; k < model.nv; k++)
        most[k] = Math.max(most[k], Math.hypot(J[k], J[model.nv + k], J[2 * model.nv + k]));
    }
    for (let k = 0; k < model.nv; k++) expect(most[k]).toBeLessThanOrEqual(levers[k]);
    expect(Math.max(...Array.from(most, (x, k) => x / levers[k]))).toBeGreaterThan(0.7);
  });

  it('is infinite above what shifts without limits, and 1 for it', () => {
    const { model } = buildModel(
      robot([
        joint('turn', 'revolute', 'a', 'b', { axis: [0, 0, 1], limits }),
        joint('rail', 'prismatic', 'b', 'c', {
          axis: [1, 0, 0],
          limits: { lower: -Infinity, upper: Infinity, velocity: 1 },
        }),
      ]),
    );
    expect(Array.from(measureLevers(model, findFrame(model, 'c'), createTransform()))).toEqual([Infinity, 1 + 1e-12]);
  });
});
