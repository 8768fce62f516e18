import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IntervalProgram } from './interval-program.js';

type Row = readonly [alpha: number, beta: number, lower: number, upper: number];

function program(rows: readonly Row[]): IntervalProgram {
  const out = new IntervalProgram();
  for (const [alpha, beta, lower, upper] of rows) out.add(alpha, beta, lower, upper);
  return out;
}

/** Extreme x over the vertices of the polygon: every two lines crossed, kept when all rows hold. */
function enumerate(rows: readonly Row[], from: number, to: number): [number, number] {
  const lines: [number, number, number][] = [
    [0, 1, from],
    [0, 1, to],
  ];
  for (const [a, b, lower, upper] of rows) lines.push([a, b, lower], [a, b, upper]);
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < lines.length; i++) {
    for (let k = 0; k < i; k++) {
      const det = lines[i][0] * lines[k][1] - lines[k][0] * lines[i][1];
      if (Math.abs(det) < 1e-9) continue;
      const u = (lines[i][2] * lines[k][1] - lines[k][2] * lines[i][1]) / det;
      const x = (lines[i][0] * lines[k][2] - lines[k][0] * lines[i][2]) / det;
      const holds =
        x >= from - 1e-9 &&
        x <= to + 1e-9 &&
        rows.every(([a, b, lower, upper]) => a * u + b * x >= lower - 1e-9 && a * u + b * x <= upper + 1e-9);
      if (!holds) continue;
      low = Math.min(low, x);
      high = Math.max(high, x);
    }
  }
  return [low, high];
}

const number = fc.integer({ min: -20, max: 20 }).map((n) => n / 4);
const row = fc
  .tuple(number, number, number, fc.integer({ min: 0, max: 40 }))
  .map(([a, b, lower, width]): Row => [a, b, lower, lower + width / 4]);

describe('IntervalProgram', () => {
  it('finds the extreme vertices of random polygons, or that there are none', () => {
    let feasible = 0;
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 12 }), (rows) => {
        // A row with u alone keeps the polygon bounded, so that vertices exist.
        const bounded: Row[] = [...rows, [1, 0, -50, 50]];
        const [low, high] = enumerate(bounded, 0, 10);
        const solver = program(bounded);
        const most = solver.solve(1, 0, 10);
        const least = solver.solve(-1, 0, 10);
        // Empty but for rounding is answered either way.
        if (low > high) expect(Number.isNaN(most) || touches(bounded, most)).toBe(true);
        else {
          feasible++;
          expect(most).toBeCloseTo(high, 7);
          expect(least).toBeCloseTo(low, 7);
        }
      }),
      { numRuns: 1000 },
    );
    expect(feasible).toBeGreaterThan(100);
  });

  it('bounds u at a given x', () => {
    const out = new Float64Array(2);
    expect([...program([[2, 1, -1, 3]]).controls(out, 1)]).toEqual([-1, 1]);
    expect([...program([[-2, 1, -1, 3]]).controls(out, 1)]).toEqual([-1, 1]);
    expect([...program([[0, 1, 0, 3]]).controls(out, 1)]).toEqual([-Infinity, Infinity]);
  });

  it('rows without u bound x; contradictions are told', () => {
    expect(program([[0, 2, -4, 6]]).solve(1, 0, 10)).toBe(3);
    expect(program([[0, -2, -6, 4]]).solve(1, 0, 10)).toBe(3);
    expect(program([[0, 1, 4, 6]]).solve(-1, 0, 10)).toBe(4);
    expect(program([[0, 0, 1, 2]]).solve(1, 0, 10)).toBeNaN();
    expect(
      program([
        [1, 0, 1, 2],
        [1, 0, 3, 4],
      ]).solve(1, 0, 10),
    ).toBeNaN();
    expect(program([]).solve(1, 0, 10)).toBe(10);
  });

  it('grows beyond its first capacity', () => {
    const rows = Array.from({ length: 200 }, (_, k): Row => [1, 1, -1000, 1000 - k]);
    expect(program([...rows, [1, 0, 0, 0]]).solve(1, 0, 1e6)).toBe(801);
  });
});

function touches(rows: readonly Row[], x: number): boolean {
  const [least, most] = program(rows).controls(new Float64Array(2), x);
  return least <= most + 1e-9;
}
