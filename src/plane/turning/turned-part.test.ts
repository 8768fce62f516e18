/** Polygons around turned parts contain them at every angle, and are not much larger. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../math/random.js';
import { cos, sin } from '../../math/scalar.js';
import { findConvexHull } from '../convex-hull.js';
import { type PlanePoint, polygonArea } from '../polygon.js';
import { growHull, surroundTurned } from './turned-part.js';

const turn = ([x, y]: PlanePoint, angle: number): PlanePoint => [
  cos(angle) * x - sin(angle) * y,
  sin(angle) * x + cos(angle) * y,
];

/** How far a point is inside of the nearest side's line, below 0 outside. */
function depthIn(hull: readonly PlanePoint[], [x, y]: PlanePoint): number {
  let least = Infinity;
  for (const [i, [ax, ay]] of hull.entries()) {
    const [bx, by] = hull[(i + 1) % hull.length];
    const length = Math.sqrt((bx - ax) ** 2 + (by - ay) ** 2);
    least = Math.min(least, ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length);
  }
  return least;
}

describe('a part at every angle of an interval', () => {
  it('lies in its polygon', () => {
    const random = createRandom(5);
    for (let k = 0; k < 100; k++) {
      const part = findConvexHull(
        Array.from({ length: 3 + (k % 6) }, (): PlanePoint => [4 * random.next() - 1, 2 * random.next() - 1.5]),
      );
      if (part.length < 3) continue;
      const from = 6 * random.next();
      const to = from + 0.8 * random.next() * (k % 3 === 0 ? 1e-3 : 1);
      const around = surroundTurned(part, from, to);
      for (let s = 0; s <= 20; s++)
        for (const corner of part)
          expect(depthIn(around, turn(corner, from + ((to - from) * s) / 20))).toBeGreaterThanOrEqual(-1e-15);
      // The corners' arcs, and what tangents stand out beyond them.
      const area = polygonArea({ outer: part });
      const swept = 5 * (to - from) * 25;
      expect(polygonArea({ outer: around })).toBeLessThan(area + swept + 1e-12);
    }
  });

  it('is the part itself where it is not turned', () => {
    const part: PlanePoint[] = [
      [0, 0],
      [1, 0],
      [0, 1],
    ];
    expect(surroundTurned(part, 0, 0)).toBe(part);
    expect(depthIn(surroundTurned(part, 1, 1), turn([0, 1], 1))).toBeGreaterThan(0);
  });

  it('grows slivers too', () => {
    const sliver: PlanePoint[] = [
      [0, 0],
      [1, 0],
      [1, 1e-9],
    ];
    const grown = growHull(sliver, 1e-12);
    for (const corner of sliver) expect(depthIn(grown, corner)).toBeGreaterThan(0.9e-12);
  });
});
