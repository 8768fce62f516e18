import fc from 'fast-check';
import { PerspectiveCamera, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { fitView } from './fit-view.js';

describe('fitView', () => {
  const coordinate = fc.double({ min: -5, max: 5, noNaN: true });
  const vector = fc.tuple(coordinate, coordinate, coordinate);

  it('leaves free what is covered above and below', () => {
    const points = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => new Vector3(x, y, z))));
    const camera = new PerspectiveCamera(38, 1.2, 0.001, 1000);
    camera.up.set(0, 0, 1);
    const toCamera = new Vector3(0.6, -0.7, 0.4).normalize();
    const { target, distance } = fitView(points, toCamera, camera, { top: 0.1, bottom: 0.3 });
    camera.position.copy(target).addScaledVector(toCamera, distance);
    camera.lookAt(target);
    camera.updateMatrixWorld();
    const heights = points.map((point) => point.clone().project(camera).y);
    // 1 is the upper edge, -1 the lower one.
    expect(Math.max(...heights)).toBeLessThan(0.8);
    expect(Math.min(...heights)).toBeGreaterThan(-0.4);
    expect(Math.max(...heights) - Math.min(...heights)).toBeGreaterThan(1.1);
  });

  it('crops no point, leaves a margin and wastes no more of the tighter direction', () => {
    fc.assert(
      fc.property(
        fc.array(vector, { minLength: 2, maxLength: 20 }),
        fc.tuple(coordinate, coordinate, fc.double({ min: -2, max: 2, noNaN: true })),
        fc.double({ min: 0.3, max: 3, noNaN: true }),
        (list, direction, aspect) => {
          const points = list.map((numbers) => new Vector3(...numbers));
          const toCamera = new Vector3(...direction);
          fc.pre(Math.hypot(toCamera.x, toCamera.y) > 0.05);
          toCamera.normalize();
          // Points in a row towards the camera have no size to it.
          fc.pre(points.some((point) => point.clone().sub(points[0]).cross(toCamera).length() > 0.1));
          const camera = new PerspectiveCamera(38, aspect, 0.001, 1000);
          camera.up.set(0, 0, 1);
          const { target, distance } = fitView(points, toCamera, camera);
          camera.position.copy(target).addScaledVector(toCamera, distance);
          // A camera in one of the points sees it in no direction.
          fc.pre(points.every((point) => point.clone().sub(camera.position).dot(toCamera) < -0.01));
          camera.lookAt(target);
          camera.updateMatrixWorld();
          const seen = points.map((point) => point.clone().project(camera));
          for (const point of points) expect(point.clone().sub(camera.position).dot(toCamera)).toBeLessThan(0);
          const widest = Math.max(...seen.map(({ x, y }) => Math.max(Math.abs(x), Math.abs(y))));
          expect(widest).toBeLessThan(0.9401);
          expect(widest).toBeGreaterThan(0.9399);
        },
      ),
      { numRuns: 300 },
    );
  });
});
