import { describe, expect, it } from 'vitest';
import type { Shape } from '../geometry/shapes.js';
import { createRandom } from '../math/random.js';
import { poseToTransform } from '../math/transform.js';
import { collide } from './collide.js';
import { createCollider } from './collider.js';
import { distance } from './distance.js';
import { createPairCache } from './pair-cache.js';
import { createDistanceResult, createQueryStats } from './query.js';
import { isWithin } from './tolerance.js';

const random = createRandom(81);
const hull = Float64Array.from({ length: 3 * 80 }, () => random.normal());
const shapes: Shape[] = [
  { type: 'capsule', radius: 0.3, length: 1 },
  { type: 'box', size: [1, 0.6, 0.8] },
  { type: 'cylinder', radius: 0.5, length: 1 },
  { type: 'cone', radius: 0.5, length: 1 },
  { type: 'ellipsoid', semiAxes: [0.4, 0.7, 0.5] },
  { type: 'convex', points: hull },
];
const still = poseToTransform(new Float64Array(12), [0, 0, 0, 0, 0, 0, 1]);

/** A slow pass of B by A, through it and out, turning. */
function poseAt(step: number): Float64Array {
  const t = step / 200;
  return poseToTransform(new Float64Array(12), [3 - 6 * t, 0.2 + t, 0.1 - 0.3 * t, 0.2, t, 0.3 * t, 1]);
}

describe('pair cache', () => {
  it('gives the cold answers along a motion, in fewer rounds', () => {
    const warm = createDistanceResult();
    const cold = createDistanceResult();
    const [warmStats, coldStats] = [createQueryStats(), createQueryStats()];
    for (const A of shapes)
      for (const B of shapes) {
        const [a, b, cache] = [createCollider(A), createCollider(B), createPairCache()];
        for (let step = 0; step <= 200; step++) {
          const X = poseAt(step);
          distance(cold, a, still, b, X, { stats: coldStats });
          distance(warm, a, still, b, X, { stats: warmStats, cache });
          const where = `${A.type}-${B.type} step ${step}`;
          expect(Math.abs(warm.distance - cold.distance), where).toBeLessThanOrEqual(1e-12);
          expect(warm.collides, where).toBe(cold.collides);
          expect(warm.status, where).toBe('ok');
          if (Math.abs(cold.distance) < 1e-9) continue;
          expect(collide(a, still, b, X, { cache }), where).toBe(cold.collides);
          expect(isWithin(a, still, b, X, 0.5, { cache }), where).toBe(cold.distance <= 0.5);
        }
      }
    expect(warmStats.iterations).toBeLessThan(0.8 * coldStats.iterations);
  });

  it('is of no consequence for other shapes, and forgets when told', () => {
    const [a, b] = [createCollider(shapes[2]), createCollider(shapes[5])];
    const c = createCollider({ type: 'cylinder', radius: 0.1, length: 0.1 });
    const cache = createPairCache();
    const result = createDistanceResult();
    distance(result, a, still, b, poseAt(0), { cache });
    expect(cache.count).toBeGreaterThan(0);
    const alone = distance(createDistanceResult(), c, still, b, poseAt(0)).distance;
    expect(distance(result, c, still, b, poseAt(0), { cache }).distance).toBeCloseTo(alone, 13);
    cache.reset();
    expect(cache.count).toBe(0);
    expect(distance(result, c, still, b, poseAt(0), { cache }).distance).toBeCloseTo(alone, 13);
  });
});
