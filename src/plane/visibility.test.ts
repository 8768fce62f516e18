/**
 * Views over trapezoids against every pair of vertices: what is seen is free, and what is free and passes no other vertex is seen; paths
 * along either graph are equally long.
 */
import { describe, expect, it } from 'vitest';
import { createConfigurationPieces } from './configuration-pieces.js';
import { arePointsEqual, createExactPoint, isBetween, orientPoints } from './exact-point.js';
import { forbidsPoint, forbidsSegment } from './pieces.js';
import { randomScene, type SceneChoice, seedsOf } from './random-scenes.test-support.js';
import { findShortestPath, searchAllCorners } from './shortest-path.js';
import { buildMap } from './trapezoid-map.js';
import { VisibilityView } from './visibility.js';
import { createVisibilityGraph } from './visibility-graph.js';

/** 10,000 scenes in all with ORACLE_FULL=1. */
const seeds = seedsOf(12, 2500);
const choices: SceneChoice[] = [
  { cells: 8, obstacles: 5, unit: 1, touching: 'free', body: 'point' },
  { cells: 12, obstacles: 4, unit: 0.1, touching: 'free', body: 'square' },
  { cells: 1000, obstacles: 6, unit: 0.01, touching: 'free', body: 'point' },
  { cells: 10, obstacles: 4, unit: 1 / 3, touching: 'free', body: 'corner' },
];

let [compared, paths] = [0, 0];

describe('views over trapezoids', () => {
  it.each(choices)('see what pairs of vertices see: $body, $cells cells of $unit', (choice) => {
    for (const seed of seeds) {
      const problem = randomScene(seed, choice);
      const { outer } = createConfigurationPieces(problem, 16);
      const ends = [createExactPoint(...problem.start), createExactPoint(...problem.goal)] as const;
      if (ends.some((end) => outer.some((piece) => forbidsPoint(piece, end)))) continue;
      const quick = findShortestPath(outer, problem.bounds, ...ends);
      const slow = searchAllCorners(outer, problem.bounds, ...ends);
      expect(quick === null, `seed ${seed}`).toBe(slow === null);
      if (quick !== null) {
        paths++;
        expect(Math.abs(quick.length - slow!.length), `seed ${seed}`).toBeLessThan(1e-9 * (1 + slow!.length));
      }
      const map = buildMap(outer, ends);
      const view = new VisibilityView(map);
      if (view.hasPinches) continue;
      const { points } = map.arrangement;
      const [x0, y0, x1, y1] = problem.bounds;
      const inBounds = points.flatMap(({ x, y }, v) =>
        map.isVertexFree[v] && x >= x0 && x <= x1 && y >= y0 && y <= y1 ? [v] : [],
      );
      for (const v of inBounds.slice(0, 12)) {
        const seen = new Set<number>();
        view.visit(v, (w) => seen.add(w));
        const seenToTheRight = new Set<number>();
        view.visitRight(v, (w) => seenToTheRight.add(w));
        expect([...seenToTheRight].filter((w) => w > v).sort(), `seed ${seed}, ${v}`).toEqual(
          [...seen].filter((w) => w > v).sort(),
        );
        for (const w of inBounds) {
          if (v === w) continue;
          const isFree = !outer.some((piece) => forbidsSegment(piece, points[v], points[w]));
          const passes = inBounds.some(
            (u) =>
              u !== v &&
              u !== w &&
              orientPoints(points[v], points[w], points[u]) === 0 &&
              isBetween(points[v], points[w], points[u]) &&
              !arePointsEqual(points[u], points[v]),
          );
          compared++;
          if (seen.has(w) && !isFree) throw new Error(`seed ${seed}: ${v} sees ${w} through an obstacle`);
          if (!seen.has(w) && isFree && !passes) throw new Error(`seed ${seed}: ${v} does not see ${w}`);
        }
      }
    }
  });

  it('make the graph of a scene', () => {
    const square = (x: number) => ({
      polygon: {
        outer: [
          [x, 1],
          [x + 1, 1],
          [x + 1, 2],
          [x, 2],
        ] as [number, number][],
      },
    });
    const graph = createVisibilityGraph({ body: { disc: 0 }, obstacles: [square(1), square(3)], bounds: [0, 0, 5, 3] });
    expect(graph.places).toHaveLength(12);
    const has = (a: readonly number[], b: readonly number[]) => {
      const [i, j] = [a, b]
        .map(([x, y]) => graph.places.findIndex(([u, v]) => u === x && v === y))
        .sort((p, q) => p - q);
      for (let k = 0; k < graph.pairs.length; k += 2) if (graph.pairs[k] === i && graph.pairs[k + 1] === j) return true;
      return false;
    };
    expect(has([2, 1], [3, 1])).toBe(true);
    expect(has([2, 1], [3, 2])).toBe(true);
    expect(has([1, 1], [2, 2])).toBe(false);
    expect(has([0, 0], [5, 0])).toBe(true);
    expect(has([0, 0], [5, 3])).toBe(false);
    expect(has([0, 0], [2, 1])).toBe(true);
  });

  it('were compared', () => {
    expect(paths).toBeGreaterThan(seeds.length / 2);
    expect(compared).toBeGreaterThan(50 * seeds.length);
  });
});
