/** Overlaps of meshes and shapes of parts without the search for their depth: the verdict, a point of both, little work. */
import { describe, it } from 'vitest';
import { partShapeTypes, samplePose, sampleShape, shapeTypes } from '../../test/sample-shapes.js';
import { expect } from '../../test/support/quick-expect.js';
import { createKnotMesh } from '../../test/support/solid-meshes.js';
import type { Shape } from '../geometry/shapes.js';
import { createRandom } from '../math/random.js';
import { createTransform, poseToTransform, type Transform } from '../math/transform.js';
import { castPair, createCastResult } from './cast.js';
import { collide } from './collide.js';
import { type Collider, createCollider } from './collider.js';
import { distance } from './distance.js';
import { createDistanceResult, createQueryStats } from './query.js';
import { isWithin } from './tolerance.js';

const X = createTransform();
const kinds = [...shapeTypes, ...partShapeTypes];
const dot = createCollider({ type: 'convex', points: new Float64Array(3) });

function holds(collider: Collider, X_WC: Transform, p: ArrayLike<number>, bound: number): boolean {
  const X_WP = poseToTransform(new Float64Array(12), [p[0], p[1], p[2], 0, 0, 0, 1]);
  return isWithin(collider, X_WC, dot, X_WP, bound, { tolerance: 0 });
}

function createBalls(count: number): Shape {
  const random = createRandom(3);
  return {
    type: 'points',
    radius: 0.3,
    points: Float64Array.from({ length: 3 * count }, () => random.uniform(-0.5, 0.5)),
  };
}

describe('distance without depth', () => {
  it.each([20, 50])('%i balls overlapping a mesh of 120 triangles: a few hundred tests, not a search', (count) => {
    const mesh = createCollider({ type: 'mesh', mesh: createKnotMesh(10, 6) });
    const balls = createCollider(createBalls(count));
    const Y = poseToTransform(new Float64Array(12), [0.1, 0.05, 0, 0, 0, 0, 1]);
    const stats = createQueryStats();
    const r = distance(createDistanceResult(), balls, X, mesh, Y, { depth: false, stats });
    expect(r).toMatchObject({ status: 'collides', collides: true, distance: 0 });
    expect(stats.nodeTests + stats.primitiveTests + stats.iterations).toBeLessThan(1500);
    const whole = distance(createDistanceResult(), balls, X, mesh, Y);
    expect(whole.distance).toBeLessThan(-0.1);
    const motion = { a0: X, a1: poseToTransform(new Float64Array(12), [1, 0, 0, 0, 0, 0, 1]), b0: Y, b1: Y };
    const castStats = createQueryStats();
    expect(castPair(createCastResult(), balls, mesh, motion, { stats: castStats })).toMatchObject({
      hit: true,
      time: 0,
      depthAtStart: 0,
    });
    expect(castStats.nodeTests + castStats.primitiveTests + castStats.iterations).toBeLessThan(1500);
    const searched = castPair(createCastResult(), balls, mesh, motion, { depth: true });
    expect(searched.depthAtStart).toBe(-whole.distance);
  });

  it.each(kinds)('%s against every kind: as with it, but for the depth, and a point of both (seed 91)', (kind) => {
    let overlaps = 0;
    for (const other of kinds) {
      if (kind === 'halfspace' && other === 'halfspace') continue;
      const random = createRandom(91);
      for (let i = 0; i < 8; i++) {
        const [a, b] = [createCollider(sampleShape(random, kind)), createCollider(sampleShape(random, other))];
        const [X_WA, X_WB] = [samplePose(random, 0.6), samplePose(random, 0.6)];
        const r = distance(createDistanceResult(), a, X_WA, b, X_WB, { depth: false });
        const at = `seed 91 ${other} case ${i}: ${r.status}`;
        expect(r.collides, at).toBe(collide(a, X_WA, b, X_WB));
        if (r.status === 'collides') {
          overlaps++;
          expect(r.distance, at).toBe(0);
          // The last digits of curved shapes come from formulas, which a user's own has not.
          const bound = kind === 'support' || other === 'support' ? 1e-8 : 1e-13;
          expect(holds(a, X_WA, r.pointA, bound), at).toBe(true);
          expect(holds(b, X_WB, r.pointB, bound), at).toBe(true);
          expect(Math.hypot(...r.normal), at).toBeCloseTo(1, 12);
        } else {
          const whole = distance(createDistanceResult(), a, X_WA, b, X_WB);
          expect(Math.abs(r.distance - whole.distance), at).toBeLessThan(1e-12);
        }
        a.dispose();
        b.dispose();
      }
    }
    const isSearched = partShapeTypes.includes(kind) || kind === 'mesh';
    expect(overlaps).toBeGreaterThan(isSearched ? 20 : kind === 'halfspace' ? -1 : 5);
  });
});
