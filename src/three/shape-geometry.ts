/** Shapes as buffer geometry, in the shape's own frame (three's cylinders stand along y, ours along z). */
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  OctahedronGeometry,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three';
import { meshCore } from '../geometry/core-surface.js';
import { meshHeightField } from '../geometry/height-field.js';
import { buildConvexHull } from '../geometry/hull.js';
import { meshOctree } from '../geometry/octree.js';
import type { CompoundChild, PointCloud, Shape, ShapeType } from '../geometry/shapes.js';
import { createSupportCore } from '../geometry/support-shape.js';
import { isShape, validateShape } from '../geometry/validate-shape.js';
import { requireOptions, throwMisuse } from '../math/arguments.js';
import type { MeshGeometryOptions } from './mesh-corners.js';
import { meshToGeometry } from './mesh-geometry.js';
import { SHAPE_OPTIONS } from './three-door.js';

export interface ShapeGeometryOptions extends MeshGeometryOptions {
  /** Around the axis of round shapes. Default 48. */
  readonly segments?: number;
  /** Edge of the square that stands for a half-space's plane. Default 4. */
  readonly planeSize?: number;
}

export function toShapeGeometry(shape: Shape, options: ShapeGeometryOptions = {}): BufferGeometry {
  if (!isShape(shape)) throwMisuse('toShapeGeometry', 'shape', shape, "a shape, e.g. { type: 'box', size }");
  validateShape(shape);
  requireOptions('toShapeGeometry', options, SHAPE_OPTIONS);
  return shapeToGeometry(shape, options);
}

/** Of round shapes: parts around the axis, rings from pole to pole. */
interface Fineness extends ShapeGeometryOptions {
  readonly segments: number;
  readonly rings: number;
}

/** Any convex shape, by its support mapping. */
function drawCore(shape: Shape, { segments, creaseAngle }: Fineness): BufferGeometry {
  return meshToGeometry(meshCore(createSupportCore(shape), segments), creaseAngle);
}

/** How each kind is drawn; one that is missing does not compile. */
const DRAW: {
  readonly [Type in ShapeType]: (shape: Extract<Shape, { type: Type }>, options: Fineness) => BufferGeometry;
} = {
  box: ({ size }) => new BoxGeometry(size[0], size[1], size[2]),
  sphere: ({ radius }, { segments, rings }) => standUp(new SphereGeometry(radius, segments, rings)),
  ellipsoid: ({ semiAxes }, { segments, rings }) =>
    standUp(new SphereGeometry(1, segments, rings)).scale(semiAxes[0], semiAxes[1], semiAxes[2]),
  capsule: ({ radius, length }, { segments, rings }) =>
    standUp(new CapsuleGeometry(radius, length, rings >> 1, segments)),
  cylinder: ({ radius, length }, { segments }) => standUp(new CylinderGeometry(radius, radius, length, segments)),
  cone: ({ radius, length }, { segments }) => standUp(new ConeGeometry(radius, length, segments)),
  halfspace: ({ normal: [x, y, z], offset }, { planeSize = 4 }) => {
    const normal = new Vector3(x, y, z);
    const geometry = new PlaneGeometry(planeSize, planeSize);
    geometry.applyQuaternion(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal));
    return geometry.translate(normal.x * offset, normal.y * offset, normal.z * offset);
  },
  'rounded-box': drawCore,
  'rounded-cylinder': drawCore,
  support: drawCore,
  convex: ({ points }, { creaseAngle = 0.1 }) => meshToGeometry(buildConvexHull(points), creaseAngle),
  mesh: ({ mesh }, { creaseAngle }) => meshToGeometry(mesh, creaseAngle),
  octree: (shape, { creaseAngle }) => meshToGeometry(meshOctree(shape), creaseAngle),
  heightfield: (shape, { creaseAngle }) => meshToGeometry(meshHeightField(shape), creaseAngle),
  points: (shape, { segments }) => repeatBall(shape, segments),
  compound: ({ children }, options) => joinGeometries(children.map((child) => placeChild(child, options))),
};

/** @internal Whatever the shape's sizes: what is only looked at may have none. */
export function shapeToGeometry(shape: Shape, options: ShapeGeometryOptions): BufferGeometry {
  const { segments = 48 } = options;
  const draw = DRAW[shape.type] as (shape: Shape, options: Fineness) => BufferGeometry;
  return draw(shape, { ...options, segments, rings: Math.max(3, segments >> 1) });
}

/** Balls up to here get `segments`; more get octahedra, so that a cloud of a million points still draws. */
const ROUND_BALLS = 500;

function repeatBall({ points, radius }: PointCloud, segments: number): BufferGeometry {
  const few = points.length / 3 <= ROUND_BALLS;
  const ball = few ? new SphereGeometry(radius, Math.min(segments, 16), 8) : new OctahedronGeometry(radius);
  const parts: BufferGeometry[] = [];
  for (let i = 0; i < points.length; i += 3)
    parts.push(ball.clone().translate(points[i], points[i + 1], points[i + 2]));
  return joinGeometries(parts);
}

function placeChild({ shape, pose = [0, 0, 0, 0, 0, 0, 1] }: CompoundChild, options: ShapeGeometryOptions) {
  const [x, y, z, qx, qy, qz, qw] = pose;
  return shapeToGeometry(shape, options)
    .applyQuaternion(new Quaternion(qx, qy, qz, qw).normalize())
    .translate(x, y, z);
}

/** One geometry of several, without index: positions and normals only. */
function joinGeometries(parts: readonly BufferGeometry[]): BufferGeometry {
  const flat = parts.map((part) => (part.index ? part.toNonIndexed() : part));
  const joined = new BufferGeometry();
  for (const name of ['position', 'normal']) {
    const values = new Float32Array(flat.reduce((sum, part) => sum + part.getAttribute(name).array.length, 0));
    let at = 0;
    for (const part of flat) {
      const { array } = part.getAttribute(name);
      values.set(array, at);
      at += array.length;
    }
    joined.setAttribute(name, new BufferAttribute(values, 3));
  }
  return joined;
}

function standUp<T extends BufferGeometry>(geometry: T): T {
  return geometry.rotateX(Math.PI / 2) as T;
}
