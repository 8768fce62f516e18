/**
 * Footprints of shapes and robots: polygons of the plane that contain everything of them, seen from above.
 *
 * A convex shape is within its supporting lines in `sides` directions, each moved out by what rounding may have taken; meshes, octrees and
 * height fields are projected by their triangles (footprint.ts), a cloud's points as balls. A robot's are those of its links where it stands.
 * With heights, shapes whose bounds lie outside are left out; others count whole, but for triangles outside.
 *
 * World frame, metres. A half-space has no footprint: misuse. Cost: O(sides) for each convex shape, else that of projecting a mesh. Tested by
 * shape-footprint.test.ts.
 */
import { meshHeightField } from '../geometry/height-field.js';
import { meshOctree } from '../geometry/octree.js';
import { operationsOf } from '../geometry/shapes/index.js';
import type { Shape } from '../geometry/shapes.js';
import { type SupportCore, supportCore } from '../geometry/support.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { rowsOf, transformMesh } from '../geometry/triangle-mesh-transform.js';
import { validateShape } from '../geometry/validate-shape.js';
import { requireCount, requireNumber, requireOptions, requirePositiveNumber, throwMisuse } from '../math/arguments.js';
import { cos, sin } from '../math/scalar.js';
import {
  createTransform,
  multiplyTransform,
  type Pose,
  poseToTransform,
  type Transform,
  transformPoint,
} from '../math/transform.js';
import type { PlanePoint, Polygon } from '../plane/polygon.js';
import { projectMesh } from './footprint.js';
import { readPlacement, requireRobot } from './scene-door.js';
import type { SceneRobot } from './types.js';
import { updateRobot } from './update.js';

export interface ShapeFootprintOptions {
  /** Heights between which shapes count, both included; all unless said otherwise. */
  readonly low?: number;
  readonly high?: number;
  /** Sides of a convex shape's polygon; 32 unless said otherwise. */
  readonly sides?: number;
  /** Width of upright triangles that bound no other one; 1e-6 of the footprint's extent unless said otherwise. */
  readonly thickness?: number;
}

const SIDES = 32;
/** Per unit of a coordinate: above what turning a shape and asking for its support may be off. */
const ROUNDING = 1e-13;

const optionFields = {
  low: requireNumber,
  high: requireNumber,
  sides: (call: string, what: string, value: unknown) => requireCount(call, what, value, 3),
  thickness: requirePositiveNumber,
};

/** `placement`: of the shape in the world. */
export function projectShape(
  shape: Shape,
  placement: Transform | Pose,
  options: ShapeFootprintOptions = {},
): readonly Polygon[] {
  validateShape(shape);
  requireOptions('projectShape', options, optionFields);
  const X = createTransform();
  readPlacement(X, 'projectShape', placement);
  return project(shape, X, options);
}

/** Everything of a robot's links as it stands; polygons may overlap. */
export function projectRobot(robot: SceneRobot, options: ShapeFootprintOptions = {}): readonly Polygon[] {
  requireRobot('projectRobot', robot);
  requireOptions('projectRobot', options, optionFields);
  updateRobot(robot);
  return robot.links.flatMap(({ body }) =>
    body.parts.flatMap(({ shape, worldPlacement }) => project(shape, worldPlacement, options)),
  );
}

function project(shape: Shape, X: Transform, options: ShapeFootprintOptions): readonly Polygon[] {
  if (shape.type === 'halfspace') throwMisuse('projectShape', 'shape', shape.type, 'a shape that is bounded');
  if (shape.type === 'compound')
    return shape.children.flatMap(({ shape: child, pose }) => {
      const own =
        pose === undefined ? X : multiplyTransform(createTransform(), X, poseToTransform(createTransform(), pose));
      return project(child, own, options);
    });
  const { low = -Infinity, high = Infinity, thickness } = options;
  const operations = operationsOf(shape);
  const bounds = new Float64Array(6);
  operations.bound(bounds, shape, X);
  if (bounds[2] > high || bounds[5] < low) return [];
  const core = operations.core?.(shape) ?? null;
  if (core !== null) return [surround(core, X, options.sides ?? SIDES)];
  if (shape.type === 'points') {
    const balls: Polygon[] = [];
    for (let i = 0; i < shape.points.length; i += 3) {
      const own = createTransform();
      own.set(X);
      own.set(transformPoint(new Float64Array(3), X, shape.points.subarray(i, i + 3)), 9);
      balls.push(...project({ type: 'sphere', radius: shape.radius }, own, options));
    }
    return balls;
  }
  const mesh = toMesh(shape);
  return projectMesh(transformMesh(mesh, rowsOf(X)), { low, high, thickness }).polygons;
}

function toMesh(shape: Shape): TriangleMesh {
  if (shape.type === 'mesh') return shape.mesh;
  if (shape.type === 'octree') return meshOctree(shape);
  if (shape.type === 'heightfield') return meshHeightField(shape);
  return throwMisuse('projectShape', 'shape', shape.type, 'a shape that has triangles');
}

/** The polygon of a core's supporting lines. */
function surround(core: SupportCore, X: Transform, sides: number): Polygon {
  const point = new Float64Array(3);
  const size = Math.abs(X[9]) + Math.abs(X[10]) + core.radius;
  const lines = Array.from({ length: sides }, (_, k) => {
    const angle = (2 * Math.PI * k) / sides;
    const [c, s] = [cos(angle), sin(angle)];
    // The direction in the shape's frame: rotations turn back by their transpose.
    supportCore(point, core, X[0] * c + X[3] * s, X[1] * c + X[4] * s, X[2] * c + X[5] * s);
    const x = X[0] * point[0] + X[1] * point[1] + X[2] * point[2] + X[9];
    const y = X[3] * point[0] + X[4] * point[1] + X[5] * point[2] + X[10];
    const reach = Math.abs(point[0]) + Math.abs(point[1]) + Math.abs(point[2]) + size;
    return { c, s, h: c * x + s * y + core.radius + ROUNDING * reach };
  });
  const outer = lines.map((line, k): PlanePoint => {
    const next = lines[(k + 1) % sides];
    const det = line.c * next.s - line.s * next.c;
    return [(line.h * next.s - next.h * line.s) / det, (next.h * line.c - line.h * next.c) / det];
  });
  return { outer };
}
