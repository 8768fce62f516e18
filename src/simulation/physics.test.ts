import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { impedance } from './contact-models.js';
import type { BodyOptions, ContactModel, WorldOptions } from './definition.js';
import { computeEnergy } from './energy.js';
import { setBodyPose } from './simulation.js';
import { box, contactForce, GROUND, start } from './simulation.test-support.js';
import { forkSimulation, restoreSnapshot, takeSnapshot } from './snapshot.js';
import { stepSimulation } from './step.js';

const MODELS: readonly ContactModel[] = ['rigid', 'soft', 'relaxed'];

function pile(): BodyOptions[] {
  const random = createRandom(3);
  return Array.from({ length: 16 }, (_, i) => ({
    name: `b${i}`,
    shapes: [
      {
        shape:
          i % 2 === 0 ? ({ type: 'sphere', radius: 0.2 } as const) : ({ type: 'box', size: [0.4, 0.3, 0.5] } as const),
      },
    ],
    pose: [random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4), 0.5 + 0.35 * i, 0, 0, 0, 1] as const,
  }));
}

describe('contact models', () => {
  it.each(MODELS)('%s: a resting body is carried with m g within 1e-6', (contact) => {
    const simulation = start({ statics: [GROUND], bodies: [box('b', 0, 0, 0.5, { mass: 2 })], contact });
    stepSimulation(simulation, 3000);
    const [x, y, z] = contactForce(simulation);
    expect(Math.abs(z / (2 * 9.81) - 1)).toBeLessThan(1e-6);
    expect(Math.abs(x) + Math.abs(y)).toBeLessThan(1e-6);
  });

  it.each(MODELS)('%s: nothing acts at a distance, and nothing pulls', (contact) => {
    const simulation = start({ statics: [GROUND], bodies: pile(), contact, step: 0.002 });
    for (let i = 0; i < 400; i++) {
      stepSimulation(simulation);
      const { contacts } = simulation;
      for (let c = 0; c < contacts.count; c++) {
        let normal = 0;
        let squared = 0;
        for (let k = 0; k < 3; k++) {
          const f = contacts.impulses[3 * c + k];
          normal += f * contacts.normals[3 * c + k];
          squared += f * f;
        }
        expect(normal).toBeGreaterThanOrEqual(-1e-12);
        // A rigid contact may close its gap within the step, and no more; the others push where shapes overlap only.
        if (contact !== 'rigid' && contacts.gaps[c] >= 0) expect(squared).toBe(0);
      }
    }
    // Leaving contacts are let go.
    const up = start({
      statics: [GROUND],
      bodies: [box('b', 0, 0, 0.4999, { velocity: [0, 0, 2, 0, 0, 0] })],
      contact,
    });
    stepSimulation(up);
    if (contact !== 'relaxed') expect(contactForce(up)[2]).toBeLessThanOrEqual(contact === 'soft' ? 100 : 1e-9);
  });

  it('soft: the law itself at rest, x = m g / k', () => {
    const material = { stiffness: 2e4, exponent: 1, dissipation: 0.5 };
    const body = box('b', 0, 0, 0.5, { mass: 2 });
    const simulation = start({
      statics: [{ ...GROUND, shapes: [{ ...GROUND.shapes[0], material }] }],
      bodies: [{ ...body, shapes: [{ ...body.shapes[0], material }] }],
      contact: 'soft',
    });
    stepSimulation(simulation, 3000);
    // Two springs of 2e4 in a row, at each of four corners.
    expect(0.5 - simulation.state[4]).toBeCloseTo((2 * 9.81) / (4 * 1e4), 9);
  });

  it('relaxed: the impedance of the documentation', () => {
    const solimp = [0.9, 0.95, 0.001, 0.5, 2] as const;
    expect(impedance(0, solimp)).toBeCloseTo(0.9, 12);
    expect(impedance(-0.001, solimp)).toBeCloseTo(0.95, 12);
    expect(impedance(-0.0005, solimp)).toBeCloseTo(0.925, 12);
    expect(impedance(-0.00025, solimp)).toBeCloseTo(0.9 + 0.05 * 0.125, 12);
  });
});

describe('friction', () => {
  it('a block slides as far as it should, the closer the smaller the step', () => {
    const theory = 100 / (2 * 0.5 * 9.81);
    const errors = [0.004, 0.002, 0.001].map((step) => {
      const body = box('b', 0, 0, 0.1, { velocity: [10, 0, 0, 0, 0, 0], mass: 2 });
      const simulation = start({
        statics: [GROUND],
        bodies: [{ ...body, shapes: [{ shape: { type: 'box', size: [1, 1, 0.2] } }] }],
        step,
      });
      stepSimulation(simulation, Math.round(2.5 / step));
      for (let k = 0; k < 6; k++) expect(Math.abs(simulation.state[9 + k])).toBeLessThan(1e-9);
      return Math.abs(simulation.state[2] / theory - 1);
    });
    expect(errors[2]).toBeLessThan(1e-3);
    expect(errors[0] / errors[1]).toBeGreaterThan(1.9);
    expect(errors[1] / errors[2]).toBeGreaterThan(1.9);
  });

  it('a slope at atan(mu) -+ 0.1 % holds and does not', () => {
    for (const factor of [0.999, 1.001]) {
      const angle = Math.atan(0.5 * factor);
      const gravity = [9.81 * Math.sin(angle), 0, -9.81 * Math.cos(angle)] as const;
      const body = box('b', 0, 0, 0.1);
      const simulation = start({
        statics: [GROUND],
        bodies: [{ ...body, shapes: [{ shape: { type: 'box', size: [1, 1, 0.2] } }] }],
        gravity,
      });
      stepSimulation(simulation, 2000);
      const expected = 2 * (gravity[0] + 0.5 * gravity[2]);
      if (factor < 1) expect(Math.abs(simulation.state[2])).toBeLessThan(1e-9);
      else expect(simulation.state[9] / expected).toBeCloseTo(1, 4);
    }
  });

  it('soft: on a slope a block creeps at the speed that the law gives', () => {
    const angle = Math.atan(0.25);
    const body = box('b', 0, 0, 0.1);
    const simulation = start({
      statics: [GROUND],
      bodies: [{ ...body, shapes: [{ shape: { type: 'box', size: [1, 1, 0.2] } }] }],
      gravity: [9.81 * Math.sin(angle), 0, -9.81 * Math.cos(angle)],
      contact: 'soft',
      slipSpeed: 1e-3,
    });
    stepSimulation(simulation, 3000);
    // mu u / sqrt(u^2 + s^2) = tan(angle), with mu twice the tangent: u = s / sqrt(3).
    expect(simulation.state[9]).toBeCloseTo(1e-3 / Math.sqrt(3), 6);
  });

  it('a ball that slides begins to roll at 5/7 of its speed', () => {
    const ball = {
      name: 'b',
      shapes: [{ shape: { type: 'sphere', radius: 0.1 } as const }],
      velocity: [2, 0, 0, 0, 0, 0],
    };
    const simulation = start({ statics: [GROUND], bodies: [{ ...ball, pose: [0, 0, 0.1, 0, 0, 0, 1] }] });
    stepSimulation(simulation, 1000);
    expect(simulation.state[9]).toBeCloseTo((2 * 5) / 7, 6);
    expect(simulation.state[13] * 0.1).toBeCloseTo((2 * 5) / 7, 6);
  });

  it('a ball bounces to e^2 of its height', () => {
    for (const restitution of [1, 0.8, 0.5]) {
      const shapes = [{ shape: { type: 'sphere', radius: 0.1 } as const, material: { restitution } }];
      const bodies = [{ name: 'b', shapes, pose: [0, 0, 1.1, 0, 0, 0, 1] as const }];
      const simulation = start({ statics: [GROUND], bodies, step: 5e-4 });
      let top = 0;
      let phase = 0;
      for (let i = 0; i < 4000 && phase < 2; i++) {
        stepSimulation(simulation);
        const up = simulation.state[11] > 0;
        if (phase === 0 && up) phase = 1;
        if (phase === 1) top = Math.max(top, simulation.state[4] - 0.1);
        if (phase === 1 && !up) phase = 2;
      }
      expect(top).toBeCloseTo(restitution ** 2, 2);
    }
  });
});

describe('stacks and piles', () => {
  it('a spiky hull falls asleep within 3 s, and never rises above where it fell from', () => {
    const random = createRandom(5);
    const points: number[] = [];
    for (let i = 0; i < 20; i++) {
      const v = [0, 1, 2].map(() => random.uniform(-1, 1));
      const reach = (0.5 * random.uniform(0.2, 1)) / Math.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2);
      points.push(v[0] * reach, 0.2 * v[1] * reach, 0.2 * v[2] * reach);
    }
    const shapes = [{ shape: { type: 'convex', points: Float64Array.from(points) } as const }];
    const bodies = [{ name: 'hull', shapes, pose: [0, 0, 0.7, 0.1, 0.2, 0.3, Math.sqrt(0.86)] as const }];
    const simulation = start({ statics: [GROUND], bodies, step: 1 / 240, sleepSpeed: 0.01 });
    const from = simulation.state[4];
    for (let i = 0; i < 720; i++) {
      stepSimulation(simulation);
      expect(simulation.state[4]).toBeLessThanOrEqual(from);
    }
    expect(simulation.report.sleeping).toBe(1);
  });

  it('going back a hundred times leaves one body', () => {
    const simulation = start({ statics: [GROUND], bodies: [box('b', 0, 0, 2)] });
    const first = takeSnapshot(simulation);
    for (let i = 0; i < 100; i++) {
      stepSimulation(simulation);
      restoreSnapshot(simulation, first);
    }
    expect([...takeSnapshot(simulation)]).toEqual([...first]);
    expect(simulation.world.bodies.length).toBe(1);
  });

  it('a fast small ball is stopped by a thin wall', () => {
    for (const speed of [50, 300, 2000]) {
      const simulation = start({
        gravity: [0, 0, 0],
        statics: [
          { name: 'wall', shapes: [{ shape: { type: 'box', size: [0.002, 2, 2] } }], pose: [1, 0, 0, 0, 0, 0, 1] },
        ],
        bodies: [
          { name: 'ball', shapes: [{ shape: { type: 'sphere', radius: 0.005 } }], velocity: [speed, 0, 0, 0, 0, 0] },
        ],
      });
      stepSimulation(simulation, 50);
      expect(simulation.state[2]).toBeLessThan(1);
    }
  });

  it('energy never grows while a pile settles', () => {
    const simulation = start({ statics: [GROUND], bodies: pile(), step: 0.002 });
    const first = computeEnergy(simulation).total;
    for (let i = 0; i < 60; i++) {
      stepSimulation(simulation, 10);
      expect(computeEnergy(simulation).total).toBeLessThanOrEqual(first * (1 + 1e-6));
    }
  });

  it('bodies at rest fall asleep and wake when something comes', () => {
    const simulation = start({
      statics: [GROUND],
      bodies: [box('a', 0, 0, 0.5), box('b', 0, 0, 6)],
      sleepSpeed: 0.01,
      step: 0.002,
    });
    stepSimulation(simulation, 400);
    expect(simulation.report.sleeping).toBe(1);
    stepSimulation(simulation, 200);
    const moved = start({ statics: [GROUND], bodies: [box('a', 0, 0, 0.5)], sleepSpeed: 0.01 });
    stepSimulation(moved, 700);
    setBodyPose(moved, 0, [0, 0, 3, 0, 0, 0, 1]);
    stepSimulation(moved, 10);
    expect(moved.state[11]).toBeLessThan(-0.05);
  });
});

describe('same bits', () => {
  const options = (bodies: readonly BodyOptions[]): WorldOptions => ({ statics: [GROUND], bodies, step: 0.002 });

  it('whatever order bodies were given in', () => {
    const a = start(options(pile()));
    const b = start(options(pile().reverse()));
    stepSimulation(a, 400);
    stepSimulation(b, 400);
    expect([...b.state]).toEqual([...a.state]);
  });

  it('from a snapshot, through text, and in a fork', () => {
    const whole = start(options(pile()));
    stepSimulation(whole, 400);
    const half = start(options(pile()));
    stepSimulation(half, 200);
    const text = JSON.stringify([...takeSnapshot(half)]);
    const other = start(options(pile()));
    stepSimulation(other, 3);
    restoreSnapshot(other, Float64Array.from(JSON.parse(text) as number[]));
    const fork = forkSimulation(half);
    for (const simulation of [other, fork, half]) {
      stepSimulation(simulation, 200);
      expect([...simulation.state]).toEqual([...whole.state]);
    }
  });
});
