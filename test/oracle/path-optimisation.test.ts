/**
 * TrajOpt and CHOMP on the MotionBenchMaker problems of the Panda, from the straight path and at most seven bent ones, and on the problems of
 * TrajOpt's own tests: most are certified, and no certified path touches anything, by a brute force that shares no code with the scene, at
 * steps of 1/500.
 *
 * One problem of each family by default; all of them: `ORACLE_FULL=1 npx vitest run test/oracle/path-optimisation.test.ts`.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { optimisePath } from '../../src/control/paths/optimise-path.js';
import { loadRobot } from '../../src/node/load-robot.js';
import { createConfigurationSpace } from '../../src/planning/configuration-space.js';
import { densifyPath } from '../../src/planning/path.js';
import { verifyPathCertificate } from '../../src/scene/motion/verify-path.js';
import { createScene, disposeScene } from '../../src/scene/scene.js';
import { createCell } from '../../src/tasks/create-cell.js';
import { needsShared, sharedPath } from '../shared.js';
import { createBruteForceChecker, type ProblemFile, type SphereRobot } from './sphere-robot.js';
import { addObstacles, addSphereRobot } from './sphere-scene.js';

const folder = sharedPath('oracles', 'planning');
const full = Boolean(process.env.ORACLE_FULL);

describe.skipIf(!folder)(`the Panda as spheres among obstacles${needsShared('oracles', 'planning')}`, () => {
  test.each(['trajopt', 'chomp'] as const)(
    '%s',
    (method) => {
      const read = <T>(name: string): T => JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8')) as T;
      const robot = read<SphereRobot>('panda_robot');
      const found: Record<string, number> = {};
      const colliding: string[] = [];
      let solvable = 0;
      for (const [family, list] of Object.entries(read<ProblemFile>('panda').problems))
        for (const problem of list.filter((_, i) => full || i % 50 === 3)) {
          const { start, goals, obstacles, index } = problem;
          const scene = createScene();
          const placed = addSphereRobot(scene, robot);
          addObstacles(scene, obstacles);
          const answer = optimisePath(scene, placed, { method, start, goal: goals[0] });
          const { status, path, certificate } = answer;
          found[status] = (found[status] ?? 0) + 1;
          if (!status.startsWith('invalid')) solvable++;
          if (certificate) {
            expect(verifyPathCertificate(scene, placed, path, certificate).isProven).toBe(true);
            const isFree = createBruteForceChecker(robot, obstacles);
            const states = densifyPath(createConfigurationSpace(placed.model), [...path], 1 / (full ? 500 : 100));
            if (!states.every(isFree)) colliding.push(`${family} ${index}`);
          }
          disposeScene(scene);
        }
      if (full) console.log(method, found);
      expect(colliding).toEqual([]);
      expect(found.solved ?? 0).toBeGreaterThanOrEqual(0.85 * solvable);
      expect(solvable).toBeGreaterThan(5);
    },
    3_600_000,
  );
});

const cases = sharedPath('data', 'planning', 'trajopt_cases');

describe.skipIf(!cases)(`problems of TrajOpt's tests${needsShared('data', 'planning', 'trajopt_cases')}`, () => {
  const data = `${cases}/trajopt/test/data`;

  test.each(['trajopt', 'chomp'] as const)('%s: a box past a box', async (method) => {
    const { value } = await loadRobot(`${data}/boxbot.urdf`, { srdf: `${data}/boxbot.srdf` });
    const { scene, robot } = createCell({ robot: value! });
    const found = optimisePath(scene, robot, { method, start: [-1.9, 0], goal: [1.9, 3.8] });
    expect(found).toMatchObject({ status: 'solved', chosen: 0 });
    // Round the corner (-1, 1) of the sum of the boxes; straight it would be 3.8 root 2.
    const shortest = Math.sqrt(0.9 * 0.9 + 1) + Math.sqrt(2.9 * 2.9 + 2.8 * 2.8);
    expect(found.length).toBeGreaterThan(shortest);
    expect(found.length).toBeLessThan(1.01 * shortest);
    disposeScene(scene);
  });

  test.each(['trajopt', 'chomp'] as const)('%s: an arm round a table', async (method) => {
    const { value } = await loadRobot(`${data}/arm_around_table.urdf`, {
      srdf: `${data}/pr2.srdf`,
      packages: { trajopt: `${cases}/trajopt` },
    });
    const { scene, robot } = createCell({ robot: value! });
    const { data: given } = JSON.parse(readFileSync(`${data}/config/arm_around_table.json`, 'utf8')).init_info;
    const { model } = robot;
    const names = [
      'shoulder_pan',
      'shoulder_lift',
      'upper_arm_roll',
      'elbow_flex',
      'forearm_roll',
      'wrist_flex',
      'wrist_roll',
    ];
    const indices = names.map((name) => model.idxQ[model.jointNames.indexOf(`r_${name}_joint`)]);
    const widen = (row: readonly number[]): Float64Array => {
      const q = Float64Array.from(robot.q);
      indices.forEach((index, k) => {
        q[index] = row[k];
      });
      return q;
    };
    const [start, goal] = [widen(given[0]), widen(given[given.length - 1])];
    const { status, path, certificate } = optimisePath(scene, robot, { method, start, goal, indices });
    expect(status).toBe('solved');
    expect(verifyPathCertificate(scene, robot, path, certificate!).isProven).toBe(true);
    disposeScene(scene);
  });
});
