import { createModel } from 'clearance/model';
import { addObject, addRobot, attachObject, createScene, disposeScene, updateScene } from 'clearance/scene';
import { describe, expect, it } from 'vitest';
import { findHiding } from './hiding.js';

const links = ['base', 'upper', 'lower'];
const model = createModel({
  name: 'arm',
  links: links.map((name) => ({ name })),
  joints: ['shoulder', 'elbow'].map((name, k) => ({
    ...{ name, type: 'revolute' as const, parent: links[k], child: links[k + 1], axis: [0, 1, 0] as const },
    origin: { xyz: [0, 0, 0.5] as const, rpy: [0, 0, 0] as const },
    limits: { lower: -2, upper: 2, velocity: 1, effort: 1 },
  })),
} as never);

describe('findHiding', () => {
  it('names what stands before the robot, each of several, and nothing behind it or in its hand', () => {
    const scene = createScene();
    const collisions = links.map((link) => ({
      ...{ name: link, link, shape: { type: 'sphere' as const, radius: 0.1 } },
      pose: [0, 0, 0, 0, 0, 0, 1] as const,
    }));
    const robot = addRobot(scene, { model, description: { collisions, visuals: [] } } as never);
    const box = { type: 'box' as const, size: [0.1, 2, 4] as const };
    for (const [name, x] of [
      ['near', 3],
      ['nearer', 4],
      ['behind', -2],
    ] as const)
      addObject(scene, { name, shape: box, pose: [x, 0, 0, 0, 0, 0, 1] } as never);
    addObject(scene, { name: 'floor', shape: { type: 'halfspace', normal: [0, 0, 1], offset: -3 } } as never);
    const low = { type: 'box' as const, size: [0.1, 2, 0.2] as const };
    addObject(scene, { name: 'low', shape: low, pose: [2, 0, 0, 0, 0, 0, 1] } as never);
    const held = addObject(scene, { name: 'held', shape: box, pose: [1, 0, 0, 0, 0, 0, 1] } as never);
    updateScene(scene);
    attachObject(scene, held, robot, 'lower');
    expect(findHiding(scene, [6, 0, 0.4], ['held']).sort()).toEqual(['near', 'nearer']);
    expect(findHiding(scene, [6, 0, 0.4], ['held', 'nearer'])).toEqual(['near']);
    // The part in its hand hides nothing, and what lies behind that does not count.
    expect(findHiding(scene, [1.8, 0, 0.4], [])).toEqual([]);
    expect(findHiding(scene, [0.3, 5, 0.4], ['held'])).toEqual([]);
    disposeScene(scene);
  });
});
