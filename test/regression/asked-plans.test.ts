/**
 * Faults of others and our own in what is asked of plans besides states: goals by poses, constraints, several robots. Bugs U147, U149; use T25, T60, T64;
 * and poses of goals, which were taken in the robot's base and not in the world.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { type Pose, transformToPose } from '../../src/math/transform.js';
import { nearestPair } from '../../src/scene/queries/check.js';
import { robotFramePlacement, setConfiguration } from '../../src/scene/robot.js';
import { createScene, disposeScene } from '../../src/scene/scene.js';
import type { Scene, SceneRobot } from '../../src/scene/types.js';
import { planGroup } from '../../src/tasks/plan-group.js';
import { planRobots } from '../../src/tasks/plan-robots.js';
import { addUrdf, planarArm } from '../scene-fixtures.js';

const scenes: Scene[] = [];
afterEach(() => {
  for (const scene of scenes.splice(0)) disposeScene(scene);
});

const turned = (x: number, y: number): Pose => [x, y, 0, 0, 0, 1, 0];

/** Two instances of one arm of three links, 0.2 m each, 0.8 m apart. */
function createPair(): { scene: Scene; robots: SceneRobot[] } {
  const scene = createScene();
  scenes.push(scene);
  const arm = planarArm('arm', 4, 0.2);
  const robots = [0, 1].map((i) =>
    addUrdf(scene, arm, { name: `arm${i}`, placement: i === 0 ? [0, 0, 0, 0, 0, 0, 1] : turned(1.1, 0) }),
  );
  return { scene, robots };
}

const tipOf = (robot: SceneRobot, q: ArrayLike<number>): Float64Array => {
  setConfiguration(robot, q);
  return robotFramePlacement(new Float64Array(12), robot, 'link3').slice();
};

describe('what is asked of plans', () => {
  it('U147, U149: two instances of one arm see each other, alone and together, without a merged file', () => {
    const { scene, robots } = createPair();
    setConfiguration(robots[0], [1.2, 0, 0]);
    setConfiguration(robots[1], [-1.2, 0, 0]);
    expect(planGroup(scene, robots[0], { goal: [0, 0, 0] }).status).toBe('solved');
    setConfiguration(robots[1], [0, 0, 0]);
    const blocked = planGroup(scene, robots[0], { goal: [0, 0, 0] });
    expect(blocked.status).toBe('invalid-goal');
    expect(blocked.reason).toMatch(/arm1/);
    setConfiguration(robots[1], [1.2, 0, 0]);
    const both = planRobots(
      scene,
      [
        { robot: robots[0], goal: [-1.2, 0, 0] },
        { robot: robots[1], goal: [-1.2, 0, 0] },
      ],
      { method: 'together', seed: 2 },
    );
    expect(both.status, both.reason).toBe('solved');
  });

  it('T25: plans of every kind leave robots as they stand, and queries as they were', () => {
    const { scene, robots } = createPair();
    setConfiguration(robots[0], [1.2, 0.1, 0]);
    setConfiguration(robots[1], [1.2, 0, 0.2]);
    const before = nearestPair(scene);
    const goal = [0.6, -0.2, 0.2];
    planGroup(scene, robots[0], { goal, constraints: [{ type: 'orientation', frame: 'link3' }] });
    planGroup(scene, robots[0], { goal, retreat: { by: [0.02, 0, 0] }, seed: 3 });
    planRobots(scene, [{ robot: robots[0], goal }], { method: 'together' });
    expect(nearestPair(scene)).toEqual(before);
    expect([...robots[0].q]).toEqual([1.2, 0.1, 0]);
  });

  it('T64: a goal beyond a limit by its last digits is taken, and said, under constraints too', () => {
    const scene = createScene();
    scenes.push(scene);
    const robot = addUrdf(scene, planarArm('arm', 4, 0.2).replace('upper="3.1"', 'upper="1.5"'));
    const constraints = [{ type: 'plane', frame: 'link3', normal: [0, 0, 1] }] as const;
    const plan = planGroup(scene, robot, { start: [0.9, 0.1, -0.2], goal: [1.50000001, 0.1, -0.2], constraints });
    expect(plan.status, plan.reason).toBe('solved');
    expect(plan.assumed.join()).toMatch(/joint "joint1" is 1.50000001, taken as its limit/);
  });

  it('poses of goals are in the world, wherever the base stands', () => {
    const { scene, robots } = createPair();
    setConfiguration(robots[0], [1.5, 0, 0]);
    const target = tipOf(robots[1], [0.9, -0.4, 0.3]);
    setConfiguration(robots[1], [1.5, 0, 0]);
    const pose = transformToPose([], target) as unknown as Pose;
    const plan = planGroup(scene, robots[1], { goal: { frame: 'link3', pose } });
    expect(plan.status, plan.reason).toBe('solved');
    const reached = tipOf(robots[1], plan.path[plan.path.length - 1]);
    for (let k = 0; k < 12; k++) expect(Math.abs(reached[k] - target[k])).toBeLessThan(1e-4);
  });

  it('T60: a joint that is locked by its limits moves in no plan, and poses are reached without it', () => {
    const scene = createScene();
    scenes.push(scene);
    const locked = planarArm('arm', 5, 0.2).replace('lower="-3.1" upper="3.1"', 'lower="0" upper="0"');
    const robot = addUrdf(scene, locked);
    setConfiguration(robot, [0, 0.8, -0.5, 0.6]);
    const target = robotFramePlacement(new Float64Array(12), robot, 'link4').slice();
    setConfiguration(robot, [0, 0, 0.3, 0]);
    const pose = transformToPose([], target) as unknown as Pose;
    const plan = planGroup(scene, robot, { goal: { frame: 'link4', pose } });
    expect(plan.status, plan.reason).toBe('solved');
    for (const q of plan.path) expect(q[0]).toBe(0);
  });
});
