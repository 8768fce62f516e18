/**
 * Slots a little wider and narrower than the body, and exactly as wide, at any angle: the verdict is known from how they are made.
 * Directions are Pythagorean, so that corners of slots and bodies are exact doubles.
 */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { planInPlane } from './plan.js';
import type { PlanePoint, Polygon } from './polygon.js';
import type { PlaneProblem } from './problem.js';
import { verifySeparation } from './verify-separation.js';

/** Whole triples a^2 + b^2 = c^2; a / c and b / c are no doubles, so lengths are multiples of c. */
const triples: [number, number, number][] = [
  [1, 0, 1],
  [0, 1, 1],
  [3, 4, 5],
  [-5, 12, 13],
  [15, -8, 17],
  [20, 21, 29],
];
const scenes = process.env.ORACLE_FULL ? 100 : 4;

/** A box along a direction: corner, steps along it and across, in units of the direction's whole vector. */
function slantedBox(
  [a, b]: readonly number[],
  u0: number,
  v0: number,
  u1: number,
  v1: number,
  by: PlanePoint,
): Polygon {
  const at = (u: number, v: number): PlanePoint => [a * u - b * v + by[0], b * u + a * v + by[1]];
  return { outer: [at(u0, v0), at(u1, v0), at(u1, v1), at(u0, v1)] };
}

describe('slots', () => {
  it.each(triples)('along (%i, %i) are passed exactly when they are wide enough', (a, b, c) => {
    const random = createRandom(a * 100 + b);
    for (let k = 0; k < scenes; k++) {
      const by: PlanePoint = [random.integer(9) / 4, random.integer(9) / 4];
      const half = (1 + random.integer(8)) / 8;
      for (const gap of [0, 2 ** -20, -(2 ** -20), 2 ** -40, -(2 ** -40)]) {
        const isPolygon = k % 2 === 0;
        // Across the slot the polygon is 2 half wide, in units of the direction.
        const body = isPolygon
          ? ({ polygon: slantedBox([a, b], -half, -half, half, half, [0, 0]) } as const)
          : ({ disc: half * c } as const);
        const wall = (from: number, to: number) => ({ polygon: slantedBox([a, b], -1, from, 1, to, by) });
        const reach = 8 * c;
        for (const touching of ['free', 'blocked'] as const) {
          const start: PlanePoint = [-4 * a + by[0], -4 * b + by[1]];
          const problem: PlaneProblem = {
            body,
            obstacles: [wall(-30, -half), wall(half + gap, 30)],
            bounds: [-reach, -reach, reach, reach],
            start,
            goal: [4 * a + by[0], 4 * b + by[1]],
            touching,
          };
          const plan = planInPlane(problem, { method: k % 4 < 2 ? 'trapezoids' : 'shortest', width: 0.01 * c });
          const expected = gap > 0 || (gap === 0 && touching === 'free') ? 'solved' : 'impossible';
          const title = `scene ${k}, gap ${gap}, ${touching}: ${plan.reason}`;
          // A disc's slanted tangents are rounded: gaps of nothing beside them stay undecided.
          const isRounded = !isPolygon && c > 1 && gap === 0;
          expect(isRounded ? [expected, 'undecided'] : [expected], title).toContain(plan.status);
          if (plan.status === 'impossible')
            expect(verifySeparation(problem, plan.separation!).accepted, title).toBe(true);
          if (plan.status === 'solved' && gap !== 0) expect(plan.verified, title).toBe(true);
        }
      }
    }
  });
});
