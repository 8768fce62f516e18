import { describe, expect, it } from 'vitest';
import { createConfigurationPieces } from './configuration-pieces.js';
import { createExactPoint } from './exact-point.js';
import { forbidsPoint } from './pieces.js';
import { planInPlane } from './plan.js';
import { randomScene, type SceneChoice, seedsOf } from './random-scenes.test-support.js';
import { findSeparation } from './separation.js';
import { findShortestPath } from './shortest-path.js';
import { verifySeparation } from './verify-separation.js';

const choices: SceneChoice[] = (['free', 'blocked'] as const).flatMap((touching) =>
  (['point', 'square', 'triangle', 'corner', 'random'] as const).flatMap((body) =>
    [1, 0.1].map((unit) => ({
      cells: 7,
      obstacles: body === 'corner' || body === 'random' ? 4 : 7,
      unit,
      touching,
      body,
    })),
  ),
);
const seeds = seedsOf(25, 1000);

describe('verdicts of degenerate scenes', () => {
  it.each(choices)('three ways to decide agree: $touching, $body, unit $unit', (choice) => {
    const counts: Record<string, number> = {};
    for (const seed of seeds) {
      const problem = randomScene(seed, choice);
      const plan = planInPlane(problem, { method: 'trapezoids' });
      const title = `seed ${seed}`;
      counts[plan.status] = (counts[plan.status] ?? 0) + 1;
      const { outer } = createConfigurationPieces(problem, 16);
      const start = createExactPoint(...problem.start);
      const goal = createExactPoint(...problem.goal);
      expect(
        outer.some((piece) => forbidsPoint(piece, start)),
        title,
      ).toBe(plan.status === 'invalid-start');
      if (plan.status === 'invalid-start' || plan.status === 'invalid-goal') continue;
      const chain = findSeparation(outer, start, goal);
      expect(plan.status, `${title}: ${plan.reason}`).toBe(chain === null ? 'solved' : 'impossible');
      if (choice.touching === 'free') {
        const shortest = findShortestPath(outer, problem.bounds, start, goal);
        expect(shortest === null, title).toBe(plan.status === 'impossible');
      }
      if (plan.separation !== null)
        expect(verifySeparation(problem, plan.separation), title).toMatchObject({ accepted: true });
      if (plan.status === 'solved' && choice.unit === 1 && choice.touching === 'blocked')
        expect(plan.verified, title).toBe(true);
    }
    expect(counts.solved ?? 0).toBeGreaterThan(0);
  });
});

describe('paths of discs', () => {
  it.each(['free', 'blocked'] as const)('go around corners by arcs, and are verified: touching %s', (touching) => {
    const box: [number, number][] = [
      [4, 4],
      [6, 4],
      [6, 6],
      [4, 6],
    ];
    const problem = {
      body: { disc: 1 },
      obstacles: [{ polygon: { outer: box } }],
      bounds: [0, 0, 10, 10],
      start: [1, 1],
      goal: [9, 9],
      touching,
    } as const;
    const plan = planInPlane(problem);
    expect([plan.status, plan.verified]).toEqual(['solved', true]);
    // Around one corner of the box, at distance 1: two tangents and the arc between them.
    const [dx, dy] = [5, 3];
    const tangent = Math.sqrt(dx * dx + dy * dy - 1);
    const exact = 2 * tangent + arcBetween(dx, dy);
    expect(plan.length).toBeGreaterThan(exact - 1e-9);
    expect(plan.length).toBeLessThan(exact + 2e-4);
  });
});

/** Angle at the corner (6, 4) between the tangent points towards (1, 1) and (9, 9), which mirror each other. */
function arcBetween(dx: number, dy: number): number {
  const toStart = Math.atan2(-dy, -dx);
  const toGoal = Math.atan2(dx, dy);
  const lean = Math.acos(1 / Math.sqrt(dx * dx + dy * dy));
  // The path runs below and right of the corner: counter-clockwise from the start's tangent point to the goal's.
  let arc = toGoal - lean - (toStart + lean);
  while (arc < 0) arc += 2 * Math.PI;
  return arc;
}

describe('a plan that is stopped', () => {
  it.each(['shortest', 'clearance'] as const)('is undecided, or gives the way that is known: %s', (method) => {
    const answers = new Set<string>();
    for (const seed of [3, 11]) {
      const scene = randomScene(seed, { cells: 9, obstacles: 6, unit: 0.1, touching: 'blocked', body: 'point' });
      const problem = { ...scene, bounds: [-0.5, -0.5, 1.5, 1.5], start: [-0.4, -0.4], goal: [1.4, 1.3] } as const;
      const whole = planInPlane(problem, { method });
      for (let most = 0; ; most += 1 + (most >> 2)) {
        let asked = 0;
        const plan = planInPlane(problem, { method, shouldStop: () => ++asked > most });
        if (asked <= most) {
          expect(plan).toMatchObject({ status: 'solved', reason: '', method, path: whole.path });
          break;
        }
        expect(plan.reason).toContain('stopped');
        if (plan.status === 'solved') expect(plan).toMatchObject({ method: 'trapezoids', verified: true });
        answers.add(plan.status);
      }
    }
    expect([...answers].sort()).toEqual(['solved', 'undecided']);
  });
});
