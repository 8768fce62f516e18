/**
 * Approximate convex decomposition of a mesh: few convex parts that hold the solid, none of them more concave than stated.
 *
 * Method: 1. the solid in a box is the first piece; 2. the hull of a piece is a part when its concavity (decomposition/part-concavity.ts)
 * is within the bound; 3. else the piece is cut in two by the plane after which, looking one cut ahead, the hulls have least volume that
 * the solid has not, or at the deepest place (divide-part.ts, cut-search.ts, plane-sweep.ts, solid-piece.ts); 4. parts whose common hull keeps the bound are joined
 * (join-parts.ts); 5. hulls of many corners are simplified outwards, when that is asked for (simplify-hull.ts).
 * Source: Wei, Liu, Ling, Su 2022, "Approximate convex decomposition for 3D meshes with collision-aware concavity and tree
 * search", doi:10.1145/3528223.3530103 (concavity, plane cuts); Mamou, Ghorbel 2009, "A simple and efficient approach for 3D mesh
 * approximate convex decomposition", doi:10.1109/ICIP.2009.5414068 (joining).
 * What differs: the search is deterministic, over all near planes at once; planes of faces at concave edges are tried; concavity is bounded
 * instead of sampled.
 *
 * Guarantee, S the solid, U the union of the parts, c the concavity that is reported: S lies in U to rounding; every point of a part's
 * surface is within c of S; no point of U is farther than 4.4 c from S (a ball free of S inside a part has k times its radius within c, k = 0.3).
 * Units: those of the mesh. Cost: some tens of microseconds per triangle and level of cuts. Deterministic.
 * Ends: 'ok'; 'part-limit' when the bound would take more than `maximumParts`, with the concavity that was reached.
 * Checked by convex-decomposition.test.ts and test/regression/convex-decomposition.test.ts.
 */

import { type Fields, requireFinite, requireFunction, requireOptions } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { hypot } from '../math/scalar.js';
import { boundPoints } from './bounds.js';
import { dividePart } from './decomposition/divide-part.js';
import { joinConvexParts } from './decomposition/join-parts.js';
import { createPart, createSubject, type Decomposing, type Part, volumeOfHull } from './decomposition/parts.js';
import type { SweepSubject } from './decomposition/plane-sweep.js';
import { findOverlaps } from './decomposition/shell-overlaps.js';
import { simplifyHull } from './decomposition/simplify-hull.js';
import type { SolidPiece } from './decomposition/solid-piece.js';
import { buildConvexHull, type ConvexHull } from './hull.js';
import { computeMassProperties } from './mass-properties.js';
import { MeshProbe } from './mesh-probe.js';
import { isWatertight } from './mesh-report.js';
import { createSoup, type PolygonSoup } from './polygon-soup.js';
import { requireIndexedMesh } from './require-mesh.js';
import type { Compound } from './shapes.js';
import type { TriangleMesh } from './triangle-mesh.js';

const OPTIONS: Fields = {
  concavity: requireFinite,
  relativeConcavity: requireFinite,
  maximumParts: requireFinite,
  simplification: requireFinite,
  onProgress: requireFunction,
};

export interface DecomposeOptions {
  /** Largest concavity of a part, a length: Hausdorff distance of the surfaces of part and hull, and a term of their volumes (Wei et al. 2022). */
  readonly concavity?: number;
  /** The same, of the diagonal of the mesh's bounds. Default 0.015, when `concavity` is not given. */
  readonly relativeConcavity?: number;
  /** Default 256. */
  readonly maximumParts?: number;
  /** Hulls get fewer corners and grow by at most this length. Default 0: exact hulls. */
  readonly simplification?: number;
  /** Called after each cut with the number of parts so far and how concave the worst of them is at least. */
  readonly onProgress?: (parts: number, concavity: number) => void;
}

export interface Decomposition {
  readonly status: 'ok' | 'part-limit';
  readonly parts: readonly ConvexHull[];
  /** No part is more concave. */
  readonly concavity: number;
  /** Of the solid, and of all parts together: what they have more is free space that counts as taken. */
  readonly volume: number;
  readonly partsVolume: number;
  /** The parts as one shape, in the mesh's frame. */
  readonly shape: Compound;
}

const DEFAULT_CONCAVITY = 0.015;
const DEFAULT_PARTS = 256;
/** Relative difference of volume below which a closed mesh is its own hull. */
const CONVEX_VOLUME = 1e-9;
/** Of the diagonal: the first cell is larger by it. */
const INFLATION = 1e-6;
/** Pieces that are cut for each part allowed: joining brings them down again. */
const PIECES_PER_PART = 2;

/** Decomposes a watertight mesh. Throws on one that is open or has no triangles, and on options out of range. */
export function decomposeMesh(mesh: TriangleMesh, options: DecomposeOptions = {}): Decomposition {
  requireIndexedMesh('decomposeMesh', 'mesh', mesh);
  requireOptions('decomposeMesh', options, OPTIONS);
  const { maximumParts = DEFAULT_PARTS, simplification = 0, onProgress } = options;
  if (mesh.triangles.length === 0) throw new MisuseError('decomposeMesh: mesh, got 0 triangles, expected at least one');
  if (!isWatertight(mesh))
    throw new MisuseError(
      'decomposeMesh: mesh, got an open one, expected it watertight: only a closed mesh has an inside',
    );
  if (!(Number.isInteger(maximumParts) && maximumParts >= 1))
    throw new MisuseError(`decomposeMesh: maximumParts, got ${maximumParts}, expected an integer of at least 1`);
  if (!(simplification >= 0))
    throw new MisuseError(`decomposeMesh: simplification, got ${simplification}, expected a length of at least 0`);
  const bounds = boundPoints(new Float64Array(6), usedVertices(mesh));
  const diagonal = hypot(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
  const length = chooseLength(options, diagonal);
  if (isConvex(mesh)) return finish(mesh, 'ok', [buildConvexHull(usedVertices(mesh))], 0, simplification);
  const task: Decomposing = { solid: new MeshProbe(mesh), length, diagonal };
  const overlaps = findOverlaps(task.solid, bounds);
  const first = { ...firstPiece(mesh, boxSoup(bounds, INFLATION * diagonal)), overlaps };
  const found = cutAll(task, first, maximumParts, onProgress);
  const parts = joinConvexParts(task, found, maximumParts);
  const concavity = parts.reduce((most, part) => Math.max(most, part.concavity.upper), 0);
  const hulls = parts.map(({ hull }) => hull);
  return finish(mesh, concavity <= length ? 'ok' : 'part-limit', hulls, concavity, simplification);
}

function chooseLength({ concavity, relativeConcavity }: DecomposeOptions, diagonal: number): number {
  if (concavity !== undefined && relativeConcavity !== undefined)
    throw new MisuseError(
      `decomposeMesh: concavity and relativeConcavity, got ${concavity} and ${relativeConcavity}, expected one of them`,
    );
  if (concavity !== undefined) {
    if (!(concavity > 0))
      throw new MisuseError(`decomposeMesh: concavity, got ${concavity}, expected a positive finite length`);
    return concavity;
  }
  const share = relativeConcavity ?? DEFAULT_CONCAVITY;
  if (!(share > 0)) throw new MisuseError(`decomposeMesh: relativeConcavity, got ${share}, expected a positive number`);
  return share * diagonal;
}

interface Waiting {
  readonly subject: SweepSubject;
  readonly part: Part;
}

/** Cuts the piece that is most concave until all keep the bound, or there are too many to be joined again. */
function cutAll(
  task: Decomposing,
  first: SolidPiece,
  maximumParts: number,
  onProgress: DecomposeOptions['onProgress'],
): Part[] {
  const done: Part[] = [];
  const waiting: Waiting[] = [];
  const enter = (subject: SweepSubject): void => {
    const part = createPart(task, subject);
    if (!part) return;
    if (part.concavity.upper <= task.length) done.push(part);
    else waiting.push({ subject, part });
  };
  enter(createSubject(task, first));
  while (waiting.length > 0) {
    const { subject, part } = takeWorst(waiting);
    const halves =
      waiting.length + done.length + 1 < PIECES_PER_PART * maximumParts ? dividePart(task, subject, part) : [];
    if (halves.length < 2) done.push(part);
    else for (const half of halves) enter(half);
    onProgress?.(waiting.length + done.length, part.concavity.lower);
  }
  return done;
}

function takeWorst(waiting: Waiting[]): Waiting {
  let worst = 0;
  for (let i = 1; i < waiting.length; i++)
    if (waiting[i].part.concavity.lower > waiting[worst].part.concavity.lower) worst = i;
  return waiting.splice(worst, 1)[0];
}

function finish(
  mesh: TriangleMesh,
  status: Decomposition['status'],
  exact: readonly ConvexHull[],
  concavity: number,
  simplification: number,
): Decomposition {
  const parts = simplification > 0 ? exact.map((hull) => simplifyHull(hull, simplification)) : exact;
  return {
    status,
    parts,
    concavity: concavity + simplification,
    volume: volumeOfMesh(mesh),
    partsVolume: parts.reduce((sum, part) => sum + volumeOfHull(part), 0),
    shape: {
      type: 'compound',
      children: parts.map(({ vertices }) => ({ shape: { type: 'convex', points: vertices } })),
    },
  };
}

function isConvex(mesh: TriangleMesh): boolean {
  const hull = buildConvexHull(usedVertices(mesh));
  if (hull.dimension < 3) return false;
  const whole = volumeOfHull(hull);
  return Math.abs(volumeOfMesh(mesh) - whole) <= CONVEX_VOLUME * whole;
}

function volumeOfMesh(mesh: TriangleMesh): number {
  return Math.abs(computeMassProperties({ type: 'mesh', mesh }, 1).volume);
}

function usedVertices({ vertices, triangles }: TriangleMesh): Float64Array {
  const used = new Float64Array(3 * triangles.length);
  for (let i = 0; i < triangles.length; i++)
    for (let k = 0; k < 3; k++) used[3 * i + k] = vertices[3 * triangles[i] + k];
  return used;
}

/** The mesh's triangles over corners that stand in one place once, turned outwards. */
function firstPiece(mesh: TriangleMesh, cell: PolygonSoup): Omit<SolidPiece, 'overlaps'> {
  const names = new Map<string, number>();
  const vertices: number[] = [];
  const loops: number[] = [];
  const isInsideOut = computeMassProperties({ type: 'mesh', mesh }, 1).volume < 0;
  for (let t = 0; t < mesh.triangles.length; t += 3) {
    const corners = [0, 1, 2].map((c) => {
      const at = 3 * mesh.triangles[t + (isInsideOut ? 2 - c : c)];
      const [x, y, z] = [mesh.vertices[at], mesh.vertices[at + 1], mesh.vertices[at + 2]];
      const key = `${x},${y},${z}`;
      let name = names.get(key);
      if (name === undefined) {
        name = vertices.length / 3;
        names.set(key, name);
        vertices.push(x, y, z);
      }
      return name;
    });
    if (corners[0] !== corners[1] && corners[1] !== corners[2] && corners[2] !== corners[0]) loops.push(...corners);
  }
  return {
    vertices: Float64Array.from(vertices),
    loops: Int32Array.from(loops),
    starts: Int32Array.from({ length: loops.length / 3 + 1 }, (_, i) => 3 * i),
    caps: new Float64Array(0),
    cell,
  };
}

/** The six faces of a box, grown on every side. */
function boxSoup(bounds: Float64Array, growth: number): PolygonSoup {
  const corner = (i: number): number[] =>
    [0, 1, 2].map((k) => ((i >> k) & 1 ? bounds[k + 3] + growth : bounds[k] - growth));
  return createSoup(
    [
      [0, 4, 6, 2],
      [1, 3, 7, 5],
      [0, 1, 5, 4],
      [2, 6, 7, 3],
      [0, 2, 3, 1],
      [4, 5, 7, 6],
    ].map((face) => face.map(corner)),
  );
}
