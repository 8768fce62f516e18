/** Parts of a decomposition: pieces with their edges, volumes and hulls, and how concave they are. */
import { buildConvexHull, type ConvexHull } from '../hull.js';
import { joinMeshes } from '../join-meshes.js';
import { computeMassProperties } from '../mass-properties.js';
import type { MeshProbe } from '../mesh-probe.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { type Concavity, measureConcavity } from './part-concavity.js';
import { findEdges } from './piece-edges.js';
import { listMoments, type SweepSubject } from './plane-sweep.js';
import { type SolidPiece, triangulatePiece, volumeOfPiece } from './solid-piece.js';

/** What all parts of one decomposition share. */
export interface Decomposing {
  readonly solid: MeshProbe;
  /** Largest concavity that a part may have. */
  readonly length: number;
  /** Distances below are all one; default as measureConcavity has it. */
  readonly floor?: number;
  readonly diagonal: number;
}

export interface Part {
  readonly surface: TriangleMesh;
  readonly hull: ConvexHull;
  /** Of the solid in it, and of the hull. */
  readonly volume: number;
  readonly hullVolume: number;
  readonly concavity: Concavity;
}

/** Of the diagonal: corners of cells this near to the surface count as inside. */
const ON_SURFACE = 1e-8;

export function isInside({ solid, diagonal }: Decomposing, x: number, y: number, z: number): boolean {
  if (solid.isInside(x, y, z)) return true;
  const near = ON_SURFACE * diagonal;
  return solid.distance(x, y, z, near) < near;
}

export function createSubject(task: Decomposing, piece: SolidPiece): SweepSubject {
  const inner: number[] = [];
  const { corners } = piece.cell;
  const known = new Set<string>();
  for (let i = 0; i < corners.length; i += 3) {
    const [x, y, z] = [corners[i], corners[i + 1], corners[i + 2]];
    const key = `${x},${y},${z}`;
    if (known.has(key)) continue;
    known.add(key);
    if (isInside(task, x, y, z)) inner.push(x, y, z);
  }
  const extent = extentOf(piece.vertices, inner);
  return {
    piece,
    edges: findEdges(piece, extent > 0 ? extent : 1),
    moments: listMoments(piece),
    inner: Float64Array.from(inner),
    isInside: (x, y, z) => isInside(task, x, y, z),
    volume: volumeOfPiece(piece),
    extent,
  };
}

function extentOf(...lists: readonly ArrayLike<number>[]): number {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const list of lists)
    for (let i = 0; i < list.length; i++) {
      const k = i % 3;
      if (list[i] < low[k]) low[k] = list[i];
      if (list[i] > high[k]) high[k] = list[i];
    }
  return Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2], 0);
}

/** The part that a piece is; null when it is empty. */
export function createPart(task: Decomposing, { piece, inner, volume }: SweepSubject): Part | null {
  const points = joinLists(piece.vertices, inner);
  if (points.length === 0) return null;
  const surface = { vertices: piece.vertices, triangles: triangulatePiece(piece) };
  return measurePart(task, surface, buildConvexHull(points), volume);
}

/** Two parts as one. */
export function joinParts(task: Decomposing, a: Part, b: Part): Part {
  const hull = buildConvexHull(joinLists(a.hull.vertices, b.hull.vertices));
  return measurePart(task, joinMeshes([a.surface, b.surface]), hull, a.volume + b.volume);
}

function measurePart(task: Decomposing, surface: TriangleMesh, hull: ConvexHull, volume: number): Part {
  const hullVolume = volumeOfHull(hull);
  return { surface, hull, volume, hullVolume, concavity: measureConcavity(task, surface, hull, hullVolume - volume) };
}

export function joinLists(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
  const out = new Float64Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}

export function volumeOfHull(hull: ConvexHull): number {
  return hull.dimension === 3 ? computeMassProperties({ type: 'mesh', mesh: hull }, 1).volume : 0;
}
