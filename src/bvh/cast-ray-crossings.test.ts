import { describe, expect, it } from 'vitest';
import { createBoxMesh, createSphereMesh } from '../../test/support/brute-force-meshes.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { createRandom } from '../math/random.js';
import { countCrossings } from './cast-ray-crossings.js';
import { buildMeshBvh, type NodeKind } from './mesh-bvh.js';

const kinds: NodeKind[] = ['obb', 'aabb', 'rss', 'obb-rss'];

/** Cubes of integer corners, with edges, diagonals and corners right in the way of rays from grid points. */
function createGridCube(cells: number): TriangleMesh {
  const vertices: number[] = [];
  const triangles: number[] = [];
  for (const [axis, side] of [0, 1, 2].flatMap((k) => [
    [k, 0],
    [k, 1],
  ])) {
    const u = (axis + 1) % 3;
    const v = (axis + 2) % 3;
    for (let i = 0; i < cells; i++) {
      for (let j = 0; j < cells; j++) {
        const first = vertices.length / 3;
        for (const [a, b] of [
          [i, j],
          [i + 1, j],
          [i + 1, j + 1],
          [i, j + 1],
        ]) {
          const point = [0, 0, 0];
          point[axis] = side * cells;
          point[u] = a;
          point[v] = b;
          vertices.push(...point);
        }
        const corners = side ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2];
        triangles.push(...corners.map((c) => first + c));
      }
    }
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

describe('countCrossings', () => {
  it.each(kinds)('counts once where the half-line meets edges and corners (%s)', (node) => {
    using bvh = buildMeshBvh(createGridCube(6), { node });
    const out = { winding: 0, count: 0 };
    for (let x = -1; x <= 7; x++) {
      for (let y = -1; y <= 7; y++) {
        for (let z = -1; z <= 7; z++) {
          for (const shift of [0, 0.5, 1 / 3]) {
            const p = [x + 0.25, y + shift, z + shift];
            // On a face that contains the half-line the answer is free.
            if (p.some((c, k) => k > 0 && (c === 0 || c === 6))) continue;
            const inside = p.every((c) => c > 0 && c < 6);
            countCrossings(out, bvh, p[0], p[1], p[2]);
            expect([out.winding, out.count % 2]).toEqual(inside ? [1, 1] : [0, 0]);
          }
        }
      }
    }
  });

  it('sums over nested shells, and turns its sign with the winding', () => {
    const sphere = createSphereMesh(16);
    const turned = { vertices: sphere.vertices, triangles: sphere.triangles.slice().reverse() };
    using outward = buildMeshBvh(sphere);
    using inward = buildMeshBvh(turned);
    const random = createRandom(5);
    const out = { winding: 0, count: 0 };
    for (let i = 0; i < 2000; i++) {
      const p = [random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2)];
      const radius = Math.hypot(...p);
      if (radius > 0.95 && radius < 1.0001) continue;
      expect(countCrossings(out, outward, p[0], p[1], p[2]).winding).toBe(radius < 1 ? 1 : 0);
      expect(countCrossings(out, inward, p[0], p[1], p[2]).winding).toBe(radius < 1 ? -1 : 0);
    }
    const box = createBoxMesh(10, 10, 10);
    const shift = box.vertices.length / 3;
    using nested = buildMeshBvh({
      vertices: Float64Array.from([...box.vertices, ...sphere.vertices]),
      triangles: Uint32Array.from([...box.triangles, ...Array.from(sphere.triangles, (v) => v + shift)]),
    });
    expect(countCrossings(out, nested, 0.01, 0.02, 0.03)).toEqual({ winding: 2, count: 2 });
    expect(countCrossings(out, nested, 3, 0.02, 0.03)).toEqual({ winding: 1, count: 1 });
    expect(countCrossings(out, nested, 30, 0.02, 0.03)).toEqual({ winding: 0, count: 0 });
  });
});
