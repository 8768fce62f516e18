/**
 * Random shapes that hold shapes that hold shapes, and the same shapes taken apart into placed leaves (convex shapes,
 * triangles, whole meshes) without the library's own loader: the brute force that every query of containers is held to.
 */
import { countTriangles, loadFieldTriangle } from '../../src/geometry/height-field.js';
import type { CompoundChild, Shape, ShapeType } from '../../src/geometry/shapes.js';
import type { Random } from '../../src/math/random.js';
import { multiplyTransform, type Pose, poseToTransform, type Transform } from '../../src/math/transform.js';
import { type Collider, createCollider } from '../../src/narrowphase/collider.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult } from '../../src/narrowphase/query.js';
import { createBoxMesh, joinMeshes, samplePose, sampleShape, scaleShape } from '../sample-shapes.js';
import { createBumpySphere } from './solid-meshes.js';

export interface Leaf {
  readonly collider: Collider;
  /** In the frame of the whole shape. */
  readonly X: Transform;
}

/** What a container may hold; a mesh comes closed and convex, closed and not convex, in surface mode, or open. */
export type LeafKind = Exclude<ShapeType, 'halfspace' | 'compound'> | 'knobs' | 'surface' | 'sheet' | 'field';
export const leafKinds: readonly LeafKind[] = [
  'sphere',
  'box',
  'capsule',
  'cylinder',
  'cone',
  'ellipsoid',
  'convex',
  'mesh',
  'knobs',
  'surface',
  'sheet',
  'octree',
  'points',
  'heightfield',
  'field',
];

/** A shape of about unit size. */
export function sampleLeaf(random: Random, kind: LeafKind): Shape {
  switch (kind) {
    case 'knobs':
      return { type: 'mesh', mesh: createBumpySphere(6, 0.4) };
    case 'surface':
      return {
        type: 'mesh',
        mesh: joinMeshes(createBoxMesh([0.5, 0.7, 0.3]), createBoxMesh([0.1, 0.2, 0.1])),
        mode: 'surface',
      };
    case 'sheet': {
      const { vertices, triangles } = createBumpySphere(5, 0.3);
      return { type: 'mesh', mesh: { vertices, triangles: triangles.slice(0, 60) } };
    }
    case 'field': {
      const { floor: _, ...open } = sampleShape(random, 'heightfield') as Shape & { type: 'heightfield' };
      return open;
    }
    default:
      return sampleShape(random, kind);
  }
}

/** A leaf of the kind inside `depth` compounds, each with up to two others beside it. */
export function sampleNested(random: Random, kind: LeafKind, depth: number): Shape {
  let shape = sampleLeaf(random, kind);
  for (let level = 0; level < depth; level++) {
    const children: CompoundChild[] = [{ shape, pose: samplePlacement(random, 0.4) }];
    for (let i = random.integer(3); i > 0; i--) {
      const beside = sampleLeaf(random, leafKinds[random.integer(leafKinds.length)]);
      const pose = random.uniform(0, 1) < 0.2 ? undefined : samplePlacement(random, 0.9);
      children.splice(random.integer(children.length + 1), 0, { shape: scaleShape(beside, 0.4), pose });
    }
    shape = { type: 'compound', children };
  }
  return shape;
}

function samplePlacement(random: Random, reach: number): Pose {
  const p = [0, 1, 2].map(() => random.uniform(-reach, reach));
  const normals = random.uniform(0, 1) < 0.3 ? [0, 0, 0, 1] : [0, 0, 0, 0].map(() => random.normal());
  const norm = Math.sqrt(normals.reduce((sum, x) => sum + x * x, 0));
  const q = normals.map((x) => x / norm);
  return [...p, ...q] as unknown as Pose;
}

function at(x: number, y: number, z: number): Transform {
  return poseToTransform(new Float64Array(12), [x, y, z, 0, 0, 0, 1]);
}

/** The leaves of a shape; their colliders belong to the caller. */
export function listLeaves(shape: Shape): Leaf[] {
  switch (shape.type) {
    case 'octree': {
      const out: Leaf[] = [];
      for (let i = 0; i < shape.cells.length; i += 4) {
        const size = shape.cells[i + 3] * shape.resolution;
        const [x, y, z] = [0, 1, 2].map((k) => shape.cells[i + k] * shape.resolution + size / 2);
        out.push({ collider: createCollider({ type: 'box', size: [size, size, size] }), X: at(x, y, z) });
      }
      return out;
    }
    case 'points': {
      const ball = createCollider({ type: 'sphere', radius: shape.radius });
      const { points: p } = shape;
      return Array.from({ length: p.length / 3 }, (_, i) => ({
        collider: ball,
        X: at(p[3 * i], p[3 * i + 1], p[3 * i + 2]),
      }));
    }
    case 'heightfield':
      return Array.from({ length: countTriangles(shape) }, (_, t) => {
        const points = new Float64Array(shape.floor === undefined ? 9 : 18);
        loadFieldTriangle(points, shape, t);
        for (let c = 9; c < points.length; c++) points[c] = c % 3 === 2 ? (shape.floor as number) : points[c - 9];
        return { collider: createCollider({ type: 'convex', points }), X: at(0, 0, 0) };
      });
    case 'compound':
      return shape.children.flatMap(({ shape: child, pose }) => {
        const X = poseToTransform(new Float64Array(12), pose ?? [0, 0, 0, 0, 0, 0, 1]);
        return listLeaves(child).map((leaf) => ({ ...leaf, X: multiplyTransform(new Float64Array(12), X, leaf.X) }));
      });
    default:
      return [{ collider: createCollider(shape), X: at(0, 0, 0) }];
  }
}

/** Whether every leaf has an inside that counts. */
export function isSolidShape(shape: Shape): boolean {
  if (shape.type === 'heightfield') return shape.floor !== undefined;
  if (shape.type === 'compound') return shape.children.every((child) => isSolidShape(child.shape));
  if (shape.type !== 'mesh') return true;
  const collider = createCollider(shape);
  const { isSolid } = collider;
  collider.dispose();
  return isSolid;
}

const P = new Float64Array(12);
const Q = new Float64Array(12);
const nearest = createDistanceResult();

/** Smallest signed distance over all pairs of leaves. */
export function measureLeaves(a: readonly Leaf[], X_WA: Transform, b: readonly Leaf[], X_WB: Transform): number {
  let best = Infinity;
  for (const p of a)
    for (const q of b) {
      multiplyTransform(P, X_WA, p.X);
      multiplyTransform(Q, X_WB, q.X);
      const r = distance(nearest, p.collider, P, q.collider, Q, { upperBound: Math.max(best, 0) });
      if (r.status !== 'beyond-bound') best = Math.min(best, r.distance);
    }
  return best;
}

export { samplePose };
