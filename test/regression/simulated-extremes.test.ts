/** Worlds of extreme numbers whose bodies fell through the ground with `status: 'ok'`. */
import { describe, expect, it } from 'vitest';
import { MisuseError } from '../../src/math/misuse.js';
import type { BodyOptions, WorldOptions } from '../../src/simulation/definition.js';
import { createSimulation } from '../../src/simulation/simulation.js';
import { stepSimulation } from '../../src/simulation/step.js';
import { createWorld } from '../../src/simulation/world.js';

const floor = { name: 'f', shapes: [{ shape: { type: 'halfspace', normal: [0, 0, 1], offset: 0 } }] } as const;
const box = { type: 'box', size: [0.2, 0.2, 0.2] } as const;

function worldOf(body: Partial<BodyOptions>, more: WorldOptions = {}): WorldOptions {
  return {
    statics: [floor],
    bodies: [{ name: 'b', shapes: [{ shape: box }], pose: [0, 0, 0.1, 0, 0, 0, 1], mass: 1, ...body }],
    ...more,
  };
}

describe('a box on the ground', () => {
  it.each([1e-99, 1e-60, 1e-20, 1e20, 1e60, 1e99])('rests, with a mass of %f', (mass) => {
    const world = createWorld(worldOf({ mass }));
    const simulation = createSimulation(world);
    for (let i = 0; i < 100; i++) expect(stepSimulation(simulation).status).toBe('ok');
    expect(simulation.report.penetration).toBeLessThan(1e-9);
    world.dispose();
  });

  it.each([0, 1e-300, 1e-200, 1e200, 1e300, Infinity, Number.NaN])('is refused with a mass of %f', (mass) => {
    expect(() => createWorld(worldOf({ mass }))).toThrow(MisuseError);
  });

  it.each([1e20, 1e300])('is refused at a speed of %f', (speed) => {
    expect(() => createWorld(worldOf({ velocity: [speed, 0, 0, 0, 0, 0] }))).toThrow(/velocity of body "b"/);
  });

  it.each([
    { stiffness: 0 },
    { stiffness: 1e300 },
    { friction: -1 },
    { friction: Infinity },
    { restitution: 2 },
    { exponent: 0 },
  ])('is refused of $stiffness $friction $restitution $exponent', (material) => {
    expect(() => createWorld(worldOf({ shapes: [{ shape: box, material }] }))).toThrow(MisuseError);
  });

  it.each([{ friction: -1 }, { friction: Number.NaN }, { restitution: 1.5 }])(
    'is refused with a pair of %o',
    (pair) => {
      expect(() => createWorld(worldOf({}, { pairs: [{ a: 'f', b: 'b', ...pair }] }))).toThrow(/pairs\[0\]/);
    },
  );

  it('is not joined with itself', () => {
    expect(() => createWorld(worldOf({}, { joins: [{ type: 'weld', a: 'b', b: 'b' }] }))).toThrow(/two different/);
  });
});

it.each([1e3, 1e6, 1e9, 1e12])('a tilted box that falls with a friction of %f stays on the ground', (friction) => {
  const world = createWorld(
    worldOf(
      { pose: [0, 0, 0.3, 0.1, 0.2, 0.3, Math.sqrt(0.86)], velocity: [1, 0, 0, 0, 0, 0] },
      { pairs: [{ a: 'f', b: 'b', friction }], solver: 'proximal' },
    ),
  );
  const simulation = createSimulation(world);
  for (let i = 0; i < 600; i++) expect(stepSimulation(simulation).penetration).toBeLessThan(1e-4);
  world.dispose();
});

it('a body that leaves the range of numbers is held, and said', () => {
  const world = createWorld({ bodies: [{ name: 'b', shapes: [{ shape: box }] }] });
  const simulation = createSimulation(world);
  simulation.forces[0] = 1e30;
  expect(stepSimulation(simulation).status).toBe('not finite');
  expect(simulation.state[0]).toBe(0);
  world.dispose();
});
