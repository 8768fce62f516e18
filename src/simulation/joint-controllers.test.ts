import { expect, it } from 'vitest';
import { createRandomTree } from '../model/random-tree.test-support.js';
import { createJointController } from './joint-controllers.js';
import { createPendulum, start } from './simulation.test-support.js';
import { stepSimulation } from './step.js';

it.each([false, true])(
  'the error follows its equation in every joint by itself (compensated: %s)',
  (compensateGravity) => {
    const simulation = start({
      robots: [{ name: 'p', model: createPendulum(3), shapes: [], q: [1, -0.8, 0.4], compensateGravity }],
      step: 0.0005,
    });
    const [robot] = simulation.robots;
    // A motion with all its derivatives.
    const target = (t: number) => ({
      q: [0.8 + 0.3 * Math.sin(2 * t), -0.8 * Math.cos(t), 0.4 + t],
      v: [0.6 * Math.cos(2 * t), 0.8 * Math.sin(t), 1],
      a: [-1.2 * Math.sin(2 * t), 0.8 * Math.cos(t), 0],
    });
    robot.v.set(target(0).v);
    const first = robot.q.map((q, k) => q - target(0).q[k]);
    simulation.controllers.push(createJointController(simulation, { robot: 'p', target, stiffness: 100 }));
    for (let i = 1; i <= 10; i++) {
      stepSimulation(simulation, 100);
      const t = 0.05 * i;
      const left = (1 + 10 * t) * Math.exp(-10 * t);
      for (let k = 0; k < 3; k++) expect(Math.abs(robot.q[k] - target(t).q[k] - left * first[k])).toBeLessThan(2e-3);
    }
  },
);

it('stays within the limits of the drives', () => {
  const model = createPendulum(2);
  model.effortLimits.set([12, 3]);
  const simulation = start({ robots: [{ name: 'p', model, shapes: [], q: [1, 0.5] }] });
  const target = { q: [-1, -2] };
  simulation.controllers.push(createJointController(simulation, { robot: 'p', target, stiffness: 1e4 }));
  let largest = 0;
  for (let i = 0; i < 100; i++) {
    stepSimulation(simulation);
    const { applied } = simulation.robots[0];
    for (const [k, limit] of [12, 3].entries()) {
      expect(Math.abs(applied[k])).toBeLessThanOrEqual(limit);
      largest = Math.max(largest, Math.abs(applied[k]) / limit);
    }
  }
  expect(largest).toBe(1);
});

it('holds a place, and refuses what it cannot move', () => {
  const simulation = start({ robots: [{ name: 'p', model: createPendulum(2), shapes: [], q: [1, 0.5] }] });
  const target = { q: [0.5, -0.2] };
  simulation.controllers.push(createJointController(simulation, { robot: 'p', target, stiffness: 64, damping: 20 }));
  stepSimulation(simulation, 4000);
  expect(simulation.robots[0].q[0]).toBeCloseTo(0.5, 6);
  expect(simulation.robots[0].q[1]).toBeCloseTo(-0.2, 6);
  expect(() => createJointController(simulation, { robot: 'r', target, stiffness: 1 })).toThrow(/expected the name/);
  const model = createRandomTree(1, { joints: 3, base: 'floating' });
  const floating = start({ robots: [{ name: 'p', model, shapes: [] }] });
  expect(() => createJointController(floating, { robot: 'p', target, stiffness: 1 })).toThrow(/whose base floats/);
});
