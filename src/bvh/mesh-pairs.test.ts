/** Collide, distance and tolerance of meshes against brute force, on both kernels and every combination of nodes. */
import fc from 'fast-check';
import { afterEach, describe, it } from 'vitest';
import {
  createBoxMesh,
  createSoup,
  createSphereMesh,
  distanceMatrix,
  distancePointTriangle,
  moveMesh,
  type Point,
  randomTransform,
  triangleOf,
} from '../../test/support/brute-force-meshes.js';
import { expect } from '../../test/support/quick-expect.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { useCheckedKernel } from '../kernel/checked-kernel.js';
import { useInlinedKernel } from '../kernel/kernel.js';
import { createRandom } from '../math/random.js';
import { createTransform, invertTransform, multiplyTransform, type Transform } from '../math/transform.js';
import { collideMeshMesh } from './collide-mesh.js';
import { createMeshDistance, distanceMeshMesh, toleranceMeshMesh } from './distance-mesh.js';
import { GAP_ROW, listMeshGaps, MOST_GAPS } from './list-gaps.js';
import { buildMeshBvh, type MeshBvh, type NodeKind } from './mesh-bvh.js';
import { validateBvh } from './validate-bvh.js';

const kernels = {
  release: useInlinedKernel,
  checked: useCheckedKernel,
};
const kinds: NodeKind[] = ['obb', 'aabb', 'rss', 'obb-rss'];
const live: MeshBvh[] = [];
afterEach(() => {
  for (const bvh of live.splice(0)) bvh.dispose();
});

function treeOf(mesh: TriangleMesh, node: NodeKind): MeshBvh {
  const bvh = buildMeshBvh(mesh, { node });
  live.push(bvh);
  return bvh;
}

const measure = (a: MeshBvh, b: MeshBvh, X: Transform): number =>
  distanceMeshMesh(createMeshDistance(), a, b, X).distance;

describe.each(Object.entries(kernels))('mesh pairs, %s kernel', (_, create) => {
  for (const kindA of kinds) {
    for (const kindB of kinds) {
      it(`agree with brute force on random soups (${kindA}, ${kindB})`, () => {
        create();
        fc.assert(
          fc.property(fc.integer(), fc.integer({ min: 1, max: 40 }), (seed, count) => {
            const random = createRandom(seed);
            const a = createSoup(random, count, random.uniform(0.02, 0.6));
            const b = createSoup(random, 1 + random.integer(40), random.uniform(0.02, 0.6));
            const X_AB = randomTransform(random, random.uniform(0, 3));
            const treeA = treeOf(a, kindA);
            const treeB = treeOf(b, kindB);
            expect(validateBvh(treeA)).toEqual([]);
            expect(validateBvh(treeB)).toEqual([]);
            const matrix = distanceMatrix(a, b, X_AB);
            const expected = Math.min(...matrix);
            const countB = b.triangles.length / 3;

            const result = distanceMeshMesh(createMeshDistance(), treeA, treeB, X_AB);
            expect(Math.abs(result.distance - expected)).toBeLessThanOrEqual(1e-13);
            expect(Math.abs(matrix[result.triangleA * countB + result.triangleB] - expected)).toBeLessThanOrEqual(
              1e-13,
            );
            const onA = distancePointTriangle(Array.from(result.pointA) as Point, triangleOf(a, result.triangleA));
            const onB = distancePointTriangle(
              Array.from(result.pointB) as Point,
              triangleOf(b, result.triangleB, X_AB),
            );
            expect(onA).toBeLessThanOrEqual(1e-12);
            expect(onB).toBeLessThanOrEqual(1e-12);

            const relativeError = random.uniform(0, 1);
            const rough = distanceMeshMesh(createMeshDistance(), treeA, treeB, X_AB, { relativeError });
            expect(rough.distance).toBeGreaterThanOrEqual(result.distance);
            expect(rough.distance).toBeLessThanOrEqual(result.distance * (1 + relativeError) + 1e-13);
            expect(Math.abs(matrix[rough.triangleA * countB + rough.triangleB] - rough.distance)).toBeLessThanOrEqual(
              1e-13,
            );
            // A limit is exact, whatever the error may be.
            for (const upperBound of [result.distance * 0.999, result.distance * 1.001 + 1e-12]) {
              const limited = distanceMeshMesh(createMeshDistance(), treeA, treeB, X_AB, { relativeError, upperBound });
              expect(limited.distance < Infinity).toBe(result.distance < upperBound);
            }

            const reach = expected + random.uniform(0.01, 0.2);
            const rows = new Float64Array(MOST_GAPS * GAP_ROW);
            const near = matrix.filter((d) => d <= reach).sort((x, y) => x - y);
            const listed = listMeshGaps(rows, treeA, treeB, X_AB, reach);
            expect(listed).toBe(Math.min(near.length, MOST_GAPS));
            const gaps = Array.from({ length: listed }, (_, i) => rows[GAP_ROW * i]).sort((x, y) => x - y);
            gaps.forEach((square, i) => {
              expect(square).toBeLessThanOrEqual(reach * reach);
              if (listed === near.length) expect(Math.abs(Math.sqrt(square) - near[i])).toBeLessThanOrEqual(1e-12);
            });
            for (let i = 0; i < listed; i++) {
              const [square, ax, ay, az, bx, by, bz] = rows.subarray(GAP_ROW * i, GAP_ROW * (i + 1));
              if (square > 0)
                expect(Math.abs(Math.hypot(ax - bx, ay - by, az - bz) - Math.sqrt(square))).toBeLessThanOrEqual(1e-12);
            }

            const touching = matrix.flatMap((d, i) => (d <= 1e-9 ? [i] : []));
            const outPairs: number[] = [7];
            const collision = collideMeshMesh(treeA, treeB, X_AB, { tolerance: 1e-9, outPairs });
            const found = Array.from(
              { length: outPairs.length / 2 },
              (_, i) => outPairs[2 * i] * countB + outPairs[2 * i + 1],
            );
            expect(found.sort((x, y) => x - y)).toEqual(touching);
            expect(collision.collides).toBe(touching.length > 0);
            expect(collideMeshMesh(treeA, treeB, X_AB, { tolerance: 1e-9 }).collides).toBe(touching.length > 0);

            for (const tolerance of [expected * 0.999, expected * 1.001, 0.1]) {
              if (Math.abs(tolerance - expected) < 1e-12) continue;
              expect(toleranceMeshMesh(treeA, treeB, X_AB, tolerance)).toBe(expected <= tolerance);
            }
            for (const bvh of live.splice(0)) bvh.dispose();
          }),
          { numRuns: 40 },
        );
      });
    }
  }

  it('do not depend on the order of the meshes, on rigid motion or on scale', () => {
    create();
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...kinds), fc.constantFrom(...kinds), (seed, kindA, kindB) => {
        const random = createRandom(seed);
        const a = createSphereMesh(10, 0.2);
        const b = createSoup(random, 60, 0.3);
        const treeA = treeOf(a, kindA);
        const treeB = treeOf(b, kindB);
        const X_AB = randomTransform(random, random.uniform(0.5, 4));
        const d = measure(treeA, treeB, X_AB);
        const collides = collideMeshMesh(treeA, treeB, X_AB).collides;
        expect(collides).toBe(d <= 1e-9);

        const X_BA = invertTransform(createTransform(), X_AB);
        expect(measure(treeB, treeA, X_BA)).toBeCloseTo(d, 12);
        expect(collideMeshMesh(treeB, treeA, X_BA).collides).toBe(collides);

        // The same scene with the vertices of A moved far away.
        const X_MA = randomTransform(random, 20);
        const moved = treeOf(moveMesh(a, X_MA), kindA);
        const X_MB = multiplyTransform(createTransform(), X_MA, X_AB);
        expect(measure(moved, treeB, X_MB)).toBeCloseTo(d, 11);
        expect(collideMeshMesh(moved, treeB, X_MB).collides).toBe(collides);

        for (const scale of [1e-6, 1e6]) {
          const scaledA = treeOf(moveMesh(a, createTransform(), scale), kindA);
          const scaledB = treeOf(moveMesh(b, createTransform(), scale), kindB);
          const X = X_AB.map((x, i) => (i < 9 ? x : x * scale));
          expect(measure(scaledA, scaledB, X) / scale).toBeCloseTo(d, 11);
          expect(collideMeshMesh(scaledA, scaledB, X).collides).toBe(collides);
        }
        for (const bvh of live.splice(0)) bvh.dispose();
      }),
      { numRuns: 25 },
    );
  });

  it('meshes far from their origin keep their accuracy', () => {
    create();
    const far = [1e6, -2e6, 5e5];
    const shift = createTransform();
    shift.set(far, 9);
    for (const kind of kinds) {
      const a = treeOf(moveMesh(createSphereMesh(16), shift), kind);
      const b = treeOf(createSphereMesh(16), kind);
      const X_AB = createTransform();
      X_AB.set([far[0], far[1], far[2] + 2.5], 9);
      const work = (treeA: MeshBvh, X: Transform): number => {
        const stats = { nodeTests: 0, primitiveTests: 0 };
        expect(distanceMeshMesh(createMeshDistance(), treeA, b, X, { stats }).distance).toBeCloseTo(0.5, 9);
        return stats.nodeTests;
      };
      const X_OB = createTransform();
      X_OB[11] = 2.5;
      // f32 boxes about the coordinates' zero would be metres wide here and prune nothing.
      expect(work(a, X_AB)).toBeLessThan(1.2 * work(treeOf(createSphereMesh(16), kind), X_OB));
    }
  });

  it('distance grows by the step along a separating direction', () => {
    create();
    const a = treeOf(createBoxMesh(1, 1, 1), 'obb');
    const b = treeOf(createBoxMesh(1, 1, 1), 'aabb');
    const X_AB = createTransform();
    for (let i = 0; i < 30; i++) {
      X_AB[9] = 1 + i * 0.125;
      expect(measure(a, b, X_AB)).toBe(i * 0.125);
      expect(collideMeshMesh(a, b, X_AB).collides).toBe(i === 0);
    }
  });

  it('touching counts as contact, a gap of twice the tolerance does not', () => {
    create();
    const a = treeOf(createBoxMesh(1, 1, 1), 'obb');
    const b = treeOf(createBoxMesh(1, 1, 1), 'obb');
    const X_AB = createTransform();
    for (const [x, touches] of [
      [1, true],
      [1 + 1e-10, true],
      [1 + 1e-9, false],
    ] as const) {
      X_AB[9] = x;
      expect(collideMeshMesh(a, b, X_AB).collides).toBe(touches);
    }
    expect(toleranceMeshMesh(a, b, X_AB, 0)).toBe(false);
    X_AB[9] = 1;
    expect(toleranceMeshMesh(a, b, X_AB, 0)).toBe(true);
  });

  it('any tolerance is legal, an enormous one too', () => {
    create();
    for (const kind of kinds) {
      const a = treeOf(createSphereMesh(9), kind);
      const b = treeOf(createSphereMesh(9), kind);
      const X_AB = createTransform();
      X_AB[9] = 1e6;
      const outPairs: number[] = [];
      for (const tolerance of [1e7, 1e31, 1e200]) {
        collideMeshMesh(a, b, X_AB, { tolerance, outPairs });
        expect(outPairs.length / 2).toBe(a.triangleCount * b.triangleCount);
        expect(toleranceMeshMesh(a, b, X_AB, tolerance)).toBe(true);
      }
      expect(toleranceMeshMesh(a, b, X_AB, Infinity)).toBe(true);
    }
  });

  it('containment is free: only surfaces count', () => {
    create();
    const outer = treeOf(createBoxMesh(4, 4, 4), 'obb');
    const inner = treeOf(createBoxMesh(1, 1, 1), 'obb');
    expect(collideMeshMesh(outer, inner, createTransform()).collides).toBe(false);
    expect(measure(outer, inner, createTransform())).toBe(1.5);
  });

  it('meshes without triangles never collide and are infinitely far', () => {
    create();
    const empty = treeOf({ vertices: Float64Array.of(0, 0, 0), triangles: new Uint32Array() }, 'obb');
    const box = treeOf(createBoxMesh(1, 1, 1), 'aabb');
    for (const [a, b] of [
      [empty, box],
      [box, empty],
      [empty, empty],
    ]) {
      const result = distanceMeshMesh(createMeshDistance(), a, b, createTransform());
      expect(result).toMatchObject({ distance: Infinity, triangleA: -1, triangleB: -1 });
      expect(collideMeshMesh(a, b, createTransform()).collides).toBe(false);
      expect(toleranceMeshMesh(a, b, createTransform(), 1e9)).toBe(false);
    }
    expect(validateBvh(empty)).toEqual([]);
  });

  it('an upper bound ends the search; a hint changes the work, not the answer', () => {
    create();
    const a = treeOf(createSphereMesh(40), 'obb');
    const b = treeOf(createSphereMesh(40), 'obb');
    const X_AB = createTransform();
    X_AB.set([1.5, 1.5, 1.5], 9);
    const cold = { nodeTests: 0, primitiveTests: 0 };
    const result = distanceMeshMesh(createMeshDistance(), a, b, X_AB, { stats: cold });
    const { distance, triangleA, triangleB } = result;
    const bounded = createMeshDistance();
    expect(distanceMeshMesh(bounded, a, b, X_AB, { upperBound: distance * 0.99 }).distance).toBe(Infinity);
    expect(distanceMeshMesh(bounded, a, b, X_AB, { upperBound: distance * 1.01 }).distance).toBe(distance);
    const warm = { nodeTests: 0, primitiveTests: 0 };
    distanceMeshMesh(result, a, b, X_AB, { hint: result, stats: warm });
    expect(result).toMatchObject({ distance, triangleA, triangleB });
    expect(warm.nodeTests).toBeLessThan(cold.nodeTests);
    distanceMeshMesh(result, a, b, X_AB, { hint: { triangleA: 99999, triangleB: -1 } });
    expect(result.distance).toBe(distance);
  });

  it('lists more pairs than the buffer holds, and stops at maxPairs', () => {
    create();
    const a = treeOf(createSphereMesh(60), 'obb');
    const b = treeOf(createSphereMesh(60), 'obb');
    const outPairs: number[] = [];
    collideMeshMesh(a, b, createTransform(), { outPairs });
    // Equal spheres: every triangle touches itself and its neighbours.
    expect(outPairs.length / 2).toBeGreaterThan(7080 * 10);
    expect(
      new Set(Array.from({ length: outPairs.length / 2 }, (_, i) => outPairs[2 * i] * 1e5 + outPairs[2 * i + 1])).size,
    ).toBe(outPairs.length / 2);
    for (const maxPairs of [0, 1, 5, 4095, 4096, 5000]) {
      const collision = collideMeshMesh(a, b, createTransform(), { outPairs, maxPairs });
      expect(outPairs.length / 2).toBe(maxPairs);
      expect(collision.collides).toBe(maxPairs > 0);
    }
  });

  it('queries allocate nothing in the kernel', () => {
    const kernel = create();
    const a = treeOf(createSphereMesh(20, 0.1), 'obb');
    const b = treeOf(createSphereMesh(20), 'aabb');
    const { usedBytes, blockCount } = kernel;
    const size = kernel.memory.buffer.byteLength;
    const random = createRandom(1);
    for (let i = 0; i < 2000; i++) {
      const X_AB = randomTransform(random, 2);
      collideMeshMesh(a, b, X_AB);
      measure(a, b, X_AB);
    }
    expect(kernel).toMatchObject({ usedBytes, blockCount });
    expect(kernel.memory.buffer.byteLength).toBe(size);
  });

  it('misuse throws at the door', () => {
    create();
    const a = treeOf(createBoxMesh(1, 1, 1), 'obb');
    const X_AB = createTransform();
    const bad = createTransform();
    bad[10] = NaN;
    expect(() => collideMeshMesh(a, a, bad)).toThrow(/collideMeshMesh: X_AB, got/);
    expect(() => distanceMeshMesh(createMeshDistance(), a, a, bad)).toThrow(/distanceMeshMesh: X_AB, got/);
    expect(() => toleranceMeshMesh(a, a, X_AB, NaN)).toThrow(/toleranceMeshMesh: tolerance, got NaN/);
    expect(() => collideMeshMesh(a, a, X_AB, { tolerance: -1 })).toThrow(/tolerance, got -1/);
    create();
    const other = treeOf(createBoxMesh(1, 1, 1), 'obb');
    expect(() => collideMeshMesh(a, other, X_AB)).toThrow(/different kernels/);
  });
});
