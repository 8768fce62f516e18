import { afterEach, describe, expect, it } from 'vitest';
import { addUrdf, boxLink, planarArm, revolute } from '../../../test/scene-fixtures.js';
import type { Shape } from '../../geometry/shapes.js';
import { normalizeQuat } from '../../math/quat.js';
import { createRandom, type Random } from '../../math/random.js';
import type { Pose } from '../../math/transform.js';
import { interpolateConfiguration, randomConfiguration } from '../../model/configuration.js';
import { attachObject } from '../attach.js';
import { checkScene, isSceneFree, nearestPair } from '../queries/check.js';
import { placeRobot, setConfiguration } from '../robot.js';
import { addObject, createScene, disposeScene, moveObject, setPairMargin } from '../scene.js';
import type { Scene, SceneRobot } from '../types.js';
import { castRobot, createRobotCaster } from './cast-robot.js';
import { createSceneMotionChecker } from './motion-checker.js';

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

const octahedron = (s: number): Shape => ({
  type: 'mesh',
  mesh: {
    vertices: Float64Array.of(s, 0, 0, -s, 0, 0, 0, s, 0, 0, -s, 0, 0, 0, s, 0, 0, -s),
    triangles: Uint32Array.of(0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5),
  },
});

function randomShape(random: Random): Shape {
  const s = (): number => random.uniform(0.05, 0.25);
  switch (random.integer(5)) {
    case 0:
      return { type: 'sphere', radius: s() };
    case 1:
      return { type: 'capsule', radius: s(), length: s() };
    case 2:
      return { type: 'cylinder', radius: s(), length: s() };
    case 3:
      return octahedron(s());
    default:
      return { type: 'box', size: [s(), s(), s()] };
  }
}

const joint = (type: string, name: string, parent: string, child: string, xyz: string, axis: string, limit: number) =>
  `<joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${child}"/><origin xyz="${xyz}" rpy="0.2 0 0.1"/><axis xyz="${axis}"/><limit lower="${-limit}" upper="${limit}" velocity="1" effort="1"/></joint>`;

/** Two arms on a body: turning, sliding and mimicking joints, a link of two boxes. */
const twoArms = `<robot name="two">${boxLink('base', '0.15 0.25 0.2')}${boxLink('l1', '0.4 0.06 0.06', '0.2 0 0')}${boxLink('l2', '0.3 0.05 0.05', '0.15 0 0')}
  <link name="l3"><collision><origin xyz="0.1 0 0"/><geometry><box size="0.2 0.04 0.04"/></geometry></collision><collision><origin xyz="0.2 0 0.1"/><geometry><sphere radius="0.05"/></geometry></collision></link>
  ${boxLink('r1', '0.4 0.06 0.06', '0.2 0 0')}${boxLink('r2', '0.3 0.05 0.05', '0.15 0 0')}
  ${revolute('a', 'base', 'l1', '0.1 0.2 0')}${revolute('b', 'l1', 'l2', '0.42 0 0', '0 1 0')}${joint('prismatic', 'c', 'l2', 'l3', '0.2 0 0', '1 0 0.3', 0.2)}
  ${revolute('d', 'base', 'r1', '0.1 -0.2 0')}
  <joint name="e" type="revolute"><parent link="r1"/><child link="r2"/><origin xyz="0.42 0 0"/><axis xyz="0 0.6 0.8"/><limit lower="-3" upper="3" velocity="1" effort="1"/><mimic joint="d" multiplier="-1.5" offset="0.2"/></joint></robot>`;

const STEPS = 10_000;

/** First of 10,001 evenly spaced configurations that touches, 2 when none does. */
function stepDensely(scene: Scene, robot: SceneRobot, from: Float64Array, to: Float64Array): number {
  const q = new Float64Array(robot.model.nq);
  for (let k = 0; k <= STEPS; k++) {
    setConfiguration(robot, interpolateConfiguration(q, robot.model, from, to, k / STEPS));
    if (!isSceneFree(scene)) return k / STEPS;
  }
  return 2;
}

/**
 * Casts random edges and steps densely along each. Never later than the first step that touches; and what touches at the
 * claimed time does so to the tolerance: a time before the steps' is either within a step or a contact that they missed.
 */
function compareEdges(scene: Scene, robot: SceneRobot, random: Random, edges: number) {
  const caster = createRobotCaster(scene, robot);
  const checker = createSceneMotionChecker(scene, robot);
  const { model } = robot;
  const from = new Float64Array(model.nq);
  const to = new Float64Array(model.nq);
  const q = new Float64Array(model.nq);
  const found = { atStart: 0, later: 0, free: 0, early: 0 };
  for (let done = 0; done < edges; ) {
    randomConfiguration(from, model, random);
    // Half of the edges are short.
    interpolateConfiguration(to, model, from, randomConfiguration(to, model, random), done % 2 === 0 ? 1 : 0.2);
    setConfiguration(robot, from);
    if (!isSceneFree(scene) && found.atStart > 1) continue;
    done++;
    const expected = stepDensely(scene, robot, from, to);
    const { status, hit, time } = caster.cast(from, to);
    expect(status).toBe('ok');
    const valid = checker.isMotionValid(from, to);
    if (expected <= 1) expect({ hit, valid }).toEqual({ hit: true, valid: false });
    if (!hit) {
      found.free++;
      continue;
    }
    expect(valid).toBe(false);
    expect(time).toBeLessThanOrEqual(expected);
    setConfiguration(robot, interpolateConfiguration(q, model, from, to, time));
    expect(nearestPair(scene)!.distance - scene.margin).toBeLessThanOrEqual(1e-6);
    if (time === 0) found.atStart++;
    else found.later++;
    if (expected - time > 1e-4 + 1 / STEPS) found.early++;
  }
  return found;
}

describe('first contact along a joint-space edge, against 10,000 steps', () => {
  it.each([1, 2, 3])('two arms among objects, seed %i', (seed) => {
    const random = createRandom(seed);
    const scene = newScene(seed === 2 ? 0.01 : 0);
    const robot = addUrdf(scene, twoArms);
    for (let k = 0; k < 6; k++)
      addObject(scene, { name: `object ${k}`, shape: randomShape(random), pose: randomPose(random, 0.8) });
    addObject(scene, { name: 'floor', shape: { type: 'halfspace', normal: [0, 0, 1], offset: -0.7 } });
    const { later, free, early } = compareEdges(scene, robot, random, 14);
    expect({ later: later > 2, free: free > 2, early }).toEqual({ later: true, free: true, early: 0 });
  });

  it.each(['floating', 'planar'] as const)('a %s base with an attached tool', (base) => {
    const random = createRandom(5);
    const scene = newScene();
    const robot = addUrdf(scene, planarArm('arm', 3, 0.3), { build: { base, continuous: 'cos-sin' } });
    const tool = addObject(scene, { name: 'tool', shape: { type: 'capsule', radius: 0.03, length: 0.3 }, pose: at(1) });
    attachObject(scene, tool, { robot, link: 'link2' });
    for (let k = 0; k < 12; k++)
      addObject(scene, { name: `object ${k}`, shape: randomShape(random), pose: randomPose(random, 1.2) });
    const { later, free, early } = compareEdges(scene, robot, random, 24);
    expect({ later: later > 2, free: free > 2, early }).toEqual({ later: true, free: true, early: 0 });
  });

  it('gives the exact time for an arm that swings onto a ball', () => {
    const scene = newScene();
    const robot = addUrdf(
      scene,
      `<robot name="r">${boxLink('base', '0.01 0.01 0.01', '0 0 1')}<link name="arm"><collision><origin xyz="0.5 0 0" rpy="0 1.5707963267948966 0"/><geometry><capsule radius="0.05" length="1"/></geometry></collision></link>${revolute('j', 'base', 'arm', '0 0 0')}</robot>`,
    );
    addObject(scene, { name: 'ball', shape: { type: 'sphere', radius: 0.1 }, pose: at(0, 0.8, 0) });
    const { hit, time, a, b, normal } = castRobot(scene, robot, [0], [2]);
    // The capsule's axis is 0.15 from the ball's middle at 0.8 m: asin(0.15 / 0.8) before the right angle.
    expect(hit).toBe(true);
    expect(time).toBeCloseTo((Math.PI / 2 - Math.asin(0.15 / 0.8)) / 2, 6);
    expect([a, b]).toEqual(['arm', 'ball']);
    expect(normal![0]).toBeCloseTo(-Math.cos(Math.asin(0.15 / 0.8)), 4);
    expect(castRobot(scene, robot, [0], [1])).toMatchObject({ hit: false, time: 1, a: null });
    setPairMargin(scene, 'arm', 'ball', 0.05);
    expect(castRobot(scene, robot, [0], [2]).time).toBeCloseTo((Math.PI / 2 - Math.asin(0.2 / 0.8)) / 2, 6);
    expect(castRobot(scene, robot, [0], [2], { margin: 0.05 }).time).toBeCloseTo(
      (Math.PI / 2 - Math.asin(0.25 / 0.8)) / 2,
      6,
    );
  });

  it('sees a thin wall that samples step over', () => {
    const scene = newScene();
    const robot = addUrdf(scene, planarArm('arm', 2, 1, 0.002));
    addObject(scene, { name: 'wire', shape: { type: 'cylinder', radius: 1e-4, length: 1 }, pose: at(1.2, 0.8, 0) });
    const { hit, b, time } = castRobot(scene, robot, [0], [3]);
    expect(hit).toBe(true);
    expect(b).toBe('wire');
    expect(
      createSceneMotionChecker(scene, robot, { tolerance: 1e-6 }).isMotionValid(Float64Array.of(0), Float64Array.of(3)),
    ).toBe(false);
    expect(time).toBeGreaterThan(0.3);
  });

  it('calls a motion invalid that takes more distances than allowed, and no other', () => {
    const scene = newScene();
    const robot = addUrdf(scene, planarArm('arm', 3, 0.4));
    addObject(scene, { name: 'ball', shape: { type: 'sphere', radius: 0.1 }, pose: at(0.4, 0.9015) });
    const ends = [Float64Array.of(0.1, 0.2), Float64Array.of(2.9, -0.2)] as const;
    const check = (maxDistances?: number) => {
      const checker = createSceneMotionChecker(scene, robot, {
        tolerance: 1e-4,
        ...(maxDistances && { maxDistances }),
      });
      return { valid: checker.isMotionValid(...ends), ...checker.counts };
    };
    const { valid, distances } = check();
    expect({ valid, many: distances > 15 }).toEqual({ valid: true, many: true });
    const verdicts = Array.from({ length: distances }, (_, k) => check(k + 1));
    const enough = verdicts.findIndex((verdict) => verdict.valid);
    expect(enough).toBeGreaterThan(5);
    verdicts.forEach((verdict, k) => {
      expect(verdict.valid).toBe(k >= enough);
      expect(verdict.distances).toBeLessThanOrEqual(distances);
    });
    expect(check(1).distances).toBeLessThan(distances);
  });

  it('counts what stands still: other robots, touching rigid pairs, both ends', () => {
    const scene = newScene();
    const robot = addUrdf(scene, planarArm('arm', 3, 0.5));
    const other = addUrdf(scene, planarArm('arm', 2, 0.5));
    placeRobot(other, at(0, 3));
    const checker = createSceneMotionChecker(scene, robot);
    const [a, b] = [Float64Array.of(0, 0), Float64Array.of(0.5, 0.5)];
    expect(checker.isMotionValid(a, b)).toBe(true);
    const block = addObject(scene, { name: 'block', shape: { type: 'box', size: [0.2, 0.2, 0.2] }, pose: at(0, 3) });
    expect(checker.isMotionValid(a, b)).toBe(false);
    expect(castRobot(scene, robot, a, b)).toMatchObject({ hit: true, time: 0, a: 'arm-2/link0', b: 'block' });
    moveObject(scene, block, at(0.1, 0));
    expect(castRobot(scene, robot, a, b)).toMatchObject({ hit: true, time: 0, a: 'arm/link0', b: 'block' });
    moveObject(scene, block, at(0.5, 0.9));
    expect(checker.isMotionValid(a, b)).toBe(true);
    expect(checker.isMotionValid(Float64Array.of(1.5, 0), Float64Array.of(1.5, 0))).toBe(false);
    expect(checker.isMotionValid(a, a)).toBe(true);
  });

  it('gives the configuration where it hits, and leaves the robot where it was', () => {
    const scene = newScene();
    const robot = addUrdf(scene, planarArm('arm', 3, 0.5));
    addObject(scene, { name: 'block', shape: { type: 'box', size: [0.2, 0.2, 0.2] }, pose: at(0.6, 0.9) });
    setConfiguration(robot, [0.1, 0.2]);
    const { time, q } = castRobot(scene, robot, [0, 0], [1.5, 0]);
    expect([...robot.q]).toEqual([0.1, 0.2]);
    expect(q[0]).toBeCloseTo(1.5 * time, 12);
    setConfiguration(robot, q);
    expect(checkScene(scene, { margin: 1e-6 }).free).toBe(false);
  });

  it('counts an iteration limit as a hit', () => {
    const scene = newScene();
    const robot = addUrdf(scene, planarArm('arm', 3, 0.5));
    addObject(scene, { name: 'block', shape: octahedron(0.2), pose: at(0.6, 0.9) });
    expect(castRobot(scene, robot, [0, 0], [1.5, 0], { maxIterations: 1 })).toMatchObject({
      status: 'iteration-limit',
      hit: true,
    });
  });
});

describe('edges too long for their joint values', () => {
  /** A link of 1 m turns about z at (1, 0); a ball lies in its way, or out of reach. */
  function turningArm(y: number): { scene: Scene; robot: SceneRobot } {
    const scene = newScene();
    const robot = addUrdf(scene, planarArm('arm', 2, 1, 0.02));
    addObject(scene, { name: 'ball', shape: { type: 'sphere', radius: 0.1 }, pose: at(1, y) });
    return { scene, robot };
  }

  it.each([1e300, -1e300, 1e17, Number.MAX_VALUE])('%f rad: no answer is claimed, be the way free or not', (end) => {
    for (const y of [0.8, 2.5]) {
      const { scene, robot } = turningArm(y);
      const cast = castRobot(scene, robot, [0], [end]);
      expect(cast).toMatchObject({ status: 'iteration-limit', hit: true, time: 0, iterations: 0 });
      expect(Object.values(cast).flat()).not.toContain(Number.NaN);
      const checker = createSceneMotionChecker(scene, robot);
      expect(checker.isMotionValid(Float64Array.of(0), Float64Array.of(end))).toBe(false);
    }
  });

  it('from one large value to the next ones: what lies between has no joint values', () => {
    const { scene, robot } = turningArm(0.8);
    expect(castRobot(scene, robot, [1e17], [1e17 + 32])).toMatchObject({ status: 'iteration-limit', hit: true });
    // A joint that stands still at a large value is where it is.
    expect(castRobot(scene, robot, [1e17], [1e17]).status).toBe('ok');
  });

  it('long edges that can be resolved are answered: many turns, the first contact in the first', () => {
    const { scene, robot } = turningArm(0.8);
    const short = castRobot(scene, robot, [0], [2]);
    for (const turns of [10, 1000, 1e5]) {
      const long = castRobot(scene, robot, [0], [2 * turns]);
      expect(long).toMatchObject({ status: 'ok', hit: true, a: 'link1', b: 'ball' });
      expect(long.time * turns).toBeCloseTo(short.time, 6);
    }
  });
});

describe('misuse', () => {
  it('is refused', () => {
    const scene = newScene();
    const robot = addUrdf(scene, planarArm('arm', 3, 0.5));
    expect(() => castRobot(scene, robot, [0], [0, 0])).toThrow(/from, got 1 numbers, expected 2/);
    expect(() => castRobot(scene, robot, [0, 0], [0, Number.NaN])).toThrow(/to\[1\], got NaN/);
    expect(() => createRobotCaster(scene, robot, { tolerance: 0 })).toThrow(/tolerance, got 0/);
    expect(() => createRobotCaster(newScene(), robot)).toThrow(/not in this scene/);
    const checker = createSceneMotionChecker(scene, robot, { indices: [1], rest: Float64Array.of(0.3, 0) });
    expect(checker.isMotionValid(Float64Array.of(0), Float64Array.of(0.4))).toBe(true);
    expect([...robot.q]).toEqual([0, 0]);
  });
});
