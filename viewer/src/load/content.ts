/** What the page shows: robots, objects and extras, loaded and independent of where they came from. */
import type { MeshMode, TriangleMesh } from 'clearance/geometry';
import type { Issue, PathTable } from 'clearance/io';
import type { Pose } from 'clearance/math';
import type { BuildModelOptions } from 'clearance/model';
import type {
  AllowedPair,
  AttachedDescription,
  CloudContent,
  ObjectDescription,
  PreparedMesh,
  SceneDescription,
} from 'clearance/scene';
import type { RobotFiles } from 'clearance/web';

/** Joint values as files write them: numbers in the model's order, or by joint name. */
export type ConfigurationValues = readonly number[] | Readonly<Record<string, number>>;

/** What the command line's options ask for beside the files. */
export interface RobotSettings extends Pick<BuildModelOptions, 'base' | 'mimic' | 'continuous'> {
  readonly geometry?: 'collision' | 'visual' | 'spheres';
  /** Sphere model by link, [x, y, z, radius] each; default the SRDF's. */
  readonly spheres?: Readonly<Record<string, readonly (readonly [number, number, number, number])[]>>;
  /** Exactly these pairs may touch; default the SRDF's and adjacent links. */
  readonly allowed?: { readonly pairs: readonly AllowedPair[]; readonly replace?: boolean };
  /** Its joints alone are shown and planned for. */
  readonly group?: string;
}

export interface PlacedRobot extends Pick<RobotFiles, 'urdf' | 'description' | 'semantic' | 'meshes' | 'files'> {
  /** Path of its file among those that the user gave. */
  readonly from?: string;
  readonly name?: string;
  readonly pose?: Pose;
  readonly q?: ConfigurationValues | string;
  readonly settings?: RobotSettings;
  /** Stands in a scene as the scene file says; a robot on its own may begin where its SRDF suggests. */
  readonly isPlaced?: boolean;
}

export interface StoredConfiguration {
  readonly name: string;
  readonly q: ConfigurationValues;
}

export interface PathContent extends PathTable {
  /** Seconds of each configuration, if the file says them. */
  readonly times?: readonly number[];
}

export interface Content {
  readonly title: string;
  readonly robots: readonly PlacedRobot[];
  readonly objects: readonly ObjectDescription[];
  /** Meshes of the objects, by file name as their shapes write it. */
  readonly meshes: ReadonlyMap<string, TriangleMesh>;
  /** Occupancy maps and points of the objects, by file name. */
  readonly clouds: ReadonlyMap<string, CloudContent>;
  /** Trees of its meshes that a worker made. */
  readonly prepared: ReadonlyMap<TriangleMesh, PreparedMesh>;
  readonly attached: readonly AttachedDescription[];
  /** Pairs that may touch besides those of the robots' files, as a scene file names them. */
  readonly allowed: NonNullable<SceneDescription['allowed']>;
  readonly configurations: readonly StoredConfiguration[];
  /** Of the first robot. */
  readonly path: PathContent | null;
  /** Planned when it is first shown: names of configurations of the first robot. */
  readonly plan?: { readonly start: string; readonly goal: string };
  /** Overrides every mesh's mode. */
  readonly meshMode?: MeshMode;
  /** Objects are checked against each other beside robots too: the content is a scene file on its own. */
  readonly objectPairs: boolean;
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
    prepared: new Map(),
    attached: [],
    allowed: [],
    configurations: [],
    path: null,
    objectPairs: false,
    issues: [],
  };
}
