import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { expSe3, logSe3 } from '../math/se3.js';
import { logSo3 } from '../math/so3.js';
import { createTransform, relativeTransform, type Transform } from '../math/transform.js';
import { createPoseMotion } from './pose-motion.js';

function randomPose(seed: number, turn = 2.5): Transform {
  const random = createRandom(seed);
  const twist = Float64Array.from({ length: 6 }, (_, k) => random.uniform(-1, 1) * (k < 3 ? 1 : turn / 2));
  return expSe3(createTransform(), twist);
}

const norm = (v: ArrayLike<number>): number => Math.hypot(v[0], v[1], v[2]);

describe.each(['screw', 'decoupled'] as const)('%s', (mode) => {
  it('meets both poses, and its velocity is the derivative', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.double({ min: 0.01, max: 0.99, noNaN: true }), (seed, s) => {
        const [A, B] = [randomPose(seed), randomPose(seed + 20_000)];
        const motion = createPoseMotion(A, B, mode);
        const placed = createTransform();
        expect(motion.place(placed, 1)).toEqual(B);
        motion.place(placed, 0);
        for (let i = 0; i < 12; i++) expect(placed[i]).toBeCloseTo(A[i], 14);
        const h = 1e-5;
        const before = motion.place(createTransform(), s - h);
        const after = motion.place(createTransform(), s + h);
        const moved = logSe3(new Float64Array(6), relativeTransform(createTransform(), before, after));
        const velocity = motion.velocity(new Float64Array(6), s);
        for (let i = 0; i < 6; i++) expect(moved[i] / (2 * h)).toBeCloseTo(velocity[i], 7);
        expect(norm(velocity)).toBeCloseTo(motion.translation, 12);
        expect(norm(velocity.subarray(3))).toBeCloseTo(motion.rotation, 12);
      }),
      { numRuns: 100 },
    );
  });

  it('does nothing between equal poses', () => {
    const A = randomPose(3);
    const motion = createPoseMotion(A, A, mode);
    expect(motion.translation).toBeLessThan(1e-15);
    expect(motion.rotation).toBeLessThan(1e-15);
    const placed = motion.place(createTransform(), 0.5);
    for (let i = 0; i < 12; i++) expect(placed[i]).toBeCloseTo(A[i], 15);
  });
});

describe('createPoseMotion', () => {
  it('decoupled: the origin on the straight line, both turn by the same angle', () => {
    const [A, B] = [randomPose(1), randomPose(2)];
    const decoupled = createPoseMotion(A, B, 'decoupled');
    const screw = createPoseMotion(A, B);
    expect(decoupled.rotation).toBeCloseTo(screw.rotation, 13);
    expect(decoupled.translation).toBeCloseTo(Math.hypot(B[9] - A[9], B[10] - A[10], B[11] - A[11]), 13);
    expect(screw.translation).toBeGreaterThanOrEqual(decoupled.translation);
    for (const s of [0.2, 0.7]) {
      const placed = decoupled.place(createTransform(), s);
      for (let i = 9; i < 12; i++) expect(placed[i]).toBeCloseTo(A[i] + s * (B[i] - A[i]), 14);
      const turned = relativeTransform(createTransform(), A, placed);
      expect(norm(logSo3(new Float64Array(3), turned))).toBeCloseTo(s * decoupled.rotation, 13);
    }
  });

  it('refuses what is no transform', () => {
    expect(() => createPoseMotion([0, 0, 0], createTransform())).toThrow(/X_WA, got 3 numbers/);
  });
});
