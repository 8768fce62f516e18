import { describe, expect, test } from 'vitest';
import { createHalton } from './halton.js';

describe('Halton points', () => {
  test('the first points in bases 3 and 5', () => {
    const halton = createHalton(2);
    const points = Array.from({ length: 5 }, () => [halton.next(), halton.next()]);
    const expected = [
      [1 / 3, 1 / 5],
      [2 / 3, 2 / 5],
      [1 / 9, 3 / 5],
      [4 / 9, 4 / 5],
      [7 / 9, 1 / 25],
    ];
    expected.forEach((point, i) => {
      expect(points[i][0]).toBeCloseTo(point[0], 15);
      expect(points[i][1]).toBeCloseTo(point[1], 15);
    });
  });

  test('every box of 27 x 25 cells is met once in 675 points', () => {
    for (const seed of [0, 5]) {
      const halton = createHalton(2, seed);
      const cells = new Map<number, number>();
      const shift = seed === 0 ? [0, 0] : [halton.next(), halton.next()];
      for (let i = 0; i < 675; i++) {
        // Undo the shift of a seeded sequence relative to its first point: the lattice structure is the same.
        const x = (halton.next() - shift[0] + 2) % 1;
        const y = (halton.next() - shift[1] + 2) % 1;
        const cell = Math.floor(x * 27 + 1e-9) + 27 * Math.floor(y * 25 + 1e-9);
        cells.set(cell, (cells.get(cell) ?? 0) + 1);
      }
      expect(cells.size).toBe(675);
    }
  });

  test('seeds shift, the same seed repeats, values lie in [0, 1)', () => {
    const draw = (seed: number): number[] => {
      const halton = createHalton(7, seed);
      return Array.from({ length: 700 }, () => halton.next());
    };
    expect(draw(3)).toEqual(draw(3));
    expect(draw(3)).not.toEqual(draw(4));
    for (const value of draw(3)) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThan(1);
    }
  });

  test('uniform and integer stay in range; normal has no fixed cost and refuses', () => {
    const halton = createHalton(1);
    for (let i = 0; i < 100; i++) {
      expect(halton.integer(4)).toBeLessThan(4);
      expect(halton.uniform(-2, -1)).toBeLessThan(-1);
    }
    expect(() => halton.normal()).toThrow(/fixed number/);
  });
});
