/** Plain data of what hangs on robots and stands in scenes, as files say it, before meshes are loaded. */
import type { NumericShape } from '../geometry/shapes/operations.js';
import type { MeshMode, Triple } from '../geometry/shapes.js';
import type { Pose, Transform } from '../math/transform.js';
import type { ModelDescription } from '../model/description.js';
import type { Assumption } from '../model/issue.js';

export type { Assumption } from '../model/issue.js';

/** A mesh by file name; vertices are multiplied by `scale` (negative mirrors) before `origin` applies. */
export interface MeshFile {
  readonly type: 'mesh';
  /** As written (package://, file://, relative); node/ resolves it. */
  readonly file: string;
  readonly scale?: Triple;
  readonly mode?: MeshMode;
}
/** Convex hull of a file's vertices or of given points. */
export interface ConvexFile {
  readonly type: 'convex';
  readonly file?: string;
  readonly points?: readonly Triple[];
  readonly scale?: Triple;
}
/** Occupied cubes: of an occupancy map, of the cells that a file's points lie in, or written out. */
export interface OctreeFile {
  readonly type: 'octree';
  readonly file?: string;
  /** Edge of a cell. An occupancy map (.bt) has its own. */
  readonly resolution?: number;
  /** Lowest corner and edge of each cube, in cells. */
  readonly cells?: readonly (readonly [number, number, number, number])[];
}
/** Balls of one radius about a file's points, or about given ones. */
export interface PointsFile {
  readonly type: 'points';
  readonly file?: string;
  readonly points?: readonly Triple[];
  readonly radius: number;
}
/** As `HeightField`, with the heights in rows. */
export interface HeightRows {
  readonly type: 'heightfield';
  readonly heights: readonly (readonly number[])[];
  readonly spacing: readonly [number, number];
  readonly floor?: number;
}
export interface CompoundDescription {
  readonly type: 'compound';
  readonly children: readonly { readonly shape: ShapeDescription; readonly pose?: Pose }[];
}
/** Shapes that are numbers only are described as they are; a user's own (`SupportShape`) is no data. */
export type ShapeDescription =
  | NumericShape
  | MeshFile
  | ConvexFile
  | OctreeFile
  | PointsFile
  | HeightRows
  | CompoundDescription;

export interface GeometryDescription {
  readonly link: string;
  readonly name?: string;
  /** X_LG: geometry frame in the link frame. */
  readonly origin: Transform;
  readonly shape: ShapeDescription;
  /** rgba in [0, 1]; visuals only. */
  readonly color?: readonly [number, number, number, number];
}

export interface RobotDescription {
  readonly name: string;
  readonly model: ModelDescription;
  readonly collisions: readonly GeometryDescription[];
  readonly visuals: readonly GeometryDescription[];
  /** How many <mimic> elements the file holds, those that are ignored (on fixed joints, say) included. */
  readonly mimicTags?: number;
  /** What its readers dropped, altered or guessed where a verdict can depend on it. */
  readonly assumed?: readonly Assumption[];
}

/** The scene file (version 1). */
export interface SceneDescription {
  readonly version: 1;
  readonly objects: readonly ObjectDescription[];
  readonly robots: readonly PlacedRobotDescription[];
  readonly attached: readonly AttachedDescription[];
  /** Pairs that may touch, of objects and links, besides those that the robots' files allow. */
  readonly allowed?: readonly { readonly a: string; readonly b: string; readonly note?: string }[];
  /** What the reader dropped, altered or guessed where a verdict can depend on it. */
  readonly assumed?: readonly Assumption[];
}
export interface ObjectDescription {
  readonly name: string;
  readonly shape: ShapeDescription;
  readonly pose: Pose;
  readonly margin?: number;
}
export interface PlacedRobotDescription {
  readonly name: string;
  readonly file: string;
  readonly srdf?: string;
  readonly pose: Pose;
  readonly q?: readonly number[] | Readonly<Record<string, number>> | string;
}
export interface AttachedDescription {
  readonly object: string;
  readonly link: string;
  readonly touchLinks: readonly string[];
  /** X_LO: the object in the link. Without it the object hangs where it stands in the world when the robot is placed. */
  readonly pose?: Pose;
  /** Kilograms. */
  readonly mass?: number;
}
