/**
 * Multi-agent path finding as a problem: where each robot starts and where it has to be, one vertex each, and what a plan of it is.
 *
 * In one step a robot stays or goes to a neighbouring vertex. Never are two on one vertex, and never do two change places in one step.
 * A robot may enter a vertex in the step in which another leaves it; where `rotations` is false no closed chain of robots does so.
 * Source: Stern, Sturtevant, Felner et al. 2019, "Multi-agent pathfinding: definitions, variants, and benchmarks", SoCS, section 2.
 */
import { isArrayOf, requireFlag, requireInstance, requireList, requireObject, throwMisuse } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { PathGraph } from './path-graph.js';

export interface PathProblem {
  readonly graph: PathGraph;
  /** A vertex per robot, no two equal. */
  readonly starts: ArrayLike<number>;
  readonly goals: ArrayLike<number>;
  /**
   * Whether robots in a closed chain may all move into each other's places at once. Default true, as is usual for the problem; robots that
   * wait for the one before them to have left cannot do it, so plans that are to be executed are made without.
   */
  readonly rotations?: boolean;
}

/** Vertices of a robot at times 0, 1, ...: it stays at the last one. */
export type RobotPath = Int32Array;

export function requirePathGraph(call: string, graph: unknown): asserts graph is PathGraph {
  requireObject(call, 'graph', graph, 'a graph of createGridGraph or createRoadmapGraph');
  const { first, next } = graph as PathGraph;
  requireInstance(call, 'graph.first', first, Int32Array, 'an Int32Array');
  requireInstance(call, 'graph.next', next, Int32Array, 'an Int32Array');
}

export function requirePathProblem(call: string, problem: unknown): asserts problem is PathProblem {
  requireObject(call, 'problem', problem);
  const { graph, starts, goals, rotations } = problem as PathProblem;
  requirePathGraph(call, graph);
  requireVertices(call, 'starts', starts, graph.vertexCount);
  requireVertices(call, 'goals', goals, graph.vertexCount);
  if (starts.length !== goals.length)
    throw new MisuseError(`${call}: goals, got ${goals.length}, expected as many as starts, ${starts.length}`);
  if (rotations !== undefined) requireFlag(call, 'rotations', rotations);
}

/** A vertex per robot, none twice. */
export function requireVertices(call: string, what: string, vertices: unknown, vertexCount: number): void {
  if (!isArrayOf(vertices)) throwMisuse(call, what, vertices, 'an array of vertices');
  const seen = new Int32Array(vertexCount).fill(-1);
  for (let i = 0; i < vertices.length; i++) {
    const v = vertices[i] as number;
    if (!Number.isInteger(v) || v < 0 || v >= vertexCount)
      throwMisuse(call, `${what}[${i}]`, v, `a vertex from 0 to ${vertexCount - 1}`);
    if (seen[v] >= 0) throwMisuse(call, `${what}[${i}]`, v, `another vertex than ${what}[${seen[v]}]`);
    seen[v] = i;
  }
}

export interface PathCosts {
  /** Steps until the last robot is at its goal for good. */
  readonly makespan: number;
  /** Over the robots, steps until each is at its goal for good. */
  readonly sumOfCosts: number;
}

export function requireRobotPaths(call: string, paths: unknown): asserts paths is readonly RobotPath[] {
  requireList(call, 'paths', paths);
  paths.forEach((path, i) => {
    requireInstance(call, `paths[${i}]`, path, Int32Array, 'an Int32Array');
  });
}

/** Steps until the robot is at the end of its path for good. */
export function pathCost(path: RobotPath): number {
  let last = path.length - 1;
  while (last > 0 && path[last - 1] === path[last]) last--;
  return last;
}

export function measurePaths(paths: readonly RobotPath[]): PathCosts {
  requireRobotPaths('measurePaths', paths);
  let makespan = 0;
  let sumOfCosts = 0;
  for (const path of paths) {
    const cost = pathCost(path);
    makespan = Math.max(makespan, cost);
    sumOfCosts += cost;
  }
  return { makespan, sumOfCosts };
}
