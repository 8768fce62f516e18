/** Batches give what single queries give, bit for bit; and mixed, slender and many-shelled meshes against brute force. */
import { describe, expect, it } from 'vitest';
import { createDrilledPlate, createKnot, createShells } from '../../bench/meshes.mjs';
import {
  createSphereMesh,
  distanceMatrix,
  distancePointTriangle,
  type Point,
  randomTransform,
  triangleOf,
} from '../../test/support/brute-force-meshes.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { useCheckedKernel } from '../kernel/checked-kernel.js';
import { createRandom } from '../math/random.js';
import { collideMeshMesh } from './collide-mesh.js';
import { createMeshDistance, distanceMeshMesh, toleranceMeshMesh } from './distance-mesh.js';
import { buildMeshBvh, type NodeKind } from './mesh-bvh.js';
import { collideMeshPoses, distanceMeshPoses, toleranceMeshPoses } from './mesh-poses.js';
import { reportBvh } from './report-bvh.js';
import { validateBvh } from './validate-bvh.js';

const plate = (): TriangleMesh =>
  createDrilledPlate({ columns: 3, rows: 2, segments: 12, ribs: 3, ribSegments: 12, thickness: 0.3 });
const shells = (): TriangleMesh => createShells(createRandom(5), { shells: 10, segments: 8 });

describe('meshes of slivers and of many shells', () => {
  const pairs: [string, () => TriangleMesh, () => TriangleMesh][] = [
    ['plate and shells', plate, shells],
    ['knot and sphere', () => createKnot(24, 6), () => createSphereMesh(10)],
  ];
  const nodes: NodeKind[] = ['obb', 'aabb', 'rss', 'obb-rss'];
  for (const [name, createA, createB] of pairs) {
    for (const node of nodes) {
      it(`${name}: collide, distance, tolerance and witnesses as brute force (${node})`, () => {
        useCheckedKernel();
        const [meshA, meshB] = [createA(), createB()];
        using a = buildMeshBvh(meshA, { node });
        using b = buildMeshBvh(meshB, { node });
        expect(validateBvh(a)).toEqual([]);
        expect(validateBvh(b)).toEqual([]);
        const random = createRandom(11);
        const extent = Math.max(
          ...[0, 1, 2].map((k) => Math.max(a.bounds[k + 3] - a.bounds[k], b.bounds[k + 3] - b.bounds[k])),
        );
        for (let i = 0; i < 6; i++) {
          const X_AB = randomTransform(random, random.uniform(0.5, 3));
          const expected = distanceMatrix(meshA, meshB, X_AB).reduce((x, y) => Math.min(x, y), Infinity);
          const allowed = 1e-12 * Math.max(expected, extent);
          const result = distanceMeshMesh(createMeshDistance(), a, b, X_AB);
          expect(Math.abs(result.distance - expected)).toBeLessThanOrEqual(allowed);
          const [p, q] = [result.pointA, result.pointB];
          expect(Math.abs(Math.hypot(q[0] - p[0], q[1] - p[1], q[2] - p[2]) - result.distance)).toBeLessThanOrEqual(
            allowed,
          );
          expect(
            distancePointTriangle(Array.from(p) as Point, triangleOf(meshA, result.triangleA)),
          ).toBeLessThanOrEqual(allowed);
          expect(
            distancePointTriangle(Array.from(q) as Point, triangleOf(meshB, result.triangleB, X_AB)),
          ).toBeLessThanOrEqual(allowed);
          expect(collideMeshMesh(a, b, X_AB).collides).toBe(expected <= 1e-9);
          expect(toleranceMeshMesh(a, b, X_AB, 0.05)).toBe(expected <= 0.05);
        }
      });
    }
  }

  it('need at most 160 bytes per triangle, 110 with axis-aligned boxes', () => {
    for (const create of [() => createKnot(100, 20), () => createSphereMesh(50)]) {
      const mesh = create();
      using obb = buildMeshBvh(mesh);
      using aabb = buildMeshBvh(mesh, { node: 'aabb' });
      expect(reportBvh(obb).bytesPerTriangle).toBeLessThanOrEqual(160);
      expect(reportBvh(aabb).bytesPerTriangle).toBeLessThanOrEqual(110);
    }
  });
});

describe('many poses of one pair', () => {
  it('give the answers of single queries', () => {
    useCheckedKernel();
    using a = buildMeshBvh(plate());
    using b = buildMeshBvh(shells(), { node: 'aabb' });
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
    expect(() => distanceMeshPoses(new Float64Array(2), a, a, poses)).toThrow(/pose 1, got NaN/);
    poses[13] = 0;
    const outPoints = new Float64Array(6);
    expect(() => distanceMeshPoses(new Float64Array(2), a, a, poses, { outPoints })).toThrow(/outPoints, got 6/);
    expect(() => toleranceMeshPoses(new Uint8Array(2), a, a, poses, -1)).toThrow(/tolerance, got -1/);
  });
});
