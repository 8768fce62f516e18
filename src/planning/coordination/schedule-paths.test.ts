import { describe, expect, it } from 'vitest';
import { createRandom } from '../../math/random.js';
import type { CoordinationProblem, Schedule } from './coordination-problem.js';
import { scheduleByPriority, schedulePaths } from './schedule-paths.js';

/** Pairs of elements that meet: an interval that does with an element, does so with at least one of its ends' neighbours or none; all at random. */
function drawProblem(seed: number, counts: readonly number[], share: number): CoordinationProblem {
  const random = createRandom(seed);
  const blocked = new Set<string>();
  counts.forEach((n, i) => {
    counts.forEach((m, j) => {
      if (j <= i) return;
      for (let a = 0; a <= 2 * n; a++)
        for (let b = 0; b <= 2 * m; b++) {
          const isEnd = (a === 0 && b === 0) || (a === 2 * n && b === 2 * m);
          if (!isEnd && random.next() < share) blocked.add(`${i} ${a} ${j} ${b}`);
        }
    });
  });
  return { counts, isFree: (i, a, j, b) => !blocked.has(i < j ? `${i} ${a} ${j} ${b}` : `${j} ${b} ${i} ${a}`) };
}

function isValid(problem: CoordinationProblem, { ticks, places }: Schedule): boolean {
  const { counts } = problem;
  for (const [i, own] of places.entries()) {
    if (own.length !== ticks + 1 || own[0] !== 0 || own[ticks] !== counts[i]) return false;
    for (let t = 0; t < ticks; t++) if (own[t + 1] - own[t] !== 0 && own[t + 1] - own[t] !== 1) return false;
  }
  for (let t = 0; t < ticks; t++)
    for (let i = 0; i < places.length; i++)
      for (let j = i + 1; j < places.length; j++) {
        const [a, b] = [i, j].map((r) => 2 * places[r][t] + (places[r][t + 1] - places[r][t]));
        if (!problem.isFree(i, a, j, b)) return false;
      }
  return true;
}

/** Ticks of the shortest schedule by breadth first over all places, Infinity for none. */
function exhaust(problem: CoordinationProblem): number {
  const { counts } = problem;
  let level = new Set([counts.map(() => 0).join()]);
  const seen = new Set(level);
  for (let ticks = 0; level.size > 0; ticks++) {
    const next = new Set<string>();
    for (const key of level) {
      const place = key.split(',').map(Number);
      if (place.every((n, i) => n === counts[i])) return ticks;
      for (let mask = 1; mask < 1 << counts.length; mask++) {
        const goes = counts.map((_, i) => (mask >> i) & 1);
        const after = place.map((n, i) => n + goes[i]);
        if (after.some((n, i) => n > counts[i])) continue;
        const elements = place.map((n, i) => 2 * n + goes[i]);
        const isFree = elements.every((a, i) => elements.every((b, j) => j <= i || problem.isFree(i, a, j, b)));
        const name = after.join();
        if (isFree && !seen.has(name)) {
          seen.add(name);
          next.add(name);
        }
      }
    }
    level = next;
  }
  return Number.POSITIVE_INFINITY;
}

describe('schedulePaths', () => {
  it('is as short as exhaustive search over random obstacles, and free', () => {
    let [none, waits, orderless] = [0, 0, 0];
    for (let seed = 1; seed <= 60; seed++) {
      const counts = seed % 2 === 0 ? [5, 4, 6] : [7, 9];
      const problem = drawProblem(seed, counts, seed % 3 === 0 ? 0.25 : 0.12);
      const { schedule, isComplete, tried } = schedulePaths(problem);
      expect(isComplete).toBe(true);
      const shortest = exhaust(problem);
      expect(schedule?.ticks ?? Number.POSITIVE_INFINITY).toBe(shortest);
      if (schedule) expect(isValid(problem, schedule)).toBe(true);
      else none++;
      if (shortest < Number.POSITIVE_INFINITY && shortest > Math.max(...counts)) waits++;
      if (schedule && tried.every(({ ticks }) => ticks === Number.POSITIVE_INFINITY)) orderless++;
      for (const { order, ticks } of tried) {
        const again = scheduleByPriority(problem, order);
        expect(again?.ticks ?? Number.POSITIVE_INFINITY).toBe(ticks);
        if (again) expect(isValid(problem, again)).toBe(true);
      }
    }
    // All three happen.
    expect(Math.min(none, waits, orderless)).toBeGreaterThan(0);
  });

  it('lets the one that is in the way go first', () => {
    // Robot 1 begins where robot 0 goes through.
    const problem: CoordinationProblem = {
      counts: [4, 3],
      isFree: (i, a, j, b) => {
        const [first, second] = i < j ? [a, b] : [b, a];
        return !(first >= 3 && first <= 5 && second <= 3);
      },
    };
    expect(scheduleByPriority(problem, [0, 1])).toBeNull();
    const { schedule } = schedulePaths(problem);
    expect(schedule?.ticks).toBe(exhaust(problem));
    expect(isValid(problem, schedule!)).toBe(true);
  });

  it('refuses what is no problem', () => {
    expect(() => schedulePaths({ counts: [1.5], isFree: () => true })).toThrow(/counts, got/);
    expect(() => schedulePaths({ counts: [1] } as unknown as CoordinationProblem)).toThrow(/isFree, got undefined/);
  });
});
