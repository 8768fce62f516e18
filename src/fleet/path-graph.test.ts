import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { listBridges } from './bridges.js';
import { GoalDistances } from './goal-distances.js';
import { AGAINST, ALONG, listLaneCosts } from './lanes.js';
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

  it('aisles run there and back by turns', () => {
    const graph = createGridGraph(map('.....', '.@@@.', '.....', '.@@@.', '.....', '.@@@.', '.....'));
    const costs = listLaneCosts(graph)!;
    const costOf = (column: number, row: number, to: number): number => {
      const [u, v] = [column, to].map((x) => graph.vertexOfCell![row * 5 + x]);
      // Entries are of the place that is gone to.
      for (let e = graph.first[v]; e < graph.first[v + 1]; e++) if (graph.next[e] === u) return costs[e];
      return 0;
    };
    expect([0, 2, 4, 6].map((row) => costOf(1, row, 2))).toEqual([ALONG, AGAINST, ALONG, AGAINST]);
    expect([0, 2, 4, 6].map((row) => costOf(2, row, 1))).toEqual([AGAINST, ALONG, AGAINST, ALONG]);
    expect(listLaneCosts(createRoadmapGraph([0, 0, 1, 0], [0, 1]))).toBeNull();
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
      const costs = listLaneCosts(grid)!;
      const weighed = new GoalDistances(grid, [0], costs).row(0);
      const least = new Array(grid.vertexCount).fill(65535);
      least[0] = 0;
      for (let k = 0; k < grid.vertexCount; k++)
        for (let v = 0; v < grid.vertexCount; v++)
          for (let e = grid.first[v]; e < grid.first[v + 1]; e++)
            least[grid.next[e]] = Math.min(least[grid.next[e]], least[v] + costs[e]);
      expect([...weighed].slice(0, grid.vertexCount)).toEqual(least);
      for (const graph of [grid, roadmap]) {
        // An edge is a bridge where its ends are apart without it.
        const isBridge = listBridges(graph);
        for (let v = 0; v < graph.vertexCount; v++)
          for (let e = graph.first[v]; e < graph.first[v + 1]; e++) {
            const u = graph.next[e];
            const reached = new Set([v]);
            for (const a of reached)
              for (let f = graph.first[a]; f < graph.first[a + 1]; f++)
                if (!(a === v && graph.next[f] === u)) reached.add(graph.next[f]);
            expect(isBridge[e]).toBe(reached.has(u) ? 0 : 1);
          }
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
