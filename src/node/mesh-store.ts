/** Meshes that a robot or scene file names, each real file read once. */
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import type { Issue } from '../io/issue.js';
import type { ShapeDescription } from '../scene/description.js';
import { type LoadMeshOptions, loadMeshContent } from './load-mesh.js';
import { resolveUri, type UriContext } from './resolve-uri.js';

export interface MeshStore {
  /** By file name as written. Names of one file share one mesh object. */
  readonly meshes: Map<string, TriangleMesh>;
  /** Real path of each name that could be resolved. */
  readonly files: Map<string, string>;
  readonly issues: Issue[];
  /** Loads the file that a shape names, if it names one; `where` completes the issues of the reference. */
  load(shape: ShapeDescription, where: Pick<Issue, 'file' | 'line' | 'element'>): Promise<void>;
}

export function createMeshStore(context: UriContext, options: LoadMeshOptions): MeshStore {
  const byPath = new Map<string, TriangleMesh | null>();
  const seen = new Set<string>();
  const store: MeshStore = {
    meshes: new Map(),
    files: new Map(),
    issues: [],
    async load(shape, where) {
      if ((shape.type !== 'mesh' && shape.type !== 'convex') || shape.file === undefined) return;
      const name = shape.file;
      if (seen.has(name)) return;
      seen.add(name);
      const { path, issues } = resolveUri(name, context);
      store.issues.push(...issues.map((issue) => ({ ...issue, ...where })));
      if (path === null) return;
      store.files.set(name, path);
      let mesh = byPath.get(path);
      if (mesh === undefined) {
        const parsed = await loadMeshContent(path, options, context);
        store.issues.push(...parsed.issues);
        mesh = parsed.value?.mesh ?? null;
        byPath.set(path, mesh);
      }
      if (mesh) store.meshes.set(name, mesh);
    },
  };
  return store;
}
