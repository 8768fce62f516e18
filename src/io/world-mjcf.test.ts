import { expect, it } from 'vitest';
import { createTransform } from '../math/transform.js';
import { buildModel } from '../model/build-model.js';
import { createSimulation } from '../simulation/simulation.js';
import { stepSimulation } from '../simulation/step.js';
import { createWorld } from '../simulation/world.js';
import { writeWorldMjcf } from './world-mjcf.js';
import { parseXml } from './xml/xml.js';

it('writes bodies, robots, planes and exclusions, and names what it leaves out', () => {
  const { model } = buildModel({
    name: 'arm',
    links: [
      { name: 'base' },
      { name: 'upper', inertial: { mass: 1, origin: createTransform(), inertia: [1, 0, 0, 1, 0, 1] } },
    ],
    joints: [
      {
        name: 'turn',
        type: 'revolute',
        parent: 'base',
        child: 'upper',
        origin: createTransform(),
        axis: [0, 0, 1],
        limits: { lower: -1, upper: 1 },
      },
    ],
  });
  const world = createWorld({
    statics: [{ name: 'floor', shapes: [{ shape: { type: 'halfspace', normal: [0, 0, 1], offset: 0.5 } }] }],
    bodies: [
      { name: 'a & b', shapes: [{ shape: { type: 'box', size: [1, 2, 3] } }], mass: 6 },
      { name: 'cone', shapes: [{ shape: { type: 'cone', radius: 1, length: 1 } }] },
    ],
    robots: [{ name: 'r', model, shapes: [{ link: 'upper', shape: { type: 'sphere', radius: 0.1 } }] }],
    pairs: [{ a: 'a & b', b: 'cone', allowed: true }],
    contact: 'relaxed',
  });
  const { value, issues } = writeWorldMjcf(createSimulation(world));
  expect(parseXml(value).issues).toEqual([]);
  expect(value).toContain('<body name="a &amp; b"');
  expect(value).toContain('type="box" size="0.5 1 1.5"');
  expect(value).toContain('type="plane" size="0 0 1" pos="0 0 0.5" zaxis="0 0 1"');
  expect(value).toContain('type="hinge" axis="0 0 1"');
  expect(value).toContain('range="-1 1"');
  expect(value).toContain('<exclude body1="a &amp; b" body2="cone"/>');
  expect(issues.map(({ element, code }) => [element, code])).toEqual([['cone', 'shape-left-out']]);
  world.dispose();
});

it('has the present state as a keyframe: free joints in the world, mimic joints their own', () => {
  const link = (name: string) => ({
    name,
    inertial: { mass: 1, origin: createTransform(), inertia: [1, 0, 0, 1, 0, 1] as const },
  });
  const joint = (name: string, parent: string, child: string) => ({
    name,
    type: 'continuous' as const,
    parent,
    child,
    origin: createTransform(),
    axis: [0, 0, 1] as const,
  });
  const { model } = buildModel(
    {
      name: 'walker',
      links: [link('trunk'), link('upper'), link('lower')],
      joints: [
        joint('hip', 'trunk', 'upper'),
        { ...joint('knee', 'upper', 'lower'), mimic: { joint: 'hip', multiplier: -2, offset: 0.1 } },
      ],
    },
    { base: 'floating' },
  );
  const half = Math.sqrt(0.5);
  const world = createWorld({
    gravity: [0, 0, 0],
    bodies: [
      {
        name: 'ball',
        shapes: [],
        inertia: { mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] },
        pose: [4, 5, 6, 0, 0, 0, 1],
      },
    ],
    robots: [
      {
        name: 'r',
        model,
        shapes: [],
        pose: [1, 2, 3, 0, 0, half, half],
        q: [0.5, 0, 0, 0, 0, 0, 1, 0.3],
        v: [1, 0, 0, 0, 0, 0, 0.2],
      },
    ],
  });
  const simulation = createSimulation(world);
  const read = (name: string): number[] =>
    new RegExp(`${name}="([^"]*)"`).exec(writeWorldMjcf(simulation).value)![1].split(' ').map(Number);
  const expected = [4, 5, 6, 1, 0, 0, 0, 1, 2.5, 3, half, 0, 0, half, 0.3, -0.5];
  for (const [i, x] of read('qpos').entries()) expect(x).toBeCloseTo(expected[i], 12);
  const rates = [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0.2, -0.4];
  for (const [i, x] of read('qvel').entries()) expect(x).toBeCloseTo(rates[i], 12);
  stepSimulation(simulation, 3);
  expect(read('qpos')).not.toEqual(expected);
  world.dispose();
});
