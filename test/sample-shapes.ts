/** Seeded random shapes and poses for suites over all pairs of shape types. */
import { buildConvexHull } from '../src/geometry/hull.js';
import { computeMassProperties } from '../src/geometry/mass-properties.js';
import { voxelizePoints } from '../src/geometry/octree.js';
import { NUMERIC_SHAPES, SHAPES } from '../src/geometry/shapes/index.js';
import type { NumericShape, ShapeField } from '../src/geometry/shapes/operations.js';
import type { Shape, ShapeType, SupportShape, Triple } from '../src/geometry/shapes.js';
import { supportInto } from '../src/geometry/support.js';
import { createSupportCore } from '../src/geometry/support-shape.js';
import type { TriangleMesh } from '../src/geometry/triangle-mesh.js';
import { createQuat, normalizeQuat, type Quat } from '../src/math/quat.js';
import { createRandom, type Random } from '../src/math/random.js';
import { type Pose, poseToTransform, type Transform } from '../src/math/transform.js';

export const shapeTypes: readonly ShapeType[] = [
  'sphere',
  'box',
  'capsule',
  'cylinder',
  'cone',
  'ellipsoid',
  'halfspace',
  'convex',
  'mesh',
  'rounded-box',
  'rounded-cylinder',
  'support',
];

/** Shapes that consist of parts. */
export const partShapeTypes: readonly ShapeType[] = ['octree', 'points', 'heightfield', 'compound'];

/** Unit quaternion, uniform. */
export function sampleRotation(random: Random): Quat {
  return normalizeQuat(createQuat(), [random.normal(), random.normal(), random.normal(), random.normal()]);
}

export function samplePose(random: Random, reach: number): Transform {
  const q = [random.normal(), random.normal(), random.normal(), random.normal()];
  const p = [0, 1, 2].map(() => random.uniform(-reach, reach));
  return poseToTransform(new Float64Array(12), [...p, ...q]);
}

function samplePoints(random: Random, count: number): Float64Array {
  return Float64Array.from({ length: 3 * count }, () => random.uniform(-0.6, 0.6));
}

/** Box mesh with outward triangles, two per face. */
export function createBoxMesh(size: readonly number[], center: readonly number[] = [0, 0, 0]): TriangleMesh {
  const vertices = new Float64Array(24);
  for (let i = 0; i < 8; i++)
    for (let k = 0; k < 3; k++) vertices[3 * i + k] = center[k] + ((i >> k) & 1 ? 0.5 : -0.5) * size[k];
  const quads = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ];
  return { vertices, triangles: Uint32Array.from(quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d])) };
}

/** Both meshes as one; they may overlap. */
export function joinMeshes(a: TriangleMesh, b: TriangleMesh): TriangleMesh {
  const offset = a.vertices.length / 3;
  return {
    vertices: Float64Array.from([...a.vertices, ...b.vertices]),
    triangles: Uint32Array.from([...a.triangles, ...Array.from(b.triangles, (i) => i + offset)]),
  };
}

/** Convex mesh of random points. */
export function sampleHullMesh(random: Random, count = 24): TriangleMesh {
  return buildConvexHull(samplePoints(random, count));
}

export type Rule = (p: readonly number[]) => number;

/** Signed distance to the surface, or a bound of it inside, written without the code under test; of kinds that say none, none. */
export function ruleOf(shape: Shape): Rule {
  switch (shape.type) {
    case 'rounded-box': {
      const half = shape.size.map((x) => x / 2 - shape.radius);
      return (p) => {
        const beyond = p.map((x, k) => Math.abs(x) - half[k]);
        return Math.hypot(...beyond.map((x) => Math.max(x, 0))) + Math.min(0, Math.max(...beyond)) - shape.radius;
      };
    }
    case 'rounded-cylinder': {
      const [r, h] = [shape.radius - shape.edge, shape.length / 2 - shape.edge];
      return ([x, y, z]) => {
        const [side, cap] = [Math.hypot(x, y) - r, Math.abs(z) - h];
        return Math.hypot(Math.max(side, 0), Math.max(cap, 0)) + Math.min(0, Math.max(side, cap)) - shape.edge;
      };
    }
    case 'support':
      return ruleOf(imitated.get(shape)!);
    default:
      throw new RangeError(`ruleOf: type, got ${shape.type}, expected one with a rule`);
  }
}

const imitated = new WeakMap<Shape, Shape>();

/** The same convex shape by its support mapping, as a user would write it. */
export function imitate(shape: Shape): SupportShape {
  const core = createSupportCore(shape);
  const { volume, centerOfMass, inertia } = computeMassProperties(shape, 1);
  const { radius } = core;
  const twin: SupportShape = {
    type: 'support',
    support: (out, direction) => supportInto(out, 0, core, direction),
    ...(radius > 0 && { radius }),
    massProperties: { volume, centerOfMass, inertia },
  };
  imitated.set(twin, shape);
  return twin;
}

/** Of each kind with a core one: those given, and samples of all others. */
export function addConvexSamples(given: readonly Shape[]): Shape[] {
  const others = shapeTypes.filter((type) => SHAPES[type].core !== null && !given.some((shape) => shape.type === type));
  return [...given, ...others.map((type) => sampleShape(createRandom(5), type))];
}

/** A shape of about unit size. */
export function sampleShape(random: Random, type: ShapeType): Shape {
  const size = (): number => random.uniform(0.2, 1.2);
  switch (type) {
    case 'sphere':
      return { type, radius: size() };
    case 'box':
      return { type, size: [size(), size(), size()] };
    case 'capsule':
    case 'cylinder':
    case 'cone':
      return { type, radius: 0.6 * size(), length: size() };
    case 'ellipsoid':
      return { type, semiAxes: [size(), size(), size()] };
    case 'rounded-box': {
      const full: Triple = [size(), size(), size()];
      // Now and then as round as it can be, so that its core is flat.
      const radius = 0.5 * Math.min(...full) * (random.next() < 0.2 ? 1 : random.uniform(0.25, 1));
      return { type, size: full, radius };
    }
    case 'rounded-cylinder': {
      const [radius, length] = [0.6 * size(), size()];
      // Now and then as round as it can be: a capsule or a disc with a radius.
      const edge = Math.min(radius, length / 2) * (random.next() < 0.2 ? 1 : random.uniform(0.25, 1));
      return { type, radius, length, edge };
    }
    case 'support':
      return imitate(sampleShape(random, random.next() < 0.5 ? 'rounded-box' : 'rounded-cylinder'));
    case 'halfspace': {
      const n = [random.normal(), random.normal(), random.normal()];
      const norm = Math.hypot(...n);
      return { type, normal: [n[0] / norm, n[1] / norm, n[2] / norm], offset: random.uniform(-0.5, 0.5) };
    }
    case 'convex':
      return { type, points: samplePoints(random, 4 + random.integer(40)) };
    case 'mesh':
      return { type, mesh: sampleHullMesh(random) };
    case 'octree': {
      const points = Float64Array.from({ length: 3 * (2 + random.integer(30)) }, () => random.uniform(-0.5, 0.5));
      return voxelizePoints(points, 0.25);
    }
    case 'points':
      return { type, points: samplePoints(random, 1 + random.integer(30)), radius: random.uniform(0.05, 0.2) };
    case 'heightfield': {
      const [rows, columns] = [2 + random.integer(4), 2 + random.integer(4)];
      const heights = Float64Array.from({ length: rows * columns }, () => random.uniform(-0.2, 0.3));
      return { type, rows, columns, heights, spacing: [size() / columns, size() / rows], floor: -0.4 };
    }
    case 'compound': {
      const children = (['box', 'capsule', 'convex'] as const).map((child) => {
        const pose = [0, 1, 2].map(() => random.uniform(-0.4, 0.4));
        return {
          shape: scaleShape(sampleShape(random, child), 0.5),
          pose: [...pose, ...sampleRotation(random)] as unknown as Pose,
        };
      });
      return { type, children: [{ shape: { type, children: children.slice(1) } }, children[0]] };
    }
  }
}

/** The same shape `s` times as large. */
export function scaleShape(shape: Shape, s: number): Shape {
  switch (shape.type) {
    case 'convex':
      return { ...shape, points: shape.points.map((x) => s * x) };
    case 'mesh':
      return { ...shape, mesh: { ...shape.mesh, vertices: shape.mesh.vertices.map((x) => s * x) } };
    case 'octree':
      return { ...shape, resolution: s * shape.resolution };
    case 'points':
      return { ...shape, points: shape.points.map((x) => s * x), radius: s * shape.radius };
    case 'heightfield':
      return {
        ...shape,
        heights: shape.heights.map((x) => s * x),
        spacing: [s * shape.spacing[0], s * shape.spacing[1]],
        ...(shape.floor !== undefined && { floor: s * shape.floor }),
      };
    case 'compound':
      return {
        ...shape,
        children: shape.children.map((child) => ({
          shape: scaleShape(child.shape, s),
          pose: child.pose && (child.pose.map((x, i) => (i < 3 ? s * x : x)) as unknown as Pose),
        })),
      };
    case 'support':
      return imitate(scaleShape(imitated.get(shape)!, s));
    default:
      return scaleNumbers(shape, s);
  }
}

/** All numbers but directions. */
function scaleNumbers(shape: NumericShape, s: number): Shape {
  const fields: Readonly<Record<string, ShapeField>> = NUMERIC_SHAPES[shape.type];
  const scale = (value: number | readonly number[]) =>
    typeof value === 'number' ? s * value : value.map((x) => s * x);
  const scaled = Object.entries(shape).map(([name, value]) => [
    name,
    name === 'type' || fields[name].kind === 'vector' ? value : scale(value),
  ]);
  return Object.fromEntries(scaled);
}
