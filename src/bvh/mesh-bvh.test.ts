import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBoxMesh, createSoup, createSphereMesh, moveMesh } from '../../test/support/brute-force-meshes.js';
import { useCheckedKernel } from '../kernel/checked-kernel.js';
import { getKernel } from '../kernel/kernel.js';
import { BOX_HALF, TREE_HEADER_BYTES, TREE_IDS_OFFSET } from '../kernel/layout.js';
import { createRandom } from '../math/random.js';
import { createTransform } from '../math/transform.js';
import { chooseNodeKind } from './choose-node.js';
import { createMeshDistance, distanceMeshMesh } from './distance-mesh.js';
import { buildMeshBvh, type NodeKind } from './mesh-bvh.js';
import { refitMeshBvh } from './refit-bvh.js';
import { validateBvh } from './validate-bvh.js';

const kinds: NodeKind[] = ['obb', 'aabb', 'rss', 'obb-rss'];

describe('buildMeshBvh', () => {
  it('holds every triangle once, inside every ancestor, whatever the soup', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 300 }), fc.constantFrom(...kinds), (seed, count, node) => {
        const random = createRandom(seed);
        const scale = 10 ** random.uniform(-6, 6);
        const X = createTransform();
        X.set([random.uniform(-1, 1) * 1e3 * scale, 0, random.uniform(-1, 1) * scale], 9);
        const mesh = moveMesh(createSoup(random, count, random.uniform(0.01, 1), 0.3), X, scale);
        using bvh = buildMeshBvh(mesh, { node });
        expect(validateBvh(bvh)).toEqual([]);
        expect(bvh.triangleCount).toBe(mesh.triangles.length / 3);
      }),
      { numRuns: 100 },
    );
  });

  it('bounds only vertices that triangles use', () => {
    const box = createBoxMesh(2, 4, 6);
    const vertices = Float64Array.from([...box.vertices, 100, 100, 100]);
    using bvh = buildMeshBvh({ vertices, triangles: box.triangles });
    expect(Array.from(bvh.bounds)).toEqual([-1, -2, -3, 1, 2, 3]);
  });

  it('has a depth that grows with the logarithm, for lopsided meshes too', () => {
    for (const node of kinds) {
      using sphere = buildMeshBvh(createSphereMesh(60), { node });
      expect(sphere.depth).toBeLessThanOrEqual(12);
      // Triangles at powers of two: every split at the mean takes off one or two.
      const vertices: number[] = [];
      for (let i = 0; i < 1500; i++) {
        const x = 2 ** (i / 40);
        vertices.push(x, 0, 0, x, 1e-3, 0, x, 0, 1e-3);
      }
      const triangles = Uint32Array.from({ length: vertices.length / 3 }, (_, i) => i);
      using powers = buildMeshBvh({ vertices: Float64Array.from(vertices), triangles }, { node });
      expect(powers.depth).toBeLessThanOrEqual(2 * 11 + 8 + 11);
      expect(validateBvh(powers)).toEqual([]);
    }
  });

  it('chooses axis-aligned boxes for rectangular parts and oriented ones for curved or turned parts', () => {
    expect(chooseNodeKind(createBoxMesh(1, 2, 3))).toBe('aabb');
    expect(chooseNodeKind(createSphereMesh(20))).toBe('obb');
    const turned = createTransform();
    turned.set([Math.SQRT1_2, -Math.SQRT1_2, 0, Math.SQRT1_2, Math.SQRT1_2, 0]);
    // The top and bottom stay aligned, four triangles of twelve.
    expect(chooseNodeKind(moveMesh(createBoxMesh(1, 1, 3), turned))).toBe('obb');
    expect(chooseNodeKind(moveMesh(createBoxMesh(9, 9, 0.1), turned))).toBe('obb');
    expect(chooseNodeKind({ vertices: new Float64Array(9), triangles: Uint32Array.of(0, 1, 2) })).toBe('obb');
  });

  it('throws on misuse, with the place', () => {
    const box = createBoxMesh(1, 1, 1);
    const triangles = box.triangles.slice();
    triangles[7] = 8;
    expect(() => buildMeshBvh({ vertices: box.vertices, triangles })).toThrow(
      'buildMeshBvh: triangle 2, got vertex index 8, expected less than 8',
    );
    const vertices = box.vertices.slice();
    vertices[4] = NaN;
    expect(() => buildMeshBvh({ vertices, triangles: box.triangles })).toThrow(/vertex 1, got coordinate NaN/);
    vertices[4] = 1e300;
    expect(() => buildMeshBvh({ vertices, triangles: box.triangles })).toThrow(/vertex 1, got coordinate 1e\+300/);
    expect(() => buildMeshBvh({ vertices: new Float64Array(4), triangles: box.triangles })).toThrow(
      /got an array of 4/,
    );
    expect(() => buildMeshBvh(box, { node: 'sphere' as NodeKind })).toThrow(/node, got "sphere"/);
  });

  it('gives its memory back once; use after that throws', () => {
    const kernel = getKernel();
    const used = kernel.usedBytes;
    const bvh = buildMeshBvh(createBoxMesh(1, 1, 1));
    expect(kernel.usedBytes).toBeGreaterThan(used);
    bvh.dispose();
    expect(bvh.isDisposed).toBe(true);
    expect(kernel.usedBytes).toBe(used);
    expect(() => bvh.dispose()).toThrow(/disposed/);
    expect(() => distanceMeshMesh(createMeshDistance(), bvh, bvh, createTransform())).toThrow(/disposed/);
    // Leaving a `using` block after an explicit dispose is not an error.
    expect(() => bvh[Symbol.dispose]()).not.toThrow();
    expect(kernel.usedBytes).toBe(used);
  });

  it('releases forgotten trees when their handles are collected', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const kernel = getKernel();
    const { blockCount } = kernel;
    const forget = (): void => {
      for (let i = 0; i < 100; i++) buildMeshBvh(createBoxMesh(1, 1, 1));
    };
    forget();
    expect(kernel.blockCount).toBe(blockCount + 100);
    for (let i = 0; i < 100 && kernel.blockCount > blockCount; i++) {
      collectGarbage();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(kernel.blockCount).toBe(blockCount);
  });
});

describe('validateBvh', () => {
  it('finds boxes that are too small and triangles that are named twice', () => {
    using bvh = buildMeshBvh(createSphereMesh(8), { node: 'obb' });
    const root = (bvh.address + TREE_HEADER_BYTES + BOX_HALF) / 4;
    const half = bvh.kernel.f32[root];
    bvh.kernel.f32[root] = half * 0.99;
    expect(validateBvh(bvh, 1)[0]).toMatch(/triangle \d+ leaves box \d+ at level 0 by 0\.0/);
    bvh.kernel.f32[root] = half;
    const ids = (bvh.address + bvh.readHeader(TREE_IDS_OFFSET)) / 4;
    bvh.kernel.u32[ids] = bvh.kernel.u32[ids + 1];
    expect(validateBvh(bvh).join()).toMatch(/named twice/);
  });
});

describe('refitMeshBvh', () => {
  it('follows the vertices: valid, same ids, distances those of a new tree', () => {
    useCheckedKernel();
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...kinds), (seed, node) => {
        const random = createRandom(seed);
        const mesh = createSoup(random, 80, 0.3);
        using bvh = buildMeshBvh(mesh, { node });
        using probe = buildMeshBvh(createSphereMesh(6), { node });
        const { usedBytes } = bvh.kernel;
        const vertices = mesh.vertices.map((x) => 3 * x + random.uniform(-0.5, 0.5) + 5);
        refitMeshBvh(bvh, vertices);
        expect(validateBvh(bvh)).toEqual([]);
        expect(bvh.kernel.usedBytes).toBe(usedBytes);
        using fresh = buildMeshBvh({ vertices, triangles: mesh.triangles }, { node });
        expect(Array.from(bvh.bounds)).toEqual(Array.from(fresh.bounds));
        const refitted = distanceMeshMesh(createMeshDistance(), bvh, probe, createTransform());
        const rebuilt = distanceMeshMesh(createMeshDistance(), fresh, probe, createTransform());
        expect(refitted.distance).toBe(rebuilt.distance);
      }),
      { numRuns: 40 },
    );
  });

  it('takes the mesh array changed in place, and refuses another length', () => {
    const mesh = createBoxMesh(1, 1, 1);
    using bvh = buildMeshBvh(mesh);
    mesh.vertices.forEach((x, i) => {
      mesh.vertices[i] = 2 * x;
    });
    refitMeshBvh(bvh, mesh.vertices);
    expect(Array.from(bvh.bounds)).toEqual([-1, -1, -1, 1, 1, 1]);
    expect(() => refitMeshBvh(bvh, new Float64Array(3))).toThrow(/got 3 numbers, expected 24/);
    expect(() => refitMeshBvh(bvh, new Float64Array(24).fill(Infinity))).toThrow(/refitMeshBvh: vertices, vertex 0/);
  });
});
