/**
 * Approximate convex decomposition of a mesh: few convex parts that cover the solid and stick out of it by no more than a
 * stated length.
 *
 * Method: 1. one cell, a box about the mesh; 2. a part is what the solid has in common with a cell; its hull is that of the
 * surface polygons cut to the cell and of the cell's corners inside the solid; 3. the hull's deviation, the largest distance
 * of any of its points from the solid, is bounded by branch and bound (hull-deviation.ts); 4. the part that deviates most is
 * cut by the plane, out of some through the deep point and its surroundings, that leaves the smallest deviation at a coarse
 * look; 5. until every deviation is within the bound, or the parts run out; 6. hulls that still keep the bound as one are
 * joined, those that add least volume first.
 * Source: Wei, Liu, Ling, Su 2022, "Approximate convex decomposition for 3D meshes with collision-aware concavity and tree
 * search", doi:10.1145/3528223.3530103 (plane cuts, concavity as a Hausdorff distance); Mamou, Ghorbel 2009, "A simple and
 * efficient approach for 3D mesh approximate convex decomposition", doi:10.1109/ICIP.2009.5414068 (joining).
 * What differs: polygons are cut without topology, concavity is certified instead of sampled, the search is greedy.
 *
 * Guarantee, S the solid, U the union of the parts: S lies in U to rounding, and every point
 * of U is within `concavity` of S. Units: those of the mesh. Cost: about a tenth of a second per part. Deterministic.
 * Ends: 'ok'; 'part-limit' when `maximumParts` is reached first, with the concavity that was reached.
 * Checked by convex-decomposition.test.ts and test/regression/convex-decomposition.test.ts.
 */

import { type Fields, requireFinite, requireFunction, requireOptions } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { hypot } from '../math/scalar.js';
import { boundPoints } from './bounds.js';
import { closestPointTriangle } from './closest-points.js';
import { buildConvexHull, type ConvexHull } from './hull.js';
import { type Deviation, type DeviationRequest, measureDeviation } from './hull-deviation.js';
import { computeMassProperties } from './mass-properties.js';
import { MeshProbe } from './mesh-probe.js';
import { isWatertight } from './mesh-report.js';
import { countPolygons, createSoup, cutSoup, type Plane, type PolygonSoup } from './polygon-soup.js';
import { requireIndexedMesh } from './require-mesh.js';
import type { Compound } from './shapes.js';
import type { TriangleMesh } from './triangle-mesh.js';

const OPTIONS: Fields = { concavity: requireFinite, maximumParts: requireFinite, onProgress: requireFunction };

export interface DecomposeOptions {
  /** Largest distance of a point of the parts from the solid. Default: 0.5 % of the diagonal of the mesh's bounds. */
  readonly concavity?: number;
  /** Default 256. */
  readonly maximumParts?: number;
  /** Called after each cut with the number of parts so far and the largest deviation. */
  readonly onProgress?: (parts: number, concavity: number) => void;
}

export interface Decomposition {
  readonly status: 'ok' | 'part-limit';
  readonly parts: readonly ConvexHull[];
  /** Certified: no point of any part is farther from the solid. */
  readonly concavity: number;
  /** Of the solid, and of all parts together: what they have more is free space that counts as taken. */
  readonly volume: number;
  readonly partsVolume: number;
  /** The parts as one shape, in the mesh's frame. */
  readonly shape: Compound;
}

const DEFAULT_CONCAVITY = 0.005;
const DEFAULT_PARTS = 256;
/** Cubes that are searched for the deepest point of a part that will be cut. */
const LOOK_CUBES = 400;
/** Relative difference of volume below which a closed mesh is its own hull. */
const CONVEX_VOLUME = 1e-9;
/** Of the diagonal: corners this near to a cutting plane lie on it; the first cell is larger by more. */
const ON_PLANE = 1e-12;
const INFLATION = 1e-7;
/** Points of a part that the coarse look takes, and directions it takes them along. */
const LOOK_DIRECTIONS = 40;
/** Of the way between two corners: where the coarse look probes. */
const LOOK_SHARES = [0.15, 0.4, 0.6, 0.85] as const;
/** Of the extent along the normal: the least that a cut must leave on either side. */
const LEAST_SIDE = 0.04;
/** Weight of how uneven a cut is, against the deviations that it leaves. */
const UNEVEN = 0.1;
/** Faces about the deep point whose planes are tried, and the cosine within which two have one direction. */
const NEAR_FACES = 8;
const SAME_DIRECTION = 0.98;
/** Of the deviation: parallel planes nearer than this are one. */
const SAME_PLANE = 0.02;

interface Part {
  readonly surface: PolygonSoup;
  readonly cell: PolygonSoup;
  readonly hull: ConvexHull;
  readonly deviation: Deviation;
}

interface Task {
  readonly request: DeviationRequest;
  readonly concavity: number;
  readonly diagonal: number;
}

/** Decomposes a watertight mesh. Throws on one that is open or has no triangles, and on options out of range. */
export function decomposeMesh(mesh: TriangleMesh, options: DecomposeOptions = {}): Decomposition {
  requireIndexedMesh('decomposeMesh', 'mesh', mesh);
  requireOptions('decomposeMesh', options, OPTIONS);
  const { maximumParts = DEFAULT_PARTS, onProgress } = options;
  if (mesh.triangles.length === 0) throw new MisuseError('decomposeMesh: mesh, got 0 triangles, expected at least one');
  if (!isWatertight(mesh))
    throw new MisuseError(
      'decomposeMesh: mesh, got an open one, expected it watertight: only a closed mesh has an inside',
    );
  if (!(Number.isInteger(maximumParts) && maximumParts >= 1))
    throw new MisuseError(`decomposeMesh: maximumParts, got ${maximumParts}, expected an integer of at least 1`);
  const bounds = boundPoints(new Float64Array(6), usedVertices(mesh));
  const diagonal = hypot(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
  const concavity = options.concavity ?? DEFAULT_CONCAVITY * diagonal;
  if (!(concavity > 0 && Number.isFinite(concavity)))
    throw new MisuseError(`decomposeMesh: concavity, got ${concavity}, expected a positive finite length`);
  const probe = new MeshProbe(mesh);
  const request = { probe, bound: concavity, look: LOOK_CUBES };
  const task = { request, concavity, diagonal };
  const first = isConvex(mesh) ? null : createPart(task, triangleSoup(mesh), boxSoup(bounds, INFLATION * diagonal));
  if (!first) return finish(mesh, 'ok', [{ hull: buildConvexHull(usedVertices(mesh)), upper: 0 }]);
  const done: Part[] = [];
  const waiting: Part[] = [first];
  while (waiting.length > 0) {
    const worst = takeWorst(waiting);
    if (worst.deviation.upper <= concavity || waiting.length + done.length + 1 >= maximumParts) {
      done.push(worst);
      continue;
    }
    const halves = splitPart(task, worst);
    if (halves.length === 0) done.push(worst);
    else waiting.push(...halves);
    onProgress?.(waiting.length + done.length, worst.deviation.lower);
  }
  const hulls = joinHulls(task, done).map(({ hull, deviation }) => ({ hull, upper: deviation.upper }));
  return finish(mesh, hulls.every(({ upper }) => upper <= concavity) ? 'ok' : 'part-limit', hulls);
}

function finish(
  mesh: TriangleMesh,
  status: Decomposition['status'],
  hulls: readonly { readonly hull: ConvexHull; readonly upper: number }[],
): Decomposition {
  const parts = hulls.map(({ hull }) => hull);
  return {
    status,
    parts,
    concavity: hulls.reduce((most, { upper }) => Math.max(most, upper), 0),
    volume: volumeOfMesh(mesh),
    partsVolume: parts.reduce((sum, part) => sum + volumeOf(part), 0),
    shape: {
      type: 'compound',
      children: parts.map(({ vertices }) => ({ shape: { type: 'convex', points: vertices } })),
    },
  };
}

function isConvex(mesh: TriangleMesh): boolean {
  const hull = buildConvexHull(usedVertices(mesh));
  if (hull.dimension < 3) return false;
  const whole = volumeOf(hull);
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

function triangleSoup(mesh: TriangleMesh): PolygonSoup {
  const corners = usedVertices(mesh);
  return { corners, starts: Uint32Array.from({ length: mesh.triangles.length / 3 + 1 }, (_, i) => 3 * i) };
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

/** Points whose hull holds what the solid has in the cell; empty when that is nothing. */
function listPoints({ request, diagonal }: Task, surface: PolygonSoup, cell: PolygonSoup): Float64Array {
  const inside: number[] = [];
  const near = INFLATION * diagonal * 0.1;
  for (let i = 0; i < cell.corners.length; i += 3) {
    const [x, y, z] = [cell.corners[i], cell.corners[i + 1], cell.corners[i + 2]];
    if (request.probe.isInside(x, y, z) || request.probe.distance(x, y, z, near) < near) inside.push(x, y, z);
  }
  const points = new Float64Array(surface.corners.length + inside.length);
  points.set(surface.corners);
  points.set(inside, surface.corners.length);
  return points;
}

function createPart(task: Task, surface: PolygonSoup, cell: PolygonSoup): Part | null {
  const points = listPoints(task, surface, cell);
  if (points.length === 0) return null;
  const hull = buildConvexHull(points);
  return { surface, cell, hull, deviation: measureDeviation(hull, task.request) };
}

function takeWorst(waiting: Part[]): Part {
  let worst = 0;
  for (let i = 1; i < waiting.length; i++) if (waiting[i].deviation.lower > waiting[worst].deviation.lower) worst = i;
  return waiting.splice(worst, 1)[0];
}

function splitPart(task: Task, part: Part): Part[] {
  const plane = choosePlane(task, part);
  if (!plane) return [];
  const tolerance = ON_PLANE * task.diagonal;
  const surface = cutSoup(part.surface, plane, tolerance, false);
  const cell = cutSoup(part.cell, plane, tolerance, true);
  return [createPart(task, surface.below, cell.below), createPart(task, surface.above, cell.above)].filter(
    (half) => half !== null,
  );
}

/** Planes to try: those of the faces about the deep point, across the axes and the way to it, and through the middle. */
function listPlanes(part: Part): Plane[] {
  const bounds = boundPoints(new Float64Array(6), part.hull.vertices);
  const { point } = part.deviation;
  const planes: Plane[] = [];
  const add = (n: readonly number[], through: ArrayLike<number>): void => {
    const norm = hypot(n[0], n[1], n[2]);
    if (!(norm > 0)) return;
    const [x, y, z] = n.map((c) => c / norm);
    const offset = x * through[0] + y * through[1] + z * through[2];
    const known = planes.some(([px, py, pz, po]) => {
      const cosine = px * x + py * y + pz * z;
      return (
        Math.abs(cosine) > 1 - 1e-9 && Math.abs(po - Math.sign(cosine) * offset) <= SAME_PLANE * part.deviation.lower
      );
    });
    if (!known) planes.push([x, y, z, offset]);
  };
  const nearest = findNearFaces(part);
  for (const { normal, closest } of nearest) add(normal, closest);
  const way = nearest.length > 0 ? [0, 1, 2].map((k) => point[k] - nearest[0].closest[k]) : [0, 0, 0];
  if (nearest.length > 0) add(way, nearest[0].closest);
  for (let k = 0; k < 3; k++) {
    const axis = [0, 1, 2].map((m) => (m === k ? 1 : 0));
    add(axis, point);
    // Along the way: what bends about it is halved.
    add(
      [0, 1, 2].map((m) => way[(m + 1) % 3] * axis[(m + 2) % 3] - way[(m + 2) % 3] * axis[(m + 1) % 3]),
      point,
    );
    if (nearest.length > 0) add(axis, nearest[0].closest);
    add(
      axis,
      [0, 1, 2].map((m) => 0.5 * (bounds[m] + bounds[m + 3])),
    );
  }
  return planes;
}

interface NearFace {
  readonly distance: number;
  readonly normal: readonly number[];
  readonly closest: readonly number[];
}

const triangle = new Float64Array(9);
const foot = new Float64Array(3);

/** The faces nearest to the deep point, at most one of each direction, nearest first. */
function findNearFaces({ surface, deviation: { point } }: Part): NearFace[] {
  const { corners, starts } = surface;
  const nearest: NearFace[] = [];
  for (let p = 0; p + 1 < starts.length; p++)
    for (let i = starts[p] + 1; i + 1 < starts[p + 1]; i++) {
      for (let k = 0; k < 3; k++) {
        triangle[k] = corners[3 * starts[p] + k];
        triangle[3 + k] = corners[3 * i + k];
        triangle[6 + k] = corners[3 * i + 3 + k];
      }
      const distance = closestPointTriangle(foot, 0, point, 0, triangle);
      if (nearest.length === NEAR_FACES && distance >= nearest[NEAR_FACES - 1].distance) continue;
      const u = [0, 1, 2].map((k) => triangle[3 + k] - triangle[k]);
      const v = [0, 1, 2].map((k) => triangle[6 + k] - triangle[k]);
      const n = [0, 1, 2].map((k) => u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
      const norm = hypot(n[0], n[1], n[2]);
      if (norm === 0) continue;
      const normal = n.map((x) => x / norm);
      const like = nearest.findIndex(
        (face) => normal.reduce((sum, x, k) => sum + x * face.normal[k], 0) > SAME_DIRECTION,
      );
      if (like >= 0) {
        if (nearest[like].distance <= distance) continue;
        nearest.splice(like, 1);
      }
      const at = nearest.findIndex((face) => face.distance > distance);
      nearest.splice(at < 0 ? nearest.length : at, 0, { distance, normal, closest: Array.from(foot) });
      nearest.length = Math.min(nearest.length, NEAR_FACES);
    }
  return nearest;
}

function choosePlane(task: Task, part: Part): Plane | null {
  let best: Plane | null = null;
  let least = Infinity;
  for (const plane of listPlanes(part)) {
    const cost = rankPlane(task, part, plane);
    if (cost < least) {
      least = cost;
      best = plane;
    }
  }
  return best;
}

/** A coarse look at both sides: how far points between extreme corners are from the solid, and how even the sides are. */
function rankPlane({ request, diagonal }: Task, part: Part, plane: Plane): number {
  let lower = Infinity;
  let upper = -Infinity;
  const { vertices } = part.hull;
  for (let i = 0; i < vertices.length; i += 3) {
    const h = plane[0] * vertices[i] + plane[1] * vertices[i + 1] + plane[2] * vertices[i + 2] - plane[3];
    lower = Math.min(lower, h);
    upper = Math.max(upper, h);
  }
  const least = LEAST_SIDE * (upper - lower);
  if (!(-lower > least && upper > least)) return Infinity;
  const cut = cutSoup(part.surface, plane, ON_PLANE * diagonal, false);
  const below = lookAt(request, cut.below);
  const above = lookAt(request, cut.above);
  const uneven = Math.abs(upper + lower) / (upper - lower);
  return below + above + UNEVEN * uneven * part.deviation.lower;
}

/** Directions for extreme corners: the axes and diagonals of a cube, and a spiral. */
const looks = createLooks();

function createLooks(): Float64Array {
  const c = -0.7373688780783197;
  const s = 0.6754902942615238;
  const out = new Float64Array(3 * LOOK_DIRECTIONS);
  let x = 1;
  let y = 0;
  for (let i = 0; i < LOOK_DIRECTIONS; i++) {
    const z = 1 - (2 * i + 1) / LOOK_DIRECTIONS;
    const r = Math.sqrt(1 - z * z);
    out.set([r * x, r * y, z], 3 * i);
    [x, y] = [c * x - s * y, s * x + c * y];
  }
  return out;
}

/** Largest distance from the solid among points between pairs of extreme corners. */
function lookAt(request: DeviationRequest, surface: PolygonSoup): number {
  if (countPolygons(surface) === 0) return 0;
  const { corners } = surface;
  const extremes = new Set<number>();
  for (let d = 0; d < looks.length; d += 3) {
    let best = -Infinity;
    let at = 0;
    for (let i = 0; i < corners.length; i += 3) {
      const h = looks[d] * corners[i] + looks[d + 1] * corners[i + 1] + looks[d + 2] * corners[i + 2];
      if (h > best) {
        best = h;
        at = i;
      }
    }
    extremes.add(at);
  }
  const points = [...extremes];
  let most = 0;
  const look = (x: number, y: number, z: number): void => {
    if (request.probe.isInside(x, y, z)) return;
    most = Math.max(most, request.probe.distance(x, y, z));
  };
  for (let i = 0; i < points.length; i++)
    for (let j = i + 1; j < points.length; j += 1 + ((i + j) % 3)) {
      const [p, q] = [points[i], points[j]];
      for (const t of LOOK_SHARES)
        look(
          corners[p] + t * (corners[q] - corners[p]),
          corners[p + 1] + t * (corners[q + 1] - corners[p + 1]),
          corners[p + 2] + t * (corners[q + 2] - corners[p + 2]),
        );
    }
  return most;
}

interface Joined {
  readonly hull: ConvexHull;
  readonly deviation: Deviation;
}

interface JoinCandidate {
  readonly i: number;
  readonly j: number;
  readonly hull: ConvexHull;
  /** Volume that the common hull adds to the two. */
  readonly excess: number;
}

/** Joins pairs of hulls whose common hull keeps the bound, those that add least volume first, until there is none. */
function joinHulls({ request, concavity }: Task, parts: readonly Part[]): Joined[] {
  const hulls: (Joined | null)[] = [...parts];
  const volumes = parts.map(({ hull }) => volumeOf(hull));
  const candidates: JoinCandidate[] = [];
  const consider = (i: number, j: number): void => {
    const [a, b] = [hulls[i], hulls[j]];
    if (!a || !b || !boxesNear(a.hull, b.hull, concavity)) return;
    const points = new Float64Array(a.hull.vertices.length + b.hull.vertices.length);
    points.set(a.hull.vertices);
    points.set(b.hull.vertices, a.hull.vertices.length);
    const hull = buildConvexHull(points);
    candidates.push({ i, j, hull, excess: volumeOf(hull) - volumes[i] - volumes[j] });
  };
  for (let i = 0; i < hulls.length; i++) for (let j = i + 1; j < hulls.length; j++) consider(i, j);
  while (candidates.length > 0) {
    let least = 0;
    for (let c = 1; c < candidates.length; c++) if (candidates[c].excess < candidates[least].excess) least = c;
    const [{ i, j, hull }] = candidates.splice(least, 1);
    if (!hulls[i] || !hulls[j]) continue;
    const deviation = measureDeviation(hull, { ...request, look: 0 });
    if (deviation.upper > concavity) continue;
    hulls[i] = null;
    hulls[j] = null;
    hulls.push({ hull, deviation });
    volumes.push(volumeOf(hull));
    for (let k = 0; k + 1 < hulls.length; k++) consider(k, hulls.length - 1);
  }
  return hulls.filter((hull) => hull !== null);
}

function volumeOf(hull: ConvexHull): number {
  return hull.dimension === 3 ? computeMassProperties({ type: 'mesh', mesh: hull }, 1).volume : 0;
}

function boxesNear(a: ConvexHull, b: ConvexHull, margin: number): boolean {
  const p = boundPoints(new Float64Array(6), a.vertices);
  const q = boundPoints(new Float64Array(6), b.vertices);
  for (let k = 0; k < 3; k++) if (p[k] > q[k + 3] + margin || q[k] > p[k + 3] + margin) return false;
  return true;
}
