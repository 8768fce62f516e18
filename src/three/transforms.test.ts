import fc from 'fast-check';
import { Matrix4, Object3D, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { createTransform, poseToTransform, transformPoint } from '../math/transform.js';
import { fromMatrix4, placeObject, toMatrix4, toPose } from './transforms.js';

const coordinate = fc.double({ min: -5, max: 5, noNaN: true });
const poses = fc
  .tuple(coordinate, coordinate, coordinate, coordinate, coordinate, coordinate, coordinate)
  .filter(([, , , x, y, z, w]) => Math.hypot(x, y, z, w) > 0.1)
  .map(([px, py, pz, x, y, z, w]) => {
    const n = Math.hypot(x, y, z, w);
    return [px, py, pz, x / n, y / n, z / n, w / n] as const;
  });

describe('transforms to and from three', () => {
  it('maps points alike', () => {
    fc.assert(
      fc.property(poses, fc.tuple(coordinate, coordinate, coordinate), (pose, point) => {
        const X = poseToTransform(createTransform(), pose);
        const ours = transformPoint(new Float64Array(3), X, point);
        const theirs = new Vector3(...point).applyMatrix4(toMatrix4(new Matrix4(), X));
        expect(Math.hypot(ours[0] - theirs.x, ours[1] - theirs.y, ours[2] - theirs.z)).toBeLessThan(1e-12);
        const object = new Object3D();
        placeObject(object, X);
        const [x, y, z, qx, qy, qz, qw] = toPose(object.position, object.quaternion);
        const again = poseToTransform(createTransform(), [x, y, z, qx, qy, qz, qw]);
        for (let i = 0; i < 12; i++) expect(again[i]).toBeCloseTo(X[i], 10);
      }),
    );
  });

  it('comes back bit for bit, also out of a flat array', () => {
    fc.assert(
      fc.property(poses, (pose) => {
        const flat = new Float64Array(36);
        const X = poseToTransform(createTransform(), pose);
        flat.set(X, 12);
        expect([...fromMatrix4(createTransform(), toMatrix4(new Matrix4(), flat, 12))]).toEqual([...X]);
      }),
    );
  });

  it('refuses scale, mirroring and projection', () => {
    const out = createTransform();
    expect(() => fromMatrix4(out, new Matrix4().makeScale(1, 1, 2))).toThrow(/expected rotation and translation only/);
    expect(() => fromMatrix4(out, new Matrix4().makeScale(1, 1, -1))).toThrow(/expected rotation and translation only/);
    expect(() => fromMatrix4(out, new Matrix4().makePerspective(-1, 1, 1, -1, 1, 10))).toThrow(/expected rotation/);
    expect(() =>
      fromMatrix4(out, new Matrix4().set(Number.NaN, ...([0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] as const))),
    ).toThrow();
  });
});
