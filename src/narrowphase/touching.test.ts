/**
 * Convex pairs brought to touch to rounding: the points lie on both shapes, and on hulls the normal is the face's.
 */
import { describe, it } from 'vitest';
import { samplePose, sampleShape } from '../../test/sample-shapes.js';
import { expect } from '../../test/support/quick-expect.js';
import { buildConvexHull } from '../geometry/hull.js';
import type { Shape, ShapeType } from '../geometry/shapes.js';
import { supportShape } from '../geometry/support-shape.js';
import { createRandom, type Random } from '../math/random.js';
import { poseToTransform, type Transform } from '../math/transform.js';
import { type Collider, createCollider } from './collider.js';
import { computeContacts, createContacts } from './contacts.js';
import { distance } from './distance.js';
import { createDistanceResult } from './query.js';

const KINDS: readonly ShapeType[] = ['sphere', 'box', 'capsule', 'cylinder', 'cone', 'ellipsoid', 'convex'];
const GAPS = [0, 1e-15, -1e-15, 1e-14, -1e-14, 1e-13, -1e-13, 1e-12, -1e-12, 1e-11, -1e-11, -1e-10];
const own = createDistanceResult();
const dot = createCollider({ type: 'convex', points: new Float64Array(3) });

/** How far a point is from the surface of a shape, roughly where it lies inside. */
function missOf(collider: Collider, X_WC: Transform, p: ArrayLike<number>): number {
  const X_WP = poseToTransform(new Float64Array(12), [p[0], p[1], p[2], 0, 0, 0, 1]);
  return Math.abs(distance(own, collider, X_WC, dot, X_WP).distance);
}

function sampleUnit(random: Random): number[] {
  const v = [random.normal(), random.normal(), random.normal()];
  const norm = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  return v.map((x) => x / norm);
}

/** Brings B from afar along a line, until the distance is `gap`. */
function bringTo(gap: number, random: Random, a: Collider, X_WA: Transform, b: Collider, X_WB: Transform): void {
  const way = sampleUnit(random);
  const r = createDistanceResult();
  for (let k = 0; k < 3; k++) X_WB[9 + k] = X_WA[9 + k] + 4 * way[k];
  for (let step = 0; step < 64; step++) {
    distance(r, a, X_WA, b, X_WB);
    if (step < 60 && r.distance <= 0) step = 60;
    const along = step < 60 ? 1 : Math.max(0.05, r.normal[0] * way[0] + r.normal[1] * way[1] + r.normal[2] * way[2]);
    for (let k = 0; k < 3; k++) X_WB[9 + k] -= (way[k] * (r.distance - (step < 60 ? 0 : gap))) / along;
  }
}

describe('touching to rounding', () => {
  it('a cone whose rim touches another cone at its rim: the point is on both', () => {
    const cone = createCollider({ type: 'cone', radius: 0.5, length: 1 });
    const X_WA = poseToTransform(new Float64Array(12), [0, 0, 0, 0, 0, 0, 1]);
    const X_WB = poseToTransform(new Float64Array(12), [
      ...[-0.4464504768559403, -0.28384332177003013, -0.9425133002861049, 0.8520448856571565, -0.23310661966092014],
      ...[0.4340606021272307, -0.17683950457035322],
    ]);
    const r = distance(createDistanceResult(), cone, X_WA, cone, X_WB);
    expect(r.status).toBe('ok');
    expect(Math.abs(r.distance)).toBeLessThan(1e-14);
    const contacts = createContacts(4);
    expect(computeContacts(contacts, cone, X_WA, cone, X_WB)).toBe(1);
    for (const p of [r.pointA, r.pointB, contacts[0].point]) {
      expect(missOf(cone, X_WA, p)).toBeLessThan(1e-14);
      expect(missOf(cone, X_WB, p)).toBeLessThan(1e-14);
    }
  });

  it.each(KINDS.map((kind, i) => [kind, i] as const))(
    '%s against every kind: points on both shapes (seed 81)',
    (kind, i) => {
      for (let j = 0; j < KINDS.length; j++) {
        const random = createRandom(81 + 10 * i + 100 * j);
        for (let n = 0; n < 5 * GAPS.length; n++) {
          const [a, b] = [createCollider(sampleShape(random, kind)), createCollider(sampleShape(random, KINDS[j]))];
          const [X_WA, X_WB] = [samplePose(random, 1), samplePose(random, 1)];
          bringTo(GAPS[n % GAPS.length], random, a, X_WA, b, X_WB);
          const r = distance(createDistanceResult(), a, X_WA, b, X_WB);
          const at = `${kind}-${KINDS[j]} case ${n}: ${r.distance}`;
          expect(r.status, at).toBe('ok');
          expect(missOf(a, X_WA, r.pointA), at).toBeLessThan(2e-14 + Math.abs(r.distance));
          expect(missOf(b, X_WB, r.pointB), at).toBeLessThan(2e-14 + Math.abs(r.distance));
          a.dispose();
          b.dispose();
        }
      }
    },
  );

  it.each([12, 40, 300])(
    'hulls of %i points, a vertex over a face by at most 1e-8: the normal of the face (seed 82)',
    (count) => {
      const random = createRandom(82);
      for (let n = 0; n < 300; n++) {
        const sample = () => Float64Array.from({ length: 3 * count }, () => random.uniform(-0.6, 0.6));
        const [A, B]: Shape[] = [
          { type: 'convex', points: sample() },
          { type: 'convex', points: sample() },
        ];
        const hull = buildConvexHull((A as { points: Float64Array }).points);
        const triangle = random.integer(hull.triangles.length / 3);
        const [p, q, s] = [0, 1, 2].map((c) => {
          const v = 3 * hull.triangles[3 * triangle + c];
          return hull.vertices.subarray(v, v + 3);
        });
        const e = [0, 1, 2].map((k) => q[k] - p[k]);
        const f = [0, 1, 2].map((k) => s[k] - p[k]);
        const n0 = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
        const norm = Math.sqrt(n0[0] * n0[0] + n0[1] * n0[1] + n0[2] * n0[2]);
        const [X_WA, X_WB] = [samplePose(random, 1), samplePose(random, 1)];
        const turn = (X: Transform, v: ArrayLike<number>): number[] =>
          [0, 1, 2].map((k) => X[3 * k] * v[0] + X[3 * k + 1] * v[1] + X[3 * k + 2] * v[2]);
        const normal = turn(
          X_WA,
          n0.map((x) => x / norm),
        );
        const [u, v] = [random.uniform(0.1, 0.4), random.uniform(0.1, 0.4)];
        const on = turn(
          X_WA,
          [0, 1, 2].map((k) => p[k] + u * e[k] + v * f[k]),
        );
        const down = [0, 1, 2].map((k) => -(X_WB[k] * normal[0] + X_WB[3 + k] * normal[1] + X_WB[6 + k] * normal[2]));
        const tip = turn(X_WB, supportShape([0, 0, 0], B, down));
        const gap = [1, -1, 0][n % 3] * 10 ** random.uniform(-13, -8);
        for (let k = 0; k < 3; k++) X_WB[9 + k] = X_WA[9 + k] + on[k] + gap * normal[k] - tip[k];
        const [a, b] = [createCollider(A), createCollider(B)];
        const r = distance(createDistanceResult(), a, X_WA, b, X_WB);
        const at = `seed 82 case ${n}: ${gap}`;
        expect(Math.abs(r.distance - gap), at).toBeLessThan(4e-15);
        expect(Math.max(...normal.map((x, k) => Math.abs(r.normal[k] - x))), at).toBeLessThan(1e-12);
        a.dispose();
        b.dispose();
      }
    },
  );
});
