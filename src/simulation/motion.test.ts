import { describe, expect, it } from 'vitest';
import { computeEnergy, computeMomentum } from './energy.js';
import { box, createPendulum, start } from './simulation.test-support.js';
import { stepSimulation } from './step.js';

const tumbling = (step: number, integrator: 'semi-implicit' | 'rk4') =>
  start({
    gravity: [0, 0, 0],
    bodies: [
      {
        name: 'top',
        shapes: [],
        inertia: { mass: 1, inertia: [1, 0, 0, 0, 2, 0, 0, 0, 3] },
        velocity: [0.3, 0, 0, 0.1, 3, 0.2],
      },
    ],
    step,
    integrator,
  });

/** Largest relative change of energy and largest change of momentum over 4 s. */
function drift(step: number, integrator: 'semi-implicit' | 'rk4'): [number, number] {
  const simulation = tumbling(step, integrator);
  const energy = computeEnergy(simulation).total;
  const momentum = computeMomentum(new Float64Array(6), simulation);
  let worst = 0;
  for (let i = 0; i < 4 / step; i++) {
    stepSimulation(simulation);
    worst = Math.max(worst, Math.abs(computeEnergy(simulation).total / energy - 1));
  }
  const after = computeMomentum(new Float64Array(6), simulation);
  return [worst, Math.max(...after.map((x, k) => Math.abs(x - momentum[k])))];
}

describe('free bodies', () => {
  it('tumble with their momentum to rounding, energy to second order (rk4: fourth)', () => {
    const [coarse, p] = drift(0.004, 'semi-implicit');
    const [fine] = drift(0.002, 'semi-implicit');
    expect(p).toBeLessThan(1e-12);
    expect(coarse / fine).toBeGreaterThan(3.8);
    expect(coarse / fine).toBeLessThan(4.2);
    const [coarse4] = drift(0.016, 'rk4');
    const [fine4] = drift(0.008, 'rk4');
    expect(coarse4 / fine4).toBeGreaterThan(14);
    expect(fine4).toBeLessThan(1e-8);
  });

  it('fall as they should: first order, or exactly', () => {
    for (const [integrator, order] of [
      ['semi-implicit', 1],
      ['rk4', Infinity],
    ] as const) {
      const errors = [0.01, 0.005].map((step) => {
        const simulation = start({ bodies: [box('b', 0, 0, 0, { velocity: [1, 0, 2, 0, 0, 0] })], step, integrator });
        stepSimulation(simulation, Math.round(1 / step));
        expect(simulation.state[2]).toBeCloseTo(1, 12);
        return Math.abs(simulation.state[4] - (2 - 9.81 / 2));
      });
      if (order === 1) expect(errors[0] / errors[1]).toBeCloseTo(2, 6);
      else expect(errors[0]).toBeLessThan(1e-12);
    }
  });

  it('keep a precessing top at its rate', () => {
    // Torque-free symmetric body: the axis turns about L at L / I1.
    const simulation = start({
      gravity: [0, 0, 0],
      bodies: [
        {
          name: 'top',
          shapes: [],
          inertia: { mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 2] },
          velocity: [0, 0, 0, 1, 0, 4],
        },
      ],
      integrator: 'rk4',
    });
    const rate = Math.sqrt(1 + 64);
    const steps = 1000;
    stepSimulation(simulation, steps);
    const L = [1, 0, 8].map((x) => x / rate);
    const X = simulation.bodyPlacements;
    const axis = [X[2], X[5], X[8]];
    // Rodrigues: z about L by the angle.
    const angle = (rate * steps) / 1000;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const z = [0, 0, 1];
    const cross = [L[1], -L[0], 0];
    for (let k = 0; k < 3; k++) expect(axis[k]).toBeCloseTo(c * z[k] + s * cross[k] + (1 - c) * L[2] * L[k], 8);
  });
});

describe('robots', () => {
  it('a double pendulum keeps its energy within 1e-4 (rk4)', { timeout: 600_000 }, () => {
    const seconds = process.env.ORACLE_FULL ? 60 : 10;
    const simulation = start({
      robots: [{ name: 'p', model: createPendulum(2), shapes: [], q: [2, 1.5] }],
      integrator: 'rk4',
    });
    const energy = computeEnergy(simulation).total;
    for (let i = 0; i < 10 * seconds; i++) {
      stepSimulation(simulation, 100);
      expect(Math.abs(computeEnergy(simulation).total - energy)).toBeLessThan(1e-4 * Math.abs(energy));
    }
  });

  it('a small pendulum swings at its period, to first order', () => {
    // I w^2 = m g l: 1/3 + ... of a rod about its end.
    const omega = Math.sqrt((9.81 * 0.5) / (1 / 12 + 0.25));
    const errors = [0.002, 0.001].map((step) => {
      const simulation = start({ robots: [{ name: 'p', model: createPendulum(1), shapes: [], q: [1e-4] }], step });
      stepSimulation(simulation, Math.round(1 / step));
      return Math.abs(simulation.robots[0].q[0] / 1e-4 - Math.cos(omega));
    });
    expect(errors[0] / errors[1]).toBeGreaterThan(1.9);
    expect(errors[1]).toBeLessThan(3e-3);
  });

  it('position servos hold against gravity where spring and load agree, and stop at their limit', () => {
    const model = createPendulum(1);
    const servo = { joint: 'hinge0', type: 'position', stiffness: 100, damping: 20, target: 1 } as const;
    const simulation = start({ robots: [{ name: 'p', model, shapes: [], servos: [servo] }] });
    stepSimulation(simulation, 4000);
    const [robot] = simulation.robots;
    const load = 9.81 * 0.5 * Math.sin(robot.q[0]);
    expect(100 * (1 - robot.q[0])).toBeCloseTo(load, 6);
    expect(robot.applied[0]).toBeCloseTo(load, 6);
    const weak = start({ robots: [{ name: 'p', model, shapes: [], servos: [{ ...servo, limit: 1 }] }] });
    for (let i = 0; i < 4000; i++) {
      stepSimulation(weak);
      expect(Math.abs(weak.robots[0].applied[0])).toBeLessThan(1 + 1e-9);
    }
  });

  it('a stiff servo is stable at steps that an explicit one is not', () => {
    const servo = { joint: 'hinge0', type: 'position', stiffness: 1e7, damping: 1e4, target: 0.5 } as const;
    const simulation = start({
      robots: [{ name: 'p', model: createPendulum(1), shapes: [], servos: [servo] }],
      step: 0.01,
    });
    stepSimulation(simulation, 500);
    expect(simulation.robots[0].q[0]).toBeCloseTo(0.5, 5);
  });

  it('gravity compensation lets an arm rest where it stands; controllers are called with the time', () => {
    const simulation = start({
      robots: [{ name: 'p', model: createPendulum(3), shapes: [], q: [1, 0.5, -2], compensateGravity: true }],
    });
    const times: number[] = [];
    simulation.controllers.push(({ robots }, t) => {
      times.push(t);
      robots[0].torques[2] = t < 0.0045 ? 0 : 0.1;
    });
    stepSimulation(simulation, 5);
    expect(times).toEqual([0, 0.001, 0.002, 0.003, 0.004]);
    for (let k = 0; k < 3; k++) expect(simulation.robots[0].q[k]).toBeCloseTo([1, 0.5, -2][k], 12);
    stepSimulation(simulation, 5);
    expect(simulation.robots[0].v[2]).toBeGreaterThan(0);
  });

  it('dry friction holds a joint up to its torque', () => {
    for (const [friction, moves] of [
      [5, false],
      [4.8, true],
    ] as const) {
      const model = createPendulum(1);
      const q = [Math.PI / 2];
      const simulation = start({ robots: [{ name: 'p', model, shapes: [], q, friction: [friction] }] });
      stepSimulation(simulation, 200);
      const moved = Math.abs(simulation.robots[0].q[0] - Math.PI / 2);
      if (moves) expect(moved).toBeGreaterThan(1e-3);
      else expect(moved).toBeLessThan(1e-9);
    }
  });

  it('a join to the world closes a loop', () => {
    const simulation = start({
      robots: [{ name: 'p', model: createPendulum(2), shapes: [], q: [0.7, -1.4] }],
      joins: [{ type: 'point', a: 'p/rod1', poseA: [0, 0, -1, 0, 0, 0, 1] }],
    });
    const energy = computeEnergy(simulation).total;
    stepSimulation(simulation, 500);
    const { q, v } = simulation.robots[0];
    // Both rods are held at both ends: nothing moves.
    expect(Math.abs(q[0] - 0.7)).toBeLessThan(1e-6);
    expect(Math.abs(v[0])).toBeLessThan(1e-6);
    expect(computeEnergy(simulation).total).toBeCloseTo(energy, 6);
  });
});
