import { expect, test } from 'vitest';
import {
  createClearanceObjective,
  createLengthObjective,
  createWeightedLengthObjective,
  pathCost,
} from './objective.js';
import { pathLength } from './path.js';
import { createRealVectorSpace } from './real-vector-space.js';

const f = (...values: number[]): Float64Array => Float64Array.from(values);
const space = createRealVectorSpace({ lower: [0, 0], upper: [4, 4], weights: [1, 2], wrap: [true, false] });

test('length, and length with weights, the shorter way round', () => {
  const path = [f(0, 0), f(1, 1), f(3.5, 1)];
  expect(pathCost(space, createLengthObjective(space), path)).toBeCloseTo(pathLength(space, path), 14);
  const weighted = createWeightedLengthObjective(space, [3, 0.5]);
  // sqrt(3^2 + 1^2) and 1.5 round the edge, times 3.
  expect(pathCost(space, weighted, path)).toBeCloseTo(Math.sqrt(10) + 4.5, 12);
  expect(weighted.lowerBound(path[0], path[1])).toBe(weighted.motionCost(path[0], path[1]));
  expect(() => createWeightedLengthObjective(space, [1])).toThrow(/weights/);
  expect(() => createWeightedLengthObjective(space, [1, 0])).toThrow(/positive/);
});

test('clearance: the integral of what is said, and never below the length', () => {
  const plain = createRealVectorSpace({ lower: [0, 0], upper: [4, 4] });
  const objective = createClearanceObjective(plain, { clearance: (q) => q[1], margin: 2, factor: 3, resolution: 1e-3 });
  // At height y < 2 a metre costs 1 + 3 (1 - y / 2).
  expect(objective.motionCost(f(0, 1), f(3, 1))).toBeCloseTo(3 * 2.5, 9);
  expect(objective.motionCost(f(0, 3), f(3, 3))).toBeCloseTo(3, 9);
  expect(objective.motionCost(f(0, 0), f(0, 2))).toBeCloseTo(2 * (1 + 3 * 0.5), 6);
  expect(objective.lowerBound(f(0, 0), f(0, 2))).toBe(2);
  expect(() => createClearanceObjective(plain, { clearance: () => 1, margin: 0 })).toThrow(/margin/);
});
