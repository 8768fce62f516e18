import { afterEach, describe, expect, it } from 'vitest';
import { createBoxMesh, joinMeshes, samplePose } from '../../../test/sample-shapes.js';
import { createSphereMesh } from '../../../test/support/brute-force-meshes.js';
import type { Shape } from '../../geometry/shapes.js';
import { createRandom } from '../../math/random.js';
import { createTransform, setIdentityTransform } from '../../math/transform.js';
import { type Collider, createCollider } from '../../narrowphase/collider.js';
import { distance } from '../../narrowphase/distance.js';
import { createDistanceResult } from '../../narrowphase/query.js';
import { type Body, createPartShape, placeParts, updateBody } from '../bodies.js';
import { measureBodies } from './body-pairs.js';
import { hasHulls, lieOnMeshes, measureHulls } from './mesh-hulls.js';

const colliders: Collider[] = [];
afterEach(() => {
  for (const collider of colliders.splice(0)) collider.dispose();
});

function createBody(shape: Shape): Body {
  const collider = createCollider(shape);
  colliders.push(collider);
  const body = {
    id: 0,
    name: shape.type,
    margin: 0,
    version: 0,
    ...placeParts([createPartShape(shape, collider, createTransform())]),
  };
  setIdentityTransform(body.worldPlacement);
  return body;
}

/** A ring of four bars: its hull is full, the ring is not. */
const frame = joinMeshes(
  joinMeshes(createBoxMesh([1, 0.1, 0.1], [0, 0.45, 0]), createBoxMesh([1, 0.1, 0.1], [0, -0.45, 0])),
  joinMeshes(createBoxMesh([0.1, 0.8, 0.1], [0.45, 0, 0]), createBoxMesh([0.1, 0.8, 0.1], [-0.45, 0, 0])),
);

const shapes: readonly (readonly [string, Shape])[] = [
  ['bumpy sphere', { type: 'mesh', mesh: createSphereMesh(8, 0.1), mode: 'surface' }],
  ['frame', { type: 'mesh', mesh: frame, mode: 'surface' }],
  ['sphere', { type: 'mesh', mesh: createSphereMesh(10) }],
  ['box', { type: 'box', size: [0.5, 0.3, 0.2] }],
  ['capsule', { type: 'capsule', radius: 0.1, length: 0.6 }],
  ['convex', { type: 'convex', points: createSphereMesh(5).vertices }],
];

describe('distances of meshes by hulls are those by trees', () => {
  const pairs = shapes.flatMap(([a, first], i) =>
    shapes.slice(i).map(([b, second]) => ({ title: `${a} and ${b}`, first, second })),
  );
  it.each(pairs.filter(({ first }) => first.type === 'mesh'))('$title', ({ first, second }) => {
    const random = createRandom(3);
    const a = createBody(first);
    const b = createBody(second);
    const [partA] = a.parts;
    const [partB] = b.parts;
    const exact = createDistanceResult();
    const found = createDistanceResult();
    expect(hasHulls(partA.collider, partB.collider)).toBe(true);
    let shortcuts = 0;
    let separate = 0;
    for (let run = 0; run < 150; run++) {
      for (const body of [a, b]) {
        body.worldPlacement.set(samplePose(random, 1.2));
        updateBody(body);
      }
      const bound = run % 3 === 0 ? 0.3 : Infinity;
      distance(exact, partA.collider, a.worldPlacement, partB.collider, b.worldPlacement);
      measureBodies(found, a, b, bound, 0.05, 'exact');
      if (exact.distance > bound) {
        expect(found.status).toBe('beyond-bound');
        expect(found.distance).toBeGreaterThanOrEqual(bound);
        expect(found.distance).toBeLessThanOrEqual(exact.distance + 1e-9);
        continue;
      }
      expect(found.distance).toBeCloseTo(exact.distance, 9);
      expect(found.collides).toBe(exact.distance <= 0.05);
      if (!(exact.distance > 1e-6)) continue;
      separate++;
      for (let i = 0; i < 3; i++)
        expect(found.pointB[i] - found.pointA[i]).toBeCloseTo(found.distance * found.normal[i], 9);
      if (measureHulls(found, partA, partB, Infinity)) {
        expect(found.distance).toBeLessThanOrEqual(exact.distance + 1e-9);
        if (lieOnMeshes(found, partA, partB)) shortcuts++;
      }
    }
    expect(separate).toBeGreaterThan(20);
    expect(shortcuts).toBeGreaterThan(separate / 10);
  });

  it('is not asked of small meshes, half-spaces, and shapes without a mesh', () => {
    const [box, plane, cube, ball] = (
      [
        { type: 'box', size: [1, 1, 1] },
        { type: 'halfspace', normal: [0, 0, 1], offset: 0 },
        { type: 'mesh', mesh: createBoxMesh([1, 1, 1]) },
        { type: 'mesh', mesh: createSphereMesh(8) },
      ] satisfies Shape[]
    ).map((shape) => createBody(shape).parts[0].collider);
    expect([box, plane, cube].map((collider) => hasHulls(box, collider))).toEqual([false, false, false]);
    expect([box, plane, cube].map((collider) => hasHulls(ball, collider))).toEqual([true, false, true]);
  });
});
