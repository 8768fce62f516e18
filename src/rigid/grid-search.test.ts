import { describe, expect, it } from 'vitest';
import { joinMeshes } from '../geometry/join-meshes.js';
import { createRandom } from '../math/random.js';
import { BodyPair } from './body-pair.js';
import { GridSearch } from './grid-search.js';
import { buildOrientationGrid, findNear } from './orientation-grid.js';
import { certifyRigidPath } from './plan-rigid.js';
import { angleBetween } from './pose.js';
import type { RigidProblem } from './problem.js';
import { boxMesh, pose, randomPose } from './rigid.test-support.js';

/** A wall across x = 0 with a slot in it, upright, that a lying bar has to turn for. */
const problem = (gap: number, group: 'SE3' | 'SE2' = 'SE3'): RigidProblem => ({
  group,
  body: boxMesh([-1, -0.15, -0.15], [1, 0.15, 0.15]),
  obstacles: joinMeshes([boxMesh([-0.1, -4, -4], [0.1, -gap, 4]), boxMesh([-0.1, gap, -4], [0.1, 4, 4])]),
  start: Float64Array.of(-1.5, 0, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2),
  goal: Float64Array.of(1.5, 0, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2),
  lower: Float64Array.of(-3, -3, group === 'SE2' ? 0 : -3),
  upper: Float64Array.of(3, 3, group === 'SE2' ? 0 : 3),
});

function search(given: RigidProblem, queries: number) {
  const pair = new BodyPair(given.body, given.obstacles, 4);
  const grid = new GridSearch(given, pair, 0.5 * pair.radius);
  const path = grid.grow(queries);
  const used = pair.queries;
  pair.dispose();
  return { path, used, grid };
}

describe('orientation grid', () => {
  it.each([
    [0, 72, 1.1],
    [1, 576, 0.58],
  ])('covers all orientations at level %i', (level, count, angle) => {
    const grid = buildOrientationGrid(level, false);
    expect(grid.count).toBe(count);
    let farthest = 0;
    for (let seed = 0; seed < 1500; seed++) {
      const any = randomPose(seed, 1);
      const [at] = findNear(grid, any.subarray(3), 1);
      const near = Float64Array.of(0, 0, 0, ...grid.quaternions.subarray(4 * at, 4 * at + 4));
      farthest = Math.max(farthest, angleBetween(any, near));
    }
    expect(farthest).toBeLessThan(angle);
    expect(farthest).toBeGreaterThan(0.7 * angle);
  });

  it('spreads evenly: every orientation has about as many random ones nearest to it', () => {
    const grid = buildOrientationGrid(0, false);
    const counts = new Float64Array(grid.count);
    const random = createRandom(3);
    for (let k = 0; k < 12_000; k++) {
      const q = [0, 0, 0, 0].map(() => random.normal());
      counts[findNear(grid, q, 1)[0]]++;
    }
    for (const count of counts) expect(count / (12_000 / grid.count)).toBeGreaterThan(0.6);
    for (const count of counts) expect(count / (12_000 / grid.count)).toBeLessThan(1.5);
  });

  it('joins neighbours that are near, in the plane those beside', () => {
    const { neighbours, near, quaternions, count } = buildOrientationGrid(0, false);
    for (let i = 0; i < count; i++)
      for (let k = 0; k < near; k++) {
        const other = neighbours[near * i + k];
        const [a, b] = [i, other].map((at) => Float64Array.of(0, 0, 0, ...quaternions.subarray(4 * at, 4 * at + 4)));
        expect(other).not.toBe(i);
        expect(angleBetween(a, b)).toBeLessThan(1.4);
      }
    const planar = buildOrientationGrid(0, true);
    expect([...planar.neighbours.subarray(0, 2)].sort((a, b) => a - b)).toEqual([1, 15]);
  });
});

describe('search on a grid', () => {
  it.each(['SE3', 'SE2'] as const)('turns a bar for a slot in %s, by motions that are free', (group) => {
    const given = problem(0.6, group);
    const { path } = search(given, 200_000);
    expect(path).not.toBeNull();
    expect([...path![0]]).toEqual([...given.start]);
    expect([...path![path!.length - 1]]).toEqual([...given.goal]);
    expect(certifyRigidPath(given, path!).status).toBe('free');
  });

  it('gives the same in slices', () => {
    const given = problem(0.6);
    const pair = new BodyPair(given.body, given.obstacles, 4);
    const grid = new GridSearch(given, pair, 0.5 * pair.radius);
    let path = null;
    while (!path && !grid.done) path = grid.grow(50);
    pair.dispose();
    expect(path).toEqual(search(given, 200_000).path);
  });

  it('ends level after level where the start is shut in', () => {
    const walls: [number[], number[]][] = [0, 1, 2].flatMap((k) =>
      [-1, 1].map((side): [number[], number[]] => {
        const low = [-1.5, -1.5, -1.5];
        const high = [1.5, 1.5, 1.5];
        if (side < 0) high[k] = -1.3;
        else low[k] = 1.3;
        return [low, high];
      }),
    );
    const given: RigidProblem = {
      ...{ group: 'SE3', body: boxMesh([-0.6, -0.2, -0.2], [0.6, 0.2, 0.2]) },
      obstacles: joinMeshes(walls.map(([low, high]) => boxMesh(low, high))),
      ...{ start: pose(0, 0, 0), goal: pose(2.5, 0, 0) },
      ...{ lower: Float64Array.of(-3, -3, -3), upper: Float64Array.of(3, 3, 3) },
    };
    const { path, grid } = search(given, 25_000);
    expect(path).toBeNull();
    expect(grid.level).toBeGreaterThan(0);
  });
});
