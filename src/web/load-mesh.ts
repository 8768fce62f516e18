/** Mesh files by URL or from files that the user gave. */

import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { requireLoad } from '../io/io-door.js';
import type { Parsed } from '../io/issue.js';
import type { MeshFileContent } from '../io/mesh/mesh-content.js';
import { createFileSource } from './file-source.js';
import { type LoadMeshOptions, toMesh } from './mesh-store.js';
import { WEB_MESH_OPTIONS } from './web-door.js';

/** One mesh with all its parts, in metres. Issues name the file; `value` is null when it cannot be used. */
export async function loadMesh(file: string, options: LoadMeshOptions = {}): Promise<Parsed<TriangleMesh>> {
  requireLoad('loadMesh', file, options, WEB_MESH_OPTIONS);
  const { value, issues } = await loadMeshContent(file, options);
  return { value: value?.mesh ?? null, issues };
}

/** As loadMesh, with the file's parts, unit and up direction. */
export async function loadMeshContent(file: string, options: LoadMeshOptions = {}): Promise<Parsed<MeshFileContent>> {
  requireLoad('loadMeshContent', file, options, WEB_MESH_OPTIONS);
  const source = createFileSource(options);
  const opened = await source.openFile(file);
  if (opened.path === null) return { value: null, issues: opened.issues };
  const { value, issues } = await toMesh(opened, source, options);
  options.onProgress?.({ file: opened.path, done: 1, total: 1 });
  return { value, issues: [...opened.issues, ...issues] };
}
