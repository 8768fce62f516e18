import { describe, expect, it } from 'vitest';
import type { Shape } from '../geometry/shapes.js';
import { createSupportCore } from '../geometry/support.js';
import { createRandom } from '../math/random.js';
import { poseToTransform } from '../math/transform.js';
import { GJK_BEYOND, GJK_OVERLAP, GJK_SEPARATED, runGjk } from './gjk.js';
import { GjkState } from './gjk-state.js';
import { combineWitness } from './simplex.js';

function prepare(A: Shape, B: Shape, pose: readonly number[]): GjkState {
  const s = new GjkState();
  s.a = createSupportCore(A);
  s.b = createSupportCore(B);
  poseToTransform(s.X, pose);
  for (let k = 0; k < 3; k++) s.v[k] = -pose[k] || (k === 0 ? 1 : 0);
  return s;
}

function normOf(s: GjkState): number {
  return Math.hypot(s.v[0], s.v[1], s.v[2]);
}

const box: Shape = { type: 'box', size: [2, 2, 2] };
const cylinder: Shape = { type: 'cylinder', radius: 1, length: 2 };

describe('runGjk', () => {
  it('measures separated boxes exactly, with witness points on them', () => {
    const s = prepare(box, box, [5, 0.3, -0.2, 0, 0, 0, 1]);
    expect(runGjk(s, Infinity)).toBe(GJK_SEPARATED);
    expect(normOf(s)).toBe(3);
    const a = new Float64Array(3);
    const b = new Float64Array(3);
    combineWitness(a, b, s);
    expect(a[0]).toBeCloseTo(1, 14);
    expect(b[0]).toBeCloseTo(4, 14);
    expect(b[1] - a[1]).toBeCloseTo(0, 14);
  });

  it('ends at the bound with a certified lower bound', () => {
    const s = prepare(box, cylinder, [5, 0, 0, 0, 0, 0, 1]);
    expect(runGjk(s, 0.5)).toBe(GJK_BEYOND);
    expect(s.lowerBound).toBeGreaterThan(0.5);
    expect(s.lowerBound).toBeLessThanOrEqual(3 + 1e-15);
  });

  it('calls overlap and touching overlap', () => {
    for (const x of [0, 1, 1.999, 2])
      expect(runGjk(prepare(box, box, [x, 0, 0, 0, 0, 0, 1]), Infinity)).toBe(GJK_OVERLAP);
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
        const s = prepare(
          { type: 'cylinder', radius: ra, length: scale },
          { type: 'cylinder', radius: rb, length: scale },
          pose,
        );
        expect(runGjk(s, Infinity)).toBe(GJK_SEPARATED);
        expect(Math.abs(normOf(s) - gap) / scale, `seed 51 case ${i}`).toBeLessThan(2e-15);
        expect(s.rounds).toBeLessThan(100);
      }
  });

  it('a cap over a cap at any tilt: the gap of the lowest rim point (seed 52)', () => {
    const random = createRandom(52);
    for (let i = 0; i < 300; i++) {
      const tilt = 10 ** random.uniform(-12, -1);
      const gap = 10 ** random.uniform(-9, 0);
      // B's axis turned by `tilt` about y: its lowest point is r cos(tilt) off its foot's middle, r sin(tilt) below it.
      const lift = 0.5 + gap + 0.5 * Math.cos(tilt) + 0.3 * Math.sin(tilt);
      const s = prepare({ type: 'cylinder', radius: 2, length: 1 }, { type: 'cylinder', radius: 0.3, length: 1 }, [
        0.1,
        -0.2,
        lift,
        0,
        Math.sin(tilt / 2),
        0,
        Math.cos(tilt / 2),
      ]);
      expect(runGjk(s, Infinity)).toBe(GJK_SEPARATED);
      expect(Math.abs(normOf(s) - gap), `seed 52 case ${i}: tilt ${tilt}, gap ${gap}`).toBeLessThan(4e-15);
    }
  });
});
