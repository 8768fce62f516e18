import { afterEach, describe, expect, it } from 'vitest';
import { addUrdf, planarArm } from '../../test/scene-fixtures.js';
import { certifyPath } from '../scene/motion/certify-path.js';
import { robotFramePlacement, setConfiguration } from '../scene/robot.js';
import { addObject, createScene, disposeScene } from '../scene/scene.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { planConstrained } from './constrained-plan.js';

const scenes: Scene[] = [];
afterEach(() => {
  for (const scene of scenes.splice(0)) disposeScene(scene);
});

/** Four links in the plane of x and y, and a post beside the line that the tip goes along. */
function createArm(): { scene: Scene; robot: SceneRobot } {
  const scene = createScene();
  scenes.push(scene);
  const robot = addUrdf(scene, planarArm('arm', 5, 0.3));
  addObject(scene, { name: 'post', shape: { type: 'sphere', radius: 0.05 }, pose: [0.1, 1.1, 0, 0, 0, 0, 1] });
  return { scene, robot };
}

const tipOf = (robot: SceneRobot, q: ArrayLike<number>): Float64Array => {
  setConfiguration(robot, q);
  return robotFramePlacement(new Float64Array(12), robot, 'link4');
};

describe('planConstrained', () => {
  const start = [0.9, 0.3, -0.9, -0.5];
  const goal = [2.0, 0.2, -0.4, -0.6];

  it('keeps an orientation between states to what it says, and is free at every time', () => {
    const { scene, robot } = createArm();
    const shown = [...robot.q];
    const constraints = [{ type: 'orientation', frame: 'link4' }] as const;
    const request = { start, goal, constraints, projectEnds: true, deviation: 1e-5 };
    const plan = planConstrained(scene, robot, request);
    expect(plan).toMatchObject({ status: 'solved', certified: true, complete: true });
    expect([...robot.q]).toEqual(shown);
    expect([...plan.path[0]]).toEqual(start);
    expect(plan.assumed.join()).toMatch(/the goal was off the constraints by .* and is moved onto them/);
    expect(plan.deviation).toBeLessThanOrEqual(1e-5);
    const held = tipOf(robot, start).slice(0, 9);
    let worst = 0;
    for (let i = 1; i < plan.path.length; i++)
      for (let t = 0; t <= 1; t += 0.1) {
        const q = plan.path[i].map((x, k) => plan.path[i - 1][k] + t * (x - plan.path[i - 1][k]));
        const R = tipOf(robot, q);
        worst = Math.max(worst, Math.abs(Math.atan2(held[0] * R[3] - held[3] * R[0], held[0] * R[0] + held[3] * R[3])));
      }
    expect(worst).toBeLessThanOrEqual(plan.deviation + 1e-9);
    expect(certifyPath(scene, robot, plan.path, { tolerance: 1e-7 }).status).toBe('free');
    expect(planConstrained(scene, robot, request).path).toEqual(plan.path);
  });

  it('names ends that are off the constraints', () => {
    const { scene, robot } = createArm();
    const constraints = [{ type: 'plane', frame: 'link4', normal: [0, 1, 0], through: [0, 0.5, 0] }] as const;
    const far = planConstrained(scene, robot, { start, goal, constraints });
    expect(far.status).toBe('invalid-start');
    expect(far.reason).toMatch(/off the constraint \(plane of "link4"\) by/);
    expect(far.path).toEqual([]);
    const held = planConstrained(scene, robot, { start, goal, constraints: [{ type: 'orientation', frame: 'link4' }] });
    expect(held.status).toBe('invalid-goal');
  });

  it('ends at its limits without a path', () => {
    const { scene, robot } = createArm();
    addObject(scene, { name: 'wall', shape: { type: 'box', size: [0.02, 3, 1] }, pose: [0.2, 1.9, 0, 0, 0, 0, 1] });
    const constraints = [{ type: 'orientation', frame: 'link4' }] as const;
    const request = { start, goal: [2.6, -0.4, -0.9, -0.3], constraints, projectEnds: true };
    const plan = planConstrained(scene, robot, { ...request, maxIterations: 20 });
    expect(['limit', 'invalid-goal']).toContain(plan.status);
    expect(plan.path).toEqual([]);
    let time = 0;
    const late = planConstrained(scene, robot, { ...request, timeoutMs: 5, clock: () => time++ });
    expect(['timeout', 'invalid-goal']).toContain(late.status);
  });

  it('refuses what means nothing', () => {
    const { scene, robot } = createArm();
    expect(() => planConstrained(scene, robot, { start, goal, constraints: [] })).toThrow(/constraints, got/);
  });
});
