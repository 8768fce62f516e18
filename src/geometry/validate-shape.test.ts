import { describe, expect, it } from 'vitest';
import type { Shape } from './shapes.js';
import { validateShape } from './validate-shape.js';

describe('validateShape', () => {
  it('names what is missing of a mesh', () => {
    for (const mesh of [null, undefined, {}])
      expect(() => validateShape({ type: 'mesh', mesh } as unknown as Shape)).toThrow(
        /^validateShape: mesh, got \w+, expected vertices and triangles$/,
      );
  });

  it('refuses octree cells whose place has no square', () => {
    const octree = (resolution: number): Shape => ({ type: 'octree', resolution, cells: Int32Array.of(2e9, 0, 0, 1) });
    expect(() => validateShape(octree(1e92))).toThrow(/octree cells, got one at 2\.\d+e\+101, expected coordinates/);
    expect(() => validateShape(octree(1e80))).not.toThrow();
  });
});
