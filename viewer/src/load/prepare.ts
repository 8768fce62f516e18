/**
 * What takes long to make of loaded content, apart from the page: the trees of its meshes and whether they are closed. The
 * page takes them as they are: it builds no tree of a mesh that is listed here.
 */

import { buildMeshBvh, loadBvhInSteps, serializeBvh } from 'clearance/bvh';
import type { TriangleMesh } from 'clearance/geometry';
import { createCollider, type MeshSurface } from 'clearance/narrowphase';
import { listFileShapes, type PreparedMesh } from 'clearance/scene';
import { listCorners, type MeshCorners } from 'clearance/three';
import type { Content, PlacedRobot } from './content.js';

export interface PreparedTree {
  /** Mesh and tree, of `serializeBvh`. */
  readonly buffer: ArrayBuffer;
  readonly surface: MeshSurface;
  readonly drawn: DrawnMesh;
}

/** How it is drawn. */
export interface DrawnMesh extends MeshCorners {
  /** Least and greatest x, y, z; and the greatest distance from their middle. */
  readonly bounds: readonly number[];
  readonly radius: number;
}

/** Of work between two pauses. Milliseconds. */
const STEP = 8;

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
    using collider = createCollider({ type: 'mesh', mesh }, { bvh });
    const corners = listCorners(mesh);
    return {
      buffer: serializeBvh(bvh),
      surface: collider.meshSurface,
      drawn: { ...corners, ...measure(corners.positions) },
    };
  } catch {
    return null;
  }
}

/** What goes over without a copy. */
export const listTreeBuffers = ({ buffer, drawn }: PreparedTree): ArrayBuffer[] => [
  buffer,
  drawn.positions.buffer,
  drawn.normals.buffer,
];

function measure(positions: Float32Array): Pick<DrawnMesh, 'bounds' | 'radius'> {
  const bounds = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i += 3)
    for (let k = 0; k < 3; k++) {
      bounds[k] = Math.min(bounds[k], positions[i + k]);
      bounds[k + 3] = Math.max(bounds[k + 3], positions[i + k]);
    }
  const [x, y, z] = [0, 1, 2].map((k) => (bounds[k] + bounds[k + 3]) / 2);
  let square = 0;
  for (let i = 0; i < positions.length; i += 3)
    square = Math.max(square, (positions[i] - x) ** 2 + (positions[i + 1] - y) ** 2 + (positions[i + 2] - z) ** 2);
  return { bounds, radius: Math.sqrt(square) };
}

/** On the page, which draws and hears at each `pause`; null where that says no more. */
export async function adoptTree(
  { buffer, surface }: PreparedTree,
  pause: () => Promise<boolean>,
): Promise<AdoptedTree | null> {
  const steps = loadBvhInSteps(buffer);
  for (let since = performance.now(); ; ) {
    const { done, value } = steps.next();
    if (done) return { bvh: value, surface };
    if (performance.now() - since < STEP) continue;
    if (!(await pause())) {
      steps.return(undefined as never);
      return null;
    }
    since = performance.now();
  }
}

export type AdoptedTree = Required<Pick<PreparedMesh, 'bvh' | 'surface'>>;

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
