/** Mesh files from disk: size and kind of file checked before reading, external glTF buffers confined to folders. */

import { readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { requireLoad } from '../io/io-door.js';
import type { Issue, Parsed } from '../io/issue.js';
import { METRES_PER_UNIT, type MeshUnit, parseMesh } from '../io/mesh/mesh.js';
import { DEFAULT_MAXIMUM_MESH_BYTES, type MeshFileContent, type UpAxis } from '../io/mesh/mesh-content.js';
import { createUriContext, requireUriContext, resolveUri, type UriContext } from './resolve-uri.js';

export interface LoadMeshOptions {
  /** Default 'file': turned to Z up as the file declares; meshes of robots default to 'ignore' (see loadRobot). */
  readonly upAxis?: 'file' | 'ignore' | UpAxis;
  /** 'file' (default): the unit the file declares, else metres; or metre, centimetre, millimetre, inch, ... */
  readonly unit?: string;
  /** Metres within which vertices are taken as one; default 0. */
  readonly weld?: number;
  /** Metres: holes up to this wide are closed by caps; default 0. */
  readonly fillHoles?: number;
  /** Largest file, and largest mesh in memory; default 1 GiB. */
  readonly maximumBytes?: number;
}

/** Of the options of what loads more than a mesh. */
export function pickMeshOptions({ upAxis, unit, weld, fillHoles, maximumBytes }: LoadMeshOptions): LoadMeshOptions {
  return { upAxis, unit, weld, fillHoles, maximumBytes };
}

/** One mesh with all its parts, in metres. Issues name the file; `value` is null when it cannot be used. */
export async function loadMesh(file: string, options: LoadMeshOptions = {}): Promise<Parsed<TriangleMesh>> {
  requireLoad('loadMesh', file, options);
  const { value, issues } = await loadMeshContent(file, options);
  return { value: value?.mesh ?? null, issues };
}

/** As loadMesh, with the file's parts, unit and up direction. `context` confines files that the mesh refers to. */
export async function loadMeshContent(
  file: string,
  options: LoadMeshOptions = {},
  context?: UriContext,
): Promise<Parsed<MeshFileContent>> {
  requireLoad('loadMeshContent', file, options);
  if (context !== undefined) requireUriContext('loadMeshContent', context);
  const { upAxis, unit = 'file', weld, fillHoles, maximumBytes = DEFAULT_MAXIMUM_MESH_BYTES } = options;
  if (unit !== 'file' && !Object.hasOwn(METRES_PER_UNIT, unit)) {
    const known = ['file', ...Object.keys(METRES_PER_UNIT)].join(', ');
    return refuseFile(file, 'unknown-unit', `unit "${unit}" is not known; use one of ${known}`);
  }
  const read = await readBytes(file, maximumBytes);
  if (!read.value) return { value: null, issues: read.issues };
  const folder = dirname(file);
  const ownContext: UriContext = { ...(context ?? createUriContext(file, { roots: [folder] })), folder };
  const refused: Issue[] = [];
  const parsed = await parseMesh(read.value, {
    file,
    unit: unit as 'file' | MeshUnit,
    upAxis,
    weld,
    fillHoles,
    maximumBytes,
    resources: (uri) => {
      const { path, issues } = resolveUri(uri, ownContext);
      refused.push(...issues.map((issue) => ({ ...issue, file })));
      return path === null ? null : readFileSync(path);
    },
  });
  return { value: parsed.value, issues: [...refused, ...parsed.issues] };
}

/** Bytes of an ordinary file of at most `maximumBytes`. */
export async function readBytes(file: string, maximumBytes: number): Promise<Parsed<Uint8Array>> {
  try {
    const stats = await stat(file);
    if (!stats.isFile()) return refuseFile(file, 'not-a-file', 'not an ordinary file; give the path of a file');
    if (stats.size > maximumBytes) {
      const message = `${stats.size} bytes, at most ${maximumBytes} are read; make the file smaller or raise the limit`;
      return refuseFile(file, 'file-too-large', message);
    }
    return { value: await readFile(file), issues: [] };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    const reason =
      code === 'ENOENT' ? 'no such file; check its path' : `cannot be read (${code}); check its permissions`;
    return refuseFile(file, 'file-not-found', reason);
  }
}

/** A file that cannot be used, and why. */
export function refuseFile<T>(file: string, code: string, message: string): Parsed<T> {
  return { value: null, issues: [{ severity: 'error', code, file, message }] };
}
