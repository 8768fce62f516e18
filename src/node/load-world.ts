/** A world file from disk, with the meshes of its objects and its robots' files. */
import { dirname, parse, resolve } from 'node:path';
import { LOAD_OPTIONS, requireLoad } from '../io/io-door.js';
import type { Issue, Parsed } from '../io/issue.js';
import { decodeXmlBytes } from '../io/xml/xml.js';
import { type Fields, requireFlag } from '../math/arguments.js';
import type { WorldDescription } from '../scene/world-description.js';
import type { WorldParts, WorldRobotFiles } from '../simulation/from-description.js';
import { pickMeshOptions, readBytes } from './load-mesh.js';
import { loadRobot } from './load-robot.js';
import type { LoadSceneOptions } from './load-scene.js';
import { createMeshStore } from './mesh-store.js';
import { URI_OPTIONS } from './node-door.js';
import { createUriContext, pickUriOptions, resolveUri } from './resolve-uri.js';

export interface WorldFiles extends WorldParts {
  readonly description: WorldDescription;
}

const OPTIONS: Fields = {
  ...LOAD_OPTIONS,
  allowOutside: requireFlag,
  packages: URI_OPTIONS.packages,
  packagePaths: URI_OPTIONS.packagePaths,
};
const MAX_BYTES = 64 * 1024 * 1024;

/** Reads the world; `toWorldOptions` makes of it what `createWorld` takes. A file that is missing or may not be read is an error. */
export async function loadWorld(file: string, options: LoadSceneOptions = {}): Promise<Parsed<WorldFiles>> {
  requireLoad('loadWorld', file, options, OPTIONS);
  const read = await readBytes(file, MAX_BYTES);
  if (!read.value) return { value: null, issues: read.issues };
  const decoded = decodeXmlBytes(read.value, file);
  const { parseWorldFile } = await import('../io/world-file.js');
  const { value: description, issues: found } = parseWorldFile(decoded.text, { file });
  const issues: Issue[] = [...decoded.issues, ...found];
  if (!description) return { value: null, issues };
  const folder = dirname(resolve(file));
  const roots = [options.allowOutside ? parse(folder).root : folder];
  const context = createUriContext(file, { ...pickUriOptions(options), roots });
  const store = createMeshStore(context, pickMeshOptions(options));
  for (const { name, shape } of description.scene.objects)
    await store.load(shape, { file, element: `object "${name}"` });
  issues.push(...store.issues);
  const robots = new Map<string, WorldRobotFiles>();
  for (const { name, file: robotFile, srdf } of description.scene.robots) {
    const [path, srdfPath] = [robotFile, srdf].map((uri) => {
      if (uri === undefined) return undefined;
      const resolved = resolveUri(uri, context);
      issues.push(...resolved.issues.map((issue) => ({ ...issue, file, element: `robot "${name}"` })));
      return resolved.path ?? undefined;
    });
    if (path === undefined) continue;
    const { packages, packagePaths } = pickUriOptions(options);
    const loaded = await loadRobot(path, {
      ...pickMeshOptions(options),
      ...(packages && { packages }),
      ...(packagePaths && { packagePaths }),
      ...(srdfPath !== undefined && { srdf: srdfPath }),
    });
    issues.push(...loaded.issues);
    if (loaded.value) robots.set(name, loaded.value);
  }
  const isWhole = description.scene.robots.every(({ name }) => robots.has(name));
  const { meshes, clouds } = store;
  return { value: isWhole ? { description, meshes, clouds, robots } : null, issues };
}
