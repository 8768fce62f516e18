import { describe, expect, it } from 'vitest';
import { measureHull } from './hull-depth.js';

const box = (low: readonly number[], high: readonly number[]): number[] =>
  [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [0, 1, 2].map((k) => ((i >> k) & 1 ? high[k] : low[k])));
const none = new Uint32Array(0);

describe('hulls of meshes', () => {
  it('hold a box with nothing below the surface', () => {
    const found = measureHull({ vertices: Float64Array.from(box([0, 0, 0], [1, 2, 3])), triangles: none });
    expect(found.triangles).toBe(12);
    expect(found.positions.length).toBe(12 * 9);
    expect(found.depth).toBe(0);
  });

  it('say how deep the inner corner of an angle lies', () => {
    // Two legs of length 3, 1 thick: the corner at (1, 1) lies sqrt(2) below the hull's side from (3, 1) to (1, 3), and 1 below the outer ones.
    const legs = [...box([0, 0, 0], [3, 1, 8]), ...box([0, 0, 0], [1, 3, 8])];
    const inner = [1, 1, 4];
    const { depth } = measureHull({ vertices: Float64Array.from([...legs, ...inner]), triangles: none });
    expect(depth).toBeCloseTo(1, 12);
    const { depth: atEnds } = measureHull({ vertices: Float64Array.from([...legs, 1, 1, 0]), triangles: none });
    expect(atEnds).toBe(0);
  });
});
