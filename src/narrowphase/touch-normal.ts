/**
 * The normal of two meshes so close that the difference of their nearest points has no digits left for a direction, or that
 * touch or cross as surfaces.
 *
 * Method: 1. of the nearest two triangles, the axis that separates them most, of the two face normals, the cross products of
 * edges, and in the planes across the edges; 2. where their gap is that of the meshes, the axis is the normal; 3. below
 * TOUCHING of the sizes it must also lead out: B moved along it by OUTSIDE is that far from A; if not, the axes of whatever
 * triangles are in the way are taken in, and their mean and each alone are tried in turn; 4. surfaces that cross deeper keep
 * the first axis. Coplanar triangles do not say on which side B is: the middle of its bounds does.
 * Source: Gottschalk, Lin, Manocha 1996, "OBBTree: a hierarchical structure for rapid interference detection",
 *   doi:10.1145/237170.237244, section 5 (separating axes); the trial by moving is ours.
 * Frames: A's frame. Cost: a microsecond; where the meshes touch, some collision queries. Checked by touch-normal.test.ts.
 */
import { createMeshDistance, distanceMeshMesh } from '../bvh/distance-mesh.js';
import type { MeshBvh } from '../bvh/mesh-bvh.js';
import { createTransform, type Transform } from '../math/transform.js';

/** Of the sizes: gaps below this take their normal from the triangles if it fits. */
export const CLOSE = 1e-8;
/** Of the sizes: gaps below this leave no digits for a direction. */
const TOUCHING = 1e-12;
/** Of the sizes: rounding of a gap along an axis. */
const ROUNDING = 4e-15;
/** Of the sizes: how far B is moved to see whether an axis leads out. */
const OUTSIDE = 1e-7;
/** Sine below which an axis is rounding. */
const LEAST_SINE = 1e-9;
/** Of the sizes: farther than this by the way OUTSIDE, no other axis is much better. */
const STRAIGHT = 0.99 * OUTSIDE;
const MAX_AXES = 12;

const corners = new Float64Array(18);
const edges = new Float64Array(18);
const faces = new Float64Array(6);
const axis = new Float64Array(3);
const best = new Float64Array(3);
const mean = new Float64Array(3);
const sum = new Float64Array(3);
/** From the middle of A's triangle to that of B's bounds. */
const bulk = new Float64Array(3);
const moved = createTransform();
const away = createMeshDistance();
const beyond = { upperBound: 0 };
let widest = -Infinity;
/** Gaps closer than this are equal; the axes with the widest, 3 numbers each. */
let tie = 0;
const MAX_TIED = 12;
const tied = new Float64Array(3 * MAX_TIED);
let tiedCount = 0;

function loadTriangle(at: number, bvh: MeshBvh, triangle: number, X: Transform | null): void {
  const { vertices, triangles } = bvh.mesh;
  for (let c = 0; c < 3; c++) {
    const v = 3 * triangles[3 * triangle + c];
    const [x, y, z] = [vertices[v], vertices[v + 1], vertices[v + 2]];
    const to = at + 3 * c;
    corners[to] = X ? X[0] * x + X[1] * y + X[2] * z + X[9] : x;
    corners[to + 1] = X ? X[3] * x + X[4] * y + X[5] * z + X[10] : y;
    corners[to + 2] = X ? X[6] * x + X[7] * y + X[8] * z + X[11] : z;
  }
  for (let c = 0; c < 3; c++)
    for (let k = 0; k < 3; k++) edges[at + 3 * c + k] = corners[at + 3 * ((c + 1) % 3) + k] - corners[at + 3 * c + k];
}

/** p[i..] x q[j..] to `axis`, unit; false when the two are parallel to rounding. */
function crossInto(p: Float64Array, i: number, q: Float64Array, j: number): boolean {
  axis[0] = p[i + 1] * q[j + 2] - p[i + 2] * q[j + 1];
  axis[1] = p[i + 2] * q[j] - p[i] * q[j + 2];
  axis[2] = p[i] * q[j + 1] - p[i + 1] * q[j];
  const lengths =
    Math.sqrt(p[i] * p[i] + p[i + 1] * p[i + 1] + p[i + 2] * p[i + 2]) *
    Math.sqrt(q[j] * q[j] + q[j + 1] * q[j + 1] + q[j + 2] * q[j + 2]);
  const norm = Math.sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  if (!(norm > LEAST_SINE * lengths)) return false;
  for (let k = 0; k < 3; k++) axis[k] /= norm;
  return true;
}

/** Keeps `axis`, or its opposite, when B lies farther out along it than along the best so far. */
function tryAxis(): void {
  let [lowA, highA, lowB, highB] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let c = 0; c < 9; c += 3) {
    const h = axis[0] * corners[c] + axis[1] * corners[c + 1] + axis[2] * corners[c + 2];
    const g = axis[0] * corners[9 + c] + axis[1] * corners[10 + c] + axis[2] * corners[11 + c];
    lowA = Math.min(lowA, h);
    highA = Math.max(highA, h);
    lowB = Math.min(lowB, g);
    highB = Math.max(highB, g);
  }
  const up = lowB - highA;
  const down = lowA - highB;
  const gap = Math.max(up, down);
  if (gap < widest - tie || tiedCount === MAX_TIED) return;
  if (gap > widest + tie) tiedCount = 0;
  widest = Math.max(widest, gap);
  const along = axis[0] * bulk[0] + axis[1] * bulk[1] + axis[2] * bulk[2];
  const sign = (Math.abs(up - down) > tie ? up > down : along >= 0) ? 1 : -1;
  for (let k = 0; k < 3; k++) tied[3 * tiedCount + k] = sign * axis[k];
  tiedCount++;
}

/** Of the axes that separate equally, the one that leads most to where B is, to `best`. */
function takeBest(): void {
  let most = -Infinity;
  for (let i = 0; i < 3 * tiedCount; i += 3) {
    const along = tied[i] * bulk[0] + tied[i + 1] * bulk[1] + tied[i + 2] * bulk[2];
    if (along <= most) continue;
    most = along;
    for (let k = 0; k < 3; k++) best[k] = tied[i + k];
  }
}

/** The axis from A's triangle to B's that separates them most, to `best`; returns the gap along it, negative if they cross. */
function separate(a: MeshBvh, triangleA: number, b: MeshBvh, triangleB: number, X_AB: Transform): number {
  loadTriangle(0, a, triangleA, null);
  loadTriangle(9, b, triangleB, X_AB);
  const { bounds } = b;
  for (let k = 0; k < 3; k++) {
    bulk[k] = X_AB[9 + k] - (corners[k] + corners[3 + k] + corners[6 + k]) / 3;
    for (let m = 0; m < 3; m++) bulk[k] += 0.5 * X_AB[3 * k + m] * (bounds[m] + bounds[3 + m]);
  }
  widest = -Infinity;
  tiedCount = 0;
  for (let side = 0; side < 2; side++) {
    const flat = crossInto(edges, 9 * side, edges, 9 * side + 3);
    for (let k = 0; k < 3; k++) faces[3 * side + k] = flat ? axis[k] : 0;
    if (flat) tryAxis();
  }
  for (let i = 0; i < 9; i += 3) {
    for (let j = 9; j < 18; j += 3) if (crossInto(edges, i, edges, j)) tryAxis();
    // Across an edge in a triangle's plane: coplanar triangles have no other axis, nor has an edge against a corner.
    for (let side = 0; side < 6; side += 3) {
      if (crossInto(edges, i, faces, side)) tryAxis();
      if (crossInto(edges, 9 + i, faces, side)) tryAxis();
    }
  }
  if (widest === -Infinity) {
    // Two triangles without area: from one's middle to the other's, or anywhere.
    let squared = 0;
    for (let k = 0; k < 3; k++) {
      best[k] = corners[9 + k] + corners[12 + k] + corners[15 + k] - corners[k] - corners[3 + k] - corners[6 + k];
      squared += best[k] * best[k];
    }
    for (let k = 0; k < 3; k++) best[k] = squared > 0 ? best[k] / Math.sqrt(squared) : k === 2 ? 1 : 0;
  } else takeBest();
  return widest;
}

/** How far B is from A, at most the way itself, when moved along n. */
function measureWayOut(a: MeshBvh, b: MeshBvh, X_AB: Transform, n: Float64Array, scale: number): number {
  for (let i = 0; i < 9; i++) moved[i] = X_AB[i];
  for (let k = 0; k < 3; k++) moved[9 + k] = X_AB[9 + k] + OUTSIDE * scale * n[k];
  beyond.upperBound = 2 * OUTSIDE * scale;
  distanceMeshMesh(away, a, b, moved, beyond);
  return Math.min(away.distance, OUTSIDE * scale);
}

/** From `best` on, the axis or mean of axes along which B gets farthest, to `out`. */
function findWayOut(out: Float64Array, a: MeshBvh, b: MeshBvh, X_AB: Transform, scale: number): void {
  let farthest = -1;
  const offer = (n: Float64Array): void => {
    const way = measureWayOut(a, b, X_AB, n, scale);
    if (way <= farthest) return;
    farthest = way;
    out.set(n);
  };
  sum.fill(0);
  for (let round = 0; round < MAX_AXES; round++) {
    for (let k = 0; k < 3; k++) sum[k] += best[k];
    offer(best);
    for (let i = 0; i < 3 * tiedCount && farthest < STRAIGHT * scale; i += 3) offer(tied.subarray(i, i + 3));
    if (farthest >= STRAIGHT * scale) return;
    const norm = Math.sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    if (round > 0 && norm > 0) {
      for (let k = 0; k < 3; k++) mean[k] = sum[k] / norm;
      offer(mean);
    }
    // What the last one tried has run into.
    if (away.triangleA < 0) return;
    separate(a, away.triangleA, b, away.triangleB, X_AB);
  }
}

/** The nearest triangles of two meshes and their distance; the result of a mesh query. */
export interface NearestTriangles {
  readonly distance: number;
  readonly triangleA: number;
  readonly triangleB: number;
  readonly pointA: Float64Array;
  readonly pointB: Float64Array;
}

/**
 * Writes a unit normal from A to B for meshes at most CLOSE of `scale` (both sizes and their offset) apart. Returns whether it is an
 * axis of the triangles rather than the line between the nearest points.
 */
export function writeTouchNormal(
  out: Float64Array,
  a: MeshBvh,
  b: MeshBvh,
  X_AB: Transform,
  nearest: NearestTriangles,
  scale: number,
): boolean {
  const { distance, pointA, pointB } = nearest;
  tie = ROUNDING * scale;
  const gap = separate(a, nearest.triangleA, b, nearest.triangleB, X_AB);
  if (gap < distance - ROUNDING * scale && distance > TOUCHING * scale) {
    // Corner to corner or to an edge: no axis of the triangles.
    let squared = 0;
    for (let k = 0; k < 3; k++) squared += (pointB[k] - pointA[k]) ** 2;
    for (let k = 0; k < 3; k++) out[k] = (pointB[k] - pointA[k]) / Math.sqrt(squared);
    return false;
  }
  out.set(best);
  if (distance <= TOUCHING * scale && gap >= -OUTSIDE * scale) findWayOut(out, a, b, X_AB, scale);
  return true;
}
