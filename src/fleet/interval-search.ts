/**
 * The quickest path of one robot among those of the others: safe-interval path planning.
 *
 * Method: states are a vertex and a span of time in which it is free, each worth reaching only at its earliest; a robot waits within its span
 * and goes on to every span of a neighbour that begins before its own ends. States are taken in the order of arrival plus the distance to
 * the goal alone; the last pushed first among equals. Swaps, and where the plan is to be free of them rotations, are no steps.
 * Source: Phillips, Likhachev 2011, "SIPP: safe interval path planning for dynamic environments", doi:10.1109/ICRA.2011.5980306.
 * A span is known by its last time, so no list of spans is kept: reservations.ts finds their ends.
 * Cost: O(states), each at most degree x spans. Returns null when no path arrives by `bound`. Tested by interval-search.test.ts against a
 * breadth-first search over all times.
 */
import type { DistanceRow } from './goal-distances.js';
import type { PathGraph } from './path-graph.js';
import type { RobotPath } from './path-problem.js';
import type { Reservations } from './reservations.js';

export class IntervalSearch {
  /** States taken, for work counts. */
  expansions = 0;
  private vertices = new Int32Array(1024);
  private times = new Int32Array(1024);
  private ends = new Int32Array(1024);
  private parents = new Int32Array(1024);
  private below = new Int32Array(1024);
  private buckets = new Int32Array(256).fill(-1);
  private count = 0;
  private slots = new Int32Array(4096);
  private stamps = new Int32Array(4096);
  private stamp = 0;
  private known = 0;

  constructor(
    private readonly graph: PathGraph,
    private readonly reservations: Reservations,
    private readonly paths: readonly RobotPath[],
    private readonly rotations: boolean,
  ) {}

  /** `start` must be free at time 0. `turn`: which neighbour comes first; any number. */
  search(start: number, goal: number, row: DistanceRow, bound: number, turn: number): RobotPath | null {
    const { graph, reservations } = this;
    const { first, next } = graph;
    const { horizon } = reservations;
    const calm = reservations.freeForGood(goal);
    const least = Math.max(row[start], calm);
    if (least > bound || least >= horizon - 1) return null;
    const limit = Math.min(bound, horizon - 2);
    this.begin(limit - least + 1);
    const goalEnd = horizon - 1;
    this.push(start, 0, reservations.nextTaken(start, 0) - 1, -1, 0);
    for (let f = 0; f <= limit - least; f++) {
      while (this.buckets[f] >= 0) {
        const node = this.buckets[f];
        this.buckets[f] = this.below[node];
        const v = this.vertices[node];
        const end = this.ends[node];
        const t = this.times[node];
        if (!this.visit(v * horizon + end)) continue;
        this.expansions++;
        if (v === goal && end === goalEnd) return this.trace(node);
        const degree = first[v + 1] - first[v];
        const lastLeave = Math.min(end + 1, limit);
        for (let k = 0; k < degree; k++) {
          const u = next[first[v] + ((k + turn) % degree)];
          const far = row[u];
          let arrive = t + 1;
          for (;;) {
            arrive = reservations.nextFree(u, arrive);
            if (arrive > lastLeave || arrive + far > limit) break;
            const spanEnd = reservations.nextTaken(u, arrive + 1) - 1;
            if (this.isBarred(v, u, arrive, end)) {
              if (arrive < spanEnd && arrive < lastLeave && arrive + 1 + far <= limit)
                this.push(u, arrive + 1, spanEnd, node, Math.max(arrive + 1 + far, calm) - least);
            } else this.push(u, arrive, spanEnd, node, Math.max(arrive + far, calm) - least);
            arrive = spanEnd + 1;
          }
        }
      }
    }
    return null;
  }

  /** Whether arriving at u is a swap with the robot that comes from there, or closes a circle. */
  private isBarred(v: number, u: number, arrive: number, end: number): boolean {
    const { who, horizon } = this.reservations;
    const j = who[u * horizon + arrive - 1];
    if (j === 0) return false;
    if (arrive === end + 1 && who[v * horizon + arrive] === j) return true;
    if (this.rotations) return false;
    for (let k = j, n = 0; n <= this.paths.length; n++) {
      const path = this.paths[k - 1];
      const x = path[Math.min(arrive, path.length - 1)];
      if (x === v) return true;
      k = who[x * horizon + arrive - 1];
      if (k === 0) return false;
    }
    return false;
  }

  private begin(buckets: number): void {
    this.count = 0;
    this.known = 0;
    this.stamp = (this.stamp + 1) | 0;
    if (this.buckets.length < buckets) this.buckets = new Int32Array(2 * buckets);
    this.buckets.fill(-1, 0, buckets);
  }

  private push(v: number, t: number, end: number, parent: number, f: number): void {
    if (this.count === this.vertices.length)
      for (const name of ['vertices', 'times', 'ends', 'parents', 'below'] as const) {
        const grown = new Int32Array(2 * this.count);
        grown.set(this[name]);
        this[name] = grown;
      }
    const node = this.count++;
    this.vertices[node] = v;
    this.times[node] = t;
    this.ends[node] = end;
    this.parents[node] = parent;
    this.below[node] = this.buckets[f];
    this.buckets[f] = node;
  }

  /** False when the state was taken before. */
  private visit(key: number): boolean {
    if (2 * this.known >= this.slots.length) this.growSlots();
    const { slots, stamps, stamp } = this;
    const mask = slots.length - 1;
    let s = (Math.imul(key, 0x9e3779b1) >>> 8) & mask;
    while (stamps[s] === stamp) {
      if (slots[s] === key) return false;
      s = (s + 1) & mask;
    }
    stamps[s] = stamp;
    slots[s] = key;
    this.known++;
    return true;
  }

  private growSlots(): void {
    const { slots, stamps, stamp } = this;
    this.slots = new Int32Array(2 * slots.length);
    this.stamps = new Int32Array(2 * slots.length).fill(stamp - 1);
    const mask = this.slots.length - 1;
    for (let k = 0; k < slots.length; k++) {
      if (stamps[k] !== stamp) continue;
      let s = (Math.imul(slots[k], 0x9e3779b1) >>> 8) & mask;
      while (this.stamps[s] === stamp) s = (s + 1) & mask;
      this.stamps[s] = stamp;
      this.slots[s] = slots[k];
    }
  }

  private trace(node: number): RobotPath {
    const path = new Int32Array(this.times[node] + 1);
    for (let n = node, until = path.length; n >= 0; n = this.parents[n]) {
      // Until it leaves, a robot waits where it came to.
      path.fill(this.vertices[n], this.times[n], until);
      until = this.times[n];
    }
    return path;
  }
}
