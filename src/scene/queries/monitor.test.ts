import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { addUrdf, planarArm } from '../../../test/scene-fixtures.js';
import type { Shape } from '../../geometry/shapes.js';
import { normalizeQuat } from '../../math/quat.js';
import { createRandom, type Random } from '../../math/random.js';
import { createTransform, type Pose, poseToTransform } from '../../math/transform.js';
import { attachObject, detachObject } from '../attach.js';
import { boundBody, boundDisplacement } from '../motion/body-motion.js';
import { setConfiguration } from '../robot.js';
import { addObject, createScene, disposeScene, moveObject, removeObject, setSceneMargin } from '../scene.js';
import type { Scene } from '../types.js';
import { isSceneFree, pairsWithin } from './check.js';
import { createMonitor, type Monitor } from './monitor.js';

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

function randomPose(random: Random, reach: number): Pose {
  const q = normalizeQuat([0, 0, 0, 1], [random.normal(), random.normal(), random.normal(), random.normal()]);
  const p = (): number => random.uniform(-reach, reach);
  return [p(), p(), p(), q[0], q[1], q[2], q[3]];
}

function randomShape(random: Random): Shape {
  const s = (): number => random.uniform(0.05, 0.4);
  switch (random.integer(6)) {
    case 0:
      return { type: 'sphere', radius: s() };
    case 1:
      return { type: 'capsule', radius: s(), length: s() };
    case 2:
      return { type: 'cylinder', radius: s(), length: s() };
    case 3:
      return { type: 'mesh', mesh: wedge(s()) };
    default:
      return { type: 'box', size: [s(), s(), s()] };
  }
}

/** A tetrahedron. */
function wedge(size: number): { vertices: Float64Array; triangles: Uint32Array } {
  return {
    vertices: Float64Array.of(0, 0, 0, size, 0, 0, 0, size, 0, 0, 0, size),
    triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2),
  };
}

const near = (monitor: Monitor): Monitor['pairs'] => monitor.pairs.slice(0, monitor.count);
const name = ({ a, b }: { readonly a: string; readonly b: string }): string => [a, b].sort().join('|');

function expectPairsOf(scene: Scene, monitor: Monitor): void {
  const expected = pairsWithin(scene, { margin: monitor.distance });
  expect(near(monitor).map(name).sort()).toEqual(expected.map(name).sort());
  const byName = new Map(expected.map((pair) => [name(pair), pair]));
  let last = -Infinity;
  for (const pair of near(monitor)) {
    expect(pair.distance).toBeCloseTo(byName.get(name(pair))!.distance, 9);
    expect(pair.distance).toBeGreaterThanOrEqual(last);
    last = pair.distance;
    for (let i = 0; i < 3; i++) expect(pair.pointB[i] - pair.pointA[i]).toBeCloseTo(pair.distance * pair.normal[i], 9);
  }
}

describe('monitor against pairsWithin at every step', () => {
  it('finds the same pairs while an arm moves smoothly among moving and resting objects', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
        const random = createRandom(seed);
        const scene = newScene(random.uniform(0, 0.02));
        const robot = addUrdf(scene, planarArm('arm', 5, 0.4));
        const objects = Array.from({ length: 8 }, (_, k) =>
          addObject(scene, { name: `object${k}`, shape: randomShape(random), pose: randomPose(random, 1.5) }),
        );
        addObject(scene, { name: 'floor', shape: { type: 'halfspace', normal: [0, 0, 1], offset: -0.4 } });
        const monitor = createMonitor(scene, { distance: 0.15 });
        const speed = Float64Array.from({ length: robot.model.nq }, () => random.uniform(-1, 1));
        const q = new Float64Array(robot.model.nq);
        for (let step = 0; step < 120; step++) {
          for (let i = 0; i < q.length; i++) q[i] += 0.01 * speed[i];
          setConfiguration(robot, q);
          const pose = randomPose(random, 0.5);
          // Mostly small moves, now and then a jump.
          if (step % 3 === 0) moveObject(scene, objects[0], at(0.01 * step, 0.3, 0));
          if (step % 40 === 39) moveObject(scene, objects[random.integer(8)], pose);
          monitor.update();
          expectPairsOf(scene, monitor);
        }
      }),
      { numRuns: 12 },
    );
  });

  it('measures few pairs: what is far is left alone', () => {
    const scene = newScene();
    const robot = addUrdf(scene, planarArm('arm', 5, 0.4));
    for (let k = 0; k < 400; k++)
      addObject(scene, { name: `ball ${k}`, shape: { type: 'sphere', radius: 0.05 }, pose: at(4 + k, 0, 0) });
    const monitor = createMonitor(scene, { distance: 0.1 });
    monitor.update();
    const before = { ...monitor.counts };
    for (let step = 1; step <= 100; step++) {
      setConfiguration(robot, [0.001 * step, 0, 0, 0]);
      monitor.update();
    }
    expect(monitor.watched).toBe(5 * 400 + 6);
    expect(monitor.counts.boxTests - before.boxTests).toBeLessThan(10);
  });

  it('watches free objects against each other in a scene without robots', () => {
    const scene = newScene();
    const random = createRandom(7);
    const objects = Array.from({ length: 12 }, (_, k) =>
      addObject(scene, { name: `part ${k}`, shape: randomShape(random), pose: randomPose(random, 0.7) }),
    );
    const monitor = createMonitor(scene, { distance: 0.05 });
    for (let step = 0; step < 60; step++) {
      moveObject(scene, objects[step % 12], randomPose(random, 0.7));
      monitor.update();
      expectPairsOf(scene, monitor);
    }
  });
});

describe('speeds', () => {
  it('gives closing speed and time to contact of a sphere that approaches, passes and leaves', () => {
    const scene = newScene(0.01);
    const ball = addObject(scene, { name: 'ball', shape: { type: 'sphere', radius: 0.1 }, pose: at(-1) });
    addObject(scene, { name: 'wall', shape: { type: 'box', size: [0.2, 2, 2] } });
    const monitor = createMonitor(scene, { distance: 2 });
    monitor.update(5);
    expect(near(monitor)[0]).toMatchObject({ closingSpeed: 0, timeToContact: Infinity, contact: 'none' });
    moveObject(scene, ball, at(-0.9));
    monitor.update(5.5);
    let [pair] = near(monitor);
    expect(pair.distance).toBeCloseTo(0.7, 12);
    expect(pair.closingSpeed).toBeCloseTo(0.2, 12);
    expect(pair.timeToContact).toBeCloseTo(0.69 / 0.2, 10);
    moveObject(scene, ball, at(-0.95));
    monitor.update(6);
    [pair] = near(monitor);
    expect(pair.closingSpeed).toBeCloseTo(-0.1, 12);
    expect(pair.timeToContact).toBe(Infinity);
    monitor.update(6.5);
    expect(near(monitor)[0].closingSpeed).toBe(0);
    expect(() => monitor.update(6.5)).toThrow(/time, got 6.5, expected more than 6.5/);
    expect(() => monitor.update(Number.NaN)).toThrow(/time, got NaN/);
  });

  it('agrees with the change of the distance for an arm that turns', () => {
    const scene = newScene();
    const robot = addUrdf(scene, planarArm('arm', 2, 0.5));
    addObject(scene, { name: 'post', shape: { type: 'sphere', radius: 0.05 }, pose: at(0.8, 0.4) });
    const monitor = createMonitor(scene, { distance: 1, period: 1e-4 });
    let last = Number.NaN;
    for (let step = 0; step < 50; step++) {
      setConfiguration(robot, [0.2 + 1e-4 * step]);
      monitor.update();
      const pair = near(monitor).find(({ a }) => a === 'link1')!;
      if (step > 0) expect(pair.closingSpeed).toBeCloseTo((last - pair.distance) / 1e-4, 3);
      last = pair.distance;
    }
  });
});

describe('contact events', () => {
  const eventsOf = (monitor: Monitor): string[] =>
    monitor.events.slice(0, monitor.eventCount).map((pair) => `${name(pair)} ${pair.contact}`);

  it('tells what began, persisted and ended, jumps and removals included', () => {
    const scene = newScene();
    const ball = addObject(scene, { name: 'ball', shape: { type: 'sphere', radius: 0.1 }, pose: at(1) });
    addObject(scene, { name: 'wall', shape: { type: 'box', size: [0.2, 2, 2] } });
    const monitor = createMonitor(scene, { distance: 0.05 });
    const step = (x: number): string[] => {
      moveObject(scene, ball, at(x));
      monitor.update();
      return eventsOf(monitor);
    };
    monitor.update();
    expect(eventsOf(monitor)).toEqual([]);
    expect(step(0.22)).toEqual([]);
    expect(step(0.19)).toEqual(['ball|wall began']);
    expect(step(0.18)).toEqual(['ball|wall persisted']);
    monitor.update();
    expect(eventsOf(monitor)).toEqual(['ball|wall persisted']);
    expect(step(0.22)).toEqual(['ball|wall ended']);
    expect(step(0.1)).toEqual(['ball|wall began']);
    expect(step(3)).toEqual(['ball|wall ended']);
    expect(step(0.1)).toEqual(['ball|wall began']);
    setSceneMargin(scene, 0.01);
    monitor.update();
    expect(eventsOf(monitor)).toEqual(['ball|wall persisted']);
    removeObject(scene, ball);
    monitor.update();
    expect(eventsOf(monitor)).toEqual(['ball|wall ended']);
    expect(monitor.count).toBe(0);
    monitor.update();
    expect(eventsOf(monitor)).toEqual([]);
  });

  it('follows attached objects', () => {
    const scene = newScene();
    const robot = addUrdf(scene, planarArm('arm', 3, 0.5));
    const tool = addObject(scene, { name: 'tool', shape: { type: 'box', size: [0.2, 0.02, 0.02] }, pose: at(1.55) });
    addObject(scene, { name: 'wall', shape: { type: 'box', size: [0.1, 2, 2] }, pose: at(1.72) });
    const monitor = createMonitor(scene, { distance: 0.3 });
    monitor.update();
    expect(eventsOf(monitor)).toEqual(['link2|tool began']);
    attachObject(scene, tool, { robot, link: 'link2' });
    monitor.update();
    expect(eventsOf(monitor)).toEqual(['link2|tool ended']);
    expectPairsOf(scene, monitor);
    for (let k = 1; k < 40; k++) {
      setConfiguration(robot, [0.03 * k, -0.02 * k]);
      monitor.update();
      expectPairsOf(scene, monitor);
      const touching = near(monitor).some(({ timeToContact }) => timeToContact === 0);
      expect(touching).toBe(!isSceneFree(scene));
    }
    detachObject(scene, tool);
    monitor.update();
    expectPairsOf(scene, monitor);
  });
});

describe('motion bounds', () => {
  it('are never below the motion of any point of the body, and close to it for the farthest', () => {
    const random = createRandom(11);
    for (let run = 0; run < 200; run++) {
      const scene = newScene();
      const shape = randomShape(random);
      const object = addObject(scene, { name: 'body', shape });
      const sphere = boundBody(object.body);
      const from = poseToTransform(createTransform(), randomPose(random, 1));
      const to = poseToTransform(createTransform(), randomPose(random, 1));
      const bound = boundDisplacement(sphere, from, 0, to);
      const [part] = object.body.parts;
      let farthest = 0;
      for (let k = 0; k < 8; k++) {
        const p = [0, 1, 2].map((i) => part.extents[i] + (k & (1 << i) ? 0.57 : -0.57) * part.extents[i + 3]);
        let moved = 0;
        for (let i = 0; i < 3; i++) {
          let d = to[9 + i] - from[9 + i];
          for (let c = 0; c < 3; c++) d += (to[3 * i + c] - from[3 * i + c]) * p[c];
          moved += d * d;
        }
        farthest = Math.max(farthest, Math.sqrt(moved));
      }
      expect(bound).toBeGreaterThanOrEqual(farthest);
      expect(bound).toBeLessThan(farthest + 4 * sphere.radius);
    }
  });
});

describe('misuse', () => {
  it('is refused', () => {
    const scene = newScene();
    expect(() => createMonitor(scene, { distance: -1 })).toThrow(/distance, got -1/);
    expect(() => createMonitor(scene, { distance: Number.NaN })).toThrow(/distance, got NaN/);
    expect(() => createMonitor(scene, { distance: 1, period: 0 })).toThrow(/period, got 0/);
    const monitor = createMonitor(scene, { distance: 1 });
    disposeScene(scene);
    expect(() => monitor.update()).toThrow(/disposed/);
  });
});
