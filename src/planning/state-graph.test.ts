import { describe, expect, test } from 'vitest';
import { createRandom } from '../math/random.js';
import { createTransform } from '../math/transform.js';
import { buildModel } from '../model/build-model.js';
import type { JointType } from '../model/description.js';
import { createConfigurationSpace } from './configuration-space.js';
import { createRealVectorSpace } from './real-vector-space.js';
import { createStateGraph, type StateGraph } from './state-graph.js';
import type { StateSpace } from './types.js';

function body(...types: JointType[]): StateSpace {
  const { model } = buildModel({
    name: 'body',
    links: Array.from({ length: types.length + 1 }, (_, i) => ({ name: `link${i}` })),
    joints: types.map((type, i) => ({
      ...{ name: `joint${i}`, type, parent: `link${i}`, child: `link${i + 1}`, axis: [0, 0, 1] as const },
      origin: createTransform(),
    })),
  });
  return createConfigurationSpace(model, { weights: types.map((_, i) => 1 + 0.4 * i) });
}

const spaces: [string, StateSpace][] = [
  ['weighted', createRealVectorSpace({ lower: [0, 0, 0], upper: [1, 2, 3], weights: [1, 2, 0.5] })],
  ['wrapping', createRealVectorSpace({ lower: [0, 0], upper: [1, 1], wrap: [true, false] })],
  [
    'seven numbers, three wrap',
    createRealVectorSpace({
      ...{ lower: [-1, -2, 0, 0, 0, 0, 0], upper: [1, 2, 6, 1, 1, 1, 1], weights: [1, 0.5, 0.2, 1, 1, 2, 1] },
      wrap: [true, true, true, false, false, false, false],
    }),
  ],
  ['turns without limits', body('continuous', 'continuous', 'prismatic')],
  ['a rigid body', body('floating')],
  ['balls and a planar base', body('planar', 'spherical', 'spherical')],
];

function build(space: StateSpace, seed: number, count: number): { graph: StateGraph; states: Float64Array[] } {
  const random = createRandom(seed);
  const graph = createStateGraph(space);
  const states = Array.from({ length: count }, (_, i) => {
    const q = space.sample(new Float64Array(space.dimension), random);
    // Some states twice, for ties.
    return i % 9 === 8 ? space.sample(q, createRandom(3)) : q;
  });
  states.forEach((state, i) => {
    expect(graph.add(state)).toBe(i);
  });
  for (let i = 0; i < count; i += 7) graph.remove(i);
  return { graph, states };
}

describe.each(spaces)('%s', (_, space) => {
  test('neighbours by number and by radius are those of sorting all', () => {
    const { graph, states } = build(space, 5, 1100);
    const random = createRandom(6);
    const out = new Int32Array(1200);
    const distances = new Float64Array(1200);
    for (let round = 0; round < 40; round++) {
      const q = space.sample(new Float64Array(space.dimension), random);
      if (round % 10 === 0) space.sample(q, createRandom(3));
      // Angles without limits may be turns away.
      if (round % 7 === 0 && space.coordinates?.kinds[0] === 2) q[0] += 4 * Math.PI;
      const sorted = states
        .map((state, node) => ({ node, d: space.distance(state, q) }))
        .filter(({ node }) => graph.has(node))
        .sort((a, b) => (Math.abs(a.d - b.d) > 1e-13 ? a.d - b.d : a.node - b.node));
      const k = 1 + (round % 13);
      expect(graph.nearest(out, distances, q, k)).toBe(k);
      expect(Array.from(out.subarray(0, k))).toEqual(sorted.slice(0, k).map(({ node }) => node));
      const radius = 0.1 * (1 + (round % 4));
      const inside = sorted.filter(({ d }) => d <= radius);
      const found = graph.within(out, distances, q, radius);
      expect(Array.from(out.subarray(0, found))).toEqual(inside.map(({ node }) => node));
      for (let i = 0; i < found; i++) expect(distances[i]).toBeCloseTo(inside[i].d, 13);
    }
    expect(graph.nearest(out.subarray(0, 0), distances, states[0], 3)).toBe(0);
  });

  test('costs stay those of the ways while nodes are rewired, cut and removed', () => {
    const { graph } = build(space, 8, 120);
    const random = createRandom(9);
    graph.setRoot(1);
    const isBehind = (node: number, above: number): boolean => {
      for (let up = node; up >= 0; up = graph.parents[up]) if (up === above) return true;
      return false;
    };
    for (let step = 0; step < 3000; step++) {
      const a = 1 + random.integer(119);
      const b = 1 + random.integer(119);
      if (a === b || !graph.has(a) || !graph.has(b)) continue;
      if (step % 3 === 0) graph.connect(a, b, random.next());
      else if (step % 50 === 1 && a !== 1) graph.remove(a);
      else if (step % 11 === 1) graph.disconnect(a, b);
      else if (a !== 1 && graph.lengthOf(a, b) !== undefined && !isBehind(b, a)) graph.rewire(a, b);
      if (step % 10 !== 0) continue;
      for (let node = 1; node < 120; node++) {
        if (!graph.has(node)) continue;
        let cost = 0;
        let at = node;
        for (; graph.parents[at] >= 0; at = graph.parents[at]) cost += graph.lengthOf(at, graph.parents[at])!;
        expect(graph.costs[node]).toBeCloseTo(at === 1 ? cost : Infinity, 12);
      }
    }
  });
});

test('shortest ways are those of Bellman and Ford; blocked edges are taken away', () => {
  const space = createRealVectorSpace({ lower: [0, 0], upper: [1, 1] });
  for (let seed = 1; seed < 8; seed++) {
    const random = createRandom(seed);
    const graph = createStateGraph(space);
    const states = Array.from({ length: 60 }, () => space.sample(new Float64Array(2), random));
    for (const state of states) graph.add(state);
    const edges: [number, number, number][] = [];
    for (let i = 0; i < 60; i++)
      for (let j = 0; j < i; j++)
        if (space.distance(states[i], states[j]) < 0.25) edges.push([i, j, space.distance(states[i], states[j])]);
    for (const [i, j, d] of edges) graph.connect(i, j, d);
    const isFree = (a: number, b: number): boolean => (a + b + seed) % 4 !== 0;
    const shortest = (usable: typeof edges): number => {
      const d = new Array<number>(60).fill(Infinity);
      d[0] = 0;
      for (let round = 0; round < 60; round++)
        for (const [i, j, length] of usable) {
          d[i] = Math.min(d[i], d[j] + length);
          d[j] = Math.min(d[j], d[i] + length);
        }
      return d[59];
    };
    const lengthOf = (way: number[]): number =>
      way.length === 0 ? Infinity : way.slice(1).reduce((sum, node, i) => sum + graph.lengthOf(way[i], node)!, 0);
    expect(lengthOf(graph.shortestWay(0, 59))).toBeCloseTo(shortest(edges), 12);
    const way = graph.shortestWay(0, 59, isFree);
    expect(lengthOf(way)).toBeCloseTo(shortest(edges.filter(([i, j]) => isFree(i, j))), 12);
  }
});

test('misuse throws', () => {
  const graph = createStateGraph(createRealVectorSpace({ lower: [0], upper: [1] }));
  const a = graph.add(Float64Array.of(0));
  const b = graph.add(Float64Array.of(1));
  expect(() => graph.connect(a, 7, 1)).toThrow(/got 7/);
  expect(() => graph.rewire(a, b)).toThrow(/edge/);
  graph.connect(a, b, 1);
  graph.rewire(b, a);
  expect(() => graph.rewire(a, b)).toThrow(/descendants/);
});
