/** Boxes of implicit regions: those inside are, what is no box is outside, areas close in on the region's. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import type { ConvexPart } from './convex-parts.js';
import { coverImplicit, isBoxInImplicit } from './implicit-cells.js';
import { planInPlane } from './plan.js';
import type { PlaneProblem } from './problem.js';
import { verifySeparation } from './verify-separation.js';

/** x^2 + y^2 <= 1, without the disc of half its radius. */
const ring = {
  all: [
    {
      terms: [
        [1, 2, 0],
        [1, 0, 2],
        [-1, 0, 0],
      ].map(([coefficient, i, j]) => ({ coefficient, powers: [i, j] })),
    },
    {
      terms: [
        [-1, 2, 0],
        [-1, 0, 2],
        [0.25, 0, 0],
      ].map(([coefficient, i, j]) => ({ coefficient, powers: [i, j] })),
    },
  ],
};
const area = (parts: readonly ConvexPart[]) =>
  parts.reduce((sum, [[x0, y0], , [x1, y1]]) => sum + (x1 - x0) * (y1 - y0), 0);
const isIn = (parts: readonly ConvexPart[], x: number, y: number) =>
  parts.some(([[x0, y0], , [x1, y1]]) => x >= x0 && x <= x1 && y >= y0 && y <= y1);

describe('boxes of an implicit region', () => {
  it('hold it between them', () => {
    const random = createRandom(1);
    const { inside, undecided, width } = coverImplicit(ring, [-2, -2, 2, 2], 0.04);
    expect(width).toBeLessThanOrEqual(0.04);
    const exact = Math.PI * 0.75;
    expect(area(inside)).toBeLessThan(exact);
    expect(area(inside) + area(undecided)).toBeGreaterThan(exact);
    expect(area(undecided)).toBeLessThan(3 * Math.PI * 0.04 * 2);
    for (let k = 0; k < 600; k++) {
      const [x, y] = [4 * random.next() - 2, 4 * random.next() - 2];
      const r = x * x + y * y;
      if (isIn(inside, x, y)) expect(r <= 1 && r >= 0.25).toBe(true);
      else if (!isIn(undecided, x, y)) expect(r > 1 || r < 0.25).toBe(true);
    }
    expect(isBoxInImplicit(ring, [0.55, -0.4, 0.85, 0.4])).toBe(true);
    expect(isBoxInImplicit(ring, [0.4, -0.4, 0.85, 0.4])).toBe(false);
  });

  it('are obstacles: a ring with a body in it, and a body beside it', () => {
    const problem: PlaneProblem = {
      body: {
        polygon: {
          outer: [
            [-0.1, -0.1],
            [0.1, -0.1],
            [0.1, 0.1],
            [-0.1, 0.1],
          ],
        },
      },
      obstacles: [{ implicit: ring }],
      bounds: [-2, -2, 2, 2],
      start: [-1.8, 0],
      goal: [1.8, 0],
    };
    const around = planInPlane(problem);
    expect(around).toMatchObject({ status: 'solved', verified: true });
    expect(around.length).toBeGreaterThan(3.8);
    const shut = { ...problem, start: [0, 0] as const };
    const plan = planInPlane(shut);
    expect(plan.status).toBe('impossible');
    expect(verifySeparation(shut, plan.separation!).accepted).toBe(true);
    // Of a smaller ring the same proof is none.
    const smaller = { all: [{ terms: [...ring.all[0].terms, { coefficient: 0.5, powers: [] }] }, ring.all[1]] };
    expect(verifySeparation({ ...shut, obstacles: [{ implicit: smaller }] }, plan.separation!).accepted).toBe(false);
    expect(planInPlane({ ...problem, start: [0.75, 0] }).status).toBe('invalid-start');
  });
});
