import { describe, expect, it } from 'vitest';
import { countOf, formatFixed, formatNumber } from './words.js';

describe('numbers in sentences', () => {
  it('have few digits and no sign before a zero', () => {
    expect([-17.759854134826874, 6.014962908698073e-7, -0, 0.00008520248315547947].map((x) => formatNumber(x))).toEqual(
      ['-17.7599', '6.01496e-7', '0', '0.0000852025'],
    );
    expect(formatNumber(-3.0000000000000004)).toBe('-3');
    expect([formatFixed(-0.0001, 3), formatFixed(-0.0006, 3)]).toEqual(['0.000', '-0.001']);
  });

  it('count one thing and several', () => {
    expect([countOf(1, 'robot'), countOf(0, 'robot'), countOf(2, 'mesh', 'meshes')]).toEqual([
      '1 robot',
      '0 robots',
      '2 meshes',
    ]);
  });
});
