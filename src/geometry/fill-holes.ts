/**
 * Closes the holes of a mesh up to a stated width, so that its interior counts.
 *
 * Method: 1. vertices of equal position are one; edges used once more in one direction than in the other are the rim; 2. the rim,
 * walked against its triangles, comes apart into simple loops; 3. a loop no wider than allowed gets the triangulation of
 * least area (dynamic programming over its chords), or, beyond MAX_CORNERS corners, a fan about the mean of its corners.
 * Every edge of a filled loop then has its neighbour: the mesh is closed when all loops were filled. 4. A connected part whose
 * caps would have nearly its own area is a sheet that would be doubled, not closed: its loops are left.
 * A cap lies between the corners of its loop, so within its width of where the part's own surface was.
 * Source: G. Barequet, M. Sharir 1995, "Filling gaps in the boundary of a polyhedron", section 3,
 *   doi:10.1016/0167-8396(94)00011-G.
 * Units: the mesh's. Cost: linear, and for loops of n corners n^3 / 6 areas. Where the surface turns its side at an edge
 * (both triangles use it in one direction) there is no hole to fill; such rims are left. Checked by fill-holes.test.ts.
 */

import { requireNotNegative } from '../math/arguments.js';
import { countEdgeSurplus } from './edge-surplus.js';
import { requireMesh } from './require-mesh.js';
import type { TriangleMesh } from './triangle-mesh.js';
import { findRoot } from './union-find.js';

/** Above this many corners a loop gets a fan: 64 corners take 41,664 areas, about a millisecond. */
const MAX_CORNERS = 64;
/** Share of a part's area from which its caps make it a doubled sheet. A bowl's cap has one half. */
const SHEET = 0.9;

export interface FilledMesh {
  /** The triangles as they were, then those of the caps. */
  readonly mesh: TriangleMesh;
  readonly filled: number;
  /** Largest extent of a filled loop along a coordinate axis; 0 without one. */
  readonly widestFilled: number;
  /** Loops that are wider than allowed. */
  readonly tooWide: number;
  /** Smallest extent of a loop that is too wide: what it takes to fill one more; 0 without one. */
  readonly narrowestLeft: number;
  /** Loops of connected parts that are sheets: nothing is inside them. */
  readonly ofSheets: number;
}

interface Cap {
  /** Corners of its triangles. */
  readonly triangles: number[];
  readonly width: number;
  /** Root of the connected part. */
  readonly part: number;
}

/** Fills holes whose largest extent along a coordinate axis is at most `maximumWidth`. */
export function fillHoles(mesh: TriangleMesh, maximumWidth: number): FilledMesh {
  requireMesh('fillHoles', 'mesh', mesh);
  requireNotNegative('fillHoles', 'maximumWidth', maximumWidth);
  const { vertices, triangles } = mesh;
  const { loops, partOf } = findLoops(mesh);
  const added: number[] = [];
  const caps: Cap[] = [];
  let [tooWide, narrowestLeft] = [0, 0];
  for (const loop of loops) {
    const width = measureWidth(vertices, loop);
    if (width > maximumWidth) {
      narrowestLeft = tooWide === 0 ? width : Math.min(narrowestLeft, width);
      tooWide++;
      continue;
    }
    const corners = loop.length <= MAX_CORNERS ? triangulate(vertices, loop) : fan(added, vertices, loop);
    caps.push({ triangles: corners, width, part: partOf(loop[0]) });
  }
  const grown = join(Float64Array, vertices, added);
  /** Of the caps less SHEET times the triangles', by part. */
  const excess = new Map<number, number>();
  const add = (part: number, corners: ArrayLike<number>, t: number, share: number) => {
    const area = areaOf(grown, corners[t], corners[t + 1], corners[t + 2]);
    excess.set(part, (excess.get(part) ?? 0) + share * area);
  };
  for (let t = 0; t < triangles.length; t += 3) add(partOf(triangles[t]), triangles, t, -SHEET);
  for (const { part, triangles: corners } of caps) for (let t = 0; t < corners.length; t += 3) add(part, corners, t, 1);
  const kept = caps.filter(({ part }) => excess.get(part)! < 0);
  const counts = {
    filled: kept.length,
    widestFilled: kept.reduce((widest, { width }) => Math.max(widest, width), 0),
    tooWide,
    narrowestLeft,
    ofSheets: caps.length - kept.length,
  };
  if (kept.length === 0) return { mesh, ...counts };
  const filled = join(
    Uint32Array,
    triangles,
    kept.flatMap((cap) => cap.triangles),
  );
  return { mesh: { ...mesh, vertices: grown, triangles: filled }, ...counts };
}

/** About the mean of the loop's corners, which is a new vertex. */
function fan(added: number[], vertices: Float64Array, loop: readonly number[]): number[] {
  const middle = (vertices.length + added.length) / 3;
  for (let k = 0; k < 3; k++) added.push(loop.reduce((sum, v) => sum + vertices[3 * v + k] / loop.length, 0));
  return loop.flatMap((v, i) => [v, loop[(i + 1) % loop.length], middle]);
}

function join<T extends Float64Array | Uint32Array>(Type: new (length: number) => T, start: T, end: number[]): T {
  const out = new Type(start.length + end.length);
  out.set(start);
  out.set(end, start.length);
  return out;
}

interface Rim {
  /** Vertices of every closed loop, in the direction that the missing triangles use its edges. */
  readonly loops: number[][];
  /** A number for the connected part that a vertex belongs to. */
  readonly partOf: (vertex: number) => number;
}

function findLoops(mesh: TriangleMesh): Rim {
  const { positionOf, firstVertex, surplus } = countEdgeSurplus(mesh);
  const { triangles } = mesh;
  const count = firstVertex.length;
  const parent = Uint32Array.from({ length: count }, (_, i) => i);
  for (let t = 0; t < triangles.length; t += 3)
    for (let k = 1; k < 3; k++)
      parent[findRoot(parent, positionOf[triangles[t + k]])] = findRoot(parent, positionOf[triangles[t]]);
  /** Where the rim goes on from each position. */
  const onward = new Map<number, number[]>();
  for (const [key, uses] of surplus) {
    if (uses !== 1 && uses !== -1) continue;
    const low = Math.floor(key / count);
    const high = key % count;
    const [from, to] = uses > 0 ? [high, low] : [low, high];
    const ends = onward.get(from);
    if (ends) ends.push(to);
    else onward.set(from, [to]);
  }
  const loops: number[][] = [];
  const path: number[] = [];
  const placeOf = new Map<number, number>();
  for (const start of onward.keys()) {
    let at: number | undefined = start;
    while (at !== undefined) {
      const place = placeOf.get(at);
      if (place === undefined) {
        placeOf.set(at, path.length);
        path.push(at);
      } else {
        for (let i = place + 1; i < path.length; i++) placeOf.delete(path[i]);
        loops.push(path.slice(place).map((position) => firstVertex[position]));
        path.length = place + 1;
      }
      at = onward.get(at)?.pop();
    }
    path.length = 0;
    placeOf.clear();
  }
  return { loops, partOf: (vertex) => findRoot(parent, positionOf[vertex]) };
}

function measureWidth(vertices: Float64Array, loop: readonly number[]): number {
  let width = 0;
  for (let k = 0; k < 3; k++) {
    let low = Infinity;
    let high = -Infinity;
    for (const v of loop) {
      low = Math.min(low, vertices[3 * v + k]);
      high = Math.max(high, vertices[3 * v + k]);
    }
    width = Math.max(width, high - low);
  }
  return width;
}

/** Least area between the corners i..j is that of the best triangle i, k, j and of what it leaves on either side. */
function triangulate(vertices: Float64Array, loop: readonly number[]): number[] {
  const n = loop.length;
  const area = new Float64Array(n * n);
  const apex = new Int32Array(n * n);
  for (let span = 2; span < n; span++)
    for (let i = 0; i + span < n; i++) {
      const j = i + span;
      let least = Infinity;
      for (let k = i + 1; k < j; k++) {
        const sum = area[i * n + k] + area[k * n + j] + areaOf(vertices, loop[i], loop[k], loop[j]);
        if (sum < least) {
          least = sum;
          apex[i * n + j] = k;
        }
      }
      area[i * n + j] = least;
    }
  const out: number[] = [];
  const open: [number, number][] = [[0, n - 1]];
  for (let chord = open.pop(); chord; chord = open.pop()) {
    const [i, j] = chord;
    if (j - i < 2) continue;
    const k = apex[i * n + j];
    out.push(loop[i], loop[k], loop[j]);
    open.push([k, j], [i, k]);
  }
  return out;
}

function areaOf(vertices: ArrayLike<number>, a: number, b: number, c: number): number {
  const [i, j, k] = [3 * a, 3 * b, 3 * c];
  const ux = vertices[j] - vertices[i];
  const uy = vertices[j + 1] - vertices[i + 1];
  const uz = vertices[j + 2] - vertices[i + 2];
  const vx = vertices[k] - vertices[i];
  const vy = vertices[k + 1] - vertices[i + 1];
  const vz = vertices[k + 2] - vertices[i + 2];
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  return 0.5 * Math.sqrt(x * x + y * y + z * z);
}
