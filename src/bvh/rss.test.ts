/** Rectangles swept by spheres: fit, exact distance, and queries on trees of them against brute force, on both kernels. */
import fc from 'fast-check';
import { describe, it } from 'vitest';
import {
  createSoup,
  createSphereMesh,
  distanceMatrix,
  randomTransform,
} from '../../test/support/brute-force-meshes.js';
import { expect } from '../../test/support/quick-expect.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { useCheckedKernel } from '../kernel/checked-kernel.js';
import { useInlinedKernel } from '../kernel/kernel.js';
import { SPHERE_HALF, TREE_HEADER_BYTES } from '../kernel/layout.js';
import { meshPairs } from '../kernel/parts/mesh-pairs.js';
import { createRandom } from '../math/random.js';
import type { Transform } from '../math/transform.js';
import { collideMeshMesh } from './collide-mesh.js';
import { createMeshDistance, distanceMeshMesh, toleranceMeshMesh } from './distance-mesh.js';
import { buildMeshBvh, type MeshBvh, type NodeKind } from './mesh-bvh.js';
import { openPairQuery } from './pair-query.js';
import { refitMeshBvh } from './refit-bvh.js';
import { reportBvh } from './report-bvh.js';
import { loadBvh, serializeBvh } from './serialize-bvh.js';
import { validateBvh } from './validate-bvh.js';

const kernels = {
  release: useInlinedKernel,
  checked: useCheckedKernel,
};
const swept: NodeKind[] = ['rss', 'obb-rss'];
const kinds: NodeKind[] = ['obb', 'aabb', ...swept];

/** Half sides and radius of the volume around the whole mesh. */
function rootOf(bvh: MeshBvh): number[] {
  const at = (bvh.address + TREE_HEADER_BYTES + SPHERE_HALF) / 4;
  return [0, 4, 8].map((k) => bvh.kernel.f32[at + k]);
}

const createRectangle = (x: number, y: number): TriangleMesh => ({
  vertices: Float64Array.of(-x, -y, 0, x, -y, 0, x, y, 0, -x, y, 0),
  triangles: Uint32Array.of(0, 1, 2, 0, 2, 3),
});

describe.each(Object.entries(kernels))('rectangles swept by spheres, %s kernel', (_, create) => {
  it('fit a sphere and a rectangle as they are', () => {
    create();
    using ball = buildMeshBvh(createSphereMesh(24), { node: 'rss' });
    const [x, y, r] = rootOf(ball);
    expect(Math.max(x, y)).toBeLessThan(0.1);
    expect(r).toBeGreaterThan(0.99);
    expect(r).toBeLessThan(1.05);
    using flat = buildMeshBvh(createRectangle(3, 1), { node: 'rss' });
    const sides = rootOf(flat);
    expect(Math.max(sides[0], sides[1])).toBeCloseTo(3, 5);
    expect(Math.min(sides[0], sides[1])).toBeCloseTo(1, 5);
    expect(sides[2]).toBeLessThan(1e-5);
    expect(reportBvh(flat)).toMatchObject({ node: 'rss', leaves: 1, boxes: 1 });
    expect(reportBvh(flat).surfaceArea).toBeCloseTo(2 * 6 * 2, 3);
    expect(reportBvh(flat).volume).toBeLessThan(1e-3);
  });

  it('have the exact distance, crossing and nearly parallel rectangles included', () => {
    const kernel = create();
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(0, 1e-4, 1), (seed, tilt) => {
        const random = createRandom(seed);
        const side = () => random.uniform(0.1, 1);
        using a = buildMeshBvh(createRectangle(side(), side()), { node: 'rss' });
        using b = buildMeshBvh(createRectangle(side(), side()), { node: 'rss' });
        const X_AB = randomTransform(random, 2);
        if (tilt < 1) {
          const [c, s] = [Math.cos(tilt * random.next()), Math.sin(tilt * random.next())];
          const n = Math.hypot(c, s);
          X_AB.set([c / n, -s / n, 0, s / n, c / n, 0, 0, 0, 1]);
        }
        const { distance } = distanceMeshMesh(createMeshDistance(), a, b, X_AB);
        openPairQuery('test', a, b, X_AB);
        const bound = kernel.part(meshPairs).rootSweptDistance(a.address, b.address);
        expect(bound).toBeLessThanOrEqual(distance + 3e-6);
        // Squared distances are exact to a few millionths of the squared sides.
        expect(bound ** 2).toBeGreaterThan(distance ** 2 - 2e-5);
      }),
      { numRuns: 400 },
    );
  });

  it('answer as brute force does, with every other kind of tree, after a refit and after loading too', () => {
    create();
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...swept), fc.constantFrom(...kinds), (seed, nodeA, nodeB) => {
        const random = createRandom(seed);
        const meshA = createSoup(random, 40, random.uniform(0.05, 0.8), 0.2);
        const meshB = createSoup(random, 40, random.uniform(0.05, 0.8), 0.2);
        using a = buildMeshBvh(meshA, { node: nodeA });
        using b = buildMeshBvh(meshB, { node: nodeB });
        const check = (treeA: MeshBvh, X_AB: Transform): void => {
          expect(validateBvh(treeA)).toEqual([]);
          expect(validateBvh(b)).toEqual([]);
          const expected = Math.min(...distanceMatrix(treeA.mesh, meshB, X_AB));
          expect(distanceMeshMesh(createMeshDistance(), treeA, b, X_AB).distance).toBeCloseTo(expected, 12);
          expect(collideMeshMesh(treeA, b, X_AB, { tolerance: 1e-9 }).collides).toBe(expected <= 1e-9);
          expect(toleranceMeshMesh(treeA, b, X_AB, expected + 1e-9)).toBe(true);
          if (expected > 1e-6) expect(toleranceMeshMesh(treeA, b, X_AB, expected - 1e-9)).toBe(false);
        };
        check(a, randomTransform(random, random.uniform(0, 4)));
        using loaded = loadBvh(serializeBvh(a));
        expect(loaded.node).toBe(nodeA);
        check(loaded, randomTransform(random, 2));
        refitMeshBvh(
          a,
          meshA.vertices.map((x) => 2 * x + random.uniform(-0.3, 0.3)),
        );
        check(a, randomTransform(random, random.uniform(0, 4)));
      }),
      { numRuns: 60 },
    );
  });
});
