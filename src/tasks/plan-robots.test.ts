import { afterEach, describe, expect, it } from 'vitest';
import { addUrdf, planarArm } from '../../test/scene-fixtures.js';
import { isSceneFree } from '../scene/queries/check.js';
import { setConfiguration } from '../scene/robot.js';
import { createScene, disposeScene } from '../scene/scene.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import type { CoordinatedMotion } from './coordinate-paths.js';
import { planRobots } from './plan-robots.js';

const scenes: Scene[] = [];
afterEach(() => {
  for (const scene of scenes.splice(0)) disposeScene(scene);
});

/** Arms of three links of 0.3 m, side by side. */
function createArms(count: number, apart: number): { scene: Scene; robots: SceneRobot[] } {
  const scene = createScene();
  scenes.push(scene);
  const robots = Array.from({ length: count }, (_, i) =>
    addUrdf(scene, planarArm(`arm${i}`, 3, 0.3), { name: `arm${i}`, placement: [0, i * apart, 0, 0, 0, 0, 1] }),
  );
  return { scene, robots };
}

function expectFree(
  scene: Scene,
  robots: readonly SceneRobot[],
  motions: readonly CoordinatedMotion[],
  makespan: number,
): void {
  const before = robots.map(({ q }) => q.slice());
  const states = robots.map(({ model }) => new Float64Array(model.nq));
  for (let n = 0; n <= 500; n++) {
    const time = (makespan * n) / 500;
    for (const [r, { times, path }] of motions.entries()) {
      let k = 0;
      while (k < times.length - 2 && times[k + 1] <= time) k++;
      const t = path.length === 1 ? 0 : Math.min(1, (time - times[k]) / (times[k + 1] - times[k]));
      for (let c = 0; c < states[r].length; c++)
        states[r][c] = path[k][c] + t * ((path[k + 1] ?? path[k])[c] - path[k][c]);
      setConfiguration(robots[r], states[r]);
    }
    expect(isSceneFree(scene)).toBe(true);
  }
  for (const [r, robot] of robots.entries()) setConfiguration(robot, before[r]);
}

describe('planRobots', () => {
  it('brings arms past each other, free at every time', () => {
    const { scene, robots } = createArms(3, 0.7);
    for (const robot of robots) setConfiguration(robot, [-1.2, 0.2]);
    const shown = robots.map(({ q }) => q.slice());
    const plan = planRobots(
      scene,
      robots.map((robot, i) => ({ robot, goal: i === 1 ? [-2.4, 0.4] : [1.2, -0.2] })),
      { seed: 3 },
    );
    expect(plan.status, plan.reason).toBe('solved');
    expect(plan.motions.length).toBe(3);
    const states = robots.map(({ model }) => new Float64Array(model.nq));
    for (let n = 0; n <= 300; n++) {
      const time = (plan.makespan * n) / 300;
      for (const [r, { times, path }] of plan.motions.entries()) {
        let k = 0;
        while (k < times.length - 2 && times[k + 1] <= time) k++;
        const t = path.length === 1 ? 0 : Math.min(1, (time - times[k]) / (times[k + 1] - times[k]));
        for (let c = 0; c < states[r].length; c++)
          states[r][c] = path[k][c] + t * ((path[k + 1] ?? path[k])[c] - path[k][c]);
        setConfiguration(robots[r], states[r]);
      }
      expect(isSceneFree(scene)).toBe(true);
    }
    for (const [r, robot] of robots.entries()) setConfiguration(robot, shown[r]);
  });

  it('names a robot that has no path by itself, and refuses what means nothing', () => {
    const { scene, robots } = createArms(2, 2);
    const before = robots.map(({ placement }) => [...placement]);
    const plan = planRobots(scene, [
      { robot: robots[0], goal: [1, 0] },
      { robot: robots[1], goal: [9, 0] },
    ]);
    expect(plan).toMatchObject({ status: 'no-path', motions: [], paths: [] });
    expect(plan.reason).toMatch(/^"arm1" by itself: invalid-goal/);
    expect(robots.map(({ placement }) => [...placement])).toEqual(before);
    const one = { robot: robots[0], goal: [1, 0] };
    expect(() => planRobots(scene, [one, one])).toThrow(/goals, got "one robot twice"/);
    expect(() => planRobots(scene, [one], { attempts: 0 })).toThrow(/attempts, got 0/);
  });

  it.each(['coordinated', 'prioritised', 'together'] as const)(
    '%s: free at every time, from the starts to the goals',
    (method) => {
      const { scene, robots } = createArms(3, 0.7);
      const from = [-1.2, 0.2];
      const to = [1.2, -0.2];
      for (const robot of robots) setConfiguration(robot, from);
      const plan = planRobots(
        scene,
        robots.map((robot) => ({ robot, goal: to })),
        { seed: 2, method },
      );
      expect(plan.status, plan.reason).toBe('solved');
      expectFree(scene, robots, plan.motions, plan.makespan);
      for (const { times, path } of plan.motions) {
        expect([...path[0]]).toEqual(from);
        expect([...path[path.length - 1]]).toEqual(to);
        // No joint is faster than its limit, which is 1.
        for (let k = 1; k < times.length; k++)
          for (let c = 0; c < 2; c++)
            expect(Math.abs(path[k][c] - path[k - 1][c])).toBeLessThanOrEqual((times[k] - times[k - 1]) * (1 + 1e-9));
      }
      for (const { q } of robots) expect([...q]).toEqual(from);
    },
  );

  it.each(['prioritised', 'together'] as const)(
    '%s: comes past one that stands in its way, which is then where it shall be',
    (method) => {
      // The second stands in the way of the first, and is to be there again.
      const scene = createScene();
      scenes.push(scene);
      const robots = [0, 1].map((i) =>
        addUrdf(scene, planarArm(`arm${i}`, 3, 0.3), {
          name: `arm${i}`,
          placement: i === 0 ? [0, 0, 0, 0, 0, 0, 1] : [1.4, 0, 0, 0, 0, 1, 0],
        }),
      );
      setConfiguration(robots[0], [1, 0]);
      setConfiguration(robots[1], [0, 0]);
      const goals = [
        { robot: robots[0], goal: [-1, 0] },
        { robot: robots[1], goal: [0.02, 0] },
      ];
      const plan = planRobots(scene, goals, { seed: 4, method, attempts: 10 });
      expect(plan.status, plan.reason).toBe('solved');
      expectFree(scene, robots, plan.motions, plan.makespan);
    },
  );
});
