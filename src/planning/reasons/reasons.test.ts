import { describe, expect, test } from 'vitest';
import { createRealVectorSpace } from '../real-vector-space.js';
import { exploreEnds } from './explore.js';
import { floodFrom } from './flood.js';

const space = createRealVectorSpace({ lower: [0, 0], upper: [10, 10] });
const f = (...values: number[]): Float64Array => Float64Array.from(values);
type Wall = readonly [number, number, number, number, string];
const hit = (walls: readonly Wall[], q: Float64Array) =>
  walls.filter(([x0, y0, x1, y1]) => q[0] >= x0 && q[0] <= x1 && q[1] >= y0 && q[1] <= y1).map((wall) => wall[4]);
/** A room in the corner, whose door may be shut. */
const room: Wall[] = [
  [6, 6, 10, 6.3, 'south'],
  [6, 6.3, 6.3, 10, 'west'],
];

function explore(walls: readonly Wall[]) {
  return exploreEnds({
    ...{ space, start: f(1, 1), goals: [f(9, 9)], seed: 1, iterations: 600, resolution: 0.1, range: 1 },
    isValid: (q) => hit(walls, q).length === 0,
    blame: (q) => hit(walls, q).map((wall) => ['body', wall] as const),
  });
}

describe('what stopped a search', () => {
  test('a shut room: the trees do not meet, and its walls are what stopped them', () => {
    const found = explore(room);
    expect(found.met).toBe(false);
    expect(found.iterations).toBe(600);
    expect(new Set(found.blocked.map(({ b }) => b))).toEqual(new Set(['south', 'west']));
    expect(found.start.left).toBeGreaterThanOrEqual(0.3);
    expect(found.start.left).toBeLessThan(1);
    expect(found.goal.reached).toBeLessThan(6);
    expect(explore(room)).toEqual(found);
  });

  test('an open one: they meet', () => {
    expect(explore(room.slice(0, 1)).met).toBe(true);
  });
});

describe('flooding with free balls', () => {
  const gap = (walls: readonly Wall[], q: Float64Array): number =>
    Math.min(
      ...walls.map(([x0, y0, x1, y1]) =>
        Math.sqrt(Math.max(x0 - q[0], 0, q[0] - x1) ** 2 + Math.max(y0 - q[1], 0, q[1] - y1) ** 2),
      ),
    );

  test('stays in a shut room, whatever its size', () => {
    const cell: Wall[] = [
      [4, 4, 6, 4.2, 'a'],
      [4, 5.8, 6, 6, 'b'],
      [4, 4, 4.2, 6, 'c'],
      [5.8, 4, 6, 6, 'd'],
    ];
    const flood = floodFrom({ space, ballAt: (q) => gap(cell, q), seed: 1 }, f(5, 5));
    expect(flood.closed).toBe(true);
    expect(flood.radius).toBeLessThan(Math.SQRT2 * 0.8 + 1e-6);
    const open = floodFrom({ space, ballAt: (q) => gap(cell.slice(1), q), seed: 1 }, f(5, 5));
    expect(open.closed).toBe(false);
    expect(open.radius).toBeGreaterThan(1.5);
  });
});
