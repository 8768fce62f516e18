/**
 * Starts that are up to 5 mm in contact: how far they are moved against the least joint motion that dense search finds. All twenty behind ORACLE_FULL.
 */
import { expect, it } from 'vitest';
import { createRandom, type Random } from '../../src/math/random.js';
import { checkScene, isSceneFree } from '../../src/scene/queries/check.js';
import { setConfiguration } from '../../src/scene/robot.js';
import { addObject, createScene, disposeScene } from '../../src/scene/scene.js';
import type { Scene, SceneRobot } from '../../src/scene/types.js';
import { planGroup } from '../../src/tasks/plan-group.js';
import { addUrdf, planarArm } from '../scene-fixtures.js';

const COUNT = process.env.ORACLE_FULL ? 20 : 3;
const DIRECTIONS = 1200;
const DEEPEST = 0.005;

function createCase(random: Random): { scene: Scene; robot: SceneRobot } {
  const scene = createScene();
  const robot = addUrdf(scene, planarArm('arm', 4, 0.3));
  for (let i = 0; i < 3; i++) {
    const [angle, away] = [random.uniform(-3, 3), random.uniform(0.5, 1)];
    const shape = { type: 'box', size: [random.uniform(0.1, 0.3), random.uniform(0.1, 0.3), 0.4] } as const;
    addObject(scene, {
      name: `box ${i}`,
      shape,
      pose: [away * Math.cos(angle), away * Math.sin(angle), 0, 0, 0, 0, 1],
    });
  }
  return { scene, robot };
}

/** A configuration that is in contact by at most so much, found where a motion enters. */
function findTouching(scene: Scene, robot: SceneRobot, random: Random): Float64Array | null {
  for (let tries = 0; tries < 4000; tries++) {
    const q = Float64Array.from({ length: 3 }, () => random.uniform(-2.5, 2.5));
    setConfiguration(robot, q);
    const { contacts } = checkScene(scene, { all: true });
    if (contacts.length > 0 && contacts.every(({ depth }) => depth! > 0.0005 && depth! <= DEEPEST)) return q;
  }
  return null;
}

/** The nearest free state along many directions, by steps of a three-hundredth of the bound. */
function leastMotion(scene: Scene, robot: SceneRobot, start: Float64Array, bound: number): number {
  const random = createRandom(11);
  const q = new Float64Array(3);
  let least = bound;
  for (let i = 0; i < DIRECTIONS; i++) {
    const direction = Float64Array.from({ length: 3 }, () => random.normal());
    const length = Math.hypot(...direction);
    for (let t = bound / 300; t < least; t += bound / 300) {
      for (let k = 0; k < 3; k++) q[k] = start[k] + (t * direction[k]) / length;
      setConfiguration(robot, q);
      if (!isSceneFree(scene)) continue;
      least = t;
      break;
    }
  }
  return least;
}

it('repairs with at most 1.5 times the least joint motion', () => {
  const random = createRandom(21);
  for (let n = 0; n < COUNT; ) {
    const { scene, robot } = createCase(random);
    const start = findTouching(scene, robot, random);
    if (start) {
      const plan = planGroup(scene, robot, { start, goal: start, repairStart: DEEPEST, maxIterations: 1 });
      expect(plan.repair, plan.reason).not.toBeNull();
      const { distance, leg } = plan.repair!;
      setConfiguration(robot, leg[1]);
      expect(isSceneFree(scene)).toBe(true);
      expect(distance).toBeLessThanOrEqual(1.5 * leastMotion(scene, robot, start, 2 * distance));
      n++;
    }
    disposeScene(scene);
  }
});
