/**
 * Shapes as data. Every shape sits in its own frame: box, sphere, ellipsoid centred; capsule, cylinder and cone
 * along local z, centred (cone: base at -length/2, apex at +length/2); capsule `length` excludes the caps.
 * Half-space: the solid { x : normal . x <= offset }, normal a unit vector.
 * Lengths in metres (any unit works as long as a scene is consistent).
 */
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

export type Shape = Sphere | Box | Capsule | Cylinder | Cone | Ellipsoid | HalfSpace | Convex | Mesh;
export type ShapeType = Shape['type'];
