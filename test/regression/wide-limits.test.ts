/** Joints whose limits are so wide that they are none, and goals that are far away. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/math/random.js';
import { createTransform } from '../../src/math/transform.js';
import { buildModel } from '../../src/model/build-model.js';
import type { ModelDescription } from '../../src/model/description.js';
import { createConfigurationSpace } from '../../src/planning/configuration-space.js';
import { planRrtConnect } from '../../src/planning/rrt-connect.js';

const origin = createTransform();

function arm(type: 'revolute' | 'prismatic', limit: number): ModelDescription {
  return {
    name: 'r',
    links: [{ name: 'base' }, { name: 'a' }, { name: 'b' }],
    joints: [
      {
        name: 'j1',
        type,
        parent: 'base',
        child: 'a',
        origin,
        axis: [0, 0, 1],
        limits: { lower: -limit, upper: limit },
      },
      {
        name: 'j2',
        type: 'revolute',
        parent: 'a',
        child: 'b',
        origin,
        axis: [0, 0, 1],
        limits: { lower: -3, upper: 3 },
      },
    ],
  };
}

/** Blocks the straight line from 0 to 2.8. */
const checker = { isValid: (q: Float64Array) => !(Math.abs(q[0] - 1.5) < 0.1 && Math.abs(q[1]) < 1) };

describe.each([1e6, 1e9, 1e16, 1e38, 1e300, Number.MAX_VALUE])('a revolute joint of limits of %f', (limit) => {
  const { model } = buildModel(arm('revolute', limit));
  const space = createConfigurationSpace(model);
  const start = Float64Array.of(0, 0);
  const goal = Float64Array.of(2.8, 0);

  it('is planned as one without limits, and that is said', () => {
    const plan = planRrtConnect({ space, checker, start, goals: [goal], maxIterations: 2000 });
    expect(plan.status).toBe('solved');
    expect(Array.from(plan.path[0])).toEqual([0, 0]);
    expect(Array.from(plan.path[plan.path.length - 1])).toEqual([2.8, 0]);
    expect(plan.assumed?.[0]).toContain('joint "j1" has limits of -');
  });

  it('is drawn near the states to be joined', () => {
    const { space: covered } = space.coverStates!([start, goal]);
    const random = createRandom(1);
    for (let i = 0; i < 100; i++) expect(Math.abs(covered.sample(new Float64Array(2), random)[0])).toBeLessThan(12);
    expect(covered.explainBounds!(Float64Array.of(100, 0))).toBe('');
  });
});

it('limits of a long rail are kept', () => {
  const { model } = buildModel(arm('prismatic', 500));
  const space = createConfigurationSpace(model);
  expect(space.coverStates!([Float64Array.of(0, 0), Float64Array.of(0.1, 0)]).guessed).toEqual([]);
});

it.each(['auto', 'script'] as const)(
  'goals far away end in time and with the goal that was asked for (%s)',
  (engine) => {
    const { model } = buildModel(arm('prismatic', 1e12));
    const space = createConfigurationSpace(model);
    let checks = 0;
    for (const far of [1e3, 1e7, 1e11]) {
      const goal = Float64Array.of(far, 0);
      const counted = { isValid: (q: Float64Array) => ++checks < 2e6 && checker.isValid(q) };
      const plan = planRrtConnect({
        space,
        checker: counted,
        start: Float64Array.of(0, 0),
        goals: [goal],
        engine,
        maxIterations: 50,
        resolution: far / 1e4,
      });
      if (plan.status !== 'solved') continue;
      expect(Array.from(plan.path[plan.path.length - 1])).toEqual([far, 0]);
      expect(plan.path.length).toBeLessThan(3e5);
    }
    checks = 0;
  },
);

it('a state that no number of turns is left of is out of bounds', () => {
  const { model } = buildModel(arm('revolute', 1e300));
  const space = createConfigurationSpace(model);
  const plan = planRrtConnect({ space, checker, start: Float64Array.of(0, 0), goals: [Float64Array.of(1e200, 0)] });
  expect(plan.status).toBe('invalid-goal');
  expect(plan.reason).toContain('expected a number within +-1000000000000000');
});
