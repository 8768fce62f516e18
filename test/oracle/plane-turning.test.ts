/**
 * The problems of OMPL.app whose body moves and turns in the plane, by slices of footprints: solved, and the paths accepted by the
 * verifier of free bodies among the meshes themselves.
 */
import { describe, expect, it } from 'vitest';
import { loadRigidProblem } from '../../src/node/load-rigid-problem.js';
import { planTurning } from '../../src/plane/turning/plan-turning.js';
import { verifyTurningPath } from '../../src/plane/turning/verify-turning-path.js';
import { certifyRigidPath, verifyRigidPath } from '../../src/rigid/plan-rigid.js';
import { projectRigidProblem, toRigidPath } from '../../src/rigid/plane-problem.js';
import { needsShared, sharedPath } from '../shared.js';

const folder = ['oracles', 'rigid'];
const names = process.env.ORACLE_FULL
  ? ['BugTrap_planar', 'Maze_planar', 'Barriers']
  : ['BugTrap_planar', 'Maze_planar'];

describe.skipIf(!sharedPath(...folder))(`bodies that turn, of OMPL.app${needsShared(...folder)}`, () => {
  it.each(names)('%s', async (name) => {
    const { value } = await loadRigidProblem(sharedPath(...folder, `${name}.json`) as string);
    if (!value) throw new Error(`${name} could not be read`);
    const flat = projectRigidProblem(value);
    const plan = planTurning(flat);
    expect(plan).toMatchObject({ status: 'solved', method: 'slices', verified: true });
    expect(verifyTurningPath(flat, plan.path).status).toBe('free');
    const path = toRigidPath(value, plan.path);
    const proof = certifyRigidPath(value, path);
    expect(proof.status).toBe('free');
    expect(verifyRigidPath(value, path, proof.certificate!).valid).toBe(true);
  });
});
