import { describe, expect, it } from 'vitest';
import { computeFramePlacement, updateKinematics } from '../../kinematics/forward-kinematics.js';
import { createRandom } from '../../math/random.js';
import { buildModel } from '../../model/build-model.js';
import { randomConfiguration } from '../../model/configuration.js';
import { createData, findFrame, type Model, setBasePlacement } from '../../model/model.js';
import { createConfigurationSpace } from '../configuration-space.js';
import { createConstrainedSpace } from './constrained-space.js';
import type { FrameConstraint } from './frame-constraint.js';
import { createRobotConstraint } from './robot-constraint.js';

/** Two arms of six joints on one base. */
function twoArms(): Model {
  const names = ['left', 'right'];
  const axes: readonly (readonly [number, number, number])[] = [
    [0, 0, 1],
    [0, 1, 0],
    [0, 1, 0],
    [1, 0, 0],
    [0, 1, 0],
    [1, 0, 0],
  ];
  const joints = names.flatMap((arm, side) =>
    axes.map((axis, k) => ({
      name: `${arm}${k}`,
      type: 'revolute' as const,
      parent: k === 0 ? 'base' : `${arm}_link${k - 1}`,
      child: `${arm}_link${k}`,
      axis,
      origin: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, k === 0 ? 0 : 0.3, k === 0 ? 0.6 * side - 0.3 : 0, 0.1),
      limits: { lower: -2.5, upper: 2.5 },
    })),
  );
  const links = [...new Set(['base', ...joints.map(({ child }) => child)])].map((name) => ({ name }));
  return buildModel({ name: 'two-arms', links, joints }).model;
}

const cases: readonly FrameConstraint[] = [
  { type: 'axis', frame: 'left_link5' },
  { type: 'axis', frame: 'left_link5', tolerance: 0.02 },
  { type: 'orientation', frame: 'right_link5' },
  { type: 'orientation', frame: 'right_link5', tolerance: 0.05 },
  { type: 'plane', frame: 'left_link5', point: [0.1, 0, 0.05], normal: [0, 1, 2] },
  { type: 'plane', frame: 'left_link5', normal: [0, 0, 1], tolerance: 0.01 },
  { type: 'line', frame: 'left_link5', direction: [1, 1, 0] },
  { type: 'point', frame: 'left_link5', point: [0, 0.2, 0] },
  { type: 'look', frame: 'left_link5', at: [1.2, 0.4, 0.7], axis: [1, 0, 0] },
  { type: 'look', frame: 'left_link5', at: [1.2, 0.4, 0.7], point: [0, 0.1, 0], tolerance: 0.02 },
  { type: 'look', frame: 'left_link5', at: [0.1, 0.2, 0], relativeTo: 'right_link5' },
  { type: 'pose', frame: 'right_link5', relativeTo: 'left_link5' },
  { type: 'pose', frame: 'right_link5', relativeTo: 'left_link5', tolerance: 0.01 },
  { type: 'axis', frame: 'right_link5', relativeTo: 'left_link4', axis: [1, 0, 0], direction: [0, 1, 0] },
];

describe('createRobotConstraint', () => {
  const model = twoArms();
  const rest = new Float64Array(model.nq).map((_, i) => 0.3 * Math.sin(1 + i));

  it.each(cases)('has the Jacobian that finite differences give: %j', (given) => {
    const constraint = createRobotConstraint(model, given, { rest });
    const { equations, dimension } = constraint;
    const random = createRandom(7);
    const q = new Float64Array(model.nq);
    const [above, below] = [new Float64Array(equations), new Float64Array(equations)];
    const J = new Float64Array(equations * dimension);
    for (let sample = 0; sample < 20; sample++) {
      randomConfiguration(q, model, random);
      // Near what holds, where the rotation vector is smooth.
      for (let k = 0; k < q.length; k++) q[k] = rest[k] + 0.2 * (q[k] - rest[k]);
      constraint.jacobian(J, q);
      for (let k = 0; k < dimension; k++) {
        const h = 1e-6;
        const at = q.slice();
        at[k] = q[k] + h;
        constraint.evaluate(above, at);
        at[k] = q[k] - h;
        constraint.evaluate(below, at);
        for (let i = 0; i < equations; i++)
          expect(J[i * dimension + k]).toBeCloseTo((above[i] - below[i]) / (2 * h), 6);
      }
    }
  });

  it.each(cases)('is never farther off between neighbours than it says: %j', (given) => {
    const constraint = createRobotConstraint(model, given, { rest });
    const space = createConstrainedSpace(createConfigurationSpace(model), constraint, { step: 0.1 });
    const random = createRandom(3);
    const q = new Float64Array(model.nq);
    const next = new Float64Array(model.nq);
    let walked = 0;
    for (let sample = 0; sample < 30; sample++) {
      randomConfiguration(q, model, random);
      for (let k = 0; k < q.length; k++) q[k] = rest[k] + 0.4 * (q[k] - rest[k]);
      if (!space.project(q)) continue;
      next.set(q);
      const target = new Float64Array(model.nq);
      randomConfiguration(target, model, random);
      if (space.stepTowards(next, target) === 0) continue;
      walked++;
      const bound = constraint.deviationBound!(q, next);
      let worst = 0;
      const between = new Float64Array(model.nq);
      for (let i = 0; i <= 50; i++) {
        for (let k = 0; k < q.length; k++) between[k] = q[k] + (i / 50) * (next[k] - q[k]);
        worst = Math.max(worst, space.residual(between));
      }
      expect(worst).toBeLessThanOrEqual(bound + 2e-9);
      // It is of use: of second order in the step, and not far from what is there.
      expect(bound).toBeLessThan(0.05);
    }
    expect(walked).toBeGreaterThan(5);
  });

  it('holds what stands in `rest` where nothing else is said, and names what is off', () => {
    for (const given of cases.filter(({ type }) => type !== 'axis' && type !== 'look')) {
      const constraint = createRobotConstraint(model, given, { rest });
      const space = createConstrainedSpace(createConfigurationSpace(model), constraint);
      expect(space.satisfiesBounds(rest)).toBe(true);
    }
    const upright = createRobotConstraint(model, { type: 'axis', frame: 'left_link5' }, { rest });
    const space = createConstrainedSpace(createConfigurationSpace(model), upright);
    expect(space.explainBounds(rest)).toMatch(/off the constraint \(axis of "left_link5"\) by/);
  });

  it('puts an axis through what it looks at, in the world, wherever the robot stands', () => {
    const at = [1.2, 0.4, 0.7];
    const placement = Float64Array.of(0, -1, 0, 1, 0, 0, 0, 0, 1, 0.2, -0.1, 0.05);
    const look = createRobotConstraint(
      model,
      { type: 'look', frame: 'left_link5', at, axis: [1, 0, 0] },
      { rest, placement },
    );
    const space = createConstrainedSpace(createConfigurationSpace(model), look);
    const q = Float64Array.from(rest);
    expect(space.project(q)).toBe(true);
    const data = createData(model);
    setBasePlacement(data, placement);
    updateKinematics(model, data, q);
    const X = computeFramePlacement(new Float64Array(12), model, data, findFrame(model, 'left_link5'));
    const there = [0, 1, 2].map((i) => at[i] - X[9 + i]);
    const along = there[0] * X[0] + there[1] * X[3] + there[2] * X[6];
    for (let i = 0; i < 3; i++) expect(Math.abs(there[i] - along * X[3 * i])).toBeLessThan(2e-9);
  });

  it('refuses what means nothing', () => {
    const make = (given: unknown): unknown => createRobotConstraint(model, given as FrameConstraint, { rest });
    expect(() => make({ type: 'axis', frame: 'nobody' })).toThrow(/frame, got "nobody", expected a link or joint/);
    expect(() => make({ type: 'circle', frame: 'base' })).toThrow(/type, got "circle"/);
    expect(() => make({ type: 'plane', frame: 'base' })).toThrow(/normal, got undefined, expected 3 numbers/);
    expect(() => make({ type: 'axis', frame: 'base', tolerance: -1 })).toThrow(/tolerance, got -1/);
    expect(() => make({ type: 'pose', frame: 'base', pose: [0, 0, 0, 0, 0, 0, 2] })).toThrow(/quaternion of length 1/);
  });
});
