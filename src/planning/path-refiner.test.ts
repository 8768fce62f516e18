import { describe, expect, test } from 'vitest';
import { createRandom } from '../math/random.js';
import { narrowSpace } from './narrow-space.js';
import { createLengthObjective, pathCost } from './objective.js';
import { PathRefiner } from './path-refiner.js';
import { planPath } from './plan-path.js';
import { createRealVectorSpace } from './real-vector-space.js';

const f = (...values: number[]): Float64Array => Float64Array.from(values);
const plane = createRealVectorSpace({ lower: [-1, -1], upper: [1, 1] });
/** Of a motion's states outside a disc, decided exactly. */
const outsideDisc = (a: Float64Array, b: Float64Array): boolean => {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const square = dx * dx + dy * dy;
  const t = square === 0 ? 0 : Math.max(0, Math.min(1, -(a[0] * dx + a[1] * dy) / square));
  const [x, y] = [a[0] + t * dx, a[1] + t * dy];
  return x * x + y * y >= 0.25;
};

describe('a path drawn tight', () => {
  test('keeps its ends and its freedom, never costs more, and comes to the shortest round a disc', () => {
    const objective = createLengthObjective(plane);
    const refiner = new PathRefiner(plane, objective, outsideDisc, createRandom(3));
    const path = [f(-0.8, 0), f(-0.8, 0.9), f(0.8, 0.9), f(0.8, 0)];
    refiner.open(path);
    let cost = refiner.cost;
    for (let i = 0; i < 4000; i++) {
      const better = refiner.attempt();
      expect(refiner.cost).toBeLessThanOrEqual(cost * (1 + 1e-12));
      if (better) expect(refiner.cost).toBeLessThan(cost);
      cost = refiner.cost;
    }
    const { path: tight } = refiner;
    expect([tight[0], tight[tight.length - 1]]).toEqual([path[0], path[3]]);
    for (let i = 1; i < tight.length; i++) expect(outsideDisc(tight[i - 1], tight[i])).toBe(true);
    expect(cost).toBeCloseTo(pathCost(plane, objective, tight), 9);
    // Two tangents and the arc between them.
    const shortest = 2 * Math.sqrt(0.64 - 0.25) + 0.5 * (Math.PI - 2 * Math.acos(0.5 / 0.8));
    expect(cost).toBeGreaterThan(shortest * (1 - 1e-9));
    expect(cost).toBeLessThan(shortest * 1.01);
  });

  test('the anytime planner comes as near, tells of every better path, and repeats itself', () => {
    const told: number[] = [];
    const request = {
      ...{ space: plane, start: f(-0.8, 0), goals: [f(0.8, 0)], planner: 'anytime-rrt-connect', seed: 4, rounds: 12 },
      checker: { isValid: (q: Float64Array) => q[0] * q[0] + q[1] * q[1] >= 0.25 },
      motion: { isMotionValid: outsideDisc, isExact: true },
    };
    const plan = planPath({ ...request, onImprovement: ({ cost }: { cost: number }) => told.push(cost) });
    expect(plan.status).toBe('solved');
    expect(told.at(-1)).toBeCloseTo(plan.length, 12);
    expect([...told].sort((a, b) => b - a)).toEqual(told);
    const shortest = 2 * Math.sqrt(0.64 - 0.25) + 0.5 * (Math.PI - 2 * Math.acos(0.5 / 0.8));
    expect(plan.length).toBeLessThan(shortest * 1.02);
    expect(planPath(request).path).toEqual(plan.path);
  });

  test('a narrowed space holds every state that a path shorter than the bound can pass', () => {
    const [start, goal] = [f(-0.3, 0.1), f(0.4, -0.2)];
    const bound = 1.1;
    const narrow = narrowSpace(plane, start, [goal], bound);
    const { lower, upper } = narrow.coordinates!;
    const random = createRandom(5);
    const q = new Float64Array(2);
    let inside = 0;
    const least = f(1, 1);
    const most = f(-1, -1);
    for (let i = 0; i < 20000; i++) {
      plane.sample(q, random);
      if (plane.distance(start, q) + plane.distance(q, goal) > bound) continue;
      inside++;
      for (let k = 0; k < 2; k++) {
        expect(q[k]).toBeGreaterThanOrEqual(lower[k]);
        expect(q[k]).toBeLessThanOrEqual(upper[k]);
        least[k] = Math.min(least[k], q[k]);
        most[k] = Math.max(most[k], q[k]);
      }
    }
    expect(inside).toBeGreaterThan(1000);
    // And hardly more.
    for (let k = 0; k < 2; k++) expect(upper[k] - lower[k]).toBeLessThan(1.05 * (most[k] - least[k]));
  });
});
