import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CutBudget, PolygonCutter } from './mesh-polygon.js';

/** Corners in the plane spanned by two orthonormal directions, at some place in space. */
function lift(points: readonly (readonly [number, number])[]): Float64Array {
  const e = [2 / 3, 1 / 3, 2 / 3];
  const f = [1 / 3, 2 / 3, -2 / 3];
  return Float64Array.from(points.flatMap(([u, v]) => [0, 1, 2].map((k) => 5 + u * e[k] + v * f[k])));
}

function areaVector(vertices: Float64Array, corners: ArrayLike<number>): number[] {
  const sum = [0, 0, 0];
  const at = (i: number, k: number) => vertices[3 * corners[i] + k] - vertices[3 * corners[0] + k];
  for (let i = 1; i + 1 < corners.length; i++) {
    for (let k = 0; k < 3; k++) {
      const [m, n] = [(k + 1) % 3, (k + 2) % 3];
      sum[k] += (at(i, m) * at(i + 1, n) - at(i, n) * at(i + 1, m)) / 2;
    }
  }
  return sum;
}

function cutAll(points: readonly (readonly [number, number])[], tests?: number) {
  const vertices = lift(points);
  const corners = points.map((_, i) => i);
  const triangles = new Uint32Array(3 * (points.length - 2));
  const cutter = new PolygonCutter(vertices, new CutBudget(tests));
  const end = cutter.cut(triangles, 0, corners, 0, corners.length);
  const areas: number[] = [];
  const whole = areaVector(vertices, corners);
  const size = Math.hypot(...whole);
  for (let t = 0; t < triangles.length; t += 3) {
    const part = areaVector(vertices, triangles.subarray(t, t + 3));
    // signed: positive on the polygon's side
    areas.push(part.reduce((sum, x, k) => sum + (x * whole[k]) / size, 0));
  }
  return { cutter, triangles, end, areas, size };
}

describe('PolygonCutter', () => {
  it('cuts star-shaped concave polygons into triangles that cover them exactly once', () => {
    const radii = fc.array(fc.double({ min: 0.2, max: 1, noNaN: true }), { minLength: 4, maxLength: 40 });
    fc.assert(
      fc.property(radii, (r) => {
        const points = r.map((radius, i): [number, number] => {
          const angle = (2 * Math.PI * i) / r.length;
          return [radius * Math.cos(angle), radius * Math.sin(angle)];
        });
        const { cutter, end, areas, size } = cutAll(points);
        expect(end).toBe(3 * (points.length - 2));
        expect(cutter.irregular).toBe(0);
        const sum = areas.reduce((a, b) => a + b, 0);
        const absolute = areas.reduce((a, b) => a + Math.abs(b), 0);
        expect(Math.abs(sum - size)).toBeLessThan(1e-12);
        expect(Math.abs(absolute - size)).toBeLessThan(1e-12);
      }),
    );
  });

  it('cuts a comb of many teeth', () => {
    const points: [number, number][] = [];
    for (let i = 0; i < 60; i++) points.push([i, i % 2 === 0 ? 0 : 10]);
    points.push([59, 20], [0, 20]);
    const { areas, size } = cutAll(points.reverse());
    // the tips lie on a line, up to rounding in the plane they were put into
    expect(Math.min(...areas)).toBeGreaterThan(-1e-12);
    expect(areas.reduce((a, b) => a + b, 0)).toBeCloseTo(size, 10);
  });

  it('cuts a square with a hole that is reached over a doubled edge', () => {
    const { areas, size, cutter } = cutAll([
      [0, 0],
      [4, 0],
      [4, 4],
      [0, 4],
      [0, 0],
      [1, 1],
      [1, 3],
      [3, 3],
      [3, 1],
      [1, 1],
    ]);
    expect(size).toBeCloseTo(12, 12);
    expect(areas.reduce((a, b) => a + Math.abs(b), 0)).toBeCloseTo(12, 12);
    expect(cutter.irregular).toBe(0);
  });

  it('makes no slivers of straight corners', () => {
    const { areas } = cutAll([
      [0, 0],
      [1, 0],
      [2, 0],
      [2, 1],
      [2, 2],
      [1, 2],
      [0, 2],
      [0, 1],
    ]);
    expect(Math.min(...areas)).toBeGreaterThan(0.1);
  });

  it('keeps the count of triangles where a polygon crosses itself or is flat', () => {
    const { cutter, end, triangles } = cutAll([
      [0, 0],
      [2, 2],
      [2, 0],
      [0, 2],
      [-1, 1],
    ]);
    expect(end).toBe(triangles.length);
    expect(cutter.fanned).toBe(0);
    const flat = new PolygonCutter(Float64Array.of(0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0));
    expect(flat.cut(new Uint32Array(6), 0, [0, 1, 2, 3], 0, 4)).toBe(6);
    expect(flat.irregular).toBe(1);
  });

  it('gives up on cutting when its budget is used up, still with the right count', () => {
    const points: [number, number][] = [];
    for (let i = 0; i < 200; i++) points.push([i, i % 2 === 0 ? 0 : 10]);
    points.push([199, 20], [0, 20]);
    const { cutter, end, triangles } = cutAll(points.reverse(), 1000);
    expect(end).toBe(triangles.length);
    expect(cutter.fanned).toBe(1);
  });
});
