/**
 * Steps from every vertex to each robot's goal, as if it were alone.
 *
 * Method: a breadth-first search from the goal, made when the robot's row is first asked for.
 * Rows: Uint16Array per robot, one entry per vertex, 65535 where the goal cannot be reached; Int32Array (2^31 - 1) where a graph has more than
 * 65,534 vertices. Robots with one goal share a row. Cost: O(vertices) time and memory per row.
 * Tested by path-graph.test.ts.
 */
import type { PathGraph } from './path-graph.js';

export type DistanceRow = Uint16Array | Int32Array;

export class GoalDistances {
  /** What a row holds where the goal cannot be reached. */
  readonly unreachable: number;
  private readonly rows: (DistanceRow | null)[];
  private readonly queue: Int32Array;
  private readonly byGoal = new Map<number, DistanceRow>();

  constructor(
    readonly graph: PathGraph,
    private readonly goals: ArrayLike<number>,
  ) {
    this.unreachable = graph.vertexCount < 65535 ? 65535 : 2147483647;
    this.rows = new Array(goals.length).fill(null);
    this.queue = new Int32Array(graph.vertexCount);
  }

  row(robot: number): DistanceRow {
    return this.rows[robot] ?? this.makeRow(robot);
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
    const { unreachable, queue } = this;
    const { vertexCount, first, next } = this.graph;
    const row = (unreachable === 65535 ? new Uint16Array(vertexCount) : new Int32Array(vertexCount)).fill(unreachable);
    let tail = 0;
    row[goal] = 0;
    queue[tail++] = goal;
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
