/**
 * Planners that promise the best path, against closed forms: the way round a disc is two tangents and an arc, the way round a box goes over its corners.
 * And the queue of edges against sorting.
 */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/math/random.js';
import { createClearanceObjective, pathCost } from '../../src/planning/objective.js';
import { planPath } from '../../src/planning/plan-path.js';
import { EdgeQueue } from '../../src/planning/planners/edge-queue.js';
import { createRealVectorSpace } from '../../src/planning/real-vector-space.js';

const f = (...values: number[]): Float64Array => Float64Array.from(values);
const square = createRealVectorSpace({ lower: [-1, -1], upper: [1, 1] });
const cube = createRealVectorSpace({ lower: [-1, -1, -1], upper: [1, 1, 1] });

const RADIUS = 0.5;
const ball = { isValid: (q: Float64Array) => q.reduce((sum, x) => sum + x * x, 0) > RADIUS * RADIUS };
/** From -a to a on an axis, round a ball of radius r: the tangents are sqrt(a^2 - r^2) long, the arc is what they leave of half a turn. */
function roundBall(a: number): number {
  return 2 * Math.sqrt(a * a - RADIUS * RADIUS) + RADIUS * (Math.PI - 2 * Math.acos(RADIUS / a));
}

const box = { isValid: ([x, y]: Float64Array) => Math.abs(x) > 0.2 || Math.abs(y) > 0.6 };
/** Over two corners of the box. */
const roundBox = 2 * Math.sqrt(0.5 * 0.5 + 0.6 * 0.6) + 0.4;

const planners = [
  ['rrt-star', { range: 0.5 }, 60, 1.03],
  ['fcit-star', { batchSize: 48 }, 10, 1.03],
  ['anytime-rrt-connect', {}, 24, 1.02],
] as const;

describe.each(planners)('%s', (planner, settings, rounds, near) => {
  it.each([
    ['a disc', square, ball, f(-0.9, 0), f(0.9, 0), roundBall(0.9)],
    ['a ball', cube, ball, f(-0.9, 0, 0), f(0.9, 0, 0), roundBall(0.9)],
    ['a box', square, box, f(-0.7, 0), f(0.7, 0), roundBox],
  ] as const)('comes near the shortest way round %s, never below it', (_, space, checker, start, goal, best) => {
    const costs: number[] = [];
    const request = { space, checker, start, goals: [goal], planner, seed: 2, resolution: 0.01, ...settings };
    const { status, length } = planPath({
      ...{ ...request, rounds },
      onImprovement: ({ cost }: { cost: number }) => {
        costs.push(cost);
      },
    });
    expect(status).toBe('solved');
    // Sampled motions cut corners by less than their step.
    expect(length).toBeGreaterThan(best * (1 - 1e-3));
    expect(length).toBeLessThan(best * (space === cube ? 1 + 2.5 * (near - 1) : near));
    expect(costs.length).toBeGreaterThan(0);
    for (let i = 1; i < costs.length; i++) expect(costs[i]).toBeLessThan(costs[i - 1]);
    expect(costs[costs.length - 1]).toBeCloseTo(length, 9);
  });

  it('makes another objective small', () => {
    const clearance = (q: Float64Array): number => Math.sqrt(q[0] * q[0] + q[1] * q[1]) - RADIUS;
    const objective = createClearanceObjective(square, { clearance, margin: 0.3, factor: 20 });
    const request = {
      space: square,
      checker: ball,
      start: f(-0.95, 0),
      goals: [f(0.95, 0)],
      planner,
      resolution: 0.01,
    };
    const plain = planPath({ ...request, ...settings, rounds: 6, seed: 1 });
    const wide = planPath({ ...request, ...settings, rounds: planner === 'rrt-star' ? 30 : 6, seed: 1, objective });
    expect(pathCost(square, objective, wide.path)).toBeLessThan(pathCost(square, objective, plain.path));
  });
});

it('the queue of edges gives them in the order of their keys, and drops those of states that are opened anew', () => {
  const random = createRandom(4);
  const queue = new EdgeQueue();
  const live = new Map<number, { to: number; key: number }[]>();
  for (let round = 0; round < 40; round++) {
    const from = random.integer(12);
    const base = random.next();
    const edges = Array.from({ length: random.integer(9) }, (_, to) => ({ to, key: base + random.next() }));
    queue.open(from, base);
    for (const { to, key } of edges) queue.add(from, to, key - base);
    queue.close(from);
    live.set(from, edges);
    expect(queue.has(from)).toBe(true);
  }
  const wanted = [...live].flatMap(([from, edges]) => edges.map(({ to, key }) => ({ from, to, key })));
  wanted.sort((a, b) => a.key - b.key);
  for (const edge of wanted) {
    const taken = queue.take()!;
    expect([taken.from, taken.to]).toEqual([edge.from, edge.to]);
    expect(taken.key).toBeCloseTo(edge.key, 12);
  }
  expect(queue.take()).toBeNull();
  queue.clear();
  expect(queue.has(0)).toBe(false);
});
