/** Distance of two triangles against exact arithmetic; the closest points lie in their triangles, that far apart. */
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { gapBetween, type Point, type Triangle } from '../../test/support/brute-force-meshes.js';
import { exactDistance } from '../../test/support/exact-triangles.js';
import { useCheckedKernel } from '../kernel/checked-kernel.js';
import { createTransform } from '../math/transform.js';
import { collideMeshMesh } from './collide-mesh.js';
import { createMeshDistance, distanceMeshMesh } from './distance-mesh.js';
import { buildMeshBvh, type MeshBvh } from './mesh-bvh.js';

/** Relative to the largest coordinate. */
const ALLOWED = 1e-13;

useCheckedKernel();
const identity = createTransform();
const live: MeshBvh[] = [];
const release = (): void => {
  for (const bvh of live.splice(0)) bvh.dispose();
};
afterAll(release);

function treeOf(triangle: Triangle): MeshBvh {
  const bvh = buildMeshBvh({ vertices: Float64Array.from(triangle.flat()), triangles: Uint32Array.of(0, 1, 2) });
  live.push(bvh);
  return bvh;
}

function compare(a: Triangle, b: Triangle): number {
  const treeA = treeOf(a);
  const treeB = treeOf(b);
  const result = distanceMeshMesh(createMeshDistance(), treeA, treeB, identity);
  const p = Array.from(result.pointA) as Point;
  const q = Array.from(result.pointB) as Point;
  const scale = Math.max(...a.flat().map(Math.abs), ...b.flat().map(Math.abs), 1e-300);
  const exact = exactDistance(a, b);
  expect(Math.abs(result.distance - exact)).toBeLessThanOrEqual(ALLOWED * scale);
  expect(exactDistance([p, p, p], a)).toBeLessThanOrEqual(ALLOWED * scale);
  expect(exactDistance([q, q, q], b)).toBeLessThanOrEqual(ALLOWED * scale);
  expect(Math.abs(gapBetween(p, q) - result.distance)).toBeLessThanOrEqual(ALLOWED * scale);
  const collision = collideMeshMesh(treeA, treeB, identity, { tolerance: 1e-10 * scale });
  expect(collision.collides).toBe(result.distance <= 1e-10 * scale);
  release();
  return result.distance;
}

const move = (t: Triangle, x: number, y: number, z: number): Triangle =>
  t.map((p) => [p[0] + x, p[1] + y, p[2] + z]) as Triangle;
const flat: Triangle = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
];

describe('distance of two triangles', () => {
  const coordinate = fc.integer({ min: -(2 ** 30), max: 2 ** 30 }).map((x) => x / 2 ** 30);
  const grid = fc.integer({ min: -2, max: 2 });
  const point = (c: fc.Arbitrary<number>): fc.Arbitrary<Point> => fc.tuple(c, c, c);
  const triangle = (c: fc.Arbitrary<number>): fc.Arbitrary<Triangle> => fc.tuple(point(c), point(c), point(c));

  it('finds a needle that pierces a face, whatever the rounding of its normal says', () => {
    // Met by chance: the third corner is the middle of the other two but for rounding.
    const needle: Triangle = [
      [0.7523790780104069, -0.10002814502959528, 0.10024823037312747],
      [0.11068722078001059, 0.7409095022735748, 0.05500371249626479],
      [0.43153314939520876, 0.32044067862198977, 0.07762597143469613],
    ];
    const face: Triangle = [
      [0.049345114307282945, 0.7348022863825101, 0.3034128632428311],
      [0.040150459276103834, 0.35116091779720626, 0.02476257483786115],
      [0.2724109443634509, 0.5399874881668145, 0.04172326707924601],
    ];
    expect(compare(needle, face)).toBe(0);
    const share = fc.double({ min: 0.02, max: 0.98, noNaN: true });
    fc.assert(
      fc.property(
        triangle(coordinate),
        point(coordinate),
        fc.tuple(share, share, share),
        fc.boolean(),
        (b, way, [s, t, along], swap) => {
          const hit = [0, 1, 2].map((k) => b[0][k] + s * (1 - t) * (b[1][k] - b[0][k]) + s * t * (b[2][k] - b[0][k]));
          const ends = [1, -1].map((side) => hit.map((x, k) => x + side * way[k]) as Point);
          const third = [0, 1, 2].map((k) => ends[0][k] + along * (ends[1][k] - ends[0][k])) as Point;
          const a: Triangle = [ends[0], ends[1], third];
          if (swap) compare(b, a);
          else compare(a, b);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('is right for random triangles', () => {
    fc.assert(
      fc.property(triangle(coordinate), triangle(coordinate), (a, b) => {
        compare(a, b);
      }),
      { numRuns: 300 },
    );
  });

  it('is right on a small grid, where coplanar, parallel, touching and degenerate pairs are the rule', () => {
    fc.assert(
      fc.property(triangle(grid), triangle(grid), (a, b) => {
        compare(a, b);
      }),
      { numRuns: 800 },
    );
  });

  it('is right for slivers and nearly parallel edges', () => {
    const tiny = fc.constantFrom(0, 1e-16, 1e-13, 1e-10, 1e-8, 1e-6, -1e-16, -1e-12, -1e-9, -1e-7);
    const nudge = fc.array(tiny, { minLength: 18, maxLength: 18 });
    fc.assert(
      fc.property(triangle(grid), triangle(grid), nudge, (a, b, n) => {
        const shift = (t: Triangle, from: number): Triangle =>
          t.map((p, i) => p.map((x, k) => x + n[from + 3 * i + k])) as Triangle;
        compare(shift(a, 0), shift(b, 9));
      }),
      { numRuns: 800 },
    );
  });

  it('separates coplanar triangles however near, and reports a common point when they overlap', () => {
    expect(compare(flat, move(flat, 2, 0, 0))).toBe(1);
    expect(compare(flat, move(flat, 0.2, 0.2, 0))).toBe(0);
    expect(compare(flat, move(flat.map((p) => p.map((x) => x * 0.1)) as Triangle, 0.2, 0.2, 0))).toBeLessThan(1e-15);
    expect(compare(flat, move(flat, 1, 0, 0))).toBe(0);
  });

  it('handles points and segments given as triangles', () => {
    const dot: Triangle = [
      [0.25, 0.25, 3],
      [0.25, 0.25, 3],
      [0.25, 0.25, 3],
    ];
    expect(compare(flat, dot)).toBe(3);
    expect(compare(dot, move(dot, 3, 4, 0))).toBe(5);
    const segment: Triangle = [
      [0.25, 0.25, -1],
      [0.25, 0.25, 1],
      [0.25, 0.25, 0],
    ];
    expect(compare(segment, flat)).toBe(0);
    expect(compare(segment, move(segment, 0, 2, 0))).toBe(2);
  });

  it('does not report far-apart coplanar, parallel-edge or degenerate pairs as intersecting', () => {
    expect(compare(flat, move(flat, 1e6, 0, 0))).toBeCloseTo(1e6 - 1, 6);
    expect(compare(flat, move(flat, 0, 0, 1e-6))).toBeCloseTo(1e-6, 18);
  });
});
