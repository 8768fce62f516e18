import { describe, expect, it } from 'vitest';
import { addConvexSamples } from '../../test/sample-shapes.js';
import { createRandom } from '../math/random.js';
import { boundShape } from './aabb.js';
import { transformBounds } from './bounds.js';
import { IDENTITY_POSE, sampleDirection, sampleSurface, sampleTransform } from './sampling.test-support.js';
import type { Shape } from './shapes.js';
import { supportCore } from './support.js';
import { createSupportCore, supportShape } from './support-shape.js';

const shapes = addConvexSamples([
  { type: 'sphere', radius: 0.7 },
  { type: 'capsule', radius: 0.3, length: 1.1 },
  { type: 'box', size: [1, 0.4, 0.7] },
  { type: 'cylinder', radius: 0.5, length: 0.9 },
  { type: 'cone', radius: 0.6, length: 1.2 },
  { type: 'ellipsoid', semiAxes: [0.9, 0.3, 0.5] },
  { type: 'convex', points: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.1, 0.1, 0.1) },
]);

describe.each(shapes)('$type', (shape) => {
  it('support: no surface point lies farther, and the value is attained in the limit', () => {
    const random = createRandom(11);
    const surface = sampleSurface(shape, 4000, random);
    const tip = new Float64Array(3);
    for (let i = 0; i < 100; i++) {
      const d = sampleDirection(random);
      supportShape(tip, shape, d);
      const value = tip[0] * d[0] + tip[1] * d[1] + tip[2] * d[2];
      let most = -Infinity;
      for (let k = 0; k < surface.length; k += 3)
        most = Math.max(most, surface[k] * d[0] + surface[k + 1] * d[1] + surface[k + 2] * d[2]);
      expect(most).toBeLessThanOrEqual(value + 1e-12);
      expect(most).toBeGreaterThan(value - 0.08);
    }
  });

  it('bounds: tight along every world axis, by the support mapping', () => {
    const random = createRandom(12);
    const bounds = new Float64Array(6);
    const tip = new Float64Array(3);
    for (let i = 0; i < 50; i++) {
      const X = sampleTransform(random);
      boundShape(bounds, shape, X);
      for (let k = 0; k < 3; k++)
        for (const sign of [1, -1]) {
          const d = [sign * X[3 * k], sign * X[3 * k + 1], sign * X[3 * k + 2]];
          supportShape(tip, shape, d);
          const reach = d[0] * tip[0] + d[1] * tip[1] + d[2] * tip[2] + sign * X[9 + k];
          expect(sign > 0 ? bounds[3 + k] : -bounds[k]).toBeCloseTo(reach, 12);
        }
      const local = boundShape(new Float64Array(6), shape, IDENTITY_POSE);
      const loose = transformBounds(local, local, X);
      for (let k = 0; k < 3; k++) {
        expect(loose[k]).toBeLessThanOrEqual(bounds[k] + 1e-12);
        expect(loose[3 + k]).toBeGreaterThanOrEqual(bounds[3 + k] - 1e-12);
      }
    }
  });
});

describe('large hulls', () => {
  it('find the same vertex value by the map as by a scan, flat hulls and directions along cell borders too', () => {
    const random = createRandom(13);
    const round = Float64Array.from(Array.from({ length: 500 }, () => sampleDirection(random)).flat());
    const needle = round.map((x, i) => (i % 3 === 0 ? 100 * x : 1e-3 * x));
    const disc = Float64Array.from({ length: 90 }, (_, i) =>
      i % 3 === 2 ? 0 : Math.sin(i - (i % 3) + (i % 3) * 1.5708),
    );
    const tip = new Float64Array(3);
    for (const points of [round, needle, disc]) {
      const core = createSupportCore({ type: 'convex', points });
      expect(core.map).not.toBe(null);
      for (let i = 0; i < 500; i++) {
        const d = sampleDirection(random);
        if (i % 5 === 0) d[i % 3] = 0;
        if (i % 7 === 0) d[i % 3] = d[(i + 1) % 3];
        supportCore(tip, core, d[0], d[1], d[2]);
        let most = -Infinity;
        for (let k = 0; k < points.length; k += 3)
          most = Math.max(most, points[k] * d[0] + points[k + 1] * d[1] + points[k + 2] * d[2]);
        expect(Math.abs(tip[0] * d[0] + tip[1] * d[1] + tip[2] * d[2] - most)).toBeLessThanOrEqual(1e-13 * most);
      }
    }
  });
});

describe('misuse', () => {
  it('is refused by name', () => {
    expect(() => supportShape([0, 0, 0], { type: 'sphere', radius: -1 }, [1, 0, 0])).toThrow(/radius, got -1/);
    expect(() => supportShape([0, 0, 0], { type: 'sphere', radius: Number.NaN }, [1, 0, 0])).toThrow(/got NaN/);
    expect(() => supportShape([0, 0, 0], { type: 'box', size: [1, 0, 1] }, [1, 0, 0])).toThrow(/size\[1\]/);
    expect(() => supportShape([0, 0, 0], { type: 'sphere', radius: 1 }, [0, 0, 0])).toThrow(/direction/);
    // Sizes outside the range.
    for (const s of [1e-300, 1e-16, 1e16, 1e300])
      for (const shape of [
        { type: 'box', size: [1, s, 1] },
        { type: 'capsule', radius: 1, length: s },
        { type: 'ellipsoid', semiAxes: [1, 1, s] },
      ] as const)
        expect(() => createSupportCore(shape)).toThrow(/from 1e-15 to 1000000000000000/);
    expect(() => createSupportCore({ type: 'convex', points: Float64Array.of(0, 0, 1e300) })).toThrow(/points\[2\]/);
    expect(() => createSupportCore({ type: 'halfspace', normal: [0, 0, 1], offset: 0 })).toThrow(/halfspace/);
    expect(() => createSupportCore({ type: 'convex', points: new Float64Array(0) })).toThrow(/points/);
    expect(() => createSupportCore({ type: 'nothing' } as unknown as Shape)).toThrow(/type, got "nothing"/);
  });
});
