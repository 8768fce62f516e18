import { describe, expect, it } from 'vitest';
import { createBoxMesh, samplePose, sampleShape, shapeTypes } from '../../../test/sample-shapes.js';
import { createRandom } from '../../math/random.js';
import type { PlacedShape } from '../sphere-proof/parts.js';
import { verifySpheres } from '../sphere-proof/verify-spheres.js';
import { coverByLattice } from './lattice-cover.js';
import { ShapeField } from './shape-field.js';

/** A point on a sphere of a list of them. */
function drawOnSpheres(spheres: Float64Array, random: ReturnType<typeof createRandom>): [number, number, number] {
  const i = 4 * random.integer(spheres.length / 4);
  const u = [random.normal(), random.normal(), random.normal()];
  const length = Math.sqrt(u[0] ** 2 + u[1] ** 2 + u[2] ** 2);
  return [0, 1, 2].map((k) => spheres[i + k] + (spheres[i + 3] * u[k]) / length) as [number, number, number];
}

describe('coverByLattice', () => {
  const samples: [string, PlacedShape[]][] = [];
  for (const type of shapeTypes) {
    if (type === 'halfspace' || type === 'support') continue;
    const random = createRandom(3);
    const placement = samplePose(random, 0.5);
    samples.push([type, [{ shape: sampleShape(random, type), placement }]]);
  }
  samples.push([
    'a mesh and a rod',
    [
      { shape: { type: 'mesh', mesh: createBoxMesh([0.1, 0.2, 0.3]) } },
      { shape: { type: 'cylinder', radius: 0.03, length: 0.5 }, placement: samplePose(createRandom(9), 0.1) },
    ],
  ]);

  it.each(samples)(
    'contains a %s by the verifier, sticks out by at most what it says, is inside inside',
    (_, shapes) => {
      const found = coverByLattice(shapes);
      expect(found).not.toBeNull();
      const { outer, inner, excess } = found!;
      expect(verifySpheres(shapes, Array.from(outer), {}).proven).toBe(true);
      const field = new ShapeField(shapes);
      const random = createRandom(5);
      for (let k = 0; k < 500; k++) {
        expect(field.distance(...drawOnSpheres(outer, random))).toBeLessThanOrEqual(excess + 1e-8);
        if (inner.length > 0) expect(field.distance(...drawOnSpheres(inner, random))).toBeLessThanOrEqual(1e-9);
      }
    },
  );

  it('has no spheres inside a surface, and does not take what has no bounds', () => {
    const mesh = createBoxMesh([0.1, 0.1, 0.1]);
    expect(coverByLattice([{ shape: { type: 'mesh', mesh, mode: 'surface' } }])!.inner.length).toBe(0);
    expect(coverByLattice([{ shape: { type: 'halfspace', normal: [0, 0, 1], offset: 0 } }])).toBeNull();
  });
});
