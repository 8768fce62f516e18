import { describe, expect, it } from 'vitest';
import { joinMeshes } from '../geometry/join-meshes.js';
import { certifyRigidPath } from './plan-rigid.js';
import { boxMesh, pose, ringMesh } from './rigid.test-support.js';
import { createTakeOutSearch, takeOut } from './take-out.js';

const bounds = { lower: Float64Array.of(-9, -9, -9), upper: Float64Array.of(9, 9, 9) };

/** A hook in a slotted box: it has to go sideways, then up. Its mesh has its origin far away. */
function hookInBox() {
  const far = 20;
  const place = (x: number) => x + far;
  const walls = joinMeshes([
    boxMesh([place(-2), -2, -1], [place(2), 2, -0.8]),
    boxMesh([place(-2), -2, 1], [place(0.2), 2, 1.2]),
    boxMesh([place(-2.2), -2, -1], [place(-2), 2, 1.2]),
    boxMesh([place(2), -2, -1], [place(2.2), 2, 3]),
    boxMesh([place(-2.2), -2.2, -1], [place(2.2), -2, 1.2]),
    boxMesh([place(-2.2), 2, -1], [place(2.2), 2.2, 1.2]),
  ]);
  const part = boxMesh([place(-1.8), -0.4, -0.6], [place(0.4), 0.4, 0.2]);
  const start = pose(0, 0, 0);
  return { part, obstacles: walls, start };
}

describe('taking a part out', () => {
  it('goes straight out of a ring', () => {
    const ring = ringMesh([0, 0, 0], 2, 1, 1);
    const plan = takeOut({ part: boxMesh([-0.9, -0.9, -1], [0.9, 0.9, 1]), obstacles: ring, start: pose(0, 0, 0) });
    expect(plan).toMatchObject({ status: 'solved', method: 'straight' });
    expect(plan.path).toHaveLength(2);
    expect(Math.abs(plan.path[1][2])).toBeGreaterThan(2);
    expect(plan.proof?.clearance).toBeGreaterThan(0.08);
  });

  it('turns a part whose mesh has its origin far away, with motions of that origin', () => {
    const { part, obstacles: walls, start } = hookInBox();
    const plan = takeOut({ part, obstacles: walls, start });
    expect(plan.status).toBe('solved');
    expect(plan.method).not.toBe('straight');
    const last = plan.path[plan.path.length - 1];
    const problem = { group: 'SE3' as const, body: part, obstacles: walls, start, goal: last, ...bounds };
    expect(certifyRigidPath(problem, plan.path).status).toBe('free');
  });

  it('finds the same in slices, with trees that grow, and can be left before', () => {
    const request = hookInBox();
    const whole = takeOut(request);
    expect(whole.status).toBe('solved');
    const search = createTakeOutSearch(request);
    search.step(40);
    expect(search.done).toBe(false);
    expect(search.result().status).toBe('timeout');
    let edges = 0;
    while (!search.step(37)) {
      const { startPoses, goalPoses } = search.progress;
      const now = search.edges().length;
      expect(now).toBeGreaterThanOrEqual(edges);
      expect(search.edges([startPoses, goalPoses])).toEqual([]);
      edges = now;
    }
    expect(edges).toBeGreaterThan(0);
    expect(search.result()).toEqual(whole);
    search.dispose();
  });

  it('says what holds a part that touches', () => {
    const plan = takeOut({
      part: boxMesh([-1, -1, -1], [1, 1, 1]),
      obstacles: ringMesh([0, 0, 0], 2, 1, 1),
      start: pose(0, 0, 0),
    });
    expect(plan.status).toBe('invalid-start');
    expect(plan.reason).toMatch(/touches/);
  });
});
