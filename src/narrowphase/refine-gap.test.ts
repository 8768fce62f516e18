/**
 * Gaps of polytopes so short beside their size that doubles turn their direction: slivers, boxes and hulls, sizes up to 1e4 times as
 * large as each other's, brought from afar to a gap they were given, which is known to the rounding of the coordinates.
 */
import { describe, it } from 'vitest';
import { expect } from '../../test/support/quick-expect.js';
import type { Shape } from '../geometry/shapes.js';
import { createRandom, type Random } from '../math/random.js';
import { poseToTransform, type Transform } from '../math/transform.js';
import { type Collider, createCollider } from './collider.js';
import { distance } from './distance.js';
import { createDistanceResult, type DistanceResult } from './query.js';
import { isWithin } from './tolerance.js';

const result = createDistanceResult();

function samplePolytope(random: Random, size: number): Shape {
  const coordinate = (): number => size * random.uniform(-1, 1);
  const points = Float64Array.from({ length: 3 * (3 + random.integer(12)) }, coordinate);
  switch (random.integer(5)) {
    case 0:
      return { type: 'box', size: [0, 0, 0].map(() => size * 10 ** random.uniform(-3, 0)) as [number, number, number] };
    case 1:
      return { type: 'convex', points };
    default: {
      // A triangle whose third corner is next to its first, or next to the line of the other two.
      const width = 10 ** random.uniform(-12, -1);
      const along = random.integer(2) * random.uniform(0, 1);
      const p = points.slice(0, 9);
      for (let k = 0; k < 3; k++) p[6 + k] = p[k] + along * (p[3 + k] - p[k]) + width * coordinate();
      return { type: 'convex', points: p };
    }
  }
}

function samplePose(random: Random, away: number): Transform {
  const numbers = Array.from({ length: 7 }, (_, i) => random.normal() * (i < 3 ? away : 1));
  return poseToTransform(new Float64Array(12), numbers);
}

/** Turned a little from X, so that faces that were parallel are nearly so. */
function tilt(X: Transform, random: Random): Transform {
  const angle = 10 ** random.uniform(-10, -6);
  const c = 1 / Math.sqrt(1 + angle * angle);
  const Y = X.slice();
  for (let k = 0; k < 9; k += 3) {
    Y[k] = c * (X[k] - angle * X[k + 2]);
    Y[k + 2] = c * (X[k + 2] + angle * X[k]);
  }
  return Y;
}

/** The pair apart, asked both ways. */
function check(a: Collider, X_WA: Transform, b: Collider, X_WB: Transform, gap: number, off: number, at: string): void {
  const both: DistanceResult[] = [distance(createDistanceResult(), a, X_WA, b, X_WB, { depth: false })];
  both.push(distance(createDistanceResult(), b, X_WB, a, X_WA, { depth: false }));
  for (const r of both) {
    expect(r.status, at).toBe('ok');
    expect(Math.abs(r.distance - gap), at).toBeLessThan(off);
    expect(Math.abs(Math.hypot(...r.normal) - 1), at).toBeLessThan(1e-12);
  }
  expect(isWithin(a, X_WA, b, X_WB, gap + off), at).toBe(true);
  expect(isWithin(b, X_WB, a, X_WA, gap + off), at).toBe(true);
}

describe('short gaps of polytopes', () => {
  it.each([0, 1, 2, 4])('sizes 1e%i apart: the gap that they were given (seed 5)', (orders) => {
    const random = createRandom(5 + orders);
    for (let i = 0; i < 4000; i++) {
      const scale = 10 ** random.uniform(-4, 4);
      const [small, large] = [scale, scale * 10 ** (orders * random.uniform(0.5, 1))];
      const a = createCollider(samplePolytope(random, i % 2 ? small : large));
      const b = createCollider(samplePolytope(random, i % 2 ? large : small));
      const size = a.boundingRadius + b.boundingRadius;
      const X_WA = samplePose(random, size);
      const X_WB = random.integer(3) === 0 ? tilt(X_WA, random) : samplePose(random, 0);
      for (let k = 0; k < 3; k++) X_WB[9 + k] = X_WA[9 + k] + 2 * size * random.normal();
      distance(result, a, X_WA, b, X_WB, { depth: false });
      if (result.status !== 'ok' || !(result.distance > 0.01 * size)) continue;
      const gap = size * 10 ** random.uniform(-11, -4);
      for (let k = 0; k < 3; k++) X_WB[9 + k] += (gap - result.distance) * result.normal[k];
      const coordinates = Math.max(...[9, 10, 11].map((k) => Math.max(Math.abs(X_WA[k]), Math.abs(X_WB[k]))));
      const at = `case ${i} of ${orders}: ${a.type}-${b.type}, ${gap / size}`;
      check(a, X_WA, b, X_WB, gap, 2e-14 * (size + coordinates), at);
      a.dispose();
      b.dispose();
    }
  });
});
