import { describe, expect, it } from 'vitest';
import { samplePose } from '../../test/sample-shapes.js';
import type { Shape } from '../geometry/shapes.js';
import { MisuseError } from '../math/misuse.js';
import { createRandom } from '../math/random.js';
import { touchingTolerance } from '../math/tolerance.js';
import { createTransform } from '../math/transform.js';
import { collide } from './collide.js';
import { createCollider } from './collider.js';
import { distance } from './distance.js';
import { createDistanceResult } from './query.js';

const sphere: Shape = { type: 'sphere', radius: 0.5 };
const capsule: Shape = { type: 'capsule', radius: 0.25, length: 1 };
const box: Shape = { type: 'box', size: [1, 2, 3] };
const PAIRS: [string, Shape, Shape][] = [
  ['sphere-sphere', sphere, sphere],
  ['sphere-capsule', sphere, capsule],
  ['capsule-sphere', capsule, sphere],
  ['capsule-capsule', capsule, capsule],
  ['sphere-box', sphere, box],
  ['box-sphere', box, sphere],
];

describe.each(PAIRS)('closed form of %s', (_, A, B) => {
  const [a, b] = [createCollider(A), createCollider(B)];
  const result = createDistanceResult();

  it('refuses every number of a pose that is not finite, of those too that do not matter', () => {
    const random = createRandom(1);
    const poses = [samplePose(random, 3), samplePose(random, 3)];
    for (const pose of poses)
      for (let i = 0; i < 12; i++)
        for (const odd of [NaN, Infinity, -Infinity]) {
          const good = pose[i];
          pose[i] = odd;
          expect(() => distance(result, a, poses[0], b, poses[1]), `${i} ${odd}`).toThrow(MisuseError);
          expect(() => collide(a, poses[0], b, poses[1]), `${i} ${odd}`).toThrow(MisuseError);
          pose[i] = good;
        }
  });

  it('calls a gap contact up to the tolerance, and not past it', () => {
    const X_WB = createTransform();
    // Apart along x until they touch.
    for (let round = 0; round < 10; round++) X_WB[9] -= distance(result, a, createTransform(), b, X_WB).distance;
    const extent = 2 * Math.max(a.extent, b.extent);
    const touch = X_WB[9];
    const tolerance = touchingTolerance(extent, Math.abs(touch));
    for (const [part, expected] of [
      [-1e3, true],
      [-0.5, true],
      [0.9, true],
      [1.1, false],
      [3, false],
      [1e3, false],
    ] as const) {
      X_WB[9] = touch + part * tolerance;
      expect(distance(result, a, createTransform(), b, X_WB).collides, `${part}`).toBe(expected);
      expect(collide(a, createTransform(), b, X_WB), `${part}`).toBe(expected);
    }
  });

  it('refuses a collider that was disposed', () => {
    const gone = createCollider(A);
    gone.dispose();
    expect(() => distance(result, gone, createTransform(), b, createTransform())).toThrow(MisuseError);
    expect(() => collide(b, createTransform(), gone, createTransform())).toThrow(MisuseError);
  });
});
