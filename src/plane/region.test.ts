import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { decomposePolygon } from './convex-parts.js';
import { offsetPolygon, sumObstacles } from './minkowski.js';
import { locatePoint, type PlanePoint, type Polygon, polygonArea, validatePolygon } from './polygon.js';
import { randomScene } from './random-scenes.test-support.js';
import { combinePolygons } from './region.js';

const square = (x0: number, y0: number, x1: number, y1: number): Polygon => ({
  outer: [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ],
});
const areaOf = (polygons: readonly Polygon[]) => polygons.reduce((sum, polygon) => sum + polygonArea(polygon), 0);
const polygonsOf = (seed: number, unit: number) =>
  randomScene(seed, { cells: 7, obstacles: 4, unit, touching: 'free', body: 'random' }).obstacles.flatMap((o) =>
    'polygon' in o ? [o.polygon] : [],
  );

describe('polygons', () => {
  it('names what is wrong with a ring', () => {
    const fault = (polygon: Polygon) => validatePolygon(polygon).map((issue) => issue.fault);
    expect(fault(square(0, 0, 1, 1))).toEqual([]);
    expect(
      fault({
        outer: [
          [0, 0],
          [1, 1],
          [1, 0],
          [0, 1],
        ],
      }),
    ).toEqual(['sides-cross']);
    expect(
      fault({
        outer: [
          [0, 0],
          [1, 1],
          [2, 2],
        ],
      }),
    ).toEqual(['no-area']);
    expect(
      fault({
        outer: [
          [0, 0],
          [0, 0],
          [1, 0],
        ],
      }),
    ).toEqual(['too-few-points']);
    expect(fault({ ...square(0, 0, 1, 1), holes: [square(2, 2, 3, 3).outer] })).toEqual(['hole-outside']);
    expect(fault({ ...square(0, 0, 4, 4), holes: [square(0, 1, 1, 2).outer] })).toEqual(['sides-overlap']);
    // Rings may touch in points.
    expect(
      fault({
        ...square(0, 0, 4, 4),
        holes: [
          [
            [0, 2],
            [1, 1],
            [1, 3],
          ],
        ],
      }),
    ).toEqual([]);
  });

  it('tells inside, boundary and outside apart by one unit in the last place', () => {
    const polygon: Polygon = {
      outer: [
        [0, 0],
        [3, 1],
        [0.3, 7],
      ],
      holes: [
        [
          [0.5, 1],
          [1, 1],
          [0.7, 2],
        ],
      ],
    };
    expect(locatePoint(polygon, [1.5, 0.5])).toBe('boundary');
    expect(locatePoint(polygon, [1.5, 0.5 + 2 ** -53])).toBe('inside');
    expect(locatePoint(polygon, [1.5, 0.5 - 2 ** -54])).toBe('outside');
    expect(locatePoint(polygon, [0.75, 1])).toBe('boundary');
    expect(locatePoint(polygon, [0.75, 1.25])).toBe('outside');
  });
});

describe('convex parts', () => {
  it('have the area of the polygon, are valid, and lie in it: 300 polygons on a coarse grid', () => {
    for (let seed = 1; seed <= 75; seed++)
      for (const polygon of polygonsOf(seed, seed % 2 === 0 ? 1 : 0.1)) {
        const parts = decomposePolygon(polygon);
        for (const part of parts) {
          expect(validatePolygon({ outer: part }), `seed ${seed}`).toEqual([]);
          expect(areaOf(combinePolygons('difference', [{ outer: part }], [polygon]).polygons), `seed ${seed}`).toBe(0);
        }
        const sum = areaOf(parts.map((outer) => ({ outer })));
        expect(Math.abs(sum - polygonArea(polygon)), `seed ${seed}`).toBeLessThan(1e-12);
      }
  });
});

describe('booleans', () => {
  it('unite, cut, subtract as areas and points say: degenerate polygons', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const [p, q, r, s] = polygonsOf(seed, seed % 2 === 0 ? 1 : 0.1);
      const a = [p, q];
      const b = [r, s];
      const made = (['union', 'intersection', 'difference', 'xor'] as const).map((operation) =>
        combinePolygons(operation, a, b),
      );
      const [union, intersection, difference, xor] = made.map(({ polygons }) => areaOf(polygons));
      const areaA = areaOf(combinePolygons('union', a, []).polygons);
      const areaB = areaOf(combinePolygons('union', [], b).polygons);
      const title = `seed ${seed}`;
      expect(Math.abs(union + intersection - areaA - areaB), title).toBeLessThan(1e-9);
      expect(Math.abs(difference + intersection - areaA), title).toBeLessThan(1e-9);
      expect(Math.abs(union - intersection - xor), title).toBeLessThan(1e-9);
      const random = createRandom(seed);
      const within = (polygons: readonly Polygon[], point: PlanePoint) =>
        polygons.some((polygon) => locatePoint(polygon, point) !== 'outside');
      for (let k = 0; k < 40; k++) {
        const point: PlanePoint = [
          random.uniform(-0.1, 0.8) * (seed % 2 === 0 ? 10 : 1),
          random.uniform(-0.1, 0.8) * (seed % 2 === 0 ? 10 : 1),
        ];
        const inA = within(a, point);
        const inB = within(b, point);
        const found = made.map(({ polygons }) => within(polygons, point));
        expect(found, title).toEqual([inA || inB, inA && inB, inA && !inB, inA !== inB]);
      }
    }
  });
});

describe('sums of obstacles and a body', () => {
  it('are K + (-R), not K + R', () => {
    const triangle: Polygon = {
      outer: [
        [0, 0],
        [1, 0],
        [0, 1],
      ],
    };
    const speck: Polygon = square(2, 2, 2.01, 2.01);
    const [sum] = sumObstacles([speck], { polygon: triangle }).polygons;
    expect(locatePoint(sum, [1.8, 1.8])).toBe('inside');
    expect(locatePoint(sum, [2.2, 2.2])).toBe('outside');
  });

  it('close a hole that the body just fills, and leave one open that is wider', () => {
    const frame = (gap: number): Polygon => ({ ...square(0, 0, 4, 4), holes: [square(1, 1, 1 + gap, 1 + gap).outer] });
    const holesOf = (gap: number) =>
      sumObstacles([frame(gap)], { polygon: square(0, 0, 1, 1) }).polygons[0].holes!.length;
    expect(holesOf(1)).toBe(0);
    expect(holesOf(1 - 2 ** -52)).toBe(0);
    expect(holesOf(1 + 2 ** -51)).toBe(1);
  });

  it('open a hole between parts of a bent obstacle and close it for a larger body', () => {
    const c: Polygon = {
      outer: [
        [0, 0],
        [4, 0],
        [4, 1.5],
        [3, 1.5],
        [3, 1],
        [1, 1],
        [1, 3],
        [3, 3],
        [3, 2.5],
        [4, 2.5],
        [4, 4],
        [0, 4],
      ],
    };
    const holes = (size: number) => sumObstacles([c], { polygon: square(0, 0, size, size) }).polygons[0].holes!.length;
    expect([0.5, 1, 1.5, 2].map(holes)).toEqual([0, 1, 1, 0]);
  });

  it('grow by discs outward within the width, and shrink', () => {
    const grown = areaOf(offsetPolygon(square(0, 0, 2, 1), 0.5, 1e-4).polygons);
    const exact = 2 + 6 * 0.5 + Math.PI * 0.25;
    expect(grown).toBeGreaterThanOrEqual(exact);
    expect(grown).toBeLessThan(exact + 2 * Math.PI * 0.5 * 1e-4);
    const shrunk = offsetPolygon(square(0, 0, 2, 1), -0.25).polygons;
    expect(areaOf(shrunk)).toBeCloseTo(1.5 * 0.5, 12);
    expect(offsetPolygon(square(0, 0, 2, 1), -0.5).polygons).toEqual([]);
  });
});
