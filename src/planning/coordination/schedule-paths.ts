/**
 * Who waits where: several that go along paths of their own, each forwards or not at all, so that none is in another's way.
 *
 * Every path is cut into intervals that take one tick each at full speed. Its elements: 2 n is the place after n intervals, 2 n + 1 the interval that follows.
 * In a tick each goes over its next interval or stays where it is; the tick is free where every two elements that are passed or stood at are free of
 * each other, whatever happens when within them. So a schedule is free at every time when what says so of two elements is.
 * Method: 1. by priorities: one after the other finds its soonest arrival among those before it, over all (tick, place), and may stand at its goal only where
 * nobody comes by later; all orders of up to five, else some drawn; 2. jointly: A* over the places of all, which is optimal and finds what no order
 * does, while the table of places fits MOST_PLACES; it only looks for what is better than step 1, and not at all where that is as short as
 * the longest path.
 * Source: O'Donnell, Lozano-Perez 1989, "Deadlock-free and collision-free coordination of two robot manipulators",
 * doi:10.1109/ROBOT.1989.100033; Erdmann, Lozano-Perez 1987, "On multiple moving objects", doi:10.1007/BF01840371 (priorities);
 * LaValle, Hutchinson 1998, "Optimal motion planning for multiple robots having independent goals", doi:10.1109/70.736775 (coordination space).
 * Ends: null where neither finds one; `isComplete` says whether that is a proof, at this division of the paths.
 * Cost: per order ticks x places x robots; jointly at most `expansions` states times 2^robots. Tested by schedule-paths.test.ts.
 */
import { type Fields, requireFields, requireNotNegative, requireSeed, throwMisuse } from '../../math/arguments.js';
import { createRandom } from '../../math/random.js';
import type { CoordinationProblem, Schedule } from './coordination-problem.js';
import { searchJointly } from './joint-search.js';

export interface CoordinationOptions {
  /** Orders of priorities that are tried; default all of up to five robots, else 64. Or the orders themselves. */
  readonly orders?: number | readonly (readonly number[])[];
  /** Default 1. */
  readonly seed?: number;
  /** States that the joint search may look at; default 300,000; 0 leaves it out. */
  readonly expansions?: number;
}

export interface Coordination {
  readonly schedule: Schedule | null;
  /** No schedule is shorter; without one: there is none, at this division. */
  readonly isComplete: boolean;
  /** Of every order that was tried, the ticks, Infinity where it has none. */
  readonly tried: readonly { readonly order: readonly number[]; readonly ticks: number }[];
  readonly expansions: number;
}

const CALL = 'schedulePaths';
const OPTIONS: Fields = {
  orders: requireOrders,
  seed: (call, _, seed) => requireSeed(call, seed),
  expansions: requireNotNegative,
};
const ALL_ORDERS_UP_TO = 5;
const DRAWN_ORDERS = 64;
const DEFAULT_EXPANSIONS = 300_000;

export function schedulePaths(problem: CoordinationProblem, options: CoordinationOptions = {}): Coordination {
  requireFields(CALL, 'options', options, OPTIONS);
  const { counts, isFree } = problem ?? {};
  if (!Array.isArray(counts) || !counts.every((n) => Number.isInteger(n) && n >= 0))
    throwMisuse(CALL, 'counts', counts, 'a list of whole numbers');
  if (typeof isFree !== 'function') throwMisuse(CALL, 'isFree', isFree, 'a function');
  const { orders, seed = 1, expansions = DEFAULT_EXPANSIONS } = options;
  const known = new KnownPairs(problem);
  const least = Math.max(0, ...counts);
  const tried: { order: readonly number[]; ticks: number }[] = [];
  let best: Schedule | null = null;
  for (const order of listOrders(counts.length, orders, seed)) {
    const schedule = scheduleByPriority(known, order);
    tried.push({ order, ticks: schedule?.ticks ?? Number.POSITIVE_INFINITY });
    if (schedule && schedule.ticks < (best?.ticks ?? Number.POSITIVE_INFINITY)) best = schedule;
    if (best?.ticks === least && !Array.isArray(orders)) break;
  }
  if (best?.ticks === least) return { schedule: best, isComplete: true, tried, expansions: 0 };
  const joint = searchJointly(known, best?.ticks ?? Number.POSITIVE_INFINITY, expansions);
  return { schedule: joint.schedule ?? best, isComplete: joint.isComplete, tried, expansions: joint.expansions };
}

/** More than this is no request but a mistake. */
const MOST_ORDERS = 1e6;

function requireOrders(call: string, what: string, orders: unknown): void {
  const isOrder = (order: unknown): boolean =>
    Array.isArray(order) && order.every((i) => Number.isInteger(i) && i >= 0);
  const isRight = Array.isArray(orders)
    ? orders.every(isOrder)
    : Number.isInteger(orders) && (orders as number) >= 0 && (orders as number) <= MOST_ORDERS;
  if (!isRight) throwMisuse(call, what, orders, 'a number of orders, or a list of them');
}

/** Remembers what was asked. */
export class KnownPairs implements CoordinationProblem {
  readonly counts: readonly number[];
  private readonly tables: Uint8Array[][] = [];

  constructor(private readonly problem: CoordinationProblem) {
    this.counts = problem.counts;
    const sizes = problem.counts.map((n) => 2 * n + 1);
    for (let i = 0; i < sizes.length; i++)
      this.tables.push(sizes.map((size, j) => new Uint8Array(j > i ? sizes[i] * size : 0)));
  }

  isFree(i: number, a: number, j: number, b: number): boolean {
    if (i > j) return this.isFree(j, b, i, a);
    const table = this.tables[i][j];
    const at = a * (2 * this.counts[j] + 1) + b;
    if (table[at] === 0) table[at] = this.problem.isFree(i, a, j, b) ? 1 : 2;
    return table[at] === 1;
  }
}

/** One after the other; null where one finds no way among those before it. */
export function scheduleByPriority(problem: CoordinationProblem, order: readonly number[]): Schedule | null {
  const { counts } = problem;
  const places: Int32Array[] = counts.map(() => new Int32Array(0));
  const before: number[] = [];
  let ticks = 0;
  for (const robot of order) {
    const own = scheduleOne(problem, robot, before, places, ticks);
    if (own === null) return null;
    places[robot] = own;
    before.push(robot);
    ticks = Math.max(ticks, own.length - 1);
  }
  const whole = places.map((own) => Int32Array.from({ length: ticks + 1 }, (_, t) => own[Math.min(t, own.length - 1)]));
  return { ticks, places: whole, order: [...order] };
}

/** The element that a robot passes or stands at in a tick. */
function elementAt(places: Int32Array, tick: number): number {
  const last = places.length - 1;
  if (tick >= last) return 2 * places[last];
  return places[tick + 1] > places[tick] ? 2 * places[tick] + 1 : 2 * places[tick];
}

/** Soonest places of one robot among others whose places are known; `ticks`: when the last of them has arrived. */
function scheduleOne(
  problem: CoordinationProblem,
  robot: number,
  others: readonly number[],
  places: readonly Int32Array[],
  ticks: number,
): Int32Array | null {
  const goal = problem.counts[robot];
  const isFree = (element: number, tick: number): boolean =>
    others.every((other) => problem.isFree(robot, element, other, elementAt(places[other], tick)));
  // From which tick on it may stand at its goal for ever.
  let stays = ticks + 1;
  while (stays > 0 && isFree(2 * goal, stays - 1)) stays--;
  if (stays > ticks) return null;
  const horizon = ticks + goal + 1;
  /** Per tick and place: 0 not reached, 1 by waiting, 2 by going, 3 the beginning. */
  const came: Uint8Array[] = [new Uint8Array(goal + 1)];
  came[0][0] = 3;
  for (let tick = 0; tick <= horizon; tick++) {
    const here = came[tick];
    if (here[goal] !== 0 && tick >= stays) return trace(came, tick, goal);
    const next = new Uint8Array(goal + 1);
    let isStuck = true;
    for (let n = 0; n <= goal; n++) {
      if (here[n] === 0) continue;
      if (next[n] === 0 && isFree(2 * n, tick)) next[n] = 1;
      // The sooner it is on its way, the better: what came by going stays so.
      if (n < goal && isFree(2 * n + 1, tick)) next[n + 1] = 2;
      isStuck &&= next[n] === 0 && (n === goal || next[n + 1] === 0);
    }
    if (isStuck) return null;
    came.push(next);
  }
  return null;
}

function trace(came: readonly Uint8Array[], tick: number, goal: number): Int32Array {
  const places = new Int32Array(tick + 1);
  let n = goal;
  for (let t = tick; t >= 0; t--) {
    places[t] = n;
    if (came[t][n] === 2) n--;
  }
  return places;
}

function listOrders(
  count: number,
  orders: CoordinationOptions['orders'],
  seed: number,
): readonly (readonly number[])[] {
  if (Array.isArray(orders)) return orders;
  const first = Array.from({ length: count }, (_, i) => i);
  if (orders === undefined && count <= ALL_ORDERS_UP_TO) return permute(first);
  const random = createRandom(seed);
  return Array.from({ length: (orders as number | undefined) ?? DRAWN_ORDERS }, () => {
    const order = [...first];
    for (let i = count - 1; i > 0; i--) {
      const k = random.integer(i + 1);
      [order[i], order[k]] = [order[k], order[i]];
    }
    return order;
  });
}

function permute(items: readonly number[]): number[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item) => permute(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
}
