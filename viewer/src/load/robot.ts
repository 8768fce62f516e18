/** A robot with its meshes, from text and whatever gives access to the files it names. */
import type { TriangleMesh } from 'clearance/geometry';
import { type Issue, meshFormatOf, parseMesh, parseUrdf } from 'clearance/io';
import {
  listFileShapes,
  type RobotDescription,
  type SemanticDescription,
  type ShapeDescription,
} from 'clearance/scene';
import type { FileAccess } from '../files/file-access.js';
import { readSemantic } from './semantic.js';

export interface LoadedRobot {
  readonly description: RobotDescription;
  readonly semantic: SemanticDescription | null;
  /** By file name as the description writes it. */
  readonly meshes: ReadonlyMap<string, TriangleMesh>;
}

export interface RobotText {
  readonly urdf: string;
  /** Path or URL of the URDF file. */
  readonly path: string;
  readonly srdf?: string;
}

export async function loadRobot(text: RobotText, access: FileAccess, issues: Issue[]): Promise<LoadedRobot | null> {
  const parsed = parseUrdf(text.urdf, { file: text.path });
  issues.push(...parsed.issues);
  const description = parsed.value;
  if (!description) return null;
  const shapes = [...description.visuals, ...description.collisions].map(({ shape }) => shape);
  const meshes = await loadMeshes(shapes, { access, from: text.path, upAxis: 'ignore' }, issues);
  const semantic = text.srdf === undefined ? null : readSemantic(text.srdf, description, issues);
  return { description, semantic, meshes };
}

export interface MeshSource {
  readonly access: FileAccess;
  readonly from: string;
  /** URDF tools keep coordinates as written; a mesh on its own is turned to Z up. */
  readonly upAxis: 'file' | 'ignore';
}

/** Meshes of all shapes that name one, each read once; what cannot be read becomes an issue. */
export async function loadMeshes(
  shapes: readonly ShapeDescription[],
  source: MeshSource,
  issues: Issue[],
): Promise<Map<string, TriangleMesh>> {
  const files = new Set<string>();
  for (const { type, file } of shapes.flatMap(listFileShapes))
    if (type === 'mesh' || type === 'convex') files.add(file);
  const meshes = new Map<string, TriangleMesh>();
  const loaded = await Promise.all(
    [...files].map(async (file) => [file, await loadMesh(file, source, issues)] as const),
  );
  for (const [file, mesh] of loaded) if (mesh) meshes.set(file, mesh);
  return meshes;
}

export async function loadMesh(file: string, source: MeshSource, issues: Issue[]): Promise<TriangleMesh | null> {
  const opened = await source.access.open(file, source.from);
  if (!opened) {
    issues.push({
      severity: 'error',
      code: 'mesh-not-found',
      file: source.from,
      message: `mesh "${file}" ${source.access.absence}`,
    });
    return null;
  }
  if (opened.note) issues.push({ severity: 'info', code: 'mesh-guessed', file, message: opened.note });
  const resources = await openResources(file, opened.bytes, { ...source, from: opened.path });
  const { value, issues: found } = await parseMesh(opened.bytes, {
    file,
    upAxis: source.upAxis,
    resources: (uri) => resources.get(uri) ?? null,
  });
  issues.push(...found);
  return value?.mesh ?? null;
}

/** A .gltf keeps its numbers in other files; the reader asks for them by URI and cannot wait, so open them before. */
async function openResources(file: string, bytes: Uint8Array, source: MeshSource): Promise<Map<string, Uint8Array>> {
  const resources = new Map<string, Uint8Array>();
  if (meshFormatOf(file) !== 'gltf') return resources;
  for (const uri of listBufferUris(bytes)) {
    const opened = await source.access.open(uri, source.from);
    if (opened) resources.set(uri, opened.bytes);
  }
  return resources;
}

function listBufferUris(bytes: Uint8Array): string[] {
  try {
    const { buffers } = JSON.parse(new TextDecoder().decode(bytes)) as { buffers?: readonly { uri?: unknown }[] };
    return (buffers ?? []).flatMap(({ uri }) => (typeof uri === 'string' && !uri.startsWith('data:') ? [uri] : []));
  } catch {
    // The reader says what is wrong with the file.
    return [];
  }
}
