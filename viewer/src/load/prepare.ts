/**
 * What takes long to make of loaded content, apart from the page: the trees of its meshes and whether they are closed. The
 * page takes them as they are: it builds no tree of a mesh that is listed here.
 */

import { buildMeshBvh, loadBvh, serializeBvh } from 'clearance/bvh';
import { reportMesh, type TriangleMesh } from 'clearance/geometry';
import { listFileShapes, type PreparedMesh } from 'clearance/scene';
import type { Content, PlacedRobot } from './content.js';

export interface PreparedTree {
  /** Mesh and tree, of `serializeBvh`. */
  readonly buffer: ArrayBuffer;
  readonly report: NonNullable<PreparedMesh['report']>;
}

/** A worker is not worth its start for less. Triangles. */
const FEWEST = 10_000;

/** The meshes that colliders will be made of as they are, by the file that they came from; none when they are few and small. */
export function listMeshes(content: Content): Map<TriangleMesh, string> {
  const listed = new Map<TriangleMesh, string>();
  const add = (meshes: ReadonlyMap<string, TriangleMesh>, whole: Content['objects'][number]['shape']): void => {
    for (const shape of listFileShapes(whole)) {
      const mesh = shape.type === 'mesh' && isAsLoaded(shape.scale) && meshes.get(shape.file);
      if (mesh) listed.set(mesh, shape.file);
    }
  };
  for (const { shape } of content.objects) add(content.meshes, shape);
  for (const robot of content.robots) for (const { shape } of listParts(robot)) add(robot.meshes, shape);
  const triangles = [...listed.keys()].reduce((sum, mesh) => sum + mesh.triangles.length / 3, 0);
  return triangles < FEWEST ? new Map() : listed;
}

function listParts({ description, settings }: PlacedRobot): PlacedRobot['description']['collisions'] {
  if (settings?.geometry === 'spheres') return [];
  return settings?.geometry === 'visual' ? description.visuals : description.collisions;
}

const isAsLoaded = (scale: readonly number[] | undefined): boolean => !scale?.some((factor) => factor !== 1);

/** In the worker. Null for a mesh that makes no tree: the page says why, where it names the object. */
export function prepareMesh(mesh: TriangleMesh): PreparedTree | null {
  try {
    using bvh = buildMeshBvh(mesh);
    const { watertight, consistentlyOriented } = reportMesh(mesh);
    return { buffer: serializeBvh(bvh), report: { watertight, consistentlyOriented } };
  } catch {
    return null;
  }
}

/** On the page. */
export function adoptTree({ buffer, report }: PreparedTree): AdoptedTree {
  return { bvh: loadBvh(buffer), report };
}

export type AdoptedTree = Required<PreparedMesh>;

/** The content with the meshes that the trees carry, which take the places of those that were sent. */
export function adoptTrees(content: Content, trees: ReadonlyMap<TriangleMesh, AdoptedTree>): Content {
  const replace = (meshes: ReadonlyMap<string, TriangleMesh>): Map<string, TriangleMesh> =>
    new Map([...meshes].map(([file, mesh]) => [file, trees.get(mesh)?.bvh.mesh ?? mesh]));
  return {
    ...content,
    meshes: replace(content.meshes),
    robots: content.robots.map((robot) => ({ ...robot, meshes: replace(robot.meshes) })),
    prepared: new Map([...trees.values()].map((tree) => [tree.bvh.mesh, tree])),
  };
}

/** The trees of both that belong to meshes of the content. */
export function keepTrees(content: Content, ...from: readonly Content[]): Content {
  const meshes = new Set([content, ...content.robots].flatMap((holder) => [...holder.meshes.values()]));
  const trees = [...from, content].flatMap(({ prepared }) => [...prepared]);
  return { ...content, prepared: new Map(trees.filter(([mesh]) => meshes.has(mesh))) };
}

/** Gives back the trees of what is no longer shown. */
export function disposeTrees(before: Content, now: Content): void {
  for (const [mesh, { bvh }] of before.prepared)
    if (!now.prepared.has(mesh) && bvh?.isDisposed === false) bvh.dispose();
}
