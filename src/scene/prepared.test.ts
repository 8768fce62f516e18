import { describe, expect, it } from 'vitest';
import { createBoxMesh, createSphereMesh } from '../../test/support/brute-force-meshes.js';
import { buildMeshBvh } from '../bvh/mesh-bvh.js';
import { loadBvh, serializeBvh } from '../bvh/serialize-bvh.js';
import { reportMesh } from '../geometry/mesh-report.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { MisuseError } from '../math/misuse.js';
import { createCollider } from '../narrowphase/collider.js';
import { checkScene, nearestPair } from './queries/check.js';
import { addObject, createScene, disposeScene } from './scene.js';
import type { Scene } from './types.js';

/** As a worker sends it. */
const send = (mesh: TriangleMesh): ReturnType<typeof loadBvh> => {
  using bvh = buildMeshBvh(mesh);
  return loadBvh(serializeBvh(bvh));
};
const openMesh = (mesh: TriangleMesh): TriangleMesh => ({ ...mesh, triangles: mesh.triangles.slice(3) });

describe('meshes that were prepared elsewhere', () => {
  it.each([
    ['closed', createSphereMesh(16), 1],
    ['open', openMesh(createSphereMesh(16)), 0],
  ])('answer as those that the scene prepares itself: %s', (_, mesh, inside) => {
    using bvh = send(mesh);
    const add = (scene: Scene, of: TriangleMesh): void => {
      addObject(scene, { name: 'mesh', shape: { type: 'mesh', mesh: of } });
      addObject(scene, { name: 'inside', shape: { type: 'sphere', radius: 0.01 } });
      addObject(scene, { name: 'beside', shape: { type: 'box', size: [1, 1, 1] }, pose: [3, 0.2, 0.1, 0, 0, 0, 1] });
    };
    const own = createScene();
    add(own, mesh);
    const given = createScene({ prepared: new Map([[bvh.mesh, { bvh, report: reportMesh(mesh) }]]) });
    add(given, bvh.mesh);
    expect(checkScene(given, { all: true })).toEqual(checkScene(own, { all: true }));
    expect(nearestPair(given)).toEqual(nearestPair(own));
    expect(checkScene(given, { all: true }).contacts).toHaveLength(inside);
    expect(given.objects.get('mesh')!.body.parts[0].collider.bvh).toBe(bvh);
    disposeScene(given);
    disposeScene(own);
    expect(bvh.isDisposed).toBe(false);
  });

  it('are refused when what is said of them is false', () => {
    const closed = createBoxMesh(1, 2, 3);
    const flipped = { ...closed, triangles: closed.triangles.slice() };
    [flipped.triangles[0], flipped.triangles[1]] = [flipped.triangles[1], flipped.triangles[0]];
    const reports = [closed, openMesh(closed), flipped].map(reportMesh);
    for (const [i, mesh] of [closed, openMesh(closed), flipped].entries())
      for (const [k, report] of reports.entries()) {
        const create = (): void => createCollider({ type: 'mesh', mesh }, { report }).dispose();
        if (i === k) expect(create).not.toThrow();
        else
          expect(create).toThrow(/createCollider: report, got watertight (true|false).*expected what reportMesh says/);
      }
    for (const report of [null, {}, { watertight: 1, consistentlyOriented: true }])
      expect(() => createCollider({ type: 'mesh', mesh: closed }, { report: report as never })).toThrow(MisuseError);
  });

  it('are refused when the tree is of another mesh, or the list is none', () => {
    const mesh = createBoxMesh(1, 2, 3);
    using bvh = send(mesh);
    const scene = createScene({ prepared: new Map([[mesh, { bvh }]]) });
    expect(() => addObject(scene, { name: 'box', shape: { type: 'mesh', mesh } })).toThrow(/the tree of another mesh/);
    expect(() => createScene({ prepared: [] as never })).toThrow(MisuseError);
  });
});
