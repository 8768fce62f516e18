/** Batches give what single queries give, bit for bit. */
import { describe, expect, it } from 'vitest';
import { createSoup, createSphereMesh, randomTransform } from '../../test/support/brute-force-meshes.js';
import { useCheckedKernel } from '../kernel/checked-kernel.js';
import { createRandom } from '../math/random.js';
import { collideMeshMesh } from './collide-mesh.js';
import { createMeshDistance, distanceMeshMesh, toleranceMeshMesh } from './distance-mesh.js';
import { buildMeshBvh } from './mesh-bvh.js';
import { collideMeshPoses, distanceMeshPoses, toleranceMeshPoses } from './mesh-poses.js';

describe('many poses of one pair', () => {
  it('give the answers of single queries', () => {
    useCheckedKernel();
    using a = buildMeshBvh(createSphereMesh(20));
    using b = buildMeshBvh(createSoup(createRandom(3), 60, 0.4), { node: 'aabb' });
    const random = createRandom(2);
    const n = 300;
    const poses = new Float64Array(12 * n);
    for (let i = 0; i < n; i++) poses.set(randomTransform(random, random.uniform(0, 4)), 12 * i);
    const outTriangles = new Int32Array(2 * n);
    const pairs = new Int32Array(2 * n);
    const outPoints = new Float64Array(6 * n);
    const [batch, single] = [0, 1].map(() => ({ nodeTests: 0, primitiveTests: 0 }));
    const touching = collideMeshPoses(new Uint8Array(n), a, b, poses, { outTriangles: pairs, stats: batch });
    const distances = distanceMeshPoses(new Float64Array(n), a, b, poses, { outPoints, outTriangles, stats: batch });
    const near = toleranceMeshPoses(new Uint8Array(n), a, b, poses, 0.3, batch);
    const bounded = distanceMeshPoses(new Float64Array(n), a, b, poses, { upperBound: 0.5 });
    for (let i = 0; i < n; i++) {
      const X_AB = poses.subarray(12 * i, 12 * i + 12);
      const collision = collideMeshMesh(a, b, X_AB, { stats: single });
      expect(touching[i] === 1).toBe(collision.collides);
      expect(Array.from(pairs.subarray(2 * i, 2 * i + 2))).toEqual([collision.triangleA, collision.triangleB]);
      const result = distanceMeshMesh(createMeshDistance(), a, b, X_AB, { stats: single });
      expect(distances[i]).toBe(result.distance);
      expect(Array.from(outTriangles.subarray(2 * i, 2 * i + 2))).toEqual([result.triangleA, result.triangleB]);
      expect(Array.from(outPoints.subarray(6 * i, 6 * i + 6))).toEqual([...result.pointA, ...result.pointB]);
      expect(near[i] === 1).toBe(toleranceMeshMesh(a, b, X_AB, 0.3, { stats: single }));
      expect(bounded[i]).toBe(result.distance < 0.5 ? result.distance : Infinity);
    }
    expect(batch).toEqual(single);
  });

  it('refuse arrays that do not fit, and poses that are not finite', () => {
    using a = buildMeshBvh(createSphereMesh(5));
    const poses = new Float64Array(24);
    expect(() => collideMeshPoses(new Uint8Array(3), a, a, poses)).toThrow(/poses, got 24 numbers, expected 36/);
    poses[13] = NaN;
    expect(() => distanceMeshPoses(new Float64Array(2), a, a, poses)).toThrow(/poses\[13\], got NaN/);
    poses[13] = 0;
    const outPoints = new Float64Array(6);
    expect(() => distanceMeshPoses(new Float64Array(2), a, a, poses, { outPoints })).toThrow(/outPoints, got 6/);
    expect(() => toleranceMeshPoses(new Uint8Array(2), a, a, poses, -1)).toThrow(/tolerance, got -1/);
  });
});
