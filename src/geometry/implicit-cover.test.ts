/** Cubes of implicit solids: against dense evaluation, a ball's closed forms, and queries that must not say "free" wrongly. */
import { describe, expect, it } from 'vitest';
import type { ImplicitRegion, PolynomialTerm } from '../math/implicit-region.js';
import { createRandom } from '../math/random.js';
import { coverImplicitSolid } from './implicit-cover.js';
import type { Octree, Triple } from './shapes.js';

const boxes = process.env.ORACLE_FULL ? 100_000 : 1500;

const term = (coefficient: number, ...powers: number[]): PolynomialTerm => ({ coefficient, powers });
const ball = (radius: number, [x, y, z]: Triple = [0, 0, 0]): ImplicitRegion => ({
  terms: [
    term(1, 2),
    term(1, 0, 2),
    term(1, 0, 0, 2),
    term(-2 * x, 1),
    term(-2 * y, 0, 1),
    term(-2 * z, 0, 0, 1),
    term(x * x + y * y + z * z - radius * radius),
  ],
});

const evaluate = (terms: readonly PolynomialTerm[], at: readonly number[]): number =>
  terms.reduce((sum, { coefficient, powers }) => sum + powers.reduce((p, n, k) => p * at[k] ** n, coefficient), 0);
function holds(region: ImplicitRegion, at: readonly number[]): boolean {
  if ('terms' in region) return evaluate(region.terms, at) <= 0;
  return 'all' in region ? region.all.every((r) => holds(r, at)) : region.any.some((r) => holds(r, at));
}

/** Cells of a grid of 64 x 64 x 64 about the origin, and whether a closed box meets one. */
function createMeets({ resolution, cells }: Octree): (low: readonly number[], high: readonly number[]) => boolean {
  const grid = new Uint8Array(64 ** 3);
  const at = (i: number, j: number, k: number) => (i + 32) * 4096 + (j + 32) * 64 + k + 32;
  for (let c = 0; c < cells.length; c += 4) {
    const [x, y, z, edge] = cells.subarray(c, c + 4);
    for (let i = x; i < x + edge; i++)
      for (let j = y; j < y + edge; j++) for (let k = z; k < z + edge; k++) grid[at(i, j, k)] = 1;
  }
  return (low, high) => {
    // Whether the cell as a closed interval meets the box's.
    const ranges = [0, 1, 2].map((a) => {
      const range: number[] = [];
      for (let i = Math.floor(low[a] / resolution) - 1; i <= Math.floor(high[a] / resolution) + 1; i++)
        if (i * resolution <= high[a] && (i + 1) * resolution >= low[a]) range.push(i);
      return range;
    });
    return ranges[0].some((i) => ranges[1].some((j) => ranges[2].some((k) => grid[at(i, j, k)] === 1)));
  };
}
const volumeOf = (octree: Octree | null): number => {
  let sum = 0;
  for (let i = 3; i < (octree?.cells.length ?? 0); i += 4) sum += octree!.cells[i] ** 3;
  return sum * (octree?.resolution ?? 0) ** 3;
};

describe('cubes of an implicit solid', () => {
  it('boxes that keep off them hold no point of the region, by dense evaluation', () => {
    const random = createRandom(5);
    const regions: ImplicitRegion[] = [
      ball(0.9),
      { all: [ball(1), { terms: [term(-1, 2), term(-1, 0, 2), term(0.09)] }] },
      { any: [ball(0.4, [0.5, 0.5, 0.5]), ball(0.4, [-0.4, -0.5, 0.1])] },
      // A quartic "bean" times a slab, and a torus.
      {
        all: [
          { terms: [term(1, 4), term(2, 2, 2), term(1, 0, 4), term(-1, 3)] },
          { terms: [term(1, 0, 0, 2), term(-0.04)] },
        ],
      },
      {
        terms: [
          term(1, 4),
          term(1, 0, 4),
          term(1, 0, 0, 4),
          term(2, 2, 2),
          term(2, 2, 0, 2),
          term(2, 0, 2, 2),
          term(0.45 - 4 * 0.49, 2),
          term(0.45 - 4 * 0.49, 0, 2),
          term(2 * (0.49 - 0.04), 0, 0, 2),
          term((0.49 - 0.04) ** 2),
        ],
      },
    ];
    let [free, held] = [0, 0];
    for (const region of regions) {
      const { outer, inner, width } = coverImplicitSolid(region, [-1.1, -1.1, -1.1], [1.1, 1.1, 1.1], 0.04);
      expect(width).toBe(0.04);
      const meetsOuter = createMeets(outer!);
      const meetsInner = inner === null ? () => false : createMeets(inner);
      for (let n = 0; n < boxes / regions.length; n++) {
        const low = [0, 1, 2].map(() => random.uniform(-1, 0.9));
        const high = low.map((x) => x + random.uniform(0, 0.2));
        const isFree = !meetsOuter(low, high);
        const isHeld = meetsInner(low, high);
        if (isFree) free++;
        if (isHeld) held++;
        if (!isFree) continue;
        for (let s = 0; s < 30; s++) {
          const at = low.map((x, k) => x + [0, 1, random.next()][random.integer(3)] * (high[k] - x));
          if (holds(region, at))
            expect.fail(`a box at ${low.join(' ')} is called free, ${at.join(' ')} is in the region`);
        }
      }
      // Corners and middles of the inner cubes are in the region.
      for (let i = 0; i < Math.min(400, inner?.cells.length ?? 0); i += 4) {
        const [x, y, z, edge] = inner!.cells.subarray(i, i + 4);
        for (const t of [0, 0.5, 1]) {
          const at = [x, y, z].map((c) => (c + t * edge) * 0.04);
          if (evaluateMost(region, at) > 1e-12) expect.fail(`${at.join(' ')} lies in a cube and not in the region`);
        }
      }
    }
    if (process.env.ORACLE_FULL) console.log({ boxes, free, held });
    expect(free).toBeGreaterThan(boxes / 10);
    expect(held).toBeGreaterThan(boxes / 50);
  });

  it('close in on a ball from both sides', () => {
    const volume = (4 / 3) * Math.PI;
    let last = Infinity;
    for (const resolution of [0.2, 0.1, 0.05]) {
      const { outer, inner } = coverImplicitSolid(ball(1), [-2, -2, -2], [2, 2, 2], resolution);
      expect(volumeOf(inner)).toBeLessThan(volume);
      expect(volumeOf(outer)).toBeGreaterThan(volume);
      const gap = volumeOf(outer) - volumeOf(inner);
      expect(gap).toBeLessThan(0.7 * last);
      last = gap;
    }
  });

  it('end at the box, and say where there is nothing', () => {
    const { outer } = coverImplicitSolid({ terms: [term(-1)] }, [0, 0, 0], [1, 0.5, 0.25], 0.25);
    expect(volumeOf(outer)).toBe(0.125);
    expect(coverImplicitSolid(ball(0.5), [1, 1, 1], [2, 2, 2], 0.5)).toEqual({ outer: null, inner: null, width: 0 });
  });
});

/** Above 0 where the region does not hold: the most of what must be at most 0. */
function evaluateMost(region: ImplicitRegion, at: readonly number[]): number {
  if ('terms' in region) return evaluate(region.terms, at);
  return 'all' in region
    ? Math.max(...region.all.map((r) => evaluateMost(r, at)))
    : Math.min(...region.any.map((r) => evaluateMost(r, at)));
}
