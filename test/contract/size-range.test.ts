/**
 * The range of sizes that docs/notation.md states, 1e-15 to 1e15: at its ends every pair of shapes answers as it does at unit
 * size, to rounding, in distance, verdict, contacts and casts; outside it every door refuses. Half of the poses without
 * ORACLE_FULL.
 */
import { describe, it } from 'vitest';
import { buildMeshBvh } from '../../src/bvh/mesh-bvh.js';
import { buildConvexHull } from '../../src/geometry/hull.js';
import type { Shape } from '../../src/geometry/shapes.js';
import { MisuseError } from '../../src/math/misuse.js';
import { createRandom } from '../../src/math/random.js';
import { createTransform, type Transform } from '../../src/math/transform.js';
import { castPair, createCastResult } from '../../src/narrowphase/cast.js';
import { collide } from '../../src/narrowphase/collide.js';
import { type ColliderOptions, createCollider } from '../../src/narrowphase/collider.js';
import { computeContacts, createContacts } from '../../src/narrowphase/contacts.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult } from '../../src/narrowphase/query.js';
import { isWithin } from '../../src/narrowphase/tolerance.js';
import { createBoxMesh, partShapeTypes, samplePose, sampleShape, scaleShape, shapeTypes } from '../sample-shapes.js';
import { expect } from '../support/quick-expect.js';

/** Shapes of about unit size, at these powers of two: sizes down to 1e-15 and up to 3e14. */
const POWERS = [-44, -33, -20, 20, 33, 47];
const POSES = process.env.ORACLE_FULL ? 4 : 2;
const kinds = [...shapeTypes, ...partShapeTypes];

function resize(X: Transform, s: number): Transform {
  return X.map((x, k) => (k < 9 ? x : s * x));
}

describe('sizes from 1e-15 to 1e15', () => {
  it.each(kinds.map((kind, i) => [kind, i] as const))('%s against every kind (seed 700)', (kind, i) => {
    for (let j = i; j < kinds.length; j++) {
      if (kind === 'halfspace' && kinds[j] === 'halfspace') continue;
      const random = createRandom(700 + 20 * i + j);
      for (let pose = 0; pose < POSES; pose++) {
        const shapes = [sampleShape(random, kind), sampleShape(random, kinds[j])];
        const poses = [samplePose(random, 1), samplePose(random, 1), samplePose(random, 1)];
        const isTurning = kind !== 'halfspace' && kinds[j] !== 'halfspace';
        const answer = (s: number) => {
          const [a, b] = shapes.map((shape) => createCollider(scaleShape(shape, s)));
          const [X, Y, end] = poses.map((X) => resize(X, s));
          if (!isTurning) end.set(Y.subarray(0, 9));
          const r = distance(createDistanceResult(), a, X, b, Y);
          const cast = castPair(createCastResult(), a, b, { a0: X, a1: X, b0: Y, b1: end });
          const out = {
            distance: r.distance / s,
            collides: r.collides,
            collide: collide(a, X, b, Y),
            within: isWithin(a, X, b, Y, Math.max(0, r.distance) + 1e-6 * s),
            contacts: computeContacts(createContacts(2), a, X, b, Y) > 0,
            hit: cast.hit,
            time: cast.time,
          };
          a.dispose();
          b.dispose();
          return out;
        };
        const unit = answer(1);
        for (const power of POWERS) {
          const at = `${kind}-${kinds[j]} pose ${pose} times 2^${power}`;
          const got = answer(2 ** power);
          // Searched depths may take another branch on a rounding.
          expect(Math.abs(got.distance - unit.distance), at).toBeLessThan(unit.distance > 0 ? 1e-12 : 1e-6);
          expect({ ...got, distance: 0, time: 0 }, at).toEqual({ ...unit, distance: 0, time: 0 });
          expect(Math.abs(got.time - unit.time), at).toBeLessThan(1e-6);
        }
      }
    }
  });

  const X = createTransform();
  it.each([
    [1e-15, 'auto'],
    [1e10, 'auto'],
    [1e10, 'obb'],
    [1e10, 'aabb'],
    [2e14, 'obb'],
    [2e14, 'aabb'],
  ] as const)('cubes of +-%s by %s trees: the gap, the verdict and the hit', (s, node) => {
    const shape: Shape = { type: 'mesh', mesh: createBoxMesh([2 * s, 2 * s, 2 * s]) };
    const options: ColliderOptions = { node };
    const [a, b] = [createCollider(shape, options), createCollider(shape, options)];
    const Y = X.slice();
    Y[9] = 2.5 * s;
    expect(distance(createDistanceResult(), a, X, b, Y).distance / s).toBeCloseTo(0.5, 12);
    expect(isWithin(a, X, b, Y, 0.51 * s)).toBe(true);
    expect(isWithin(a, X, b, Y, 0.49 * s)).toBe(false);
    const Z = X.slice();
    Z[9] = -2.5 * s;
    const hit = castPair(createCastResult(), a, b, { a0: X, a1: X, b0: Y, b1: Z });
    expect(hit.hit).toBe(true);
    expect(hit.time).toBeCloseTo(0.1, 6);
  });

  it('outside: refused by name', () => {
    for (const s of [0.9e-15, 1.1e15])
      for (const shape of [
        { type: 'sphere', radius: s },
        { type: 'box', size: [1, s, 1] },
        { type: 'capsule', radius: 1, length: s },
        { type: 'ellipsoid', semiAxes: [1, 1, s] },
        { type: 'convex', points: Float64Array.of(0, 0, 0, s, 0, 0, 0, s, 0, 0, 0, s) },
        {
          type: 'mesh',
          mesh: { vertices: Float64Array.of(0, 0, 0, s, 0, 0, 0, s, 0), triangles: Uint32Array.of(0, 1, 2) },
        },
        { type: 'points', points: new Float64Array(3), radius: s },
        { type: 'octree', resolution: s, cells: Int32Array.of(0, 0, 0, 1) },
        { type: 'heightfield', rows: 2, columns: 2, heights: new Float64Array(4), spacing: [s, 1] },
      ] as Shape[])
        expect(() => createCollider(shape), `${shape.type} ${s}`).toThrow(MisuseError);
    expect(() => createCollider({ type: 'halfspace', normal: [0, 0, 1], offset: 1.1e15 })).toThrow(/offset/);
    expect(() => buildConvexHull(Float64Array.of(0, 0, 1.1e15))).toThrow(/1000000000000000/);
    expect(() =>
      buildMeshBvh({ vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1.1e15, 0), triangles: Uint32Array.of(0, 1, 2) }),
    ).toThrow(/vertex 2/);
    const ball = createCollider({ type: 'sphere', radius: 1 });
    const far = X.slice();
    far[10] = 1.1e15;
    expect(() => collide(ball, X, ball, far)).toThrow(/pose/);
    // A point is a hull and a mesh of no extent.
    expect(() => createCollider({ type: 'convex', points: Float64Array.of(1, 2, 3) })).not.toThrow();
  });
});
