/**
 * Distance between two convex cores by GJK, or the proof that they overlap.
 *
 * Method: the closest point v of the difference C = A - B to the origin is approached by simplices of C. Each round
 * 1. takes the support point w of C along -v, whose plane bounds the distance from below (v.w / |v|); 2. stops when
 * v.v - v.w is rounding noise, when w is no new point, or when the lower bound exceeds the caller's bound; 3. moves v
 * to the point of simplex + w nearest the origin and keeps the vertices that carry it. A tetrahedron around the origin
 * means overlap. A round that lengthens v is undone and ends the loop, and only
 * a few may leave it as long as it was, so noise cannot make it cycle.
 * Source: Gilbert, Johnson, Keerthi 1988, doi:10.1109/56.2083; van den Bergen 1999, "A fast and robust GJK
 * implementation for collision detection of convex objects", doi:10.1080/10867651.1999.10487502.
 * Frames: everything in A's frame; X is X_AB. Writes the state. Cost: 4-10 rounds on polytopes, 10-30 on curved cores.
 * Fails never; after MAX_ROUNDS the best v stays and GJK_LIMIT comes back. Checked by gjk.test.ts.
 */
import { type SupportCore, supportCore } from '../geometry/support.js';
import type { Transform } from '../math/transform.js';

export const GJK_SEPARATED = 0;
export const GJK_OVERLAP = 1;
export const GJK_BEYOND = 2;
export const GJK_LIMIT = 3;

const MAX_ROUNDS = 256;
/** Relative duality gap at which v counts as converged, and the absolute noise of v.w per unit of |w||v|. */
const RELATIVE_GAP = 1e-14;
const NOISE = 4e-16;
/** |v| below this part of the largest |w| is the origin: rounding cannot tell touching from overlap. */
const ZERO = 1e-15;
const MAX_BLIND_ROUNDS = 8;
/** sin^2 of the angle below which a triangle is a line. */
const FLAT_TRIANGLE = 1e-24;
/** Part of a vertex's size by which the two ways to a triangle's nearest point may differ. */
const IN_PLANE = 2e-15;

/** Query state: reused, never allocated in a query. */
export class GjkState {
  a!: SupportCore;
  b!: SupportCore;
  /** X_AB; a copy, shifted during penetration queries. */
  readonly X: Transform = new Float64Array(12);
  /** Simplex vertices in C, and the points of A and B (both in A) they are made of. */
  readonly w = new Float64Array(12);
  readonly pointsA = new Float64Array(12);
  readonly pointsB = new Float64Array(12);
  readonly weight = new Float64Array(4);
  count = 0;
  /** Closest point of C to the origin; on entry minus the first search direction, not zero. */
  readonly v = new Float64Array(3);
  /** Certified lower bound of the distance, 0 when none. */
  lowerBound = 0;
  /** Largest size of a vertex, in C, A or B, seen: the scale of rounding. */
  scale = 0;
  /** Rounds since creation, for work counts. */
  rounds = 0;
}

const local = new Float64Array(3);
const trialIndex = new Int32Array(4);
const trialWeight = new Float64Array(4);
const trialV = new Float64Array(3);
let trialCount = 0;

/** Support point of C = A - B along d, written at vertex `slot` of the state. */
export function supportDifference(s: GjkState, slot: number, dx: number, dy: number, dz: number): void {
  const { X, w, pointsA, pointsB } = s;
  const i = 3 * slot;
  supportCore(local, s.a, dx, dy, dz);
  const ax = local[0];
  const ay = local[1];
  const az = local[2];
  supportCore(
    local,
    s.b,
    -(X[0] * dx + X[3] * dy + X[6] * dz),
    -(X[1] * dx + X[4] * dy + X[7] * dz),
    -(X[2] * dx + X[5] * dy + X[8] * dz),
  );
  const x = local[0];
  const y = local[1];
  const z = local[2];
  const bx = X[0] * x + X[1] * y + X[2] * z + X[9];
  const by = X[3] * x + X[4] * y + X[5] * z + X[10];
  const bz = X[6] * x + X[7] * y + X[8] * z + X[11];
  pointsA[i] = ax;
  pointsA[i + 1] = ay;
  pointsA[i + 2] = az;
  pointsB[i] = bx;
  pointsB[i + 1] = by;
  pointsB[i + 2] = bz;
  w[i] = ax - bx;
  w[i + 1] = ay - by;
  w[i + 2] = az - bz;
}

function setTrialVertex(w: Float64Array, i: number): number {
  trialCount = 1;
  trialIndex[0] = i;
  trialWeight[0] = 1;
  const x = w[3 * i];
  const y = w[3 * i + 1];
  const z = w[3 * i + 2];
  trialV[0] = x;
  trialV[1] = y;
  trialV[2] = z;
  return x * x + y * y + z * z;
}

/** Nearest point of segment (i, j) to the origin; returns its squared norm. */
function solveSegment(w: Float64Array, i: number, j: number): number {
  const ax = w[3 * i];
  const ay = w[3 * i + 1];
  const az = w[3 * i + 2];
  const ex = w[3 * j] - ax;
  const ey = w[3 * j + 1] - ay;
  const ez = w[3 * j + 2] - az;
  const ee = ex * ex + ey * ey + ez * ez;
  const t = -(ax * ex + ay * ey + az * ez);
  if (t <= 0) return setTrialVertex(w, i);
  if (t >= ee) return setTrialVertex(w, j);
  const u = t / ee;
  trialCount = 2;
  trialIndex[0] = i;
  trialIndex[1] = j;
  trialWeight[0] = 1 - u;
  trialWeight[1] = u;
  const x = ax + u * ex;
  const y = ay + u * ey;
  const z = az + u * ez;
  trialV[0] = x;
  trialV[1] = y;
  trialV[2] = z;
  return x * x + y * y + z * z;
}

function solveThinTriangle(w: Float64Array, i: number, j: number, k: number): number {
  const ij = solveSegment(w, i, j);
  const jk = solveSegment(w, j, k);
  const ki = solveSegment(w, k, i);
  if (ij <= jk && ij <= ki) return solveSegment(w, i, j);
  return jk <= ki ? solveSegment(w, j, k) : ki;
}

/** Vertex of triangle (i, j, k) opposite its longest edge: 0, 1 or 2 for i, j, k. */
export function findShortCorner(w: Float64Array, i: number, j: number, k: number): number {
  const ij = (w[3 * i] - w[3 * j]) ** 2 + (w[3 * i + 1] - w[3 * j + 1]) ** 2 + (w[3 * i + 2] - w[3 * j + 2]) ** 2;
  const jk = (w[3 * j] - w[3 * k]) ** 2 + (w[3 * j + 1] - w[3 * k + 1]) ** 2 + (w[3 * j + 2] - w[3 * k + 2]) ** 2;
  const ki = (w[3 * k] - w[3 * i]) ** 2 + (w[3 * k + 1] - w[3 * i + 1]) ** 2 + (w[3 * k + 2] - w[3 * i + 2]) ** 2;
  if (jk >= ij && jk >= ki) return 0;
  return ki >= ij ? 1 : 2;
}

/**
 * Nearest point of triangle (p, q, r) to the origin. The origin is projected on the plane first and weighed there, about
 * the corner of the two shorter edges: on the slivers that curved cores produce, any other way loses all digits. When the
 * projection is outside, the nearest point lies on an edge that sees it.
 */
function solveTriangle(w: Float64Array, p: number, q: number, r: number): number {
  const first = findShortCorner(w, p, q, r);
  const i = first === 0 ? p : first === 1 ? q : r;
  const j = first === 0 ? q : first === 1 ? r : p;
  const k = first === 0 ? r : first === 1 ? p : q;
  const ax = w[3 * i];
  const ay = w[3 * i + 1];
  const az = w[3 * i + 2];
  const ux = w[3 * j] - ax;
  const uy = w[3 * j + 1] - ay;
  const uz = w[3 * j + 2] - az;
  const vx = w[3 * k] - ax;
  const vy = w[3 * k + 1] - ay;
  const vz = w[3 * k + 2] - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  if (nn <= FLAT_TRIANGLE * uu * vv) return solveThinTriangle(w, i, j, k);
  const h = (ax * nx + ay * ny + az * nz) / nn;
  const x = nx * h;
  const y = ny * h;
  const z = nz * h;
  const rx = x - ax;
  const ry = y - ay;
  const rz = z - az;
  const weightK = (nx * (uy * rz - uz * ry) + ny * (uz * rx - ux * rz) + nz * (ux * ry - uy * rx)) / nn;
  const weightJ = (nx * (ry * vz - rz * vy) + ny * (rz * vx - rx * vz) + nz * (rx * vy - ry * vx)) / nn;
  const weightI = 1 - weightJ - weightK;
  if (weightI >= 0 && weightJ >= 0 && weightK >= 0) {
    trialCount = 3;
    trialIndex[0] = i;
    trialIndex[1] = j;
    trialIndex[2] = k;
    trialWeight[0] = weightI;
    trialWeight[1] = weightJ;
    trialWeight[2] = weightK;
    // On a good triangle the plane gives v's direction to full precision even when |v| is tiny; on a sliver only the
    // weighted point is sure to lie in C.
    const px = ax + weightJ * ux + weightK * vx;
    const py = ay + weightJ * uy + weightK * vy;
    const pz = az + weightJ * uz + weightK * vz;
    const off = Math.abs(px - x) + Math.abs(py - y) + Math.abs(pz - z);
    const onPlane = off <= IN_PLANE * (Math.abs(ax) + Math.abs(ay) + Math.abs(az));
    const bestX = onPlane ? x : px;
    const bestY = onPlane ? y : py;
    const bestZ = onPlane ? z : pz;
    trialV[0] = bestX;
    trialV[1] = bestY;
    trialV[2] = bestZ;
    return bestX * bestX + bestY * bestY + bestZ * bestZ;
  }
  // The nearest point of a polygon lies on an edge that sees the point; one or two edges do.
  if (weightK < 0) {
    if (weightJ >= 0 && weightI >= 0) return solveSegment(w, i, j);
    const onIJ = solveSegment(w, i, j);
    const other = weightJ < 0 ? solveSegment(w, k, i) : solveSegment(w, j, k);
    return onIJ < other ? solveSegment(w, i, j) : other;
  }
  if (weightJ < 0) {
    if (weightI >= 0) return solveSegment(w, k, i);
    const onKI = solveSegment(w, k, i);
    const onJK = solveSegment(w, j, k);
    return onKI < onJK ? solveSegment(w, k, i) : onJK;
  }
  return solveSegment(w, j, k);
}

/** True unless the origin lies clearly on the inner side of face (p, q, r), l being the opposite vertex. */
function isOriginOutside(w: Float64Array, noise: number, p: number, q: number, r: number, l: number): boolean {
  const first = findShortCorner(w, p, q, r);
  const i = 3 * (first === 0 ? p : first === 1 ? q : r);
  const j = 3 * (first === 0 ? q : first === 1 ? r : p);
  const k = 3 * (first === 0 ? r : first === 1 ? p : q);
  const ax = w[i];
  const ay = w[i + 1];
  const az = w[i + 2];
  const ux = w[j] - ax;
  const uy = w[j + 1] - ay;
  const uz = w[j + 2] - az;
  const vx = w[k] - ax;
  const vy = w[k + 1] - ay;
  const vz = w[k + 2] - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const sideOrigin = -(nx * ax + ny * ay + nz * az);
  const sideApex = nx * (w[3 * l] - ax) + ny * (w[3 * l + 1] - ay) + nz * (w[3 * l + 2] - az);
  if (sideApex * sideApex <= noise * noise * (nx * nx + ny * ny + nz * nz)) return true;
  return sideOrigin * sideApex < 0;
}

/** Nearest point of tetrahedron (0, 1, 2, 3); vertex 3 is the newest. Returns -1 when the origin is inside. */
function solveTetrahedron(w: Float64Array, noise: number): number {
  let best = Infinity;
  let bestFace = -1;
  if (isOriginOutside(w, noise, 0, 1, 3, 2)) {
    best = solveTriangle(w, 0, 1, 3);
    bestFace = 0;
  }
  if (isOriginOutside(w, noise, 1, 2, 3, 0)) {
    const d = solveTriangle(w, 1, 2, 3);
    if (d < best) {
      best = d;
      bestFace = 1;
    }
  }
  if (isOriginOutside(w, noise, 2, 0, 3, 1)) {
    const d = solveTriangle(w, 2, 0, 3);
    if (d < best) {
      best = d;
      bestFace = 2;
    }
  }
  if (bestFace < 0) return -1;
  if (bestFace === 0) return solveTriangle(w, 0, 1, 3);
  return bestFace === 1 ? solveTriangle(w, 1, 2, 3) : solveTriangle(w, 2, 0, 3);
}

function keepTrial(s: GjkState): void {
  const { w, pointsA, pointsB, weight, v } = s;
  // Increasing order lets the kept vertices slide down in place.
  for (let i = 1; i < trialCount; i++)
    for (let j = i; j > 0 && trialIndex[j] < trialIndex[j - 1]; j--) {
      const index = trialIndex[j];
      trialIndex[j] = trialIndex[j - 1];
      trialIndex[j - 1] = index;
      const part = trialWeight[j];
      trialWeight[j] = trialWeight[j - 1];
      trialWeight[j - 1] = part;
    }
  for (let i = 0; i < trialCount; i++) {
    const from = 3 * trialIndex[i];
    const to = 3 * i;
    weight[i] = trialWeight[i];
    if (from === to) continue;
    for (let k = 0; k < 3; k++) {
      w[to + k] = w[from + k];
      pointsA[to + k] = pointsA[from + k];
      pointsB[to + k] = pointsB[from + k];
    }
  }
  s.count = trialCount;
  v[0] = trialV[0];
  v[1] = trialV[1];
  v[2] = trialV[2];
}

/**
 * Runs GJK on the state's cores, X and first direction -v. `bound`: stop once the distance is known to exceed it.
 * On GJK_SEPARATED and GJK_LIMIT, v and the weighted simplex hold the closest points; on GJK_OVERLAP the simplex
 * holds the origin up to rounding.
 */
export function runGjk(s: GjkState, bound: number): number {
  const { w, v } = s;
  s.lowerBound = 0;
  supportDifference(s, 0, -v[0], -v[1], -v[2]);
  let vv = setTrialVertex(w, 0);
  keepTrial(s);
  const { pointsA, pointsB } = s;
  let scaleSquared = Math.max(
    vv,
    pointsA[0] * pointsA[0] + pointsA[1] * pointsA[1] + pointsA[2] * pointsA[2],
    pointsB[0] * pointsB[0] + pointsB[1] * pointsB[1] + pointsB[2] * pointsB[2],
  );
  let blindRounds = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    s.rounds++;
    const scale = Math.sqrt(scaleSquared);
    s.scale = scale;
    if (vv <= ZERO * ZERO * scaleSquared) return GJK_OVERLAP;
    const x = v[0];
    const y = v[1];
    const z = v[2];
    const slot = s.count;
    supportDifference(s, slot, -x, -y, -z);
    const wx = w[3 * slot];
    const wy = w[3 * slot + 1];
    const wz = w[3 * slot + 2];
    const vw = x * wx + y * wy + z * wz;
    const norm = Math.sqrt(vv);
    if (vw > 0) {
      const lower = vw / norm;
      if (lower > s.lowerBound) s.lowerBound = lower;
      if (lower > bound) return GJK_BEYOND;
    }
    if (vv - vw <= RELATIVE_GAP * vv + NOISE * scale * norm) return GJK_SEPARATED;
    for (let i = 0; i < slot; i++)
      if (w[3 * i] === wx && w[3 * i + 1] === wy && w[3 * i + 2] === wz) return GJK_SEPARATED;
    const ww = wx * wx + wy * wy + wz * wz;
    if (ww > scaleSquared) scaleSquared = ww;
    const next =
      slot === 1 ? solveSegment(w, 0, 1) : slot === 2 ? solveTriangle(w, 0, 1, 2) : solveTetrahedron(w, ZERO * scale);
    if (next < 0) {
      s.count = 4;
      return GJK_OVERLAP;
    }
    // |v|^2 is blind to turns of v below 1e-8, which kinked shapes still feel: some rounds without progress may pass.
    if (next >= vv && (next - vv > NOISE * scale * norm || ++blindRounds > MAX_BLIND_ROUNDS)) return GJK_SEPARATED;
    vv = next;
    keepTrial(s);
  }
  return GJK_LIMIT;
}

function volumeOf(w: Float64Array, i: number, j: number, k: number): number {
  const x = w[j + 1] * w[k + 2] - w[j + 2] * w[k + 1];
  const y = w[j + 2] * w[k] - w[j] * w[k + 2];
  const z = w[j] * w[k + 1] - w[j + 1] * w[k];
  return Math.abs(w[i] * x + w[i + 1] * y + w[i + 2] * z);
}

/** Weighs the vertices of a tetrahedron that holds the origin, so that they carry it, and sets v to it. */
export function weighTetrahedron(s: GjkState): void {
  const { w, weight, v } = s;
  weight[0] = volumeOf(w, 3, 6, 9);
  weight[1] = volumeOf(w, 0, 6, 9);
  weight[2] = volumeOf(w, 0, 3, 9);
  weight[3] = volumeOf(w, 0, 3, 6);
  const sum = weight[0] + weight[1] + weight[2] + weight[3];
  for (let i = 0; i < 4; i++) weight[i] = sum > 0 ? weight[i] / sum : 0.25;
  v[0] = 0;
  v[1] = 0;
  v[2] = 0;
}

/**
 * Points of A and B (both in A's frame) that carry v, made exactly v apart: on slivers the weighted points differ from it
 * by some 1e-16 / height, which is split between the two.
 */
export function combineWitness(pointA: Float64Array, pointB: Float64Array, s: GjkState): void {
  const { pointsA, pointsB, weight } = s;
  for (let k = 0; k < 3; k++) {
    let a = 0;
    let b = 0;
    for (let i = 0; i < s.count; i++) {
      a += weight[i] * pointsA[3 * i + k];
      b += weight[i] * pointsB[3 * i + k];
    }
    const off = 0.5 * (a - b - s.v[k]);
    pointA[k] = a - off;
    pointB[k] = b + off;
  }
}
