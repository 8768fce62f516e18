/** Meshes on their own, as objects of a scene. */
import { applyScale, type TriangleMesh } from 'clearance/geometry';
import type { Issue } from 'clearance/io';
import type { ObjectDescription } from 'clearance/scene';
import { type LoadMeshOptions, loadMesh } from 'clearance/web';
import type { Content } from './content.js';
import type { MeshReading } from './reading.js';

export interface MeshObjects {
  readonly objects: readonly ObjectDescription[];
  readonly meshes: ReadonlyMap<string, TriangleMesh>;
}

export interface GivenMesh {
  /** What the object is named for. */
  readonly path: string;
  /** URL, or path among the files. */
  readonly file: string;
}

/** Names that the content already holds are numbered, and so are the meshes they stand for: nothing is replaced. */
export function withObjects(content: Content, added: MeshObjects): Content {
  const names = new Set(content.objects.map(({ name }) => name));
  const keys = new Set(content.meshes.keys());
  const meshes = new Map(content.meshes);
  const objects = added.objects.map((object): ObjectDescription => {
    const name = uniqueName(object.name, names);
    const { shape } = object;
    if (shape.type !== 'mesh') return { ...object, name };
    const file = uniqueName(shape.file, keys);
    const mesh = added.meshes.get(shape.file);
    if (mesh) meshes.set(file, mesh);
    return { ...object, name, shape: { ...shape, file } };
  });
  return { ...content, objects: [...content.objects, ...objects], meshes };
}

export async function meshObjects(
  given: readonly GivenMesh[],
  options: LoadMeshOptions & {
    readonly scale?: readonly [number, number, number];
    /** By file, where the user says more than the files do. */
    readonly ways?: Readonly<Record<string, MeshReading>>;
  },
  issues: Issue[],
): Promise<MeshObjects> {
  const { scale, onProgress, ways, ...mesh } = options;
  const meshes = new Map<string, TriangleMesh>();
  const objects: ObjectDescription[] = [];
  const names = nameObjects(given.map(({ path }) => path));
  for (const [i, { file }] of given.entries()) {
    const { value, issues: found } = await loadMesh(file, { ...mesh, ...ways?.[file] });
    // A part that is not there makes the verdict one about the others.
    issues.push(
      ...found.map((issue) =>
        value || issue.severity !== 'error' ? issue : { ...issue, assumes: 'dropped' as const },
      ),
    );
    onProgress?.({ file, done: i + 1, total: given.length });
    if (!value) continue;
    meshes.set(file, applyScale(value, scale));
    objects.push({ name: names[i], shape: { type: 'mesh', file }, pose: [0, 0, 0, 0, 0, 0, 1] });
  }
  return { objects, meshes };
}

/** File names without extension; with the folders that tell equal ones apart, and numbered where none do. */
export function nameObjects(paths: readonly string[]): string[] {
  const parts = paths.map((path) => path.replace(/(?<=[^/])\.[^./]+$/, '').split('/'));
  const taken = new Set<string>();
  return parts.map((own, i) => {
    const tail = (words: readonly string[], count: number): string => words.slice(-count).join('/');
    let count = 1;
    while (
      count < own.length &&
      parts.some((other, k) => k !== i && tail(other, count) === tail(own, count) && paths[k] !== paths[i])
    )
      count++;
    return uniqueName(tail(own, count), taken);
  });
}

/** `wanted`, or `wanted 2`, `wanted 3`...; the name is taken afterwards. */
export function uniqueName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted} ${n}`;
  taken.add(name);
  return name;
}
