import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { buildConvexHull, type ConvexHull } from './hull.js';
import { orientPoints } from './orientation.js';

/** Closed, outward, and no input point strictly outside any face: exactly. */
function checkSolidHull(hull: ConvexHull, points: Float64Array): void {
  expect(hull.dimension).toBe(3);
  const { vertices, triangles } = hull;
  const edges = new Set<string>();
  for (let t = 0; t < triangles.length; t += 3)
    for (let k = 0; k < 3; k++) {
      const edge = `${triangles[t + k]} ${triangles[t + ((k + 1) % 3)]}`;
      expect(edges.has(edge)).toBe(false);
      edges.add(edge);
    }
  for (const edge of edges) expect(edges.has(edge.split(' ').reverse().join(' '))).toBe(true);
  expect(vertices.length / 3 - edges.size / 2 + triangles.length / 3).toBe(2);
  const all = Float64Array.from([...vertices, ...points]);
  for (let t = 0; t < triangles.length; t += 3)
    for (let i = vertices.length; i < all.length; i += 3)
      expect(orientPoints(all, 3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2], i)).toBeGreaterThanOrEqual(
        0,
      );
  const own = new Set(Array.from({ length: points.length / 3 }, (_, i) => points.subarray(3 * i, 3 * i + 3).join()));
  for (let i = 0; i < vertices.length; i += 3) expect(own.has(vertices.subarray(i, i + 3).join())).toBe(true);
}

describe('buildConvexHull', () => {
  it('is closed and holds every point, on random sets', () => {
    for (const count of [4, 5, 12, 100, 400]) {
      const random = createRandom(count);
      const points = Float64Array.from({ length: 3 * count }, () => random.uniform(-1, 1));
      checkSolidHull(buildConvexHull(points), points);
    }
  });

  it('survives coplanar, collinear and duplicate points: integer grids (property)', () => {
    const point = fc.tuple(
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 0, max: 3 }),
    );
    fc.assert(
      fc.property(
        fc.array(point, { minLength: 1, maxLength: 40 }),
        fc.constantFrom(1, 1e-6, 1e6, 0.1),
        (list, scale) => {
          const points = Float64Array.from(list.flat(), (x) => x * scale);
          const hull = buildConvexHull(points);
          if (hull.dimension === 3) checkSolidHull(hull, points);
          else {
            // Lower-dimensional answers keep the extent along every direction.
            for (let i = 0; i < 20; i++) {
              const d = [Math.cos(i), Math.sin(2 * i), Math.cos(3 * i)];
              const reach = (p: Float64Array): number => {
                let most = -Infinity;
                for (let k = 0; k < p.length; k += 3)
                  most = Math.max(most, d[0] * p[k] + d[1] * p[k + 1] + d[2] * p[k + 2]);
                return most;
              };
              expect(Math.abs(reach(hull.vertices) - reach(points))).toBeLessThanOrEqual(1e-12 * scale);
            }
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('names flat, straight and single-point sets', () => {
    expect(buildConvexHull([1, 2, 3]).dimension).toBe(0);
    expect(buildConvexHull([1, 2, 3, 1, 2, 3]).vertices).toEqual(Float64Array.of(1, 2, 3));
    const line = buildConvexHull([0, 0, 0, 1, 1, 1, 0.25, 0.25, 0.25, 3, 3, 3]);
    expect(line.dimension).toBe(1);
    expect(Array.from(line.vertices).sort()).toEqual([0, 0, 0, 3, 3, 3]);
    const square = buildConvexHull([0, 0, 1, 2, 0, 1, 2, 2, 1, 0, 2, 1, 1, 1, 1, 1, 0, 1]);
    expect(square.dimension).toBe(2);
    expect(square.vertices.length / 3).toBe(4);
    expect(square.triangles.length / 3).toBe(4);
  });

  it('drops interior points and keeps the 8 corners of a cube grid', () => {
    const points: number[] = [];
    for (let i = 0; i < 4; i++) for (let j = 0; j < 4; j++) for (let k = 0; k < 4; k++) points.push(i, j, k);
    const hull = buildConvexHull(points);
    checkSolidHull(hull, Float64Array.from(points));
    const corners = Array.from({ length: hull.vertices.length / 3 }, (_, i) =>
      hull.vertices.subarray(3 * i, 3 * i + 3),
    );
    expect(corners.filter((c) => c.every((x) => x === 0 || x === 3)).length).toBe(8);
  });

  it('refuses misuse', () => {
    expect(() => buildConvexHull([])).toThrow(/at least one/);
    expect(() => buildConvexHull([1, 2])).toThrow(/3 per point/);
    expect(() => buildConvexHull([1, 2, Number.NaN])).toThrow(/finite/);
  });
});
