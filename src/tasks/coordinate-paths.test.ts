import { afterEach, describe, expect, it } from 'vitest';
import { addUrdf, planarArm } from '../../test/scene-fixtures.js';
import { isSceneFree } from '../scene/queries/check.js';
import { setConfiguration } from '../scene/robot.js';
import { addObject, createScene, disposeScene } from '../scene/scene.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { type CoordinatedMotion, coordinatePaths } from './coordinate-paths.js';

const scenes: Scene[] = [];
afterEach(() => {
  for (const scene of scenes.splice(0)) disposeScene(scene);
});

/** Arms of a base and two links of 0.5 m each, so far apart on x; every other one looks back. */
function createArms(count: number, apart: number): { scene: Scene; robots: SceneRobot[] } {
  const scene = createScene();
  scenes.push(scene);
  const robots = Array.from({ length: count }, (_, i) =>
    addUrdf(scene, planarArm(`arm${i}`, 3, 0.5), {
      name: `arm${i}`,
      placement: i % 2 === 0 ? [i * apart, 0, 0, 0, 0, 0, 1] : [i * apart, 0, 0, 0, 0, 1, 0],
    }),
  );
  return { scene, robots };
}

function stateAt({ times, path }: CoordinatedMotion, time: number): Float64Array {
  let k = 0;
  while (k < times.length - 2 && times[k + 1] <= time) k++;
  if (path.length === 1 || time >= times[times.length - 1]) return path[path.length - 1];
  const t = (time - times[k]) / (times[k + 1] - times[k]);
  return path[k].map((x, i) => x + t * (path[k + 1][i] - x));
}

function countContacts(scene: Scene, robots: readonly SceneRobot[], motions: readonly CoordinatedMotion[]): number {
  const end = Math.max(...motions.map(({ times }) => times[times.length - 1]));
  let contacts = 0;
  for (let i = 0; i <= 1000; i++) {
    for (const [r, motion] of motions.entries()) setConfiguration(robots[r], stateAt(motion, (end * i) / 1000));
    if (!isSceneFree(scene)) contacts++;
  }
  return contacts;
}

describe('coordinatePaths', () => {
  /** From the left to the right of where it looks. */
  const swing = [
    [0.9, 0],
    [-0.9, 0],
  ];

  it('lets them wait until the other is through, and nothing touches at any time', () => {
    const { scene, robots } = createArms(2, 2.6);
    for (const robot of robots) setConfiguration(robot, swing[0]);
    const together = robots.map((robot) => ({ robot, path: swing, times: [0, 2] }));
    const found = coordinatePaths(scene, together, { tick: 0.05 });
    expect(found).toMatchObject({ status: 'solved', isShortest: true, complete: true });
    expect(found.makespan).toBeGreaterThan(2);
    expect(found.motions.some(({ waits }) => waits > 0)).toBe(true);
    expect(found.makespan).toBeLessThanOrEqual(Math.min(...found.orders.map(({ makespan }) => makespan)));
    for (const { path, times } of found.motions) {
      expect([...path[0]]).toEqual(swing[0]);
      expect([...path[path.length - 1]]).toEqual(swing[1]);
      for (let k = 1; k < times.length; k++) expect(times[k]).toBeGreaterThan(times[k - 1]);
    }
    expect([...robots[0].q]).toEqual(swing[0]);
    expect(countContacts(scene, robots, found.motions)).toBe(0);
    // At once they meet.
    const atOnce = robots.map(() => ({ times: [0, 2], path: swing.map((q) => Float64Array.from(q)), waits: 0 }));
    expect(countContacts(scene, robots, atOnce)).toBeGreaterThan(0);
  });

  it('does not wait where nobody is in the way', () => {
    const { scene, robots } = createArms(3, 4);
    const found = coordinatePaths(
      scene,
      robots.map((robot) => ({ robot, path: swing, times: [0, 1] })),
      { tick: 0.1 },
    );
    expect(found).toMatchObject({ status: 'solved', makespan: 1 });
    expect(found.motions.every(({ waits }) => waits === 0)).toBe(true);
  });

  it('proves that two cannot pass each other', () => {
    // Each ends where the other one begins.
    const { scene, robots } = createArms(2, 2.2);
    for (const robot of robots) setConfiguration(robot, swing[0]);
    const found = coordinatePaths(
      scene,
      robots.map((robot) => ({ robot, path: swing })),
    );
    expect(found.status).toBe('impossible');
    expect(found.motions).toEqual([]);
  });

  it('names what is in the way of a path by itself', () => {
    const { scene, robots } = createArms(1, 1);
    addObject(scene, { name: 'post', shape: { type: 'sphere', radius: 0.05 }, pose: [1.4, 0, 0, 0, 0, 0, 1] });
    const found = coordinatePaths(scene, [{ robot: robots[0], path: swing }]);
    expect(found.status).toBe('blocked');
    expect(found.reason).toMatch(/the path of "arm0" by itself: .*link.*post.* at waypoint 0\.\d+/);
  });

  it('refuses what means nothing', () => {
    const { scene, robots } = createArms(1, 1);
    const one = { robot: robots[0], path: swing };
    expect(() => coordinatePaths(scene, [one, one])).toThrow(/paths, got "one robot twice"/);
    expect(() => coordinatePaths(scene, [{ ...one, times: [0, -1] }])).toThrow(/times, got/);
    expect(() => coordinatePaths(scene, [one], { tick: 0 })).toThrow(/tick, got 0/);
  });
});
