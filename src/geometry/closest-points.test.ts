import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import {
  closestPointSegment,
  closestPointTriangle,
  closestSegmentSegment,
  closestSegmentTriangle,
} from './closest-points.js';

const STEPS = 60;

/** Smallest squared distance over a grid of both parameter domains: an upper bound that comes within `slack`. */
function searchSegments(s: Float64Array, t: Float64Array): number {
  let best = Infinity;
  for (let i = 0; i <= STEPS; i++)
    for (let j = 0; j <= STEPS; j++) {
      let d = 0;
      for (let k = 0; k < 3; k++) {
        const a = s[k] + (i / STEPS) * (s[3 + k] - s[k]);
        const b = t[k] + (j / STEPS) * (t[3 + k] - t[k]);
        d += (a - b) ** 2;
      }
      best = Math.min(best, d);
    }
  return Math.sqrt(best);
}

function searchTriangle(p: ArrayLike<number>, v: Float64Array): number {
  let best = Infinity;
  for (let i = 0; i <= STEPS; i++)
    for (let j = 0; i + j <= STEPS; j++) {
      let d = 0;
      for (let k = 0; k < 3; k++) {
        const q = v[k] + (i / STEPS) * (v[3 + k] - v[k]) + (j / STEPS) * (v[6 + k] - v[k]);
        d += (p[k] - q) ** 2;
      }
      best = Math.min(best, d);
    }
  return Math.sqrt(best);
}

describe('closest points', () => {
  it('segments: never above a grid search, within its spacing, and attained (seed 31)', () => {
    const random = createRandom(31);
    const out = new Float64Array(6);
    for (let i = 0; i < 400; i++) {
      const s = Float64Array.from({ length: 6 }, () => random.uniform(-1, 1));
      const t = Float64Array.from({ length: 6 }, () => random.uniform(-1, 1));
      // Parallel, zero-length and touching segments too.
      if (i % 5 === 1) for (let k = 0; k < 3; k++) t[3 + k] = t[k] + 0.7 * (s[3 + k] - s[k]);
      if (i % 5 === 2) for (let k = 0; k < 3; k++) t[3 + k] = t[k];
      if (i % 5 === 3) for (let k = 0; k < 3; k++) t[k] = s[3 + k];
      const d = Math.sqrt(closestSegmentSegment(out, s, 0, t, 0));
      const grid = searchSegments(s, t);
      expect(d, `seed 31 case ${i}`).toBeLessThanOrEqual(grid + 1e-12);
      expect(d, `seed 31 case ${i}`).toBeGreaterThan(grid - 0.1);
      expect(Math.hypot(out[0] - out[3], out[1] - out[4], out[2] - out[5])).toBeCloseTo(d, 12);
    }
  });

  it('point and segment: never above a grid search, within its spacing, and attained (seed 33)', () => {
    const random = createRandom(33);
    const out = new Float64Array(6);
    for (let i = 0; i < 400; i++) {
      const s = Float64Array.from({ length: 6 }, () => random.uniform(-1, 1));
      if (i % 5 === 2) for (let k = 0; k < 3; k++) s[3 + k] = s[k];
      const p = Float64Array.from({ length: 3 }, () => random.uniform(-2, 2));
      if (i % 5 === 3) p.set(s.subarray(3));
      const d = Math.sqrt(closestPointSegment(out, 3, p, 0, s, 0));
      const grid = searchSegments(s, Float64Array.of(...p, ...p));
      expect(d, `seed 33 case ${i}`).toBeLessThanOrEqual(grid + 1e-12);
      expect(d, `seed 33 case ${i}`).toBeGreaterThan(grid - 0.1);
      expect(Math.hypot(out[3] - p[0], out[4] - p[1], out[5] - p[2])).toBeCloseTo(d, 12);
      expect([...out.subarray(0, 3)]).toEqual([0, 0, 0]);
    }
  });

  it('point and triangle, slivers included (seed 32)', () => {
    const random = createRandom(32);
    const out = new Float64Array(3);
    for (let i = 0; i < 400; i++) {
      const v = Float64Array.from({ length: 9 }, () => random.uniform(-1, 1));
      if (i % 4 === 1) for (let k = 0; k < 3; k++) v[6 + k] = 0.3 * v[k] + 0.7 * v[3 + k] + 1e-9 * random.normal();
      if (i % 4 === 2) for (let k = 0; k < 3; k++) v[6 + k] = v[3 + k];
      const p = Float64Array.from({ length: 3 }, () => random.uniform(-1, 1));
      const d = Math.sqrt(closestPointTriangle(out, 0, p, 0, v));
      const grid = searchTriangle(p, v);
      expect(d, `seed 32 case ${i}`).toBeLessThanOrEqual(grid + 1e-12);
      expect(d, `seed 32 case ${i}`).toBeGreaterThan(grid - 0.1);
      expect(searchTriangle(out, v), `seed 32 case ${i}`).toBeLessThan(0.1);
    }
  });

  it('segment and triangle: 0 exactly when they cross, else never above a search (seed 33)', () => {
    const random = createRandom(33);
    const out = new Float64Array(6);
    let crossings = 0;
    for (let i = 0; i < 300; i++) {
      const v = Float64Array.from({ length: 9 }, () => random.uniform(-1, 1));
      const s = Float64Array.from({ length: 6 }, () => random.uniform(-1, 1));
      if (i % 3 === 0) {
        const [a, b] = [random.uniform(0.1, 0.4), random.uniform(0.1, 0.4)];
        for (let k = 0; k < 3; k++) s[3 + k] = 2 * (v[k] + a * (v[3 + k] - v[k]) + b * (v[6 + k] - v[k])) - s[k];
      }
      const d = Math.sqrt(closestSegmentTriangle(out, s, v));
      let grid = Infinity;
      for (let j = 0; j <= STEPS; j++)
        grid = Math.min(
          grid,
          searchTriangle(
            [0, 1, 2].map((k) => s[k] + (j / STEPS) * (s[3 + k] - s[k])),
            v,
          ),
        );
      expect(d, `seed 33 case ${i}`).toBeLessThanOrEqual(grid + 1e-12);
      expect(d, `seed 33 case ${i}`).toBeGreaterThan(grid - 0.15);
      if (i % 3 === 0) expect(d).toBe(0);
      if (d === 0) crossings++;
    }
    expect(crossings).toBeGreaterThanOrEqual(100);
  });
});
