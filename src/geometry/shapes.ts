/**
 * Shapes as data. Every shape sits in its own frame: box, sphere, ellipsoid centred; capsule, cylinder and cone
 * along local z, centred (cone: base at -length/2, apex at +length/2); capsule `length` excludes the caps.
 * Half-space: the solid { x : normal . x <= offset }, normal a unit vector.
 * Lengths in metres (any unit works as long as a scene is consistent).
 */
import type { Pose } from '../math/transform.js';
import type { MassProperties } from './shapes/moments.js';
import type { SupportFunction } from './support.js';
import type { TriangleMesh } from './triangle-mesh.js';

export type Triple = readonly [number, number, number];

export interface Sphere {
  readonly type: 'sphere';
  readonly radius: number;
}
export interface Box {
  readonly type: 'box';
  /** Full edge lengths. */
  readonly size: Triple;
}
/** A box with round edges and corners. */
export interface RoundedBox {
  readonly type: 'rounded-box';
  /** Full outer edge lengths. */
  readonly size: Triple;
  /** Of edges and corners; at most half of the smallest size. */
  readonly radius: number;
}
/** A cylinder along z with round rims. */
export interface RoundedCylinder {
  readonly type: 'rounded-cylinder';
  /** Outer sizes. */
  readonly radius: number;
  readonly length: number;
  /** Radius of the rims; at most the radius and half of the length. */
  readonly edge: number;
}
export interface Capsule {
  readonly type: 'capsule';
  readonly radius: number;
  readonly length: number;
}
export interface Cylinder {
  readonly type: 'cylinder';
  readonly radius: number;
  readonly length: number;
}
export interface Cone {
  readonly type: 'cone';
  readonly radius: number;
  readonly length: number;
}
export interface Ellipsoid {
  readonly type: 'ellipsoid';
  readonly semiAxes: Triple;
}
export interface HalfSpace {
  readonly type: 'halfspace';
  readonly normal: Triple;
  readonly offset: number;
}
/**
 * A convex shape of your own, by its support mapping. What it says is taken at its word, but for what can be seen at the door; it is
 * called some ten times per query, must give the same point for the same direction, and may ask no queries itself. A function is no
 * data: such shapes stand in no files, and no worker is sent them.
 */
export interface SupportShape {
  readonly type: 'support';
  /** Writes the point of the shape that lies farthest along `direction`, a unit vector, to out[0 .. 2]; both in the shape's frame. */
  readonly support: SupportFunction;
  /** Of a ball that the shape is grown by: exact, and cheaper than in the function. Default 0. */
  readonly radius?: number;
  /** Of the whole at density 1, for those who ask; the centre of mass is found by nothing else. */
  readonly massProperties?: Pick<MassProperties, 'volume' | 'centerOfMass' | 'inertia'>;
}
/** Convex hull of a point set. */
export interface Convex {
  readonly type: 'convex';
  /** 3 numbers per point; points inside the hull are allowed. */
  readonly points: Float64Array;
}
/** `surface`: only triangles count, containment is free. `solid`: watertight only, the interior counts. */
export type MeshMode = 'surface' | 'solid';
export interface Mesh {
  readonly type: 'mesh';
  readonly mesh: TriangleMesh;
  /** Default: solid when watertight, surface otherwise. */
  readonly mode?: MeshMode;
}

/** Occupied cubes of a regular grid through the origin: an occupancy map, or points sorted into cells. */
export interface Octree {
  readonly type: 'octree';
  /** Edge of a cell. */
  readonly resolution: number;
  /** 4 integers per cube: x y z of its lowest corner and its edge, all in cells. Cubes may touch, and may overlap. */
  readonly cells: Int32Array;
}
/** Balls of one radius about points. */
export interface PointCloud {
  readonly type: 'points';
  /** 3 numbers per point. */
  readonly points: Float64Array;
  readonly radius: number;
}
/**
 * A grid of heights over the xy plane, centred on the z axis: sample (row i, column j) stands at
 * x = (j - (columns - 1) / 2) spacing[0], y = (i - (rows - 1) / 2) spacing[1], z = heights[i columns + j].
 * Each square of four samples is two triangles that meet on the diagonal from (i, j) to (i + 1, j + 1).
 */
export interface HeightField {
  readonly type: 'heightfield';
  readonly rows: number;
  readonly columns: number;
  /** rows x columns, row-major. */
  readonly heights: Float64Array;
  /** Between columns (along x) and between rows (along y). */
  readonly spacing: readonly [number, number];
  /** Solid from the surface down to this z, which no height is below. Without it only the surface counts. */
  readonly floor?: number;
}
/** Several shapes as one; children may be compounds. Half-spaces are refused. */
export interface Compound {
  readonly type: 'compound';
  readonly children: readonly CompoundChild[];
}
export interface CompoundChild {
  readonly shape: Shape;
  /** Of the child in the compound's frame. Default: none. */
  readonly pose?: Pose;
}

export type Shape =
  | Sphere
  | Box
  | Capsule
  | Cylinder
  | Cone
  | Ellipsoid
  | RoundedBox
  | RoundedCylinder
  | SupportShape
  | HalfSpace
  | Convex
  | Mesh
  | Octree
  | PointCloud
  | HeightField
  | Compound;
export type ShapeType = Shape['type'];
