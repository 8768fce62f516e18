/** What the source text claims of the grid and what is corrected in it; the contract suite checks the pairs. */
import { describe, expect, test } from 'vitest';
import { createHashGrid, type HashGridOptions } from './hash-grid.js';

const cube = (x: number, y: number, z: number, size: number): number[] => [x, y, z, x + size, y + size, z + size];

function pairsOf(options: HashGridOptions, boxes: number[][]): string[] {
  const found: string[][] = [];
  // Once all together, once box by box: the two ways in which the grid finds pairs.
  for (const oneByOne of [false, true]) {
    const grid = createHashGrid(options);
    const pairs = (): string[] => {
      const list: string[] = [];
      grid.pairs((a, b) => void list.push(`${a},${b}`));
      return list.sort();
    };
    for (const box of boxes) grid.add(box);
    for (let i = 0; i < 40; i++) grid.add(cube(1e7 + 10 * i, 0, 0, 1));
    if (oneByOne) {
      boxes.forEach((_, id) => void grid.update(id, cube(-1000 - 10 * id, 0, 0, 1)));
      pairs();
      boxes.forEach((box, id) => {
        grid.update(id, box);
        pairs();
      });
    }
    grid.validate();
    found.push(pairs());
  }
  expect(found[1]).toEqual(found[0]);
  return found[0];
}

const constant = (cellSize: number, more: HashGridOptions = {}): HashGridOptions => ({
  cellSizeMode: 'CONSTANT',
  cellSize,
  ...more,
});

describe('no pair is missed', () => {
  test('boxes 1.5 cells wide whose centres lie two cells apart', () => {
    const boxes = [
      [0.15, 0, 0, 1.65, 1, 1],
      [1.35, 0, 0, 2.85, 1, 1],
    ];
    expect(pairsOf(constant(1), boxes)).toEqual(['0,1']);
    expect(pairsOf(constant(1, { multiCellThreshold: 100 }), boxes)).toEqual(['0,1']);
  });

  test('a tall thin pole is listed along z', () => {
    const pole = [0.2, 0.2, 0, 0.3, 0.3, 5.5];
    expect(pairsOf(constant(1, { multiCellThreshold: 8 }), [pole, cube(0, 0, 5, 0.5)])).toEqual(['0,1']);
    const grid = createHashGrid(constant(1, { multiCellThreshold: 8 }));
    expect(grid.countCells(grid.add(pole))).toBe(6);
  });

  test('two dimensions: cells have no z, so no layer border separates boxes', () => {
    const boxes = [cube(0, 0, 0.6, 0.399), cube(0, 0, 0.99, 0.5), cube(0, 0, 7, 0.5)];
    expect(pairsOf(constant(1, { dimensions: 2 }), boxes)).toEqual(['0,1']);
    const grid = createHashGrid(constant(1, { dimensions: 2, multiCellThreshold: 8 }));
    expect(grid.countCells(grid.add([0.2, 0.2, -50, 0.3, 0.3, 50]))).toBe(1);
  });

  test('negative coordinates: cells by floor, so both sides of 0 make the same tests', () => {
    const count = (shift: number): number => {
      const grid = createHashGrid(constant(1));
      // Ten boxes in each of eight cells around a corner: 360 tests, or 3160 if the cells were one.
      for (let i = 0; i < 80; i++) {
        const cell = [0, 1, 2].map((k) => shift + ((i >> k) & 1));
        grid.add(cube(cell[0] + 0.1, cell[1] + 0.1, cell[2] + 0.1, 0.8));
      }
      grid.pairs(() => {});
      return grid.boxTests;
    };
    for (const shift of [-1, 0, 100, -101]) expect(count(shift)).toBeLessThan(600);
    expect(pairsOf(constant(1), [cube(-0.5, -0.5, -0.5, 0.4), cube(-0.2, -0.2, -0.2, 0.4)])).toEqual(['0,1']);
  });

  test('huge among tiny, one box far away, zero size', () => {
    const boxes = [
      cube(-1e6, -1e6, -1e6, 2e6),
      cube(0, 0, 0, 1e-9),
      cube(0, 0, 0, 0),
      cube(5e-10, 0, 0, 1e-12),
      cube(1e30, 0, 0, 1),
      cube(1e30, 0, 0, 1e29),
    ];
    expect(pairsOf({}, boxes)).toEqual(['0,1', '0,2', '0,3', '1,2', '1,3', '4,5']);
  });

  test('the cells of a wall are counted, not the buckets they share: the same among any others', () => {
    for (let others = 0; others < 40; others++) {
      const grid = createHashGrid(constant(2, { dimensions: 2, multiCellThreshold: 4 }));
      for (let i = 0; i < others; i++) grid.add(cube(100 + 7 * i, 100, 0, 1));
      expect(grid.countCells(grid.add([0.5, 0.5, 0, 5.5, 5.5, 0]))).toBe(9);
    }
  });

  test('a wall is listed in few cells of a coarser level', () => {
    const grid = createHashGrid(constant(1));
    const wall = grid.add([0, 0, 0, 1000, 0.1, 1000]);
    expect(grid.countCells(wall)).toBeLessThanOrEqual(27);
  });
});

describe('cell size', () => {
  test('CONSTANT is what was given and never changes', () => {
    const grid = createHashGrid(constant(3));
    grid.add(cube(0, 0, 0, 50));
    grid.pairs(() => {});
    grid.calculateOptimalCellSize();
    expect(grid.cellSize).toBe(3);
  });

  test('AUTO_INITIAL: twice the median extent at the first query, then fixed', () => {
    const grid = createHashGrid();
    expect(grid.cellSize).toBeNull();
    grid.pairs(() => {});
    expect(grid.cellSize).toBeNull();
    for (const size of [1, 2, 3, 1000]) grid.add([0, 0, 0, size / 2, size, size / 4]);
    grid.pairs(() => {});
    // Even count: the upper of the two middle ones.
    expect(grid.cellSize).toBe(6);
    for (let i = 0; i < 9; i++) grid.add(cube(0, 0, 0, 20));
    grid.pairs(() => {});
    expect(grid.cellSize).toBe(6);
    grid.calculateOptimalCellSize();
    expect(grid.cellSize).toBe(40);
  });

  test('AUTO_ADAPTIVE: again after additions and removals, once for each batch', () => {
    const grid = createHashGrid({ cellSizeMode: 'AUTO_ADAPTIVE' });
    grid.pairs(() => {});
    expect(grid.cellSize).toBe(0.5);
    const id = grid.add(cube(0, 0, 0, 4));
    grid.pairs(() => {});
    expect(grid.cellSize).toBe(8);
    for (let i = 0; i < 5; i++) grid.add(cube(0, 0, 0, 1));
    expect(grid.cellSize).toBe(8);
    grid.pairs(() => {});
    expect(grid.cellSize).toBe(2);
    for (let i = 1; i <= 5; i++) grid.remove(i);
    grid.pairs(() => {});
    expect(grid.cellSize).toBe(8);
    grid.remove(id);
    grid.pairs(() => {});
    expect(grid.cellSize).toBe(0.5);
  });

  test('boxes of no size: the smallest cells; in two dimensions height does not count', () => {
    const grid = createHashGrid({ minimumCellSize: 0.1 });
    grid.add(cube(1, 1, 1, 0));
    grid.pairs(() => {});
    expect(grid.cellSize).toBe(0.1);
    const flat = createHashGrid({ dimensions: 2 });
    flat.add([0, 0, 0, 1, 2, 100]);
    flat.pairs(() => {});
    expect(flat.cellSize).toBe(4);
  });
});

test('of 1,000 boxes of which 10 move, less than a tenth of the box tests', () => {
  const grid = createHashGrid();
  const box = (i: number, shift: number): number[] => cube((i % 10) + shift, Math.floor(i / 10) % 10, i / 100, 0.9);
  for (let i = 0; i < 1000; i++) grid.add(box(i, 0));
  grid.pairs(() => {});
  for (let i = 0; i < 1000; i++) grid.update(i, box(i, 0.01));
  grid.resetCounts();
  grid.pairs(() => {});
  const all = grid.boxTests;
  for (let i = 0; i < 10; i++) grid.update(97 * i, box(97 * i, 0.02));
  grid.resetCounts();
  grid.pairs(() => {});
  expect(grid.boxTests).toBeLessThan(all / 10);
});

test('options are checked', () => {
  for (const options of [
    { cellSizeMode: 'OTHER' },
    { cellSizeMode: 'CONSTANT' },
    { cellSizeMode: 'CONSTANT', cellSize: 0 },
    { cellSize: 1 },
    { scaleFactor: 0 },
    { minimumCellSize: -1 },
    { multiCellThreshold: Number.NaN },
    { dimensions: 4 },
    { pairMargin: Number.NaN },
  ])
    expect(() => createHashGrid(options as HashGridOptions)).toThrow(/expected/);
});
