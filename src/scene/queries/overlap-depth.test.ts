import { afterEach, describe, expect, it } from 'vitest';
import { createBoxMesh, joinMeshes, samplePose } from '../../../test/sample-shapes.js';
import type { Shape } from '../../geometry/shapes.js';
import { createRandom } from '../../math/random.js';
import type { Pose } from '../../math/transform.js';
import { addObject, createScene, disposeScene, moveObject } from '../scene.js';
import type { Scene } from '../types.js';
import { checkScene, isSceneFree, nearestPair, pairsWithin } from './check.js';
import { createMonitor } from './monitor.js';

const scenes: Scene[] = [];
afterEach(() => {
  for (const scene of scenes.splice(0)) disposeScene(scene);
});

/** A ring of four bars about z, 0.1 thick. */
const ring: Shape = {
  type: 'mesh',
  mesh: joinMeshes(
    joinMeshes(createBoxMesh([1, 0.1, 0.1], [0, 0.45, 0]), createBoxMesh([1, 0.1, 0.1], [0, -0.45, 0])),
    joinMeshes(createBoxMesh([0.1, 0.8, 0.1], [0.45, 0, 0]), createBoxMesh([0.1, 0.8, 0.1], [-0.45, 0, 0])),
  ),
};
const ball: Shape = { type: 'sphere', radius: 0.1 };
const map: Shape = { type: 'octree', resolution: 0.1, cells: Int32Array.of(0, 0, 0, 1, 9, 9, 9, 1) };

function place(first: Shape, second: Shape, pose: Pose): Scene {
  const scene = createScene();
  scenes.push(scene);
  addObject(scene, { name: 'a', shape: first });
  addObject(scene, { name: 'b', shape: second, pose });
  return scene;
}

const at = (x: number, y: number, z: number): Pose => [x, y, z, 0, 0, 0, 1];

describe('the depth of overlaps that are not convex', () => {
  // The ball reaches 0.01 into a bar from within the ring; out of the hull it is 0.15 up.
  const closeToTheInside = at(0.31, 0, 0);

  it('by hulls is what leaves the hull, exactly what leaves the shape', () => {
    const scene = place(ring, ball, closeToTheInside);
    const [hull] = checkScene(scene).contacts;
    expect(hull.depth).toBeCloseTo(0.15, 9);
    expect(hull.status).toBe('depth-bound');
    const [exact] = checkScene(scene, { depth: 'exact' }).contacts;
    expect(exact.depth).toBeCloseTo(0.01, 6);
    expect(nearestPair(scene)!.distance).toBeCloseTo(-0.15, 9);
    expect(nearestPair(scene, { depth: 'exact' })!.distance).toBeCloseTo(-0.01, 6);
    expect(pairsWithin(scene, { margin: 0 })[0].distance).toBeCloseTo(-0.15, 9);
    expect(pairsWithin(scene, { margin: 0, depth: 'exact' })[0].distance).toBeCloseTo(-0.01, 6);
  });

  it('none: names only', () => {
    const scene = place(ring, ball, closeToTheInside);
    expect(checkScene(scene, { depth: 'none' }).contacts).toEqual([{ a: 'a', b: 'b' }]);
  });

  it('of maps is that of their box, where it is asked by hulls', () => {
    const scene = place(map, { type: 'box', size: [0.1, 0.1, 0.1] }, at(0.05, 0.05, 0.02));
    expect(checkScene(scene).contacts[0].depth).toBeCloseTo(0.07, 9);
    const far = place(map, { type: 'box', size: [0.1, 0.1, 0.1] }, at(0.5, 0.5, 0.5));
    // Within the box of the map, where it holds nothing.
    expect(checkScene(far).free).toBe(true);
    expect(nearestPair(far)!.distance).toBeCloseTo(0.35 * Math.sqrt(3), 9);
  });

  it('of convex meshes is exact either way', () => {
    const cube: Shape = { type: 'mesh', mesh: createBoxMesh([1, 1, 1]) };
    const scene = place(cube, ball, at(0.5, 0.1, 0.2));
    const [hull] = checkScene(scene).contacts;
    expect(hull).toMatchObject({ status: 'ok' });
    expect(hull.depth).toBeCloseTo(0.1, 12);
    expect(checkScene(scene, { depth: 'exact' }).contacts[0].depth).toBeCloseTo(0.1, 12);
  });

  it('separates when applied, is never below the exact one, and changes no verdict, name or gap', () => {
    const random = createRandom(7);
    let overlaps = 0;
    for (let run = 0; run < 60; run++) {
      const other = [ball, ring, map][run % 3];
      const X = samplePose(random, 0.5);
      const scene = place(ring, other, at(0, 0, 0));
      const object = scene.objects.get('b')!;
      moveObject(scene, object, X);
      const free = isSceneFree(scene);
      const hull = checkScene(scene);
      const exact = checkScene(scene, { depth: 'exact' });
      const none = checkScene(scene, { depth: 'none' });
      expect([hull.free, exact.free, none.free]).toEqual([free, free, free]);
      const names = exact.contacts.map(({ a, b }) => ({ a, b }));
      expect(hull.contacts.map(({ a, b }) => ({ a, b }))).toEqual(names);
      expect(none.contacts).toEqual(names);
      const monitor = createMonitor(scene, { distance: 0.2 });
      monitor.update();
      const precise = createMonitor(scene, { distance: 0.2, depth: 'exact' });
      precise.update();
      const near = pairsWithin(scene, { margin: 0.2 });
      const nearExactly = pairsWithin(scene, { margin: 0.2, depth: 'exact' });
      expect(monitor.pairs.slice(0, monitor.count).map(({ distance }) => distance)).toEqual(
        near.map(({ distance }) => expect.closeTo(distance, 9)),
      );
      expect(precise.pairs.slice(0, precise.count).map(({ distance }) => distance)).toEqual(
        nearExactly.map(({ distance }) => expect.closeTo(distance, 9)),
      );
      if (free) {
        expect(near).toEqual(nearExactly);
        continue;
      }
      overlaps++;
      const [{ depth, normal }] = hull.contacts;
      expect(depth).toBeGreaterThanOrEqual(exact.contacts[0].depth - 1e-9);
      const moved = Float64Array.from(X);
      for (let k = 0; k < 3; k++) moved[9 + k] += (depth + 1e-6) * normal[k];
      moveObject(scene, object, moved);
      expect(isSceneFree(scene)).toBe(true);
    }
    expect(overlaps).toBeGreaterThan(20);
  });

  it('is exact where a negative margin makes it decide', () => {
    const scene = place(ring, ball, closeToTheInside);
    expect(pairsWithin(scene, { margin: -0.02 })).toEqual([]);
    expect(pairsWithin(scene, { margin: -0.005 })).toHaveLength(1);
    const monitor = createMonitor(scene, { distance: 0.05 });
    monitor.update();
    expect(monitor.pairs[0].contact).toBe('began');
  });

  it('is refused when it is no such choice', () => {
    const scene = place(ring, ball, closeToTheInside);
    const wrong = { depth: 'deep' as 'exact' };
    expect(() => checkScene(scene, wrong)).toThrow(/checkScene: depth, got "deep", expected 'none', 'hull' or 'exact'/);
    expect(() => nearestPair(scene, wrong)).toThrow(/nearestPair: depth, got "deep", expected 'hull' or 'exact'/);
    expect(() => pairsWithin(scene, { margin: 0, ...wrong })).toThrow(/pairsWithin: depth/);
    expect(() => createMonitor(scene, { distance: 0, ...wrong })).toThrow(/createMonitor: depth/);
  });
});
