/** Meshes on their own, as objects of a scene. */
import type { TriangleMesh } from 'clearance/geometry';
import type { Issue } from 'clearance/io';
import type { ObjectDescription } from 'clearance/scene';
import type { FileAccess } from '../files/file-access.js';
import { fileNameOf } from '../files/paths.js';
import type { Content } from './content.js';
import { loadMesh } from './robot.js';

export interface MeshObjects {
  readonly objects: readonly ObjectDescription[];
  readonly meshes: ReadonlyMap<string, TriangleMesh>;
}

/** Names that the content already holds are numbered. */
export function withObjects(content: Content, added: MeshObjects): Content {
  const taken = new Set(content.objects.map(({ name }) => name));
  const objects = added.objects.map((object) => ({ ...object, name: uniqueName(object.name, taken) }));
  return {
    ...content,
    objects: [...content.objects, ...objects],
    meshes: new Map([...content.meshes, ...added.meshes]),
  };
}

export async function meshObjects(
  files: readonly string[],
  access: FileAccess,
  from: string,
  issues: Issue[],
): Promise<MeshObjects> {
  const meshes = new Map<string, TriangleMesh>();
  const objects: ObjectDescription[] = [];
  const taken = new Set<string>();
  for (const file of files) {
    const mesh = await loadMesh(file, { access, from, upAxis: 'file' }, issues);
    if (!mesh) continue;
    meshes.set(file, mesh);
    const name = uniqueName(fileNameOf(file).replace(/\.[^.]+$/, ''), taken);
    objects.push({ name, shape: { type: 'mesh', file }, pose: [0, 0, 0, 0, 0, 0, 1] });
  }
  return { objects, meshes };
}

/** `wanted`, or `wanted 2`, `wanted 3`...; the name is taken afterwards. */
export function uniqueName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted} ${n}`;
  taken.add(name);
  return name;
}
