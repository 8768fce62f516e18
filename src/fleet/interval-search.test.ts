import { describe, it } from 'vitest';
import { expect } from '../../test/support/quick-expect.js';
import { createRandom } from '../math/random.js';
import { GoalDistances } from './goal-distances.js';
import { IntervalSearch } from './interval-search.js';
import { createGridGraph } from './path-graph.js';
import type { RobotPath } from './path-problem.js';
import { Reservations } from './reservations.js';
import { verifyPaths } from './verify-paths.js';

/** Arrival time of the quickest path by a breadth-first search over places and times. */
function arrivalByBreadth(
  graph: ReturnType<typeof createGridGraph>,
  others: readonly RobotPath[],
  start: number,
  goal: number,
  horizon: number,
): number {
  const at = (path: RobotPath, t: number) => path[Math.min(t, path.length - 1)];
  const isCalm = (t: number) =>
    others.every((path) => Array.from({ length: horizon }, (_, k) => k).every((k) => k < t || at(path, k) !== goal));
  let here = new Set([start]);
  for (let t = 0; t < horizon - 1; t++) {
    if (here.has(goal) && isCalm(t)) return t;
    const next = new Set<number>();
    for (const v of here)
      for (const u of [v, ...graph.next.subarray(graph.first[v], graph.first[v + 1])])
        if (others.every((path) => at(path, t + 1) !== u && !(at(path, t) === u && at(path, t + 1) === v))) next.add(u);
    here = next;
  }
  return -1;
}

describe('safe intervals', () => {
  it('arrive when a search over all times does', () => {
    const random = createRandom(3);
    let found = 0;
    for (let n = 0; n < 300; n++) {
      const free = Uint8Array.from({ length: 20 }, () => (random.next() < 0.2 ? 0 : 1));
      free[0] = 1;
      const graph = createGridGraph({ width: 5, height: 4, free });
      const reservations = new Reservations(graph, 30);
      const paths: RobotPath[] = [];
      const search = new IntervalSearch(graph, reservations, paths, true);
      const taken = new Set<number>();
      for (let i = 0; i < 6; i++) {
        const start = random.integer(graph.vertexCount);
        const goal = random.integer(graph.vertexCount);
        if (taken.has(start) || reservations.isTaken(start, 0)) continue;
        taken.add(start);
        const expected = arrivalByBreadth(graph, paths, start, goal, reservations.horizon);
        const row = new GoalDistances(graph, [goal]).row(0);
        if (row[start] === 65535) continue;
        const path = search.search(start, goal, row, reservations.horizon, random.integer(8));
        expect(path === null ? -1 : path.length - 1).toBe(expected);
        if (path === null) continue;
        found++;
        paths.push(path);
        reservations.add(paths.length - 1, path);
        const problem = { graph, starts: paths.map((p) => p[0]), goals: paths.map((p) => p[p.length - 1]) };
        if (new Set(problem.goals).size === paths.length) expect(verifyPaths(problem, paths)).toEqual([]);
      }
    }
    expect(found).toBeGreaterThan(600);
  });

  it('leaves nothing behind when paths are taken away', () => {
    const graph = createGridGraph({ width: 4, height: 1, free: new Uint8Array(4).fill(1) });
    const reservations = new Reservations(graph, 70);
    const path = Int32Array.from([0, 1, 1, 2]);
    reservations.add(0, path);
    expect([reservations.nextFree(1, 1), reservations.nextTaken(1, 0), reservations.freeForGood(2)]).toEqual([
      3, 1, 96,
    ]);
    reservations.remove(path);
    expect(reservations.taken.every((bits) => bits === 0) && reservations.who.every((i) => i === 0)).toBe(true);
  });
});
