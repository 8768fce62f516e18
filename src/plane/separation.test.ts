import { describe, expect, it } from 'vitest';
import { planInPlane } from './plan.js';
import type { PlanePoint } from './polygon.js';
import type { PlaneObstacle, PlaneProblem } from './problem.js';
import { type Separation, verifySeparation } from './verify-separation.js';

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
const unit: PlanePoint[] = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
];
const base: PlaneProblem = {
  body: { polygon: { outer: unit } },
  obstacles: [box(4, -1, 5, 5), box(4, 5.5, 5, 12)],
  bounds: [0, 0, 10, 10],
  start: [1, 1],
  goal: [8, 8],
};
const proofOf = (problem: PlaneProblem): Separation => planInPlane(problem).separation!;

describe('proofs that there is no path', () => {
  it('are accepted for what they were made for', () => {
    expect(verifySeparation(base, proofOf(base))).toEqual({ accepted: true, reason: '' });
    const ring: PlaneProblem = {
      ...base,
      body: { disc: 0.25 },
      obstacles: [
        {
          polygon: {
            outer: [
              [5, 5],
              [9.5, 5],
              [9.5, 9.5],
              [5, 9.5],
            ],
            holes: [
              [
                [6, 6],
                [9, 6],
                [9, 9],
                [6, 9],
              ],
            ],
          },
        },
      ],
    };
    expect(planInPlane(ring).status).toBe('impossible');
    expect(verifySeparation(ring, proofOf(ring)).accepted).toBe(true);
  });

  it('are refused where the scene leaves a way', () => {
    const proof = proofOf(base);
    const moved = (change: Partial<PlaneProblem>) => verifySeparation({ ...base, ...change }, proof);
    expect(moved({ obstacles: [base.obstacles[0], box(4, 6.5, 5, 12)] }).accepted).toBe(false);
    expect(moved({ goal: [1, 9] }).reason).toBe('start and goal lie on one side of the chain');
    expect(
      moved({
        body: {
          polygon: {
            outer: [
              [0, 0],
              [0.4, 0],
              [0.4, 0.4],
            ],
          },
        },
      }).reason,
    ).toMatch(/does not lie in the body/);
    expect(moved({ body: { disc: 0 } }).reason).toMatch(/part of a point/);
    expect(moved({ bounds: [-9, -9, 19, 19] }).accepted).toBe(false);
    expect(moved({ obstacles: [] }).reason).toMatch(/no obstacle/);
  });

  it('are refused when any link is altered', () => {
    const proof = proofOf(base);
    for (let k = 0; k < proof.length; k++) {
      const alter = (change: object) =>
        verifySeparation(
          base,
          proof.map((link, i) => (i === k ? { ...link, ...change } : link)),
        );
      expect(alter({ inside: [1, 1] }).accepted).toBe(false);
      expect(alter({ contact: [8, 8] }).accepted).toBe(false);
      expect(alter({ contact: ['1/0', 2] }).reason).toMatch(/no coordinates/);
      expect(alter({ obstacle: 'front' }).accepted).toBe(false);
      const { parts } = proof[k];
      if (parts === undefined) continue;
      expect(alter({ parts: undefined }).accepted).toBe(false);
      expect(alter({ parts: [parts[0], [...parts[1], [3, 3]]] }).accepted).toBe(false);
      expect(alter({ parts: [parts[0].map(([x, y]) => [Number(x) * 3, y]), parts[1]] }).accepted).toBe(false);
    }
    expect(verifySeparation(base, proof.slice(1)).accepted).toBe(false);
    expect(verifySeparation(base, []).accepted).toBe(false);
  });

  it('tell a touching chain from a free one', () => {
    const exact = { ...base, obstacles: [base.obstacles[0], box(4, 6, 5, 12)] };
    expect(planInPlane({ ...exact, touching: 'free' }).status).toBe('solved');
    const blocked = planInPlane({ ...exact, touching: 'blocked' });
    expect(blocked.status).toBe('impossible');
    expect(verifySeparation({ ...exact, touching: 'blocked' }, blocked.separation!).accepted).toBe(true);
    expect(verifySeparation({ ...exact, touching: 'free' }, blocked.separation!).reason).toMatch(/free/);
  });
});
