import { describe, expect, it } from 'vitest';
import { createBoxMesh } from '../../../test/sample-shapes.js';
import { addUrdf, planarArm } from '../../../test/scene-fixtures.js';
import { createRandom } from '../../math/random.js';
import { randomConfiguration } from '../../model/configuration.js';
import { attachObject } from '../attach.js';
import { checkScene, nearestPair } from '../queries/check.js';
import { placeRobot, setConfiguration } from '../robot.js';
import { addObject, createScene, disposeScene, setPairMargin } from '../scene.js';
import type { Scene } from '../types.js';
import { runSceneJob, SceneJobError } from './batch.js';
import { packScene, unpackScene } from './pack-scene.js';

/** Two robots (one with every kind of joint a URDF has, on a floating base), meshes, an attached object, margins. */
function createCell(): Scene {
  const scene = createScene({ margin: 0.01 });
  const arm = addUrdf(scene, planarArm('arm', 4, 0.4));
  const text = planarArm('cart', 4, 0.3)
    .replace('name="joint1" type="revolute"', 'name="joint1" type="continuous"')
    .replace('name="joint2" type="revolute"', 'name="joint2" type="prismatic"')
    .replace('</joint></robot>', '<mimic joint="joint1" multiplier="0.5"/></joint></robot>');
  const cart = addUrdf(scene, text, { build: { base: 'floating', continuous: 'cos-sin' } });
  placeRobot(cart, [0.5, 1.2, 0, 0, 0, 0, 1]);
  const mesh = createBoxMesh([0.3, 0.3, 0.3]);
  addObject(scene, { name: 'crate', shape: { type: 'mesh', mesh }, pose: [0.9, 0.6, 0, 0, 0, 0, 1], margin: 0.02 });
  addObject(scene, { name: 'twin', shape: { type: 'mesh', mesh, mode: 'surface' }, pose: [-0.9, 0.6, 0, 0, 0, 0, 1] });
  const tool = addObject(scene, {
    name: 'tool',
    shape: { type: 'sphere', radius: 0.05 },
    pose: [1.7, 0, 0, 0, 0, 0, 1],
  });
  attachObject(scene, tool, { robot: arm, link: 'link3', touchLinks: ['link2'] });
  setPairMargin(scene, 'arm/link2', 'crate', 0.1);
  scene.allowed.allow({ a: 'arm/link0', b: 'crate', reason: 'user' });
  return scene;
}

describe('a packed scene', () => {
  it('holds data only: a shape with a support function is refused by name', () => {
    const scene = createScene();
    const ball = {
      type: 'support',
      support: (out: Float64Array, direction: Float64Array) => out.set(direction),
    } as const;
    const children = [{ shape: ball }];
    addObject(scene, { name: 'own', shape: { type: 'compound', children }, pose: [0, 0, 0, 0, 0, 0, 1] });
    expect(() => packScene(scene)).toThrow(/packScene: shape, got a compound with a support function/);
  });

  it.each([false, true])('answers like the original after a structured clone, shared memory: %s', (shared) => {
    const scene = createCell();
    const copy = unpackScene(structuredClone(packScene(scene, shared)));
    const random = createRandom(4);
    let touching = 0;
    for (let run = 0; run < 60; run++) {
      scene.robots.forEach((robot, i) => {
        const q = randomConfiguration(new Float64Array(robot.model.nq), robot.model, random);
        setConfiguration(robot, q);
        setConfiguration(copy.robots[i], q);
      });
      const all = checkScene(scene, { all: true });
      touching += all.contacts.length;
      expect(checkScene(copy, { all: true })).toEqual(all);
      expect(checkScene(copy)).toEqual(checkScene(scene));
      expect(nearestPair(copy)).toEqual(nearestPair(scene));
    }
    expect(touching).toBeGreaterThan(20);
    disposeScene(copy);
    disposeScene(scene);
  });

  it('of another version is refused', () => {
    const scene = createCell();
    expect(() => unpackScene({ ...packScene(scene), version: 2 as 1 })).toThrow(/version, got 2, expected 1/);
    disposeScene(scene);
  });
});

describe('a job', () => {
  it('answers in order and names the query that fails', () => {
    const scene = createScene();
    const robot = addUrdf(scene, planarArm('arm', 2, 0.5));
    addObject(scene, { name: 'block', shape: { type: 'box', size: [0.2, 0.2, 0.2] }, pose: [0, 0.9, 0, 0, 0, 0, 1] });
    const q = Float64Array.of(0, 1.5708, 0.1, 3);
    setConfiguration(robot, [1.5708]);
    const run = (job: Parameters<typeof runSceneJob>[2], values = q) => runSceneJob(scene, robot, job, values);
    addObject(scene, { name: 'wall', shape: { type: 'box', size: [0.2, 0.2, 0.2] }, pose: [0.5, 0.9, 0, 0, 0, 0, 1] });
    expect(Array.from(run({ kind: 'free', margin: 0 }) as Uint8Array)).toEqual([1, 1, 1, 1]);
    expect(run({ kind: 'nearest', maxDistance: 1e-3, depth: 'hull' })).toEqual([null, null, null, null]);
    expect(run({ kind: 'check', margin: 0.5, all: true, depth: 'none' })).toHaveLength(4);
    expect((run({ kind: 'motion', margin: 0, tolerance: 1e-4 }) as Uint8Array).length).toBe(3);
    expect(() => run({ kind: 'free', margin: 0 }, Float64Array.of(0, 1, Number.NaN))).toThrow(SceneJobError);
    expect(() => run({ kind: 'free', margin: 0 }, Float64Array.of(0, 1, Number.NaN))).toThrow(/q\[0\], got NaN/);
    disposeScene(scene);
  });
});
