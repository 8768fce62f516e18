import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { createGridGraph, type PathGraph } from './path-graph.js';
import { measurePaths, type PathProblem, type RobotPath } from './path-problem.js';
import { planPaths } from './plan-paths.js';
import { createRandomProblem } from './random-problem.js';
import { verifyPaths } from './verify-paths.js';

const map = (...rows: string[]) => ({
  width: rows[0].length,
  height: rows.length,
  free: Uint8Array.from(rows.join(''), (c) => (c === '.' ? 1 : 0)),
});

/** Whether the goals can be reached, by all configurations there are. */
function isSolvable({ graph, starts, goals, rotations = true }: PathProblem): boolean {
  const key = (q: readonly number[]) => q.join(' ');
  const queue = [Array.from(starts)];
  const seen = new Set([key(queue[0])]);
  const aim = key(Array.from(goals));
  for (let head = 0; head < queue.length; head++) {
    const q = queue[head];
    if (key(q) === aim) return true;
    const extend = (next: number[]): void => {
      const i = next.length;
      if (i === q.length) {
        if (!rotations && q.some((_, k) => turnsRound(q, next, k))) return;
        if (!seen.has(key(next))) {
          seen.add(key(next));
          queue.push(next);
        }
        return;
      }
      for (const u of [q[i], ...graph.next.subarray(graph.first[q[i]], graph.first[q[i] + 1])])
        if (next.every((v, j) => v !== u && !(v === q[i] && q[j] === u))) extend([...next, u]);
    };
    extend([]);
  }
  return false;
}

function turnsRound(q: readonly number[], next: readonly number[], k: number): boolean {
  if (q[k] === next[k]) return false;
  let at = k;
  for (let n = 0; n <= q.length; n++) {
    at = q.indexOf(next[at]);
    if (at < 0 || q[at] === next[at]) return false;
    if (at === k) return true;
  }
  return false;
}

function randomProblem(seed: number, robots: number): PathProblem | null {
  const random = createRandom(seed);
  const free = Uint8Array.from({ length: 12 }, () => (random.next() < 0.35 ? 0 : 1));
  const graph = createGridGraph({ width: 4, height: 3, free });
  if (graph.vertexCount < robots) return null;
  const draw = () => {
    const list = Array.from({ length: graph.vertexCount }, (_, v) => v);
    return Array.from({ length: robots }, () => list.splice(random.integer(list.length), 1)[0]);
  };
  return { graph, starts: draw(), goals: draw(), rotations: random.next() < 0.5 };
}

const cellsOf = (graph: PathGraph, width: number, cells: readonly (readonly [number, number])[]) =>
  cells.map(([x, y]) => graph.vertexOfCell![y * width + x]);

describe('planPaths', () => {
  it('solves exactly what can be solved, and proves the rest impossible', () => {
    const counts = { solved: 0, impossible: 0 };
    for (let seed = 0; seed < 90; seed++) {
      const problem = randomProblem(seed, 1 + (seed % 4));
      if (problem === null) continue;
      const plan = planPaths(problem, { seed, rounds: 20 });
      expect(plan.status, `seed ${seed}`).toBe(isSolvable(problem) ? 'solved' : 'impossible');
      counts[plan.status as 'solved']++;
      if (plan.status !== 'solved') continue;
      expect(verifyPaths(problem, plan.paths)).toEqual([]);
      expect(plan.sumOfCosts).toBeGreaterThanOrEqual(plan.lowerBound);
    }
    expect(Math.min(counts.solved, counts.impossible)).toBeGreaterThan(15);
  });

  it('lets robots pass each other where there is only one side way', () => {
    const rows = ['...@@@@', '@......', '@@@.@@@'];
    const graph = createGridGraph(map(...rows));
    const starts = cellsOf(graph, 7, [
      [1, 1],
      [6, 1],
      [2, 1],
    ]);
    const goals = cellsOf(graph, 7, [
      [6, 1],
      [1, 1],
      [5, 1],
    ]);
    for (const rotations of [true, false]) {
      const plan = planPaths({ graph, starts, goals, rotations }, { rounds: 200 });
      expect(plan.status).toBe('solved');
      expect(verifyPaths({ graph, starts, goals, rotations }, plan.paths)).toEqual([]);
    }
  });

  it('says why lines, rings and parts have no plan', () => {
    const line = createGridGraph(map('....'));
    expect(planPaths({ graph: line, starts: [0, 1], goals: [1, 0] }).reason).toMatch(/pass each other on a line/);
    const ring = createGridGraph(map('...', '.@.', '...'));
    expect(planPaths({ graph: ring, starts: [0, 1, 2], goals: [0, 2, 1] }).reason).toMatch(/on a ring/);
    expect(planPaths({ graph: ring, starts: [0, 1, 2], goals: [1, 2, 0] }).status).toBe('solved');
    const parts = createGridGraph(map('.@.'));
    expect(planPaths({ graph: parts, starts: [0], goals: [1] }).reason).toMatch(/cannot be reached/);
    const full = createGridGraph(map('..', '..'));
    const turn = { graph: full, starts: [0, 1, 2, 3], goals: [1, 3, 0, 2] };
    expect(planPaths(turn).status).toBe('solved');
    expect(planPaths({ ...turn, rotations: false }).reason).toMatch(/every place/);
  });

  it('improves a plan and keeps it whole; the same seed gives the same plan', () => {
    const graph = createGridGraph({ width: 16, height: 16, free: new Uint8Array(256).fill(1) });
    const problem = createRandomProblem(graph, 90, 5);
    const costs: number[] = [];
    const plan = planPaths(problem, { rounds: 600, onImproved: (cost) => costs.push(cost) });
    expect(costs).toEqual([...costs].sort((a, b) => b - a));
    expect(plan.sumOfCosts).toBe(measurePaths(plan.paths).sumOfCosts);
    expect(plan.sumOfCosts).toBeLessThan(0.9 * plan.firstCost);
    expect(verifyPaths(problem, plan.paths)).toEqual([]);
    expect(planPaths(problem, { rounds: 600 }).paths).toEqual(plan.paths);
    const still = planPaths({ ...problem, rotations: false }, { rounds: 300 });
    expect(verifyPaths({ ...problem, rotations: false }, still.paths)).toEqual([]);
  });

  it('ends by its limits without a plan', () => {
    const graph = createGridGraph({ width: 8, height: 8, free: new Uint8Array(64).fill(1) });
    const problem = createRandomProblem(graph, 60, 1);
    expect(planPaths(problem, { iterations: 2 }).status).toBe('limit');
    expect(planPaths(problem, { timeoutMs: 0, clock: () => 0 }).status).toBe('timeout');
  });
});

describe('verifyPaths', () => {
  const graph = createGridGraph(map('...', '...'));
  const check = (starts: number[], goals: number[], ...paths: number[][]) =>
    verifyPaths(
      { graph, starts, goals, rotations: false },
      paths.map((path) => Int32Array.from(path)) as RobotPath[],
    ).map(({ kind }) => kind);

  it('names every kind of conflict', () => {
    expect(check([0], [2], [0, 1, 2])).toEqual([]);
    expect(check([0], [2], [0, 2])).toEqual(['edge']);
    expect(check([0], [2], [1, 2])).toEqual(['start']);
    expect(check([0], [2], [0, 1])).toEqual(['goal']);
    expect(check([0, 2], [1, 4], [0, 1], [2, 1, 4])).toContain('vertex');
    expect(check([0, 1], [1, 0], [0, 1], [1, 0])).toEqual(['swap']);
    expect(check([0, 1, 4, 3], [1, 4, 3, 0], [0, 1], [1, 4], [4, 3], [3, 0])).toEqual(['rotation']);
    // One that rests at its goal is still there.
    expect(check([1, 0], [1, 2], [1], [0, 1, 2])).toContain('vertex');
  });
});
