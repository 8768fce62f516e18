/** Greatest clearances: gates of known width, and random scenes between what a path keeps and where the map of the grown body closes. */
import { describe, expect, it } from 'vitest';
import { createConfigurationPieces } from './configuration-pieces.js';
import { createExactPoint } from './exact-point.js';
import { findGreatestClearance } from './greatest-clearance.js';
import { planInPlane } from './plan.js';
import type { PlanePoint } from './polygon.js';
import type { PlaneObstacle, PlaneProblem } from './problem.js';
import { randomScene, seedsOf } from './random-scenes.test-support.js';

const box = (x0: number, y0: number, x1: number, y1: number): PlaneObstacle => ({
  polygon: {
    outer: [
      [x0, y0],
      [x1, y0],
      [x1, y1],
      [x0, y1],
    ],
  },
});
const greatest = (problem: PlaneProblem): number =>
  findGreatestClearance(
    createConfigurationPieces(problem, 64).outer,
    createExactPoint(...problem.start),
    createExactPoint(...problem.goal),
  ).radius;

describe('greatest clearance', () => {
  it('is half the widest gate, or less where start or goal is nearer to something', () => {
    const base: PlaneProblem = {
      body: { disc: 0 },
      obstacles: [box(4, -1, 5, 3), box(4, 4, 5, 6), box(4, 8, 5, 11)],
      bounds: [0, 0, 10, 10],
      start: [1, 5],
      goal: [9, 5],
    };
    expect(greatest(base)).toBe(1);
    const plan = planInPlane(base, { method: 'clearance' });
    expect(plan).toMatchObject({ status: 'solved', verified: true, clearanceLimit: 1 });
    expect(plan.clearance).toBeGreaterThan(1 - 1e-8);
    expect(greatest({ ...base, start: [3.75, 5] })).toBe(0.25);
    // A body that is wide makes gates narrower; corners that face each other are as far apart as they are.
    expect(greatest({ ...base, body: { polygon: { outer: [[0, 0], [0.5, 0], [0.5, 1], [0, 1]] } } })).toBe(0.5); // biome-ignore format: one row
    const corners = { ...base, obstacles: [box(4, -1, 5, 3), box(8, 7, 9, 11), box(-1, 7, 0.5, 11)] };
    expect(greatest({ ...corners, start: [1, 1], goal: [9, 2] })).toBeCloseTo(2.5, 12);
    // Nothing but bounds, which may be touched: as far as the bounds are wide.
    expect(planInPlane({ ...base, obstacles: [] }, { method: 'clearance' }).length).toBe(8);
  });

  it('passes a slanted gate within a billionth, which sixteen sides would not', () => {
    const [a, b]: PlanePoint = [0.6, 0.8];
    const slanted = (u0: number, u1: number): PlaneObstacle => ({
      polygon: {
        outer: [
          [u0 * a - b, u0 * b + a],
          [u0 * a + b, u0 * b - a],
          [u1 * a + b, u1 * b - a],
          [u1 * a - b, u1 * b + a],
        ],
      },
    });
    const problem: PlaneProblem = {
      body: { disc: 0 },
      obstacles: [slanted(-40, -1.1), slanted(1.1, 40)],
      bounds: [-8, -8, 8, 8],
      start: [-5, 4],
      goal: [5, -4],
      touching: 'free',
    };
    const plan = planInPlane(problem, { method: 'clearance' });
    expect(plan.clearanceLimit).toBeCloseTo(1.1, 12);
    expect(plan.clearance).toBeGreaterThan(1.1 * (1 - 2e-9));
    expect(plan.verified).toBe(true);
  });

  it('lies between what a path keeps and where the grown body no longer fits', () => {
    let compared = 0;
    for (const seed of seedsOf(160, 2000)) {
      const touching = seed % 2 === 0 ? 'free' : 'blocked';
      const body = (['point', 'square', 'triangle', 'corner'] as const)[seed % 4];
      const problem = randomScene(seed, { cells: 9, obstacles: 4, unit: seed % 3 === 0 ? 0.1 : 1, touching, body });
      const plan = planInPlane(problem, { method: 'clearance' });
      if (plan.status !== 'solved' || plan.clearance < 1e-9) continue;
      compared++;
      const title = `seed ${seed}`;
      expect(plan.clearance, title).toBeLessThanOrEqual(plan.clearanceLimit);
      expect(plan.clearance, title).toBeGreaterThan(plan.clearanceLimit * (1 - 2e-5));
      // Grown by polygons around discs: with a little more than the greatest it fits nowhere.
      const pieces = createConfigurationPieces(problem, 64, plan.clearanceLimit * (1 + 1e-9)).outer;
      const ends = [problem.start, problem.goal].map((end) => createExactPoint(...end));
      const isFree = ends.every((end) => greatestIs(pieces, end));
      if (isFree) expect(findGreatestClearance(pieces, ends[0], ends[1]).radius, title).toBe(0);
    }
    expect(compared).toBeGreaterThan(10);
  });
});

/** Whether no piece holds the point, in doubles. */
function greatestIs(
  pieces: ReturnType<typeof createConfigurationPieces>['outer'],
  end: { x: number; y: number },
): boolean {
  return !pieces.some(({ corners }) =>
    corners.every((p, i) => {
      const q = corners[(i + 1) % corners.length];
      return (q.x - p.x) * (end.y - p.y) - (q.y - p.y) * (end.x - p.x) > 0;
    }),
  );
}
