/**
 * Normals of meshes that touch, or nearly: always a unit vector, and B moved along it gets free. Contacts are built so that
 * the features, and where it is unique the direction, are known: lattice boxes on each other, corners on faces, edges across
 * edges, corners in valleys, at gaps from 0 to 1e-8, in both orders and at any attitude.
 */
import { describe, it } from 'vitest';
import { createBoxMesh, joinMeshes, samplePose } from '../../test/sample-shapes.js';
import { expect } from '../../test/support/quick-expect.js';
import { createBumpySphere, createKnotMesh } from '../../test/support/solid-meshes.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { createRandom } from '../math/random.js';
import { multiplyTransform, poseToTransform, type Transform } from '../math/transform.js';
import { collide } from './collide.js';
import { type Collider, createCollider } from './collider.js';
import { computeContacts, createContacts } from './contacts.js';
import { distance } from './distance.js';
import { createDistanceResult } from './query.js';

const GAPS = [0, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8];
const box = createBoxMesh([1, 1, 1]);
/** A box with its corner down: turned so that a space diagonal stands upright. */
const tipped = [Math.sin(0.5 * Math.acos(1 / Math.sqrt(3))) * Math.SQRT1_2, 0, 0, 0] as number[];
tipped[1] = -tipped[0];
tipped[3] = Math.cos(0.5 * Math.acos(1 / Math.sqrt(3)));
/** Floor and two walls that meet in a corner at the origin. */
const corner = [
  createBoxMesh([4, 4, 1], [2, 2, -0.5]),
  createBoxMesh([1, 4, 4], [-0.5, 2, 2]),
  createBoxMesh([4, 1, 4], [2, -0.5, 2]),
].reduce(joinMeshes);

function pose(x: number, y: number, z: number, q: readonly number[] = [0, 0, 0, 1]): Transform {
  return poseToTransform(new Float64Array(12), [x, y, z, ...q]);
}

/** Height of the lowest corner of a mesh at X. */
function lowest({ vertices }: TriangleMesh, X: Transform): number {
  let z = Infinity;
  for (let i = 0; i < vertices.length; i += 3)
    z = Math.min(z, X[6] * vertices[i] + X[7] * vertices[i + 1] + X[8] * vertices[i + 2]);
  return z;
}

function moveAlong(X: Transform, n: ArrayLike<number>, by: number): Transform {
  const out = X.slice();
  for (let k = 0; k < 3; k++) out[9 + k] += by * n[k];
  return out;
}

/** Unit normal that frees B, equal to `expected` where that is given; contacts likewise. */
function check(a: Collider, X: Transform, b: Collider, Y: Transform, at: string, expected?: ArrayLike<number>): void {
  for (const [p, P, q, Q, sign] of [
    [a, X, b, Y, 1],
    [b, Y, a, X, -1],
  ] as const) {
    const r = distance(createDistanceResult(), p, P, q, Q);
    expect(Math.abs(Math.hypot(...r.normal) - 1), `${at}: unit`).toBeLessThan(1e-12);
    expect(collide(p, P, q, moveAlong(Q, r.normal, Math.max(-r.distance, 0) + 1e-6)), `${at}: frees`).toBe(false);
    for (let k = 0; k < 3; k++) {
      expect(Math.abs(r.pointB[k] - r.pointA[k] - r.distance * r.normal[k]), `${at}: points`).toBeLessThan(1e-14);
      if (expected) expect(Math.abs(sign * r.normal[k] - expected[k]), `${at}: direction`).toBeLessThan(1e-6);
    }
    const contacts = createContacts(16);
    const count = computeContacts(contacts, p, P, q, Q, { margin: 1e-7 });
    expect(count, `${at}: contacts`).toBeGreaterThan(0);
    for (const { normal, point, depth } of contacts.slice(0, count)) {
      expect(Math.abs(Math.hypot(...normal) - 1), `${at}: contact normal`).toBeLessThan(1e-9);
      expect([...point, depth].every(Number.isFinite), `${at}: contact`).toBe(true);
    }
  }
}

describe.each(['solid', 'surface'] as const)('normal of touching meshes, %s', (mode) => {
  const create = (mesh: TriangleMesh): Collider => createCollider({ type: 'mesh', mesh, mode });

  it('boxes on each other, flush, turned and standing on a corner: the face normal (seed 51)', () => {
    const random = createRandom(51);
    using a = create(box);
    using b = create(createBoxMesh([1, 1, 1]));
    for (const gap of GAPS)
      for (let i = 0; i < 12; i++) {
        const q = [[0, 0, 0, 1], [0, 0, 0.3, 1], tipped][i % 3];
        const [x, y] = i < 3 ? [0, 0] : [random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4)];
        const Y = pose(x, y, 0, q);
        Y[11] = 0.5 - lowest(box, Y) + gap;
        const T = i < 6 ? pose(0, 0, 0) : samplePose(random, 2);
        check(a, T, b, multiplyTransform(new Float64Array(12), T, Y), `gap ${gap} case ${i}`, [T[2], T[5], T[8]]);
      }
  });

  it('edges across edges: along their cross product (seed 52)', () => {
    const random = createRandom(52);
    using a = create(box);
    using b = create(createBoxMesh([1, 1, 1]));
    const eighth = Math.PI / 8;
    // Both stand on an edge: A's upper edge runs along y, B's lower one along x turned about z.
    const X = pose(0, 0, 0, [0, Math.sin(eighth), 0, Math.cos(eighth)]);
    const onEdge = pose(0, 0, 0, [Math.sin(eighth), 0, 0, Math.cos(eighth)]);
    for (const gap of GAPS)
      for (let i = 0; i < 6; i++) {
        const turn = i === 0 ? 0 : random.uniform(-0.25, 0.25);
        const Y = multiplyTransform(
          new Float64Array(12),
          pose(0, 0, 0, [0, 0, Math.sin(turn), Math.cos(turn)]),
          onEdge,
        );
        Y[9] = random.uniform(-0.3, 0.3);
        Y[10] = random.uniform(-0.3, 0.3);
        Y[11] = Math.SQRT1_2 - lowest(box, Y) + gap;
        const T = i < 3 ? pose(0, 0, 0) : samplePose(random, 2);
        check(
          a,
          multiplyTransform(new Float64Array(12), T, X),
          b,
          multiplyTransform(new Float64Array(12), T, Y),
          `gap ${gap} case ${i}`,
          [T[2], T[5], T[8]],
        );
      }
  });

  // As surfaces the walls also hold B by the faces inside each other, in whose planes B's own faces lie.
  it.skipIf(mode === 'surface')('a corner in a corner of three walls: some way out (seed 53)', () => {
    const random = createRandom(53);
    using a = create(corner);
    using b = create(createBoxMesh([1, 1, 1]));
    // Above 1e-12 the nearest wall alone gives the normal, and B slides along the others.
    for (const gap of GAPS.filter((x) => x <= 1e-13))
      for (let i = 0; i < 4; i++) {
        const T = i < 2 ? pose(0, 0, 0) : samplePose(random, 2);
        const Y = pose(0.5 + gap, 0.5 + gap, 0.5 + gap);
        check(a, T, b, multiplyTransform(new Float64Array(12), T, Y), `gap ${gap} case ${i}`);
      }
  });

  it('any meshes brought to touch along a line: unit and free (seed 54)', () => {
    const random = createRandom(54);
    using a = create(createKnotMesh(40, 8));
    using b = create(createBumpySphere(8, 0.15));
    for (let i = 0; i < 60; i++) {
      const X = samplePose(random, 0);
      const away = [random.normal(), random.normal(), random.normal()];
      let Y = moveAlong(samplePose(random, 0), away, 3 / Math.hypot(...away));
      // Down to a gap of 1e-16 .. 1e-8 along the line between the nearest points.
      const wanted = 10 ** random.uniform(-16, -8);
      for (let step = 0; step < 3; step++) {
        const r = distance(createDistanceResult(), a, X, b, Y);
        if (r.distance > wanted) Y = moveAlong(Y, r.normal, wanted - r.distance);
      }
      check(a, X, b, Y, `seed 54 case ${i}`);
    }
  });
});

describe('a surface held by a solid, whose distance is 0 without a depth', () => {
  it('has the normal towards the nearest way out, in both orders', () => {
    using solid = createCollider({ type: 'mesh', mesh: createBoxMesh([4, 4, 4]) });
    using shell = createCollider({ type: 'mesh', mesh: createBoxMesh([0.5, 0.5, 0.5]), mode: 'surface' });
    const Y = pose(1.2, 0.3, -0.4);
    const r = distance(createDistanceResult(), solid, pose(0, 0, 0), shell, Y);
    expect(r).toMatchObject({ status: 'depth-bound', collides: true, distance: 0 });
    const back = distance(createDistanceResult(), shell, Y, solid, pose(0, 0, 0));
    for (const [i, x] of [1, 0, 0].entries()) {
      expect(r.normal[i]).toBeCloseTo(x, 12);
      expect(back.normal[i]).toBeCloseTo(-x, 12);
    }
  });
});
