/** Hand-computed cases: brute force is the oracle of the other broad phases, so it is checked against nothing but eyes. */
import { expect, test } from 'vitest';
import { createBruteForce } from './brute-force.js';

const unit = (x: number, y = 0, z = 0): number[] => [x, y, z, x + 1, y + 1, z + 1];

function list<T extends unknown[]>(query: (visit: (...args: T) => void) => void): T[] {
  const calls: T[] = [];
  query((...args) => {
    calls.push(args);
  });
  return calls;
}

test('a row of boxes half a unit apart', () => {
  const phase = createBruteForce();
  for (let i = 0; i < 4; i++) phase.add(unit(1.5 * i));
  const pairs = (margin?: number) => list<[number, number]>((visit) => phase.pairs(visit, margin));
  expect(pairs()).toEqual([]);
  expect(pairs(0.49)).toEqual([]);
  expect(pairs(0.5)).toEqual([
    [0, 1],
    [1, 2],
    [2, 3],
  ]);
  expect(phase.boxTests).toBe(18);
  expect(list<[number, number, number]>((visit) => phase.nearPairs(0.5, visit))).toEqual([
    [0, 1, 0.5],
    [1, 2, 0.5],
    [2, 3, 0.5],
  ]);
});

test('rays: hit, miss, behind, too short, along a face, diagonal', () => {
  const phase = createBruteForce();
  phase.add(unit(2));
  const hits = (origin: number[], direction: number[], maxT: number): number =>
    list((visit: (id: number) => void) => phase.castRay(origin, direction, maxT, visit)).length;
  expect(hits([0, 0.5, 0.5], [1, 0, 0], 2)).toBe(1);
  expect(hits([0, 0.5, 0.5], [1, 0, 0], 1.999)).toBe(0);
  expect(hits([0, 0.5, 0.5], [-1, 0, 0], 10)).toBe(0);
  expect(hits([0, 1, 1], [1, 0, 0], 2)).toBe(1);
  expect(hits([0, 1.001, 1], [1, 0, 0], 2)).toBe(0);
  expect(hits([2.5, 0.5, 0.5], [0, 1, 0], 0)).toBe(1);
  expect(hits([1, -1, -1], [1, 1, 1], 1)).toBe(1);
  expect(hits([0, 0.5, 0.5], [4e-300, 0, 0], 5e299)).toBe(1);
  expect(hits([0, 0.5, 0.5], [4e-300, 0, 0], 4e299)).toBe(0);
});

test('a half-space meets everything on its side', () => {
  const phase = createBruteForce();
  const floor = phase.add([-Infinity, -Infinity, -Infinity, Infinity, Infinity, 0]);
  const on = phase.add(unit(5));
  const above = phase.add(unit(5, 0, 1.25));
  expect(list<[number, number]>((visit) => phase.pairs(visit))).toEqual([[floor, on]]);
  expect(list<[number, number, number]>((visit) => phase.nearPairs(10, visit))).toEqual([
    [floor, on, 0],
    [floor, above, 1.25],
    [on, above, 0.25],
  ]);
  expect(list<[number]>((visit) => phase.queryPoint([1e300, 0, -5], visit))).toEqual([[floor]]);
});
