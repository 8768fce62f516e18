/**
 * One step of all robots by priority inheritance with backtracking (PIBT): where each goes next, none colliding.
 *
 * Method: robots choose in the order of priority, each the free neighbour nearest to its goal (ties by chance); one that stands in the way
 * inherits the priority and chooses next, and when it has nowhere to go the chooser takes its next best. Where two robots must pass each
 * other in a corridor the one ahead backs away and draws the other along until there is room to swap.
 * Source: Okumura, Machida, Defago, Tamura 2022, "Priority inheritance with backtracking for iterative multi-agent path finding",
 * doi:10.1016/j.artint.2022.103752, algorithm 1; the swap: Okumura 2023, "Improving LaCAM for scalable eventually optimal multi-agent
 * pathfinding", doi:10.24963/ijcai.2023/28, section 4.
 * Shapes: `from`, `to`: Int32Array, a vertex per robot; `to` holds -1 where it is to be chosen. An own stack: chains may hold every robot.
 * Cost: O(robots x degree). Returns false when the step cannot be completed with what `to` fixed; `to` is then of no use.
 * Tested by plan-paths.test.ts (every step of every plan through verify-paths.ts).
 */
import type { SeededRandom } from '../math/random.js';
import type { GoalDistances } from './goal-distances.js';
import type { PathGraph } from './path-graph.js';

const NONE = -1;

export class StepGenerator {
  private readonly now: Int32Array;
  private readonly after: Int32Array;
  private readonly stride: number;
  private readonly choices: Int32Array;
  private readonly counts: Int32Array;
  /** 1 while only the place that the way wishes for is listed: most robots get it, and no row has to be read. */
  private readonly isOpen: Uint8Array;
  private readonly places: Int32Array;
  private readonly partners: Int32Array;
  private readonly stack: Int32Array;
  private readonly keys: Float64Array;
  private readonly guide: WayTable | null;

  constructor(
    private readonly graph: PathGraph,
    private readonly goals: Int32Array,
    private readonly distances: GoalDistances,
    private readonly random: SeededRandom,
    private readonly rotations: boolean,
    /** Per robot a way to keep to where it can (spread-paths.ts). */
    ways: readonly Int32Array[] | null = null,
    /** Per robot where it came from, its own place where it came from nowhere: of ways as short as each other it takes the straight one. */
    private readonly before: Int32Array | null = null,
    /** One per entry of the graph's `next`: 1 where two that meet may have to change places by backing away; null: everywhere. */
    private readonly swaps: Uint8Array | null = null,
  ) {
    this.guide = ways === null ? null : new WayTable(ways);
    const robots = goals.length;
    let degree = 0;
    for (let v = 0; v < graph.vertexCount; v++) degree = Math.max(degree, graph.first[v + 1] - graph.first[v]);
    this.stride = degree + 1;
    this.now = new Int32Array(graph.vertexCount).fill(NONE);
    this.after = new Int32Array(graph.vertexCount).fill(NONE);
    this.choices = new Int32Array(robots * this.stride);
    this.counts = new Int32Array(robots);
    this.isOpen = new Uint8Array(robots);
    this.places = new Int32Array(robots);
    this.partners = new Int32Array(robots);
    this.stack = new Int32Array(robots + 1);
    this.keys = new Float64Array(this.stride);
  }

  generate(from: Int32Array, to: Int32Array, order: ArrayLike<number>): boolean {
    const { now, after } = this;
    const robots = from.length;
    for (let i = 0; i < robots; i++) now[from[i]] = i;
    let ok = true;
    for (let i = 0; i < robots && ok; i++) {
      const u = to[i];
      if (u === NONE) continue;
      const j = now[u];
      if (after[u] !== NONE || (j !== NONE && j !== i && to[j] === from[i])) ok = false;
      else after[u] = i;
    }
    if (ok && !this.rotations)
      for (let i = 0; i < robots && ok; i++)
        if (to[i] !== NONE && to[i] !== from[i] && this.closesCircle(from, to, from[i], to[i])) ok = false;
    for (let k = 0; k < robots && ok; k++) if (to[order[k]] === NONE) ok = this.choose(order[k], from, to);
    for (let i = 0; i < robots; i++) {
      now[from[i]] = NONE;
      if (to[i] !== NONE) after[to[i]] = NONE;
    }
    // A robot whose reservation another took over has left nothing behind, but a failed one may have: its own place.
    if (!ok) for (let i = 0; i < robots; i++) after[from[i]] = NONE;
    return ok;
  }

  /** Chooses for the robot and all that inherit its priority. */
  private choose(robot: number, from: Int32Array, to: Int32Array): boolean {
    const { now, after, choices, counts, places, partners, stack, stride, rotations } = this;
    let depth = 0;
    stack[0] = robot;
    this.prepare(robot, from, to);
    for (;;) {
      const i = stack[depth];
      const place = ++places[i];
      if (place >= counts[i]) {
        if (this.isOpen[i] !== 0) {
          this.list(i, from[i], choices[i * stride]);
          places[i]--;
          continue;
        }
        after[from[i]] = i;
        to[i] = from[i];
        if (depth === 0) return false;
        depth--;
        continue;
      }
      const u = choices[i * stride + place];
      if (after[u] !== NONE) continue;
      const j = now[u];
      if (j !== NONE && to[j] === from[i]) continue;
      if (!rotations && j !== NONE && j !== i && this.closesCircle(from, to, from[i], u)) continue;
      after[u] = i;
      to[i] = u;
      if (j !== NONE && j !== i && to[j] === NONE) {
        stack[++depth] = j;
        this.prepare(j, from, to);
        continue;
      }
      for (; depth >= 0; depth--) {
        const k = stack[depth];
        const partner = partners[k];
        if (places[k] !== 0 || partner === NONE || to[partner] !== NONE || after[from[k]] !== NONE) continue;
        if (!rotations && this.closesCircle(from, to, from[partner], from[k])) continue;
        after[from[k]] = partner;
        to[partner] = from[k];
      }
      return true;
    }
  }

  /** Sorts where the robot may go, nearest to its goal first, or farthest when it has to let another pass. */
  private prepare(i: number, from: Int32Array, to: Int32Array): void {
    const v = from[i];
    const base = i * this.stride;
    const wished = this.guide === null ? NONE : this.guide.following(i, v);
    this.places[i] = -1;
    if (wished === NONE) this.list(i, v, NONE);
    else {
      this.choices[base] = wished;
      this.counts[i] = 1;
      this.isOpen[i] = 1;
    }
    const partner = this.findPartner(i, this.choices[base], from, to);
    this.partners[i] = partner;
    if (partner === NONE) return;
    if (wished !== NONE) this.list(i, v, wished);
    const { choices } = this;
    for (let a = base, b = base + this.counts[i] - 1; a < b; a++, b--) {
      const c = choices[a];
      choices[a] = choices[b];
      choices[b] = c;
    }
  }

  /** All places of a robot at v, the wished one first, the rest by their distance to the goal, ties by chance. */
  private list(i: number, v: number, wished: number): void {
    const { first, next } = this.graph;
    const { choices, keys, stride } = this;
    const row = this.distances.row(i);
    const base = i * stride;
    let count = 0;
    for (let e = first[v]; e <= first[v + 1]; e++) {
      const isOwn = e === first[v + 1];
      const u = isOwn ? v : next[e];
      const chance = isOwn ? 0 : (this.random.nextUint32() >>> 8) / 16777216;
      const key =
        u === wished ? -1 : row[u] + (this.before !== null && this.isStraight(this.before[i], v, u) ? 0 : chance);
      let at = count++;
      for (; at > 0 && keys[at - 1] > key; at--) {
        keys[at] = keys[at - 1];
        choices[base + at] = choices[base + at - 1];
      }
      keys[at] = key;
      choices[base + at] = u;
    }
    this.counts[i] = count;
    this.isOpen[i] = 0;
  }

  private isStraight(a: number, v: number, u: number): boolean {
    const { x, y } = this.graph;
    return a !== v && x[v] - x[a] === x[u] - x[v] && y[v] - y[a] === y[u] - y[v];
  }

  /** The robot that has to be drawn along so that the two can pass each other, or -1. */
  private findPartner(i: number, wanted: number, from: Int32Array, to: Int32Array): number {
    const { now } = this;
    const v = from[i];
    if (wanted === v || (this.swaps !== null && !this.hasSwap(v, wanted))) return NONE;
    const j = now[wanted];
    if (j !== NONE && j !== i && to[j] === NONE && this.isSwapNeeded(i, j, v, wanted) && this.isSwapPossible(wanted, v))
      return j;
    // One behind wants to come through, or has decided to: make way ahead of it.
    const { first, next } = this.graph;
    for (let e = first[v]; e < first[v + 1]; e++) {
      const k = now[next[e]];
      if (k !== NONE && next[e] !== wanted && this.isSwapNeeded(k, i, v, wanted) && this.isSwapPossible(wanted, v))
        return k;
    }
    return NONE;
  }

  private hasSwap(v: number, u: number): boolean {
    const { first, next } = this.graph;
    for (let e = first[v]; e < first[v + 1]; e++) if (next[e] === u) return this.swaps![e] !== 0;
    return false;
  }

  /** Whether `pusher` at a, driving `puller` at b before it through a corridor, would have to change places with it. */
  private isSwapNeeded(pusher: number, puller: number, a: number, b: number): boolean {
    // Where the way widens at once, rows of distances need not be read: only a pusher whose goal is here would still wait for the swap.
    const isWide = this.onlyWayOn(a, b) === SEVERAL;
    if (isWide && this.goals[pusher] !== a) return false;
    const rowOfPusher = this.distances.row(pusher);
    const rowOfPuller = this.distances.row(puller);
    while (rowOfPusher[b] < rowOfPusher[a]) {
      const way = this.onlyWayOn(a, b);
      if (way === SEVERAL) return false;
      if (way === NONE) break;
      a = b;
      b = way;
    }
    return rowOfPuller[a] < rowOfPuller[b] && (rowOfPusher[a] === 0 || rowOfPusher[b] < rowOfPusher[a]);
  }

  /** Whether going on from a to b, and on along the corridor, comes to a place with room for two. */
  private isSwapPossible(a: number, b: number): boolean {
    const start = a;
    while (b !== start) {
      const way = this.onlyWayOn(a, b);
      if (way === SEVERAL) return true;
      if (way === NONE) return false;
      a = b;
      b = way;
    }
    return false;
  }

  /** The one neighbour of b besides a, leaving out dead ends whose robot is home; -1 when there is none, -2 when several. */
  private onlyWayOn(a: number, b: number): number {
    const { first, next } = this.graph;
    let way = NONE;
    for (let e = first[b]; e < first[b + 1]; e++) {
      const u = next[e];
      if (u === a) continue;
      if (first[u + 1] - first[u] === 1) {
        const k = this.now[u];
        if (k !== NONE && this.goals[k] === u) continue;
      }
      if (way !== NONE) return SEVERAL;
      way = u;
    }
    return way;
  }

  /** Whether a move from v to u joins robots that enter each other's places to a closed chain. */
  private closesCircle(from: Int32Array, to: Int32Array, v: number, u: number): boolean {
    for (let x = u, n = 0; n <= from.length; n++) {
      const k = this.now[x];
      if (k === NONE || to[k] === NONE || to[k] === x) return false;
      x = to[k];
      if (x === v) return true;
    }
    return false;
  }
}

const SEVERAL = -2;

/**
 * The next place of each robot's way after each of its places: looked up where the robot was last, and else in a hash table for all.
 * A way enters no place twice, so the look is a hint that decides nothing.
 */
class WayTable {
  private readonly places: Int32Array;
  private readonly starts: Int32Array;
  private readonly cursors: Int32Array;
  private readonly keys: Float64Array;
  private readonly values: Int32Array;

  constructor(ways: readonly Int32Array[]) {
    let count = 0;
    for (const way of ways) count += way.length;
    this.places = new Int32Array(count);
    this.starts = new Int32Array(ways.length + 1);
    let size = 16;
    while (size < 2 * count) size *= 2;
    this.keys = new Float64Array(size).fill(-1);
    this.values = new Int32Array(size);
    ways.forEach((way, robot) => {
      const start = this.starts[robot];
      this.starts[robot + 1] = start + way.length;
      this.places.set(way, start);
      for (let t = 0; t + 1 < way.length; t++) {
        const s = this.locate(robot, way[t]);
        this.keys[s] = robot * 16777216 + way[t];
        this.values[s] = start + t;
      }
    });
    this.cursors = this.starts.slice();
  }

  following(robot: number, v: number): number {
    const { cursors, places } = this;
    const end = this.starts[robot + 1];
    let t = cursors[robot];
    if (t >= end) return NONE;
    if (places[t] !== v) {
      if (t + 1 < end && places[t + 1] === v) t++;
      else {
        const s = this.locate(robot, v);
        if (this.keys[s] < 0) return NONE;
        t = this.values[s];
      }
      cursors[robot] = t;
    }
    return t + 1 < end ? places[t + 1] : NONE;
  }

  private locate(robot: number, v: number): number {
    const key = robot * 16777216 + v;
    const mask = this.keys.length - 1;
    let h = Math.imul(v ^ Math.imul(robot, 0x9e3779b1), 0x85ebca6b);
    h ^= h >>> 15;
    for (let s = h & mask; ; s = (s + 1) & mask) if (this.keys[s] === key || this.keys[s] < 0) return s;
  }
}
