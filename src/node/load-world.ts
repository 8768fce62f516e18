/** A world file from disk, with the meshes of its objects and its robots' files. */
import { requireLoad } from '../io/io-door.js';
import type { Issue, Parsed } from '../io/issue.js';
import { decodeXmlBytes } from '../io/xml/xml.js';
import type { WorldDescription } from '../scene/world-description.js';
import type { WorldParts, WorldRobotFiles } from '../simulation/from-description.js';
import { pickMeshOptions, readBytes } from './load-mesh.js';
import { loadRobot } from './load-robot.js';
import { type LoadSceneOptions, loadSceneContent, MAX_SCENE_BYTES, SCENE_OPTIONS } from './load-scene.js';
import { pickUriOptions } from './resolve-uri.js';

export interface WorldFiles extends WorldParts {
  readonly description: WorldDescription;
}

/** Reads the world; `toWorldOptions` makes of it what `createWorld` takes. A file that is missing or may not be read is an error. */
export async function loadWorld(file: string, options: LoadSceneOptions = {}): Promise<Parsed<WorldFiles>> {
  requireLoad('loadWorld', file, options, SCENE_OPTIONS);
  const read = await readBytes(file, MAX_SCENE_BYTES);
  if (!read.value) return { value: null, issues: read.issues };
  const decoded = decodeXmlBytes(read.value, file);
  const { parseWorldFile } = await import('../io/world-file.js');
  const { value: world, issues: found } = parseWorldFile(decoded.text, { file });
  const issues: Issue[] = [...decoded.issues, ...found];
  if (!world) return { value: null, issues };
  const content = await loadSceneContent(file, world.scene, options);
  issues.push(...content.issues);
  const { description: scene, meshes, clouds, files } = content.files;
  const robots = new Map<string, WorldRobotFiles>();
  for (const { name, file: urdf, srdf } of scene.robots) {
    const path = files.get(urdf);
    if (path === undefined) continue;
    const { packages, packagePaths } = pickUriOptions(options);
    const srdfPath = srdf === undefined ? undefined : files.get(srdf);
    const loaded = await loadRobot(path, {
      ...pickMeshOptions(options),
      ...(packages && { packages }),
      ...(packagePaths && { packagePaths }),
      ...(srdfPath !== undefined && { srdf: srdfPath }),
    });
    issues.push(...loaded.issues);
    if (loaded.value) robots.set(name, loaded.value);
  }
  const isWhole = scene.robots.every(({ name }) => robots.has(name));
  return { value: isWhole ? { description: { ...world, scene }, meshes, clouds, robots } : null, issues };
}
