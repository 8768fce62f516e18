import { afterEach, describe, expect, it } from 'vitest';
import { addUrdf, planarArm } from '../../test/scene-fixtures.js';
import { createRandom } from '../math/random.js';
import { createConfigurationSpace } from '../planning/configuration-space.js';
import { robotFramePlacement, setConfiguration } from '../scene/robot.js';
import { addObject, createScene, disposeScene, moveObject } from '../scene/scene.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { boundMotionRate } from './joint-reach.js';
import { planGroup } from './plan-group.js';

const scenes: Scene[] = [];
afterEach(() => {
  for (const scene of scenes.splice(0)) disposeScene(scene);
});

/** Three links in the plane. Two posts on either side of the way from 0 to 2, of which the second is the way round. */
function createArm(): { scene: Scene; robot: SceneRobot } {
  const scene = createScene();
  scenes.push(scene);
  const robot = addUrdf(scene, planarArm('arm', 4, 0.3));
  return { scene, robot };
}
const pose = (x: number, y: number): [number, number, number, number, number, number, number] => [x, y, 0, 0, 0, 0, 1];

describe('why there is no path', () => {
  it('names what touches at the ends, how deep, and the nearest valid state', () => {
    const { scene, robot } = createArm();
    addObject(scene, { name: 'post', shape: { type: 'sphere', radius: 0.1 }, pose: pose(0.8, 0.13) });
    const request = { start: [0, 0, 0], goal: [0, 0.16, 0], explain: true };
    const { status, reasons } = planGroup(scene, robot, request);
    expect(status).toBe('invalid-goal');
    const [end] = reasons!.ends;
    expect(end).toMatchObject({ end: 'goal', index: 0, limits: '' });
    expect(end.contacts.map(({ a, b }) => [a, b].includes('post'))).toContain(true);
    expect(end.contacts[0].depth).toBeGreaterThan(0);
    setConfiguration(robot, end.nearest!.q);
    expect(planGroup(scene, robot, { ...request, goal: end.nearest!.q }).status).toBe('solved');
    expect(reasons!.text[0]).toContain('post');
  });

  it('names the object that closes the way, and leaves the scene as it is', () => {
    const { scene, robot } = createArm();
    // The first link cannot turn past the wall, however the others are folded; the other way round its joint has a limit.
    const wall = addObject(scene, {
      name: 'wall',
      shape: { type: 'box', size: [0.08, 2, 0.4] },
      pose: pose(0, 1.13),
    });
    addObject(scene, { name: 'house', shape: { type: 'box', size: [2, 2, 0.4] }, pose: pose(-0.3, -1.35) });
    const request = { start: [0.5, 0, 0], goal: [2.9, 0, 0] };
    const shut = planGroup(scene, robot, { ...request, maxIterations: 500, explain: true });
    expect(shut.status).toBe('limit');
    const search = shut.reasons!.search!;
    expect(search).toMatchObject({ met: false, longer: null, closedBy: 'wall' });
    expect(search.stopped.some(({ a, b }) => a === 'wall' || b === 'wall')).toBe(true);
    expect(search.removals.find(({ body }) => body === 'wall')!.status).toBe('solved');
    expect([...wall.body.worldPlacement.subarray(9)]).toEqual([0, 1.13, 0]);
    moveObject(scene, wall, pose(0, 5));
    const open = planGroup(scene, robot, { ...request, explain: true });
    expect(open).toMatchObject({ status: 'solved', reasons: null });
  });
});

describe('a start that is repaired', () => {
  it('leaves the contact by the least motion, and the path begins there', () => {
    const { scene, robot } = createArm();
    addObject(scene, { name: 'post', shape: { type: 'sphere', radius: 0.1 }, pose: pose(0.8, 0.13) });
    const start = [0, 0.06, 0];
    for (const depth of [0.04, 0.033, 0.03]) {
      const request = { start, goal: [-1, 0, 0] };
      expect(planGroup(scene, robot, request).status).toBe('invalid-start');
      expect(planGroup(scene, robot, { ...request, repairStart: 1e-4 }).reason).toContain('not repaired');
      const plan = planGroup(scene, robot, { ...request, repairStart: depth });
      expect(plan.status).toBe('solved');
      const { leg, distance, contacts, deepest } = plan.repair!;
      expect([...leg[0]]).toEqual(start);
      expect(plan.path[0]).toEqual(leg[1]);
      expect(contacts[0].depth).toBeLessThanOrEqual(deepest);
      // No draw near it is free and nearer.
      const random = createRandom(1);
      for (let i = 0; i < 300; i++) {
        const q = start.map((x) => x + 2 * distance * (random.next() - 0.5));
        const away = Math.sqrt(q.reduce((sum, x, k) => sum + (x - start[k]) ** 2, 0));
        if (away * 1.5 > distance) continue;
        expect(planGroup(scene, robot, { start: q, goal: q }).status).toBe('invalid-start');
      }
    }
  });

  it('comes back within the limits', () => {
    const scene = createScene();
    scenes.push(scene);
    const robot = addUrdf(scene, planarArm('arm', 4, 0.3).replace(/upper="[^"]*"/g, 'upper="2"'));
    expect(robot.model.upper[0]).toBe(2);
    const beyond = robot.model.upper[0] + 0.1;
    const plan = planGroup(scene, robot, { start: [beyond, 0, 0], goal: [0, 0, 0], repairStart: true });
    expect(plan.status).toBe('solved');
    expect(plan.repair!.limits).toContain('joint1');
    expect(plan.path[0][0]).toBeCloseTo(robot.model.upper[0], 6);
    expect(plan.repair!.contacts).toEqual([]);
  });
});

it('no point moves by more than the rate says', () => {
  const { scene, robot } = createArm();
  const { model } = robot;
  const space = createConfigurationSpace(model, {});
  const rate = boundMotionRate(robot, space, [0, 1, 2]);
  const random = createRandom(3);
  const tip = (q: Float64Array): Float64Array => {
    setConfiguration(robot, q);
    return robotFramePlacement(new Float64Array(12), robot, 'link3').slice(9);
  };
  const a = new Float64Array(model.nq);
  const b = new Float64Array(model.nq);
  for (let i = 0; i < 300; i++) {
    space.sample(a, random);
    space.sample(b, random);
    space.interpolate(b, a, b, 0.1);
    const [p, q] = [tip(a), tip(b)];
    const moved = Math.sqrt((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 + (p[2] - q[2]) ** 2);
    expect(moved).toBeLessThanOrEqual(rate * space.distance(a, b));
  }
  expect(scene.disposed).toBe(false);
});
