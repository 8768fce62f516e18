import { describe, expect, it } from 'vitest';
import { planPath } from '../planning/plan-path.js';
import { certifyRigidPath } from './plan-rigid.js';
import { boxMesh, pose } from './rigid.test-support.js';
import { createRigidSpace, registerRigidPlanner } from './rigid-planner.js';

describe('a rigid body in the planning core', () => {
  it('is planned by any planner by name, with certified paths', () => {
    const problem = {
      group: 'SE3' as const,
      body: boxMesh([-0.3, -0.1, -0.1], [0.3, 0.1, 0.1]),
      obstacles: boxMesh([-0.1, -2, -2], [0.1, 1, 2]),
      ...{ start: pose(-1, 0, 0), goal: pose(1, 0, 0) },
      ...{ lower: Float64Array.of(-2, -2, -2), upper: Float64Array.of(2, 2, 2) },
    };
    const remove = registerRigidPlanner();
    const space = createRigidSpace(problem);
    for (const planner of ['free-body', 'rrt-connect']) {
      const plan = planPath({
        ...{ space, checker: space.checker, start: problem.start, goals: [problem.goal] },
        ...{ planner, seed: 3, maxIterations: 20_000 },
      });
      expect(plan.status, planner).toBe('solved');
      expect(certifyRigidPath(problem, plan.path).status, planner).toBe('free');
    }
    space.dispose();
    remove();
  });
});
