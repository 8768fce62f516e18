/** Footprints contain the projection of every triangle, and closed prisms give their outline. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { locatePoint, type PlanePoint, polygonArea } from '../plane/polygon.js';
import { projectMesh } from './footprint.js';

/** A prism over a ring, fans as caps. */
function prism(ring: readonly PlanePoint[], low: number, high: number) {
  const n = ring.length;
  const vertices = [low, high].flatMap((z) => ring.flatMap(([x, y]) => [x, y, z]));
  const triangles: number[] = [];
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n;
    triangles.push(i, j, n + i, j, n + j, n + i);
    if (i > 0 && j > 0) triangles.push(0, j, i, n, n + i, n + j);
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

const square: PlanePoint[] = [
  [0, 0],
  [2, 0],
  [2, 1],
  [0, 1],
];

describe('footprints', () => {
  it('a prism is its outline at the heights that it has', () => {
    const { polygons, thickened } = projectMesh(prism(square, 0, 3));
    expect(thickened).toBe(0);
    expect(polygons).toHaveLength(1);
    expect(polygonArea(polygons[0])).toBe(2);
    expect(projectMesh(prism(square, 0, 3), { low: 3.1 }).polygons).toEqual([]);
    expect(projectMesh(prism(square, 0, 3), { low: 3, high: 4 }).polygons).toHaveLength(1);
  });

  it('a wall without thickness gets one', () => {
    const mesh = { vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 1, 0, 1), triangles: Uint32Array.of(0, 1, 2) };
    const { polygons, thickened, thickness } = projectMesh(mesh, { thickness: 0.02 });
    expect([polygons.length, thickened, thickness]).toEqual([1, 1, 0.02]);
    expect(polygonArea(polygons[0])).toBeCloseTo(0.02 * 1.02, 12);
    expect(locatePoint(polygons[0], [1, 0])).toBe('inside');
  });

  it('contains random triangles', () => {
    const random = createRandom(3);
    for (let k = 0; k < 20; k++) {
      const vertices = Float64Array.from({ length: 36 }, () => random.integer(6));
      const triangles = Uint32Array.from({ length: 24 }, () => random.integer(12));
      for (let t = 0; t < 24; t += 3) triangles[t + 1] = (triangles[t] + 1 + (triangles[t + 1] % 5)) % 12;
      const { polygons } = projectMesh({ vertices, triangles });
      for (let t = 0; t < 24; t += 3)
        for (let s = 0; s < 10; s++) {
          const u = random.next();
          const v = random.next() * (1 - u);
          const at = [0, 1].map((c) => {
            const [a, b, d] = [0, 1, 2].map((i) => vertices[3 * triangles[t + i] + c]);
            return a + u * (b - a) + v * (d - a);
          });
          const isIn = polygons.some((p) => locatePoint(p, [at[0], at[1]]) !== 'outside');
          // On a border the last place may be outside.
          if (!isIn)
            expect(
              polygons.some((p) =>
                [-1e-9, 1e-9].some((e) =>
                  [-1e-9, 1e-9].some((f) => locatePoint(p, [at[0] + e, at[1] + f]) === 'inside'),
                ),
              ),
            ).toBe(true);
        }
    }
  });
});
