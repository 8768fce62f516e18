/**
 * Verdicts against cells by whole numbers (rational-reference.test-support.ts): points and bodies among obstacles on coarse grids, with
 * upright sides, shared corners and gaps of exactly nothing; slots as wide as the body, and a millionth wider and narrower.
 *
 * 100,000 scenes with ORACLE_FULL=1.
 */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { planInPlane } from './plan.js';
import type { PlanePoint } from './polygon.js';
import type { PlaneObstacle, PlaneProblem } from './problem.js';
import { randomScene, type SceneChoice, seedsOf } from './random-scenes.test-support.js';
import { decideByCells } from './rational-reference.test-support.js';
import { verifySeparation } from './verify-separation.js';

const choices: SceneChoice[] = (['free', 'blocked'] as const).flatMap((touching) =>
  (['point', 'square', 'triangle', 'corner', 'random'] as const).flatMap((body) =>
    [1, 0.1].map((unit) => ({
      cells: 7,
      obstacles: body === 'corner' || body === 'random' ? 3 : body === 'point' ? 6 : 4,
      unit,
      touching,
      body,
    })),
  ),
);

/** A wall across the bounds with a slot for a body one unit wide, among other obstacles. */
function slotScene(seed: number): PlaneProblem {
  const random = createRandom(seed);
  const unit = [1, 0.1, 1 / 3][seed % 3];
  const touching = seed % 2 === 0 ? 'free' : 'blocked';
  const body = (['square', 'corner', 'triangle'] as const)[random.integer(3)];
  const scene = randomScene(seed, { cells: 8, obstacles: random.integer(3), unit, touching, body });
  const wide = body === 'corner' ? 2 : 1;
  const more = [0, 1e-6, -1e-6, 2 ** -40, -(2 ** -40)][random.integer(5)];
  const isUpright = random.next() < 0.5;
  const at = (2 + random.integer(5)) * unit;
  const from = random.integer(6) * unit;
  const box = (u0: number, v0: number, u1: number, v1: number): PlaneObstacle => {
    const ring: PlanePoint[] = [
      [u0, v0],
      [u1, v0],
      [u1, v1],
      [u0, v1],
    ];
    return { polygon: { outer: isUpright ? ring : ring.map(([u, v]): PlanePoint => [v, u]) } };
  };
  const end = from + (wide + more) * unit;
  const walls = [box(at, -3 * unit, at + unit, from), box(at, end, at + unit, 12 * unit)];
  return { ...scene, obstacles: [...scene.obstacles, ...walls] };
}

const counts: Record<string, number> = {};

function compare(problem: PlaneProblem, title: string): void {
  const plan = planInPlane(problem, { method: 'trapezoids' });
  const expected = decideByCells(problem);
  counts[plan.status] = (counts[plan.status] ?? 0) + 1;
  if (plan.status !== expected) expect.fail(`${title}: ${plan.status}, the reference says ${expected}`);
  if (plan.status === 'impossible' && !verifySeparation(problem, plan.separation!).accepted)
    expect.fail(`${title}: the proof was refused`);
}

describe('verdicts', () => {
  it.each(choices)('equal those of rational cells: $touching, $body, unit $unit', (choice) => {
    for (const seed of seedsOf(10, 4000)) compare(randomScene(10_000 + seed, choice), `seed ${10_000 + seed}`);
  });

  it('equal those of rational cells beside slots', () => {
    for (const seed of seedsOf(100, 20_000)) compare(slotScene(seed), `slot ${seed}`);
  });

  it('were of every kind', () => {
    if (process.env.ORACLE_FULL) console.log(counts);
    expect(Object.keys(counts).sort()).toEqual(['impossible', 'invalid-goal', 'invalid-start', 'solved']);
    expect(counts.impossible).toBeGreaterThan(10);
    expect(counts.solved).toBeGreaterThan(10);
  });
});
