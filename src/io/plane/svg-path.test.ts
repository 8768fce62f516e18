import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Polygon, polygonArea } from '../../plane/polygon.js';
import { parseSvgPath } from './svg-path.js';

const read = (text: string, width?: number): readonly Polygon[] => {
  const { value, issues } = parseSvgPath(text, { width });
  expect(issues).toEqual([]);
  return value!;
};
const areaOf = (polygons: readonly Polygon[]) => polygons.reduce((sum, polygon) => sum + polygonArea(polygon), 0);

describe('SVG paths', () => {
  it('are read with relative, repeated and packed commands', () => {
    const square = [
      {
        outer: [
          [1, -1],
          [3, -1],
          [3, -3],
          [1, -3],
        ],
      },
    ];
    for (const text of [
      'M1 1 L3,1 L3,3 L1,3 Z',
      'm1 1h2v2h-2z',
      'M1,1 3,1 3,3 1,3',
      'M1 1l2 0 0 2-2 0z',
      'M.1e1 1 3.0 1L3+3 1 3',
    ]) {
      expect(read(text), text).toEqual(square);
    }
    expect(parseSvgPath('M0 0H1V1Z', { flip: false }).value).toEqual([
      {
        outer: [
          [0, 0],
          [1, 0],
          [1, 1],
        ],
      },
    ]);
  });

  it('keep to curves within the width', () => {
    for (const width of [0.1, 1e-3, 1e-5]) {
      const circle = read('M-2 0A2 2 0 1 1 2 0A2,2 0 11-2 0Z', width);
      for (const [x, y] of circle[0].outer) expect(Math.sqrt(x * x + y * y)).toBeCloseTo(2, 12);
      expect(areaOf(circle)).toBeLessThanOrEqual(4 * Math.PI);
      expect(areaOf(circle)).toBeGreaterThan(4 * Math.PI - 4 * Math.PI * width);
      // Under a parabola: two thirds of its box, and a third of a cubic's.
      expect(Math.abs(areaOf(read('M0 0Q1 2 2 0Z', width)) - 4 / 3)).toBeLessThan(3 * width);
      expect(Math.abs(areaOf(read('M0 0C0 1 1 1 1 0Z', width)) - 0.6)).toBeLessThan(2 * width);
      // The second half of each is the first, reflected.
      expect(Math.abs(areaOf(read('M0 0Q1 2 2 0T4 0L4 3H0Z', width)) - 12)).toBeLessThan(8 * width);
      expect(Math.abs(areaOf(read('M0 0C1 0 1 1 2 1S3 0 4 0V2H0Z', width)) - 6)).toBeLessThan(8 * width);
      const ellipse = read('M3 0A3 1 0 0 0 -3 0A3 1 0 0 0 3 0', width);
      expect(Math.abs(areaOf(ellipse) - 3 * Math.PI)).toBeLessThan(15 * width);
    }
  });

  it('take a ring in a ring as a hole', () => {
    const [polygon] = read('M0 0H4V4H0ZM1 1h2v2h-2z');
    expect(polygon.holes).toHaveLength(1);
    expect(polygonArea(polygon)).toBe(12);
  });

  it('say what is wrong and where', () => {
    const codes = (text: string) => parseSvgPath(text).issues.map(({ code, element }) => `${code} ${element}`);
    expect(codes('L1 1')).toEqual(['bad-path character 5']);
    expect(codes('M0 0 1 0 1 1ZM0 0L1 x')).toEqual(['bad-path character 21']);
    expect(codes('M0 0L1 1 1 0 0 1Z')).toEqual(['sides-cross subpath 1']);
    expect(codes('M0 0H1Z')).toEqual(['too-few-points subpath 1']);
    expect(parseSvgPath('M0 0Z1').value).toBeNull();
  });

  it('never throw on random content', () => {
    const part = fc.oneof(
      fc.constantFrom(...'MmLlHhVvCcSsQqTtAaZz, .-'),
      fc.integer({ min: -9, max: 9 }).map(String),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        parseSvgPath(parts.join(' '), { width: 0.5 });
        parseSvgPath(`M${parts.join('')}`);
      }),
      { numRuns: 500, seed: 4 },
    );
  });
});
