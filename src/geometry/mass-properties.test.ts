import { describe, expect, it } from 'vitest';
import { addConvexSamples } from '../../test/sample-shapes.js';
import { createRandom } from '../math/random.js';
import { buildConvexHull } from './hull.js';
import { computeMassProperties } from './mass-properties.js';
import { hasClosedForm, measurePointToCore } from './point-core.js';
import type { Shape } from './shapes.js';
import { createSupportCore } from './support-shape.js';

const shapes = addConvexSamples([
  { type: 'sphere', radius: 0.7 },
  { type: 'capsule', radius: 0.3, length: 0.8 },
  { type: 'box', size: [1, 0.5, 0.8] },
  { type: 'cylinder', radius: 0.5, length: 0.9 },
  { type: 'cone', radius: 0.6, length: 1.2 },
  { type: 'ellipsoid', semiAxes: [0.7, 0.4, 0.5] },
]).filter((shape) => hasClosedForm(createSupportCore(shape)));

describe('computeMassProperties', () => {
  it.each(shapes)('$type: closed form agrees with counting grid cells', (shape) => {
    const core = createSupportCore(shape);
    const n = 64;
    const surface = new Float64Array(6);
    const p = new Float64Array(3);
    let cells = 0;
    const first = [0, 0, 0];
    const second = [0, 0, 0];
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++)
        for (let k = 0; k < n; k++) {
          p[0] = (2 * (i + 0.5)) / n - 1;
          p[1] = (2 * (j + 0.5)) / n - 1;
          p[2] = (2 * (k + 0.5)) / n - 1;
          if (measurePointToCore(surface, core, p) - core.radius > 0) continue;
          cells++;
          for (let m = 0; m < 3; m++) {
            first[m] += p[m];
            second[m] += p[m] * p[m];
          }
        }
    const got = computeMassProperties(shape, 3);
    const volume = cells * (2 / n) ** 3;
    expect(Math.abs(got.volume / volume - 1)).toBeLessThan(0.03);
    expect(got.mass).toBeCloseTo(3 * got.volume, 12);
    const spread = second.map((s, m) => s / cells - (first[m] / cells) ** 2);
    for (let m = 0; m < 3; m++) {
      expect(Math.abs(got.centerOfMass[m] - first[m] / cells)).toBeLessThan(0.01);
      const moment = got.mass * (spread[(m + 1) % 3] + spread[(m + 2) % 3]);
      expect(Math.abs(got.inertia[4 * m] / moment - 1)).toBeLessThan(0.05);
    }
  });

  it("a box as a hull or mesh, moved far away, has the box's properties about its own centre", () => {
    const box = computeMassProperties({ type: 'box', size: [1, 2, 3] }, 2);
    const points: number[] = [];
    for (let i = 0; i < 8; i++) points.push(100 + (i & 1), -50 + 2 * ((i >> 1) & 1), 7 + 3 * (i >> 2));
    for (const shape of [
      { type: 'convex', points: Float64Array.from(points) },
      { type: 'mesh', mesh: buildConvexHull(points) },
    ] satisfies Shape[]) {
      const got = computeMassProperties(shape, 2);
      expect(got.volume).toBeCloseTo(6, 12);
      expect(Array.from(got.centerOfMass)).toEqual([100.5, -49, 8.5].map((x) => expect.closeTo(x, 11)));
      for (let k = 0; k < 9; k++) expect(got.inertia[k]).toBeCloseTo(box.inertia[k], 10);
    }
  });

  it('products of inertia follow the tensor law under rotation', () => {
    const random = createRandom(41);
    const points = Float64Array.from({ length: 60 }, () => random.uniform(-1, 1));
    const got = computeMassProperties({ type: 'convex', points }, 1);
    // A quarter turn about z: x -> y, y -> -x.
    const turned = Float64Array.from(points);
    for (let i = 0; i < points.length; i += 3) {
      turned[i] = -points[i + 1];
      turned[i + 1] = points[i];
    }
    const other = computeMassProperties({ type: 'convex', points: turned }, 1);
    expect(other.inertia[0]).toBeCloseTo(got.inertia[4], 12);
    expect(other.inertia[1]).toBeCloseTo(-got.inertia[1], 12);
    expect(other.inertia[2]).toBeCloseTo(-got.inertia[5], 12);
    expect(got.inertia[1]).toBe(got.inertia[3]);
    expect(Math.abs(got.inertia[1])).toBeGreaterThan(1e-3);
  });

  it('refuses half-spaces and negative densities', () => {
    expect(() => computeMassProperties({ type: 'halfspace', normal: [0, 0, 1], offset: 0 }, 1)).toThrow(/halfspace/);
    expect(() => computeMassProperties(shapes[0], -1)).toThrow(/density/);
  });
});
