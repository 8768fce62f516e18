import { describe, expect, it } from 'vitest';
import { createBoxMesh, joinMeshes, sampleHullMesh } from '../../test/sample-shapes.js';
import { buildMeshBvh } from '../bvh/mesh-bvh.js';
import { buildConvexHull } from '../geometry/hull.js';
import { createRandom } from '../math/random.js';
import { findRepresentatives, isInsideMesh } from './containment.js';

describe('isInsideMesh', () => {
  it('agrees with the faces of a convex mesh (seed 71)', () => {
    const random = createRandom(71);
    let inside = 0;
    for (let m = 0; m < 10; m++) {
      const mesh = sampleHullMesh(random, 40);
      const bvh = buildMeshBvh(mesh);
      for (let i = 0; i < 200; i++) {
        const p = [0, 1, 2].map(() => random.uniform(-0.6, 0.6));
        // Outside means that adding the point grows the hull.
        const grown = buildConvexHull([...mesh.vertices, ...p]);
        const expected = !Array.from({ length: grown.vertices.length / 3 }, (_, k) =>
          grown.vertices.subarray(3 * k, 3 * k + 3),
        ).some((v) => v[0] === p[0] && v[1] === p[1] && v[2] === p[2]);
        if (expected) inside++;
        expect(isInsideMesh(bvh, true, p[0], p[1], p[2]), `seed 71 mesh ${m} point ${i}`).toBe(expected);
        expect(isInsideMesh(bvh, false, p[0], p[1], p[2]), `seed 71 mesh ${m} point ${i} by parity`).toBe(expected);
      }
      bvh.dispose();
    }
    expect(inside).toBeGreaterThan(200);
  });

  it('rays through vertices, edges and faces in their plane count right', () => {
    const bvh = buildMeshBvh(createBoxMesh([2, 2, 2]));
    for (const y of [-1.5, -1, -0.5, 0, 0.5, 1, 1.5])
      for (const z of [-1.5, -1, -0.5, 0, 0.5, 1, 1.5])
        for (const x of [-1.5, -0.5, 0.5, 1.5]) {
          const onSurface = Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) === 1;
          if (onSurface) continue;
          const expected = Math.abs(x) < 1 && Math.abs(y) < 1 && Math.abs(z) < 1;
          expect(isInsideMesh(bvh, true, x, y, z), `${x} ${y} ${z}`).toBe(expected);
        }
    bvh.dispose();
  });

  it('overlapping parts are a union, inside-out meshes are solids too', () => {
    const joined = joinMeshes(createBoxMesh([2, 2, 2]), createBoxMesh([2, 2, 2], [0.7, 0.3, 0.1]));
    const bvh = buildMeshBvh(joined);
    expect(isInsideMesh(bvh, true, 0.31, 0.12, 0.13)).toBe(true);
    expect(isInsideMesh(bvh, true, -0.81, -0.82, -0.83)).toBe(true);
    expect(isInsideMesh(bvh, true, -0.81, 1.2, 0.1)).toBe(false);
    bvh.dispose();
    const mesh = createBoxMesh([2, 2, 2]);
    const reversed = buildMeshBvh({ ...mesh, triangles: mesh.triangles.slice().reverse() });
    expect(isInsideMesh(reversed, true, 0.1, 0.2, 0.3)).toBe(true);
    expect(isInsideMesh(reversed, true, 1.1, 0.2, 0.3)).toBe(false);
    reversed.dispose();
  });
});

describe('findRepresentatives', () => {
  it('gives one vertex per part', () => {
    const mesh = joinMeshes(createBoxMesh([1, 1, 1]), createBoxMesh([1, 1, 1], [5, 0, 0]));
    const points = findRepresentatives(mesh);
    expect(points.length).toBe(6);
    expect(points[0]).toBeLessThan(1);
    expect(points[3]).toBeGreaterThan(4);
  });
});
