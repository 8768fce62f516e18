/** Shapes as buffer geometry, in the shape's own frame (three's cylinders stand along y, ours along z). */
import {
  BoxGeometry,
  type BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three';
import { buildConvexHull } from '../geometry/hull.js';
import type { Shape } from '../geometry/shapes.js';
import { type MeshGeometryOptions, toBufferGeometry } from './mesh-geometry.js';

export interface ShapeGeometryOptions extends MeshGeometryOptions {
  /** Around the axis of round shapes. Default 48. */
  readonly segments?: number;
  /** Edge of the square that stands for a half-space's plane. Default 4. */
  readonly planeSize?: number;
}

export function toShapeGeometry(shape: Shape, options: ShapeGeometryOptions = {}): BufferGeometry {
  const { segments = 48, planeSize = 4 } = options;
  const rings = Math.max(3, segments >> 1);
  switch (shape.type) {
    case 'box':
      return new BoxGeometry(shape.size[0], shape.size[1], shape.size[2]);
    case 'sphere':
      return standUp(new SphereGeometry(shape.radius, segments, rings));
    case 'ellipsoid':
      return standUp(new SphereGeometry(1, segments, rings)).scale(...shape.semiAxes);
    case 'capsule':
      return standUp(new CapsuleGeometry(shape.radius, shape.length, rings >> 1, segments));
    case 'cylinder':
      return standUp(new CylinderGeometry(shape.radius, shape.radius, shape.length, segments));
    case 'cone':
      return standUp(new ConeGeometry(shape.radius, shape.length, segments));
    case 'halfspace': {
      const normal = new Vector3(...shape.normal);
      const geometry = new PlaneGeometry(planeSize, planeSize);
      geometry.applyQuaternion(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal));
      return geometry.translate(normal.x * shape.offset, normal.y * shape.offset, normal.z * shape.offset);
    }
    case 'convex':
      return toBufferGeometry(buildConvexHull(shape.points), { creaseAngle: options.creaseAngle ?? 0.1 });
    case 'mesh':
      return toBufferGeometry(shape.mesh, options);
  }
}

function standUp<T extends BufferGeometry>(geometry: T): T {
  return geometry.rotateX(Math.PI / 2) as T;
}
