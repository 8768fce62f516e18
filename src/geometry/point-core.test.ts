import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { measurePointToCore } from './point-core.js';
import { sampleDirection, sampleSurface } from './sampling.test-support.js';
import type { Shape } from './shapes.js';
import { supportCore } from './support.js';
import { createSupportCore } from './support-shape.js';

const shapes: Shape[] = [
  { type: 'box', size: [1, 0.4, 0.7] },
  { type: 'cylinder', radius: 0.5, length: 0.9 },
  { type: 'cone', radius: 0.6, length: 1.2 },
  { type: 'ellipsoid', semiAxes: [0.9, 0.3, 0.5] },
  { type: 'ellipsoid', semiAxes: [0.5, 0.5, 0.5] },
  { type: 'ellipsoid', semiAxes: [1, 0.001, 1] },
];

describe.each(shapes)('measurePointToCore: $type', (shape) => {
  const core = createSupportCore(shape);
  const surface = new Float64Array(6);
  const tip = new Float64Array(3);

  it('outside: the plane through the closest point supports the shape, which proves it closest (seed 21)', () => {
    const random = createRandom(21);
    let outside = 0;
    for (let i = 0; i < 400; i++) {
      const p = Float64Array.from(sampleDirection(random), (x) => x * random.uniform(0, 3));
      const d = measurePointToCore(surface, core, p);
      expect(Math.hypot(surface[3], surface[4], surface[5])).toBeCloseTo(1, 12);
      for (let k = 0; k < 3; k++) expect(p[k]).toBeCloseTo(surface[k] + d * surface[3 + k], 11);
      supportCore(tip, core, surface[3], surface[4], surface[5]);
      const reach = tip[0] * surface[3] + tip[1] * surface[4] + tip[2] * surface[5];
      const own = surface[0] * surface[3] + surface[1] * surface[4] + surface[2] * surface[5];
      expect(own).toBeCloseTo(reach, 11);
      if (d > 0) outside++;
    }
    expect(outside).toBeGreaterThan(100);
  });

  it('inside: no surface point is nearer (seed 22)', () => {
    const random = createRandom(22);
    const samples = sampleSurface(shape, 20000, random);
    let inside = 0;
    for (let i = 0; i < 60; i++) {
      const s = 3 * random.integer(samples.length / 3);
      const t = random.uniform(0, 0.999);
      const p = Float64Array.of(t * samples[s], t * samples[s + 1], t * samples[s + 2]);
      const d = measurePointToCore(surface, core, p);
      expect(d).toBeLessThanOrEqual(0);
      inside++;
      let nearest = Infinity;
      for (let k = 0; k < samples.length; k += 3)
        nearest = Math.min(
          nearest,
          (samples[k] - p[0]) ** 2 + (samples[k + 1] - p[1]) ** 2 + (samples[k + 2] - p[2]) ** 2,
        );
      expect(Math.sqrt(nearest)).toBeGreaterThan(-d - 1e-12);
    }
    expect(inside).toBe(60);
  });
});

describe('special points', () => {
  it('centre, axis and focal plane have an answer', () => {
    const surface = new Float64Array(6);
    const flat = createSupportCore({ type: 'ellipsoid', semiAxes: [3, 2, 1] });
    expect(measurePointToCore(surface, flat, Float64Array.of(0, 0, 0))).toBeCloseTo(-1, 14);
    // On the major axis inside the focal distance the nearest points leave the axis: x = a^2 p / (a^2 - c^2).
    const d = measurePointToCore(surface, flat, Float64Array.of(1, 0, 0));
    expect(surface[0]).toBeCloseTo(9 / 8, 14);
    expect(d).toBeCloseTo(-Math.hypot(1 / 8, Math.sqrt(1 - 9 / 64)), 14);
    expect(measurePointToCore(surface, flat, Float64Array.of(1, 0, 1e-300))).toBeCloseTo(d, 14);
    const can = createSupportCore({ type: 'cylinder', radius: 0.5, length: 4 });
    expect(measurePointToCore(surface, can, Float64Array.of(0, 0, 0.3))).toBe(-0.5);
    const cone = createSupportCore({ type: 'cone', radius: 1, length: 2 });
    expect(measurePointToCore(surface, cone, Float64Array.of(0, 0, 1))).toBeCloseTo(0, 15);
    expect(measurePointToCore(surface, cone, Float64Array.of(0, 0, 4))).toBe(3);
    expect([...surface].every(Number.isFinite)).toBe(true);
  });
});
