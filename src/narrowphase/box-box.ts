/**
 * Two boxes: depth by the 15 separating axes, distance by GJK from the best of them.
 *
 * Method: 1. overlap along the three face normals of each box and the nine edge-edge normals; an axis that separates by
 * more than the bound ends the query; 2. no axis separates: the least overlap is the depth, since the difference of two
 * boxes has no other faces; edge axes must win clearly, so that faces in contact report the face; 3. apart, and the touching
 * features' points lie in both boxes: the gap along the best axis is the distance; 4. otherwise GJK, which on boxes ends
 * exactly, started along the best axis.
 * The witness of a face axis is the middle of the two facing features' overlap; of an edge axis, the closest points of
 * the two edges.
 * Source: Gottschalk, Lin, Manocha 1996, "OBBTree", section 5, doi:10.1145/237170.237244.
 * Frames: A's frame, X_AB. Cost: 0.1 us overlapping or far apart, 0.4 us near. Checked by test/contract/shape-pairs.test.ts.
 */
import { closestSegmentSegment } from '../geometry/closest-points.js';
import type { Transform } from '../math/transform.js';
import type { Collider } from './collider.js';
import { measureCoresAlong } from './convex-pairs.js';
import { clipFeatures, MANIFOLD_STRIDE, MAX_MANIFOLD } from './manifold.js';
import { setBeyond, setNormal, WITHIN } from './pair-result.js';
import type { DistanceResult } from './query.js';

/** Squared sine below which two edges are parallel and their cross product is noise. */
const PARALLEL = 1e-20;
/** Squared sine below which the short form of an edge axis' overlap, which trusts R to be a rotation, loses digits. */
const NEARLY_PARALLEL = 1e-6;
/** Part of the sizes by which an edge axis must beat the faces. */
const CLEARLY = 1e-12;
/** Part of the sizes by which rounding may put a witness point outside its box. */
const ROUNDING = 1e-15;
/** Sine within which features count as facing when the witness of a face axis is looked for. */
const FACING = 1e-9;

const direction = new Float64Array(3);
/** Gap along the best face axis, and along the best edge axis. */
const gaps = new Float64Array(2);
const FACE = 0;
const EDGE = 1;
const halfA = new Float64Array(3);
const halfB = new Float64Array(3);
const edges = new Float64Array(12);
const closest = new Float64Array(6);
const manifold = new Float64Array(MANIFOLD_STRIDE * MAX_MANIFOLD);

/** Middle of the overlap of the two facing features; false when they meet in a point. */
function writeFlatWitness(out: DistanceResult, a: Collider, b: Collider, X: Transform): boolean {
  const { normal, pointA, pointB, distance } = out;
  const count = clipFeatures(manifold, a.core, b.core, X, normal, FACING);
  if (count === 0) return false;
  for (let k = 0; k < 3; k++) {
    let sum = 0;
    for (let i = 0; i < count; i++)
      sum += 0.5 * (manifold[MANIFOLD_STRIDE * i + k] + manifold[MANIFOLD_STRIDE * i + 3 + k]);
    pointA[k] = sum / count - 0.5 * distance * normal[k];
    pointB[k] = sum / count + 0.5 * distance * normal[k];
  }
  return true;
}

/** Witness of a face axis: the other box's facing corner, or the middle of an overlap of flat features. */
function writeFaceWitness(out: DistanceResult, a: Collider, b: Collider, X: Transform, faceOfA: boolean): void {
  const { normal, pointA, pointB, distance } = out;
  const nx = normal[0];
  const ny = normal[1];
  const nz = normal[2];
  const mx = faceOfA ? X[0] * nx + X[3] * ny + X[6] * nz : nx;
  const my = faceOfA ? X[1] * nx + X[4] * ny + X[7] * nz : ny;
  const mz = faceOfA ? X[2] * nx + X[5] * ny + X[8] * nz : nz;
  const isFlat = Math.abs(mx) <= FACING || Math.abs(my) <= FACING || Math.abs(mz) <= FACING;
  if (isFlat && writeFlatWitness(out, a, b, X)) return;
  if (faceOfA) {
    const sx = mx > 0 ? -b.core.x : b.core.x;
    const sy = my > 0 ? -b.core.y : b.core.y;
    const sz = mz > 0 ? -b.core.z : b.core.z;
    for (let k = 0; k < 3; k++) {
      pointB[k] = X[9 + k] + X[3 * k] * sx + X[3 * k + 1] * sy + X[3 * k + 2] * sz;
      pointA[k] = pointB[k] - distance * normal[k];
    }
  } else {
    pointA[0] = mx < 0 ? -a.core.x : a.core.x;
    pointA[1] = my < 0 ? -a.core.y : a.core.y;
    pointA[2] = mz < 0 ? -a.core.z : a.core.z;
    for (let k = 0; k < 3; k++) pointB[k] = pointA[k] + distance * normal[k];
  }
}

/** Witness of edge axis i x j: the edge of A farthest along the normal and the edge of B farthest against it. */
function writeEdgeWitness(out: DistanceResult, a: Collider, b: Collider, X: Transform, i: number, j: number): void {
  const { normal, pointA, pointB, distance } = out;
  halfA[0] = a.core.x;
  halfA[1] = a.core.y;
  halfA[2] = a.core.z;
  halfB[0] = b.core.x;
  halfB[1] = b.core.y;
  halfB[2] = b.core.z;
  for (let end = 0; end < 2; end++) {
    for (let k = 0; k < 3; k++) {
      const sign = k === i ? 2 * end - 1 : normal[k] < 0 ? -1 : 1;
      edges[3 * end + k] = sign * halfA[k];
    }
    for (let k = 0; k < 3; k++) edges[6 + 3 * end + k] = X[9 + k];
    for (let m = 0; m < 3; m++) {
      const along = X[m] * normal[0] + X[3 + m] * normal[1] + X[6 + m] * normal[2];
      const sign = m === j ? 2 * end - 1 : along > 0 ? -1 : 1;
      for (let k = 0; k < 3; k++) edges[6 + 3 * end + k] += sign * halfB[m] * X[3 * k + m];
    }
  }
  closestSegmentSegment(closest, edges, 0, edges, 6);
  for (let k = 0; k < 3; k++) {
    const middle = 0.5 * (closest[k] + closest[k + 3]);
    pointA[k] = middle - 0.5 * distance * normal[k];
    pointB[k] = middle + 0.5 * distance * normal[k];
  }
}

/** Gap of the boxes along edge axis i x j, from all six edges: nothing cancels when the edges are nearly parallel. */
function measureAxis(a: Collider, b: Collider, X: Transform, i: number, j: number): number {
  const u = X[j];
  const v = X[3 + j];
  const w = X[6 + j];
  let nx = i === 0 ? 0 : i === 1 ? w : -v;
  let ny = i === 0 ? -w : i === 1 ? 0 : u;
  let nz = i === 0 ? v : i === 1 ? -u : 0;
  const scale = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
  nx *= scale;
  ny *= scale;
  nz *= scale;
  return (
    Math.abs(nx * X[9] + ny * X[10] + nz * X[11]) -
    a.core.x * Math.abs(nx) -
    a.core.y * Math.abs(ny) -
    a.core.z * Math.abs(nz) -
    b.core.x * Math.abs(nx * X[0] + ny * X[3] + nz * X[6]) -
    b.core.y * Math.abs(nx * X[1] + ny * X[4] + nz * X[7]) -
    b.core.z * Math.abs(nx * X[2] + ny * X[5] + nz * X[8])
  );
}

/** Whether pointA is in A and pointB in B, up to rounding. */
function hasWitness(out: DistanceResult, a: Collider, b: Collider, X: Transform): boolean {
  const { pointA: p, pointB } = out;
  const { x: ax, y: ay, z: az } = a.core;
  const { x: bx, y: by, z: bz } = b.core;
  const slack = ROUNDING * (ax + ay + az + bx + by + bz);
  if (!(Math.abs(p[0]) <= ax + slack && Math.abs(p[1]) <= ay + slack && Math.abs(p[2]) <= az + slack)) return false;
  const x = pointB[0] - X[9];
  const y = pointB[1] - X[10];
  const z = pointB[2] - X[11];
  return (
    Math.abs(X[0] * x + X[3] * y + X[6] * z) <= bx + slack &&
    Math.abs(X[1] * x + X[4] * y + X[7] * z) <= by + slack &&
    Math.abs(X[2] * x + X[5] * y + X[8] * z) <= bz + slack
  );
}

/**
 * The face normal along which the boxes are farthest apart: 0 to 2 of A, 3 to 5 of B; their gap there to `gaps[FACE]`, negative
 * where they overlap. Ends at A's faces when these separate by more than the bound.
 */
function findFaceAxis(a: Collider, b: Collider, X: Transform, bound: number): number {
  const { x: ax, y: ay, z: az } = a.core;
  const { x: bx, y: by, z: bz } = b.core;
  const r0 = X[0];
  const r1 = X[1];
  const r2 = X[2];
  const r3 = X[3];
  const r4 = X[4];
  const r5 = X[5];
  const r6 = X[6];
  const r7 = X[7];
  const r8 = X[8];
  const px = X[9];
  const py = X[10];
  const pz = X[11];
  const q0 = Math.abs(r0);
  const q1 = Math.abs(r1);
  const q2 = Math.abs(r2);
  const q3 = Math.abs(r3);
  const q4 = Math.abs(r4);
  const q5 = Math.abs(r5);
  const q6 = Math.abs(r6);
  const q7 = Math.abs(r7);
  const q8 = Math.abs(r8);

  let best = Math.abs(px) - ax - (q0 * bx + q1 * by + q2 * bz);
  let axis = 0;
  let s = Math.abs(py) - ay - (q3 * bx + q4 * by + q5 * bz);
  if (s > best) {
    best = s;
    axis = 1;
  }
  s = Math.abs(pz) - az - (q6 * bx + q7 * by + q8 * bz);
  if (s > best) {
    best = s;
    axis = 2;
  }
  if (best > bound) {
    gaps[FACE] = best;
    return axis;
  }
  const tx = r0 * px + r3 * py + r6 * pz;
  const ty = r1 * px + r4 * py + r7 * pz;
  const tz = r2 * px + r5 * py + r8 * pz;
  s = Math.abs(tx) - bx - (q0 * ax + q3 * ay + q6 * az);
  if (s > best) {
    best = s;
    axis = 3;
  }
  s = Math.abs(ty) - by - (q1 * ax + q4 * ay + q7 * az);
  if (s > best) {
    best = s;
    axis = 4;
  }
  s = Math.abs(tz) - bz - (q2 * ax + q5 * ay + q8 * az);
  if (s > best) {
    best = s;
    axis = 5;
  }
  gaps[FACE] = best;
  return axis;
}

/** The edge axis i x j along which the boxes are farthest apart, as 3 i + j, -1 where all are parallel; to `gaps[EDGE]`. */
function findEdgeAxis(a: Collider, b: Collider, X: Transform): number {
  const { x: ax, y: ay, z: az } = a.core;
  const { x: bx, y: by, z: bz } = b.core;
  const px = X[9];
  const py = X[10];
  const pz = X[11];
  let s: number;
  let edgeBest = -Infinity;
  let edgeAxis = -1;
  for (let j = 0; j < 3; j++) {
    // Axis i x j with B's edge j = (u, v, w) in A: e_x x u = (0, -w, v), and so on.
    const u = X[j];
    const v = X[3 + j];
    const w = X[6 + j];
    const uu = u * u;
    const vv = v * v;
    const ww = w * w;
    // B's reach across its own edge j: the other two half sizes times |column of the cyclic partner|, entry i.
    const c1 = j === 0 ? by : j === 1 ? bz : bx;
    const c2 = j === 0 ? bz : j === 1 ? bx : by;
    const k1 = j === 0 ? 2 : j === 1 ? 0 : 1;
    const k2 = j === 0 ? 1 : j === 1 ? 2 : 0;
    let nn = vv + ww;
    if (nn > PARALLEL) {
      const reach = ay * Math.abs(w) + az * Math.abs(v) + c1 * Math.abs(X[k1]) + c2 * Math.abs(X[k2]);
      s = (Math.abs(pz * v - py * w) - reach) / Math.sqrt(nn);
      if (nn < NEARLY_PARALLEL) s = measureAxis(a, b, X, 0, j);
      if (s > edgeBest) {
        edgeBest = s;
        edgeAxis = j;
      }
    }
    nn = uu + ww;
    if (nn > PARALLEL) {
      const reach = ax * Math.abs(w) + az * Math.abs(u) + c1 * Math.abs(X[3 + k1]) + c2 * Math.abs(X[3 + k2]);
      s = (Math.abs(px * w - pz * u) - reach) / Math.sqrt(nn);
      if (nn < NEARLY_PARALLEL) s = measureAxis(a, b, X, 1, j);
      if (s > edgeBest) {
        edgeBest = s;
        edgeAxis = 3 + j;
      }
    }
    nn = uu + vv;
    if (nn > PARALLEL) {
      const reach = ax * Math.abs(v) + ay * Math.abs(u) + c1 * Math.abs(X[6 + k1]) + c2 * Math.abs(X[6 + k2]);
      s = (Math.abs(py * u - px * v) - reach) / Math.sqrt(nn);
      if (nn < NEARLY_PARALLEL) s = measureAxis(a, b, X, 2, j);
      if (s > edgeBest) {
        edgeBest = s;
        edgeAxis = 6 + j;
      }
    }
  }
  gaps[EDGE] = edgeBest;
  return edgeAxis;
}

/** The axis as a unit vector from A to B, to `direction`. `axis` as found; `byEdge`: among the edge axes. */
function writeAxis(X: Transform, axis: number, byEdge: boolean): void {
  let nx: number;
  let ny: number;
  let nz: number;
  if (byEdge) {
    const i = Math.floor(axis / 3);
    const j = axis % 3;
    const u = X[j];
    const v = X[3 + j];
    const w = X[6 + j];
    nx = i === 0 ? 0 : i === 1 ? w : -v;
    ny = i === 0 ? -w : i === 1 ? 0 : u;
    nz = i === 0 ? v : i === 1 ? -u : 0;
    const scale = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
    nx *= scale;
    ny *= scale;
    nz *= scale;
  } else if (axis < 3) {
    nx = axis === 0 ? 1 : 0;
    ny = axis === 1 ? 1 : 0;
    nz = axis === 2 ? 1 : 0;
  } else {
    nx = X[axis - 3];
    ny = X[axis];
    nz = X[axis + 3];
  }
  if (nx * X[9] + ny * X[10] + nz * X[11] < 0) {
    nx = -nx;
    ny = -ny;
    nz = -nz;
  }
  direction[0] = nx;
  direction[1] = ny;
  direction[2] = nz;
}

/** Answers of `findTouchingFace` that are no face. */
export const NO_TOUCH = -1;
export const EDGES_TOUCH = -2;

/**
 * The face along whose normal two boxes are farthest apart (0 to 2 of A, 3 to 5 of B), with the gap there to gap[0]; NO_TOUCH where
 * they are farther apart than `bound`, EDGES_TOUCH where two edges part them by more than `slack` farther.
 */
export function findTouchingFace(
  gap: Float64Array,
  a: Collider,
  b: Collider,
  X: Transform,
  bound: number,
  slack: number,
): number {
  const axis = findFaceAxis(a, b, X, bound);
  const best = gaps[FACE];
  gap[0] = best;
  if (best > bound) return NO_TOUCH;
  findEdgeAxis(a, b, X);
  if (gaps[EDGE] > bound) return NO_TOUCH;
  return gaps[EDGE] > best + slack ? EDGES_TOUCH : axis;
}

export function measureBoxBox(
  out: DistanceResult,
  a: Collider,
  b: Collider,
  X: Transform,
  bound: number,
  mode: number,
): void {
  out.featureA = -1;
  out.featureB = -1;
  const faceAxis = findFaceAxis(a, b, X, bound);
  let best = gaps[FACE];
  if (best > bound) {
    setBeyond(out, best);
    return;
  }
  const { x: ax, y: ay, z: az } = a.core;
  const { x: bx, y: by, z: bz } = b.core;
  const clearly = CLEARLY * (ax + ay + az + bx + by + bz);
  const edgeAxis = findEdgeAxis(a, b, X);
  const byEdge = gaps[EDGE] > best + clearly;
  if (byEdge) best = gaps[EDGE];
  if (best > bound) {
    setBeyond(out, best);
    return;
  }
  if (best <= 0 && mode === WITHIN) {
    out.status = 'collides';
    out.distance = best;
    return;
  }

  writeAxis(X, byEdge ? edgeAxis : faceAxis, byEdge);
  const nx = direction[0];
  const ny = direction[1];
  const nz = direction[2];
  out.status = 'ok';
  out.distance = best;
  setNormal(out, nx, ny, nz);
  if (byEdge) writeEdgeWitness(out, a, b, X, Math.floor(edgeAxis / 3), edgeAxis % 3);
  else writeFaceWitness(out, a, b, X, faceAxis < 3);
  // Apart by `best` along the axis, and points of both boxes that far apart: no better axis exists.
  if (best > 0 && !hasWitness(out, a, b, X)) {
    direction[0] = -nx;
    direction[1] = -ny;
    direction[2] = -nz;
    measureCoresAlong(out, a.core, b.core, X, direction, bound);
  }
}
