/** Meshes, occupancy maps and point clouds that a robot or scene file names, each real file read once. */

import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { LOAD_OPTIONS } from '../io/io-door.js';
import type { Issue, Parsed } from '../io/issue.js';
import { requireFields } from '../math/arguments.js';
import type { Assumption, ShapeDescription } from '../scene/description.js';
import { type CloudContent, type FileShape, listFileShapes } from '../scene/resolve-shape.js';
import { loadCloud } from './load-cloud.js';
import { type LoadMeshOptions, loadMeshContent } from './load-mesh.js';
import { requireUriContext, resolveUri, type UriContext } from './resolve-uri.js';

export interface MeshStore {
  /** By file name as written. Names of one file share one mesh object. */
  readonly meshes: Map<string, TriangleMesh>;
  readonly clouds: Map<string, CloudContent>;
  /** Real path of each name that could be resolved. */
  readonly files: Map<string, string>;
  readonly issues: Issue[];
  /** What of the shapes could not be loaded, or not as it is written, by the element that has the shape. */
  readonly assumed: Assumption[];
  /** Loads the files that a shape names, if it names any; `where` completes the issues of the reference. */
  load(shape: ShapeDescription, where: Pick<Issue, 'file' | 'line' | 'element'>): Promise<void>;
}

/** What became of one file name. */
interface Loaded {
  readonly found: boolean;
  /** Of the file and of its reference. */
  readonly issues: readonly Issue[];
}

export function createMeshStore(context: UriContext, options: LoadMeshOptions): MeshStore {
  requireUriContext('createMeshStore', context);
  requireFields('createMeshStore', 'options', options, LOAD_OPTIONS);
  const meshes = createCache((path) => loadMeshContent(path, options, context));
  const clouds = createCache((path) => loadCloud(path));
  const loaded = new Map<string, Loaded>();
  const told = new Set<Issue>();
  const tell = (issues: readonly Issue[]): void => {
    for (const issue of issues) {
      if (!told.has(issue)) store.issues.push(issue);
      told.add(issue);
    }
  };
  const loadFile = async (
    { type, file }: FileShape,
    where: Pick<Issue, 'file' | 'line' | 'element'>,
  ): Promise<Loaded> => {
    const { path, issues } = resolveUri(file, context);
    const own = issues.map((issue) => ({
      ...issue,
      ...where,
      ...(issue.severity === 'error' && { assumes: 'dropped' as const }),
    }));
    if (path === null) return { found: false, issues: own };
    store.files.set(file, path);
    if (type === 'octree' || type === 'points') {
      const cloud = await clouds(path);
      if (cloud.value) store.clouds.set(file, cloud.value);
      return { found: cloud.value !== null, issues: [...own, ...cloud.issues] };
    }
    const { value, issues: content } = await meshes(path);
    // A hull takes the vertices alone.
    const isHull = type === 'convex' && value !== null && value.mesh.vertices.length > 0;
    const kept = isHull ? content.filter(({ code }) => code !== 'no-triangles') : content;
    const found = value !== null && (isHull || value.mesh.triangles.length > 0);
    if (found) store.meshes.set(file, value.mesh);
    return { found, issues: [...own, ...kept] };
  };
  const store: MeshStore = {
    meshes: new Map(),
    clouds: new Map(),
    files: new Map(),
    issues: [],
    assumed: [],
    async load(shape, where) {
      for (const named of listFileShapes(shape)) {
        const key = `${named.type} ${named.file}`;
        const known = loaded.get(key);
        const { found, issues } = known ?? (await loadFile(named, where));
        if (!known) loaded.set(key, { found, issues });
        tell(issues);
        store.assumed.push(...listAssumptions(named.file, found, issues, where.element));
      }
    },
  };
  return store;
}

/** A file that is not there counts once, with its first error; one that is there with all that its reader assumed. */
function listAssumptions(file: string, found: boolean, issues: readonly Issue[], element = 'mesh'): Assumption[] {
  if (found) {
    return issues.flatMap(({ assumes, message }) =>
      assumes ? [{ kind: assumes, element, message: `${file}: ${message}` }] : [],
    );
  }
  const reason = issues.find(({ severity }) => severity === 'error')?.message ?? 'it cannot be loaded';
  return [{ kind: 'dropped', element, message: reason.includes(file) ? reason : `${file}: ${reason}` }];
}

/** Each path is read once. */
function createCache<T>(read: (path: string) => Promise<Parsed<T>>): (path: string) => Promise<Parsed<T>> {
  const known = new Map<string, Parsed<T>>();
  return async (path) => {
    const found = known.get(path) ?? (await read(path));
    known.set(path, found);
    return found;
  };
}
