/**
 * RRT-Connect in the kernel, linked with compiled checks of the benchmark's sphere models, on the problems of MotionBenchMaker,
 * cylinders as the native reference (VAMP) takes them.
 *
 * 1. With the settings of the reference: its iteration counts.
 * 2. With the random sampler: everything that the reference solves, and what is returned, simplified, is free at four times the
 *    resolution by a brute-force test that shares no code with the checks. Three seeds and every path: `ORACLE_FULL=1`.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compileSphereChecks } from '../../src/compile/sphere-checks/compile-sphere-checks.js';
import { createCompiledChecker } from '../../src/planning/compiled-checker.js';
import { countMotionSteps } from '../../src/planning/motion.js';
import { planPath } from '../../src/planning/plan-path.js';
import { createRealVectorSpace } from '../../src/planning/real-vector-space.js';
import { needsShared, sharedPath } from '../shared.js';
import { toReferenceSpheres, toShape } from '../support/reference-spheres.js';
import { asReferenceObstacles, createBruteForceChecker, type ProblemFile, type SphereRobot } from './sphere-robot.js';

const folder = sharedPath('oracles', 'planning');
const RESOLUTION = 1 / 32;
/** What the reference solves of the given problems. */
const SOLVED = { panda: 349, ur5: 345 };
const RANGE = { panda: 1, ur5: 1.5 };

const readText = (name: string): string => readFileSync(`${folder}/${name}`, 'utf8');

function load(name: 'panda' | 'ur5') {
  const robot = JSON.parse(readText(`${name}_robot.json`)) as SphereRobot;
  const file = JSON.parse(readText(`${name}.json`)) as ProblemFile;
  const { model, spheres, pairs } = toReferenceSpheres(robot);
  const checks = compileSphereChecks(model, spheres, { pairs });
  const space = createRealVectorSpace({
    lower: robot.joints.map(({ lower }) => lower),
    upper: robot.joints.map(({ upper }) => upper),
  });
  const problems = Object.entries(file.problems).flatMap(([family, list]) =>
    list.map(({ index, start, goals, obstacles }) => ({
      name: `${family} ${index}`,
      start: Float64Array.from(start),
      goals: goals.map((goal) => Float64Array.from(goal)),
      obstacles: asReferenceObstacles(obstacles, family),
    })),
  );
  return { robot, checks, space, problems, checker: createCompiledChecker(checks) };
}

describe.skipIf(!folder)(`sphere models among obstacles${needsShared('oracles', 'planning')}`, () => {
  test('Panda with the settings of the reference: its iteration counts on at least 99 % of the problems', () => {
    const { checks, space, problems, checker: plain } = load('panda');
    const { memory, samples } = checks.exports;
    const d = space.dimension;
    // The reference checks eight states at once: always a multiple of eight steps, where the checks' own are multiples of four.
    const motion = (a: number, b: number, step: number): number => {
      const q = new Float64Array(memory.buffer);
      const length = space.distance(q.subarray(a / 8, a / 8 + d), q.subarray(b / 8, b / 8 + d));
      return samples(a, b, 2 * Math.max(1, Math.ceil(length / 8 / step)));
    };
    const checker = { ...plain, kernel: { ...plain.kernel, motion } };
    const reference = new Map<string, number>();
    for (const line of readText('panda_reference.txt').trim().split('\n')) {
      const [family, index, , , iterations] = line.split(' ');
      reference.set(`${family} ${index}`, Number(iterations));
    }
    let same = 0;
    const different: string[] = [];
    for (const { name, start, goals, obstacles } of problems) {
      checks.setEnvironment(obstacles.map(toShape));
      const result = planPath({
        ...{ space, checker, start, goals, sampler: 'halton', seed: 0, range: 1, maxIterations: 1e6 },
        ...{
          dynamicDomain: { radius: 4, minRadius: 1, alpha: 1e-4 },
          resolution: RESOLUTION,
          verifyResolution: Infinity,
        },
      });
      if (result.status === 'invalid-goal') expect(name).toBe('table_pick 41');
      else if (result.iterations === reference.get(name)) same++;
      else different.push(`${name}: ${result.iterations}, reference ${reference.get(name)}`);
    }
    expect(same / (same + different.length), different.join('\n')).toBeGreaterThanOrEqual(0.99);
    expect(same + different.length).toBe(SOLVED.panda);
  });

  test.each(
    (['panda', 'ur5'] as const).flatMap((name) =>
      (process.env.ORACLE_FULL ? [1, 2, 3] : [1]).map((seed) => [name, seed] as const),
    ),
  )('%s, seed %i: everything is solved, and free at 4 times finer resolution', (name, seed) => {
    const { robot, checks, space, problems, checker } = load(name);
    const unsolved: string[] = [];
    const colliding: string[] = [];
    let solved = 0;
    let looked = 0;
    const q = new Float64Array(space.dimension);
    problems.forEach((problem, i) => {
      const { start, goals, obstacles } = problem;
      checks.setEnvironment(obstacles.map(toShape));
      const result = planPath({
        space,
        checker,
        start,
        goals,
        seed,
        range: RANGE[name],
        resolution: RESOLUTION,
        simplify: true,
      });
      if (result.status !== 'solved') {
        unsolved.push(`${problem.name}: ${result.status}, ${result.reason}`);
        return;
      }
      solved++;
      expect(result.path[0]).toEqual(start);
      expect(goals).toContainEqual(result.path.at(-1));
      if (!process.env.ORACLE_FULL && i % 10 !== 0) return;
      looked++;
      const isFree = createBruteForceChecker(robot, obstacles);
      for (let k = 1; k < result.path.length; k++) {
        const n = countMotionSteps(space.distance(result.path[k - 1], result.path[k]), RESOLUTION / 4);
        for (let s = 0; s <= n; s++)
          if (!isFree(space.interpolate(q, result.path[k - 1], result.path[k], s / n))) colliding.push(problem.name);
      }
    });
    expect(solved, unsolved.join('\n')).toBeGreaterThanOrEqual(SOLVED[name]);
    expect(colliding).toEqual([]);
    expect(looked).toBeGreaterThan(30);
  });
});
