/** Meshes, occupancy maps and point clouds that a robot or scene file names, each real file read once. */
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import type { Issue, Parsed } from '../io/issue.js';
import type { ShapeDescription } from '../scene/description.js';
import { type CloudContent, type FileShape, listFileShapes } from '../scene/resolve-shape.js';
import { loadCloud } from './load-cloud.js';
import { type LoadMeshOptions, loadMeshContent } from './load-mesh.js';
import { resolveUri, type UriContext } from './resolve-uri.js';

export interface MeshStore {
  /** By file name as written. Names of one file share one mesh object. */
  readonly meshes: Map<string, TriangleMesh>;
  readonly clouds: Map<string, CloudContent>;
  /** Real path of each name that could be resolved. */
  readonly files: Map<string, string>;
  readonly issues: Issue[];
  /** Loads the files that a shape names, if it names any; `where` completes the issues of the reference. */
  load(shape: ShapeDescription, where: Pick<Issue, 'file' | 'line' | 'element'>): Promise<void>;
}

export function createMeshStore(context: UriContext, options: LoadMeshOptions): MeshStore {
  const meshes = createCache((path) => loadMeshContent(path, options, context));
  const clouds = createCache((path) => loadCloud(path));
  const seen = new Set<string>();
  const loadFile = async (
    { type, file }: FileShape,
    where: Pick<Issue, 'file' | 'line' | 'element'>,
  ): Promise<void> => {
    const isCloud = type === 'octree' || type === 'points';
    const key = `${isCloud ? 'cloud' : 'mesh'} ${file}`;
    if (seen.has(key)) return;
    seen.add(key);
    const { path, issues } = resolveUri(file, context);
    store.issues.push(...issues.map((issue) => ({ ...issue, ...where })));
    if (path === null) return;
    store.files.set(file, path);
    if (isCloud) {
      const cloud = await clouds(path, store.issues);
      if (cloud) store.clouds.set(file, cloud);
    } else {
      const content = await meshes(path, store.issues);
      if (content) store.meshes.set(file, content.mesh);
    }
  };
  const store: MeshStore = {
    meshes: new Map(),
    clouds: new Map(),
    files: new Map(),
    issues: [],
    async load(shape, where) {
      for (const named of listFileShapes(shape)) await loadFile(named, where);
    },
  };
  return store;
}

/** Each path is read once, and its issues told once. */
function createCache<T>(
  read: (path: string) => Promise<Parsed<T>>,
): (path: string, issues: Issue[]) => Promise<T | null> {
  const known = new Map<string, T | null>();
  return async (path, issues) => {
    let value = known.get(path);
    if (value === undefined) {
      const parsed = await read(path);
      issues.push(...parsed.issues);
      value = parsed.value;
      known.set(path, value);
    }
    return value;
  };
}
