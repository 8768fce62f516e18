/**
 * Proofs that a multi-agent problem has no solution which need no search.
 *
 * - A robot's goal lies in another component than its start.
 * - A component is one line of places: robots on it keep their order, so starts and goals must come in the same order along it.
 * - A component is one ring: robots keep their order around it. Without rotations a full ring cannot move at all.
 * - Every place of a component is taken and nothing may rotate: nobody can move, so everybody must be at its goal.
 * Cost: O(vertices + robots log robots). Silence proves nothing. Tested by plan-paths.test.ts against exhaustive search.
 */
import { labelComponents, type PathGraph } from './path-graph.js';

export function proveUnsolvable(
  graph: PathGraph,
  starts: Int32Array,
  goals: Int32Array,
  rotations: boolean,
): string | null {
  const label = labelComponents(graph);
  const components = Math.max(-1, ...new Set(label)) + 1;
  const robots: number[][] = Array.from({ length: components }, () => []);
  for (let i = 0; i < starts.length; i++) {
    if (label[starts[i]] !== label[goals[i]])
      return `robot ${i} starts in a part of the map from which its goal cannot be reached`;
    robots[label[starts[i]]].push(i);
  }
  const members: number[][] = Array.from({ length: components }, () => []);
  for (let v = 0; v < graph.vertexCount; v++) members[label[v]].push(v);
  for (let c = 0; c < components; c++) {
    if (robots[c].every((i) => starts[i] === goals[i])) continue;
    if (robots[c].length === members[c].length && !rotations)
      return `every place of the part of robot ${robots[c][0]} is taken, so that nobody can move`;
    const line = orderLine(graph, members[c]);
    if (line === null) continue;
    const place = new Map(line.places.map((v, k) => [v, k]));
    const from = [...robots[c]].sort((a, b) => place.get(starts[a])! - place.get(starts[b])!);
    const to = [...robots[c]].sort((a, b) => place.get(goals[a])! - place.get(goals[b])!);
    const shift = line.isRing ? to.indexOf(from[0]) : 0;
    const k = from.findIndex((i, n) => to[(n + shift) % to.length] !== i);
    if (k >= 0)
      return `robots ${from[k]} and ${to[(k + shift) % to.length]} would have to pass each other on a ${line.isRing ? 'ring' : 'line'} of places without a side way`;
  }
  return null;
}

/** The places in their order when the component is a line or a ring. */
function orderLine(graph: PathGraph, members: readonly number[]): { places: number[]; isRing: boolean } | null {
  const { first, next } = graph;
  let end = -1;
  for (const v of members) {
    const degree = first[v + 1] - first[v];
    if (degree > 2) return null;
    if (degree < 2 && end < 0) end = v;
  }
  const places: number[] = [];
  let before = -1;
  let v = end >= 0 ? end : members[0];
  for (;;) {
    places.push(v);
    let on = -1;
    for (let e = first[v]; e < first[v + 1]; e++)
      if (next[e] !== before && next[e] !== places[0]) on = on < 0 ? next[e] : on;
    if (places.length === members.length || on < 0) break;
    before = v;
    v = on;
  }
  return { places, isRing: end < 0 };
}
