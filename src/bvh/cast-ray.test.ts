import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createBoxMesh,
  createSoup,
  createSphereMesh,
  listTriangles,
  moveMesh,
  type Triangle,
} from '../../test/support/brute-force-meshes.js';
import { useCheckedKernel } from '../kernel/checked-kernel.js';
import { decodeBase64 } from '../kernel/decode-base64.js';
import { moduleText } from '../kernel/generated/kernel-module.js';
import { useKernel } from '../kernel/kernel.js';
import { createRandom } from '../math/random.js';
import { createTransform } from '../math/transform.js';
import { castRayMesh } from './cast-ray.js';
import { buildMeshBvh, type NodeKind } from './mesh-bvh.js';

const kernels = {
  release: () => useKernel(new WebAssembly.Module(decodeBase64(moduleText))),
  checked: useCheckedKernel,
};
const kinds: NodeKind[] = ['obb', 'aabb'];

/** Moller-Trumbore, the formula the kernel does not use; null near the triangle's border, where both may differ. */
function hit(origin: number[], d: number[], [a, b, c]: Triangle): number | null {
  const e = b.map((x, k) => x - a[k]);
  const f = c.map((x, k) => x - a[k]);
  const cross = (u: number[], v: number[]): number[] => [
    u[1] * v[2] - u[2] * v[1],
    u[2] * v[0] - u[0] * v[2],
    u[0] * v[1] - u[1] * v[0],
  ];
  const dot = (u: number[], v: number[]): number => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  const p = cross(d, f);
  const det = dot(e, p);
  if (det === 0) return Infinity;
  const s = origin.map((x, k) => x - a[k]);
  const u = dot(s, p) / det;
  const q = cross(s, e);
  const v = dot(d, q) / det;
  if (Math.min(u, v, 1 - u - v) < -1e-9) return Infinity;
  if (Math.min(u, v, 1 - u - v) < 1e-9) return null;
  const t = dot(f, q) / det;
  return t >= 0 ? t : Infinity;
}

describe.each(Object.entries(kernels))('castRayMesh, %s kernel', (_, create) => {
  it('finds the first hit that brute force finds', () => {
    create();
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...kinds), (seed, node) => {
        const random = createRandom(seed);
        const mesh = createSoup(random, 100, random.uniform(0.05, 0.7));
        using bvh = buildMeshBvh(mesh, { node });
        const triangles = listTriangles(mesh);
        for (let i = 0; i < 20; i++) {
          const origin = [random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)];
          const direction = origin.map((x) => (random.uniform(-1, 1) - x) * random.uniform(0.1, 10));
          const hits = triangles.map((t) => hit(origin, direction, t));
          if (hits.includes(null)) continue;
          const expected = Math.min(...(hits as number[]));
          const found = castRayMesh(bvh, origin, direction);
          if (expected === Infinity) {
            expect(found).toEqual({ t: Infinity, triangle: -1 });
          } else {
            expect(Math.abs(found.t - expected)).toBeLessThanOrEqual(1e-9 * expected);
            expect(hits[found.triangle]).toBeCloseTo(expected, 9);
            expect(castRayMesh(bvh, origin, direction, expected * 1.0001).triangle).toBe(found.triangle);
            expect(castRayMesh(bvh, origin, direction, expected * 0.9999).triangle).toBe(-1);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('never slips through a closed surface, edges and corners included', () => {
    create();
    for (const node of kinds) {
      using bvh = buildMeshBvh(createSphereMesh(24), { node });
      const { vertices, triangles } = bvh.mesh;
      for (let i = 0; i < triangles.length; i += 3) {
        const [a, b] = [triangles[i] * 3, triangles[i + 1] * 3];
        for (const w of [0, 0.5, 1 / 3]) {
          const target = [0, 1, 2].map((k) => (1 - w) * vertices[a + k] + w * vertices[b + k]);
          const found = castRayMesh(bvh, [0, 0, 0], target);
          expect(found.t).toBeCloseTo(1, 12);
        }
      }
    }
  });

  it('hits both sides, from far away and along the axes', () => {
    create();
    for (const node of kinds) {
      using bvh = buildMeshBvh(createBoxMesh(2, 2, 2), { node });
      for (const [k, s] of [0, 1, 2].flatMap((axis) => [
        [axis, 1],
        [axis, -1],
      ])) {
        const origin = [0.1, 0.2, 0.3];
        origin[k] = -s * 1e6;
        const direction = [0, 0, 0];
        direction[k] = s;
        expect(castRayMesh(bvh, origin, direction).t).toBeCloseTo(1e6 - 1, 8);
        const inside = [0.1, 0.2, 0.3];
        expect(castRayMesh(bvh, inside, direction).t).toBeCloseTo(1 - s * inside[k], 15);
        expect(
          castRayMesh(
            bvh,
            origin,
            direction.map((x) => -x),
          ).triangle,
        ).toBe(-1);
        expect(castRayMesh(bvh, origin, direction, 1e6 - 2).triangle).toBe(-1);
      }
    }
  });

  it('works on meshes far from their origin', () => {
    create();
    const X = createTransform();
    X.set([1e6, -1e6, 2e6], 9);
    using bvh = buildMeshBvh(moveMesh(createSphereMesh(20), X));
    expect(castRayMesh(bvh, [1e6, -1e6, 0], [0, 0, 1]).t).toBeCloseTo(2e6 - 1, 6);
  });

  it('refuses rays that are none', () => {
    create();
    using bvh = buildMeshBvh(createBoxMesh(1, 1, 1));
    expect(() => castRayMesh(bvh, [0, 0, 0], [0, 0, 0])).toThrow(/direction that is not zero/);
    expect(() => castRayMesh(bvh, [NaN, 0, 0], [1, 0, 0])).toThrow(/castRayMesh: ray, got origin NaN/);
    expect(() => castRayMesh(bvh, [0, 0, 0], [1, 0, 0], -1)).toThrow(/maxT >= 0/);
    using empty = buildMeshBvh({ vertices: new Float64Array(), triangles: new Uint32Array() });
    expect(castRayMesh(empty, [0, 0, 0], [1, 0, 0])).toEqual({ t: Infinity, triangle: -1 });
  });
});
