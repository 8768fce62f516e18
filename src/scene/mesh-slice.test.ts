/** Slices of boxes, balls, tubes and overlapping solids; a ball's areas between those of its inscribed polygons; open meshes as walls. */
import { describe, expect, it } from 'vitest';
import { meshCore } from '../geometry/core-surface.js';
import { createSupportCore } from '../geometry/support-shape.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { rowsOf, transformMesh } from '../geometry/triangle-mesh-transform.js';
import { createTransform } from '../math/transform.js';
import { locatePoint, polygonArea } from '../plane/polygon.js';
import { sliceMesh } from './mesh-slice.js';

const core = (shape: Parameters<typeof createSupportCore>[0], segments = 64): TriangleMesh => {
  const { vertices, triangles } = meshCore(createSupportCore(shape), segments);
  return { vertices, triangles: Uint32Array.from(triangles) };
};
const moved = (mesh: TriangleMesh, x: number, y = 0, z = 0): TriangleMesh => {
  const X = createTransform();
  X.set([x, y, z], 9);
  return transformMesh(mesh, rowsOf(X));
};
const together = (...meshes: TriangleMesh[]): TriangleMesh => {
  const vertices: number[] = [];
  const triangles: number[] = [];
  for (const mesh of meshes) {
    const first = vertices.length / 3;
    vertices.push(...mesh.vertices);
    triangles.push(...Array.from(mesh.triangles, (v) => v + first));
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
};
const inverted = ({ vertices, triangles }: TriangleMesh): TriangleMesh => ({
  vertices,
  triangles: triangles.map((_, i) => triangles[i - (i % 3) + [0, 2, 1][i % 3]]),
});
const areaOf = (mesh: TriangleMesh, z: number): number =>
  sliceMesh(mesh, z).polygons.reduce((sum, polygon) => sum + polygonArea(polygon), 0);
const box = core({ type: 'box', size: [2, 1, 1] });

describe('slices', () => {
  it('of a box are its outline, up to its top', () => {
    const { polygons, openEnds } = sliceMesh(box, 0.1);
    expect([polygons.length, openEnds, polygonArea(polygons[0])]).toEqual([1, 0, 2]);
    expect(polygons[0].outer).toHaveLength(4);
    expect([areaOf(box, -0.5), areaOf(box, 0.5), areaOf(box, -0.6), areaOf(inverted(box), 0)]).toEqual([2, 0, 0, 2]);
  });

  it('of a cylinder that lies keep to its chord', () => {
    const mesh = core({ type: 'cylinder', radius: 1, length: 4 }, 256);
    const X = createTransform();
    X.set([1, 0, 0, 0, 0, -1, 0, 1, 0]);
    const turned = transformMesh(mesh, rowsOf(X));
    for (const z of [-0.9, -0.3, 0, 0.45, 0.8]) {
      const exact = 2 * Math.sqrt(1 - z * z) * 4;
      expect(areaOf(turned, z)).toBeLessThanOrEqual(exact + 1e-9);
      expect(areaOf(turned, z)).toBeGreaterThan(exact * 0.995);
    }
  });

  it('have holes where the mesh has hollows, and join what overlaps', () => {
    const shell = together(core({ type: 'box', size: [4, 4, 4] }), inverted(core({ type: 'box', size: [2, 2, 2] })));
    const { polygons } = sliceMesh(shell, 0.5);
    expect(polygons).toHaveLength(1);
    expect(polygons[0].holes).toHaveLength(1);
    expect(locatePoint(polygons[0], [0, 0])).toBe('outside');
    expect(areaOf(shell, 0.5)).toBe(12);
    expect(areaOf(together(box, moved(box, 1)), 0)).toBe(3);
    expect(areaOf(together(box, moved(box, 5)), 0)).toBe(4);
  });

  it('of an open mesh are walls', () => {
    const open = { ...box, triangles: box.triangles.slice(6) };
    const { openEnds, thickness, polygons } = sliceMesh(open, 0.1, { thickness: 0.01 });
    const isCut = openEnds > 0;
    expect(thickness).toBe(isCut ? 0.01 : 0);
    expect(polygons.length).toBeGreaterThan(0);
    const wall = { vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 0, 1), triangles: Uint32Array.of(0, 1, 2) };
    const slice = sliceMesh(wall, 0.5, { thickness: 0.1 });
    expect([slice.openEnds, slice.polygons.length]).toEqual([2, 1]);
    expect(polygonArea(slice.polygons[0])).toBeCloseTo(0.6 * 0.1, 12);
  });
});
