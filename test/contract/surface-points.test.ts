/**
 * Surface-mode meshes against every kind: an overlap has distance 0, or a half-space its exact depth, and both points lie on
 * both shapes; apart each point lies on its own.
 */
import { describe, it } from 'vitest';
import type { Shape } from '../../src/geometry/shapes.js';
import type { TriangleMesh } from '../../src/geometry/triangle-mesh.js';
import { createRandom, type Random } from '../../src/math/random.js';
import { poseToTransform, type Transform } from '../../src/math/transform.js';
import { collide } from '../../src/narrowphase/collide.js';
import { type Collider, createCollider } from '../../src/narrowphase/collider.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult } from '../../src/narrowphase/query.js';
import { isWithin } from '../../src/narrowphase/tolerance.js';
import {
  createBoxMesh,
  partShapeTypes,
  sampleHullMesh,
  samplePose,
  sampleShape,
  shapeTypes,
} from '../sample-shapes.js';
import { expect } from '../support/quick-expect.js';
import { createKnotMesh } from '../support/solid-meshes.js';

function createSquare(half: number): TriangleMesh {
  const vertices = [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0].map((x) => half * x);
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.of(0, 1, 2, 0, 2, 3) };
}

function sampleSurface(random: Random, i: number): Shape {
  const meshes = [createSquare(2), sampleHullMesh(random), createKnotMesh(12, 5), createBoxMesh([1, 0.5, 0.3])];
  return { type: 'mesh', mode: 'surface', mesh: meshes[i % meshes.length] };
}

const extraKinds = ['field without a floor', 'closed knot', 'surface', 'compound of a surface and a ball'] as const;
const kinds = [...shapeTypes.filter((type) => type !== 'mesh'), ...partShapeTypes, ...extraKinds];

function sampleKind(random: Random, kind: (typeof kinds)[number], i: number): Shape {
  switch (kind) {
    case 'field without a floor':
      return { ...sampleShape(random, 'heightfield'), floor: undefined } as Shape;
    case 'closed knot':
      return { type: 'mesh', mesh: createKnotMesh(12, 4) };
    case 'surface':
      return sampleSurface(random, i + 1);
    case 'compound of a surface and a ball':
      return {
        type: 'compound',
        children: [
          { shape: { type: 'mesh', mesh: createSquare(0.5), mode: 'surface' } },
          { shape: { type: 'sphere', radius: 0.2 }, pose: [0.5, 0.5, 0.5, 0, 0, 0, 1] },
        ],
      };
    default:
      return sampleShape(random, kind);
  }
}

const dot = createCollider({ type: 'convex', points: new Float64Array(3) });

/** Whether a point lies on or in a shape, to rounding. */
function holds(collider: Collider, X: Transform, p: ArrayLike<number>, rounding = 1e-13): boolean {
  const X_WP = poseToTransform(new Float64Array(12), [p[0], p[1], p[2], 0, 0, 0, 1]);
  return isWithin(collider, X, dot, X_WP, rounding, { tolerance: 0 });
}

describe('points of surface-mode meshes', () => {
  it('a ball through a square: distance 0 at a point of both', () => {
    const X = poseToTransform(new Float64Array(12), [0, 0, 0, 0, 0, 0, 1]);
    const Y = poseToTransform(new Float64Array(12), [0.3, 0.2, 0.3, 0, 0, 0, 1]);
    const square = createCollider({ type: 'mesh', mesh: createSquare(5), mode: 'surface' });
    const ball = createCollider({ type: 'sphere', radius: 0.5 });
    const r = distance(createDistanceResult(), square, X, ball, Y);
    expect(r).toMatchObject({ status: 'depth-bound', distance: 0, collides: true });
    [0.3, 0.2, 0].forEach((x, k) => {
      expect(r.pointA[k]).toBeCloseTo(x, 14);
      expect(r.pointB[k]).toBe(r.pointA[k]);
    });
  });

  it.each(kinds)('%s: points on the shapes, in both orders (seed 31)', (kind) => {
    const random = createRandom(31);
    // GJK on a user's curved support ends where its steps no longer gain: no closed form sharpens its points.
    const rounding = kind === 'support' ? 1e-8 : 1e-13;
    let hits = 0;
    for (let i = 0; i < 80; i++) {
      const [a, b] = [createCollider(sampleKind(random, kind, i)), createCollider(sampleSurface(random, i))];
      const [X, Y] = [samplePose(random, 0.6), samplePose(random, 0.6)];
      const there = distance(createDistanceResult(), a, X, b, Y);
      const back = distance(createDistanceResult(), b, Y, a, X);
      const at = `seed 31 case ${i}`;
      expect(there.collides, at).toBe(collide(a, X, b, Y));
      expect(Math.abs(there.distance - back.distance), at).toBeLessThan(1e-12);
      if (there.collides) hits++;
      if (there.collides && kind !== 'halfspace') expect(there.distance, at).toBe(0);
      for (const [r, p, q] of [
        [there, there.pointA, there.pointB],
        [back, back.pointB, back.pointA],
      ] as const) {
        // Of a half-space: points are on its plane where the distance is right.
        if (kind !== 'halfspace') expect(holds(a, X, p, rounding), at).toBe(true);
        expect(holds(b, Y, q, rounding), at).toBe(true);
        for (let k = 0; k < 3; k++)
          expect(Math.abs(r.pointB[k] - r.pointA[k] - r.distance * r.normal[k]), at).toBeLessThan(1e-13);
      }
      a.dispose();
      b.dispose();
    }
    expect(hits).toBeGreaterThan(10);
  });
});
