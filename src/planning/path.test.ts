import { expect, test } from 'vitest';
import { densifyPath, pathLength } from './path.js';
import { createRealVectorSpace } from './real-vector-space.js';

const plane = createRealVectorSpace({ lower: [-10, -10], upper: [10, 10] });
const corner = [
  [0, 0],
  [3, 4],
  [3, 5],
].map((p) => Float64Array.from(p));

test('length is the sum over motions; nothing and one state have none', () => {
  expect(pathLength(plane, corner)).toBe(6);
  expect(pathLength(plane, [])).toBe(0);
  expect(pathLength(plane, corner.slice(1, 2))).toBe(0);
});

test('a dense path keeps its states bit for bit, its length, and the step', () => {
  const dense = densifyPath(plane, corner, 0.7);
  for (const state of corner) expect(dense).toContainEqual(state);
  expect(dense[0]).toEqual(corner[0]);
  expect(dense[dense.length - 1]).toEqual(corner[2]);
  expect(pathLength(plane, dense)).toBeCloseTo(6, 13);
  for (let i = 1; i < dense.length; i++)
    expect(plane.distance(dense[i - 1], dense[i])).toBeLessThanOrEqual(0.7 + 1e-12);
  expect(dense).toHaveLength(1 + 8 + 2);
  expect(densifyPath(plane, [], 1)).toEqual([]);
  expect(() => densifyPath(plane, corner, 0)).toThrow(/step, got 0/);
});

test('the dense path is a copy', () => {
  const dense = densifyPath(plane, corner, 100);
  dense[0][0] = 7;
  expect(corner[0][0]).toBe(0);
});
