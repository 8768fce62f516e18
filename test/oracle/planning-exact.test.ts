/**
 * Panda with its own meshes on the problems of MotionBenchMaker, cylinders as cylinders, through `planGroup`: every problem whose start and goal
 * are free is solved, every path is certified, its certificate passes the verifier, and no state finds a contact where no point of
 * the robot moves by more than 0.1 mm between two.
 *
 * One problem of each family by default, looked at every millimetre; all of them and every 0.1 mm:
 * `ORACLE_FULL=1 npx vitest run --project oracle test/oracle/planning-exact.test.ts`.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { buildModel } from '../../src/model/build-model.js';
import { loadRobot } from '../../src/node/load-robot.js';
import { certifyPath } from '../../src/scene/motion/certify-path.js';
import { verifyPathCertificate } from '../../src/scene/motion/verify-path.js';
import { isSceneFree } from '../../src/scene/queries/check.js';
import { addRobot, setConfiguration } from '../../src/scene/robot.js';
import { createScene, disposeScene } from '../../src/scene/scene.js';
import type { Scene, SceneRobot } from '../../src/scene/types.js';
import { planGroup } from '../../src/tasks/plan-group.js';
import { needsShared, sharedPath } from '../shared.js';
import type { ProblemFile } from './sphere-robot.js';
import { addObstacles } from './sphere-scene.js';

const folder = sharedPath('oracles', 'planning');
const robots = sharedPath('data', 'robots', 'panda');
const full = Boolean(process.env.ORACLE_FULL);
/** Metres that a point may move between two states that are looked at. */
const STEP = full ? 1e-4 : 1e-3;
/** No point of the Panda is farther from any of its joints' axes. */
const REACH = 1.3;
const FINGERS = 0.04;

/** States at which the scene is not free, of those that are near enough to each other. */
function countContacts(scene: Scene, robot: SceneRobot, path: readonly Float64Array[]): number {
  const q = new Float64Array(robot.model.nq);
  let contacts = 0;
  for (let i = 1; i < path.length; i++) {
    const moved = path[i].reduce((sum, x, k) => sum + Math.abs(x - path[i - 1][k]), 0) * REACH;
    const n = Math.ceil(moved / STEP);
    for (let s = 0; s <= n; s++) {
      for (let k = 0; k < q.length; k++) q[k] = path[i - 1][k] + (s / n) * (path[i][k] - path[i - 1][k]);
      setConfiguration(robot, q);
      if (!isSceneFree(scene)) contacts++;
    }
  }
  return contacts;
}

describe.skipIf(!folder || !robots)(
  `Panda with its meshes among obstacles${needsShared('oracles', 'planning')}${needsShared('data', 'robots', 'panda')}`,
  () => {
    test('all that can be solved is, certified, confirmed by the verifier and by dense states', async () => {
      const description = `${robots}/panda_description`;
      const { value } = await loadRobot(`${description}/urdf/panda.urdf`, {
        srdf: `${robots}/panda_moveit_config/config/panda.srdf`,
        packages: { panda_description: description, moveit_resources_panda_description: description },
      });
      const { model } = buildModel(value!.description.model);
      const file = JSON.parse(readFileSync(`${folder}/panda.json`, 'utf8')) as ProblemFile;
      const counts = { problems: 0, invalid: 0, solved: 0, repaired: 0 };
      const wrong: string[] = [];
      for (const [family, list] of Object.entries(file.problems))
        for (const problem of full ? list : list.slice(0, 1)) {
          const scene = createScene();
          const robot = addRobot(scene, { model, ...value! });
          const rest = Float64Array.from(robot.q);
          for (let j = 1; j < model.jointCount; j++)
            if (model.jointNames[j].includes('finger')) rest[model.idxQ[j]] = FINGERS;
          setConfiguration(robot, rest);
          addObstacles(scene, problem.obstacles);
          const name = `${family} ${problem.index}`;
          counts.problems++;
          const ends = [problem.start, problem.goals[0]].map((state) => {
            setConfiguration(robot, [...state, FINGERS, FINGERS].slice(0, model.nq));
            return isSceneFree(scene);
          });
          setConfiguration(robot, rest);
          const [start, goal] = [[...problem.start], [...problem.goals[0]]];
          const plan = planGroup(scene, robot, { group: 'panda_arm', start, goal });
          if (!ends.every(Boolean)) {
            counts.invalid++;
            if (!plan.status.startsWith('invalid-')) wrong.push(`${name}: an end touches, ${plan.status}`);
          } else if (plan.status !== 'solved' || !plan.certified) wrong.push(`${name}: ${plan.status}, ${plan.reason}`);
          else {
            counts.solved++;
            if (plan.repairs > 0) counts.repaired++;
            const { status, certificate } = certifyPath(scene, robot, plan.path, { tolerance: 1e-7 });
            if (status !== 'free' || !verifyPathCertificate(scene, robot, plan.path, certificate!).isProven)
              wrong.push(`${name}: ${status}, or not proven`);
            const contacts = countContacts(scene, robot, plan.path);
            if (contacts > 0) wrong.push(`${name}: ${contacts} states touch`);
          }
          disposeScene(scene);
        }
      if (full) console.log(counts);
      expect(wrong).toEqual([]);
      expect(counts.solved).toBeGreaterThan(full ? 300 : 5);
    }, 7_200_000);
  },
);
