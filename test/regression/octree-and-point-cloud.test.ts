/** Faults other engines had with octrees and point clouds. */
import { describe, expect, it } from 'vitest';
import { voxelizePoints } from '../../src/geometry/octree.js';
import type { Shape } from '../../src/geometry/shapes.js';
import { poseToTransform, type Transform } from '../../src/math/transform.js';
import { collide } from '../../src/narrowphase/collide.js';
import { createCollider } from '../../src/narrowphase/collider.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult } from '../../src/narrowphase/query.js';
import { isWithin } from '../../src/narrowphase/tolerance.js';

function at(x: number, y: number, z: number): Transform {
  return poseToTransform(new Float64Array(12), [x, y, z, 0, 0, 0, 1]);
}

describe('octree / point cloud', () => {
  it('U065: the nearer of two voxels is 0.4 from a box, in world, either way round', () => {
    const centers = Float64Array.of(1.05, 0.05, 0.05, 9.05, 0.05, 0.05);
    const octree = createCollider(voxelizePoints(centers, 0.1));
    const box = createCollider({ type: 'box', size: [1, 1, 1] });
    for (const [x, y, z] of [
      [0, 0, 0],
      [-3, 7, 2],
    ]) {
      const X = at(x, y, z);
      const Y = at(10 + x, y, z);
      const r = distance(createDistanceResult(), octree, X, box, Y);
      expect(r.status).toBe('ok');
      expect(r.distance).toBeCloseTo(0.4, 12);
      expect(r.pointA[0]).toBeCloseTo(9.1 + x, 12);
      expect(r.pointB[0]).toBeCloseTo(9.5 + x, 12);
      for (let k = 0; k < 3; k++) expect(r.pointB[k] - r.pointA[k]).toBeCloseTo([0.4, 0, 0][k], 12);
      expect(r.featureA).toBe(1);
      const back = distance(createDistanceResult(), box, Y, octree, X);
      expect(back.distance).toBeCloseTo(0.4, 12);
      expect(back.featureB).toBe(1);
      expect(collide(octree, X, box, Y)).toBe(false);
      expect(isWithin(box, Y, octree, X, 0.41)).toBe(true);
      expect(isWithin(box, Y, octree, X, 0.39)).toBe(false);
    }
  });

  it('U067: a ball in a table of points is in collision, and free again above it', () => {
    const points: number[] = [];
    for (let i = -60; i <= 60; i++) for (let j = -60; j <= 60; j++) points.push(0.01 * i, 0.01 * j, 0.5);
    const cloud: Shape = { type: 'points', points: Float64Array.from(points), radius: 0.005 };
    const table = createCollider(cloud);
    const ball = createCollider({ type: 'sphere', radius: 0.05 });
    const W = at(0, 0, 0);
    const inside = at(0.003, 0.004, 0.5);
    const above = at(0.003, 0.004, 0.56);
    expect(collide(table, W, ball, inside)).toBe(true);
    expect(collide(ball, inside, table, W)).toBe(true);
    expect(collide(table, W, ball, above)).toBe(false);
    const r = distance(createDistanceResult(), table, W, ball, above);
    // The nearest point is (0, 0, 0.5).
    expect(r.distance).toBeCloseTo(Math.hypot(0.003, 0.004, 0.06) - 0.055, 12);
    const deep = distance(createDistanceResult(), table, W, ball, inside);
    expect(deep.distance).toBeLessThan(-0.054);
    expect(Math.abs(deep.normal[2])).toBeGreaterThan(0.99);
  });
});
