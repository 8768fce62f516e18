import fc from 'fast-check';
import { describe, it } from 'vitest';
import {
  createBoxMesh,
  createSoup,
  createSphereMesh,
  listTriangles,
  moveMesh,
  type Triangle,
} from '../../test/support/brute-force-meshes.js';
import { expect } from '../../test/support/quick-expect.js';
import { useCheckedKernel } from '../kernel/checked-kernel.js';
import { useInlinedKernel } from '../kernel/kernel.js';
import { createRandom } from '../math/random.js';
import { createTransform } from '../math/transform.js';
import { castRayMesh, collectRayHits, isRayBlocked } from './cast-ray.js';
import { createRayHit, type RayHit } from './cast-ray-hit.js';
import { buildMeshBvh, type NodeKind } from './mesh-bvh.js';

const kernels = {
  release: useInlinedKernel,
  checked: useCheckedKernel,
};
const kinds: NodeKind[] = ['obb', 'aabb', 'rss', 'obb-rss'];

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
          const found = castRayMesh(createRayHit(), bvh, origin, direction);
          if (expected === Infinity) {
            expect([found.t, found.triangle]).toEqual([Infinity, -1]);
          } else {
            expect(Math.abs(found.t - expected)).toBeLessThanOrEqual(1e-9 * expected);
            expect(hits[found.triangle]).toBeCloseTo(expected, 9);
            expect(castRayMesh(createRayHit(), bvh, origin, direction, expected * 1.0001).triangle).toBe(
              found.triangle,
            );
            expect(castRayMesh(createRayHit(), bvh, origin, direction, expected * 0.9999).triangle).toBe(-1);
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
          const found = castRayMesh(createRayHit(), bvh, [0, 0, 0], target);
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
        expect(castRayMesh(createRayHit(), bvh, origin, direction).t).toBeCloseTo(1e6 - 1, 8);
        const inside = [0.1, 0.2, 0.3];
        expect(castRayMesh(createRayHit(), bvh, inside, direction).t).toBeCloseTo(1 - s * inside[k], 15);
        expect(
          castRayMesh(
            createRayHit(),
            bvh,
            origin,
            direction.map((x) => -x),
          ).triangle,
        ).toBe(-1);
        expect(castRayMesh(createRayHit(), bvh, origin, direction, 1e6 - 2).triangle).toBe(-1);
      }
    }
  });

  it('never slips through the edges and corners of a bumpy closed surface, from anywhere', () => {
    create();
    const random = createRandom(11);
    for (const node of kinds) {
      using bvh = buildMeshBvh(createSphereMesh(14), { node });
      const { vertices, triangles } = bvh.mesh;
      for (let i = 0; i < 3000; i++) {
        const origin = [random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5)];
        const triangle = random.integer(triangles.length / 3);
        const a = 3 * triangles[3 * triangle];
        const b = 3 * triangles[3 * triangle + 1];
        const w = [0, 1, random.next()][i % 3];
        const scale = 10 ** random.uniform(-12, 12);
        const direction = [0, 1, 2].map((k) => (w * vertices[a + k] + (1 - w) * vertices[b + k] - origin[k]) * scale);
        const found = castRayMesh(createRayHit(), bvh, origin, direction);
        expect(Math.abs(found.t * scale - 1)).toBeLessThanOrEqual(1e-12);
        expect(found.isFront).toBe(false);
      }
    }
  });

  it('describes a hit: side, weights, normal, point', () => {
    create();
    const random = createRandom(3);
    using bvh = buildMeshBvh(createSphereMesh(12));
    const { vertices, triangles } = bvh.mesh;
    for (let i = 0; i < 500; i++) {
      const far = 10 ** random.uniform(0.3, 9);
      const origin = [random.normal(), random.normal(), random.normal()];
      const length = Math.hypot(...origin);
      for (let k = 0; k < 3; k++) origin[k] *= far / length;
      const aim = [random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5)];
      const direction = aim.map((x, k) => x - origin[k]);
      const hit = castRayMesh(createRayHit(), bvh, origin, direction);
      expect(hit.isFront).toBe(true);
      expect(castRayMesh(createRayHit(), bvh, origin, direction, { sides: 'front' })).toEqual(hit);
      const inner = castRayMesh(createRayHit(), bvh, origin, direction, { sides: 'back' });
      expect(inner.t).toBeGreaterThan(hit.t);
      expect(inner.isFront).toBe(false);
      expect(Math.min(...hit.barycentric)).toBeGreaterThanOrEqual(0);
      expect(hit.barycentric.reduce((a, b) => a + b)).toBeCloseTo(1, 15);
      expect(Math.hypot(...hit.normal)).toBeCloseTo(1, 14);
      expect(hit.normal[0] * direction[0] + hit.normal[1] * direction[1] + hit.normal[2] * direction[2]).toBeLessThan(
        0,
      );
      for (let k = 0; k < 3; k++) {
        const at = (c: number): number => vertices[3 * triangles[3 * hit.triangle + c] + k];
        const { barycentric: w } = hit;
        expect(Math.abs(hit.point[k] - (w[0] * at(0) + w[1] * at(1) + w[2] * at(2)))).toBeLessThan(1e-14);
        expect(Math.abs(hit.point[k] - (origin[k] + hit.t * direction[k]))).toBeLessThan(4e-16 * far + 1e-13);
      }
      // However far the origin, the point lies on the line: distance of the point from the line through aim.
      const off = aim.map((x, k) => hit.point[k] - x);
      const along = off.reduce((sum, x, k) => sum + x * direction[k], 0) / direction.reduce((sum, x) => sum + x * x, 0);
      expect(Math.hypot(...off.map((x, k) => x - along * direction[k]))).toBeLessThan(4e-16 * far + 1e-13);
    }
  });

  it('lists all hits in order, more than the kernel holds at once included', () => {
    create();
    const count = 2500;
    const vertices = new Float64Array(9 * count);
    const triangles = Uint32Array.from({ length: 3 * count }, (_, i) => i);
    for (let i = 0; i < count; i++)
      vertices.set([-1, -1, (7 * i) % count, 3, -1, (7 * i) % count, -1, 3, (7 * i) % count], 9 * i);
    using bvh = buildMeshBvh({ vertices, triangles });
    const hits: RayHit[] = [];
    collectRayHits(hits, bvh, [0, 0, -1], [0, 0, 1]);
    expect(hits.map((hit) => hit.t)).toEqual(Array.from({ length: count }, (_, i) => i + 1));
    collectRayHits(hits, bvh, [0, 0, -1], [0, 0, 2], { minT: 1, maxT: 2 });
    expect(hits.map((hit) => hit.t)).toEqual([1, 1.5, 2]);
    expect(hits.every((hit) => hit.triangle >= 0 && !hit.isFront)).toBe(true);
    expect(collectRayHits(hits, bvh, [0, 0, -1], [0, 0, 1], { sides: 'front' })).toEqual([]);
  });

  it('agrees about any hit with the first hit, and prefers the lower index among equals', () => {
    create();
    const random = createRandom(8);
    const mesh = createSoup(random, 60, 0.5);
    const twice = { vertices: mesh.vertices, triangles: Uint32Array.from([...mesh.triangles, ...mesh.triangles]) };
    for (const node of kinds) {
      using bvh = buildMeshBvh(twice, { node });
      for (let i = 0; i < 300; i++) {
        const origin = [random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)];
        const direction = origin.map((x) => random.uniform(-1, 1) - x);
        const first = castRayMesh(createRayHit(), bvh, origin, direction);
        expect(first.triangle).toBeLessThan(60);
        expect(isRayBlocked(bvh, origin, direction)).toBe(first.triangle >= 0);
        if (first.triangle < 0) continue;
        expect(isRayBlocked(bvh, origin, direction, first.t)).toBe(true);
        expect(isRayBlocked(bvh, origin, direction, first.t * (1 - 1e-12))).toBe(false);
        const next = castRayMesh(createRayHit(), bvh, origin, direction, { minT: first.t * (1 + 1e-12) });
        expect(next.t).toBeGreaterThan(first.t);
      }
    }
  });

  it('takes origins on the surface and within the plane of a triangle', () => {
    create();
    for (const node of kinds) {
      using bvh = buildMeshBvh(createBoxMesh(2, 2, 2), { node });
      expect(castRayMesh(createRayHit(), bvh, [1, 0.3, 0.2], [1, 0, 0]).t).toBe(0);
      expect(castRayMesh(createRayHit(), bvh, [1, 0.3, 0.2], [-1, 0, 0]).t).toBe(0);
      expect(castRayMesh(createRayHit(), bvh, [1, 0.3, 0.2], [-1, 0, 0], { minT: 1e-9 }).t).toBe(2);
      expect(castRayMesh(createRayHit(), bvh, [1, 1, 1], [-1, -1, -1], { minT: 1e-9 }).t).toBe(2);
      // In the plane x = 1: the faces it runs within are not hit, the ones at right angles are.
      expect(castRayMesh(createRayHit(), bvh, [1, -5, 0.2], [0, 1, 0]).t).toBe(4);
      // Along an edge nothing is hit but the faces at its ends.
      expect(castRayMesh(createRayHit(), bvh, [1, -5, 1], [0, 1, 0]).t).toBe(4);
    }
  });

  it('keeps its accuracy at 1e15 and for tiny and huge directions', () => {
    create();
    for (const node of kinds) {
      using bvh = buildMeshBvh(createBoxMesh(2, 2, 2), { node });
      for (const far of [1e3, 1e9, 1e15]) {
        const hit = castRayMesh(createRayHit(), bvh, [-far, -far, -far], [1, 1, 1]);
        expect(hit.t).toBe(far - 1);
        expect(Array.from(hit.point)).toEqual([-1, -1, -1]);
        expect(castRayMesh(createRayHit(), bvh, [-far, 0.25, 0.5], [far, 0, 0]).point[1]).toBe(0.25);
      }
      for (const speed of [5e-324, 1e-310, 1e-200, 1e-30, 1e15]) {
        const hit = castRayMesh(createRayHit(), bvh, [-3, 0.1, 0.2], [speed, 0, 0]);
        if (speed < 1e-308) expect(hit.triangle).toBe(-1);
        else expect(Math.abs(hit.t * speed - 2)).toBeLessThan(1e-14);
      }
    }
    const huge = createBoxMesh(2e14, 2e14, 2e14);
    using bvh = buildMeshBvh(huge);
    expect(Math.abs(castRayMesh(createRayHit(), bvh, [1, 2, 3], [0, 0, 1]).t - (1e14 - 3))).toBeLessThanOrEqual(0.05);
    const small = createBoxMesh(2e-20, 2e-20, 2e-20);
    using tiny = buildMeshBvh(small);
    expect(castRayMesh(createRayHit(), tiny, [1, 0, 0], [-1, 1e-21, 0]).t).toBe(1);
    expect(castRayMesh(createRayHit(), tiny, [1, 0, 0], [-1, 1e-19, 0]).triangle).toBe(-1);
  });

  it('works on meshes far from their origin', () => {
    create();
    const X = createTransform();
    X.set([1e6, -1e6, 2e6], 9);
    using bvh = buildMeshBvh(moveMesh(createSphereMesh(20), X));
    expect(castRayMesh(createRayHit(), bvh, [1e6, -1e6, 0], [0, 0, 1]).t).toBeCloseTo(2e6 - 1, 6);
  });

  it('refuses rays that are none', () => {
    create();
    using bvh = buildMeshBvh(createBoxMesh(1, 1, 1));
    expect(() => castRayMesh(createRayHit(), bvh, [0, 0, 0], [0, 0, 0])).toThrow(/direction that is not zero/);
    expect(() => castRayMesh(createRayHit(), bvh, [NaN, 0, 0], [1, 0, 0])).toThrow(/castRayMesh: ray, got origin NaN/);
    expect(() => castRayMesh(createRayHit(), bvh, [0, 0, 0], [1, 0, 0], -1)).toThrow(/minT <= maxT/);
    expect(() => castRayMesh(createRayHit(), bvh, [0, 0, 0], [1, 0, 0], { minT: 2, maxT: 1 })).toThrow(
      /minT 2, maxT 1/,
    );
    expect(() => castRayMesh(createRayHit(), bvh, [0, 2e15, 0], [1, 0, 0])).toThrow(/within/);
    expect(() => isRayBlocked(bvh, [0, 0, 0], [1, Infinity, 0])).toThrow(/isRayBlocked: ray/);
    expect(() => castRayMesh(createRayHit(), bvh, [0, 0, 0], [1, 0, 0], { sides: 'inside' as 'both' })).toThrow(
      /sides, got "inside"/,
    );
    using empty = buildMeshBvh({ vertices: new Float64Array(), triangles: new Uint32Array() });
    expect(castRayMesh(createRayHit(), empty, [0, 0, 0], [1, 0, 0])).toEqual(createRayHit());
    expect(isRayBlocked(empty, [0, 0, 0], [1, 0, 0])).toBe(false);
    expect(collectRayHits([], empty, [0, 0, 0], [1, 0, 0])).toEqual([]);
  });
});
