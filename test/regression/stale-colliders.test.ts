/** What a collider keeps of its mesh follows a refit of the tree, and a disposed collider is refused by every query. */
import { describe, expect, it } from 'vitest';
import { castRayMesh } from '../../src/bvh/cast-ray.js';
import { createRayHit } from '../../src/bvh/cast-ray-hit.js';
import { closestPointMesh, createClosestPoint } from '../../src/bvh/closest-point.js';
import { buildMeshBvh, type MeshBvh } from '../../src/bvh/mesh-bvh.js';
import { refitMeshBvh } from '../../src/bvh/refit-bvh.js';
import type { Shape } from '../../src/geometry/shapes.js';
import type { TriangleMesh } from '../../src/geometry/triangle-mesh.js';
import { MisuseError } from '../../src/math/misuse.js';
import { createRandom } from '../../src/math/random.js';
import { createTransform, poseToTransform } from '../../src/math/transform.js';
import { castPair, createCastResult } from '../../src/narrowphase/cast.js';
import { collide } from '../../src/narrowphase/collide.js';
import { type Collider, createCollider } from '../../src/narrowphase/collider.js';
import { computeContacts, createContacts } from '../../src/narrowphase/contacts.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult } from '../../src/narrowphase/query.js';
import { isWithin } from '../../src/narrowphase/tolerance.js';
import { createBoxMesh, samplePose, sampleShape, shapeTypes } from '../sample-shapes.js';

const X = createTransform();

/** The vertices with all x > 0 moved to `x`. */
function stretch({ vertices }: TriangleMesh, x: number): Float64Array {
  return vertices.map((value, i) => (i % 3 === 0 && value > 0 ? x : value));
}

function askAll(a: Collider, b: Collider, Y: Float64Array) {
  const r = distance(createDistanceResult(), a, X, b, Y);
  const Z = Y.slice();
  Z[11] += 1;
  const cast = castPair(createCastResult(), a, b, { a0: X, a1: X, b0: Z, b1: Y });
  return {
    distance: r.distance,
    collides: r.collides,
    collide: collide(a, X, b, Y),
    within: isWithin(a, X, b, Y, 0.01),
    contacts: computeContacts(createContacts(4), a, X, b, Y),
    hit: cast.hit,
    time: cast.time,
  };
}

describe('colliders of a tree that is refitted', () => {
  it('a cube stretched to x = 4: a ball on its new end is found by every query', () => {
    const mesh = createBoxMesh([1, 1, 1]);
    const bvh = buildMeshBvh(mesh);
    const box = createCollider({ type: 'mesh', mesh }, { bvh });
    const ball = createCollider({ type: 'sphere', radius: 0.2 });
    const Y = poseToTransform(new Float64Array(12), [3, 0, 0.45, 0, 0, 0, 1]);
    expect(askAll(box, ball, Y)).toMatchObject({ collides: false, collide: false, within: false, hit: false });
    refitMeshBvh(bvh, stretch(mesh, 4));
    const got = askAll(box, ball, Y);
    expect(got).toMatchObject({ collides: true, collide: true, within: true, hit: true });
    expect(got.distance).toBeCloseTo(-0.25, 12);
    const fresh = createCollider({ type: 'mesh', mesh: { ...mesh, vertices: stretch(mesh, 4) } });
    expect(got).toEqual(askAll(fresh, ball, Y));
  });

  it.each(shapeTypes)('%s: answers after refits as a new collider gives them (seed 61)', (kind) => {
    const random = createRandom(61);
    for (let i = 0; i < 20; i++) {
      const mesh = createBoxMesh([1, 1, 1]);
      const bvh: MeshBvh = buildMeshBvh(mesh);
      const kept = createCollider({ type: 'mesh', mesh }, { bvh });
      const shape: Shape = sampleShape(random, kind);
      const other = createCollider(shape);
      const Y = samplePose(random, 1);
      if (kind === 'halfspace') Y.set(X.subarray(0, 9));
      askAll(kept, other, Y);
      for (let round = 0; round < 2; round++) {
        const vertices = stretch(mesh, random.uniform(0.2, 4));
        refitMeshBvh(bvh, vertices);
        const fresh = createCollider({ type: 'mesh', mesh: { ...mesh, vertices } });
        const expected = askAll(fresh, other, Y);
        const got = askAll(kept, other, Y);
        expect(Math.abs(got.distance - expected.distance), `seed 61 case ${i}`).toBeLessThan(1e-12);
        expect(Math.abs(got.time - expected.time), `seed 61 case ${i}`).toBeLessThan(1e-6);
        expect({ ...got, distance: 0, time: 0 }, `seed 61 case ${i}`).toEqual({ ...expected, distance: 0, time: 0 });
        fresh.dispose();
      }
      kept.dispose();
      bvh.dispose();
      other.dispose();
    }
  });

  it('a tree refitted before its collider is made counts, and one of another mesh is refused', () => {
    const mesh = createBoxMesh([1, 1, 1]);
    const bvh = buildMeshBvh(mesh);
    refitMeshBvh(bvh, stretch(mesh, 4));
    const box = createCollider({ type: 'mesh', mesh }, { bvh });
    const ball = createCollider({ type: 'sphere', radius: 0.2 });
    expect(collide(box, X, ball, poseToTransform(new Float64Array(12), [3, 0, 0, 0, 0, 0, 1]))).toBe(true);
    const square = { vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), triangles: Uint32Array.of(0, 1, 2) };
    expect(() => createCollider({ type: 'mesh', mesh: square }, { bvh })).toThrow(
      /createCollider: bvh, got a tree of 12/,
    );
  });
});

describe('disposed colliders', () => {
  it.each(shapeTypes.filter((type) => type !== 'halfspace'))('%s: refused by every query', (kind) => {
    const random = createRandom(62);
    const points = Float64Array.from({ length: 600 }, () => random.uniform(-1, 1));
    const gone = createCollider(kind === 'convex' ? { type: 'convex', points } : sampleShape(random, kind));
    const ball = createCollider({ type: 'sphere', radius: 1 });
    expect(collide(gone, X, ball, X)).toBe(true);
    gone.dispose();
    expect(() => gone.dispose()).not.toThrow();
    for (const query of [
      () => collide(gone, X, ball, X),
      () => collide(ball, X, gone, X, { tolerance: 0 }),
      () => isWithin(gone, X, ball, X, 1),
      () => distance(createDistanceResult(), ball, X, gone, X),
      () => computeContacts(createContacts(1), gone, X, ball, X),
      () => castPair(createCastResult(), ball, gone, { a0: X, a1: X, b0: X, b1: X }),
    ]) {
      expect(query).toThrow(MisuseError);
      expect(query).toThrow(/got one that was disposed/);
    }
  });
});

describe('operands in the wrong place', () => {
  it('queries on a tree name it; contacts need room', () => {
    const bvh = buildMeshBvh(createBoxMesh([1, 1, 1]));
    const loose = closestPointMesh as (...args: unknown[]) => unknown;
    expect(() => loose(bvh, [0, 0, 0], createClosestPoint())).toThrow(/closestPointMesh: bvh, got .*, expected a tree/);
    const ray = castRayMesh as (...args: unknown[]) => unknown;
    expect(() => ray(bvh, [0, 0, 0], [1, 0, 0])).toThrow(/castRayMesh: bvh, got .*, expected a tree/);
    expect(castRayMesh(createRayHit(), bvh, [0, 0, 0], [1, 0, 0]).t).toBe(0.5);
    for (const count of [undefined, 0, -1, 1.5, NaN] as number[])
      expect(() => createContacts(count)).toThrow(/createContacts: count/);
  });
});
