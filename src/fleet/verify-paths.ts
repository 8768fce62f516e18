/**
 * Independent check of a multi-agent plan: it shares nothing with the planners but the graph.
 *
 * Method: each path starts and ends where it should and goes along edges; at each time the occupied vertices are written down with the
 * time as a stamp, so that a second robot on one is seen; a swap is seen as one who enters the vertex of another that enters its own;
 * a rotation by following, from each robot that enters a left vertex, who enters whose place.
 * Cost: O(robots x makespan), twice that with rotations. Tested by plan-paths.test.ts, which breaks plans on purpose.
 */
import { requireCount } from '../math/arguments.js';
import { type PathProblem, type RobotPath, requirePathProblem, requireRobotPaths } from './path-problem.js';

export interface PathConflict {
  readonly kind: 'start' | 'goal' | 'edge' | 'vertex' | 'swap' | 'rotation';
  /** Robots in it, one or more. */
  readonly robots: readonly number[];
  /** Time at the end of the step. */
  readonly time: number;
  readonly vertex: number;
}

/** The first conflict of each kind and time in the order of time, at most `most` (default 100); empty for a plan that holds. */
export function verifyPaths(problem: PathProblem, paths: readonly RobotPath[], most = 100): PathConflict[] {
  requirePathProblem('verifyPaths', problem);
  requireRobotPaths('verifyPaths', paths);
  requireCount('verifyPaths', 'most', most, 1);
  const { graph, starts, goals, rotations = true } = problem;
  const found: PathConflict[] = [];
  const report = (kind: PathConflict['kind'], time: number, vertex: number, ...robots: number[]) => {
    if (found.length < most) found.push({ kind, robots, time, vertex });
  };
  let horizon = 0;
  for (let i = 0; i < starts.length; i++) {
    const path = paths[i];
    if (path === undefined || path.length === 0 || path[0] !== starts[i]) report('start', 0, starts[i], i);
    if (path === undefined || path.length === 0) continue;
    if (path[path.length - 1] !== goals[i]) report('goal', path.length - 1, goals[i], i);
    horizon = Math.max(horizon, path.length - 1);
    for (let t = 1; t < path.length; t++)
      if (path[t] !== path[t - 1] && !isEdge(graph, path[t - 1], path[t])) report('edge', t, path[t], i);
  }
  if (found.length > 0) return found;

  // Some times of all robots at once, from `begin` on: columns of the paths would be read from far apart in memory.
  const columns = new Int32Array((COLUMNS + 1) * paths.length);
  let begin = 0;
  const readColumns = () => {
    for (let i = 0; i < paths.length; i++)
      for (let k = 0; k <= COLUMNS; k++)
        columns[k * paths.length + i] = paths[i][Math.min(begin + k, paths[i].length - 1)];
  };
  readColumns();
  const at = (i: number, t: number) => columns[(t - begin) * paths.length + i];
  let before = new Int32Array(graph.vertexCount).fill(-1);
  let now = new Int32Array(graph.vertexCount).fill(-1);
  for (let t = 0; t <= horizon; t++) {
    if (t > begin + COLUMNS) {
      begin = t - 1;
      readColumns();
    }
    now.fill(-1);
    for (let i = 0; i < paths.length; i++) {
      const v = at(i, t);
      if (now[v] >= 0) report('vertex', t, v, now[v], i);
      now[v] = i;
    }
    if (t > 0)
      for (let i = 0; i < paths.length; i++) {
        const from = at(i, t - 1);
        const to = at(i, t);
        if (from === to) continue;
        const j = before[to];
        if (j < 0 || j === i) continue;
        if (at(j, t) === from && i < j) report('swap', t, to, i, j);
        if (!rotations) {
          const chain = closedChain(i, t, before, at, paths.length);
          if (chain.length > 2) report('rotation', t, to, ...chain);
        }
      }
    [before, now] = [now, before];
  }
  return found;
}

const COLUMNS = 32;

/** Robots that enter each other's places in a circle, told by the one of the smallest number. */
function closedChain(
  i: number,
  t: number,
  before: Int32Array,
  at: (i: number, t: number) => number,
  most: number,
): number[] {
  const chain = [i];
  for (let k = before[at(i, t)]; chain.length <= most; k = before[at(k, t)]) {
    if (k === i) return chain;
    if (k < i || at(k, t) === at(k, t - 1)) return [];
    chain.push(k);
  }
  return [];
}

function isEdge({ first, next, vertexCount }: PathProblem['graph'], a: number, b: number): boolean {
  if (!(a >= 0 && a < vertexCount)) return false;
  for (let e = first[a]; e < first[a + 1]; e++) if (next[e] === b) return true;
  return false;
}
