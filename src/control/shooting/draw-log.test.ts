import { describe, expect, it } from 'vitest';
import { drawShootingLog } from './draw-log.js';

describe('The picture of a log', () => {
  it('is one SVG element with three curves and a bar per iteration, and has no numbers that do not exist', () => {
    const entries = [5, 2, 1, 1].map((cost, iteration) => ({
      iteration,
      cost,
      expected: iteration === 3 ? 0 : cost / 2,
      criterion: 0,
      regularisation: 1e-9,
      step: iteration === 1 ? 0.5 : 1,
      gap: iteration === 0 ? 1 : 0,
    }));
    const svg = drawShootingLog(entries);
    expect(svg).toMatch(/^<svg .*<\/svg>$/);
    expect(svg.match(/<polyline/g)).toHaveLength(3);
    expect(svg.match(/fill="#999"/g)).toHaveLength(4);
    expect(svg).not.toMatch(/NaN|Infinity/);
    expect(drawShootingLog([])).toMatch(/<svg/);
  });
});
