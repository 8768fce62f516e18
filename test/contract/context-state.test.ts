/** States of contexts: what they bring back, where they are refused. Round trips through random programs: contexts.test.ts. */
import { afterEach, describe, expect, it } from 'vitest';
import { createRandom } from '../../src/math/random.js';
import { randomConfiguration } from '../../src/model/configuration.js';
import { attachObject, detachObject } from '../../src/scene/attach.js';
import { castRobot } from '../../src/scene/motion/cast-robot.js';
import { checkScene, nearestPair, pairsWithin } from '../../src/scene/queries/check.js';
import { castSceneRay } from '../../src/scene/queries/ray.js';
import { placeRobot, setConfiguration } from '../../src/scene/robot.js';
import {
  addObject,
  createContext,
  createScene,
  disposeScene,
  moveObject,
  objectIn,
  removeObject,
  robotIn,
  setSceneMargin,
} from '../../src/scene/scene.js';
import { type ContextState, restoreContext, saveContext } from '../../src/scene/transfer/context-state.js';
import { packScene, unpackScene } from '../../src/scene/transfer/pack-scene.js';
import type { Scene } from '../../src/scene/types.js';
import { addUrdf, planarArm } from '../scene-fixtures.js';

const scenes: Scene[] = [];
afterEach(() => {
  for (const scene of scenes.splice(0)) disposeScene(scene);
});
function own(scene: Scene): Scene {
  scenes.push(scene);
  return scene;
}

/** An arm, a floating cart with a wheel whose angle is a (cos, sin) pair, free objects. */
function createCell() {
  const scene = own(createScene());
  const arm = addUrdf(scene, planarArm('arm', 4, 0.4));
  const wheels = planarArm('cart', 3, 0.3).replace('name="joint1" type="revolute"', 'name="joint1" type="continuous"');
  const cart = addUrdf(scene, wheels, { build: { base: 'floating', continuous: 'cos-sin' } });
  const [ball, crate] = [
    addObject(scene, { name: 'ball', shape: { type: 'sphere', radius: 0.2 }, pose: [1, 0.5, 0, 0, 0, 0, 1] }),
    addObject(scene, { name: 'crate', shape: { type: 'box', size: [0.3, 0.2, 0.4] }, pose: [-1, 0.6, 0, 0, 0, 0, 1] }),
  ];
  return { scene, arm, cart, ball, crate };
}

/** Everything that tells where things stand. */
function ask(scene: Scene) {
  const [arm] = scene.robots;
  const { time, distance, point, a, b } = castRobot(scene, arm, [0, 0, 0], [2, -1, 1]);
  return {
    check: checkScene(scene, { all: true, objectPairs: true }),
    nearest: nearestPair(scene, { objectPairs: true }),
    near: pairsWithin(scene, { margin: 0.6, objectPairs: true }),
    ray: castSceneRay(scene, { origin: [3, 0.45, 0.01], direction: [-1, 0, 0] }),
    cast: { time, distance, point, a, b },
    q: scene.robots.map(({ q }) => [...q]),
    held: Array.from(scene.objects.values(), ({ attachment }) => attachment && [attachment.link, attachment.mass]),
  };
}

describe('the state of a context', () => {
  it('brings back joint values, places and attachments to the bit, in any context and in a copy of the world', () => {
    const { scene, arm, cart, ball, crate } = createCell();
    const random = createRandom(5);
    const elsewhere = own(unpackScene(structuredClone(packScene(scene))));
    const other = own(createContext(scene));
    for (let round = 0; round < 20; round++) {
      for (const robot of scene.robots)
        setConfiguration(robot, randomConfiguration(new Float64Array(robot.model.nq), robot.model, random));
      placeRobot(cart, [random.uniform(-1, 1), 1, 0, 0, 0, Math.sin(round), Math.cos(round)]);
      if (ball.attachment) detachObject(scene, ball);
      // A quaternion that has to be scaled is told of.
      moveObject(scene, ball, [1, random.uniform(-1, 1), 0, 0, 0, 0, round % 2 === 0 ? 1 : 1.0005]);
      if (round % 3 === 0) attachObject(scene, ball, { robot: arm, link: 'link3', mass: 2, touchLinks: ['link2'] });
      moveObject(scene, crate, [random.uniform(-1, 1), 0.7, 0, 0, 0, 0, 1]);
      const state = saveContext(scene);
      const expected = ask(scene);
      for (const context of [other, elsewhere]) {
        restoreContext(context, structuredClone(state));
        expect(ask(context)).toEqual(expected);
        expect(saveContext(context)).toEqual(state);
      }
      // A state is a copy.
      setConfiguration(robotIn(other, arm), [0.1, 0.2, 0.3]);
      moveObject(other, objectIn(other, crate), [9, 9, 9, 0, 0, 0, 1]);
      expect(ask(scene)).toEqual(expected);
      restoreContext(scene, state);
      expect(ask(scene)).toEqual(expected);
    }
  });

  it('is refused by another world, after an edit, and where it is none, and nothing moves', () => {
    const { scene, arm, crate } = createCell();
    const state = saveContext(scene);
    expect(() => restoreContext(createCell().scene, state)).toThrow(
      /restoreContext: state, got one of another world, expected one of this scene's world/,
    );
    setConfiguration(arm, [1, 1, 1]);
    const [first, ...rest] = state.robots;
    const broken: [object, RegExp][] = [
      [{ ...state, robots: rest }, /got one of 1 robots and 2 objects, expected 2 and 2/],
      [{ ...state, robots: [...rest, first] }, /got one of the robot "cart", expected "arm"/],
      [{ ...state, robots: [{ ...first, q: [0, 0] }, ...rest] }, /robots\[0\]\.q, got 2 numbers, expected 3/],
      [{ ...state, robots: [first, { ...rest[0], q: rest[0].q.map(() => 0) }] }, /robots\[1\]\.q, .* of length 1/],
      [{ ...state, objects: [...state.objects].reverse() }, /got one of the object "crate", expected "ball"/],
      [{ ...state, version: -1 }, /state\.version/],
    ];
    for (const [wrong, message] of broken) expect(() => restoreContext(scene, wrong as ContextState)).toThrow(message);
    expect([...arm.q]).toEqual([1, 1, 1]);
    setSceneMargin(scene, 0.1);
    expect(() => restoreContext(scene, state)).toThrow(
      /got one of version \d+ of the world, expected version \d+: the world was edited in between/,
    );
    const edited = saveContext(scene);
    removeObject(scene, crate);
    expect(() => restoreContext(scene, edited)).toThrow(/the world was edited in between/);
    restoreContext(scene, saveContext(scene));
  });
});
