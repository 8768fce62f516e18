import { expect, it } from 'vitest';
import { createPendulum, GROUND, start } from './simulation.test-support.js';
import { stepSimulation } from './step.js';

it.each(['elliptic', 'pyramidal'] as const)('a contact that one tangent cannot move stays in numbers (%s)', (cone) => {
  // All hinges of the chain turn about y: nothing on it moves along y.
  for (let trial = 0; trial < 3; trial++) {
    const model = createPendulum(4);
    const links = model.linkNames.slice(1);
    const simulation = start({
      statics: [GROUND],
      robots: [
        {
          ...{
            name: 'p',
            model,
            pose: [0, 0, 1, 0, 0, 0, 1],
            q: [1, 1, -0.5, trial - 1],
            damping: [0.5, 0.5, 0.5, 0.5],
          },
          shapes: links.map((link) => ({ link, shape: { type: 'sphere' as const, radius: 0.1 } })),
          allowed: links.flatMap((a, i) => links.slice(i + 1).map((b) => [a, b] as const)),
        },
      ],
      step: 0.002,
      cone,
    });
    let touched = 0;
    for (let i = 0; i < 600; i++) {
      const { status, contacts } = stepSimulation(simulation);
      expect(status).toBe('ok');
      if (contacts > 0) touched++;
    }
    expect(touched).toBeGreaterThan(100);
  }
});

it('a step that ends in no numbers is taken back, and said', () => {
  const simulation = start({ robots: [{ name: 'p', model: createPendulum(2), shapes: [], q: [1, 0.5] }] });
  stepSimulation(simulation, 10);
  const state = Array.from(simulation.state);
  simulation.robots[0].torques[1] = Number.NaN;
  expect(stepSimulation(simulation).status).toBe('not finite');
  expect(Array.from(simulation.state)).toEqual(state);
  simulation.robots[0].torques[1] = 0;
  expect(stepSimulation(simulation).status).toBe('ok');
});
