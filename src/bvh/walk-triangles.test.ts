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
import { createRandom } from '../math/random.js';
import { buildMeshBvh, type NodeKind } from './mesh-bvh.js';
import { walkTriangles } from './walk-triangles.js';

const kinds: NodeKind[] = ['obb', 'aabb', 'rss', 'obb-rss'];

describe('walkTriangles', () => {
  it('finds the closest point of a mesh when the visitor shrinks the radius', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...kinds), (seed, node) => {
        const random = createRandom(seed);
        const mesh = createSoup(random, 120, random.uniform(0.02, 0.5));
        const triangles = listTriangles(mesh);
        using bvh = buildMeshBvh(mesh, { node });
        const p: Point = [random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)];
        const expected = Math.min(...triangles.map((t) => distancePointTriangle(p, t)));
        let best = Infinity;
        let visits = 0;
        walkTriangles(bvh, [...p, ...p], Infinity, (triangle) => {
          visits++;
          best = Math.min(best, distancePointTriangle(p, triangles[triangle]));
          return best;
        });
        expect(best).toBe(expected);
        expect(visits).toBeLessThan(120);
      }),
      { numRuns: 100 },
    );
  });

  it('visits every triangle whose bounds come within the radius of the box, each once', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...kinds), (seed, node) => {
        const random = createRandom(seed);
        const mesh = createSoup(random, 100, 0.2);
        using bvh = buildMeshBvh(mesh, { node });
        const low = [0, 1, 2].map(() => random.uniform(-1, 1));
        const box = [...low, ...low.map((x) => x + random.next() * 0.5)];
        const radius = random.next() * 0.3;
        const visited: number[] = [];
        walkTriangles(bvh, box, radius, (triangle) => {
          visited.push(triangle);
          return radius;
        });
        expect(new Set(visited).size).toBe(visited.length);
        listTriangles(mesh).forEach((corners, triangle) => {
          // A corner inside the grown box makes the triangle near for sure.
          const near = corners.some(
            (c) => Math.hypot(...c.map((x, k) => Math.max(box[k] - x, x - box[k + 3], 0))) <= radius,
          );
          if (near) expect(visited).toContain(triangle);
        });
      }),
      { numRuns: 100 },
    );
  });

  it('stops at a negative radius, and never calls for an empty mesh', () => {
    using bvh = buildMeshBvh(createSphereMesh(10));
    let calls = 0;
    walkTriangles(bvh, [-1, -1, -1, 1, 1, 1], 5, () => (++calls === 3 ? -1 : 5));
    expect(calls).toBe(3);
    using empty = buildMeshBvh({ vertices: new Float64Array(), triangles: new Uint32Array() });
    walkTriangles(empty, [0, 0, 0, 0, 0, 0], Infinity, () => {
      throw new Error('visited a triangle of an empty mesh');
    });
  });

  it('allows walks and builds inside a visit', () => {
    using outer = buildMeshBvh(createSphereMesh(12));
    using inner = buildMeshBvh(createBoxMesh(1, 1, 1));
    const whole = [-1, -1, -1, 1, 1, 1];
    const seen = new Set<number>();
    walkTriangles(outer, whole, 1, (triangle) => {
      seen.add(triangle);
      let count = 0;
      walkTriangles(inner, whole, 1, () => ++count);
      expect(count).toBe(12);
      if (seen.size === 5) buildMeshBvh(createSphereMesh(130)).dispose();
      return 1;
    });
    expect(seen.size).toBe(outer.triangleCount);
  });

  it('releases its place after a visitor threw', () => {
    using bvh = buildMeshBvh(createSphereMesh(10));
    for (let i = 0; i < 3; i++) {
      expect(() =>
        walkTriangles(bvh, [0, 0, 0, 0, 0, 0], 2, () => {
          throw new Error('from the visitor');
        }),
      ).toThrow('from the visitor');
    }
    let visits = 0;
    walkTriangles(bvh, [0, 0, 0, 0, 0, 0], 2, () => {
      visits++;
      return 2;
    });
    expect(visits).toBe(bvh.triangleCount);
  });

  it('refuses a box upside down and radii that are no length', () => {
    using bvh = buildMeshBvh(createBoxMesh(1, 1, 1));
    expect(() => walkTriangles(bvh, [1, 0, 0, 0, 0, 0], 1, () => 1)).toThrow(/expected min <= max/);
    expect(() => walkTriangles(bvh, [0, 0, 0, 0, 0, 0], NaN, () => 1)).toThrow(/radius/);
  });
});
