/**
 * The shortest schedule of all robots together: A* over the places of all. See schedule-paths.ts.
 *
 * Method: 1. for every two the ticks that they need from any two places, backwards: where two find no way, no more do; 2. a state is a place of each
 * robot, a step lets some of them go on; what is left is at least what any two of them need. States of equal sums wait on a stack, so that where
 * nothing is in the way the search goes straight through. Cost: that of asking about all elements of every two, then of what is expanded. Tested by schedule-paths.test.ts against exhaustive search.
 */
import type { CoordinationProblem, Schedule } from './coordination-problem.js';

const MOST_PLACES = 1 << 25;

interface JointResult {
  /** Better than the bound; null where none was found. */
  readonly schedule: Schedule | null;
  /** Nothing shorter than the bound, or than the schedule, was left unseen. */
  readonly isComplete: boolean;
  readonly expansions: number;
}

export function searchJointly(problem: CoordinationProblem, bound: number, expansions: number): JointResult {
  const { counts } = problem;
  const k = counts.length;
  const strides = new Float64Array(k);
  let size = 1;
  for (let i = 0; i < k; i++) {
    strides[i] = size;
    size *= counts[i] + 1;
  }
  if (!(size <= MOST_PLACES) || k > 8) return { schedule: null, isComplete: false, expansions: 0 };
  const masks = 1 << k;
  /** 0: unseen, else the mask that led there, plus one. */
  const came = new Uint16Array(size);
  const costs = new Uint16Array(size);
  const isClosed = new Uint8Array(size);
  const queue: number[][] = [];
  const place = new Int32Array(k);
  const push = (state: number, sum: number): void => {
    while (queue.length <= sum) queue.push([]);
    queue[sum].push(state);
  };
  for (let i = 0; i < k; i++)
    for (let j = i + 1; j < k; j++) {
      const isFree = problem.isFree(i, 0, j, 0) && problem.isFree(i, 2 * counts[i], j, 2 * counts[j]);
      if (!isFree) return { schedule: null, isComplete: true, expansions: 0 };
    }
  const left = new PairBounds(problem);
  const least = left.of(place);
  if (!(least < bound)) return { schedule: null, isComplete: true, expansions: 0 };
  const after = new Int32Array(k);
  came[0] = masks + 1;
  push(0, least);
  let done = 0;
  for (let sum = least; sum < queue.length && sum < bound; sum++) {
    const stack = queue[sum];
    while (stack.length > 0) {
      const state = stack.pop()!;
      if (isClosed[state] === 1) continue;
      if (state === size - 1)
        return { schedule: describe(counts, strides, came, size - 1, masks), isComplete: true, expansions: done };
      if (done >= expansions) return { schedule: null, isComplete: false, expansions: done };
      isClosed[state] = 1;
      done++;
      for (let i = 0, rest = state; i < k; i++) {
        place[i] = rest % (counts[i] + 1);
        rest = (rest - place[i]) / (counts[i] + 1);
      }
      const cost = costs[state] + 1;
      for (let mask = masks - 1; mask > 0; mask--) {
        let next = state;
        let isPossible = true;
        for (let i = 0; i < k; i++) {
          const goes = (mask >> i) & 1;
          if (goes === 1 && place[i] === counts[i]) {
            isPossible = false;
            break;
          }
          next += goes * strides[i];
          after[i] = place[i] + goes;
        }
        if (!isPossible || isClosed[next] === 1 || (came[next] !== 0 && costs[next] <= cost)) continue;
        const sum = cost + left.of(after);
        if (sum >= bound || !isStepFree(problem, place, mask)) continue;
        came[next] = mask + 1;
        costs[next] = cost;
        push(next, sum);
      }
    }
  }
  return { schedule: null, isComplete: true, expansions: done };
}

/** Ticks that any two need at least, from all their places. */
class PairBounds {
  private readonly tables: { readonly i: number; readonly j: number; readonly ticks: Float64Array }[] = [];

  constructor(private readonly problem: CoordinationProblem) {
    const { counts } = problem;
    for (let i = 0; i < counts.length; i++)
      for (let j = i + 1; j < counts.length; j++) this.tables.push({ i, j, ticks: this.fill(i, j) });
  }

  of(place: Int32Array): number {
    const { counts } = this.problem;
    let most = 0;
    for (let i = 0; i < place.length; i++) most = Math.max(most, counts[i] - place[i]);
    for (const { i, j, ticks } of this.tables) most = Math.max(most, ticks[place[i] * (counts[j] + 1) + place[j]]);
    return most;
  }

  private fill(i: number, j: number): Float64Array {
    const { problem } = this;
    const n = problem.counts[i];
    const m = problem.counts[j];
    const ticks = new Float64Array((n + 1) * (m + 1)).fill(Number.POSITIVE_INFINITY);
    const at = (a: number, b: number): number => a * (m + 1) + b;
    ticks[at(n, m)] = 0;
    for (let a = n; a >= 0; a--)
      for (let b = m; b >= 0; b--) {
        let least = ticks[at(a, b)];
        const look = (goesA: number, goesB: number): void => {
          const rest = 1 + ticks[at(a + goesA, b + goesB)];
          if (rest < least && problem.isFree(i, 2 * a + goesA, j, 2 * b + goesB)) least = rest;
        };
        if (a < n && b < m) look(1, 1);
        if (a < n) look(1, 0);
        if (b < m) look(0, 1);
        ticks[at(a, b)] = least;
      }
    return ticks;
  }
}

function isStepFree(problem: CoordinationProblem, place: Int32Array, mask: number): boolean {
  for (let i = 0; i < place.length; i++) {
    const a = 2 * place[i] + ((mask >> i) & 1);
    for (let j = i + 1; j < place.length; j++)
      if (!problem.isFree(i, a, j, 2 * place[j] + ((mask >> j) & 1))) return false;
  }
  return true;
}

function describe(
  counts: readonly number[],
  strides: Float64Array,
  came: Uint16Array,
  goal: number,
  masks: number,
): Schedule {
  const states = [goal];
  for (let state = goal; came[state] !== masks + 1; ) {
    const mask = came[state] - 1;
    for (let i = 0; i < counts.length; i++) state -= ((mask >> i) & 1) * strides[i];
    states.push(state);
  }
  states.reverse();
  const places = counts.map((count, i) =>
    Int32Array.from(states, (state) => Math.floor(state / strides[i]) % (count + 1)),
  );
  return { ticks: states.length - 1, places, order: null };
}
