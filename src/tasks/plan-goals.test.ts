import { afterEach, describe, expect, it } from 'vitest';
import { addUrdf, planarArm } from '../../test/scene-fixtures.js';
import { createRandom } from '../math/random.js';
import { type Pose, transformToPose } from '../math/transform.js';
import { robotFramePlacement, setConfiguration } from '../scene/robot.js';
import { addObject, createScene, disposeScene } from '../scene/scene.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { findGroupCoordinates } from '../semantics/group-coordinates.js';
import { createGroupRoadmap, loadGroupRoadmap } from './group-roadmap.js';
import { createPoseGoals } from './plan-goals.js';
import { planGroup } from './plan-group.js';

const scenes: Scene[] = [];
afterEach(() => {
  for (const scene of scenes.splice(0)) disposeScene(scene);
});

function createArm(): { scene: Scene; robot: SceneRobot } {
  const scene = createScene();
  scenes.push(scene);
  const robot = addUrdf(scene, planarArm('arm', 4, 0.3));
  return { scene, robot };
}

function tipAt(robot: SceneRobot, q: ArrayLike<number>): Float64Array {
  setConfiguration(robot, q);
  return robotFramePlacement(new Float64Array(12), robot, 'link3').slice();
}

describe('pose goals', () => {
  it('are an unending stream of configurations, in every posture, that all reach the pose', () => {
    const { robot } = createArm();
    const target = tipAt(robot, [0.4, 1, -0.5]);
    const { model, semantic, description } = robot;
    const group = findGroupCoordinates(model, semantic, description, undefined);
    const pose = transformToPose([], target) as unknown as Pose;
    const start = new Float64Array(3);
    const goals = createPoseGoals(robot, group, [{ pose }], { group: undefined, seed: 1, start, isFree: () => true });
    expect(goals.fault).toBeNull();
    const random = createRandom(2);
    const bends = new Set<boolean>();
    const q = new Float64Array(3);
    let drawn = 0;
    for (let i = 0; i < 60; i++) {
      if (!goals.region.draw(q, random)) continue;
      drawn++;
      bends.add(q[1] > 0);
      expect(goals.region.contains(q)).toBe(true);
      const reached = tipAt(robot, q);
      for (let k = 0; k < 12; k++) expect(reached[k]).toBeCloseTo(target[k], 4);
    }
    expect(drawn).toBeGreaterThan(40);
    // Elbow on either side.
    expect(bends.size).toBe(2);
    expect(goals.region.contains(Float64Array.of(0.4, 1, 0))).toBe(false);
  });

  it('with tolerances are regions: within them, and not only at their middle', () => {
    const { scene, robot } = createArm();
    const target = tipAt(robot, [0.4, 1, -0.5]);
    const pose = transformToPose([], target) as unknown as Pose;
    const goal = { pose, position: [0.05, 0.05, 0], rotation: [0, 0, Math.PI] };
    const { model, semantic, description } = robot;
    const group = findGroupCoordinates(model, semantic, description, undefined);
    const request = { group: undefined, seed: 1, start: new Float64Array(3), isFree: () => true };
    const { region } = createPoseGoals(robot, group, [goal], request);
    const random = createRandom(2);
    const q = new Float64Array(3);
    let far = 0;
    for (let i = 0; i < 40; i++) {
      if (!region.draw(q, random)) continue;
      expect(region.contains(q)).toBe(true);
      const reached = tipAt(robot, q);
      // The box stands along the axes of the target.
      const [dx, dy] = [reached[9] - target[9], reached[10] - target[10]];
      const [along, across] = [target[0] * dx + target[3] * dy, target[1] * dx + target[4] * dy];
      expect(Math.max(Math.abs(along), Math.abs(across))).toBeLessThan(0.05 + 1e-4);
      far = Math.max(far, Math.abs(along), Math.abs(across));
    }
    expect(far).toBeGreaterThan(0.03);
    // What stands in the way of the middle does not stand in the way of the region.
    expect(planGroup(scene, robot, { start: [0, 0, 0], goal }).status).toBe('solved');
    for (const wrong of [
      { pose, position: -1 },
      { pose, rotation: [1, 2] },
      { pose, frame: 'no' },
    ])
      expect(() => planGroup(scene, robot, { start: [0, 0, 0], goal: wrong })).toThrow(/planGroup: goal/);
  });
});

describe('roadmaps of a group', () => {
  it('answer again, forget what moved, and keep what did not', () => {
    const { scene, robot } = createArm();
    const post = addObject(scene, {
      name: 'post',
      shape: { type: 'sphere', radius: 0.08 },
      pose: [0.8, 0.6, 0, 0, 0, 0, 1],
    });
    addObject(scene, { name: 'crate', shape: { type: 'sphere', radius: 0.05 }, pose: [0, 2, 0, 0, 0, 0, 1] });
    const roadmap = createGroupRoadmap(scene, robot);
    const ask = { start: [0, 0, 0], goal: [2, 0.1, 0], roadmap, seed: 1 };
    const first = planGroup(scene, robot, ask);
    expect(first).toMatchObject({ status: 'solved', planner: 'experience', certified: true });
    const { size } = roadmap;
    expect(size).toBeGreaterThan(0);
    expect(planGroup(scene, robot, ask)).toMatchObject({ status: 'solved', certified: true, iterations: 0 });
    const moving = { ...ask, moving: ['crate'], simplify: false };
    const apart = planGroup(scene, robot, moving);
    expect(apart).toMatchObject({ status: 'solved', certified: true });
    const loaded = loadGroupRoadmap(scene, robot, roadmap.save());
    expect(loaded.size).toBe(roadmap.size);
    expect(planGroup(scene, robot, { ...ask, roadmap: loaded }).status).toBe('solved');
    expect(() => planGroup(scene, robot, { ...moving, moving: ['nothing'] })).toThrow(/moving/);
    expect(post.name).toBe('post');
  });
});
