/**
 * Meshes, occupancy maps and point clouds that a robot or scene names: each reference looked up once, each file read once,
 * several at a time.
 */
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { parseCloud } from '../io/cloud/cloud-file.js';
import type { Issue, Parsed } from '../io/issue.js';
import { METRES_PER_UNIT, type MeshUnit, meshFormatOf, parseMesh } from '../io/mesh/mesh.js';
import type { MeshFileContent, UpAxis } from '../io/mesh/mesh-content.js';
import type { ShapeDescription } from '../scene/description.js';
import { type CloudContent, listFileShapes } from '../scene/resolve-shape.js';
import { DEFAULT_MAXIMUM_BYTES, type FileSource, type OpenedFile, type WebOptions } from './file-source.js';

export interface LoadMeshOptions extends WebOptions {
  /** Default 'file': turned to Z up as the file declares; meshes of robots default to 'ignore' (see loadRobot). */
  readonly upAxis?: 'file' | 'ignore' | UpAxis;
  /** 'file' (default): the unit the file declares, else metres; or metre, centimetre, millimetre, inch, ... */
  readonly unit?: string;
}

type Where = Pick<Issue, 'file' | 'line' | 'element'>;

export interface NamedShape {
  readonly shape: ShapeDescription;
  /** Completes the issues of the reference. */
  readonly where: Where;
  /** Drawn only: no verdict depends on it. */
  readonly isDrawn?: boolean;
}

export interface LoadedFiles {
  /** By file name as written. Names of one file share one mesh object. */
  readonly meshes: ReadonlyMap<string, TriangleMesh>;
  readonly clouds: ReadonlyMap<string, CloudContent>;
  /** Path or URL of each name that was found. */
  readonly files: ReadonlyMap<string, string>;
  readonly issues: readonly Issue[];
}

const AT_ONCE = 6;

/** Loads what the shapes name, `from` being the file that names it. Issues come in the order of the shapes. */
export async function loadShapeFiles(
  shapes: readonly NamedShape[],
  source: FileSource,
  from: string,
  options: LoadMeshOptions,
): Promise<LoadedFiles> {
  const wanted = new Map<string, Wanted>();
  for (const { shape, where, isDrawn = false } of shapes) {
    for (const { type, file } of listFileShapes(shape)) {
      const isCloud = type === 'octree' || type === 'points';
      const key = `${isCloud ? 'cloud' : 'mesh'} ${file}`;
      const known = wanted.get(key);
      // What collides somewhere matters, wherever else it is drawn.
      if (!known || (known.isDrawn && !isDrawn)) wanted.set(key, { name: file, isCloud, where, isDrawn });
    }
  }
  const entries = [...wanted.values()];
  const read = new Map<string, Promise<Parsed<MeshFileContent | CloudContent>>>();
  const results: (Result | undefined)[] = new Array(entries.length);
  let done = 0;
  const loadOne = async ({ name, isCloud, where, isDrawn }: Wanted): Promise<Result> => {
    const opened = await source.open(name, from);
    const issues = opened.issues.map((issue) => ({ ...issue, ...where }));
    let value: Result['value'] = null;
    if (opened.path !== null) {
      const key = `${isCloud} ${opened.path}`;
      const known = read.get(key);
      const parsing = known ?? (isCloud ? toCloud(opened, options) : toMesh(opened, source, options));
      read.set(key, parsing);
      const parsed = await parsing;
      value = parsed.value;
      // What is wrong in a file is told once.
      if (!known) issues.push(...parsed.issues.map((issue) => (value ? issue : markDropped(issue))));
    }
    done++;
    options.onProgress?.({ file: opened.path ?? name, done, total: entries.length });
    return { name, isCloud, path: opened.path, value, issues: isDrawn ? issues.map(withoutAssumption) : issues };
  };
  let next = 0;
  const work = async (): Promise<void> => {
    for (let i = next++; i < entries.length; i = next++) results[i] = await loadOne(entries[i]);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, entries.length) }, work));
  // In the order of the shapes, whichever came first.
  const loaded = results as Result[];
  const pick = <T>(of: (result: Result) => T | null): Map<string, T> =>
    new Map(loaded.flatMap((result) => (of(result) === null ? [] : [[result.name, of(result) as T] as const])));
  return {
    meshes: pick(({ value }) => (value && 'mesh' in value ? value.mesh : null)),
    clouds: pick(({ value, isCloud }) => (isCloud ? (value as CloudContent | null) : null)),
    files: pick(({ path }) => path),
    issues: loaded.flatMap(({ issues }) => issues),
  };
}

interface Wanted {
  readonly name: string;
  readonly isCloud: boolean;
  readonly where: Where;
  readonly isDrawn: boolean;
}

interface Result {
  readonly name: string;
  readonly isCloud: boolean;
  readonly path: string | null;
  readonly value: MeshFileContent | CloudContent | null;
  readonly issues: readonly Issue[];
}

/** An error of a file that nothing is left of: an answer without it is not complete. */
function markDropped(issue: Issue): Issue {
  return issue.severity === 'error' ? { ...issue, assumes: 'dropped' } : issue;
}

function withoutAssumption({ assumes: _, ...issue }: Issue): Issue {
  return issue;
}

type Found = Extract<OpenedFile, { readonly path: string }>;

async function toCloud({ path, bytes }: Found, { maximumBytes }: LoadMeshOptions): Promise<Parsed<CloudContent>> {
  return parseCloud(bytes, { file: path, maximumBytes });
}

/** A mesh file with what it refers to: glTF buffers are asked for while it is read, and it cannot wait for them. */
export async function toMesh(
  { path, bytes }: Found,
  source: FileSource,
  options: LoadMeshOptions,
): Promise<Parsed<MeshFileContent>> {
  const { upAxis, unit = 'file', maximumBytes = DEFAULT_MAXIMUM_BYTES } = options;
  if (unit !== 'file' && !Object.hasOwn(METRES_PER_UNIT, unit)) {
    const known = ['file', ...Object.keys(METRES_PER_UNIT)].join(', ');
    const message = `unit "${unit}" is not known; use one of ${known}`;
    return { value: null, issues: [{ severity: 'error', code: 'unknown-unit', file: path, message }] };
  }
  const refused: Issue[] = [];
  const resources = new Map<string, Uint8Array | null>();
  // A file's name and not its whole URL decides on the format.
  const format = meshFormatOf(path) ?? undefined;
  for (;;) {
    const wanted: string[] = [];
    const parsed = await parseMesh(bytes, {
      file: path,
      format,
      unit: unit as 'file' | MeshUnit,
      upAxis,
      maximumBytes,
      resources: (uri) => {
        const known = resources.get(uri);
        if (known === undefined) wanted.push(uri);
        return known ?? null;
      },
    });
    if (wanted.length === 0) return { value: parsed.value, issues: [...refused, ...parsed.issues] };
    for (const uri of wanted) {
      const opened = await source.open(uri.split('/').map(encodeURIComponent).join('/'), path);
      if (opened.path === null) refused.push(...opened.issues.map((issue) => ({ ...issue, file: path })));
      resources.set(uri, opened.path === null ? null : opened.bytes);
    }
  }
}
