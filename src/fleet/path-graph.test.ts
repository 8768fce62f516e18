import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { GoalDistances } from './goal-distances.js';
import { createGridGraph, createRoadmapGraph, labelComponents } from './path-graph.js';

const map = (...rows: string[]) => ({
  width: rows[0].length,
  height: rows.length,
  free: Uint8Array.from(rows.join(''), (c) => (c === '.' ? 1 : 0)),
});

describe('path graphs', () => {
  it('join free cells that share a side', () => {
    const graph = createGridGraph(map('..@', '@..'), 2);
    expect(graph.vertexCount).toBe(4);
    expect([...graph.first]).toEqual([0, 1, 3, 5, 6]);
    expect([...graph.next]).toEqual([1, 0, 2, 1, 3, 2]);
    expect([graph.x[3], graph.y[3]]).toEqual([4, 2]);
    expect([...graph.vertexOfCell!]).toEqual([0, 1, -1, -1, 2, 3]);
  });

  it('hold roadmaps, edges once and both ways', () => {
    const graph = createRoadmapGraph([0, 0, 1, 0, 5, 5], [0, 1, 1, 0]);
    expect([...graph.next]).toEqual([1, 0]);
    expect([...labelComponents(graph)]).toEqual([0, 0, 1]);
    expect(() => createRoadmapGraph([0, 0], [0, 1])).toThrow(/createRoadmapGraph: edges\[0\], got 0-1/);
  });

  it('distances equal relaxation until nothing changes, on grids and on roadmaps of any degree', () => {
    const random = createRandom(1);
    for (let n = 0; n < 20; n++) {
      const rows = Array.from({ length: 6 }, () =>
        Array.from({ length: 7 }, () => (random.next() < 0.3 ? '@' : '.')).join(''),
      );
      rows[0] = `.${rows[0].slice(1)}`;
      const grid = createGridGraph(map(...rows));
      const edges = Array.from({ length: 60 }, (_, k) => (k % 2 === 0 ? random.integer(5) : 5 + random.integer(7)));
      const roadmap = createRoadmapGraph(
        Array.from({ length: 24 }, () => random.next()),
        edges,
      );
      for (const graph of [grid, roadmap]) {
        const row = new GoalDistances(graph, [0]).row(0);
        const expected = new Array(graph.vertexCount).fill(65535);
        expected[0] = 0;
        for (let k = 0; k < graph.vertexCount; k++)
          for (let v = 0; v < graph.vertexCount; v++)
            for (let e = graph.first[v]; e < graph.first[v + 1]; e++)
              expected[graph.next[e]] = Math.min(expected[graph.next[e]], expected[v] + 1);
        expect([...row].slice(0, graph.vertexCount)).toEqual(expected);
      }
    }
  });
});
