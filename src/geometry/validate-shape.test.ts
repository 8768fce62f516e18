import { describe, expect, it } from 'vitest';
import type { Shape } from './shapes.js';
import { validateShape } from './validate-shape.js';

describe('validateShape', () => {
  it('names what is missing of a mesh', () => {
    for (const mesh of [null, undefined, {}])
      expect(() => validateShape({ type: 'mesh', mesh } as unknown as Shape)).toThrow(
        /^validateShape: mesh(\.vertices)?, got [\w ]+, expected (an object with arrays vertices and triangles|a Float64Array .*)$/,
      );
  });

  it('refuses octree cells whose place is out of range', () => {
    const octree = (resolution: number): Shape => ({ type: 'octree', resolution, cells: Int32Array.of(2e9, 0, 0, 1) });
    expect(() => validateShape(octree(1e6))).toThrow(/octree cells, got one at 2000000001000000, expected coordinates/);
    expect(() => validateShape(octree(1e5))).not.toThrow();
  });
});
