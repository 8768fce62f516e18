import { describe, expect, it } from 'vitest';
import { createBoxMesh, createSoup } from '../../test/support/brute-force-meshes.js';
import { createRandom } from '../math/random.js';
import { castRayMesh, isRayBlocked } from './cast-ray.js';
import { createRayHit } from './cast-ray-hit.js';
import { castRays, createRayHits, readRayHit } from './cast-rays.js';
import { buildMeshBvh, type NodeKind } from './mesh-bvh.js';

const kinds: NodeKind[] = ['obb', 'aabb', 'rss', 'obb-rss'];

describe('castRays', () => {
  it.each(kinds)('gives, bit for bit, what single rays give (%s)', (node) => {
    const random = createRandom(21);
    using bvh = buildMeshBvh(createSoup(random, 400, 0.3), { node });
    // More than three chunks; a quarter misses the bounds.
    const count = 900;
    const rays = Float64Array.from({ length: 6 * count }, () => random.uniform(-2, 2));
    const maxT = Float64Array.from({ length: count }, () => random.uniform(0.2, 3));
    const hits = castRays(createRayHits(count), bvh, rays);
    const short = castRays(createRayHits(count), bvh, rays, { maxT, minT: 0.1, sides: 'front' });
    const any = castRays(createRayHits(count), bvh, rays, { find: 'any' });
    let found = 0;
    for (let i = 0; i < count; i++) {
      const origin = rays.subarray(6 * i, 6 * i + 3);
      const direction = rays.subarray(6 * i + 3, 6 * i + 6);
      const one = castRayMesh(createRayHit(), bvh, origin, direction);
      expect([hits.t[i], hits.triangle[i]]).toEqual([one.t, one.triangle]);
      if (one.triangle >= 0) found++;
      expect(readRayHit(createRayHit(), hits, i, bvh, rays)).toEqual(one);
      const options = { maxT: maxT[i], minT: 0.1, sides: 'front' as const };
      expect(readRayHit(createRayHit(), short, i, bvh, rays)).toEqual(
        castRayMesh(createRayHit(), bvh, origin, direction, options),
      );
      expect(any.triangle[i] >= 0).toBe(isRayBlocked(bvh, origin, direction));
    }
    expect(found).toBeGreaterThan(100);
    expect(found).toBeLessThan(count);
  });

  it('counts the work of all rays', () => {
    using bvh = buildMeshBvh(createBoxMesh(1, 1, 1));
    const rays = Float64Array.from({ length: 600 * 6 }, (_, i) => [0, 0, 0.1, 1, 0, 0][i % 6]);
    const stats = { nodeTests: 0, primitiveTests: 0 };
    castRays(createRayHits(600), bvh, rays, { stats });
    const one = { nodeTests: 0, primitiveTests: 0 };
    castRayMesh(createRayHit(), bvh, [0, 0, 0.1], [1, 0, 0], { stats: one });
    expect(stats).toEqual({ nodeTests: 600 * one.nodeTests, primitiveTests: 600 * one.primitiveTests });
    expect(one.nodeTests).toBeGreaterThan(0);
  });

  it('answers for no rays and for an empty mesh; refuses misuse', () => {
    using bvh = buildMeshBvh(createBoxMesh(1, 1, 1));
    using empty = buildMeshBvh({ vertices: new Float64Array(), triangles: new Uint32Array() });
    castRays(createRayHits(0), bvh, new Float64Array());
    const rays = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0);
    expect(castRays(createRayHits(1), empty, rays.subarray(0, 6)).triangle[0]).toBe(-1);
    expect(() => castRays(createRayHits(2), bvh, rays)).toThrow(/ray 1, got .* direction 0 0 0/);
    expect(() => castRays(createRayHits(1), bvh, rays)).toThrow(/room for 1 rays, expected at least 2/);
    expect(() => castRays(createRayHits(2), bvh, rays.subarray(1))).toThrow(/6 numbers per ray/);
    expect(() => castRays(createRayHits(2), bvh, rays, { maxT: new Float64Array(1) })).toThrow(/maxT, got 1/);
    expect(() => castRays(createRayHits(2), bvh, rays, { find: 'last' as 'any' })).toThrow(/expected 'first' or 'any'/);
  });
});
