/**
 * Planning faults of others and our own, through `planGroup`, the call that plans for users: bugs U150, U152, U154; use T10, T17, T25, T26, T28,
 * T57, T58, T60, T62, T64. The same rows of the planners themselves, and U156, U158, U160, are in planning.test.ts, planning-scenes.test.ts and
 * trajectory-timing.test.ts.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { rrtConnect } from '../../src/planning/planners/rrt-connect.js';
import { registerPlanner } from '../../src/planning/registry.js';
import { certifyPath } from '../../src/scene/motion/certify-path.js';
import { isSceneFree, nearestPair } from '../../src/scene/queries/check.js';
import { setConfiguration } from '../../src/scene/robot.js';
import { addObject, createScene, disposeScene } from '../../src/scene/scene.js';
import type { Scene, SceneRobot } from '../../src/scene/types.js';
import { type GroupPlan, type GroupRequest, planGroup } from '../../src/tasks/plan-group.js';
import { createTrajectoryPoint, sampleTimes } from '../../src/trajectory/trajectory.js';
import { addUrdf, boxLink, type FixtureOptions, planarArm } from '../scene-fixtures.js';

const scenes: Scene[] = [];

afterEach(() => {
  for (const scene of scenes.splice(0)) disposeScene(scene);
});

function place(urdf: string, options: FixtureOptions = {}): { scene: Scene; robot: SceneRobot } {
  const scene = createScene();
  scenes.push(scene);
  return { scene, robot: addUrdf(scene, urdf, options) };
}

const box = (scene: Scene, name: string, size: [number, number, number], at: [number, number, number]): void => {
  addObject(scene, { name, shape: { type: 'box', size }, pose: [...at, 0, 0, 0, 1] });
};

/** Two joints among posts, so that a straight line is blocked. */
function amongPosts(): { scene: Scene; robot: SceneRobot } {
  const placed = place(planarArm('arm', 3, 0.4));
  for (const [i, [x, y]] of [
    [0.95, 0.5],
    [-0.4, 0.6],
    [0.6, -0.5],
  ].entries())
    addObject(placed.scene, { name: `post${i}`, shape: { type: 'sphere', radius: 0.12 }, pose: [x, y, 0, 0, 0, 0, 1] });
  return placed;
}

function expectFree({ scene, robot }: { scene: Scene; robot: SceneRobot }, { path }: GroupPlan, step = 1e-3): void {
  for (let i = 1; i < path.length; i++)
    for (let t = 0; t <= 1; t += step) {
      setConfiguration(
        robot,
        path[i].map((x, k) => path[i - 1][k] + t * (x - path[i - 1][k])),
      );
      expect(isSceneFree(scene)).toBe(true);
    }
}

describe('planGroup', () => {
  it('U150: a goal walled in is not solved, by any edges, and nothing is returned', () => {
    const { scene, robot } = place(planarArm('arm', 2, 0.4));
    // From both sides of where joint1 = 2 holds the arm.
    for (const angle of [1.6, 2.4])
      addObject(scene, {
        name: `post at ${angle}`,
        shape: { type: 'sphere', radius: 0.05 },
        pose: [0.4 + 0.3 * Math.cos(angle), 0.3 * Math.sin(angle), 0, 0, 0, 0, 1],
      });
    for (const edges of ['certified', 'sampled'] as const) {
      const plan = planGroup(scene, robot, { start: [0], goal: [2], edges, maxIterations: 300 });
      expect(plan).toMatchObject({ status: 'limit', path: [], certified: false, length: 0, cost: 0 });
    }
  });

  it('U152: seeds are local, and the same seed gives the same path after other plans', () => {
    const { scene, robot } = amongPosts();
    const plan = (seed: number): GroupPlan => planGroup(scene, robot, { start: [0, 0], goal: [2.2, -0.4], seed });
    const [first, second] = [plan(1), plan(2)];
    expect([first.status, second.status]).toEqual(['solved', 'solved']);
    expect(plan(2).path).toEqual(second.path);
    expect(plan(1).path).toEqual(first.path);
  });

  it('U154: an obstacle on the straight joint path of an arm whose base is at z = 0.9 is avoided', () => {
    const placed = place(planarArm('arm', 3, 0.4), { placement: [0, 0, 0.9, 0, 0, 0, 1] });
    addObject(placed.scene, {
      name: 'ball',
      shape: { type: 'sphere', radius: 0.08 },
      pose: [0.4 + 0.6 * Math.cos(0.8), 0.6 * Math.sin(0.8), 0.9, 0, 0, 0, 1],
    });
    const plan = planGroup(placed.scene, placed.robot, { start: [0, 0], goal: [1.6, 0] });
    expect(plan).toMatchObject({ status: 'solved', certified: true });
    expect(plan.path.length).toBeGreaterThan(2);
    expectFree(placed, plan);
  });

  it('T10: a follower with tighter limits narrows its leader: no plan goes beyond', () => {
    const urdf = `<robot name="r">${boxLink('a', '0.1 0.1 0.1')}${boxLink('b', '0.3 0.05 0.05', '0.2 0 0')}${boxLink('c', '0.3 0.05 0.05', '0.2 0 0.3')}
      <joint name="lead" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="1" effort="1"/></joint>
      <joint name="follow" type="revolute"><parent link="a"/><child link="c"/><axis xyz="0 0 1"/><limit lower="-0.3" upper="0.3" velocity="1" effort="1"/><mimic joint="lead" multiplier="2"/></joint></robot>`;
    const { scene, robot } = place(urdf);
    expect(planGroup(scene, robot, { goal: [0.9] })).toMatchObject({ status: 'invalid-goal', path: [] });
    expect(planGroup(scene, robot, { goal: [0.15] }).status).toBe('solved');
  });

  it('T17: a quaternion off by a rounding is taken, moved and said; one that is far off is refused by its name', () => {
    const { scene, robot } = place(boxLink('body', '0.1 0.1 0.1').replace(/^/, '<robot name="b">').concat('</robot>'), {
      build: { base: 'floating' },
    });
    const near = planGroup(scene, robot, { goal: [0.5, 0, 0, 0, 0, 0, 1.0005] });
    expect(near.status).toBe('solved');
    const far = (): GroupPlan => planGroup(scene, robot, { goal: [0.5, 0, 0, 0, 0, 0, 2] });
    const outcome = ((): string => {
      try {
        return far().reason;
      } catch (error) {
        return (error as Error).message;
      }
    })();
    expect(outcome).toMatch(/quaternion|length/);
  });

  it('T25: the robot and its distances stay as they were', () => {
    const { scene, robot } = amongPosts();
    setConfiguration(robot, [0.3, -0.2]);
    const before = { q: [...robot.q], nearest: nearestPair(scene) };
    expect(planGroup(scene, robot, { start: [0, 0], goal: [2.2, -0.4] }).status).toBe('solved');
    expect({ q: [...robot.q], nearest: nearestPair(scene) }).toEqual(before);
  });

  it('T26: time ends a plan within one check, whatever is under way, and then nothing is returned', () => {
    const { scene, robot } = amongPosts();
    for (let limit = 0; limit < 60; limit += 3) {
      let ticks = 0;
      const plan = planGroup(scene, robot, {
        ...{ start: [0, 0], goal: [2.2, -0.4], seed: 1 },
        ...{ timeoutMs: limit, clock: () => ticks++ },
      });
      if (plan.status === 'timeout') expect(plan).toMatchObject({ path: [], certified: false });
      else expect(plan).toMatchObject({ status: 'solved', certified: true });
    }
  });

  it('T28: a timed motion along the path is free at every 5 ms', () => {
    const { scene, robot } = amongPosts();
    const { motion } = planGroup(scene, robot, { start: [0, 0], goal: [2.2, -0.4], timed: { acceleration: 3 } });
    expect(motion).toMatchObject({ status: 'solved', checked: 'certified' });
    const point = createTrajectoryPoint(robot.model);
    for (const time of sampleTimes(motion!.trajectory!.duration, 0.005)) {
      motion!.trajectory!.evaluate(point, time);
      setConfiguration(robot, point.q);
      expect(isSceneFree(scene)).toBe(true);
    }
  });

  it.each([1, 2, 3, 4])('T57, T58: what is returned is free between samples, shortened or not (seed %d)', (seed) => {
    const placed = amongPosts();
    // Thinner than a step of the trees' growth.
    box(placed.scene, 'blade', [0.002, 0.2, 0.3], [0.62, 0.62, 0]);
    for (const simplify of [true, false]) {
      const request: GroupRequest = { start: [0, 0], goal: [2.2, -0.4], seed, simplify };
      const plan = planGroup(placed.scene, placed.robot, request);
      expect(plan).toMatchObject({ status: 'solved', certified: true });
      expect(certifyPath(placed.scene, placed.robot, plan.path).status).toBe('free');
      expectFree(placed, plan, 1 / 2000);
    }
  });

  it('T60: a joint whose limits are one value is planned as a fixed joint is', () => {
    const urdf = planarArm('arm', 4, 0.3);
    const locked = urdf.replace(/lower="[^"]*" upper="[^"]*"/, 'lower="0" upper="0"');
    const fixed = urdf.replace('type="revolute"', 'type="fixed"');
    const [first, second] = [locked, fixed].map((text) => {
      const placed = place(text);
      for (const [i, [x, y]] of [
        [0.95, 0.35],
        [0.6, -0.4],
      ].entries())
        addObject(placed.scene, {
          name: `post${i}`,
          shape: { type: 'sphere', radius: 0.1 },
          pose: [x, y, 0, 0, 0, 0, 1],
        });
      const own = (q: number[]): number[] => (placed.robot.model.nq === 3 ? [0, ...q] : q);
      const plan = planGroup(placed.scene, placed.robot, { start: own([-0.1, 0.1]), goal: own([1.6, -0.4]) });
      expect(plan).toMatchObject({ status: 'solved', certified: true });
      expect(plan.path.length).toBeGreaterThan(2);
      return plan.path.map((q) => [...q].slice(-2));
    });
    expect(first).toEqual(second);
  });

  it('T64: a goal beyond a limit by its last digits is moved onto it, and that is said', () => {
    const { scene, robot } = place(planarArm('arm', 2, 0.4).replaceAll('lower="-3.1"', 'lower="-3.14159"'));
    const plan = planGroup(scene, robot, { start: [0], goal: [-Math.PI] });
    expect(plan.status).toBe('solved');
    expect([...plan.path[plan.path.length - 1]]).toEqual([-3.14159]);
    expect(plan.assumed.some((text) => text.includes('taken as its limit'))).toBe(true);
    expect(planGroup(scene, robot, { start: [0], goal: [-3.2] }).status).toBe('invalid-goal');
  });

  it('T62: a base without limits goes round a wall as wide as the scene', () => {
    const placed = place(`<robot name="b">${boxLink('body', '0.4 0.4 0.4')}</robot>`, { build: { base: 'planar' } });
    box(placed.scene, 'wall', [0.1, 4, 4], [5, 0, 0]);
    const plan = planGroup(placed.scene, placed.robot, { start: [4, 0, 1, 0], goal: [6, 0, 1, 0] });
    expect(plan).toMatchObject({ status: 'solved', certified: true });
    expect(Math.max(...plan.path.map((q) => Math.abs(q[1])))).toBeGreaterThan(2);
  });

  it('a planner that is registered is planned with by its name, and what it returns is certified as any', () => {
    const { scene, robot } = amongPosts();
    const remove = registerPlanner({ ...rrtConnect, name: 'mine' });
    try {
      const request = { start: [0, 0], goal: [2.2, -0.4], seed: 1 };
      const plan = planGroup(scene, robot, { ...request, planner: 'mine' });
      expect(plan).toMatchObject({ status: 'solved', planner: 'mine', certified: true });
      expect(plan.path).toEqual(planGroup(scene, robot, request).path);
    } finally {
      remove();
    }
    expect(() => planGroup(scene, robot, { goal: [0, 0], planner: 'mine' })).toThrow(/planner, got "mine"/);
  });
});
