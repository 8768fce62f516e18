/** A scene file for a page, with the files its objects name and its robots, by URL or from files that the user gave. */

import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { requireLoad } from '../io/io-door.js';
import type { Issue, Parsed } from '../io/issue.js';
import { decodeXmlBytes } from '../io/xml/xml.js';
import type { SceneDescription } from '../scene/description.js';
import type { CloudContent } from '../scene/resolve-shape.js';
import { createFileSource } from './file-source.js';
import { type LoadRobotOptions, type RobotFiles, readRobot } from './load-robot.js';
import { loadShapeFiles } from './mesh-store.js';
import { WEB_SCENE_OPTIONS } from './web-door.js';

export interface LoadSceneOptions extends Omit<LoadRobotOptions, 'srdf'> {
  /** Of each robot, by its name in the scene: where a server that lists its files has them. */
  readonly robots?: Readonly<Record<string, ScenePlaces>>;
}

export interface ScenePlaces {
  readonly urdf: string;
  readonly srdf?: string;
  /** URL by reference as the robot's file writes it. */
  readonly places?: Readonly<Record<string, string>>;
}

export interface SceneFiles {
  readonly description: SceneDescription;
  /** By file name as written in the description; unscaled. */
  readonly meshes: ReadonlyMap<string, TriangleMesh>;
  /** Occupancy maps and points, by file name as written. */
  readonly clouds: ReadonlyMap<string, CloudContent>;
  /** URL, or path among the files, of each mesh, map, point cloud, robot and SRDF file name that was found. */
  readonly files: ReadonlyMap<string, string>;
  /** The scene's robots by name; one that cannot be read is absent, and an issue says why. */
  readonly robots: ReadonlyMap<string, RobotFiles>;
}

/** Reads the scene; a file that is missing or broken is an error issue (`assumes: 'dropped'`) and absent from the maps. */
export async function loadScene(file: string, options: LoadSceneOptions = {}): Promise<Parsed<SceneFiles>> {
  requireLoad('loadScene', file, options, WEB_SCENE_OPTIONS);
  const source = createFileSource(options);
  const opened = await source.openFile(file);
  if (opened.path === null) return { value: null, issues: opened.issues };
  const { path } = opened;
  const decoded = decodeXmlBytes(opened.bytes, path);
  const { parseSceneFile } = await import('../io/scene-file.js');
  const { value: description, issues: found } = parseSceneFile(decoded.text, { file: path });
  const issues: Issue[] = [...opened.issues, ...decoded.issues, ...found];
  if (!description) return { value: null, issues };
  const loaded = await loadShapeFiles(
    description.objects.map(({ name, shape }) => ({ shape, where: { file: path, element: `object "${name}"` } })),
    source,
    path,
    options,
  );
  issues.push(...loaded.issues);
  const files = new Map(loaded.files);
  const robots = new Map<string, RobotFiles>();
  for (const placed of description.robots) {
    const listed = options.robots?.[placed.name];
    const own: LoadRobotOptions = listed ? { ...options, places: listed.places ?? {} } : options;
    const ownSource = listed ? createFileSource(own) : source;
    const open = (name: string, place: string | undefined) =>
      place === undefined ? ownSource.open(name, path) : ownSource.openFile(place);
    const robot = await open(placed.file, listed?.urdf);
    const srdf = placed.srdf === undefined ? null : await open(placed.srdf, listed?.srdf);
    if (robot.path !== null) files.set(placed.file, robot.path);
    if (srdf && srdf.path !== null && placed.srdf !== undefined) files.set(placed.srdf, srdf.path);
    const read = await readRobot({ robot, srdf }, ownSource, own);
    const element = `robot "${placed.name}"`;
    issues.push(
      ...read.issues.map((issue) => ({ ...issue, file: issue.file ?? path, element: issue.element ?? element })),
    );
    if (read.value) robots.set(placed.name, read.value);
    else {
      const message = `robot "${placed.name}" is left out: "${placed.file}" cannot be used`;
      issues.push({ severity: 'error', code: 'robot-dropped', file: path, element, message, assumes: 'dropped' });
    }
  }
  return {
    value: { description, meshes: loaded.meshes, clouds: loaded.clouds, files, robots },
    issues,
  };
}
