import { afterEach, describe, expect, it } from 'vitest';
import { addUrdf, planarArm } from '../../test/scene-fixtures.js';
import { createTransform, type Pose, transformToPose } from '../math/transform.js';
import { isSceneFree } from '../scene/queries/check.js';
import { robotFramePlacement, setConfiguration } from '../scene/robot.js';
import { addObject, createScene, disposeScene } from '../scene/scene.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { createTrajectoryPoint, sampleTimes } from '../trajectory/trajectory.js';
import { createGroupSearch, type GroupRequest, planGroup } from './plan-group.js';

const scenes: Scene[] = [];
afterEach(() => {
  for (const scene of scenes.splice(0)) disposeScene(scene);
});

/** Three links in the plane; the group leaves out the last joint. A post stands between home and there. */
const SRDF = `<robot name="arm">
  <group name="most"><joint name="joint1"/><joint name="joint2"/></group>
  <group name="all"><chain base_link="link0" tip_link="link3"/></group>
  <group_state name="home" group="all"><joint name="joint1" value="0"/><joint name="joint2" value="0"/><joint name="joint3" value="0"/></group_state>
  <group_state name="there" group="most"><joint name="joint1" value="2"/><joint name="joint2" value="0.1"/></group_state>
</robot>`;

function createArm(): { scene: Scene; robot: SceneRobot } {
  const scene = createScene();
  scenes.push(scene);
  const robot = addUrdf(scene, planarArm('arm', 4, 0.3), { srdf: SRDF });
  addObject(scene, { name: 'post', shape: { type: 'sphere', radius: 0.08 }, pose: [0.8, 0.6, 0, 0, 0, 0, 1] });
  return { scene, robot };
}

function expectFree({ scene, robot }: { scene: Scene; robot: SceneRobot }, path: readonly Float64Array[]): void {
  for (let i = 1; i < path.length; i++)
    for (let t = 0; t <= 1; t += 1 / 64) {
      setConfiguration(
        robot,
        path[i].map((value, k) => path[i - 1][k] + t * (value - path[i - 1][k])),
      );
      expect(isSceneFree(scene)).toBe(true);
    }
}

describe('planGroup', () => {
  it('plans from a named state to another, and times the motion', () => {
    const arm = createArm();
    const shown = [...arm.robot.q];
    const timed = { acceleration: 3 };
    const plan = planGroup(arm.scene, arm.robot, { group: 'most', start: 'home', goal: 'there', timed });
    expect(plan).toMatchObject({ status: 'solved', complete: true, assumed: [] });
    expect([...arm.robot.q]).toEqual(shown);
    expect([...plan.path[0]]).toEqual([0, 0, 0]);
    // The joint that the group leaves out stands as at the start.
    expect([...plan.path.at(-1)!]).toEqual([2, 0.1, 0]);
    expect(plan.path.every((q) => q[2] === 0)).toBe(true);
    expectFree(arm, plan.path);
    const { motion } = plan;
    expect(motion).toMatchObject({ status: 'solved', checked: 'certified' });
    const point = createTrajectoryPoint(arm.robot.model);
    for (const time of sampleTimes(motion!.trajectory!.duration, 0.01)) {
      motion!.trajectory!.evaluate(point, time);
      setConfiguration(arm.robot, point.q);
      expect(isSceneFree(arm.scene)).toBe(true);
    }
  });

  it.each([
    ['the whole robot', [2, 0.1, 0]],
    ['the group', [2, 0.1]],
    ['joints by name', { joint1: 2, joint2: 0.1 }],
    ['typed numbers', Float64Array.of(2, 0.1)],
    ['any of a list', [{ joint1: 2, joint2: 0.1 }, 'there']],
  ] as [string, GroupRequest['goal']][])('takes %s', (_name, goal) => {
    const { scene, robot } = createArm();
    const plan = planGroup(scene, robot, { group: 'most', goal });
    expect([...plan.path.at(-1)!]).toEqual([2, 0.1, 0]);
  });

  it('reaches a pose of the tip, and one of another frame', () => {
    const arm = createArm();
    const { scene, robot } = arm;
    setConfiguration(robot, [1.8, 0.5, 0.3]);
    const poses = ['link3', 'link2'].map((frame) => {
      const X = robotFramePlacement(createTransform(), robot, frame);
      return { frame, X: Float64Array.from(X), pose: transformToPose([0, 0, 0, 0, 0, 0, 1], X) as unknown as Pose };
    });
    for (const { frame, X, pose } of poses) {
      const goal = frame === 'link3' ? { pose } : { frame, pose };
      const plan = planGroup(scene, robot, { group: 'all', start: 'home', goal });
      expect(plan.status).toBe('solved');
      expectFree(arm, plan.path);
      setConfiguration(robot, plan.path.at(-1)!);
      const reached = robotFramePlacement(createTransform(), robot, frame);
      for (let k = 0; k < 12; k++) expect(Math.abs(reached[k] - X[k])).toBeLessThan(1e-5);
    }
    const far = planGroup(scene, robot, { group: 'all', start: 'home', goal: { pose: [5, 0, 0, 0, 0, 0, 1] } });
    expect(far).toMatchObject({ status: 'invalid-goal', path: [] });
    expect(far.reason).toContain("beyond the arm's length");
  });

  it('is the same in one go and step by step, and says what stops it', () => {
    const { scene, robot } = createArm();
    const request = { group: 'most', start: 'home', goal: 'there', seed: 3 } as const;
    const search = createGroupSearch(scene, robot, request);
    expect(search.result().path).toEqual([]);
    while (!search.step(1));
    expect(search.result().path).toEqual(planGroup(scene, robot, request).path);
    expect(search.result()).toBe(search.result());
    expect(planGroup(scene, robot, { ...request, maxIterations: 1 }).status).toBe('limit');
    addObject(scene, { name: 'block', shape: { type: 'sphere', radius: 0.2 }, pose: [0.5, 0, 0, 0, 0, 0, 1] });
    const blocked = planGroup(scene, robot, request);
    expect(blocked.status).toBe('invalid-start');
    expect(blocked.reason).toContain('block');
  });

  it('refuses names and values that mean nothing', () => {
    const { scene, robot } = createArm();
    const plan = (request: object) => () => planGroup(scene, robot, request as GroupRequest);
    expect(plan({ goal: 'ther' })).toThrow(/goal, got "ther" \(did you mean "there"\?\), expected one of home, there/);
    expect(plan({ group: 'mos', goal: 'there' })).toThrow(/got "mos"/);
    expect(plan({ group: 'most', goal: [1, 2, 3, 4] })).toThrow(/goal, got .*expected 3 numbers, or 2 of the group/);
    expect(plan({ goal: { frame: 'hand', pose: [0, 0, 0, 0, 0, 0, 1] } })).toThrow(/goal.frame, got "hand"/);
    expect(plan({ goal: 'there', goals: [] })).toThrow(/unknown key "goals"/);
  });
});
