/**
 * No path that is returned collides, however finely it is looked at: planned and shortened paths of the MotionBenchMaker problems.
 *
 * 1. Panda and UR5 with the benchmark's spheres: every path is checked at steps of 1/2000 by a brute force that shares no code
 *    with the checker.
 * 2. The same with a checker that knows states only: what the shortcuts say is verified holds at their finest step.
 * 3. Panda with its own meshes: every path is checked at steps of 1/500 state by state, and by casts along its motions.
 * 4. Panda among a wall and a table, the path rounded and timed: free at every time and every 5 ms.
 *
 * Some problems of each family by default; all of them: `ORACLE_FULL=1 npx vitest run test/oracle/planning-certified.test.ts`.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { buildModel } from '../../src/model/build-model.js';
import { loadRobot } from '../../src/node/load-robot.js';
import { createConfigurationSpace } from '../../src/planning/configuration-space.js';
import { createSampledMotion } from '../../src/planning/motion.js';
import { densifyPath } from '../../src/planning/path.js';
import { planRrtConnect } from '../../src/planning/rrt-connect.js';
import { shortcutPath } from '../../src/planning/shortcut.js';
import type { StateSpace } from '../../src/planning/types.js';
import { createRobotCaster } from '../../src/scene/motion/cast-robot.js';
import { createSceneChecker } from '../../src/scene/motion/validity.js';
import { isSceneFree } from '../../src/scene/queries/check.js';
import { addRobot, setConfiguration } from '../../src/scene/robot.js';
import { addObject, createScene, disposeScene } from '../../src/scene/scene.js';
import type { Scene } from '../../src/scene/types.js';
import { createLimits } from '../../src/trajectory/limits.js';
import { checkTrajectory, createPathInScene } from '../../src/trajectory/path-in-scene.js';
import { parameterizeTimeOptimal } from '../../src/trajectory/time-optimal.js';
import { createTrajectoryPoint, sampleTimes } from '../../src/trajectory/trajectory.js';
import { needsShared, sharedPath } from '../shared.js';
import {
  createBruteForceChecker,
  type ProblemFile,
  SphereChecker,
  type SphereProblem,
  type SphereRobot,
} from './sphere-robot.js';
import { addObstacles, addSphereRobot } from './sphere-scene.js';

const folder = sharedPath('oracles', 'planning');
const full = Boolean(process.env.ORACLE_FULL);

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8')) as T;
}

/** Every n-th problem of each family. */
function someProblems(file: ProblemFile, every: number): [string, SphereProblem][] {
  return Object.entries(file.problems).flatMap(([family, list]) =>
    list.filter((_, i) => full || i % every === 0).map((problem): [string, SphereProblem] => [family, problem]),
  );
}

function isPathFree(
  space: StateSpace,
  path: readonly Float64Array[],
  step: number,
  isFree: (q: Float64Array) => boolean,
): boolean {
  return densifyPath(space, path, step).every(isFree);
}

const problemOf = ({ start, goals }: SphereProblem) => ({
  start: Float64Array.from(start),
  goals: goals.map((goal) => Float64Array.from(goal)),
  maxIterations: 20_000,
  seed: 1,
});

describe.skipIf(!folder)(`paths of spheres among obstacles${needsShared('oracles', 'planning')}`, () => {
  test.each(['panda', 'ur5'])(
    '%s in a scene: planned and shortened, grown by whole motions and by states',
    (name) => {
      const robot = readJson<SphereRobot>(`${name}_robot`);
      const found: Record<string, number> = {};
      const colliding: string[] = [];
      for (const [family, problem] of someProblems(readJson<ProblemFile>(name), 50)) {
        const isFree = createBruteForceChecker(robot, problem.obstacles);
        const scene = createScene();
        const placed = addSphereRobot(scene, robot);
        addObstacles(scene, problem.obstacles);
        const space = createConfigurationSpace(placed.model);
        const checker = createSceneChecker(scene, placed);
        for (const motion of full ? [undefined, createSampledMotion(space, checker, 1 / 32)] : [undefined]) {
          const result = planRrtConnect({ space, checker, motion, ...problemOf(problem) });
          found[result.status] = (found[result.status] ?? 0) + 1;
          if (result.status !== 'solved') continue;
          const short = shortcutPath({ space, checker, motion, path: result.path });
          expect(short.verified).toBe(true);
          for (const path of [result.path, short.path])
            if (!isPathFree(space, path, 1 / 2000, isFree)) colliding.push(`${name} ${family} ${problem.index}`);
        }
        disposeScene(scene);
      }
      if (full) console.log(name, found);
      expect(colliding).toEqual([]);
      expect(found.solved).toBeGreaterThan(full ? 600 : 5);
    },
    3_600_000,
  );

  test('a checker of states alone: shortcuts are checked as finely as they say', () => {
    const robot = readJson<SphereRobot>('panda_robot');
    let [paths, planned, shortened] = [0, 0, 0];
    for (const [family, problem] of someProblems(readJson<ProblemFile>('panda'), 50)) {
      const checker = new SphereChecker(robot, problem.obstacles);
      const isFree = createBruteForceChecker(robot, problem.obstacles);
      const scene = createScene();
      const space = createConfigurationSpace(addSphereRobot(scene, robot).model);
      const result = planRrtConnect({ space, checker, ...problemOf(problem) });
      if (result.status === 'solved') {
        const short = shortcutPath({ space, checker, path: result.path });
        paths++;
        if (!isPathFree(space, result.path, 1 / 2000, isFree)) planned++;
        const isShortFree = isPathFree(space, short.path, 1 / 2000, isFree);
        if (!isShortFree) shortened++;
        if (short.verified)
          for (let i = 1; i < short.path.length; i++)
            expect(
              isPathFree(space, short.path.slice(i - 1, i + 1), 1 / 512, isFree),
              `${family} ${problem.index}`,
            ).toBe(true);
      }
      disposeScene(scene);
    }
    if (full)
      console.log(`states alone, of ${paths}: ${planned} planned and ${shortened} shortened paths touch between them`);
    expect(paths).toBeGreaterThan(full ? 250 : 5);
    // No promise at all, but few: what is not certified can touch between its states.
    expect(shortened).toBeLessThanOrEqual(0.01 * paths + 1);
  }, 3_600_000);
});

const robots = sharedPath('data', 'robots', 'panda');

describe.skipIf(!folder || !robots)(
  `paths of the Panda with its meshes${needsShared('data', 'robots', 'panda')}`,
  () => {
    const load = async () => {
      const description = `${robots}/panda_description`;
      const { value } = await loadRobot(`${description}/urdf/panda.urdf`, {
        srdf: `${robots}/panda_moveit_config/config/panda.srdf`,
        packages: { panda_description: description, moveit_resources_panda_description: description },
      });
      return { files: value!, model: buildModel(value!.description.model).model };
    };
    const place = (scene: Scene, { files, model }: Awaited<ReturnType<typeof load>>, finger: number) => {
      const robot = addRobot(scene, { model, ...files });
      const rest = Float64Array.from(robot.q);
      const indices: number[] = [];
      for (let j = 1; j < model.jointCount; j++) {
        if (model.nqs[j] === 0) continue;
        if (model.jointNames[j].includes('finger')) rest[model.idxQ[j]] = finger;
        else indices.push(model.idxQ[j]);
      }
      const widen = (q: Float64Array): Float64Array => {
        const out = Float64Array.from(rest);
        indices.forEach((index, k) => {
          out[index] = q[k];
        });
        return out;
      };
      return { robot, rest, indices, widen };
    };

    test('planned and shortened: no state and no cast finds a contact', async () => {
      const panda = await load();
      const file = readJson<ProblemFile>('panda');
      const problems = someProblems(file, 50);
      // The one whose shortened path once touched between its states.
      const boxes = file.problems.box.filter(({ index }) => index === 36);
      for (const problem of boxes) problems.push(['box', problem]);
      let solved = 0;
      const colliding: string[] = [];
      for (const [family, problem] of problems) {
        const scene = createScene();
        const { robot, rest, indices, widen } = place(scene, panda, 0.04);
        addObstacles(scene, problem.obstacles);
        const space = createConfigurationSpace(robot.model, { indices });
        const checker = createSceneChecker(scene, robot, { indices, rest });
        const result = planRrtConnect({ space, checker, ...problemOf(problem) });
        if (result.status === 'solved') {
          solved++;
          const short = shortcutPath({ space, checker, path: result.path });
          const caster = createRobotCaster(scene, robot);
          for (const path of [result.path, short.path]) {
            const isFree = isPathFree(space, path, 1 / 500, checker.isValid);
            const hits = path.slice(1).filter((q, i) => caster.cast(widen(path[i]), widen(q)).hit);
            if (!isFree || hits.length > 0) colliding.push(`${family} ${problem.index}`);
          }
        }
        disposeScene(scene);
      }
      expect(colliding).toEqual([]);
      expect(solved).toBeGreaterThan(full ? 250 : 5);
    }, 3_600_000);

    test('among a wall and a table, rounded and timed: free at every time', async () => {
      const panda = await load();
      const scene = createScene();
      const { robot, rest, indices, widen } = place(scene, panda, 0.02);
      addObject(scene, {
        name: 'wall',
        shape: { type: 'box', size: [0.5, 0.04, 0.7] },
        pose: [0.55, 0, 0.37, 0, 0, 0, 1],
      });
      addObject(scene, {
        name: 'table',
        shape: { type: 'box', size: [1.6, 1.6, 0.04] },
        pose: [0, 0, -0.03, 0, 0, 0, 1],
      });
      robot.allowed.allow({ a: 'panda_link0', b: 'table', reason: 'user' });
      const space = createConfigurationSpace(robot.model, { indices });
      const checker = createSceneChecker(scene, robot, { indices, rest });
      const start = Float64Array.of(0.6, 0.4, 0, -2, 0, 2.4, 0.785);
      const goal = Float64Array.of(-0.6, 0.4, 0, -2, 0, 2.4, 0.785);
      expect(checker.explain(start) + checker.explain(goal)).toBe('');
      const rough: number[] = [];
      for (let seed = 1; seed <= (full ? 10 : 3); seed++) {
        const found = planRrtConnect({ space, checker, start, goals: [goal], seed });
        expect(found.status).toBe('solved');
        const path = shortcutPath({ space, checker, path: found.path, seed }).path.map(widen);
        for (const corners of ['stop', 'blend', 'smooth', 'spline'] as const) {
          const made = createPathInScene(scene, robot, path, { corners, deviation: 0.2 });
          expect(made, `seed ${seed}, ${corners}: ${made.reason}`).toMatchObject({
            status: 'free',
            checked: 'certified',
          });
          rough.push(made.changes);
          const limits = createLimits(robot.model, { velocity: 1.5, acceleration: 3 });
          const { trajectory, reason } = parameterizeTimeOptimal(made.path, { limits, intervals: 200 });
          expect(reason).toBe('');
          expect(checkTrajectory(scene, robot, trajectory!)).toMatchObject({ status: 'free', checked: 'certified' });
          const point = createTrajectoryPoint(robot.model);
          for (const time of sampleTimes(trajectory!.duration, 0.005)) {
            trajectory!.evaluate(point, time);
            setConfiguration(robot, point.q);
            expect(isSceneFree(scene), `seed ${seed}, ${corners}, ${time} s`).toBe(true);
          }
        }
      }
      expect(rough.some((changes) => changes > 0)).toBe(true);
      disposeScene(scene);
    }, 3_600_000);
  },
);
