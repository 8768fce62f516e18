/** What a further robot of a model, and a further context, cost: memory, and what they share. Times: the bench suite `scene`. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { checkScene, isSceneFree, nearestPair } from '../../src/scene/queries/check.js';
import { addRobot, setConfiguration } from '../../src/scene/robot.js';
import { createContext, createScene, disposeScene } from '../../src/scene/scene.js';
import type { Scene } from '../../src/scene/types.js';
import { addUrdf, planarArm } from '../scene-fixtures.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes in use, on the heap and in arrays. */
function measureMemory(): number {
  for (let i = 0; i < 4; i++) collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** As many as a Panda has. */
const LINKS = 10;
const MOST_BYTES = 20_000;
const COUNT = 500;
const URDF = planarArm('arm', LINKS, 0.3);

function ask(scene: Scene): void {
  isSceneFree(scene);
  checkScene(scene, { all: true, depth: 'none' });
}

/** Robots of one model: `addUrdf` reads the description anew each time. */
function createSource() {
  const scene = createScene();
  const { model, description } = addUrdf(scene, URDF);
  disposeScene(scene);
  return { model, description };
}

describe('a thousand robots of one model', () => {
  it('take at most 20 kB each, also after queries, and share what does not move', () => {
    const scene = createScene();
    const source = createSource();
    const add = (i: number) =>
      addRobot(scene, { ...source, placement: [8 * (i % 32), 8 * Math.floor(i / 32), 0, 0, 0, 0, 1] });
    const first = add(0);
    ask(scene);
    const { size } = scene.world.colliders;
    const before = measureMemory();
    for (let i = 1; i <= COUNT; i++) add(i);
    const added = (measureMemory() - before) / COUNT;
    ask(scene);
    const asked = (measureMemory() - before) / COUNT;
    expect(added).toBeLessThan(0.6 * MOST_BYTES);
    expect(asked).toBeLessThan(MOST_BYTES);
    expect(scene.world.colliders.size).toBe(size);
    for (const { model, definition, links } of scene.robots) {
      expect(model).toBe(first.model);
      expect(definition.links).toBe(first.definition.links);
      expect(links[1].body.parts[0].collider).toBe(first.links[1].body.parts[0].collider);
    }
    const buffers = new Set(
      [scene.robots[7]].flatMap(({ data, q, placement, links }) => [
        data.framePlacements.buffer,
        data.jointPlacements.buffer,
        q.buffer,
        placement.buffer,
        ...links.flatMap(({ body }) => [body.box.buffer, body.worldPlacement.buffer]),
      ]),
    );
    expect(buffers.size).toBe(1);
    disposeScene(scene);
  });

  it('stand in contexts of at most 20 kB each, also after queries', () => {
    const scene = createScene();
    addUrdf(scene, URDF);
    ask(scene);
    const contexts: Scene[] = [createContext(scene)];
    ask(contexts[0]);
    const before = measureMemory();
    for (let i = 0; i < COUNT; i++) contexts.push(createContext(scene));
    expect((measureMemory() - before) / COUNT).toBeLessThan(0.6 * MOST_BYTES);
    const q = new Float64Array(LINKS - 1).fill(0.1);
    for (const context of contexts) {
      setConfiguration(context.robots[0], q);
      ask(context);
      nearestPair(context);
    }
    expect((measureMemory() - before) / COUNT).toBeLessThan(MOST_BYTES);
    for (const context of contexts) disposeScene(context);
    disposeScene(scene);
  });
});
