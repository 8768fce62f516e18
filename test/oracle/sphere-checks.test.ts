/** Compiled sphere checks against the brute-force test of the reference robots, which shares nothing with them but the input. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileSphereChecks } from '../../src/compile/sphere-checks/compile-sphere-checks.js';
import { createRandom } from '../../src/math/random.js';
import { needsShared, sharedPath } from '../shared.js';
import { toReferenceSpheres, toShape } from '../support/reference-spheres.js';
import { asReferenceObstacles, type ProblemFile, SphereChecker, type SphereRobot } from './sphere-robot.js';

const read = <T>(name: string): T =>
  JSON.parse(readFileSync(sharedPath('oracles', 'planning', name) as string, 'utf8')) as T;
/** Random states per problem. */
const states = process.env.ORACLE_FULL ? 3000 : 60;

describe.each(['panda', 'ur5'])(`sphere checks of %s${needsShared('oracles', 'planning')}`, (name) => {
  it.runIf(sharedPath('oracles', 'planning'))('agree with brute force, and are never free where it touches', () => {
    const robot = read<SphereRobot>(`${name}_robot.json`);
    const { problems } = read<ProblemFile>(`${name}.json`);
    const { model, spheres, pairs } = toReferenceSpheres(robot);
    const checks = compileSphereChecks(model, spheres, { pairs });
    const random = createRandom(7);
    let free = 0;
    let total = 0;
    let wrong = 0;
    let missed = 0;
    for (const [family, list] of Object.entries(problems)) {
      for (const { obstacles } of list.slice(0, 20)) {
        for (const used of [obstacles, asReferenceObstacles(obstacles, family)]) {
          checks.setEnvironment(used.map(toShape));
          const brute = new SphereChecker(robot, used);
          for (let i = 0; i < states; i++, total++) {
            const q = Float64Array.from(robot.joints, ({ lower, upper }) => random.uniform(lower, upper));
            const isFree = checks.isFree(q);
            const isApart = brute.isValid(q);
            if (isFree) free++;
            if (isFree && !isApart) wrong++;
            if (!isFree && isApart) missed++;
          }
        }
      }
    }
    expect({ wrong, isMixed: free > 0.2 * total && free < 0.9 * total }).toEqual({ wrong: 0, isMixed: true });
    // Gaps below `lost` are seen as contacts: a few in a hundred thousand random states.
    expect(checks.lost).toBeLessThan(5e-5);
    expect(missed).toBeLessThan(3 + total / 5000);
  });
});
