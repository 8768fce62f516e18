import { Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import type { Shape } from '../geometry/shapes.js';
import { toTriangleMesh } from './mesh-geometry.js';
import { toShapeGeometry } from './shape-geometry.js';

const tetrahedron = Float64Array.from([0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0.1, 0.1, 0.1]);
const cases: readonly (readonly [Shape, readonly number[], readonly number[]])[] = [
  [{ type: 'box', size: [1, 2, 3] }, [-0.5, -1, -1.5], [0.5, 1, 1.5]],
  [{ type: 'sphere', radius: 2 }, [-2, -2, -2], [2, 2, 2]],
  [{ type: 'ellipsoid', semiAxes: [1, 2, 3] }, [-1, -2, -3], [1, 2, 3]],
  [{ type: 'capsule', radius: 0.5, length: 2 }, [-0.5, -0.5, -1.5], [0.5, 0.5, 1.5]],
  [{ type: 'cylinder', radius: 0.5, length: 2 }, [-0.5, -0.5, -1], [0.5, 0.5, 1]],
  [{ type: 'cone', radius: 0.5, length: 2 }, [-0.5, -0.5, -1], [0.5, 0.5, 1]],
  [{ type: 'convex', points: tetrahedron }, [0, 0, 0], [1, 2, 3]],
  [{ type: 'halfspace', normal: [0, 0, 1], offset: 0.25 }, [-2, -2, 0.25], [2, 2, 0.25]],
  [{ type: 'halfspace', normal: [-1, 0, 0], offset: 1 }, [-1, -2, -2], [-1, 2, 2]],
];

describe('toShapeGeometry', () => {
  it.each(cases)('fills the bounds of $type', (shape, low, high) => {
    const geometry = toShapeGeometry(shape);
    geometry.computeBoundingBox();
    const { min, max } = geometry.boundingBox!;
    // Round shapes are polygons of 48 sides here.
    for (const [got, want] of [
      [min, low],
      [max, high],
    ] as const) {
      expect(got.distanceTo(new Vector3(...(want as [number, number, number])))).toBeLessThan(0.03);
    }
  });

  it("draws a half-space's plane as large as asked for, in its place", () => {
    const geometry = toShapeGeometry({ type: 'halfspace', normal: [0, 1, 0], offset: -0.5 }, { planeSize: 10 });
    geometry.computeBoundingBox();
    const { min, max } = geometry.boundingBox!;
    expect(min.distanceTo(new Vector3(-5, -0.5, -5))).toBeLessThan(1e-6);
    expect(max.distanceTo(new Vector3(5, -0.5, 5))).toBeLessThan(1e-6);
  });

  it('points the cone up', () => {
    const { vertices } = toTriangleMesh(toShapeGeometry({ type: 'cone', radius: 0.5, length: 2 }));
    for (let v = 0; v < vertices.length; v += 3) {
      if (vertices[v + 2] > 0.9) expect(Math.hypot(vertices[v], vertices[v + 1])).toBeLessThan(1e-6);
    }
  });
});
