/**
 * A way for each robot alone, chosen so that the ways use the map evenly and few would meet: guidance for the search, no plan.
 *
 * Method: robot by robot in a random order, a way of fewest meetings with the others' present ways, then of least length, at most `margin` longer
 * than the shortest; again and again while meetings become fewer and the work allows. Every place is entered once, at the time of its first
 * arrival, so a way is found in O(vertices log vertices).
 * Source: Okumura 2024, "Engineering LaCAM*: towards real-time, large-scale, and near-optimal multi-agent pathfinding", AAMAS, section 5
 * (space utilisation optimisation); Han, Yu 2022, "Optimizing space utilization for more effective multi-robot path planning",
 * ICRA.
 * Shapes: robots at a vertex at a time, and along a directed edge, are counts of one byte each.
 * Tested by plan-paths.test.ts.
 */
import type { SeededRandom } from '../math/random.js';
import type { GoalDistances } from './goal-distances.js';
import type { PathGraph } from './path-graph.js';

export interface SpreadPaths {
  /** Per robot, the vertices of its way; empty where there was no time for one. */
  readonly ways: readonly Int32Array[];
  readonly meetings: number;
}

const MARGIN = 10;
/** More places and times than this are not counted. */
const MOST_CELLS = 4e8;

export class PathSpreader {
  work = 0;
  private readonly horizon: number;
  private readonly visits: Uint8Array;
  private readonly moves: Uint8Array;
  private readonly restFrom: Int32Array;
  private readonly reverse: Int32Array;
  private readonly ways: Int32Array[];
  private readonly closed: Int32Array;
  private heapKeys = new Float64Array(1024);
  private heapNodes = new Int32Array(1024);
  private heapSize = 0;
  private nodeVertex = new Int32Array(1024);
  private nodeTime = new Int32Array(1024);
  private nodeMeetings = new Int32Array(1024);
  private nodeParent = new Int32Array(1024);
  private nodes = 0;
  private stamp = 0;

  constructor(
    private readonly graph: PathGraph,
    private readonly starts: Int32Array,
    private readonly goals: Int32Array,
    private readonly distances: GoalDistances,
    private readonly random: SeededRandom,
  ) {
    let longest = 0;
    for (let i = 0; i < starts.length; i++) longest = Math.max(longest, distances.row(i)[starts[i]]);
    this.horizon = longest + MARGIN + 2;
    this.visits = new Uint8Array(graph.vertexCount * this.horizon);
    this.moves = new Uint8Array(graph.next.length * this.horizon);
    this.restFrom = new Int32Array(graph.vertexCount).fill(2147483647);
    this.ways = Array.from(starts, () => new Int32Array(0));
    this.closed = new Int32Array(graph.vertexCount);
    this.reverse = reverseEdges(graph);
  }

  static fits(graph: PathGraph, longest: number): boolean {
    return (graph.vertexCount + graph.next.length) * (longest + MARGIN + 2) < MOST_CELLS;
  }

  /** Rounds over all robots until meetings no longer fall, at most `mostWork` states, or `isOver`. */
  spread(mostWork: number, isOver: () => boolean): SpreadPaths {
    const { starts, random, ways } = this;
    const order = Int32Array.from(starts.keys());
    let before = Number.POSITIVE_INFINITY;
    let meetings = 0;
    for (let round = 0; this.work < mostWork && !isOver(); round++) {
      for (let k = order.length - 1; k > 0; k--) {
        const j = random.integer(k + 1);
        const i = order[k];
        order[k] = order[j];
        order[j] = i;
      }
      meetings = 0;
      for (let k = 0; k < order.length && this.work < mostWork && !isOver(); k++) {
        const i = order[k];
        this.write(ways[i], -1);
        meetings += this.search(i);
        this.write(ways[i], 1);
      }
      if (round > 0 && meetings >= before) break;
      if (meetings === 0) break;
      before = meetings;
    }
    return { ways, meetings };
  }

  /** The meetings of the robot's new way, which replaces its old one. */
  private search(robot: number): number {
    const { graph, distances, starts, goals, closed, horizon } = this;
    const { first, next } = graph;
    const row = distances.row(robot);
    const start = starts[robot];
    const limit = row[start] + MARGIN;
    const stamp = ++this.stamp;
    this.heapSize = 0;
    this.nodes = 0;
    this.push(start, 0, 0, -1, row[start]);
    while (this.heapSize > 0) {
      const node = this.pop();
      const v = this.nodeVertex[node];
      if (closed[v] === stamp) continue;
      closed[v] = stamp;
      this.work++;
      if (v === goals[robot]) {
        const way = new Int32Array(this.nodeTime[node] + 1);
        for (let n = node; n >= 0; n = this.nodeParent[n]) way[this.nodeTime[n]] = this.nodeVertex[n];
        this.ways[robot] = way;
        return this.nodeMeetings[node];
      }
      const t = this.nodeTime[node] + 1;
      for (let e = first[v]; e < first[v + 1]; e++) {
        const u = next[e];
        if (closed[u] === stamp || t + row[u] > limit) continue;
        const meetings =
          this.visits[u * horizon + t] + this.moves[this.reverse[e] * horizon + t] + (t >= this.restFrom[u] ? 1 : 0);
        this.push(u, t, this.nodeMeetings[node] + meetings, node, t + row[u]);
      }
    }
    return 0;
  }

  private write(way: Int32Array, by: 1 | -1): void {
    const { graph, visits, moves, horizon } = this;
    if (way.length === 0) return;
    const last = way.length - 1;
    for (let t = 0; t <= last; t++) {
      const at = way[t] * horizon + t;
      // A full count stays: one byte of it is enough to keep others away.
      if (visits[at] < 255) visits[at] += by;
      if (t === 0) continue;
      for (let e = graph.first[way[t - 1]]; e < graph.first[way[t - 1] + 1]; e++)
        if (graph.next[e] === way[t] && moves[e * horizon + t] < 255) moves[e * horizon + t] += by;
    }
    this.restFrom[way[last]] = by > 0 ? last + 1 : 2147483647;
  }

  private push(v: number, t: number, meetings: number, parent: number, estimate: number): void {
    if (this.nodes === this.nodeVertex.length)
      for (const name of ['nodeVertex', 'nodeTime', 'nodeMeetings', 'nodeParent', 'heapNodes'] as const) {
        const grown = new Int32Array(2 * this.nodes);
        grown.set(this[name]);
        this[name] = grown;
        if (name === 'heapNodes') {
          const keys = new Float64Array(2 * this.nodes);
          keys.set(this.heapKeys);
          this.heapKeys = keys;
        }
      }
    const node = this.nodes++;
    this.nodeVertex[node] = v;
    this.nodeTime[node] = t;
    this.nodeMeetings[node] = meetings;
    this.nodeParent[node] = parent;
    const { heapKeys, heapNodes } = this;
    // Fewest meetings, then the shortest, then the farthest on its way.
    const key = (meetings * 65536 + estimate) * 65536 - t;
    let k = this.heapSize++;
    while (k > 0) {
      const up = (k - 1) >> 1;
      if (heapKeys[up] <= key) break;
      heapKeys[k] = heapKeys[up];
      heapNodes[k] = heapNodes[up];
      k = up;
    }
    heapKeys[k] = key;
    heapNodes[k] = node;
  }

  private pop(): number {
    const { heapKeys, heapNodes } = this;
    const top = heapNodes[0];
    const size = --this.heapSize;
    const key = heapKeys[size];
    const node = heapNodes[size];
    let k = 0;
    for (;;) {
      let child = 2 * k + 1;
      if (child >= size) break;
      if (child + 1 < size && heapKeys[child + 1] < heapKeys[child]) child++;
      if (heapKeys[child] >= key) break;
      heapKeys[k] = heapKeys[child];
      heapNodes[k] = heapNodes[child];
      k = child;
    }
    heapKeys[k] = key;
    heapNodes[k] = node;
    return top;
  }
}

function reverseEdges({ vertexCount, first, next }: PathGraph): Int32Array {
  const reverse = new Int32Array(next.length);
  for (let v = 0; v < vertexCount; v++)
    for (let e = first[v]; e < first[v + 1]; e++)
      for (let b = first[next[e]]; b < first[next[e] + 1]; b++) if (next[b] === v) reverse[e] = b;
  return reverse;
}
