/** TrajOpt and CHOMP where the answer is known: carts among boxes and balls, limits on a line, arms; bad ends, limits, the same bits. */
import { describe, expect, test } from 'vitest';
import { joint, placement, robot as robotOf } from '../../../test/models.js';
import type { Shape } from '../../geometry/shapes.js';
import type { Pose } from '../../math/transform.js';
import { buildModel } from '../../model/build-model.js';
import { interpolateConfiguration } from '../../model/configuration.js';
import { verifyPathCertificate } from '../../scene/motion/verify-path.js';
import { isSceneFree } from '../../scene/queries/check.js';
import { addRobot, setConfiguration } from '../../scene/robot.js';
import { addObject, createScene, disposeScene } from '../../scene/scene.js';
import type { Scene, SceneRobot } from '../../scene/types.js';
import { optimisePath, type PathMethod, type PathOptimisation } from './optimise-path.js';

const METHODS: readonly PathMethod[] = ['trajopt', 'chomp'];
const LIMITS = { lower: -3, upper: 3, velocity: 10, effort: 1 };
const at = (x: number, y: number, z = 0): Pose => [x, y, z, 0, 0, 0, 1] as unknown as Pose;

/** A ball that shifts in the plane. */
function createCart(objects: readonly (readonly [Shape, Pose])[]): { scene: Scene; robot: SceneRobot } {
  const scene = createScene();
  const model = robotOf([
    joint('x', 'prismatic', 'a', 'b', { axis: [1, 0, 0], limits: LIMITS }),
    joint('y', 'prismatic', 'b', 'c', { axis: [0, 1, 0], limits: LIMITS }),
  ]);
  const collisions = [{ link: 'c', origin: placement(), shape: { type: 'sphere', radius: 0.1 } as const }];
  const robot = addRobot(scene, {
    model: buildModel(model).model,
    description: { name: 'cart', model, collisions, visuals: [] },
  });
  objects.forEach(([shape, pose], i) => {
    addObject(scene, { name: `object${i}`, shape, pose });
  });
  return { scene, robot };
}

/** Nothing is taken on trust: dense stepping, and the verifier of certificates. */
function expectFree(scene: Scene, robot: SceneRobot, { path, certificate, status }: PathOptimisation): void {
  expect(status).toBe('solved');
  expect(verifyPathCertificate(scene, robot, path, certificate!).isProven).toBe(true);
  const q = new Float64Array(robot.model.nq);
  for (let i = 1; i < path.length; i++)
    for (let k = 0; k <= 20; k++) {
      interpolateConfiguration(q, robot.model, path[i - 1], path[i], k / 20);
      setConfiguration(robot, q);
      expect(isSceneFree(scene)).toBe(true);
    }
}

const BALL: Shape = { type: 'sphere', radius: 0.4 };

describe.each(METHODS)('%s', (method) => {
  test('with nothing in the way the path is straight and even', () => {
    const { scene, robot } = createCart([]);
    const found = optimisePath(scene, robot, { method, start: [-1, 0], goal: [1, 0.5], segments: 8 });
    expect(found).toMatchObject({ status: 'solved', certified: true, chosen: 0, place: null });
    expect(found.length).toBeCloseTo(Math.sqrt(4.25), 6);
    expect(found.cost).toBeCloseTo(1, 6);
    expect(found.path).toHaveLength(9);
    disposeScene(scene);
  });

  test('round a ball: clear by what was asked, nearly as short as can be', () => {
    const { scene, robot } = createCart([[BALL, at(0, 0.05)]]);
    const kept = Float64Array.from(robot.q);
    const found = optimisePath(scene, robot, {
      method,
      start: [-1.5, 0],
      goal: [1.5, 0],
      clearance: 0.02,
      segments: 24,
    });
    expect(robot.q).toEqual(kept);
    expectFree(scene, robot, found);
    // Tangents and an arc about a circle of the sum of the radii, from points 1.5 away on both sides.
    const r = 0.5;
    const reach = Math.sqrt(1.5 * 1.5 + 0.05 * 0.05);
    const shortest =
      2 * Math.sqrt(reach * reach - r * r) + r * (Math.PI - 2 * Math.acos(r / reach) - 2 * Math.asin(0.05 / reach));
    expect(found.length).toBeGreaterThan(shortest);
    expect(found.length).toBeLessThan(1.03 * shortest);
    expect(found.clearance).toBeGreaterThan(0);
    disposeScene(scene);
  });

  test('a wall with a gap, from the straight path or from a bent one', () => {
    const wall = (y: number): [Shape, Pose] => [{ type: 'box', size: [0.1, 1.6, 1] }, at(0, y)];
    const { scene, robot } = createCart([wall(-0.4), wall(1.7)]);
    const found = optimisePath(scene, robot, { method, start: [-1, -0.5], goal: [1, -0.5], segments: 20 });
    expectFree(scene, robot, found);
    expect(found.attempts.length).toBe(found.chosen + 1);
    disposeScene(scene);
  });

  test('no way through: not certified, and where', () => {
    const { scene, robot } = createCart([[{ type: 'box', size: [0.2, 8, 1] }, at(0, 0)]]);
    const found = optimisePath(scene, robot, { method, start: [-1, 0], goal: [1, 0], seeds: 2, maxIterations: 30 });
    expect(found).toMatchObject({ status: 'not-certified', certified: false, certificate: null, clearance: 0 });
    expect(found.place).toMatchObject({ a: 'c', b: 'object0' });
    expect(found.reason).toMatch(/^not certified: segment \d+: c and object0 at /);
    expect(found.attempts).toHaveLength(2);
    disposeScene(scene);
  });

  test('ends in contact or beyond limits, requests to stop', () => {
    const { scene, robot } = createCart([[BALL, at(0, 0)]]);
    expect(optimisePath(scene, robot, { method, start: [0, 0.3], goal: [1, 0] })).toMatchObject({
      status: 'invalid-start',
      reason: 'the start is in collision: c touches object0',
      path: [],
    });
    expect(optimisePath(scene, robot, { method, start: [-1, 0], goal: [4, 0] }).status).toBe('invalid-goal');
    const stopped = optimisePath(scene, robot, { method, start: [-1, 0], goal: [1, 0], shouldStop: () => true });
    expect(stopped).toMatchObject({ status: 'timeout', certified: false, path: [] });
    let asked = 0;
    const late = optimisePath(scene, robot, { method, start: [-1, 0], goal: [1, 0], shouldStop: () => ++asked > 3 });
    expect(late.certified).toBe(false);
    disposeScene(scene);
  });

  test('the same request gives the same bits, on a robot that others moved meanwhile', () => {
    const { scene, robot } = createCart([[BALL, at(0, 0)]]);
    const request = { method, start: [-1, 0.01], goal: [1, 0], seeds: 3, all: true } as const;
    const first = optimisePath(scene, robot, request);
    setConfiguration(robot, Float64Array.of(2, 2));
    expect(optimisePath(scene, robot, request)).toEqual(first);
    expect(first.attempts).toHaveLength(3);
    expect(first.length).toBe(Math.min(...first.attempts.filter((a) => a.certified).map(({ length }) => length)));
    disposeScene(scene);
  });
});

test('trajopt keeps velocity and acceleration limits at rest on both ends', () => {
  const { scene, robot } = createCart([[BALL, at(0, 0.3)]]);
  const step = 0.1;
  const limits = { step, velocity: 1.2, acceleration: 3 };
  const { path, status, attempts } = optimisePath(scene, robot, {
    ...{ start: [-1, 0], goal: [1, 0], segments: 30, limits },
  });
  expect(status).toBe('solved');
  expect(attempts[0].status).toBe('clear');
  const v = (t: number, k: number): number => (t < 1 || t >= path.length ? 0 : (path[t][k] - path[t - 1][k]) / step);
  for (let t = 1; t <= path.length; t++)
    for (let k = 0; k < 2; k++) {
      expect(Math.abs(v(t, k))).toBeLessThan(1.2 + 1e-4);
      expect(Math.abs(v(t, k) - v(t - 1, k)) / step).toBeLessThan(3 + 1e-2);
    }
  // Half the time would not do.
  const hurried = optimisePath(scene, robot, {
    start: [-1, 0],
    goal: [1, 0],
    segments: 10,
    limits,
    maxIterations: 40,
    seeds: 1,
  });
  expect(hurried.attempts[0].status).not.toBe('clear');
  disposeScene(scene);
});

test('coordinates that do not move stay, and a part of the way can be given', () => {
  const { scene, robot } = createCart([[BALL, at(0, 0)]]);
  const still = optimisePath(scene, robot, { start: [-1, 0.8], goal: [1, 0.8], indices: [0] });
  expect(still.status).toBe('solved');
  for (const q of still.path) expect(q[1]).toBe(0.8);
  expect(() => optimisePath(scene, robot, { start: [-1, 0.8], goal: [1, 0.7], indices: [0] })).toThrow(
    /goal\[1\], got 0.7, expected 0.8/,
  );
  const initial = [
    [
      [-1, 0],
      [0, -1.5],
      [1, 0],
    ],
  ];
  const below = optimisePath(scene, robot, { start: [-1, 0], goal: [1, 0], initial });
  expect(below.path[8][1]).toBeLessThan(-0.4);
  expect(() =>
    optimisePath(scene, robot, {
      start: [-1, 0],
      goal: [1, 0],
      initial: [
        [
          [-1, 0],
          [1, 1],
        ],
      ],
    }),
  ).toThrow(/another state than the goal/);
  disposeScene(scene);
});
