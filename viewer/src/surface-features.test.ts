import { describe, expect, it } from 'vitest';
import { facetShape, findEdge, findFace, type Point, triangleAt } from './surface-features.js';

const box = facetShape({ type: 'box', size: [2, 4, 6] })!;

describe('faces and edges of meshes', () => {
  it.each([
    [[1, 0.3, -0.2], [1, 0, 0], 24],
    [[-1, 1.9, 2.9], [-1, 0, 0], 24],
    [[0.4, 2, 1], [0, 1, 0], 12],
    [[0.4, -2, 1], [0, -1, 0], 12],
    [[0.4, 1.2, 3], [0, 0, 1], 8],
    [[0.4, 1.2, -3], [0, 0, -1], 8],
  ] as const)('of a box at %s: both triangles, turned outward', (point, normal, area) => {
    const face = findFace(box, triangleAt(box, point))!;
    for (const [k, x] of normal.entries()) expect(face.normal[k]).toBeCloseTo(x, 12);
    expect(face.area).toBeCloseTo(area, 12);
    expect(face.edges).toHaveLength(4);
  });

  it('the edge nearest to the point, whole where several triangles share it', () => {
    // A strip of four squares in a row, each of two triangles with corners of their own.
    const vertices: number[] = [];
    for (let i = 0; i < 4; i++)
      for (const [x, y] of [
        [i, 0],
        [i + 1, 0],
        [i + 1, 1],
        [i, 0],
        [i + 1, 1],
        [i, 1],
      ])
        vertices.push(x, y, 0);
    const strip = {
      vertices: Float64Array.from(vertices),
      triangles: Uint32Array.from({ length: 24 }, (_, i) => i),
    };
    const point: Point = [1.6, 0.2, 0];
    const face = findFace(strip, triangleAt(strip, point))!;
    expect(face.area).toBeCloseTo(4, 12);
    expect(face.edges).toHaveLength(10);
    expect(findEdge(face, point)).toEqual([
      [0, 0, 0],
      [4, 0, 0],
    ]);
    expect(findEdge(face, [3.9, 0.5, 0])).toEqual([
      [4, 0, 0],
      [4, 1, 0],
    ]);
  });

  it('none of what has no flat faces', () => {
    expect(facetShape({ type: 'sphere', radius: 1 })).toBeNull();
    const flat = { vertices: Float64Array.from([0, 0, 0, 1, 0, 0, 2, 0, 0]), triangles: Uint32Array.of(0, 1, 2) };
    expect(findFace(flat, 0)).toBeNull();
  });
});
