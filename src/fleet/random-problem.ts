/** Seeded problems on a map: robots on different vertices, goals on different vertices, each goal within reach of its start. */
import { requireCount, requireSeed } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { createRandom } from '../math/random.js';
import { labelComponents, type PathGraph } from './path-graph.js';
import { type PathProblem, requirePathGraph } from './path-problem.js';

/** Vertices are drawn by a shuffle; where a map has several parts, goals are drawn within the part of the start. */
export function createRandomProblem(graph: PathGraph, robots: number, seed = 1): PathProblem {
  requirePathGraph('createRandomProblem', graph);
  requireCount('createRandomProblem', 'robots', robots, 1);
  requireSeed('createRandomProblem', seed);
  if (robots > graph.vertexCount)
    throw new MisuseError(
      `createRandomProblem: robots, got ${robots}, expected at most ${graph.vertexCount}, one per place`,
    );
  const random = createRandom(seed);
  const shuffled = () => {
    const list = Int32Array.from({ length: graph.vertexCount }, (_, v) => v);
    for (let k = list.length - 1; k > 0; k--) {
      const j = random.integer(k + 1);
      const v = list[k];
      list[k] = list[j];
      list[j] = v;
    }
    return list;
  };
  const label = labelComponents(graph);
  const starts = shuffled().slice(0, robots);
  const goals = new Int32Array(robots);
  const rest = new Map<number, number[]>();
  for (const v of shuffled()) {
    const list = rest.get(label[v]);
    if (list === undefined) rest.set(label[v], [v]);
    else list.push(v);
  }
  for (let i = 0; i < robots; i++) goals[i] = rest.get(label[starts[i]])!.pop()!;
  return { graph, starts, goals };
}
