import { describe, expect, it } from 'vitest';
import type { Shape } from '../geometry/shapes.js';
import { createSupportCore } from '../geometry/support-shape.js';
import { createRandom } from '../math/random.js';
import { createTransform, poseToTransform } from '../math/transform.js';
import {
  countRounds,
  GJK_BEYOND,
  GJK_OVERLAP,
  GJK_SEPARATED,
  LOWER_BOUND,
  openPair,
  RESULT,
  shared,
  V,
} from './convex-kernel.js';

function runGjk(A: Shape, B: Shape, pose: readonly number[], bound: number): number {
  openPair(createSupportCore(A), createSupportCore(B), poseToTransform(createTransform(), pose));
  for (let k = 0; k < 3; k++) shared.f64[V + k] = -pose[k] || (k === 0 ? 1 : 0);
  return shared.functions.convexGjk(bound, 0);
}

const normOfV = (): number => Math.hypot(shared.f64[V], shared.f64[V + 1], shared.f64[V + 2]);

const box: Shape = { type: 'box', size: [2, 2, 2] };
const cylinder: Shape = { type: 'cylinder', radius: 1, length: 2 };

describe('runGjk', () => {
  it('measures separated boxes exactly, with witness points on them', () => {
    const code = runGjk(box, box, [5, 0.3, -0.2, 0, 0, 0, 1], Infinity);
    expect(code).toBe(GJK_SEPARATED);
    expect(normOfV()).toBe(3);
    shared.functions.convexAnswer(code, 1);
    const [a, b] = [shared.f64.subarray(RESULT + 4, RESULT + 7), shared.f64.subarray(RESULT + 7, RESULT + 10)];
    expect(shared.f64[RESULT]).toBe(3);
    expect(a[0]).toBeCloseTo(1, 14);
    expect(b[0]).toBeCloseTo(4, 14);
    expect(b[1] - a[1]).toBeCloseTo(0, 14);
  });

  it('ends at the bound with a certified lower bound', () => {
    expect(runGjk(box, cylinder, [5, 0, 0, 0, 0, 0, 1], 0.5)).toBe(GJK_BEYOND);
    const lowerBound = shared.f64[LOWER_BOUND];
    expect(lowerBound).toBeGreaterThan(0.5);
    expect(lowerBound).toBeLessThanOrEqual(3 + 1e-15);
  });

  it('calls overlap and touching overlap', () => {
    for (const x of [0, 1, 1.999, 2]) expect(runGjk(box, box, [x, 0, 0, 0, 0, 0, 1], Infinity)).toBe(GJK_OVERLAP);
  });

  it('is right to rounding on curved cores, at all scales (seed 51)', () => {
    const random = createRandom(51);
    for (const scale of [1e-6, 1, 1e6])
      for (let i = 0; i < 300; i++) {
        // Two upright cylinders side by side, B turned about z: the gap between the round sides is known.
        const ra = random.uniform(0.1, 1) * scale;
        const rb = random.uniform(0.1, 1) * scale;
        const gap = 10 ** random.uniform(-9, 0) * scale;
        const turn = random.uniform(0, 2 * Math.PI);
        const reach = ra + rb + gap;
        const pose = [
          reach * Math.cos(turn),
          reach * Math.sin(turn),
          0.1 * scale,
          0,
          0,
          Math.sin(turn),
          Math.cos(turn),
        ];
        const rounds = countRounds();
        const [A, B]: Shape[] = [ra, rb].map((radius) => ({ type: 'cylinder', radius, length: scale }));
        expect(runGjk(A, B, pose, Infinity)).toBe(GJK_SEPARATED);
        expect(Math.abs(normOfV() - gap) / scale, `seed 51 case ${i}`).toBeLessThan(2e-15);
        expect(countRounds() - rounds).toBeLessThan(100);
      }
  });

  it('a cap over a cap at any tilt: the gap of the lowest rim point (seed 52)', () => {
    const random = createRandom(52);
    for (let i = 0; i < 300; i++) {
      const tilt = 10 ** random.uniform(-12, -1);
      const gap = 10 ** random.uniform(-9, 0);
      // B's axis turned by `tilt` about y: its lowest point is r cos(tilt) off its foot's middle, r sin(tilt) below it.
      const lift = 0.5 + gap + 0.5 * Math.cos(tilt) + 0.3 * Math.sin(tilt);
      const [A, B]: Shape[] = [2, 0.3].map((radius) => ({ type: 'cylinder', radius, length: 1 }));
      const pose = [0.1, -0.2, lift, 0, Math.sin(tilt / 2), 0, Math.cos(tilt / 2)];
      expect(runGjk(A, B, pose, Infinity)).toBe(GJK_SEPARATED);
      expect(Math.abs(normOfV() - gap), `seed 52 case ${i}: tilt ${tilt}, gap ${gap}`).toBeLessThan(4e-15);
    }
  });
});
