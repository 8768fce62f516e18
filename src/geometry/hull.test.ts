import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { buildConvexHull, type ConvexHull } from './hull.js';
import { orientPoints, orientProjected } from './orientation.js';

/** Closed, outward, and no input point strictly outside any face: exactly. */
function checkSolidHull(hull: ConvexHull, points: Float64Array): void {
  expect(hull.dimension).toBe(3);
  const { vertices, triangles } = hull;
  const edges = new Set<string>();
  let broken = 0;
  for (let t = 0; t < triangles.length; t += 3)
    for (let k = 0; k < 3; k++) {
      const edge = `${triangles[t + k]} ${triangles[t + ((k + 1) % 3)]}`;
      if (edges.has(edge)) broken++;
      edges.add(edge);
    }
  for (const edge of edges) if (!edges.has(edge.split(' ').reverse().join(' '))) broken++;
  expect(broken).toBe(0);
  expect(vertices.length / 3 - edges.size / 2 + triangles.length / 3).toBe(2);
  const all = Float64Array.from([...vertices, ...points]);
  let outside = 0;
  for (let t = 0; t < triangles.length; t += 3)
    for (let i = vertices.length; i < all.length; i += 3)
      if (orientPoints(all, 3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2], i) < 0) outside++;
  expect(outside).toBe(0);
  // No facet without area: its corners are on no common line, exactly.
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const areas = (
      [
        [0, 1],
        [1, 2],
        [2, 0],
      ] as const
    ).map((axes) => orientProjected(vertices, axes, a, b, c));
    expect(areas.some((area) => area !== 0)).toBe(true);
  }
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

  it('is valid on sets of which most points lie in few planes or lines, at any angle (property)', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom('slab', 'needle', 'box', 'cylinder', 'twins', 'ring'), (seed, kind) => {
        const random = createRandom(seed);
        const count = 20 + random.integer(150);
        const list: number[][] = [];
        for (let i = 0; i < count; i++) {
          const [x, y, z] = [random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)];
          const angle = (2 * Math.PI * random.integer(24)) / 24;
          if (kind === 'slab') list.push([x, y, 1e-12 * z]);
          else if (kind === 'needle') list.push([x, 1e-9 * y, 1e-11 * z]);
          else if (kind === 'box') list.push([x, y, z].map((c, k) => (random.integer(3) === k ? Math.sign(c) : c)));
          else if (kind === 'cylinder') list.push([Math.cos(angle), Math.sin(angle), random.integer(5) - 2]);
          else if (kind === 'ring') list.push([Math.cos(angle), Math.sin(angle), 1e-12 * random.integer(3)]);
          else list.push([x, y, z], [x, y, z], [x + 1e-16 * y, y, z]);
        }
        // Turned so that planes and lines have rounded coordinates.
        const [c, d] = [Math.cos(seed), Math.sin(seed)];
        const points = Float64Array.from(
          list.flatMap(([x, y, z]) => [c * x - d * y, d * (c * x + d * y) + c * z, c * (d * x + c * y) - d * z]),
        );
        const hull = buildConvexHull(points);
        if (hull.dimension === 3) checkSolidHull(hull, points);
        else expect(['slab', 'ring', 'needle']).toContain(kind);
      }),
      { numRuns: 100 },
    );
  });

  it('holds every point of large sets: ball, sphere, cube', () => {
    for (const kind of ['ball', 'sphere', 'cube']) {
      const random = createRandom(17);
      const count = 20000;
      const points = new Float64Array(3 * count);
      for (let i = 0; i < count; i++) {
        const p = [random.normal(), random.normal(), random.normal()];
        const r = Math.hypot(...p);
        const radius = kind === 'ball' ? Math.cbrt(random.next()) : 1;
        points.set(kind === 'cube' ? p.map(() => random.uniform(-1, 1)) : p.map((x) => (x / r) * radius), 3 * i);
      }
      const hull = buildConvexHull(points);
      const { vertices, triangles } = hull;
      const faces = triangles.length / 3;
      expect(faces).toBe(2 * (vertices.length / 3) - 4);
      if (kind === 'sphere') expect(vertices.length).toBe(points.length);
      const all = new Float64Array(vertices.length + points.length);
      all.set(vertices);
      all.set(points, vertices.length);
      // A sample of faces against all points: exactly none outside.
      for (let n = 0; n < 40; n++) {
        const t = 3 * Math.floor((n * faces) / 40);
        let outside = 0;
        for (let i = vertices.length; i < all.length; i += 3) {
          if (orientPoints(all, 3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2], i) < 0) outside++;
        }
        expect(outside).toBe(0);
      }
    }
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

  it('is the same at every size, to the smallest doubles (seed 77)', () => {
    const random = createRandom(77);
    for (let n = 0; n < 20; n++) {
      const points = Array.from({ length: 60 }, () => Math.round(1e3 * random.normal()));
      const { dimension, triangles } = buildConvexHull(points);
      for (const power of [-1074, -1000, -500, -170, -60, 30]) {
        const scaled = buildConvexHull(points.map((x) => x * 2 ** power));
        expect(scaled.dimension, `seed 77 set ${n} times 2^${power}`).toBe(dimension);
        expect(scaled.triangles, `seed 77 set ${n} times 2^${power}`).toEqual(triangles);
      }
    }
  });

  it('refuses misuse', () => {
    expect(() => buildConvexHull([])).toThrow(/at least one/);
    expect(() => buildConvexHull([1, 2])).toThrow(/3 per point/);
    expect(() => buildConvexHull([1, 2, Number.NaN])).toThrow(/finite/);
    // Squares of products overflow from 1e103 on, and the surface then grew without an end.
    for (const s of [1.1e15, 1e103, 1e120, 1e308])
      expect(() => buildConvexHull([0, 0, 0, s, 0, 0, 0, s, 0, 0, 0, s])).toThrow(/points\[3\], got/);
  });
});
