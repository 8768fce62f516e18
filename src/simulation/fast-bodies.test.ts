import { describe, expect, it } from 'vitest';
import type { Shape } from '../geometry/shapes.js';
import { createRandom, type Random } from '../math/random.js';
import { createTransform, poseToTransform } from '../math/transform.js';
import { buildModel } from '../model/build-model.js';
import { createCollider } from '../narrowphase/collider.js';
import { distance } from '../narrowphase/distance.js';
import { createDistanceResult } from '../narrowphase/query.js';
import type { ContactModel, StaticOptions } from './definition.js';
import { computeEnergy, computeMomentum } from './energy.js';
import type { Simulation } from './simulation.js';
import { start } from './simulation.test-support.js';
import { stepSimulation } from './step.js';

const MODELS: readonly ContactModel[] = ['rigid', 'soft', 'relaxed'];
const BLOCK: Shape = { type: 'box', size: [1, 1, 1] };
const LOG: Shape = { type: 'cylinder', radius: 0.5, length: 1 };
const WALL: StaticOptions = { name: 'wall', shapes: [{ shape: { type: 'box', size: [0.005, 2, 2] } }] };

function randomShape(random: Random): Shape {
  const u = (low: number, high: number): number => random.uniform(low, high);
  const kinds: Shape[] = [
    { type: 'sphere', radius: u(0.1, 0.4) },
    { type: 'box', size: [u(0.1, 1), u(0.1, 1), u(0.05, 1)] },
    { type: 'capsule', radius: u(0.05, 0.2), length: u(0.2, 1) },
    { type: 'cylinder', radius: u(0.1, 0.4), length: u(0.1, 1) },
    { type: 'ellipsoid', semiAxes: [u(0.1, 0.5), u(0.1, 0.5), u(0.1, 0.5)] },
  ];
  return kinds[Math.floor(u(0, kinds.length))];
}

function randomTurn(random: Random): number[] {
  const q = [0, 1, 2, 3].map(() => random.uniform(-1, 1));
  const norm = Math.sqrt(q.reduce((sum, x) => sum + x * x, 0));
  return q.map((x) => x / norm);
}

const pushes = ({ contacts }: Simulation): boolean =>
  contacts.impulses.subarray(0, 3 * contacts.count).some((f) => f !== 0);

describe.each(MODELS)('bodies that fly past each other (%s)', (contact) => {
  it.each([
    ['a block', BLOCK],
    ['a cylinder', LOG],
  ])('a ball is not touched by %s that it misses', (_, shape) => {
    for (const gap of [0.001, 0.01, 0.2])
      for (const speed of [5, 100])
        for (const step of [1 / 60, 0.001]) {
          const simulation = start({
            gravity: [0, 0, 0],
            step,
            contact,
            statics: [{ name: 'block', shapes: [{ shape }] }],
            bodies: [
              {
                name: 'ball',
                shapes: [{ shape: { type: 'sphere', radius: 0.1 } }],
                pose: [-5, 0, 0.6 + gap, 0, 0, 0, 1],
                velocity: [speed, 0, 0, 0, 0, 0],
              },
            ],
          });
          stepSimulation(simulation, Math.ceil(10 / speed / step));
          expect(Array.from(simulation.state.subarray(9, 15))).toEqual([speed, 0, 0, 0, 0, 0]);
        }
  });

  it('forces act exactly where paths meet', () => {
    const random = createRandom(31);
    const room = createDistanceResult();
    const [X, Y] = [createTransform(), createTransform()];
    let [hits, misses] = [0, 0];
    for (let i = 0; i < 120; i++) {
      const [a, b] = [randomShape(random), randomShape(random)];
      const [p, q] = [createCollider(a), createCollider(b)];
      const [turnA, turnB] = [randomTurn(random), randomTurn(random)];
      const [y, z] = [random.uniform(-0.8, 0.8), random.uniform(-0.8, 0.8)];
      const speed = 10 ** random.uniform(0, 2.5);
      let nearest = Infinity;
      for (let k = 0; k <= 600; k++) {
        poseToTransform(X, [0, 0, 0, ...turnA]);
        poseToTransform(Y, [-3 + k / 100, y, z, ...turnB]);
        nearest = Math.min(nearest, distance(room, p, X, q, Y).distance);
      }
      const simulation = start({
        gravity: [0, 0, 0],
        step: 1 / 120,
        contact,
        statics: [{ name: 'a', shapes: [{ shape: a }], pose: [0, 0, 0, turnA[0], turnA[1], turnA[2], turnA[3]] }],
        bodies: [
          {
            name: 'b',
            shapes: [{ shape: b }],
            pose: [-3, y, z, turnB[0], turnB[1], turnB[2], turnB[3]],
            velocity: [speed, 0, 0, 0, 0, 0],
          },
        ],
      });
      let touched = false;
      for (let k = 0; k < (6 / speed) * 120; k++) {
        stepSimulation(simulation);
        touched ||= pushes(simulation);
      }
      if (nearest > 0.002) {
        misses++;
        expect(touched).toBe(false);
      } else if (nearest < -0.05) {
        hits++;
        expect(touched).toBe(true);
      }
      p.dispose();
      q.dispose();
    }
    expect(Math.min(hits, misses)).toBeGreaterThan(20);
  });

  it('momentum stays, and energy does not grow, when fast and spinning bodies meet', () => {
    const random = createRandom(7);
    let met = 0;
    for (let i = 0; i < 60; i++) {
      const speed = 10 ** random.uniform(0, 2.3);
      const spin = 10 ** random.uniform(-1, 2);
      const turns = [0, 1].map(() => randomTurn(random));
      const simulation = start({
        gravity: [0, 0, 0],
        step: [0.001, 1 / 240, 1 / 60][i % 3],
        contact,
        bodies: [0, 1].map((k) => ({
          name: `b${k}`,
          shapes: [{ shape: randomShape(random) }],
          pose: [3 * k, 0.2 * k, 0, turns[k][0], turns[k][1], turns[k][2], turns[k][3]],
          velocity: [-speed * k, 0, 0, ...[0, 1, 2].map(() => random.uniform(-spin, spin))],
        })),
      });
      const before = computeMomentum(new Float64Array(6), simulation);
      const { total } = computeEnergy(simulation);
      const { step } = simulation.world.step;
      let touched = false;
      for (let k = 0; k < 6 / speed / step; k++) {
        stepSimulation(simulation);
        touched ||= pushes(simulation);
        // What tumbling alone changes.
        expect(computeEnergy(simulation).total / total).toBeLessThan(1.005);
      }
      if (touched) met++;
      const after = computeMomentum(new Float64Array(6), simulation);
      const size = Math.sqrt(before[0] ** 2 + before[1] ** 2 + before[2] ** 2);
      for (let k = 0; k < 3; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(1e-12 * size);
    }
    expect(met).toBeGreaterThan(30);
  });

  it.each([10, 100])('a wall of 5 mm stops a ball of 1 cm at %i m/s', (speed) => {
    const simulation = start({
      gravity: [0, 0, 0],
      contact,
      relaxed: { solimp: [0.99, 0.9999, 0.001, 0.5, 2], solref: [0.002, 1] },
      statics: [{ ...WALL, shapes: [{ ...WALL.shapes[0], material: { stiffness: 1e9 } }] }],
      bodies: [
        {
          name: 'ball',
          shapes: [{ shape: { type: 'sphere', radius: 0.01 }, material: { stiffness: 1e9 } }],
          pose: [-1, 0, 0, 0, 0, 0, 1],
          velocity: [speed, 0, 0, 0, 0, 0],
          mass: 0.01,
        },
      ],
    });
    stepSimulation(simulation, Math.ceil(3000 / speed));
    expect(simulation.state[2]).toBeLessThan(0);
    expect(simulation.state[9]).toBeLessThan(1e-6);
  });
});

it('a ball that comes in flat lands on top of a block, not on its edge', () => {
  const simulation = start({
    gravity: [0, 0, 0],
    step: 1 / 60,
    statics: [{ name: 'block', shapes: [{ shape: BLOCK, material: { friction: 0 } }] }],
    bodies: [
      {
        name: 'ball',
        shapes: [{ shape: { type: 'sphere', radius: 0.1 } }],
        pose: [-2, 0, 0.68, 0, 0, 0, 1],
        velocity: [100, 0, -5, 0, 0, 0],
      },
    ],
  });
  stepSimulation(simulation);
  // It is over the block by then.
  expect(simulation.state[9]).toBeCloseTo(100, 9);
  expect(simulation.state[11]).toBeGreaterThan(-5);
  expect(simulation.state[4]).toBeCloseTo(0.6, 4);
});

it('links that pass by are not touched either', () => {
  const { model } = buildModel({
    name: 'slider',
    links: [
      { name: 'rail' },
      { name: 'head', inertial: { mass: 1, origin: createTransform(), inertia: [1, 0, 0, 1, 0, 1] } },
    ],
    joints: [
      {
        name: 'slide',
        type: 'prismatic',
        parent: 'rail',
        child: 'head',
        origin: createTransform(),
        axis: [1, 0, 0],
        limits: { lower: -10, upper: 10 },
      },
    ],
  });
  for (const [height, ends] of [
    [0.65, 100],
    [0.55, 0],
  ]) {
    const simulation = start({
      step: 1 / 60,
      statics: [{ name: 'block', shapes: [{ shape: BLOCK, material: { friction: 0 } }] }],
      robots: [
        {
          name: 'arm',
          model,
          shapes: [{ link: 'head', shape: { type: 'sphere', radius: 0.1 }, pose: [0, 0, height, 0, 0, 0, 1] }],
          q: [-5],
          v: [100],
        },
      ],
    });
    stepSimulation(simulation, 6);
    expect(simulation.robots[0].v[0]).toBeCloseTo(ends, 6);
  }
});

it('a rod that turns by more than a radian per step keeps its energy', () => {
  const simulation = start({
    gravity: [0, 0, 0],
    step: 1 / 240,
    bodies: [
      { name: 'rod', shapes: [{ shape: { type: 'box', size: [2, 0.02, 0.3] } }], velocity: [0, 0, 0, 3, 4, 300] },
    ],
  });
  const { total } = computeEnergy(simulation);
  for (let i = 0; i < 480; i++) {
    stepSimulation(simulation);
    expect(Math.abs(computeEnergy(simulation).total / total - 1)).toBeLessThan(0.01);
  }
});
