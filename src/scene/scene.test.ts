import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { addUrdf, boxLink, planarArm, revolute } from '../../test/scene-fixtures.js';
import type { Shape } from '../geometry/shapes.js';
import { normalizeQuat } from '../math/quat.js';
import { createRandom, type Random } from '../math/random.js';
import { createTransform, type Pose } from '../math/transform.js';
import { randomConfiguration } from '../model/configuration.js';
import { collide } from '../narrowphase/collide.js';
import { distance } from '../narrowphase/distance.js';
import { createDistanceResult } from '../narrowphase/query.js';
import { attachObject, detachObject } from './attach.js';
import { bodyName } from './body-names.js';
import { pairSources } from './queries/candidates.js';
import { checkScene, countCheckedPairs, isSceneFree, nearestPair, pairsWithin } from './queries/check.js';
import { isAllowedPair } from './queries/pair-rules.js';
import { PairTree } from './queries/pair-tree.js';
import { placeRobot, removeRobot, robotFramePlacement, setConfiguration } from './robot.js';
import { addObject, createScene, disposeScene, moveObject, removeObject, setPairMargin } from './scene.js';
import type { Scene, SceneBody } from './types.js';
import { updateScene } from './update.js';

const scenes: Scene[] = [];

function newScene(margin = 0): Scene {
  const scene = createScene({ margin });
  scenes.push(scene);
  return scene;
}

afterEach(() => {
  for (const scene of scenes.splice(0)) disposeScene(scene);
});

const at = (x: number, y = 0, z = 0): Pose => [x, y, z, 0, 0, 0, 1];
const unitBox: Shape = { type: 'box', size: [1, 1, 1] };

function randomPose(random: Random, reach: number): Pose {
  const q = normalizeQuat([0, 0, 0, 1], [random.normal(), random.normal(), random.normal(), random.normal()]);
  return [
    random.uniform(-reach, reach),
    random.uniform(-reach, reach),
    random.uniform(-reach, reach),
    q[0],
    q[1],
    q[2],
    q[3],
  ];
}

function randomShape(random: Random): Shape {
  const s = (): number => random.uniform(0.05, 0.4);
  switch (random.integer(5)) {
    case 0:
      return { type: 'sphere', radius: s() };
    case 1:
      return { type: 'box', size: [s(), s(), s()] };
    case 2:
      return { type: 'capsule', radius: s(), length: s() };
    case 3:
      return { type: 'cylinder', radius: s(), length: s() };
    default:
      return { type: 'ellipsoid', semiAxes: [s(), s(), s()] };
  }
}

function allBodies(scene: Scene): SceneBody[] {
  return [
    ...scene.robots.flatMap(({ links }) => links.map(({ body }) => body)),
    ...[...scene.objects.values()].map(({ body }) => body),
  ];
}

/** Every pair, part against part, no broad phase. */
function bruteForce(scene: Scene, objectPairs: boolean): { touching: Set<string>; nearest: number } {
  updateScene(scene);
  const bodies = allBodies(scene);
  const touching = new Set<string>();
  const result = createDistanceResult();
  let nearest = Infinity;
  for (let i = 0; i < bodies.length; i++) {
    for (let j = i + 1; j < bodies.length; j++) {
      const a = bodies[i];
      const b = bodies[j];
      const free = (body: SceneBody): boolean => body.object !== null && body.object.attachment === null;
      if (isAllowedPair(scene, a, b) || (!objectPairs && free(a) && free(b))) continue;
      for (const partA of a.parts) {
        for (const partB of b.parts) {
          const [X_WA, X_WB] = [partA.worldPlacement, partB.worldPlacement];
          if (collide(partA.collider, X_WA, partB.collider, X_WB))
            touching.add([bodyName(scene, a), bodyName(scene, b)].sort().join('|'));
          distance(result, partA.collider, X_WA, partB.collider, X_WB);
          nearest = Math.min(nearest, result.distance);
        }
      }
    }
  }
  return { touching, nearest };
}

describe('scene queries against all pairs', () => {
  it('agrees on verdicts, pairs and nearest distance for a robot among random objects', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
        const random = createRandom(seed);
        const scene = newScene();
        const robot = addUrdf(scene, planarArm('arm', 5, 0.4));
        for (let k = 0; k < 12; k++)
          addObject(scene, { name: `object${k}`, shape: randomShape(random), pose: randomPose(random, 1.5) });
        const q = new Float64Array(robot.model.nq);
        for (let step = 0; step < 4; step++) {
          setConfiguration(robot, randomConfiguration(q, robot.model, random));
          const moved = scene.objects.get(`object${random.integer(12)}`)!;
          moveObject(scene, moved, randomPose(random, 1.5));
          const expected = bruteForce(scene, false);
          const all = checkScene(scene, { all: true });
          expect(new Set(all.contacts.map(({ a, b }) => [a, b].sort().join('|')))).toEqual(expected.touching);
          expect(all.free).toBe(expected.touching.size === 0);
          expect(isSceneFree(scene)).toBe(all.free);
          expect(nearestPair(scene)!.distance).toBeCloseTo(expected.nearest, 12);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('agrees for an assembly without robots, and finds exactly the pairs under a margin', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
        const random = createRandom(seed);
        const scene = newScene();
        for (let k = 0; k < 15; k++)
          addObject(scene, { name: `object${k}`, shape: randomShape(random), pose: randomPose(random, 0.8) });
        const expected = bruteForce(scene, true);
        const all = checkScene(scene, { all: true });
        expect(new Set(all.contacts.map(({ a, b }) => [a, b].sort().join('|')))).toEqual(expected.touching);
        const near = pairsWithin(scene, { margin: 0.1 });
        expect(near.length).toBeGreaterThanOrEqual(expected.touching.size);
        for (let i = 1; i < near.length; i++) expect(near[i].distance).toBeGreaterThanOrEqual(near[i - 1].distance);
        for (const pair of near) expect(pair.distance).toBeLessThanOrEqual(0.1);
        if (near.length > 0) expect(near[0].distance).toBeCloseTo(expected.nearest, 12);
      }),
      { numRuns: 30 },
    );
  });

  it('uses a tree for long robots, with the verdicts of the pair list', () => {
    const scene = newScene();
    const robot = addUrdf(scene, planarArm('snake', 220, 0.1, 0.02), { selfCheck: 'pairs' });
    expect(pairSources(scene).moving).toBeInstanceOf(PairTree);
    const random = createRandom(5);
    const q = new Float64Array(robot.model.nq);
    let hits = 0;
    for (let step = 0; step < 3; step++) {
      for (let i = 0; i < q.length; i++) q[i] = random.uniform(-1.5, 1.5);
      setConfiguration(robot, q);
      const expected = bruteForce(scene, false);
      const all = checkScene(scene, { all: true });
      expect(new Set(all.contacts.map(({ a, b }) => [a, b].sort().join('|')))).toEqual(expected.touching);
      hits += expected.touching.size;
    }
    expect(hits).toBeGreaterThan(0);
  });
});

describe('margins', () => {
  it('adds scene, body and query margins; a pair margin replaces scene and body margins', () => {
    const scene = newScene(0.01);
    addObject(scene, { name: 'a', shape: unitBox, margin: 0.02 });
    addObject(scene, { name: 'b', shape: unitBox, pose: at(1.05) });
    expect(isSceneFree(scene)).toBe(true);
    expect(isSceneFree(scene, 0.021)).toBe(false);
    setPairMargin(scene, 'b', 'a', 0.051);
    expect(checkScene(scene).contacts[0]).toMatchObject({ a: 'a', b: 'b' });
    expect(checkScene(scene).contacts[0].depth).toBeCloseTo(-0.05, 12);
    setPairMargin(scene, 'a', 'b', 0);
    expect(isSceneFree(scene, 0.049)).toBe(true);
  });
});

describe('attached objects', () => {
  const tool: Shape = { type: 'box', size: [0.2, 0.02, 0.02] };

  it('move with their link, may touch it and the touch links, and are checked against the rest', () => {
    const scene = newScene();
    const robot = addUrdf(scene, planarArm('arm', 3, 0.5));
    const held = addObject(scene, { name: 'tool', shape: tool, pose: at(1.55) });
    const wall = addObject(scene, { name: 'wall', shape: { type: 'box', size: [0.1, 2, 2] }, pose: at(1.72) });
    expect(checkScene(scene, { all: true }).contacts.map(({ a, b }) => [a, b])).toEqual([['link2', 'tool']]);
    attachObject(scene, held, { robot, link: 'link2' });
    expect(isSceneFree(scene)).toBe(true);
    moveObject(scene, wall, at(1.69));
    expect(checkScene(scene).contacts[0]).toMatchObject({ a: 'tool', b: 'wall' });
    setConfiguration(robot, [1.5, 0]);
    expect(isSceneFree(scene)).toBe(true);
    const X_WL = robotFramePlacement(createTransform(), robot, 'link2');
    expect(held.body.worldPlacement[9]).toBeCloseTo(X_WL[9] + 0.55 * X_WL[0], 12);
    detachObject(scene, held);
    setConfiguration(robot, [0, 0]);
    expect(held.body.worldPlacement[10]).toBeGreaterThan(0.5);
    expect(isSceneFree(scene)).toBe(true);
  });

  it('touch links are allowed, other links are not', () => {
    const scene = newScene();
    const robot = addUrdf(scene, planarArm('arm', 4, 0.5));
    const held = addObject(scene, {
      name: 'tool',
      shape: { type: 'box', size: [1.2, 0.02, 0.02] },
      pose: at(1.5, 0, 0),
    });
    attachObject(scene, held, { robot, link: 'link3' });
    expect(checkScene(scene, { all: true }).contacts.map(({ a, b }) => [a, b])).toEqual([
      ['link1', 'tool'],
      ['link2', 'tool'],
    ]);
    detachObject(scene, held);
    attachObject(scene, held, { robot, link: 'link3', touchLinks: ['link1', 'link2'] });
    expect(isSceneFree(scene)).toBe(true);
    expect(() => attachObject(scene, held, { robot, link: 'link3' })).toThrow(/attached/);
  });
});

describe('the 4-link robot of the AABB tree paper', () => {
  const urdf = `<robot name="four">${boxLink('base', '0.6 0.2 0.2')}${boxLink('shoulder', '0.6 0.2 0.2')}${boxLink('elbow', '0.8 0.2 0.2')}${boxLink('wrist', '0.5 0.2 0.2')}
    ${revolute('a', 'base', 'shoulder', '0.5 0 0')}${revolute('b', 'shoulder', 'elbow', '0.7 0 0')}${revolute('c', 'elbow', 'wrist', '0.6 0 0')}</robot>`;

  it('is free when stretched: neighbours overlap at their joints and are allowed', () => {
    const scene = newScene();
    const robot = addUrdf(scene, urdf);
    expect(isSceneFree(scene)).toBe(true);
    expect(robot.allowed.list().map(({ a, b, reason }) => `${a} ${b} ${reason}`)).toEqual([
      'base shoulder adjacent',
      'elbow shoulder adjacent',
      'elbow wrist adjacent',
    ]);
    expect(countCheckedPairs(scene)).toEqual({ checked: 3, allowed: 3 });
  });

  it('finds elbow against base when folded: a pair across subtrees', () => {
    const scene = newScene();
    const robot = addUrdf(scene, urdf);
    setConfiguration(robot, [2.8, 0, 0]);
    const pairs = checkScene(scene, { all: true }).contacts.map(({ a, b }) => `${a} ${b}`);
    expect(pairs).toContain('base elbow');
  });

  it('reports adjacent links when asked', () => {
    const scene = newScene();
    addUrdf(scene, urdf, { checkAdjacent: true });
    expect(checkScene(scene, { all: true }).contacts).toHaveLength(3);
  });
});

describe('life cycle', () => {
  it('rejects NaN, wrong counts, taken names and use after dispose', () => {
    const scene = newScene();
    const robot = addUrdf(scene, planarArm('arm', 2, 0.5));
    expect(() => setConfiguration(robot, [Number.NaN])).toThrow(/q\[0\]/);
    expect(() => setConfiguration(robot, [0, 0])).toThrow(/expected 1/);
    addObject(scene, { name: 'a', shape: unitBox, pose: at(5) });
    expect(() => addObject(scene, { name: 'a', shape: unitBox })).toThrow(/taken/);
    expect(() => addObject(scene, { name: 'b', shape: unitBox, pose: [0, 0, Infinity, 0, 0, 0, 1] })).toThrow(
      /pose\[2\]/,
    );
    disposeScene(scene);
    expect(() => isSceneFree(scene)).toThrow(/disposed/);
  });

  it('removes robots and objects', () => {
    const scene = newScene();
    const a = addUrdf(scene, planarArm('arm', 2, 0.5));
    const b = addUrdf(scene, planarArm('arm', 2, 0.5));
    expect(b.name).toBe('arm-2');
    expect(isSceneFree(scene)).toBe(false);
    expect(checkScene(scene).contacts[0].a).toBe('arm/link0');
    placeRobot(b, at(0, 3));
    expect(isSceneFree(scene)).toBe(true);
    const block = addObject(scene, { name: 'block', shape: unitBox, pose: at(0, 3) });
    expect(isSceneFree(scene)).toBe(false);
    removeObject(scene, block);
    expect(isSceneFree(scene)).toBe(true);
    placeRobot(b, at(0));
    removeRobot(scene, b);
    expect(isSceneFree(scene)).toBe(true);
    expect(a.links).toHaveLength(2);
    expect(scene.world.colliders.size).toBe(2);
  });
});

describe('names', () => {
  it('mean the bodies that had them when a second robot comes', () => {
    const scene = newScene();
    addUrdf(scene, planarArm('arm', 2, 0.5));
    addObject(scene, { name: 'block', shape: unitBox, pose: at(0.9) });
    expect(isSceneFree(scene)).toBe(false);
    scene.allowed.allow({ a: 'block', b: 'link1', reason: 'user' });
    setPairMargin(scene, 'link0', 'block', -1);
    expect(isSceneFree(scene)).toBe(true);
    const second = addUrdf(scene, planarArm('arm', 2, 0.5));
    placeRobot(second, at(0, 5));
    expect(isSceneFree(scene)).toBe(true);
    expect(scene.allowed.list()).toMatchObject([{ a: 'arm/link1', b: 'block' }]);
    expect(scene.allowed.get('arm/link1', 'block')).toBeDefined();
    // The other robot's link of that name is not meant.
    placeRobot(second, at(0, 0.9));
    moveObject(scene, scene.objects.get('block')!, at(0.9, 0.9));
    expect(checkScene(scene, { all: true }).contacts.map(({ a, b }) => `${a} ${b}`)).toContain('arm-2/link1 block');
    scene.allowed.forbid('block', 'arm/link1');
    expect(scene.allowed.size).toBe(0);
  });

  it('of an object that is called like a link stay apart from it', () => {
    const scene = newScene();
    addUrdf(scene, planarArm('arm', 2, 0.5));
    addObject(scene, { name: 'link1', shape: unitBox, pose: at(0.9) });
    const pairs = (): string[] => checkScene(scene, { all: true }).contacts.map(({ a, b }) => `${a} ${b}`);
    expect(pairs()).toEqual(['link0 link1', 'arm/link1 link1']);
    scene.allowed.allow({ a: 'link1', b: 'arm/link1', reason: 'user' });
    expect(pairs()).toEqual(['link0 link1']);
    setPairMargin(scene, 'link0', 'link1', -1);
    expect(pairs()).toEqual([]);
  });

  it('may be told before the link is there', () => {
    const scene = newScene();
    addObject(scene, { name: 'block', shape: unitBox, pose: at(0.5) });
    scene.allowed.allow({ a: 'link1', b: 'block', reason: 'user' });
    addUrdf(scene, planarArm('arm', 2, 0.5));
    expect(checkScene(scene, { all: true }).contacts.map(({ a, b }) => `${a} ${b}`)).toEqual(['link0 block']);
  });
});

describe('a robot that cannot be added', () => {
  it('leaves no collider behind', () => {
    const scene = newScene();
    const broken = planarArm('arm', 3, 0.5).replace(
      '<link name="link2">',
      '<link name="link2"><collision><geometry><sphere radius="0.1"/></geometry></collision>',
    );
    expect(() => addUrdf(scene, broken, { placement: [0, 0, 0, 0, 0, 0, 0] })).toThrow(/quaternion/);
    expect(scene.world.colliders.size).toBe(0);
    expect(scene.robots).toHaveLength(0);
  });
});
