/** Whatever is asked of a scene, its robots stay where they were put, and every other answer stays the same. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/math/random.js';
import { randomConfiguration } from '../../src/model/configuration.js';
import { createConfigurationSpace } from '../../src/planning/configuration-space.js';
import { planRrtConnect } from '../../src/planning/rrt-connect.js';
import { shortcutPath } from '../../src/planning/shortcut.js';
import { attachObject } from '../../src/scene/attach.js';
import { castRobot, createRobotCaster } from '../../src/scene/motion/cast-robot.js';
import { certifyCurve } from '../../src/scene/motion/certify-curve.js';
import { createSceneMotionChecker } from '../../src/scene/motion/motion-checker.js';
import { createSceneChecker } from '../../src/scene/motion/validity.js';
import { checkScene, isSceneFree, nearestPair, pairsWithin } from '../../src/scene/queries/check.js';
import { createMonitor } from '../../src/scene/queries/monitor.js';
import { sampleAllowedPairs } from '../../src/scene/queries/sample-allowed.js';
import { robotFramePlacement, setConfiguration } from '../../src/scene/robot.js';
import { addObject, createScene, disposeScene } from '../../src/scene/scene.js';
import { runSceneJob } from '../../src/scene/transfer/batch.js';
import { packScene } from '../../src/scene/transfer/pack-scene.js';
import { objectPlacement, saveScene } from '../../src/scene/transfer/snapshot.js';
import type { Scene, SceneRobot } from '../../src/scene/types.js';
import { addUrdf, planarArm } from '../scene-fixtures.js';

/** Everything an onlooker sees. */
function look(scene: Scene): unknown {
  return {
    free: isSceneFree(scene),
    check: checkScene(scene, { all: true }),
    nearest: nearestPair(scene),
    near: pairsWithin(scene, { margin: 0.3 }),
    robots: scene.robots.map((robot) => ({
      q: [...robot.q],
      frames: robot.model.frames.map(({ name }) => [...robotFramePlacement(new Float64Array(12), robot, name)]),
      bodies: robot.links.map(({ body }) => [...body.worldPlacement, ...body.box]),
    })),
    objects: [...scene.objects.values()].map((object) => [...objectPlacement(object)]),
  };
}

function build(random: ReturnType<typeof createRandom>) {
  const scene = createScene();
  const robot = addUrdf(scene, planarArm('arm', 4, 0.3), { name: 'arm' });
  const other = addUrdf(scene, planarArm('arm', 3, 0.3), { name: 'other', placement: [1.5, 0.3, 0, 0, 0, 1, 0] });
  for (let i = 0; i < 4; i++) {
    const pose = [random.uniform(-1, 1), random.uniform(-1, 1), 0, 0, 0, 0, 1] as const;
    addObject(scene, { name: `ball ${i}`, shape: { type: 'sphere', radius: 0.08 }, pose });
  }
  const held = addObject(scene, { name: 'held', shape: { type: 'box', size: [0.05, 0.05, 0.05] } });
  const placement = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0.3, 0, 0);
  attachObject(scene, held, { robot, link: 'link3', placement });
  return { scene, robot, other };
}

type Query = (scene: Scene, robot: SceneRobot, a: Float64Array, b: Float64Array) => unknown;

const queries: Record<string, Query> = {
  'validity checker': (scene, robot, a) => createSceneChecker(scene, robot).isValid(a),
  'validity checker, explanation': (scene, robot, a) => createSceneChecker(scene, robot).explain(a),
  'validity checker, motion': (scene, robot, a, b) => createSceneChecker(scene, robot).motion.isMotionValid(a, b),
  'motion checker': (scene, robot, a, b) => createSceneMotionChecker(scene, robot).isMotionValid(a, b),
  cast: (scene, robot, a, b) => castRobot(scene, robot, a, b),
  'cast that reaches its limit': (scene, robot, a, b) =>
    createRobotCaster(scene, robot, { maxIterations: 1 }).cast(a, b),
  curve: (scene, robot, a, b) =>
    certifyCurve(scene, robot, {
      duration: 1,
      evaluate: ({ q }, t) => q.set(a.map((start, i) => start + t * t * (b[i] - start))),
      speedBound: (out, _from, to) => out.set(a.map((start, i) => 2 * to * Math.abs(b[i] - start))),
    }),
  'plan and shortcuts': (scene, robot, a, b) => {
    const space = createConfigurationSpace(robot.model);
    const checker = createSceneChecker(scene, robot);
    const found = planRrtConnect({ space, checker, start: a, goals: [b], maxIterations: 60 });
    return shortcutPath({ space, checker, path: found.path });
  },
  'allowed pairs': (_scene, robot) => sampleAllowedPairs(robot, { samples: 40 }),
  'batch of checks': (scene, robot, a) => runSceneJob(scene, robot, { kind: 'free', margin: 0 }, a),
  'batch of motions': (scene, robot, a, b) =>
    runSceneJob(scene, robot, { kind: 'motion', margin: 0, tolerance: 1e-4 }, Float64Array.of(...a, ...b)),
  monitor: (scene) => createMonitor(scene, { distance: 0.2 }).update(),
  'packed copy': (scene) => packScene(scene).version,
  snapshot: (scene) => saveScene(scene).robots.length,
  'refused state': (scene, robot) =>
    expect(() => createSceneChecker(scene, robot).isValid(new Float64Array(3).fill(Number.NaN))).toThrow(/got NaN/),
  'refused motion': (scene, robot, a) =>
    expect(() =>
      createSceneMotionChecker(scene, robot).isMotionValid(
        a,
        a.map(() => Infinity),
      ),
    ).toThrow(/Infinity/),
  'refused edge': (scene, robot, a) => expect(() => castRobot(scene, robot, a, [1])).toThrow(/to, got 1 numbers/),
};

describe('queries leave robots and answers as they were', () => {
  it.each(Object.keys(queries))('%s', (name) => {
    const random = createRandom(17);
    for (let round = 0; round < 6; round++) {
      const { scene, robot, other } = build(random);
      const draw = (which: SceneRobot) => randomConfiguration(new Float64Array(which.model.nq), which.model, random);
      setConfiguration(robot, draw(robot));
      setConfiguration(other, draw(other));
      const before = look(scene);
      queries[name](scene, robot, draw(robot), draw(robot));
      expect([...robot.q]).toEqual((before as { robots: { q: number[] }[] }).robots[0].q);
      expect(look(scene), `seed 17, round ${round}`).toEqual(before);
      disposeScene(scene);
    }
  });
});
