import { describe, expect, it } from 'vitest';
import { joinMeshes } from '../geometry/join-meshes.js';
import { createRandom } from '../math/random.js';
import { BodyPair } from './body-pair.js';
import { Explorer } from './explorer.js';
import { certifyRigidPath, planRigid, verifyRigidPath } from './plan-rigid.js';
import type { RigidPose } from './pose.js';
import { PoseTree } from './pose-tree.js';
import type { RigidProblem } from './problem.js';
import { boxMesh, pose } from './rigid.test-support.js';
import { createRigidSearch, luby } from './rigid-search.js';

/** A wall at x = 0 with a window in it; the bar has to turn to get through. */
function windowProblem(start: RigidPose, goal: RigidPose): RigidProblem {
  const wall = (y0: number, y1: number, z0: number, z1: number) => boxMesh([-0.1, y0, z0], [0.1, y1, z1]);
  return {
    group: 'SE3',
    body: boxMesh([-0.2, -1, -0.2], [0.2, 1, 0.2]),
    obstacles: joinMeshes([
      wall(-3, -0.5, -3, 3),
      wall(0.5, 3, -3, 3),
      wall(-0.5, 0.5, -3, -0.5),
      wall(-0.5, 0.5, 0.5, 3),
    ]),
    ...{ start, goal },
    lower: Float64Array.of(-3, -3, -3),
    upper: Float64Array.of(3, 3, 3),
  };
}

const bits = (path: readonly RigidPose[]): number[] => path.flatMap((at) => [...at]);

describe('the search for a rigid body', () => {
  const problem = windowProblem(pose(-2, 0, 0), pose(2, 0.3, 0.1));

  it('goes through a window that the body has to turn for, with a proof', () => {
    for (const seed of [0, 1]) {
      const plan = planRigid(problem, { seed });
      expect(plan.status, `seed ${seed}`).toBe('solved');
      expect([...plan.path[0]]).toEqual([...problem.start]);
      expect([...plan.path[plan.path.length - 1]]).toEqual([...problem.goal]);
      expect(certifyRigidPath(problem, plan.path).status).toBe('free');
      const certificate = plan.proof?.certificate;
      expect(certificate && verifyRigidPath(problem, plan.path, certificate).valid).toBe(true);
    }
  });

  it('finds the same bits in any slices, and when asked again', () => {
    const whole = planRigid(problem, { seed: 5 });
    const search = createRigidSearch(problem, { seed: 5 });
    for (let i = 1; !search.done; i = (i % 97) + 1) search.step(i);
    expect(bits(search.result().path)).toEqual(bits(whole.path));
    expect(search.result().queries).toBe(whole.queries);
    search.dispose();
  });

  it('pushes a rod through a hole that it meets aslant', () => {
    // Four walls that lean towards a square hole about z, a third wider than the rod.
    const slab = (turn: number): number[] => {
      const [c, s] = [Math.cos(turn), Math.sin(turn)];
      const at = (x: number, y: number, z: number): number[] => [c * x - s * y, s * x + c * y, z];
      return [
        ...at(0.27, -3, 0),
        ...at(0.27, 3, 0),
        ...at(3, 3, -2),
        ...at(3, -3, -2),
        ...at(0.27, -3, 0.6),
        ...at(0.27, 3, 0.6),
      ];
    };
    const faces = [0, 1, 2, 0, 2, 3, 0, 1, 5, 0, 5, 4];
    const walls = [0, 1, 2, 3].map((k) => slab((k * Math.PI) / 2));
    const obstacles = {
      vertices: Float64Array.from(walls.flat()),
      triangles: Uint32Array.from(walls.flatMap((_, k) => faces.map((i) => i + 6 * k))),
    };
    const body = boxMesh([-0.2, -0.2, -1.5], [0.2, 0.2, 1.5]);
    const pair = new BodyPair(body, obstacles, 10);
    const problem: RigidProblem = {
      ...{ group: 'SE3', body, obstacles, start: pose(0, 0, -5), goal: pose(0, 0, 5) },
      ...{ lower: Float64Array.of(-9, -9, -9), upper: Float64Array.of(9, 9, 9) },
    };
    const settings = { weight: 0.5 * pair.radius, range: 1, gap: 3e-3, slides: 200, most: 40 };
    const explorer = new Explorer(problem, pair, settings);
    // Straight on always; from beside and turned, most: the push follows contacts and does not search.
    const random = createRandom(5);
    const begins = [[0, 0, 0]];
    for (let k = 0; k < 20; k++)
      begins.push([random.uniform(-0.3, 0.3), random.uniform(-0.2, 0.2), random.uniform(-0.12, 0.12)]);
    let through = 0;
    for (const [x, y, angle] of begins) {
      const tree = new PoseTree(settings.weight);
      const from = Float64Array.of(x, y, -5, 0, Math.sin(angle / 2), 0, Math.cos(angle / 2));
      tree.add(from, -1, pair.distance(from));
      const last = explorer.push(tree, 0, Float64Array.of(0, 0, 1));
      if (tree.read(new Float64Array(7), last)[2] > 2) through++;
      else expect(angle).not.toBe(0);
      expect(certifyRigidPath(problem, tree.path(last)).status).toBe('free');
    }
    expect(through).toBeGreaterThan(begins.length / 2);
    pair.dispose();
  });

  it('passes a slot that is a ten-thousandth wider than the part', () => {
    const gap = 0.5e-4;
    const obstacles = joinMeshes([boxMesh([-1, 0.5 + gap, -1], [1, 1, 1]), boxMesh([-1, -1, -1], [1, -0.5 - gap, 1])]);
    const part = boxMesh([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]);
    const plan = planRigid({
      ...{ group: 'SE3', body: part, obstacles, start: pose(-3, 0.7, 0.3), goal: pose(3, 0, 0) },
      ...{ lower: Float64Array.of(-4, -4, -4), upper: Float64Array.of(4, 4, 4) },
    });
    expect(plan.status).toBe('solved');
    expect(plan.proof?.status).toBe('free');
  });

  it('moves in the plane only where that is asked for', () => {
    const walls = joinMeshes([boxMesh([-0.1, -3, -1], [0.1, 1.5, 1]), boxMesh([-0.1, 2.5, -1], [0.1, 3, 1])]);
    const plan = planRigid({
      ...{ group: 'SE2', body: boxMesh([-0.7, -0.2, 0], [0.7, 0.2, 0.3]), obstacles: walls },
      ...{ start: pose(-2, -2, 0), goal: pose(2, -2, 0) },
      ...{ lower: Float64Array.of(-3, -3, 0), upper: Float64Array.of(3, 3, 0) },
    });
    expect(plan.status).toBe('solved');
    for (const at of plan.path) expect([at[2], at[3], at[4]]).toEqual([0, 0, 0]);
  });

  it('says what is wrong with its ends', () => {
    const inWall = planRigid({ ...problem, start: pose(0.25, 1.5, 0) });
    expect(inWall).toMatchObject({ status: 'invalid-start', path: [], proof: null });
    expect(inWall.reason).toMatch(/the start touches: triangle \d+ of the body and triangle \d+ of the obstacles/);
    expect(inWall.fault?.depth).toBeGreaterThan(0.05 - 1e-9);
    expect(inWall.fault?.depth).toBeLessThan(0.2);
    const outside = planRigid({ ...problem, goal: pose(5, 0, 0) });
    expect(outside).toMatchObject({ status: 'invalid-goal', reason: expect.stringMatching(/out of bounds: x is 5/) });
  });

  it('ends at its limit where there is no way, and when it is told to stop', () => {
    const closed = { ...problem, obstacles: boxMesh([-0.1, -3.5, -3.5], [0.1, 3.5, 3.5]) };
    const plan = planRigid(closed, { maxQueries: 3000 });
    expect(plan).toMatchObject({ status: 'limit', path: [] });
    expect(plan.queries).toBeGreaterThanOrEqual(3000);
    expect(planRigid(closed, { shouldStop: () => true }).status).toBe('timeout');
  });

  it('gives rounds budgets of the Luby sequence', () => {
    expect(Array.from({ length: 15 }, (_, i) => luby(i + 1))).toEqual([1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
  });
});
