import { describe, expect, it } from 'vitest';
import { ADDED_KINDS, createAddedShape, listSizes, scaleShape, withSizes } from './object-shapes.js';

describe('shapes that can be resized', () => {
  it.each(ADDED_KINDS)('%s: sizes in, sizes out; factors of 1 change nothing', (kind) => {
    const shape = createAddedShape(kind, 0.2);
    const sizes = listSizes(shape).map(({ value }) => value);
    expect(withSizes(shape, sizes)).toEqual(shape);
    expect(scaleShape(shape, [1, 1, 1])).toEqual(shape);
    const twice = listSizes(scaleShape(shape, [2, 2, 2])).map(({ value }) => value);
    for (const [i, size] of sizes.entries()) expect(twice[i]).toBeCloseTo(2 * size, 14);
  });

  it('scales along axes, keeps round shapes round, and nothing vanishes or turns inside out', () => {
    expect(scaleShape({ type: 'box', size: [1, 1, 1] }, [2, 1, -0.5])).toEqual({ type: 'box', size: [2, 1, 0.5] });
    expect(scaleShape({ type: 'sphere', radius: 1 }, [1, 0.4, 1.2])).toEqual({ type: 'sphere', radius: 0.4 });
    expect(scaleShape({ type: 'cylinder', radius: 1, length: 2 }, [1, 3, 0.5])).toEqual({
      type: 'cylinder',
      radius: 3,
      length: 1,
    });
    expect(scaleShape({ type: 'box', size: [1, 1, 1] }, [0, 1, 1])).toEqual({ type: 'box', size: [1e-3, 1, 1] });
  });
});
