/** Slivers, holes and many shells, small enough for brute force; memory per triangle. */
import { describe, it } from 'vitest';
import { createDrilledPlate, createKnot, createShells } from '../../bench/meshes.mjs';
import { collideMeshMesh } from '../../src/bvh/collide-mesh.js';
import { createMeshDistance, distanceMeshMesh, toleranceMeshMesh } from '../../src/bvh/distance-mesh.js';
import { buildMeshBvh, type NodeKind } from '../../src/bvh/mesh-bvh.js';
import { reportBvh } from '../../src/bvh/report-bvh.js';
import { validateBvh } from '../../src/bvh/validate-bvh.js';
import type { TriangleMesh } from '../../src/geometry/triangle-mesh.js';
import { useCheckedKernel } from '../../src/kernel/checked-kernel.js';
import { createRandom } from '../../src/math/random.js';
import {
  createSphereMesh,
  distanceMatrix,
  distancePointTriangle,
  type Point,
  randomTransform,
  triangleOf,
} from '../support/brute-force-meshes.js';
import { expect } from '../support/quick-expect.js';

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
    const nearest: number[] = [];
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
          // The same poses whatever the nodes: brute force once.
          nearest[i] ??= distanceMatrix(meshA, meshB, X_AB).reduce((x, y) => Math.min(x, y), Infinity);
          const expected = nearest[i];
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
