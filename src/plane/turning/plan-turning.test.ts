/**
 * Bodies that turn: a board around a corner, whose greatest length is known in closed form, is solved a little below it and proven
 * impossible a little above; proofs and paths that are altered are refused.
 */
import { describe, expect, it } from 'vitest';
import type { Polygon } from '../polygon.js';
import { planTurning } from './plan-turning.js';
import type { PlanePose, TurningProblem } from './turning-problem.js';
import { verifyTurningPath } from './verify-turning-path.js';
import { verifyTurningProof } from './verify-turning-proof.js';

const box = (x0: number, y0: number, x1: number, y1: number): { readonly polygon: Polygon } => ({
  polygon: {
    outer: [
      [x0, y0],
      [x1, y0],
      [x1, y1],
      [x0, y1],
    ],
  },
});

/** A board of a length and width from a corridor of width a around a corner into one of width b. */
function corner(length: number, width: number, a: number, b: number): TurningProblem {
  const end = 3 * (a + b);
  return {
    body: box(-length / 2, -width / 2, length / 2, width / 2),
    obstacles: [
      box(-1, -1, 0, end + 1),
      box(-1, -1, end + 1, 0),
      box(a, b, end + 1, end + 1),
      box(-1, end, a, end + 1),
      box(end, -1, end + 1, b),
    ],
    bounds: [0, 0, end, end],
    start: [a / 2, end / 2, Math.PI / 2],
    goal: [end / 2, b / 2, Math.PI],
  };
}

/** The ladder problem: (a^(2/3) + b^(2/3))^(3/2) for a board without width. */
const ladder = (a: number, b: number) => (Math.cbrt(a) ** 2 + Math.cbrt(b) ** 2) ** 1.5;

const replaceAt = (tree: readonly number[], at: number, value: number) =>
  tree.map((old, i) => (i === at ? value : old));

describe('a body that turns', () => {
  it.each([
    [1, 1],
    [0.7, 1],
  ])('a ladder from a corridor of %f m into one of %f m', (a, b) => {
    for (const part of [0.99, 0.999, 1.001, 1.01]) {
      const problem = corner(part * ladder(a, b), 1e-6, a, b);
      const plan = planTurning(problem);
      expect(plan.status, `${part} of the greatest length: ${plan.reason}`).toBe(part < 1 ? 'solved' : 'impossible');
      if (plan.status === 'solved') {
        expect(plan.verified).toBe(true);
        expect(verifyTurningPath(problem, plan.path).status).toBe('free');
      } else expect(verifyTurningProof(problem, plan.proof!)).toEqual({ accepted: true, reason: '' });
    }
  });

  it('a board with a width: 2 sqrt 2 - 2 w in corridors of 1 m', () => {
    const most = 2 * Math.SQRT2 - 0.5;
    expect(planTurning(corner(0.998 * most, 0.25, 1, 1)).status).toBe('solved');
    expect(planTurning(corner(1.002 * most, 0.25, 1, 1)).status).toBe('impossible');
  });

  it('is undecided with the resolution in the answer where boxes and slabs run out', () => {
    const plan = planTurning(corner(0.9999 * ladder(1, 1), 1e-6, 1, 1), { boxes: 60, resolution: 0.2 });
    expect(plan.status).toBe('undecided');
    expect(plan.reason).toMatch(/slabs down to 0\.\d+ rad and \d+ boxes/);
  });

  it('no proof with a box more or less, moved parts or another goal is accepted', () => {
    const problem = corner(3, 0.2, 1, 1);
    const { proof } = planTurning(problem);
    const judge = (more: object) => verifyTurningProof(problem, { ...proof!, ...more });
    expect(judge({}).accepted).toBe(true);
    const tree = [...proof!.tree];
    const open = tree.indexOf(-4);
    expect(judge({ tree: replaceAt(tree, open, 0) }).reason).toMatch(/is not known to overlap/);
    expect(judge({ tree: tree.map((n) => (n >= 0 ? -4 : n)) }).reason).toMatch(/not parted/);
    expect(judge({ tree: tree.slice(1) }).accepted).toBe(false);
    expect(judge({ tree: tree.slice(0, -1) }).reason).toMatch(/ends early/);
    expect(judge({ tree: [...tree, -4] }).reason).toMatch(/goes on/);
    expect(judge({ tree: replaceAt(tree, 0, 0.5) }).reason).toMatch(/no node/);
    const wide = proof!.body.map((part) => part.map(([x, y]) => [1.01 * x, y] as const));
    expect(judge({ body: wide }).reason).toMatch(/not in the body/);
    const shifted = proof!.obstacles.map(({ obstacle, part }) => ({
      obstacle,
      part: part.map(([x, y]) => [x + 0.01, y] as const),
    }));
    expect(judge({ obstacles: shifted }).reason).toMatch(/not in obstacle/);
    expect(judge({ obstacles: [{ obstacle: 9, part: proof!.obstacles[0].part }] }).reason).toMatch(/no obstacle 9/);
    expect(verifyTurningProof({ ...problem, goal: problem.start }, proof!).reason).toMatch(/not parted/);
  });

  it('every pose of a path matters', () => {
    const problem = corner(2, 0.3, 1, 1);
    const { path } = planTurning(problem);
    expect(path.length).toBeGreaterThan(3);
    expect(verifyTurningPath(problem, path).status).toBe('free');
    expect(verifyTurningPath(problem, [path[0], path[path.length - 1]]).status).toBe('collides');
    expect(verifyTurningPath(problem, path.slice(1)).status).toBe('ends');
    // Whole turns are the same pose, but not the same motion.
    const around: PlanePose[] = [...path.slice(0, -1), [...problem.goal]];
    around[around.length - 1] = [problem.goal[0], problem.goal[1], problem.goal[2] + 2 * Math.PI];
    expect(verifyTurningPath(problem, around).status).toBe('collides');
  });

  it('refuses ends that overlap or lie outside, and says which obstacle', () => {
    const problem = corner(2, 0.3, 1, 1);
    const asked = (more: Partial<TurningProblem>) => planTurning({ ...problem, ...more });
    expect(asked({ start: [0.5, 3, 0.3] })).toMatchObject({ status: 'invalid-start', reason: /meets obstacle/ });
    expect(asked({ goal: [3, 9, 0] }).status).toBe('invalid-goal');
    expect(() => asked({ goal: [3, 0.5] as unknown as PlanePose })).toThrow(/problem\.goal/);
    expect(() => asked({ goal: [3, 0.5, 1e9] })).toThrow(/problem\.goal/);
  });

  it('turns through whole turns: angles are as they were asked for', () => {
    const open: TurningProblem = {
      body: box(-1, -0.1, 1, 0.1),
      obstacles: [box(3, 3, 4, 4), { disc: 0.5, at: [-2, 3] }],
      bounds: [-5, -5, 5, 5],
      start: [-4, -4, 6.2],
      goal: [4, 0, -6.2],
    };
    const plan = planTurning(open);
    expect(plan).toMatchObject({ status: 'solved', verified: true });
    expect(plan.path[0]).toEqual(open.start);
    const last = plan.path[plan.path.length - 1];
    expect((last[2] + 6.2) / (2 * Math.PI)).toBeCloseTo(Math.round((last[2] + 6.2) / (2 * Math.PI)), 12);
    expect(plan.width).toBeGreaterThan(0);
  });

  it('a disc turns for nothing, a body of two polygons as one', () => {
    const disc = planTurning({
      body: { disc: 0.4 },
      obstacles: [box(2, -5, 3, 4)],
      bounds: [-1, -5, 6, 6],
      start: [0, 0, 0],
      goal: [5, 0, 1],
    });
    expect(disc).toMatchObject({ status: 'solved', method: 'translation', turn: 1 });
    const bar = (x: number) => box(x, -1, x + 0.2, 1).polygon;
    const two: TurningProblem = {
      body: { polygons: [bar(-0.6), bar(0.4)] },
      obstacles: [box(-0.1, -0.1, 0.1, 0.1), box(-4, 3, 4, 4)],
      bounds: [-4, -2, 4, 2],
      start: [0, 0, 0],
      goal: [3, 0, Math.PI / 2],
    };
    const plan = planTurning(two);
    expect(plan).toMatchObject({ status: 'solved', verified: true });
    // With a bar across both ends the obstacle is shut in.
    const shut = planTurning({
      ...two,
      body: {
        polygons: [bar(-0.6), bar(0.4), ...[-1, 0.8].map((y) => box(-0.6, y, 0.6, y + 0.2).polygon)],
      },
    });
    expect(shut.status).toBe('impossible');
  });

  it('says when it is stopped how far it had come', () => {
    const answers = new Set<string>();
    for (const length of [2.6, 2.9]) {
      const problem = corner(length, 0.05, 1, 1);
      for (let most = 0; most < 1e4; most = 8 * most + 3) {
        let asked = 0;
        const plan = planTurning(problem, { shouldStop: () => ++asked > most });
        answers.add(plan.status);
        if (asked <= most) continue;
        const [narrowest, widest] = plan.resolution;
        expect(narrowest).toBeLessThanOrEqual(widest);
        if (most === 0) expect(widest).toBe(2 * Math.PI);
        if (plan.status === 'solved') expect(plan.verified).toBe(true);
        else expect(plan.reason).toContain('stopped');
      }
    }
    expect([...answers].sort()).toEqual(['impossible', 'solved', 'undecided']);
  });
});
