import { describe, expect, it } from 'vitest';
import { castRayMesh } from '../../src/bvh/cast-ray.js';
import { createRayHit } from '../../src/bvh/cast-ray-hit.js';
import { collideMeshMesh } from '../../src/bvh/collide-mesh.js';
import { createMeshDistance, distanceMeshMesh } from '../../src/bvh/distance-mesh.js';
import { buildMeshBvh, type MeshBvh, type NodeKind } from '../../src/bvh/mesh-bvh.js';
import { reportMesh } from '../../src/geometry/mesh-report.js';
import type { TriangleMesh } from '../../src/geometry/triangle-mesh.js';
import { createTransform } from '../../src/math/transform.js';
import { createBoxMesh } from '../support/brute-force-meshes.js';

const kinds: NodeKind[] = ['obb', 'aabb'];
const identity = createTransform();
const meshOf = (...corners: number[]): TriangleMesh => ({
  vertices: Float64Array.from(corners),
  triangles: Uint32Array.from({ length: corners.length / 3 }, (_, i) => i),
});
const measure = (a: MeshBvh, b: MeshBvh) => distanceMeshMesh(createMeshDistance(), a, b, identity);

describe('degenerate triangles / bad vertices', () => {
  it('U037: a triangle that is a point intersects nothing and is measured as a point', () => {
    for (const node of kinds) {
      using cube = buildMeshBvh(createBoxMesh(1, 1, 1), { node });
      using point = buildMeshBvh(meshOf(9, 9, 9, 9, 9, 9, 9, 9, 9), { node });
      expect(collideMeshMesh(cube, point, identity).collides).toBe(false);
      expect(collideMeshMesh(point, cube, identity).collides).toBe(false);
      expect(measure(cube, point).distance).toBeCloseTo(Math.sqrt(3) * 8.5, 12);
    }
  });

  it('U039: a collinear triangle neither hides the good ones nor gives NaN', () => {
    const clean = createBoxMesh(1, 1, 1);
    const n = clean.vertices.length / 3;
    const dirty: TriangleMesh = {
      vertices: Float64Array.from([...clean.vertices, 0, 0, 0, 0, 0, 0, 1, 1, 1]),
      triangles: Uint32Array.from([...clean.triangles, n, n + 1, n + 2]),
    };
    for (const node of kinds) {
      using cleanTree = buildMeshBvh(clean, { node });
      using dirtyTree = buildMeshBvh(dirty, { node });
      for (const p of [
        [-3, 0.1, 0.2],
        [-2, -2, -2],
        [0.2, -4, 0.1],
        [0.1, -0.2, -3],
      ]) {
        using probe = buildMeshBvh(meshOf(...p, ...p, ...p));
        const expected = measure(cleanTree, probe);
        const got = measure(dirtyTree, probe);
        expect(got.distance).toBe(expected.distance);
        expect(Array.from(got.pointA)).toEqual(Array.from(expected.pointA));
      }
      // Nearest to the sliver: the answer is on it, and finite.
      using probe = buildMeshBvh(meshOf(2, 2, 2, 2, 2, 2, 2, 2, 2));
      const got = measure(dirtyTree, probe);
      expect(got.triangleA).toBe(12);
      expect(got.distance).toBeCloseTo(Math.sqrt(3), 12);
    }
  });

  it('U041: triangles keep their own index beside zero-area ones, and those are counted', () => {
    const vertices: number[] = [];
    for (let i = 0; i < 20; i++) {
      if (i === 7) vertices.push(i, 0, 0, i, 0, 0, i, 1, 0);
      else vertices.push(i, 0, 0, i + 0.9, 0, 0, i, 0.9, 0);
    }
    const mesh = meshOf(...vertices);
    expect(reportMesh(mesh).degenerate).toBe(1);
    for (const node of kinds) {
      using bvh = buildMeshBvh(mesh, { node });
      expect(bvh.triangleCount).toBe(20);
      expect(castRayMesh(createRayHit(), bvh, [12.2, 0.2, 5], [0, 0, -1])).toMatchObject({ t: 5, triangle: 12 });
      using probe = buildMeshBvh(meshOf(12.2, 0.2, 1, 12.3, 0.2, 1, 12.2, 0.3, 1), { node });
      expect(measure(bvh, probe)).toMatchObject({ triangleA: 12, triangleB: 0, distance: 1 });
    }
  });

  it('U043: coplanar overlapping triangles touch', () => {
    for (const node of kinds) {
      using a = buildMeshBvh(meshOf(0, 0, 0, 1, 0, 0, 0, 1, 0), { node });
      using b = buildMeshBvh(meshOf(0.2, 0.2, 0, 1.2, 0.2, 0, 0.2, 1.2, 0), { node });
      expect(collideMeshMesh(a, b, identity).collides).toBe(true);
      expect(measure(a, b).distance).toBe(0);
      expect(measure(b, a).distance).toBe(0);
    }
  });
});
