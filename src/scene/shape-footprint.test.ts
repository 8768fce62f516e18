/** Footprints of shapes hold every point of the shape, by support in random directions and random turns; a robot's hold its links. */
import { describe, expect, it } from 'vitest';
import type { Shape } from '../geometry/shapes.js';
import { supportShape } from '../geometry/support-shape.js';
import { createRandom } from '../math/random.js';
import { createTransform, poseToTransform, transformPoint } from '../math/transform.js';
import { locatePoint, polygonArea } from '../plane/polygon.js';
import { projectShape } from './shape-footprint.js';

const convex: Shape[] = [
  { type: 'sphere', radius: 0.5 },
  { type: 'box', size: [1, 2, 3] },
  { type: 'capsule', radius: 0.2, length: 1 },
  { type: 'cylinder', radius: 0.4, length: 1 },
  { type: 'cone', radius: 0.4, length: 1 },
  { type: 'ellipsoid', semiAxes: [1, 0.2, 0.5] },
  { type: 'rounded-box', size: [1, 1, 1], radius: 0.2 },
  { type: 'convex', points: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1) },
];

describe('footprints of shapes', () => {
  it('hold every point of a convex shape', () => {
    const random = createRandom(4);
    for (const shape of convex)
      for (let k = 0; k < 20; k++) {
        const q = [random.normal(), random.normal(), random.normal(), random.normal()];
        const n = Math.sqrt(q.reduce((sum, x) => sum + x * x, 0));
        const pose = [random.normal(), random.normal(), random.normal(), ...q.map((x) => x / n)];
        const X = poseToTransform(createTransform(), pose);
        const [polygon, ...others] = projectShape(shape, X);
        expect(others).toEqual([]);
        for (let s = 0; s < 30; s++) {
          const point = supportShape([0, 0, 0], shape, [random.normal(), random.normal(), random.normal()]);
          const [x, y] = transformPoint([0, 0, 0], X, point);
          expect(locatePoint(polygon, [x, y])).toBe('inside');
        }
      }
  });

  it('are as large as they must be, by their sides', () => {
    const area = (sides: number) => polygonArea(projectShape(convex[0], [0, 0, 0, 0, 0, 0, 1], { sides })[0]);
    expect(area(64)).toBeCloseTo(0.25 * 64 * Math.tan(Math.PI / 64), 9);
    expect(area(64)).toBeLessThan(area(16));
  });

  it('leave out what is not at the heights, and go into compounds and clouds', () => {
    const at = [0, 0, 5, 0, 0, 0, 1] as const;
    expect(projectShape(convex[0], at, { low: 6 })).toEqual([]);
    expect(projectShape(convex[0], at, { low: 5.4, high: 9 })).toHaveLength(1);
    const two: Shape = {
      type: 'compound',
      children: [{ shape: convex[0] }, { shape: convex[1], pose: [3, 0, 0, 0, 0, 0, 1] }],
    };
    expect(projectShape(two, at)).toHaveLength(2);
    expect(projectShape({ type: 'points', points: Float64Array.of(0, 0, 0, 4, 0, 0), radius: 0.1 }, at)).toHaveLength(
      2,
    );
    const octree: Shape = { type: 'octree', resolution: 0.5, cells: Int32Array.of(0, 0, 0, 2) };
    expect(polygonArea(projectShape(octree, at)[0])).toBe(1);
    expect(() => projectShape({ type: 'halfspace', normal: [0, 0, 1], offset: 0 }, at)).toThrow(/bounded/);
  });
});
