import { describe, expect, it } from 'vitest';
import { CellGrid } from './cell-grid.js';

/** Squares by centre and half width. */
function gridOf(cellSize: number, threshold: number, squares: readonly (readonly [number, number, number])[]) {
  const boxes = new Float64Array(6 * squares.length);
  squares.forEach(([x, y, h], i) => {
    boxes.set([x - h, y - h, 0, x + h, y + h, 1], 6 * i);
  });
  const grid = new CellGrid(cellSize, threshold, boxes);
  grid.reserve(squares.length, boxes);
  for (let i = 0; i < squares.length; i++) grid.place(i);
  return {
    grid,
    boxes,
    near: (i: number) => [...grid.found.subarray(0, grid.collect(i, squares.length))].sort((a, b) => a - b),
  };
}

describe('cells of moving bodies', () => {
  it('finds two boxes of 1.5 cells that lie two cells apart', () => {
    expect(
      gridOf(1, 1.5, [
        [0.9, 0, 0.75],
        [2.1, 0, 0.75],
      ]).near(0),
    ).toEqual([1]);
  });

  it('has as many candidates on either side of the origin', () => {
    const count = (shift: number) => {
      const squares = Array.from(
        { length: 100 },
        (_, k) => [shift + (k % 10) * 0.7, shift + Math.floor(k / 10) * 0.7, 0.1] as const,
      );
      const { grid, near } = gridOf(1, 1.5, squares);
      for (let i = 0; i < 100; i++) near(i);
      return grid.tests;
    };
    expect(count(-3.15)).toBeLessThan(1.1 * count(100.85));
  });

  it('lists wide bodies in every cell they touch, and those of very many cells everywhere', () => {
    const { grid, near, boxes } = gridOf(2, 1.5, [
      [0.5, 0.5, 2.5],
      [2.9, 2.9, 0.2],
      [40, 40, 0.2],
      [0, 0, 500],
    ]);
    expect(grid.countCells(0)).toBe(9);
    expect(grid.countCells(1)).toBe(1);
    expect(near(0)).toEqual([1, 3]);
    expect(near(2)).toEqual([3]);
    expect(near(3)).toEqual([0, 1, 2]);
    boxes.set([39, 39, 0, 41, 41, 1], 0);
    grid.shift(0);
    expect(grid.countCells(0)).toBe(1);
    expect(near(2)).toEqual([0, 3]);
    expect(near(1)).toEqual([3]);
  });

  it('takes bodies far beyond any cell number', () => {
    expect(
      gridOf(1e-3, 1.5, [
        [1e12, 1e12, 1e-4],
        [1e12, 1e12, 1e-4],
        [-1e12, 0, 1e-4],
      ]).near(0),
    ).toEqual([1]);
  });
});
