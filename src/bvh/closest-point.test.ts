import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createBoxMesh,
  createSoup,
  createSphereMesh,
  distancePointTriangle,
  listTriangles,
  type Point,
} from '../../test/support/brute-force-meshes.js';
import { useCheckedKernel } from '../kernel/checked-kernel.js';
import { useInlinedKernel } from '../kernel/kernel.js';
import { createRandom } from '../math/random.js';
import { closestPointMesh, closestPointsMesh, createClosestPoint, createClosestPoints } from './closest-point.js';
import { buildMeshBvh, type NodeKind } from './mesh-bvh.js';

const kernels = {
  release: useInlinedKernel,
  checked: useCheckedKernel,
};
const kinds: NodeKind[] = ['obb', 'aabb', 'rss', 'obb-rss'];
const gap = (a: ArrayLike<number>, b: ArrayLike<number>): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

describe.each(Object.entries(kernels))('closestPointMesh, %s kernel', (_, create) => {
  it('finds the distance that brute force finds, at any scale, and a point of the triangle at it', () => {
    create();
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...kinds), fc.integer({ min: -6, max: 6 }), (seed, node, power) => {
        const random = createRandom(seed);
        const scale = 10 ** power;
        const mesh = createSoup(random, 80, random.uniform(0.05, 0.7));
        for (let i = 0; i < mesh.vertices.length; i++) mesh.vertices[i] *= scale;
        using bvh = buildMeshBvh(mesh, { node });
        const triangles = listTriangles(mesh);
        const out = createClosestPoint();
        for (let i = 0; i < 20; i++) {
          const reach = scale * [0.5, 2, 1000][i % 3];
          const p: Point = [
            random.uniform(-reach, reach),
            random.uniform(-reach, reach),
            random.uniform(-reach, reach),
          ];
          const expected = Math.min(...triangles.map((t) => distancePointTriangle(p, t)));
          const tolerance = 1e-14 * (reach + scale);
          closestPointMesh(out, bvh, p);
          expect(Math.abs(out.distance - expected)).toBeLessThanOrEqual(tolerance);
          expect(Math.abs(gap(p, out.point) - out.distance)).toBeLessThanOrEqual(tolerance);
          const on = Array.from(out.point) as Point;
          expect(distancePointTriangle(on, triangles[out.triangle])).toBeLessThanOrEqual(10 * tolerance);
          const { triangle } = out;
          closestPointMesh(out, bvh, p, { upperBound: expected * (1 + 1e-9) + tolerance });
          expect(out.triangle).toBe(triangle);
          closestPointMesh(out, bvh, p, { upperBound: Math.max(expected * (1 - 1e-9) - tolerance, 0) });
          if (expected * (1 - 1e-9) > tolerance) expect([out.distance, out.triangle]).toEqual([Infinity, -1]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('prefers the lower index, and is exact at corners, edges and inside', () => {
    create();
    for (const node of kinds) {
      using bvh = buildMeshBvh(createBoxMesh(2, 2, 2), { node });
      const out = createClosestPoint();
      closestPointMesh(out, bvh, [3, 3, 3]);
      expect(Array.from(out.point)).toEqual([1, 1, 1]);
      const { vertices, triangles } = bvh.mesh;
      const touching = Array.from({ length: 12 }, (_, t) => t).filter((t) =>
        [0, 1, 2].some((c) => [0, 1, 2].every((k) => vertices[3 * triangles[3 * t + c] + k] === 1)),
      );
      expect(out.triangle).toBe(Math.min(...touching));
      closestPointMesh(out, bvh, [1, 0.25, 7]);
      expect([out.distance, ...out.point]).toEqual([6, 1, 0.25, 1]);
      closestPointMesh(out, bvh, [0.5, 0.25, 0.125]);
      expect([out.distance, ...out.point]).toEqual([0.5, 1, 0.25, 0.125]);
      closestPointMesh(out, bvh, [1, 0.25, 0.125], { upperBound: 0 });
      expect(out.distance).toBe(0);
      // Far away, where f32 cannot tell the boxes apart.
      for (const far of [1e6, 1e9, 1e15]) {
        closestPointMesh(out, bvh, [far, 0.25, 0.125]);
        expect([out.distance, out.point[0]]).toEqual([far - 1, 1]);
      }
    }
  });

  it('takes zero-area and needle triangles as what they are', () => {
    create();
    const vertices = Float64Array.of(0, 0, 0, 1, 0, 0, 3, 0, 0, 5, 5, 5, 0, 9, 0, 1, 9, 1e-13, 2, 9, 0);
    using bvh = buildMeshBvh({ vertices, triangles: Uint32Array.of(0, 1, 2, 3, 3, 3, 4, 5, 6) });
    const out = createClosestPoint();
    closestPointMesh(out, bvh, [2, 1, 0]);
    expect([out.distance, ...out.point, out.triangle]).toEqual([1, 2, 0, 0, 0]);
    closestPointMesh(out, bvh, [5, 5, 7]);
    expect([out.distance, ...out.point, out.triangle]).toEqual([2, 5, 5, 5, 1]);
    closestPointMesh(out, bvh, [1.5, 9, 3]);
    expect(Math.abs(out.distance - 3)).toBeLessThan(2e-13);
    expect(Math.abs(out.point[0] - 1.5)).toBeLessThan(1e-12);
  });
});

describe('closestPointsMesh', () => {
  it.each(kinds)('gives, bit for bit, what single points give (%s)', (node) => {
    const random = createRandom(4);
    using bvh = buildMeshBvh(createSphereMesh(20), { node });
    const count = 700;
    const points = Float64Array.from({ length: 3 * count }, () => random.uniform(-1.5, 1.5));
    const stats = { nodeTests: 0, primitiveTests: 0 };
    const all = closestPointsMesh(createClosestPoints(count), bvh, points, { upperBound: 0.4, stats });
    const one = createClosestPoint();
    const sum = { nodeTests: 0, primitiveTests: 0 };
    let beyond = 0;
    for (let i = 0; i < count; i++) {
      closestPointMesh(one, bvh, points.subarray(3 * i, 3 * i + 3), { upperBound: 0.4, stats: sum });
      expect([all.distance[i], all.triangle[i]]).toEqual([one.distance, one.triangle]);
      if (one.triangle < 0) beyond++;
      else expect(all.point.subarray(3 * i, 3 * i + 3)).toEqual(one.point);
    }
    expect(stats).toEqual(sum);
    expect(beyond).toBeGreaterThan(50);
    expect(beyond).toBeLessThan(count - 50);
  });

  it('answers for an empty mesh; refuses misuse', () => {
    using empty = buildMeshBvh({ vertices: new Float64Array(), triangles: new Uint32Array() });
    const points = Float64Array.of(0, 0, 0, NaN, 0, 0);
    expect(closestPointMesh(createClosestPoint(), empty, [0, 0, 0])).toEqual(createClosestPoint());
    expect(closestPointsMesh(createClosestPoints(1), empty, points.subarray(0, 3)).triangle[0]).toBe(-1);
    expect(() => closestPointsMesh(createClosestPoints(2), empty, points)).toThrow(/point 1, got NaN 0 0/);
    expect(() => closestPointsMesh(createClosestPoints(1), empty, points)).toThrow(/room for 1 points, expected 2/);
    expect(() => closestPointsMesh(createClosestPoints(2), empty, points.subarray(1))).toThrow(/3 numbers per point/);
    const misuse = (): unknown => closestPointMesh(createClosestPoint(), empty, [0, 0, 0], { upperBound: -1 });
    expect(misuse).toThrow(/upperBound, got -1/);
  });
});
