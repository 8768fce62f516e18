import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { createConfigurationPieces } from './configuration-pieces.js';
import { createExactPoint } from './exact-point.js';
import { forbidsPoint } from './pieces.js';
import type { Polygon } from './polygon.js';
import { polygonArea } from './polygon.js';
import { randomScene, type SceneChoice, seedsOf } from './random-scenes.test-support.js';
import { combinePolygons } from './region.js';
import { createRoadmap, findWay, openingEnds, trapezoidCorners } from './roadmap.js';
import { buildMap } from './trapezoid-map.js';

const choices: SceneChoice[] = (['point', 'square', 'triangle', 'random'] as const).flatMap((body) =>
  [1, 0.1].map((unit) => ({ cells: 7, obstacles: 4, unit, touching: 'free' as const, body })),
);
/** 10,000 scenes in all with ORACLE_FULL=1. */
const seeds = seedsOf(12, 1250);
const areaOf = (polygons: readonly Polygon[]) => polygons.reduce((sum, polygon) => sum + polygonArea(polygon), 0);

describe('the trapezoid map', () => {
  it.each(choices)('covers what is free, once: $body, unit $unit', (choice) => {
    const random = createRandom(1);
    for (const seed of seeds) {
      const problem = randomScene(seed, choice);
      const { outer } = createConfigurationPieces(problem, 16);
      const map = buildMap(outer);
      const title = `seed ${seed}`;
      const size = choice.cells * choice.unit;
      const trapezoids = Array.from({ length: map.trapezoidCount }, (_, t) => trapezoidCorners(map, t));
      const doubled = trapezoids.map(([[x0, y0], [x1, y1], [, y2], [, y3]]) => (x1 - x0) * (y3 - y0 + y2 - y1));
      // Some are narrower than doubles show.
      expect(Math.min(...doubled, Infinity), title).toBeGreaterThanOrEqual(choice.unit === 1 ? 1e-9 : -1e-15);
      const pieces = outer.filter(({ obstacle }) => obstacle >= 0);
      const cover = pieces.map(({ corners }): Polygon => ({ outer: corners.map(({ x, y }) => [x, y]) }));
      const bounds: Polygon = {
        outer: [
          [0, 0],
          [size, 0],
          [size, size],
          [0, size],
        ],
      };
      const free = areaOf(combinePolygons('difference', [bounds], cover).polygons);
      expect(
        doubled.reduce((sum, each) => sum + each / 2, 0),
        title,
      ).toBeCloseTo(free, 9);
      for (let k = 0; k < 60; k++) {
        const [x, y] = [random.uniform(0, size), random.uniform(0, size)];
        const isFree = !outer.some((piece) => forbidsPoint(piece, createExactPoint(x, y)));
        const holders = trapezoids.filter(([[x0, y0], [x1, y1], [, y2], [, y3]]) => {
          const t = (x - x0) / (x1 - x0);
          return t > 0 && t < 1 && y > y0 + t * (y1 - y0) && y < y3 + t * (y2 - y3);
        });
        expect(holders.length, title).toBe(isFree ? 1 : 0);
      }
      // Openings lie on the sides of both of their trapezoids.
      for (let o = 0; o < map.openingCount; o++) {
        const [[x, low], [, high]] = openingEnds(map, o);
        expect(low, title).toBeLessThanOrEqual(high);
        const [[, y0], [x1, y1], [, y2]] = trapezoids[map.openings[5 * o]];
        const [[x2, y3], , , [, y4]] = trapezoids[map.openings[5 * o + 1]];
        expect([x1, x2], title).toEqual([x, x]);
        expect(Math.max(y1, y3) - 1e-9, title).toBeLessThan(low + 1e-8);
        expect(high, title).toBeLessThan(Math.min(y2, y4) + 1e-9);
        expect(y0, title).toBeLessThan(Infinity);
      }
    }
  });

  it('cuts at each x once, however many corners stand in a line', () => {
    // A chessboard of closed squares that touch in corners: every dark corner is passed when touching is free.
    const squares = Array.from({ length: 32 }, (_, k) => {
      const [column, row] = [k % 8, 2 * Math.floor(k / 8) + ((k % 8) % 2)];
      return {
        polygon: {
          outer: [
            [column, row],
            [column + 1, row],
            [column + 1, row + 1],
            [column, row + 1],
          ] as [number, number][],
        },
      };
    });
    for (const touching of ['free', 'blocked'] as const) {
      const problem = {
        body: { disc: 0 },
        obstacles: squares,
        bounds: [0, 0, 8, 8],
        start: [0.5, 1.5],
        goal: [6.5, 7.5],
        touching,
      } as const;
      const { outer } = createConfigurationPieces(problem, 16);
      const map = buildMap(outer, [createExactPoint(0.5, 1.5), createExactPoint(6.5, 7.5)]);
      const roadmap = createRoadmap(map);
      const [from, to] = map.arrangement.placed;
      const way = findWay(roadmap, roadmap.firstVertex + from, roadmap.firstVertex + to);
      expect(way === null).toBe(touching === 'blocked');
      // 32 light squares, two of them cut by start and goal.
      expect(map.trapezoidCount).toBe(34);
    }
  });
});
