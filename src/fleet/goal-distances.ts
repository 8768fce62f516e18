/**
 * Steps from every vertex to each robot's goal, as if it were alone; or what they cost where moves cost differently (lanes.ts).
 *
 * Method: a breadth-first search from the goal, made when the robot's row is first asked for; with costs by buckets (R. B. Dial 1969,
 * doi:10.1145/363269.363610).
 * Rows: Uint16Array per robot, one entry per vertex and one more of no meaning, 65535 where the goal cannot be reached; Int32Array (2^31 - 1) where a graph has more than
 * 65,534 vertices, with costs where one could cost as much. Robots with one goal share a row. Cost: O(vertices) time and memory per row.
 * Tested by path-graph.test.ts.
 */
import type { PathGraph } from './path-graph.js';

export type DistanceRow = Uint16Array | Int32Array;

export class GoalDistances {
  /** What a row holds where the goal cannot be reached. */
  readonly unreachable: number;
  private readonly goals: number[];
  private readonly rows: (DistanceRow | null)[];
  private readonly queue: Int32Array;
  private readonly fourNeighbours: Int32Array | null;
  private readonly byGoal = new Map<number, DistanceRow>();

  constructor(
    readonly graph: PathGraph,
    goals: ArrayLike<number>,
    /** One per entry of `next`, from v to u: what going from u to v costs, 1 or 2. Null: 1 each. */
    private readonly costs: Uint8Array | null = null,
  ) {
    this.goals = Array.from(goals);
    this.unreachable = graph.vertexCount < (costs === null ? 65535 : 32767) ? 65535 : 2147483647;
    this.rows = new Array(goals.length).fill(null);
    this.queue = new Int32Array(graph.vertexCount);
    this.fourNeighbours = graph.vertexCount < 65535 && costs === null ? listFourNeighbours(graph) : null;
  }

  row(robot: number): DistanceRow {
    return this.rows[robot] ?? this.makeRow(robot);
  }

  /** Rows of former goals are kept: goals come back. */
  setGoal(robot: number, goal: number): void {
    this.goals[robot] = goal;
    this.rows[robot] = this.byGoal.get(goal) ?? null;
  }

  private makeRow(robot: number): DistanceRow {
    const goal = this.goals[robot];
    let row = this.byGoal.get(goal);
    if (row === undefined) {
      row = this.search(goal);
      this.byGoal.set(goal, row);
    }
    this.rows[robot] = row;
    return row;
  }

  private search(goal: number): DistanceRow {
    const { unreachable, queue, fourNeighbours } = this;
    const { vertexCount, first, next } = this.graph;
    const length = vertexCount + 1;
    const row = (unreachable === 65535 ? new Uint16Array(length) : new Int32Array(length)).fill(unreachable);
    let tail = 0;
    row[vertexCount] = 0;
    row[goal] = 0;
    queue[tail++] = goal;
    if (fourNeighbours !== null && row instanceof Uint16Array) {
      spreadOverGrid(row, queue, fourNeighbours);
      return row;
    }
    if (this.costs !== null) {
      spreadByCosts(this.graph, this.costs, row, goal);
      return row;
    }
    for (let head = 0; head < tail; head++) {
      const v = queue[head];
      const d = row[v] + 1;
      const end = first[v + 1];
      for (let e = first[v]; e < end; e++) {
        const u = next[e];
        if (row[u] !== unreachable) continue;
        row[u] = d;
        queue[tail++] = u;
      }
    }
    return row;
  }
}

/** Costs of 1 and 2: three buckets are enough. */
function spreadByCosts({ first, next }: PathGraph, costs: Uint8Array, row: DistanceRow, goal: number): void {
  const buckets: number[][] = [[goal], [], []];
  for (let d = 0, empty = 0; empty < 3; d++) {
    const bucket = buckets[d % 3];
    empty = bucket.length === 0 ? empty + 1 : 0;
    for (const v of bucket) {
      if (row[v] !== d) continue;
      for (let e = first[v]; e < first[v + 1]; e++) {
        const u = next[e];
        const c = d + costs[e];
        if (c >= row[u]) continue;
        row[u] = c;
        buckets[c % 3].push(u);
      }
    }
    bucket.length = 0;
  }
}

/** The same search, four neighbours at a time (2.7 times as fast, measured); `queue` holds the goal. */
function spreadOverGrid(row: Uint16Array, queue: Int32Array, neighbours: Int32Array): void {
  let tail = 1;
  for (let head = 0; head < tail; head++) {
    const v = queue[head];
    const d = row[v] + 1;
    const o = v << 2;
    const a = neighbours[o];
    const b = neighbours[o + 1];
    const c = neighbours[o + 2];
    const e = neighbours[o + 3];
    if (row[a] === 65535) {
      row[a] = d;
      queue[tail++] = a;
    }
    if (row[b] === 65535) {
      row[b] = d;
      queue[tail++] = b;
    }
    if (row[c] === 65535) {
      row[c] = d;
      queue[tail++] = c;
    }
    if (row[e] === 65535) {
      row[e] = d;
      queue[tail++] = e;
    }
  }
}

/** Four per vertex, the missing ones vertexCount, whose distance is 0 for good; null where one has more than four. */
function listFourNeighbours({ vertexCount, first, next }: PathGraph): Int32Array | null {
  const list = new Int32Array(4 * vertexCount).fill(vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    if (first[v + 1] - first[v] > 4) return null;
    for (let e = first[v]; e < first[v + 1]; e++) list[4 * v + e - first[v]] = next[e];
  }
  return list;
}
