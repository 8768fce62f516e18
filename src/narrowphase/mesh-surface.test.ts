import { describe, expect, it } from 'vitest';
import { createSphereMesh, randomTransform } from '../../test/support/brute-force-meshes.js';
import { buildMeshBvh } from '../bvh/mesh-bvh.js';
import { refitMeshBvh } from '../bvh/refit-bvh.js';
import { loadBvh, serializeBvh } from '../bvh/serialize-bvh.js';
import { createRandom } from '../math/random.js';
import { collide } from './collide.js';
import { type Collider, createCollider } from './collider.js';
import { distance } from './distance.js';
import { createDistanceResult } from './query.js';

describe('what a collider knows of its mesh', () => {
  it('serves a collider of the same mesh elsewhere', () => {
    const mesh = createSphereMesh(12);
    using bvh = buildMeshBvh(mesh);
    using first = createCollider({ type: 'mesh', mesh }, { bvh });
    const surface = structuredClone(first.meshSurface);
    expect(surface).toMatchObject({ watertight: true, consistentlyOriented: true });
    expect(surface.representatives).toHaveLength(3);
    using loaded = loadBvh(serializeBvh(bvh));
    using second = createCollider({ type: 'mesh', mesh: loaded.mesh }, { bvh: loaded, surface });
    expect(second.meshSurface).toEqual(first.meshSurface);
    expect([...second.sizes, ...second.center, second.isSolid]).toEqual([...first.sizes, ...first.center, true]);
    using ball = createCollider({ type: 'sphere', radius: 0.2 });
    const random = createRandom(7);
    for (let i = 0; i < 200; i++) {
      const [X_A, X_B] = [randomTransform(random, 1), randomTransform(random, 1)];
      const ask = (collider: Collider): unknown => [
        collide(collider, X_A, ball, X_B),
        distance(createDistanceResult(), collider, X_A, ball, X_B),
      ];
      expect(ask(second)).toEqual(ask(first));
    }
  });

  it('is that of the mesh as refitted', () => {
    const mesh = createSphereMesh(6);
    using bvh = buildMeshBvh(mesh);
    using first = createCollider({ type: 'mesh', mesh }, { bvh });
    using second = createCollider({ type: 'mesh', mesh }, { bvh, surface: structuredClone(first.meshSurface) });
    refitMeshBvh(
      bvh,
      mesh.vertices.map((x) => 2 * x),
    );
    for (const collider of [first, second]) collider.requireReady();
    expect(second.meshSurface).toEqual(first.meshSurface);
  });

  it('is refused where it is no such thing, and looked up where there is no tree', () => {
    const mesh = createSphereMesh(6);
    using bvh = buildMeshBvh(mesh);
    using first = createCollider({ type: 'mesh', mesh }, { bvh });
    const surface = structuredClone(first.meshSurface);
    const make = (own: unknown): Collider => createCollider({ type: 'mesh', mesh }, { bvh, surface: own as never });
    expect(() => make({ ...surface, radius: -1 })).toThrow('createCollider: options.surface.radius, got -1');
    expect(() => make({ ...surface, bounds: [1] })).toThrow('createCollider: options.surface.bounds');
    using alone = createCollider({ type: 'mesh', mesh }, { surface: { ...surface, radius: 1000 } });
    expect(alone.boundingRadius).toBe(first.boundingRadius);
    using box = createCollider({ type: 'box', size: [1, 1, 1] });
    expect(() => box.meshSurface).toThrow('meshSurface: shape, got no mesh, expected a mesh');
  });
});
