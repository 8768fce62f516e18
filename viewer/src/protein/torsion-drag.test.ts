import { describe, expect, it } from 'vitest';
import { type AxisView, turnByDrag } from './torsion-drag.js';

const at = (x: number, y: number) => ({ x, y });

describe('turnByDrag', () => {
  it('rolls an axis that lies across: a lever of movement is a radian, either way, and on beyond the ring', () => {
    const view: AxisView = { center: at(0, 0), facing: 0.1, lever: at(0, -50) };
    expect(turnByDrag(view, at(10, 10), at(10, -40))).toBeCloseTo(1, 12);
    expect(turnByDrag(view, at(10, 10), at(90, 60))).toBeCloseTo(-1, 12);
    expect(turnByDrag(view, at(0, 0), at(0, -500))).toBeCloseTo(10, 12);
    // Along the axis nothing turns.
    expect(turnByDrag(view, at(0, 0), at(200, 0))).toBeCloseTo(0, 12);
  });

  it('does not let a ring that is far away turn quickly', () => {
    expect(turnByDrag({ center: at(0, 0), facing: 0, lever: at(2, 0) }, at(0, 0), at(30, 0))).toBeCloseTo(1, 12);
    expect(turnByDrag({ center: at(0, 0), facing: 0, lever: at(0, 0) }, at(0, 0), at(30, 0))).toBe(0);
  });

  it('follows the pointer round an axis that points at the viewer or away, across the back of the circle too', () => {
    const towards: AxisView = { center: at(100, 100), facing: 1, lever: at(1, 0) };
    // From the right to the top: counterclockwise as the viewer sees it.
    expect(turnByDrag(towards, at(140, 100), at(100, 60))).toBeCloseTo(Math.PI / 2, 12);
    expect(turnByDrag({ ...towards, facing: -1 }, at(140, 100), at(100, 60))).toBeCloseTo(-Math.PI / 2, 12);
    expect(turnByDrag(towards, at(60, 99), at(60, 101))).toBeCloseTo(2 * Math.atan(1 / 40), 12);
  });
});
