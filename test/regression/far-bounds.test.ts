/** Margins, tolerances and cast tolerances beyond every distance: the same verdict for every pair, and no exception. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/math/random.js';
import { createTransform, poseToTransform } from '../../src/math/transform.js';
import { castPair, createCastResult } from '../../src/narrowphase/cast.js';
import { collide } from '../../src/narrowphase/collide.js';
import { createCollider } from '../../src/narrowphase/collider.js';
import { computeContacts, createContacts } from '../../src/narrowphase/contacts.js';
import { isWithin } from '../../src/narrowphase/tolerance.js';
import { partShapeTypes, sampleShape, shapeTypes } from '../sample-shapes.js';

const bounds = [1e6, 1e100, 1e160, Number.MAX_VALUE, Infinity];
const kinds = [...shapeTypes.filter((type) => type !== 'halfspace'), ...partShapeTypes];

describe('bounds beyond every distance', () => {
  const random = createRandom(91);
  const shapes = kinds.map((type) => sampleShape(random, type));
  const X = createTransform();
  const Y = poseToTransform(createTransform(), [6, 0.2, 0.1, 0, 0, 0, 1]);
  it.each(kinds.map((kind, i) => [kind, i] as const))('%s against every kind (seed 91)', (_, i) => {
    for (let j = i; j < kinds.length; j++) {
      const [a, b] = [createCollider(shapes[i]), createCollider(shapes[j])];
      for (const bound of bounds) {
        const at = `${kinds[i]}-${kinds[j]} ${bound}`;
        expect(collide(a, X, b, Y, { margin: bound }), at).toBe(true);
        expect(collide(a, X, b, Y, { tolerance: bound }), at).toBe(true);
        expect(isWithin(a, X, b, Y, bound), at).toBe(true);
        expect(computeContacts(createContacts(2), a, X, b, Y, { margin: bound }), at).toBeGreaterThan(0);
      }
      // Closer than the tolerance is a hit at once, whether or not anything moves.
      for (const b1 of [Y, poseToTransform(createTransform(), [5, 0.2, 0.1, 0, 0, 0, 1])]) {
        const motion = { a0: X, a1: X, b0: Y, b1 };
        const cast = castPair(createCastResult(), a, b, motion, { tolerance: 100 });
        expect(cast, `${kinds[i]}-${kinds[j]}`).toMatchObject({ hit: true, time: 0 });
      }
      a.dispose();
      b.dispose();
    }
  });
});
