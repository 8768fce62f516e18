import { expect, it } from 'vitest';
import { createTransform } from '../math/transform.js';
import { carrierPlacement } from './simulation.js';
import { createPendulum, start } from './simulation.test-support.js';
import { stepSimulation } from './step.js';
import { createTaskController } from './task-controllers.js';

const create = () =>
  start({
    robots: [{ name: 'p', model: createPendulum(3), shapes: [], q: [1, -0.8, -0.9], compensateGravity: true }],
    step: 0.0005,
  });
type Arm = ReturnType<typeof create>;
const link = 'rod2';
const placeOf = (simulation: Arm) =>
  carrierPlacement(createTransform(), simulation, simulation.world.carrierIndex.get(`p/${link}`)!);

it('operational space: the error follows its equation, whatever the shape of the arm', () => {
  const simulation = create();
  const X = placeOf(simulation);
  const target = [X[9] + 0.03, X[10], X[11] - 0.02, 0, 0, 0, 1] as const;
  simulation.controllers.push(
    createTaskController(simulation, {
      ...{ robot: 'p', link, type: 'operational-space', target },
      stiffness: [100, 0],
      damping: [20, 4],
    }),
  );
  for (let i = 1; i <= 8; i++) {
    stepSimulation(simulation, 100);
    const t = 0.05 * i;
    const left = (1 + 10 * t) * Math.exp(-10 * t);
    const Y = placeOf(simulation);
    expect(Math.abs((target[0] - Y[9]) / 0.03 - left)).toBeLessThan(0.03);
    expect(Math.abs((target[2] - Y[11]) / -0.02 - left)).toBeLessThan(0.03);
  }
});

it('impedance: the frame gives way to a force by force / stiffness', () => {
  const simulation = create();
  const X = placeOf(simulation);
  const target = [X[9], X[10], X[11], 0, 0, 0, 1] as const;
  const controller = createTaskController(simulation, {
    ...{ robot: 'p', link, type: 'impedance', target: () => target },
    stiffness: [400, 0],
    damping: [60, 8],
  });
  // The force is what a spring does whose target is farther off: 400 N/m by 1 cm.
  const shifted = createTaskController(simulation, {
    ...{ robot: 'p', link, type: 'impedance', target: [X[9] + 0.01, X[10], X[11], 0, 0, 0, 1] },
    stiffness: [400, 0],
    damping: [60, 8],
  });
  simulation.controllers.push((now, t) => {
    const { torques } = now.robots[0];
    controller(now, t);
    const own = torques.slice();
    shifted(now, t);
    for (let k = 0; k < torques.length; k++) torques[k] += own[k];
  });
  stepSimulation(simulation, 6000);
  const Y = placeOf(simulation);
  // Two equal springs meet half way.
  expect(Y[9] - X[9]).toBeCloseTo(0.005, 5);
  expect(Y[11] - X[11]).toBeCloseTo(0, 5);
});

it('refuses what the simulation does not have', () => {
  const options = { robot: 'p', link: 'none', type: 'impedance', target: [0, 0, 0, 0, 0, 0, 1] } as const;
  expect(() => createTaskController(create(), { ...options, stiffness: [1, 1], damping: [1, 1] })).toThrow(
    /options\.link, got "none", expected a link of robot "p"/,
  );
});
