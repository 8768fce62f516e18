/**
 * The nearest pair and the pairs within a distance, against every pair of bodies in turn: the same pair, the same bits. And how much
 * work that is: it grows as n log n among objects that are as close in a large scene as in a small one. Times: the bench suite `scene`.
 */
import { describe, it } from 'vitest';
import { createRandom, type Random } from '../../src/math/random.js';
import { randomConfiguration } from '../../src/model/configuration.js';
import { createDistanceResult } from '../../src/narrowphase/query.js';
import { allowPairs } from '../../src/scene/allow-pairs.js';
import { attachObject } from '../../src/scene/attach.js';
import { boxDistance, boxesOverlap } from '../../src/scene/bodies.js';
import { bodyName } from '../../src/scene/body-names.js';
import { bodyDistance, copyDistanceResult, depthFor } from '../../src/scene/queries/body-pairs.js';
import { type NearestOptions, nearestPair, pairsWithin } from '../../src/scene/queries/check.js';
import { NearestFirst } from '../../src/scene/queries/nearest-first.js';
import { isAllowedPair, movingBodies, pairMargin } from '../../src/scene/queries/pair-rules.js';
import { addRobot, setConfiguration } from '../../src/scene/robot.js';
import {
  addObject,
  createScene,
  disposeScene,
  moveObject,
  removeObject,
  setPairMargin,
} from '../../src/scene/scene.js';
import type { Scene, SceneBody } from '../../src/scene/types.js';
import { updateScene } from '../../src/scene/update.js';
import { partShapeTypes, samplePose, sampleShape, shapeTypes } from '../sample-shapes.js';
import { addUrdf, planarArm } from '../scene-fixtures.js';
import { expect } from '../support/quick-expect.js';

interface Found {
  readonly a: SceneBody;
  readonly b: SceneBody;
  readonly gap: number;
}

/** Every pair that is not allowed, as queries take them: a moving body before a free one, moving ones as listed, free ones by id. */
function listPairs(scene: Scene, objectPairs: boolean): Found[] {
  updateScene(scene);
  const moving = movingBodies(scene);
  const free = [...scene.objects.values()]
    .filter(({ attachment }) => !attachment)
    .map(({ body }) => body)
    .sort((a, b) => a.id - b.id);
  const found: Found[] = [];
  const add = (a: SceneBody, b: SceneBody): void => {
    if (!isAllowedPair(scene, a, b)) found.push({ a, b, gap: boxDistance(a.box, b.box) });
  };
  moving.forEach((a, i) => {
    for (const b of moving.slice(i + 1)) add(a, b);
    for (const b of free) add(a, b);
  });
  if (objectPairs)
    free.forEach((a, i) => {
      for (const b of free.slice(i + 1)) add(a, b);
    });
  return found;
}

const result = createDistanceResult();

const describePair = (scene: Scene, { a, b }: Found) => ({
  a: bodyName(scene, a),
  b: bodyName(scene, b),
  distance: result.distance,
  pointA: [...result.pointA],
  pointB: [...result.pointB],
  normal: [...result.normal],
  status: result.status,
});

function expectedNearest(
  scene: Scene,
  { maxDistance = Infinity, objectPairs = false, depth = 'hull' }: NearestOptions,
) {
  const pairs = listPairs(scene, objectPairs).filter(
    ({ a, b, gap }) =>
      gap <= maxDistance &&
      boxesOverlap(a.box, b.box, pairMargin(scene, a, b) + Math.min(maxDistance, Number.MAX_VALUE)),
  );
  pairs.sort((x, y) => (x.gap === y.gap ? x.a.id - y.a.id || x.b.id - y.b.id : x.gap - y.gap));
  const best = createDistanceResult();
  let bound = maxDistance;
  let winner: Found | null = null;
  for (const pair of pairs) {
    if (pair.gap > Math.max(bound, 0)) break;
    if (!bodyDistance(result, pair.a, pair.b, bound, depth) || (winner && result.distance >= bound)) continue;
    copyDistanceResult(best, result);
    winner = pair;
    bound = result.distance;
  }
  if (!winner) return null;
  copyDistanceResult(result, best);
  return describePair(scene, winner);
}

function expectedWithin(scene: Scene, margin: number, objectPairs: boolean) {
  const found: { pair: Found; described: ReturnType<typeof describePair> }[] = [];
  for (const pair of listPairs(scene, objectPairs)) {
    const { a, b } = pair;
    const bound = pairMargin(scene, a, b) + margin;
    if (boxesOverlap(a.box, b.box, bound) && bodyDistance(result, a, b, bound, depthFor(bound, 'hull')))
      found.push({ pair, described: describePair(scene, pair) });
  }
  found.sort(
    (x, y) => x.described.distance - y.described.distance || x.pair.a.id - y.pair.a.id || x.pair.b.id - y.pair.b.id,
  );
  return found.map(({ described }) => described);
}

/** Every distance that decides something at one of them. */
const DISTANCES = [Infinity, 2, 0.3, 0.01, 0, -0.01];

function compare(scene: Scene, distances: readonly number[] = DISTANCES): void {
  for (const objectPairs of [true, false]) {
    for (const maxDistance of distances) {
      const nearest = nearestPair(scene, { maxDistance, objectPairs });
      const { complete: _complete, assumed: _assumed, ...pair } = nearest ?? { complete: true, assumed: [] };
      expect(nearest && pair).toEqual(expectedNearest(scene, { maxDistance, objectPairs }));
    }
    for (const margin of [0.3, 0, -0.05])
      expect(pairsWithin(scene, { margin, objectPairs })).toEqual(expectedWithin(scene, margin, objectPairs));
  }
}

function scatter(scene: Scene, random: Random, count: number, reach: number, types = shapeTypes): void {
  for (let i = 0; i < count; i++) {
    const shape = sampleShape(random, types[random.integer(types.length)]);
    const margin = random.next() < 0.2 ? random.uniform(0, 0.2) : 0;
    addObject(scene, { name: `o${i}`, shape, placement: samplePose(random, reach), margin });
  }
}

/** Allowed pairs and margins of pairs, some of them negative. */
function makeRules(scene: Scene, random: Random, names: readonly string[]): void {
  for (let i = 0; i < names.length; i++) {
    const [a, b] = [names[random.integer(names.length)], names[random.integer(names.length)]];
    if (a === b) continue;
    if (random.next() < 0.5) allowPairs(scene, [{ a, b, reason: 'user' }]);
    else setPairMargin(scene, a, b, random.uniform(-0.3, 0.3));
  }
}

describe('the nearest pair and pairs within a distance, against every pair', () => {
  for (const [kind, reach] of [
    ['far apart', 12],
    ['near', 4],
    ['in a heap', 1.5],
  ] as const)
    for (const seed of [1, 2])
      it(`agrees among objects of all kinds, ${kind}, while they move, come and go (seed ${seed})`, () => {
        const random = createRandom(100 * seed + 2 * reach);
        const scene = createScene({ margin: seed === 2 ? 0.02 : 0 });
        const types = [...shapeTypes.filter((type) => type !== 'halfspace'), ...partShapeTypes];
        scatter(scene, random, 26, reach, seed === 1 ? types : [...types, 'halfspace']);
        compare(scene, [Infinity, 0.3]);
        makeRules(
          scene,
          random,
          [...scene.objects.keys()].filter(() => random.next() < 0.5),
        );
        for (let step = 0; step < 3; step++) {
          const names = [...scene.objects.keys()];
          for (let k = 0; k < 4; k++)
            moveObject(scene, scene.objects.get(names[random.integer(names.length)])!, samplePose(random, reach));
          removeObject(scene, scene.objects.get(names[random.integer(names.length)])!);
          const shape = sampleShape(random, types[random.integer(types.length)]);
          addObject(scene, { name: `new${step}`, shape, placement: samplePose(random, reach) });
          compare(scene, step === 2 ? DISTANCES : [Infinity, 0.3]);
        }
        disposeScene(scene);
      });

  for (const [robots, objects] of [
    [2, 60],
    [30, 40],
  ])
    it(`agrees for ${robots} robots beside ${objects} objects, one of which is held`, () => {
      const random = createRandom(robots);
      const scene = createScene();
      scatter(scene, random, objects, 6, ['sphere', 'box', 'capsule', 'convex']);
      const { model, description } = addUrdf(scene, planarArm('arm', 8, 0.4));
      for (let i = 1; i < robots; i++)
        addRobot(scene, { name: `arm${i}`, model, description, placement: samplePose(random, 6) });
      attachObject(scene, scene.objects.get('o3')!, { robot: scene.robots[1], link: 'link7', touchLinks: ['link6'] });
      attachObject(scene, scene.objects.get('o5')!, { robot: scene.robots[0], link: 'link7' });
      makeRules(scene, random, ['o1', 'o2', 'o3', 'arm/link2', 'arm1/link2', 'o5', 'o6']);
      const q = new Float64Array(model.nq);
      for (let step = 0; step < 2; step++) {
        for (const robot of scene.robots) setConfiguration(robot, randomConfiguration(q, model, random));
        compare(scene, step === 0 ? [Infinity] : [Infinity, 0.2, 0]);
      }
      disposeScene(scene);
    });

  it('names the first of pairs that are equally near: spheres on a grid', () => {
    const scene = createScene();
    const order = Array.from({ length: 512 }, (_, i) => (i * 197) % 512);
    for (const i of order)
      addObject(scene, {
        name: `o${i}`,
        shape: { type: 'sphere', radius: 0.25 },
        pose: [i & 7, (i >> 3) & 7, i >> 6, 0, 0, 0, 1],
      });
    compare(scene, [Infinity, 0.5, 0.49]);
    // Each of these moves makes another pair the first.
    for (const i of order.slice(0, 5)) moveObject(scene, scene.objects.get(`o${i}`)!, [20 + 9 * i, 0, 0, 0, 0, 0, 1]);
    compare(scene, [Infinity]);
    disposeScene(scene);
  });

  it('goes through more pairs than it remembers where all boxes overlap', () => {
    const random = createRandom(5);
    const scene = createScene();
    for (let i = 0; i < 530; i++)
      addObject(scene, {
        name: `o${i}`,
        shape: { type: 'sphere', radius: 1 },
        pose: [random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 0, 0, 0, 1],
      });
    const { a, b, distance } = nearestPair(scene)!;
    expect({ a, b, distance }).toMatchObject(pick(expectedNearest(scene, { objectPairs: true })!));
    disposeScene(scene);
  });
});

const pick = ({ a, b, distance }: { a: string; b: string; distance: number }) => ({ a, b, distance });

/** Pairs that the narrow phase was called for, and box tests, of one search. */
function countWork(scene: Scene, objectPairs = true): { pairs: number; tests: number } {
  const { next } = NearestFirst.prototype;
  let pairs = 0;
  NearestFirst.prototype.next = function (this: NearestFirst, bound) {
    const pair = next.call(this, bound);
    if (pair) pairs++;
    return pair;
  };
  try {
    scene.objectTree.resetCounts();
    nearestPair(scene, { objectPairs });
    return { pairs, tests: scene.objectTree.boxTests };
  } finally {
    NearestFirst.prototype.next = next;
  }
}

/** Boxes and spheres, each in a cube of its own size times `spacing` on average. */
function createCloud(count: number, spacing: number): Scene {
  const random = createRandom(count);
  const scene = createScene();
  const reach = 0.5 * spacing * Math.cbrt(count);
  const shapes = [
    { type: 'box', size: [1, 0.5, 0.7] },
    { type: 'sphere', radius: 0.4 },
  ] as const;
  for (let i = 0; i < count; i++)
    addObject(scene, { name: `o${i}`, shape: shapes[i % 2], placement: samplePose(random, reach) });
  return scene;
}

describe('the work of a search for the nearest pair', () => {
  const growth = (8 * Math.log(8000)) / Math.log(1000);

  for (const spacing of [1.2, 2.5, 6])
    it(`grows as n log n among objects ${spacing} apart`, () => {
      const [small, large] = [1000, 8000].map((count) => {
        const scene = createCloud(count, spacing);
        const work = countWork(scene);
        disposeScene(scene);
        return work;
      });
      expect(large.tests).toBeLessThan(1.5 * growth * small.tests);
      expect(large.tests).toBeLessThan(4 * 8000 * Math.log2(8000));
      expect(large.pairs).toBeLessThan(1.5 * growth * Math.max(small.pairs, 10));
      expect(large.pairs).toBeLessThan(4 * 8000);
    });

  it('grows with the logarithm of the number of objects beside a robot', () => {
    const [small, large] = [1000, 8000].map((count) => {
      const scene = createCloud(count, 2.5);
      addUrdf(scene, planarArm('arm', 6, 0.4));
      const work = countWork(scene, false);
      disposeScene(scene);
      return work;
    });
    expect(small.tests).toBeLessThan(6 * 100 * Math.log2(1000));
    expect(large.tests).toBeLessThan(6 * 100 * Math.log2(8000));
    expect(large.pairs).toBeLessThan(100);
  });
});
