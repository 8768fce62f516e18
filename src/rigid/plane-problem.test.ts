/** A rigid problem of the plane as polygons: solved there, its path is proven among the meshes. */
import { describe, expect, it } from 'vitest';
import { joinMeshes } from '../geometry/join-meshes.js';
import { planTurning } from '../plane/turning/plan-turning.js';
import { certifyRigidPath } from './plan-rigid.js';
import { projectRigidProblem, toRigidPath } from './plane-problem.js';
import type { RigidProblem } from './problem.js';
import { boxMesh } from './rigid.test-support.js';

describe('footprints of a rigid problem', () => {
  it('a bar through a gap that it has to turn for', () => {
    const problem: RigidProblem = {
      group: 'SE2',
      body: boxMesh([-1, -0.15, -0.5], [1, 0.15, 0.5]),
      obstacles: joinMeshes([
        boxMesh([-0.1, 0.5, -0.4], [0.1, 4.5, 0.4]),
        boxMesh([-0.1, -4.5, -0.4], [0.1, -0.5, 0.4]),
        // Above the body: it does not count.
        boxMesh([-4.5, -4.5, 4.5], [4.5, 4.5, 5.5]),
      ]),
      start: Float64Array.of(-3, 0, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2),
      goal: Float64Array.of(3, 0, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2),
      lower: Float64Array.of(-4, -4, 0),
      upper: Float64Array.of(4, 4, 0),
    };
    const flat = projectRigidProblem(problem);
    expect(flat.obstacles).toHaveLength(2);
    expect(flat.start[2]).toBeCloseTo(Math.PI / 2, 12);
    const plan = planTurning(flat);
    expect(plan).toMatchObject({ status: 'solved', verified: true });
    const path = toRigidPath(problem, plan.path);
    expect(certifyRigidPath(problem, path).status).toBe('free');
    expect(() => projectRigidProblem({ ...problem, group: 'SE3' })).toThrow(/group/);
  });
});
