/** What lies inside a mesh that is open, and so counts as a surface, is told: a closed one would be in collision with it. */
import { expect, it } from 'vitest';
import { createBoxMesh, sampleHullMesh, samplePose } from '../../../test/sample-shapes.js';
import { addUrdf, boxLink } from '../../../test/scene-fixtures.js';
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { createRandom } from '../../math/random.js';
import { findEnclosure } from '../../narrowphase/enclosure.js';
import { allowPairs } from '../allow-pairs.js';
import { addObject, createScene, disposeScene, moveObject } from '../scene.js';
import type { Scene, SceneBody } from '../types.js';
import { updateScene } from '../update.js';
import { checkScene } from './check.js';
import { findEnclosedBodies } from './enclosed.js';
import { isAllowedPair } from './pair-rules.js';

const withoutFaces = ({ vertices, triangles }: TriangleMesh, count: number): TriangleMesh => ({
  vertices,
  triangles: triangles.slice(3 * count),
});

function createCell(mesh: TriangleMesh, pose: readonly number[], mode?: 'surface'): Scene {
  const scene = createScene();
  addObject(scene, { name: 'mesh', shape: { type: 'mesh', mesh, mode } });
  addObject(scene, { name: 'ball', shape: { type: 'sphere', radius: 0.01 }, pose: [...pose, 0, 0, 0, 1] as never });
  return scene;
}

function listEnclosed(mesh: TriangleMesh, pose: readonly number[], mode?: 'surface'): string[] {
  const scene = createCell(mesh, pose, mode);
  const found = findEnclosedBodies(scene).map(({ mesh: outer, body }) => `${body} in ${outer}`);
  disposeScene(scene);
  return found;
}

it('a ball in a cube that lacks a triangle: free, and told', () => {
  const mesh = withoutFaces(createBoxMesh([2, 2, 2]), 1);
  const scene = createCell(mesh, [0, 0, 0]);
  expect(checkScene(scene, { all: true }).free).toBe(true);
  const [{ message, boundaryEdges }] = findEnclosedBodies(scene);
  expect(boundaryEdges).toBe(3);
  expect(message).toContain('3 edges without a neighbour) and counts as a surface, so "ball" inside it');
  disposeScene(scene);
});

it('says nothing of closed meshes, of stated surfaces, of sheets and of what is outside', () => {
  const box = createBoxMesh([2, 2, 2]);
  expect(listEnclosed(box, [0, 0, 0])).toEqual([]);
  expect(listEnclosed(withoutFaces(box, 1), [0, 0, 0], 'surface')).toEqual([]);
  expect(listEnclosed(withoutFaces(box, 1), [3, 0, 0])).toEqual([]);
  // A tent: two sides and nothing below.
  const tent = {
    vertices: Float64Array.of(-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0, -1, 0, 1, 1, 0, 1),
    triangles: Uint32Array.of(0, 1, 5, 0, 5, 4, 2, 3, 4, 2, 4, 5),
  };
  expect(listEnclosed(tent, [0, 0, 0.1])).toEqual([]);
});

it('finds what lies inside hulls with holes and nothing outside of them (seed 32)', () => {
  const random = createRandom(32);
  let inside = 0;
  for (let n = 0; n < 60; n++) {
    const whole = sampleHullMesh(random, 60);
    const mesh = withoutFaces(whole, 1 + Math.floor(3 * random.next()));
    const pose = [0, 1, 2].map(() => random.uniform(-0.3, 0.3));
    const closed = createCell(whole, pose);
    const open = createCell(mesh, pose);
    const touches = !checkScene(open, { all: true }).free;
    const collides = !checkScene(closed, { all: true }).free;
    if (!touches) {
      // Near a hole the winding number is near one half, either way.
      const found = findEnclosedBodies(open).length > 0;
      if (Math.max(...pose.map(Math.abs)) < 0.2) {
        inside++;
        expect([collides, found], `hull ${n}`).toEqual([true, true]);
      }
      if (!collides) expect(found, `hull ${n}`).toBe(false);
    }
    disposeScene(closed);
    disposeScene(open);
  }
  expect(inside).toBeGreaterThan(5);
});

/** Every body with a mesh against every other, as they were added: objects, then links. */
function listByPairs(scene: Scene, objectPairs: boolean): string[] {
  updateScene(scene);
  const bodies: SceneBody[] = [...scene.objects.values()].map(({ body }) => body);
  for (const { links } of scene.robots) for (const { body } of links) bodies.push(body);
  const found: string[] = [];
  for (const body of bodies)
    for (const other of bodies) {
      if (other === body || isAllowedPair(scene, body, other) || (!objectPairs && body.object && other.object))
        continue;
      const [{ collider, worldPlacement }] = body.parts;
      const [inner] = other.parts;
      if (findEnclosure(collider, worldPlacement, inner.collider, inner.worldPlacement) !== null)
        found.push(`${other.name} in ${body.name}`);
    }
  return found;
}

it('finds the same as a look at every pair, in the same order, while objects move', () => {
  const random = createRandom(7);
  const scene = createScene();
  for (let i = 0; i < 40; i++)
    addObject(scene, {
      name: `o${i}`,
      shape:
        i % 2
          ? { type: 'mesh', mesh: withoutFaces(createBoxMesh([1, 1.5, 2]), 1) }
          : { type: 'sphere', radius: random.uniform(0.01, 0.2) },
      placement: samplePose(random, 2),
    });
  addUrdf(scene, `<robot name="r">${boxLink('base', '0.1 0.1 0.1')}</robot>`);
  allowPairs(
    scene,
    [1, 2, 3].map((i) => ({ a: `o${i}`, b: `o${i + 17}`, reason: 'user' as const })),
  );
  let count = 0;
  for (let step = 0; step < 4; step++) {
    for (const objectPairs of [true, false]) {
      const found = findEnclosedBodies(scene, objectPairs).map(({ mesh, body }) => `${body} in ${mesh}`);
      expect(found).toEqual(listByPairs(scene, objectPairs));
      count += found.length;
    }
    for (let i = step; i < 40; i += 3) moveObject(scene, scene.objects.get(`o${i}`)!, samplePose(random, 2));
  }
  expect(count).toBeGreaterThan(40);
  disposeScene(scene);
});
