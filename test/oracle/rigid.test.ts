/**
 * Rigid-body problems of OMPL.app: ours are solved and certified, and an exact dense check finds no contact on them; paths that are
 * published collide where independent programs say so. ORACLE_FULL: the hard ones, ten start offsets each.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadRigidProblem } from '../../src/node/load-rigid-problem.js';
import { BodyPair } from '../../src/rigid/body-pair.js';
import { certifyRigidPath, planRigid, verifyRigidPath } from '../../src/rigid/plan-rigid.js';
import { angleBetween, interpolatePose, type RigidPose } from '../../src/rigid/pose.js';
import type { RigidProblem } from '../../src/rigid/problem.js';
import { needsShared, sharedPath } from '../shared.js';

const folder = ['oracles', 'rigid'];
const isFull = Boolean(process.env.ORACLE_FULL);
const names = isFull
  ? ['Easy', 'cubicles', 'Twistycool', 'alpha-1.5', 'bugtrap', 'BugTrap_planar', 'Maze_planar', 'Barriers']
  : ['Easy', 'Barriers', 'Twistycool'];
const offsets = isFull ? 10 : 1;
/** Of the radius: no point moves farther between poses of the dense check. */
const STEP = isFull ? 1e-4 : 1e-2;

async function read(name: string): Promise<RigidProblem> {
  const { value } = await loadRigidProblem(sharedPath(...folder, `${name}.json`) as string);
  if (!value) throw new Error(`${name} could not be read`);
  return value;
}

function countContacts(problem: RigidProblem, path: readonly RigidPose[]): number {
  const pair = new BodyPair(problem.body, problem.obstacles, 1000);
  const at = new Float64Array(7);
  let contacts = 0;
  for (let i = 0; i + 1 < path.length; i++) {
    let way = 2 * (pair.radius + 200) * angleBetween(path[i], path[i + 1]);
    for (let k = 0; k < 3; k++) way += Math.abs(path[i + 1][k] - path[i][k]);
    const steps = Math.ceil(way / (STEP * pair.radius));
    for (let k = 0; k <= steps; k++)
      if (pair.collides(interpolatePose(at, path[i], path[i + 1], k / steps))) contacts++;
  }
  pair.dispose();
  return contacts;
}

describe.skipIf(!sharedPath(...folder))(`rigid bodies of OMPL.app${needsShared(...folder)}`, () => {
  it.each(names)('%s is solved, certified and free in a dense check', async (name) => {
    const problem = await read(name);
    for (let seed = 0; seed < offsets; seed++) {
      const plan = planRigid(problem, { seed });
      expect(plan.status, `offset ${seed}`).toBe('solved');
      const certificate = plan.proof?.certificate;
      expect(certificate && verifyRigidPath(problem, plan.path, certificate)).toMatchObject({ valid: true });
      expect(countContacts(problem, plan.path), `offset ${seed}`).toBe(0);
    }
  });

  it('judges the published paths as they are known to be', async () => {
    const problem = await read('Barriers');
    const text = readFileSync(sharedPath(...folder, 'Barriers.json') as string, 'utf8');
    const rows = (JSON.parse(text) as { publishedPath: { states: number[][] } }).publishedPath.states;
    const path = rows.map(([x, y, theta]) => Float64Array.of(x, y, 0, 0, 0, Math.sin(theta / 2), Math.cos(theta / 2)));
    let collides = 0;
    for (let i = 0; i + 1 < path.length; i++) {
      const { status } = certifyRigidPath(problem, path.slice(i, i + 2));
      expect(status).not.toBe('undecided');
      if (status === 'collides') collides++;
    }
    // Of its 92 motions one is known to collide between its states.
    expect(collides).toBe(1);
  });
});
