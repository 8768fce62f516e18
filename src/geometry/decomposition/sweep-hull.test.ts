import { describe, expect, it } from 'vitest';
import { createRandom } from '../../math/random.js';
import { buildConvexHull } from '../hull.js';
import { volumeOfHull } from './parts.js';
import { SweepHull } from './sweep-hull.js';

function sweepVolume(points: readonly number[][], axis: number): number {
  const hull = new SweepHull();
  hull.reset(2);
  const across = [(axis + 1) % 3, (axis + 2) % 3];
  const sorted = [...points].sort(
    (p, q) => p[axis] - q[axis] || p[across[0]] - q[across[0]] || p[across[1]] - q[across[1]],
  );
  for (const [x, y, z] of sorted) hull.add(x, y, z, true);
  return hull.volume;
}

describe('SweepHull', () => {
  it('has the volume of the hull: points of a grid, a prism, a ball and boxes in boxes, along each axis', () => {
    const random = createRandom(3);
    const grid = (n: number): number[][] =>
      Array.from({ length: 200 }, () => [0, 1, 2].map(() => random.integer(n) / n));
    const ring = (n: number): number[][] =>
      [0, 1].flatMap((z) =>
        Array.from({ length: n }, (_, i) => [Math.cos((6.283185307 * i) / n), Math.sin((6.283185307 * i) / n), z]),
      );
    const sets = [
      grid(2),
      grid(3),
      grid(5),
      ring(7),
      ring(64),
      ring(65),
      ...Array.from({ length: 30 }, () => grid(2 + random.integer(5)).slice(0, 5 + random.integer(30))),
      Array.from({ length: 300 }, () => [0, 1, 2].map(() => random.uniform(-1, 1))),
    ];
    for (const points of sets) {
      const exact = volumeOfHull(buildConvexHull(points.flat()));
      for (const axis of [0, 1, 2]) expect(sweepVolume(points, axis)).toBeCloseTo(exact, 9);
    }
  });
});
