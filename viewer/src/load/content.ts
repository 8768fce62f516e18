/** What the page shows: robots, objects and extras, loaded and independent of where they came from. */
import type { TriangleMesh } from 'clearance/geometry';
import type { Issue } from 'clearance/io';
import type { Pose } from 'clearance/math';
import type { AttachedDescription, CloudContent, ObjectDescription } from 'clearance/scene';
import type { LoadedRobot } from './robot.js';

/** Joint values as files write them: numbers in the model's order, or by joint name. */
export type ConfigurationValues = readonly number[] | Readonly<Record<string, number>>;

export interface PlacedRobot extends LoadedRobot {
  readonly name?: string;
  readonly pose?: Pose;
  readonly q?: ConfigurationValues | string;
}

export interface StoredConfiguration {
  readonly name: string;
  readonly q: ConfigurationValues;
}

export interface Content {
  readonly title: string;
  readonly robots: readonly PlacedRobot[];
  readonly objects: readonly ObjectDescription[];
  /** Meshes of the objects, by file name as their shapes write it. */
  readonly meshes: ReadonlyMap<string, TriangleMesh>;
  /** Occupancy maps and points of the objects, by file name. */
  readonly clouds: ReadonlyMap<string, CloudContent>;
  readonly attached: readonly AttachedDescription[];
  readonly configurations: readonly StoredConfiguration[];
  /** Joint values along a path of the first robot. */
  readonly path: readonly (readonly number[])[];
  /** Direction from the scene to the camera, if the scene is best seen from there. */
  readonly view?: readonly [number, number, number];
  readonly issues: readonly Issue[];
}

export function createEmptyContent(title: string): Content {
  return {
    title,
    robots: [],
    objects: [],
    meshes: new Map(),
    clouds: new Map(),
    attached: [],
    configurations: [],
    path: [],
    issues: [],
  };
}
