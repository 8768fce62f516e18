/** A floor's world file from disk, with the meshes of its objects and the files of its arms. */

import type { FloorParts } from '../fleet/floor-setup.js';
import { requireLoad } from '../io/io-door.js';
import type { Issue, Parsed } from '../io/issue.js';
import { decodeXmlBytes } from '../io/xml/xml.js';
import type { FloorDescription } from '../scene/floor-description.js';
import { pickMeshOptions, readBytes } from './load-mesh.js';
import { loadRobot, type RobotFiles } from './load-robot.js';
import { type LoadSceneOptions, loadSceneContent, MAX_SCENE_BYTES, SCENE_OPTIONS } from './load-scene.js';
import { pickUriOptions } from './resolve-uri.js';

export interface FloorFiles extends FloorParts {
  readonly description: FloorDescription;
}

/** Reads the world; `createFloorSetup` makes it run. A file that is missing or may not be read is an error. */
export async function loadFloor(file: string, options: LoadSceneOptions = {}): Promise<Parsed<FloorFiles>> {
  requireLoad('loadFloor', file, options, SCENE_OPTIONS);
  const read = await readBytes(file, MAX_SCENE_BYTES);
  if (!read.value) return { value: null, issues: read.issues };
  const decoded = decodeXmlBytes(read.value, file);
  const { parseFloorFile } = await import('../io/floor-file.js');
  const { value: description, issues: found } = parseFloorFile(decoded.text, { file });
  const issues: Issue[] = [...decoded.issues, ...found];
  if (!description) return { value: null, issues };
  const named = Object.entries(description.floor.arms ?? {});
  // Arms are looked up as robots of a scene are: by the same rules, in the same folders.
  const robots = named.map(([name, arm]) => ({ name, file: arm.file, pose: [0, 0, 0, 0, 0, 0, 1] as const }));
  const { version, objects } = description;
  const content = await loadSceneContent(file, { version, objects, robots, attached: [] }, options);
  issues.push(...content.issues);
  const { meshes, clouds, files, description: scene } = content.files;
  const { packages, packagePaths } = pickUriOptions(options);
  const byFile = new Map<string, RobotFiles>();
  const arms = new Map<string, RobotFiles>();
  for (const [name, arm] of named) {
    const path = files.get(arm.file);
    if (path === undefined) continue;
    if (!byFile.has(path)) {
      const loaded = await loadRobot(path, {
        ...pickMeshOptions(options),
        ...(packages && { packages }),
        ...(packagePaths && { packagePaths }),
      });
      issues.push(...loaded.issues);
      if (loaded.value) byFile.set(path, loaded.value);
    }
    const robot = byFile.get(path);
    if (robot) arms.set(name, robot);
  }
  const isWhole = arms.size === named.length && (scene.assumed ?? []).every(({ kind }) => kind !== 'dropped');
  return { value: isWhole ? { description, meshes, clouds, arms } : null, issues };
}
