import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { boundShape } from './aabb.js';
import { computeMassProperties } from './mass-properties.js';
import { mergeCells, meshOctree, voxelizePoints } from './octree.js';

/** Unit cells that cubes cover, as text, with repeats. */
function unitCells(cells: Int32Array): string[] {
  const out: string[] = [];
  for (let i = 0; i < cells.length; i += 4)
    for (let x = 0; x < cells[i + 3]; x++)
      for (let y = 0; y < cells[i + 3]; y++)
        for (let z = 0; z < cells[i + 3]; z++) out.push(`${cells[i] + x},${cells[i + 1] + y},${cells[i + 2] + z}`);
  return out.sort();
}

describe('voxelizePoints', () => {
  it('covers the cells of the points, each once, negative coordinates included', () => {
    const random = createRandom(3);
    const points = Float64Array.from({ length: 3000 }, () => random.uniform(-1, 1));
    const { cells, resolution } = voxelizePoints(points, 0.25);
    const expected = new Set<string>();
    for (let i = 0; i < points.length; i += 3)
      expected.add([0, 1, 2].map((k) => Math.floor(points[i + k] / resolution)).join());
    expect(unitCells(cells)).toEqual([...expected].sort());
    // 1000 points in 512 cells leave full octants, which merge.
    expect(cells.length / 4).toBeLessThan(expected.size);
  });

  it('merges a full block to one cube, over several levels', () => {
    const points: number[] = [];
    for (let x = -8; x < 0; x++)
      for (let y = 0; y < 8; y++) for (let z = 8; z < 16; z++) points.push(x + 0.5, y + 0.5, z + 0.5);
    expect(Array.from(voxelizePoints(points, 1).cells)).toEqual([-8, 0, 8, 8]);
  });

  it('throws on what has no cells', () => {
    expect(() => voxelizePoints([], 1)).toThrow(/points/);
    expect(() => voxelizePoints([0, 0, 0], 0)).toThrow(/resolution/);
    expect(() => voxelizePoints([0, Number.NaN, 0], 1)).toThrow(/points\[1\]/);
    expect(() => voxelizePoints([1e12, 0, 0], 1e-3)).toThrow(/cells/);
  });
});

describe('mergeCells', () => {
  it('keeps the union and is the same for any order; other cubes stay', () => {
    const cells = Int32Array.of(0, 0, 0, 1, 1, 0, 0, 1, 5, 0, 0, 3, 1, 1, 0, 2);
    expect(unitCells(mergeCells(cells))).toEqual(unitCells(cells));
    expect(mergeCells(cells).length).toBe(cells.length);
  });
});

describe('octree as geometry', () => {
  it('has the mass properties and bounds of its cubes', () => {
    const shape = { type: 'octree', resolution: 0.5, cells: Int32Array.of(-1, -1, -1, 2) } as const;
    const own = computeMassProperties(shape, 2);
    const box = computeMassProperties({ type: 'box', size: [1, 1, 1] }, 2);
    expect(own.volume).toBeCloseTo(1, 14);
    for (let k = 0; k < 9; k++) expect(own.inertia[k]).toBeCloseTo(box.inertia[k], 14);
    const split = computeMassProperties({ ...shape, cells: Int32Array.of(-1, -1, -1, 1, 0, 0, 0, 1) }, 1);
    expect(split.volume).toBeCloseTo(0.25, 14);
    expect(Array.from(boundShape(new Float64Array(6), shape, [1, 0, 0, 0, 1, 0, 0, 0, 1, 3, 0, 0]))).toEqual([
      2.5, -0.5, -0.5, 3.5, 0.5, 0.5,
    ]);
  });

  it('has a mesh whose closed parts bound the volume', () => {
    const { vertices, triangles } = meshOctree({
      type: 'octree',
      resolution: 1,
      cells: Int32Array.of(0, 0, 0, 1, 1, 0, 0, 1),
    });
    expect(triangles.length / 3).toBe(20);
    expect(computeMassProperties({ type: 'mesh', mesh: { vertices, triangles } }, 1).volume).toBeCloseTo(2, 12);
  });
});
