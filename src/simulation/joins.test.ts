import { describe, expect, it } from 'vitest';
import type { BodyOptions, JoinOptions } from './definition.js';
import { computeEnergy, computeMomentum } from './energy.js';
import { readJointWrench } from './joint-wrench.js';
import { createPendulum, start } from './simulation.test-support.js';
import { forkSimulation, restoreSnapshot, takeSnapshot } from './snapshot.js';
import { stepSimulation } from './step.js';
import { createWorld } from './world.js';

const ball = (name: string, x: number, z: number, more: Partial<BodyOptions> = {}): BodyOptions => ({
  name,
  shapes: [],
  inertia: { mass: 2, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] },
  pose: [x, 0, z, 0, 0, 0, 1],
  ...more,
});

describe('springs', () => {
  it.each([100, 1e4, 1e9])('of %f N/m give way by m g / k, and come to rest', (stiffness) => {
    const joins: JoinOptions[] = [
      {
        type: 'spring',
        a: 'a',
        stiffness,
        damping: 2 * Math.sqrt(2 * stiffness),
        length: 1,
        poseB: [0, 0, 2, 0, 0, 0, 1],
      },
    ];
    const simulation = start({ bodies: [ball('a', 0, 1)], joins, step: 1 / 240 });
    stepSimulation(simulation, 2400);
    expect(simulation.state[4]).toBeCloseTo(1 - (2 * 9.81) / stiffness, 9);
    expect(Math.abs(simulation.state[11])).toBeLessThan(1e-6);
    expect(simulation.report.status).toBe('ok');
  });

  it('swing at their period, closer the smaller the step, and never gain energy', () => {
    const errors = [0.002, 0.001].map((step) => {
      const simulation = start({
        gravity: [0, 0, 0],
        bodies: [ball('a', 1.1, 0)],
        joins: [{ type: 'spring', a: 'a', stiffness: 8, length: 1, poseB: [0, 0, 0, 0, 0, 0, 1] }],
        step,
      });
      const { total } = computeEnergy(simulation);
      expect(total).toBeCloseTo(0.5 * 8 * 0.01, 12);
      // Two rad/s: a whole period.
      for (let i = 0; i < Math.PI / step; i++) {
        stepSimulation(simulation);
        expect(computeEnergy(simulation).total).toBeLessThan(total * (1 + 1e-12));
      }
      return Math.abs(simulation.state[2] - 1.1);
    });
    expect(errors[0]).toBeLessThan(2e-3);
    expect(errors[0] / errors[1]).toBeGreaterThan(1.9);
  });

  it.each([0, 0.7])('of length %f between bodies keep their momentum', (length) => {
    const simulation = start({
      gravity: [0, 0, 0],
      bodies: [
        ball('a', 0, 0, { velocity: [0, 1, 0, 0.3, 0, 1] }),
        ball('b', 1, 0.4, { velocity: [0, -2, 0.5, 0, 1, 0] }),
      ],
      joins: [
        {
          type: 'spring',
          a: 'a',
          b: 'b',
          stiffness: 50,
          damping: 0.4,
          length,
          poseA: [0.1, 0, 0.2, 0, 0, 0, 1],
          poseB: [0, 0.1, 0, 0, 0, 0, 1],
        },
      ],
    });
    const before = computeMomentum(new Float64Array(6), simulation);
    stepSimulation(simulation, 2000);
    const after = computeMomentum(new Float64Array(6), simulation);
    for (let k = 0; k < 6; k++) expect(after[k]).toBeCloseTo(before[k], 10);
  });

  it('hold links, and their joints feel it', () => {
    const model = createPendulum(1);
    const simulation = start({
      robots: [{ name: 'arm', model, shapes: [], damping: [5] }],
      joins: [
        {
          type: 'spring',
          a: 'arm/rod0',
          stiffness: 1000,
          damping: 10,
          length: 0,
          poseA: [0, 0, -1, 0, 0, 0, 1],
          poseB: [0.5, 0, -1, 0, 0, 0, 1],
        },
      ],
    });
    stepSimulation(simulation, 8000);
    const [q] = simulation.robots[0].q;
    // Moments about the hinge at rest: the spring's and the weight's.
    const [x, z] = [-Math.sin(q), -Math.cos(q)];
    const force = [1000 * (0.5 - x), 1000 * (-1 - z)];
    expect(z * force[0] - x * force[1] + 0.5 * 9.81 * x).toBeCloseTo(0, 5);
    const wrench = readJointWrench(new Float64Array(6), simulation, 0, 'hinge0');
    const size = Math.sqrt(wrench[0] ** 2 + wrench[1] ** 2 + wrench[2] ** 2);
    expect(size).toBeCloseTo(Math.sqrt(force[0] ** 2 + (force[1] - 9.81) ** 2), 5);
  });
});

it.each(['spring', 'point', 'weld'] as const)(
  'a %s without poseB is that of the start of the world, in a fork too',
  (type) => {
    const spring = { stiffness: 300, damping: 1 };
    const joins = [
      { type, a: 'a', poseA: [0.3, 0, 0, 0, 0, 0, 1] as const, ...(type === 'spring' && spring) },
      { type, a: 'a', b: 'b', ...(type === 'spring' && spring) },
    ] as JoinOptions[];
    const simulation = start({ bodies: [ball('a', 0, 0), ball('b', 0.5, 0, { velocity: [0, 3, 0, 0, 0, 2] })], joins });
    stepSimulation(simulation, 300);
    const fork = forkSimulation(simulation);
    const again = start({ bodies: [ball('b', 0.5, 0, { velocity: [0, 3, 0, 0, 0, 2] }), ball('a', 0, 0)], joins });
    restoreSnapshot(again, takeSnapshot(simulation));
    for (const other of [simulation, fork, again]) stepSimulation(other, 300);
    expect(fork.state).toEqual(simulation.state);
    expect(again.state).toEqual(simulation.state);
  },
);

it('refuses joins that are none', () => {
  const world = (join: unknown) => () => createWorld({ bodies: [ball('a', 0, 0)], joins: [join as JoinOptions] });
  expect(world({ type: 'spring', a: 'a' })).toThrow(/joins\[0\].stiffness, got undefined/);
  expect(world({ type: 'spring', a: 'a', stiffness: 1, damping: -1 })).toThrow(/damping/);
  expect(world({ type: 'point', a: 'a', stiffness: 1 })).toThrow(/stiffness/);
  expect(world({ type: 'rope', a: 'a' })).toThrow(/type/);
  expect(world({ type: 'weld', a: 'a', poseA: [0, 0, 0, 0, 0, 0, 0] })).toThrow(/poseA/);
  expect(world({ type: 'weld', a: 'z' })).toThrow(/"z"/);
});
