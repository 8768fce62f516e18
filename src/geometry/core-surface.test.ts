import { describe, expect, it } from 'vitest';
import { addConvexSamples } from '../../test/sample-shapes.js';
import { boundShape } from './aabb.js';
import { boundPoints } from './bounds.js';
import { meshCore } from './core-surface.js';
import { computeMassProperties } from './mass-properties.js';
import { IDENTITY_POSE } from './sampling.test-support.js';
import { createSupportCore } from './support-shape.js';

describe('meshCore', () => {
  it.each(addConvexSamples([]))('$type: is the shape, more so with more segments', (shape) => {
    const core = createSupportCore(shape);
    const exact = computeMassProperties(shape, 1);
    const errors = [24, 96].map((segments) => {
      const mesh = meshCore(core, segments);
      const got = computeMassProperties({ type: 'mesh', mesh }, 1);
      const bounds = boundPoints(new Float64Array(6), mesh.vertices);
      const wanted = boundShape(new Float64Array(6), shape, IDENTITY_POSE);
      for (let k = 0; k < 6; k++) expect(bounds[k]).toBeCloseTo(wanted[k], 5);
      for (let k = 0; k < 3; k++) expect(got.centerOfMass[k]).toBeCloseTo(exact.centerOfMass[k], 2);
      return [
        Math.abs(got.volume / exact.volume - 1),
        ...[0, 4, 8].map((k) => Math.abs(got.inertia[k] / exact.inertia[k] - 1)),
      ];
    });
    // The error of chords falls with the square of their number.
    errors[0].forEach((coarse, k) => {
      expect(coarse).toBeLessThan(0.08);
      expect(errors[1][k]).toBeLessThan(Math.max(0.1 * coarse, 1e-9));
    });
  });
});
