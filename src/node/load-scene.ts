/** A scene file from disk, with the meshes its objects name and the places of its robots' files. */

import { dirname, parse, resolve } from 'node:path';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { LOAD_OPTIONS, requireLoad } from '../io/io-door.js';
import type { Issue, Parsed } from '../io/issue.js';
import { decodeXmlBytes } from '../io/xml/xml.js';
import { type Fields, requireFlag } from '../math/arguments.js';
import type { SceneDescription } from '../scene/description.js';
import type { CloudContent } from '../scene/resolve-shape.js';
import { type LoadMeshOptions, pickMeshOptions, readBytes } from './load-mesh.js';
import { createMeshStore } from './mesh-store.js';
import { URI_OPTIONS } from './node-door.js';
import { createUriContext, pickUriOptions, resolveUri, type UriOptions } from './resolve-uri.js';

export interface LoadSceneOptions extends LoadMeshOptions, Pick<UriOptions, 'packages' | 'packagePaths'> {
  /** Files may lie outside the scene file's folder. Default false. */
  readonly allowOutside?: boolean;
}

export interface SceneFiles {
  readonly description: SceneDescription;
  /** By file name as written in the description; unscaled. */
  readonly meshes: ReadonlyMap<string, TriangleMesh>;
  /** Occupancy maps and points, by file name as written. */
  readonly clouds: ReadonlyMap<string, CloudContent>;
  /** Real path of each mesh, map, point cloud, robot and SRDF file name that could be resolved. */
  readonly files: ReadonlyMap<string, string>;
}

/** Of what reads a scene file. */
export const SCENE_OPTIONS: Fields = {
  ...LOAD_OPTIONS,
  allowOutside: requireFlag,
  packages: URI_OPTIONS.packages,
  packagePaths: URI_OPTIONS.packagePaths,
};

export const MAX_SCENE_BYTES = 64 * 1024 * 1024;

/** Reads the scene; a file that is missing or may not be read is an error issue and absent from the maps. */
export async function loadScene(file: string, options: LoadSceneOptions = {}): Promise<Parsed<SceneFiles>> {
  requireLoad('loadScene', file, options, SCENE_OPTIONS);
  const read = await readBytes(file, MAX_SCENE_BYTES);
  if (!read.value) return { value: null, issues: read.issues };
  const decoded = decodeXmlBytes(read.value, file);
  // Its schema is a third of what a robot alone takes to load.
  const { parseSceneFile } = await import('../io/scene-file.js');
  const { value: scene, issues: found } = parseSceneFile(decoded.text, { file });
  const issues: Issue[] = [...decoded.issues, ...found];
  if (!scene) return { value: null, issues };

  const content = await loadSceneContent(file, scene, options);
  return { value: content.files, issues: [...issues, ...content.issues] };
}

/** The files that a scene names: its meshes, maps and clouds, and where its robots' files are. What is lost stands in `assumed`. */
export async function loadSceneContent(
  file: string,
  scene: SceneDescription,
  options: LoadSceneOptions,
): Promise<{ readonly files: SceneFiles; readonly issues: readonly Issue[] }> {
  const issues: Issue[] = [];
  const folder = dirname(resolve(file));
  const context = createUriContext(file, {
    ...pickUriOptions(options),
    roots: [options.allowOutside ? parse(folder).root : folder],
  });
  const store = createMeshStore(context, pickMeshOptions(options));
  for (const { name, shape } of scene.objects) await store.load(shape, { file, element: `object "${name}"` });
  issues.push(...store.issues.map((issue) => explainOutside(issue)));
  for (const robot of scene.robots) {
    for (const name of [robot.file, robot.srdf]) {
      if (name === undefined) continue;
      const resolved = resolveUri(name, context);
      for (const issue of resolved.issues) {
        issues.push(explainOutside({ ...issue, file, element: `robot "${robot.name}"` }));
      }
      if (resolved.path !== null) store.files.set(name, resolved.path);
    }
  }
  const assumed = [...(scene.assumed ?? []), ...store.assumed];
  const description = assumed.length === 0 ? scene : { ...scene, assumed };
  return { files: { description, meshes: store.meshes, clouds: store.clouds, files: store.files }, issues };
}

function explainOutside(issue: Issue): Issue {
  if (issue.code !== 'path-outside') return issue;
  return {
    ...issue,
    message: `${issue.message.split(';', 1)[0]}; move it into the scene's folder or pass --allow-outside`,
  };
}
