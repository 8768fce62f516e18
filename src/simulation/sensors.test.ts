import { expect, it } from 'vitest';
import { castRayFan, listContactForces, readAccelerometer } from './sensors.js';
import { box, GROUND, start } from './simulation.test-support.js';
import { stepSimulation } from './step.js';

it('instruments read what is there', () => {
  const simulation = start({
    statics: [GROUND],
    bodies: [box('a', 0, 0, 0.5, { mass: 2 }), box('b', 0, 0, 5, { mass: 1 })],
  });
  stepSimulation(simulation, 200);
  const [pair] = listContactForces(simulation);
  expect([pair.a, pair.b, pair.contacts]).toEqual(['ground', 'a', 4]);
  expect(pair.force[2]).toBeCloseTo(2 * 9.81, 6);
  expect(pair.moment[0]).toBeCloseTo(0, 6);
  const before = [0, 1].map((i) => simulation.state.slice(2 + 14 * i + 7, 2 + 14 * i + 10));
  stepSimulation(simulation);
  const out = new Float64Array(3);
  expect(readAccelerometer(out, simulation, 0, before[0])[2]).toBeCloseTo(9.81, 6);
  expect(readAccelerometer(out, simulation, 1, before[1])[2]).toBeCloseTo(0, 9);
  const fan = castRayFan(new Float64Array(2), simulation, [3, 0, 0.25], [-1, 0, 0, 1, 0, 0], 10);
  expect(fan[0]).toBeCloseTo(2.5, 9);
  expect(fan[1]).toBe(10);
});
