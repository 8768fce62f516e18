import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { findConvexHull } from './convex-hull.js';
import { flattenDisc } from './disc.js';
import { sumsToHomogeneous } from './dyadic.js';
import type { PlanePoint } from './polygon.js';

const square = ([x, y]: PlanePoint): number => x * x + y * y;

/** Compares the squared length of a point with the squared radius, exactly. */
function compareWithRadius([x, y]: PlanePoint, radius: number): number {
  const p = sumsToHomogeneous([x], [y]);
  const r = sumsToHomogeneous([radius], [0]);
  const difference = (p.x * p.x + p.y * p.y) * r.w * r.w - r.x * r.x * p.w * p.w;
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}

describe('discs as polygons', () => {
  it('lie around and inside of the disc within their width, and touch it in the directions that are asked for', () => {
    const random = createRandom(5);
    for (let k = 0; k < 40; k++) {
      const radius = 10 ** random.uniform(-6, 6);
      const count = 4 * (1 + random.integer(40));
      const directions = Array.from({ length: 5 }, (): PlanePoint => [random.normal(), random.normal()]);
      const { outer, inner, width } = flattenDisc(radius, count, directions);
      for (const corner of inner) expect(compareWithRadius(corner, radius)).toBeLessThanOrEqual(0);
      for (const corner of outer) {
        expect(compareWithRadius(corner, radius)).toBeGreaterThan(0);
        expect(Math.sqrt(square(corner))).toBeLessThanOrEqual(radius + width);
      }
      for (const [i, [x, y]] of inner.entries()) {
        const [nx, ny] = inner[(i + 1) % inner.length];
        expect(Math.sqrt(square([(x + nx) / 2, (y + ny) / 2]))).toBeGreaterThanOrEqual(radius - width);
      }
      const reach = (part: readonly PlanePoint[], [dx, dy]: PlanePoint) =>
        Math.max(...part.map(([x, y]) => (x * dx + y * dy) / Math.sqrt(dx * dx + dy * dy)));
      for (const direction of directions) {
        expect(Math.abs(reach(outer, direction) / radius - 1)).toBeLessThan(1e-11);
        expect(Math.abs(reach(inner, direction) / radius - 1)).toBeLessThan(1e-11);
      }
      // Along the axes both are exact.
      expect([Math.max(...outer.map(([x]) => x)), Math.min(...inner.map(([, y]) => y))]).toEqual([radius, -radius]);
    }
  });

  it('hulls keep extreme points only', () => {
    const points: PlanePoint[] = [
      [0, 0],
      [1, 0],
      [2, 0],
      [2, 2],
      [0, 2],
      [1, 1],
      [0, 1],
      [0, 0],
    ];
    expect(findConvexHull(points)).toEqual([
      [0, 0],
      [2, 0],
      [2, 2],
      [0, 2],
    ]);
    expect(
      findConvexHull([
        [0, 0],
        [1, 1],
        [3, 3],
      ]),
    ).toEqual([
      [0, 0],
      [3, 3],
    ]);
  });
});
