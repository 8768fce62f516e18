import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBoxMesh, createSoup, createSphereMesh, randomTransform } from '../../test/support/brute-force-meshes.js';
import { useCheckedKernel } from '../kernel/checked-kernel.js';
import { createRandom } from '../math/random.js';
import { collideMeshMesh } from './collide-mesh.js';
import { createMeshDistance, distanceMeshMesh } from './distance-mesh.js';
import { buildMeshBvh, type MeshBvh, type NodeKind } from './mesh-bvh.js';
import { loadBvh, loadBvhInSteps, serializeBvh } from './serialize-bvh.js';
import { validateBvh } from './validate-bvh.js';

const kinds: NodeKind[] = ['obb', 'aabb', 'rss', 'obb-rss'];

describe('serializeBvh and loadBvh', () => {
  it('bring back the same mesh and the same answers, in another kernel too', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...kinds), (seed, node) => {
        const random = createRandom(seed);
        const mesh = { ...createSoup(random, 50, 0.4), name: 'Grüße' };
        using bvh = buildMeshBvh(mesh, { node });
        using probe = buildMeshBvh(createSphereMesh(8));
        const X_AB = randomTransform(random, 1.5);
        const before = distanceMeshMesh(createMeshDistance(), bvh, probe, X_AB);
        const copies = [bvh, probe].map(serializeBvh);
        useCheckedKernel();
        using loaded = loadBvh(copies[0]);
        using loadedProbe = loadBvh(copies[1]);
        expect(validateBvh(loaded)).toEqual([]);
        expect(loaded.mesh).toEqual(mesh);
        expect(loaded.node).toBe(node);
        expect(distanceMeshMesh(createMeshDistance(), loaded, loadedProbe, X_AB)).toEqual(before);
        expect(serializeBvh(loaded)).toEqual(copies[0]);
      }),
      { numRuns: 30 },
    );
  });

  it('come back a step at a time, or not at all', () => {
    const kernel = useCheckedKernel();
    const mesh = createSphereMesh(20);
    using bvh = buildMeshBvh(mesh);
    const buffer = serializeBvh(bvh);
    const blocks = kernel.blockCount;
    const steps = loadBvhInSteps(buffer);
    let count = 0;
    let loaded: MeshBvh | undefined;
    while (!loaded) {
      const { done, value } = steps.next();
      if (done) loaded = value;
      else count++;
    }
    expect(count).toBeGreaterThan(5);
    expect(loaded.mesh).toEqual(mesh);
    expect(serializeBvh(loaded)).toEqual(buffer);
    loaded.dispose();
    for (let k = 0; k < count; k++) {
      const given = loadBvhInSteps(buffer);
      for (let i = 0; i <= k; i++) given.next();
      given.return(undefined as never);
      expect(kernel.blockCount).toBe(blocks);
    }
    const damaged = buffer.slice(0);
    new Uint32Array(damaged)[1] = 99;
    expect(() => loadBvhInSteps(damaged).next()).toThrow('loadBvhInSteps: version, got 99, expected 1');
  });

  it('carry an empty mesh', () => {
    using bvh = buildMeshBvh({ vertices: new Float64Array(), triangles: new Uint32Array() });
    using loaded = loadBvh(serializeBvh(bvh));
    expect(loaded.triangleCount).toBe(0);
    expect(loaded.mesh.name).toBeUndefined();
  });

  it('refuse what is no serialisation, saying what differs', () => {
    using bvh = buildMeshBvh(createBoxMesh(1, 1, 1));
    const good = serializeBvh(bvh);
    expect(() => loadBvh(new ArrayBuffer(3))).toThrow(/buffer length, got 3/);
    expect(() => loadBvh(new ArrayBuffer(64))).toThrow(/magic, got 0/);
    expect(() => loadBvh(good.slice(0, -4))).toThrow(/buffer length/);
    const other = good.slice(0);
    new Uint32Array(other)[1] = 99;
    expect(() => loadBvh(other)).toThrow(/version, got 99, expected 1/);
  });

  it('survive any damaged word: an error or a tree that can be queried, never a trap', () => {
    useCheckedKernel();
    const node = 'obb';
    using probe = buildMeshBvh(createSphereMesh(6), { node });
    using bvh = buildMeshBvh(createSphereMesh(5), { node });
    const good = serializeBvh(bvh);
    const X_AB = randomTransform(createRandom(3), 0.5);
    const words = good.byteLength / 4;
    fc.assert(
      fc.property(fc.nat(words - 1), fc.integer(), (at, value) => {
        const buffer = good.slice(0);
        new Int32Array(buffer)[at] = value;
        let loaded: ReturnType<typeof loadBvh>;
        try {
          loaded = loadBvh(buffer);
        } catch (error) {
          expect((error as Error).message).toMatch(/^(loadBvh|tree): /);
          return;
        }
        collideMeshMesh(loaded, probe, X_AB);
        distanceMeshMesh(createMeshDistance(), probe, loaded, X_AB);
        loaded.dispose();
      }),
      { numRuns: 1500 },
    );
  });
});
