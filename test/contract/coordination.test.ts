/**
 * Four arms at the corners of a square on random paths through its middle: who waits where. All four are then one robot on one path, whose certificate is
 * that of another proof (scene/motion/edge-motion.ts), checked by the verifier; and the schedule is compared with the best of 1,000 random priorities. A hundred
 * sets behind ORACLE_FULL.
 */
import { expect, it } from 'vitest';
import { createRandom, type Random } from '../../src/math/random.js';
import type { Pose } from '../../src/math/transform.js';
import { certifyPath } from '../../src/scene/motion/certify-path.js';
import { verifyPathCertificate } from '../../src/scene/motion/verify-path.js';
import { isSceneFree } from '../../src/scene/queries/check.js';
import { setConfiguration } from '../../src/scene/robot.js';
import { createScene, disposeScene } from '../../src/scene/scene.js';
import type { Scene, SceneRobot } from '../../src/scene/types.js';
import { type CoordinatedMotion, coordinatePaths } from '../../src/tasks/coordinate-paths.js';
import { addUrdf, planarArm } from '../scene-fixtures.js';

const SETS = process.env.ORACLE_FULL ? 100 : 3;
const PRIORITIES = 1000;
const ARMS = 4;
const JOINTS = 3;
const TICK = 0.1;
const SIDE = 1.8;
const arm = planarArm('arm', JOINTS + 1, 0.3);

/** Where an arm stands, and how it is turned: towards the middle. */
const corners = Array.from({ length: ARMS }, (_, i) => ({
  x: (i === 1 || i === 2 ? 0.5 : -0.5) * SIDE,
  y: (i >= 2 ? 0.5 : -0.5) * SIDE,
  yaw: Math.PI / 4 + (i * Math.PI) / 2,
}));

function createArms(): { scene: Scene; robots: SceneRobot[] } {
  const scene = createScene();
  const robots = corners.map(({ x, y, yaw }, i) => {
    const placement: Pose = [x, y, 0, 0, 0, Math.sin(yaw / 2), Math.cos(yaw / 2)];
    return addUrdf(scene, arm, { name: `arm${i}`, placement });
  });
  return { scene, robots };
}

/** The same as one robot. */
function createWhole(): { scene: Scene; robot: SceneRobot } {
  const scene = createScene();
  const parts = corners.map(({ x, y, yaw }, i) => {
    const own = arm.replace(/<\/?robot[^>]*>/g, '').replace(/(name|link)="(link|joint)/g, `$1="arm${i}_$2`);
    const base = `<joint name="base${i}" type="fixed"><parent link="world"/><child link="arm${i}_link0"/>`;
    return `${own}${base}<origin xyz="${x} ${y} 0" rpy="0 0 ${yaw}"/></joint>`;
  });
  return { scene, robot: addUrdf(scene, `<robot name="whole"><link name="world"/>${parts.join('')}</robot>`) };
}

function stateAt({ times, path }: CoordinatedMotion, time: number): Float64Array {
  let k = 0;
  while (k < times.length - 2 && times[k + 1] <= time) k++;
  if (path.length === 1 || time >= times[times.length - 1]) return path[path.length - 1];
  const t = (time - times[k]) / (times[k + 1] - times[k]);
  return path[k].map((x, c) => x + t * (path[k + 1][c] - x));
}

/** Three waypoints of each arm, free of itself; all starts together are free, and all goals. */
function drawPaths(scene: Scene, robots: readonly SceneRobot[], random: Random): number[][][] {
  const draw = (): number[][] => {
    for (;;) {
      const states = robots.map(() => Array.from({ length: JOINTS }, () => random.uniform(-1.2, 1.2)));
      for (const [r, robot] of robots.entries()) setConfiguration(robot, states[r]);
      if (isSceneFree(scene)) return states;
    }
  };
  const [starts, middles, goals] = [draw(), draw(), draw()];
  return robots.map((_, r) => [starts[r], middles[r], goals[r]]);
}

it('are free at every time, and hardly longer than the best of a thousand priorities', () => {
  const { scene, robots } = createArms();
  const whole = createWhole();
  const random = createRandom(17);
  let waited = 0;
  let without = 0;
  for (let done = 0; done < SETS; ) {
    const paths = drawPaths(scene, robots, random);
    const asked = robots.map((robot, r) => ({ robot, path: paths[r] }));
    const found = coordinatePaths(scene, asked, { tick: TICK });
    if (found.status !== 'solved') {
      // By itself, or a proof that there is none.
      expect(['blocked', 'impossible']).toContain(found.status);
      without++;
      continue;
    }
    done++;
    const times = [...new Set(found.motions.flatMap((motion) => [...motion.times]))].sort((a, b) => a - b);
    const path = times.map((time) => found.motions.flatMap((motion) => [...stateAt(motion, time)]));
    const { status, certificate } = certifyPath(whole.scene, whole.robot, path, { tolerance: 1e-7 });
    expect(status).toBe('free');
    expect(verifyPathCertificate(whole.scene, whole.robot, path, certificate!).isProven).toBe(true);
    const orders = new Map<string, number[]>();
    for (let i = 0; i < PRIORITIES; i++) {
      const order = [0, 1, 2, 3];
      for (let k = ARMS - 1; k > 0; k--) {
        const other = random.integer(k + 1);
        [order[k], order[other]] = [order[other], order[k]];
      }
      orders.set(order.join(), order);
    }
    const byPriority = coordinatePaths(scene, asked, { tick: TICK, orders: [...orders.values()], expansions: 0 });
    expect(found.makespan).toBeLessThanOrEqual(1.2 * byPriority.makespan);
    if (found.motions.some(({ waits }) => waits > 0)) waited++;
  }
  expect(waited).toBeGreaterThan(SETS / 10);
  expect(without).toBeLessThan(20 * SETS);
  disposeScene(scene);
  disposeScene(whole.scene);
});
