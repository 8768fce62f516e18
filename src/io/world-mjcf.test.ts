import { expect, it } from 'vitest';
import { createTransform } from '../math/transform.js';
import { buildModel } from '../model/build-model.js';
import { createSimulation } from '../simulation/simulation.js';
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
