import { describe, expect, it } from 'vitest';
import { computeFramePlacement, forwardKinematics } from '../kinematics/forward-kinematics.js';
import { computeFrameJacobian } from '../kinematics/frame-jacobian.js';
import { computeManipulability, createManipulability } from '../kinematics/manipulability.js';
import { createRandom } from '../math/random.js';
import { createTransform, relativeTransform } from '../math/transform.js';
import { randomConfiguration } from '../model/configuration.js';
import { createData } from '../model/model.js';
import { createSevenJointArm } from './arm.test-support.js';
import type { IkGoal } from './improve.js';
import { createIkSolver } from './solve-ik.js';

const { model, tool } = createSevenJointArm();

function place(q: Float64Array): Float64Array {
  const data = createData(model);
  forwardKinematics(model, data, q);
  return computeFramePlacement(createTransform(), model, data, tool);
}

function manipulability(q: Float64Array): number {
  const data = createData(model);
  forwardKinematics(model, data, q);
  const J = computeFrameJacobian(new Float64Array(6 * model.nv), model, data, tool, 'local');
  return computeManipulability(createManipulability(model.nv), J).measure;
}

const rest = Float64Array.of(0.1, 0.4, -0.2, 1.1, 0.3, 0.8, 0.2);
const goals: readonly IkGoal[] = [
  { kind: 'posture', target: rest },
  { kind: 'posture', target: rest, weights: [1, 0, 5, 0, 1, 0, 0] },
  { kind: 'limits' },
  { kind: 'manipulability', frame: tool },
];

describe('goals for the redundancy', () => {
  it.each(goals)('$kind: lower than without the goal and than what random walks along the solutions find', (goal) => {
    const solver = createIkSolver(model, tool);
    const random = createRandom(3);
    for (let round = 0; round < 20; round++) {
      const target = place(randomConfiguration(new Float64Array(7), model, random));
      const plain = solver.solve({ target, goal: { ...goal, iterations: 0 } });
      const improved = solver.solve({ target, goal });
      expect(improved.status).toBe('solved');
      expect(improved.goal).toBeLessThanOrEqual(plain.goal);
      const error = relativeTransform(createTransform(), place(improved.q), target);
      expect(Math.hypot(error[9], error[10], error[11])).toBeLessThanOrEqual(1.0001e-6);
      // Near the end, solutions close by are no better: a local optimum.
      for (let k = 0; k < 10; k++) {
        const start = improved.q.map((x) => x + random.uniform(-0.02, 0.02));
        const close = solver.solve({ target, start, restarts: 0, goal: { ...goal, iterations: 0 } });
        if (close.status !== 'solved' || close.q.some((x, i) => Math.abs(x - improved.q[i]) > 0.1)) continue;
        expect(close.goal).toBeGreaterThan(improved.goal - 1e-4 * (1 + Math.abs(improved.goal)));
      }
    }
  });

  it('posture: a target that fits is found exactly', () => {
    const solver = createIkSolver(model, tool);
    const start = Float64Array.from(rest);
    start[0] += 0.3;
    start[2] -= 0.4;
    const found = solver.solve({ target: place(rest), start, goal: { kind: 'posture', target: rest } });
    expect(found.goal).toBeLessThan(1e-9);
    for (let i = 0; i < 7; i++) expect(found.q[i]).toBeCloseTo(rest[i], 4);
  });

  it('manipulability: the value is -ln w', () => {
    const solver = createIkSolver(model, tool);
    const { q, goal } = solver.solve({ target: place(rest), goal: { kind: 'manipulability', frame: tool } });
    expect(goal).toBeCloseTo(-Math.log(manipulability(q)), 6);
    expect(manipulability(q)).toBeGreaterThan(manipulability(solver.solve({ target: place(rest) }).q));
  });

  it('stays where isValid holds', () => {
    const solver = createIkSolver(model, tool);
    const start = Float64Array.of(0.1, 0.4, 0.5, 1.1, 0.3, 0.8, 0.2);
    const request = { target: place(start), start, goal: { kind: 'posture', target: rest } as const };
    const free = solver.solve(request);
    expect(free.q[2]).toBeLessThan(0.49);
    const wall = 0.5 * (free.q[2] + start[2]);
    const found = solver.solve({ ...request, isValid: (q) => q[2] > wall });
    expect(found.status).toBe('solved');
    expect(found.q[2]).toBeGreaterThan(wall);
    expect(found.q[2]).toBeLessThan(wall + 1e-3);
  });
});
