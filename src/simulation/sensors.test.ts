import { expect, it } from 'vitest';
import { readLinkAccelerometer } from './link-accelerometer.js';
import { castRayFan, listContactForces, readAccelerometer, readContactWrench } from './sensors.js';
import { box, createPendulum, GROUND, start } from './simulation.test-support.js';
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

it('all contacts of a carrier together are the sum of its pairs', () => {
  const simulation = start({
    statics: [GROUND],
    bodies: [box('a', 0, 0, 0.5, { mass: 2 }), box('b', 0.2, 0, 1.5, { mass: 1 })],
  });
  stepSimulation(simulation, 400);
  const read = (name: string) =>
    readContactWrench(new Float64Array(6), simulation, simulation.world.carrierIndex.get(name)!);
  expect(read('ground')[2]).toBeCloseTo(-3 * 9.81, 5);
  expect(read('a')[2]).toBeCloseTo(2 * 9.81, 5);
  expect(read('b')[2]).toBeCloseTo(9.81, 5);
  // About the origin: b's weight stands 0.2 m beside it.
  expect(read('b')[4]).toBeCloseTo(-0.2 * 9.81, 5);
  for (let k = 0; k < 6; k++) expect(read('ground')[k] + read('a')[k] + read('b')[k]).toBeCloseTo(0, 9);
});

it('an accelerometer on a link reads its weight at rest, and the way round in a turn', () => {
  const model = createPendulum(1);
  const rest = start({ robots: [{ name: 'p', model, shapes: [] }] });
  stepSimulation(rest, 10);
  const out = new Float64Array(3);
  expect(Array.from(readLinkAccelerometer(out, rest, 0, 'rod0'))).toEqual([0, 0, 9.81]);
  const errors = [0.002, 0.001].map((step) => {
    // The link's origin is the hinge: the second rod's is 1 m from the first hinge, towards which it is drawn.
    const turning = start({
      gravity: [0, 0, 0],
      robots: [{ name: 'p', model: createPendulum(2), shapes: [], v: [3, 0], friction: [0, 1e6] }],
      step,
    });
    stepSimulation(turning, 20);
    readLinkAccelerometer(out, turning, 0, 'rod1');
    expect(Math.abs(out[2] - 9)).toBeLessThan(1e-3);
    return Math.abs(out[0]);
  });
  expect(errors[0] / errors[1]).toBeCloseTo(2, 1);
  expect(() => readLinkAccelerometer(out, rest, 0, 'none')).toThrow(/expected a link/);
});
