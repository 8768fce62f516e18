import { describe, expect, it } from 'vitest';
import { normalizeQuat } from '../../src/math/quat.js';
import { createRandom, type Random } from '../../src/math/random.js';
import type { Pose } from '../../src/math/transform.js';
import { attachObject, detachObject } from '../../src/scene/attach.js';
import { checkScene, nearestPair } from '../../src/scene/queries/check.js';
import { setConfiguration } from '../../src/scene/robot.js';
import { addObject, createScene, moveObject, removeObject } from '../../src/scene/scene.js';
import { restoreScene, saveScene } from '../../src/scene/transfer/snapshot.js';
import type { Scene } from '../../src/scene/types.js';
import { addUrdf, planarArm } from '../scene-fixtures.js';

function randomPose(random: Random): Pose {
  const q = normalizeQuat([0, 0, 0, 1], [random.normal(), random.normal(), random.normal(), random.normal()]);
  return [random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3), q[0], q[1], q[2], q[3]];
}

/** Moves one object or the robot a step and records what the scene answers. */
function walk(scene: Scene, steps: number, seed: number): string[] {
  const random = createRandom(seed);
  const objects = [...scene.objects.values()];
  const robot = scene.robots[0];
  const log: string[] = [];
  for (let step = 0; step < steps; step++) {
    const object = objects[random.integer(objects.length)];
    if (object.attachment) detachObject(scene, object);
    else if (random.next() < 0.02) attachObject(scene, object, { robot, link: 'link2' });
    else moveObject(scene, object, randomPose(random));
    setConfiguration(robot, [random.uniform(-2, 2), random.uniform(-2, 2)]);
    if (step % 50 === 0)
      log.push(JSON.stringify([checkScene(scene, { all: true, objectPairs: true }), nearestPair(scene)]));
  }
  return log;
}

describe('snapshots', () => {
  it('U204: save, 1000 steps, restore, 1000 steps: the second run gives the same bits', () => {
    const scene = createScene();
    addUrdf(scene, planarArm('arm', 3, 0.6));
    const random = createRandom(1);
    for (let k = 0; k < 97; k++) {
      addObject(scene, { name: `box${k}`, shape: { type: 'box', size: [0.5, 0.4, 0.3] }, pose: randomPose(random) });
    }
    walk(scene, 200, 2);
    const snapshot = saveScene(scene);
    const first = walk(scene, 1000, 3);
    restoreScene(scene, snapshot);
    expect(walk(scene, 1000, 3)).toEqual(first);
    expect(new Set(first).size).toBeGreaterThan(10);
  });

  it('refuses a snapshot of other objects', () => {
    const scene = createScene();
    const box = addObject(scene, { name: 'box', shape: { type: 'sphere', radius: 1 } });
    const snapshot = saveScene(scene);
    removeObject(scene, box);
    expect(() => restoreScene(scene, snapshot)).toThrow(/other robots or objects/);
  });
});
