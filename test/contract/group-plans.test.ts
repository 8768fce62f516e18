/** Plans of a group beyond those of states: constraints, straight ends, goals that look at a point. */
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Pose, transformToPose } from '../../src/math/transform.js';
import { loadRobot } from '../../src/node/load-robot.js';
import { certifyPath } from '../../src/scene/motion/certify-path.js';
import { robotFramePlacement, setConfiguration } from '../../src/scene/robot.js';
import { addObject, disposeScene } from '../../src/scene/scene.js';
import type { Scene, SceneRobot } from '../../src/scene/types.js';
import { type CellRobot, createCell } from '../../src/tasks/create-cell.js';
import { createGroupSearch, planGroup } from '../../src/tasks/plan-group.js';
import { createTrajectoryPoint } from '../../src/trajectory/trajectory.js';

const scenes: Scene[] = [];
afterEach(() => {
  for (const scene of scenes.splice(0)) disposeScene(scene);
});

let content: CellRobot;
beforeAll(async () => {
  const file = fileURLToPath(new URL('../../examples/arm/arm.urdf', import.meta.url));
  content = (await loadRobot(file, { srdf: file.replace('.urdf', '.srdf') })).value!;
});

function createArm(placement: Pose = [0, 0, 0, 0, 0, 0, 1]): { scene: Scene; robot: SceneRobot } {
  const { scene, robot } = createCell({ robot: { ...content, placement } });
  scenes.push(scene);
  return { scene, robot };
}

function toolAt(robot: SceneRobot, q: ArrayLike<number>): Float64Array {
  setConfiguration(robot, q);
  return robotFramePlacement(new Float64Array(12), robot, 'tool').slice();
}

const poseOf = (X: Float64Array): Pose => transformToPose([], X) as unknown as Pose;
const down = [{ type: 'axis', frame: 'tool', direction: [0, 0, -1] }] as const;

describe('planGroup with constraints', () => {
  it('goes to a pose along them, timed, with the tool down all the way', () => {
    const { scene, robot } = createArm();
    const there = planGroup(scene, robot, {
      ...{ group: 'arm', start: 'ready', goal: { joint_1: 1.6, joint_4: -1.5 }, constraints: down },
    });
    expect(there).toMatchObject({ status: 'solved', certified: true });
    expect(there.deviation).toBeLessThanOrEqual(1e-4);
    const target = toolAt(robot, there.path[there.path.length - 1]);
    const plan = planGroup(scene, robot, {
      ...{ group: 'arm', start: 'ready', goal: { frame: 'tool', pose: poseOf(target) }, constraints: down },
      timed: { acceleration: 3 },
    });
    expect(plan.status, plan.reason).toBe('solved');
    expect(plan.certified).toBe(true);
    expect(certifyPath(scene, robot, plan.path, { tolerance: 1e-7 }).status).toBe('free');
    const reached = toolAt(robot, plan.path[plan.path.length - 1]);
    for (let k = 0; k < 12; k++) expect(Math.abs(reached[k] - target[k])).toBeLessThan(1e-4);
    const { trajectory } = plan.motion!;
    expect(trajectory).not.toBeNull();
    const point = createTrajectoryPoint(robot.model);
    for (let n = 0; n <= 200; n++) {
      const X = toolAt(robot, trajectory!.evaluate(point, (trajectory!.duration * n) / 200).q);
      // Corners leave it by no more than joints leave the path, three of them at most.
      expect(Math.hypot(X[2], X[5])).toBeLessThan(4e-4);
    }
  });

  it('reaches a point in any orientation that the constraints leave', () => {
    const { scene, robot } = createArm();
    setConfiguration(robot, new Float64Array(robot.model.nq));
    const ready = planGroup(scene, robot, { group: 'arm', start: 'ready', goal: 'ready' }).start;
    const pose = poseOf(toolAt(robot, ready));
    const point: Pose = [pose[1], -pose[0], pose[2], 0, 0, 0, 1];
    const plan = planGroup(scene, robot, {
      ...{ group: 'arm', start: 'ready', goal: { frame: 'tool', pose: point, rotation: 'any' }, constraints: down },
    });
    expect(plan.status, plan.reason).toBe('solved');
    const X = toolAt(robot, plan.path[plan.path.length - 1]);
    for (let k = 0; k < 3; k++) expect(Math.abs(X[9 + k] - point[k])).toBeLessThan(1e-4);
    expect(Math.hypot(X[2], X[5])).toBeLessThan(1e-4);
  });

  it('repairs a start, says why there is no path, and refuses what does not go with them', () => {
    const { scene, robot } = createArm();
    const ready = planGroup(scene, robot, { group: 'arm', start: 'ready', goal: 'ready' }).start;
    const X = toolAt(robot, ready);
    const flat: Pose = [X[9], X[10], X[11] - 0.02, 0, 0, 0, 1];
    const beyond = planGroup(scene, robot, {
      ...{ group: 'arm', start: 'ready', constraints: down, explain: true },
      goal: { pose: [3, 0, 0.5, 0, 1, 0, 0] },
    });
    expect(beyond.status).toBe('invalid-goal');
    expect(beyond.reason).toMatch(/beyond the arm's length/);
    expect(beyond.reasons).not.toBeNull();
    const tilted = planGroup(scene, robot, { group: 'arm', start: 'ready', constraints: down, goal: { pose: flat } });
    expect(tilted.status).toBe('invalid-goal');
    expect(() => planGroup(scene, robot, { group: 'arm', goal: 'ready', constraints: down, planner: 'prm' })).toThrow(
      /planner, got "prm", expected none beside constraints/,
    );
    addObject(scene, { name: 'ball', shape: { type: 'sphere', radius: 0.03 }, pose: [9, 0, 0, 0, 0, 0, 1] });
    const plan = planGroup(scene, robot, {
      ...{ group: 'arm', start: 'ready', goal: { joint_1: 0.5 }, constraints: down, repairStart: true },
    });
    expect(plan).toMatchObject({ status: 'solved', repair: null });
  });
});

describe('straight ends', () => {
  it('approach a pose along its axis and leave the start along a line, as one certified path', () => {
    const { scene, robot } = createArm();
    const goal = planGroup(scene, robot, { group: 'arm', start: 'ready', goal: { joint_1: 1.2 } });
    const target = toolAt(robot, goal.path[goal.path.length - 1]);
    const begin = toolAt(robot, goal.start);
    const plan = planGroup(scene, robot, {
      ...{ group: 'arm', start: 'ready', retreat: { frame: 'tool', by: [0, 0, 0.06] } },
      ...{ goal: { frame: 'tool', pose: poseOf(target), approach: [0, 0, 0.08] }, timed: { acceleration: 3 } },
    });
    expect(plan.status, plan.reason).toBe('solved');
    expect(plan.certified).toBe(true);
    expect(plan.motion?.status).toBe('solved');
    expect(certifyPath(scene, robot, plan.path, { tolerance: 1e-7 }).status).toBe('free');
    const last = toolAt(robot, plan.path[plan.path.length - 1]);
    for (let k = 0; k < 12; k++) expect(Math.abs(last[k] - target[k])).toBeLessThan(1e-4);
    // Off the lines by at most a millimetre, backwards from the end and forwards from the start, for as long as they are.
    const along = (X: Float64Array, path: readonly Float64Array[], axis: readonly number[], far: number): void => {
      for (const q of path) {
        const Y = toolAt(robot, q);
        const d = [0, 1, 2].map((k) => Y[9 + k] - X[9 + k]);
        const s = d[0] * axis[0] + d[1] * axis[1] + d[2] * axis[2];
        const off = Math.hypot(...d.map((x, k) => x - s * axis[k]));
        expect(off).toBeLessThan(2e-3);
        if (s >= far - 1e-3) return;
      }
      throw new Error('the line is too short');
    };
    along(target, [...plan.path].reverse(), [-target[2], -target[5], -target[8]], 0.08);
    along(begin, plan.path, [0, 0, 1], 0.06);
  });

  it('are refused where they cannot be', () => {
    const { scene, robot } = createArm();
    const far = planGroup(scene, robot, {
      group: 'arm',
      start: 'ready',
      goal: { joint_1: 1 },
      retreat: { by: [5, 0, 0] },
    });
    expect(far).toMatchObject({ status: 'invalid-start', path: [] });
    expect(far.reason).toMatch(/no straight way off from the start/);
    const X = poseOf(toolAt(robot, far.start));
    const goal = { pose: X, approach: [0, 0, 5] };
    const none = planGroup(scene, robot, { group: 'arm', start: { joint_1: 0.5 }, goal });
    expect(none.status).toBe('invalid-goal');
    expect(none.reason).toMatch(/no straight approach/);
  });
});

describe('a goal that looks', () => {
  it('puts the axis through the point, from a distance in between; a base that stands elsewhere too', () => {
    const place: Pose = [0.5, -0.3, 0.1, 0, 0, Math.SQRT1_2, Math.SQRT1_2];
    const { scene, robot } = createArm(place);
    const lookAt = [0.2, 0.25, 0.2];
    const plan = planGroup(scene, robot, {
      ...{ group: 'arm', start: 'ready', goal: { frame: 'tool', lookAt, distance: [0.2, 0.4] } },
    });
    expect(plan.status, plan.reason).toBe('solved');
    const X = toolAt(robot, plan.path[plan.path.length - 1]);
    const d = [0, 1, 2].map((k) => lookAt[k] - X[9 + k]);
    const far = Math.hypot(...d);
    expect(far).toBeGreaterThan(0.2 - 1e-4);
    expect(far).toBeLessThan(0.4 + 1e-4);
    const along = d[0] * X[2] + d[1] * X[5] + d[2] * X[8];
    expect(Math.sqrt(Math.max(0, far * far - along * along))).toBeLessThan(1e-4);
    expect(along).toBeGreaterThan(0);
    // Poses are in the world.
    const pose = poseOf(X);
    const there = planGroup(scene, robot, { group: 'arm', start: 'ready', goal: { frame: 'tool', pose } });
    expect(there.status, there.reason).toBe('solved');
    const Y = toolAt(robot, there.path[there.path.length - 1]);
    for (let k = 0; k < 12; k++) expect(Math.abs(X[k] - Y[k])).toBeLessThan(1e-4);
    expect(() => planGroup(scene, robot, { goal: { lookAt, distance: 0 } })).toThrow(/goal.distance, got 0/);
    expect(() => planGroup(scene, robot, { goal: { lookAt, distance: 1, axis: [0, 0, 0] } })).toThrow(/goal.axis/);
  });
});

describe('planGroup with a look', () => {
  it('keeps the axis of the tool through a place all the way', () => {
    const { scene, robot } = createArm();
    const q = robot.q.slice();
    const X = toolAt(robot, planGroup(scene, robot, { group: 'arm', start: 'ready', goal: 'ready' }).start);
    setConfiguration(robot, q);
    const at = [0, 1, 2].map((i) => X[9 + i] + 0.2 * X[3 * i + 2]);
    const look = [{ type: 'look', frame: 'tool', at }] as const;
    const plan = planGroup(scene, robot, {
      ...{ group: 'arm', start: 'ready', constraints: look },
      goal: { frame: 'tool', pose: [X[9] + 0.08, X[10] + 0.05, X[11], 0, 0, 0, 1], rotation: 'any' },
    });
    expect(plan.status, plan.reason).toBe('solved');
    expect(plan.certified).toBe(true);
    for (let i = 1; i < plan.path.length; i++)
      for (let n = 0; n <= 10; n++) {
        const Y = toolAt(
          robot,
          plan.path[i].map((x, k) => x + (n / 10) * (plan.path[i - 1][k] - x)),
        );
        const there = at.map((x, k) => x - Y[9 + k]);
        const along = there[0] * Y[2] + there[1] * Y[5] + there[2] * Y[8];
        expect(along).toBeGreaterThan(0);
        for (let k = 0; k < 3; k++) expect(Math.abs(there[k] - along * Y[3 * k + 2])).toBeLessThan(2 * plan.deviation);
      }
  });
});

describe('createGroupSearch', () => {
  const stands: Record<string, object> = {
    constraints: { goal: { joint_1: 1.6, joint_4: -1.5 }, constraints: down },
    retreat: { goal: { joint_1: 1, joint_2: -0.8 }, retreat: { frame: 'tool', by: [0, 0, 0.03] } },
  };

  it.each(Object.keys(stands))('with %s is the same in one go and step by step', (name) => {
    const { scene, robot } = createArm();
    addObject(scene, { name: 'post', shape: { type: 'sphere', radius: 0.06 }, pose: [-0.25, 0.25, 0.6, 0, 0, 0, 1] });
    const request = { group: 'arm', start: 'ready', ...stands[name], timed: { acceleration: 3 } };
    const search = createGroupSearch(scene, robot, request as Parameters<typeof createGroupSearch>[2]);
    if (!search.done) expect(search.result()).toMatchObject({ path: [], status: 'timeout' });
    for (let n = 0; n < 2000 && !search.step(1); n++);
    const plan = planGroup(scene, robot, request as Parameters<typeof planGroup>[2]);
    expect(plan.status, plan.reason).toBe('solved');
    expect(search.result().path).toEqual(plan.path);
    expect(search.result().motion!.trajectory!.duration).toBe(plan.motion!.trajectory!.duration);
    expect(search.result()).toBe(search.result());
    expect(search.result().certified).toBe(true);
  });
});
