/**
 * Distance between two convex cores by GJK, or the proof that they overlap.
 *
 * Method: the closest point v of the difference C = A - B to the origin is approached by simplices of C. Each round
 * 1. takes the support point w of C along -v, whose plane bounds the distance from below (v.w / |v|); 2. stops when
 * v.v - v.w is rounding noise, when w is no new point, or when the lower bound exceeds the caller's bound; 3. moves v
 * to the point of simplex + w nearest the origin and keeps the vertices that carry it. A tetrahedron around the origin
 * means overlap. A round that does not shorten v is undone, so noise ends the loop instead of cycling.
 * Source: Gilbert, Johnson, Keerthi 1988, doi:10.1109/56.2083; van den Bergen 1999, "A fast and robust GJK
 * implementation", doi:10.1080/10867651.1999.10487502; Ericson 2005, "Real-time collision detection", section 5.1.
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
/** sin^2 of the angle below which a triangle is a line. */
const FLAT_TRIANGLE = 1e-26;

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
  /** Largest |w| seen: the scale of rounding. */
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

/** Nearest point of triangle (i, j, k) to the origin, by Voronoi regions (Ericson 5.1.5). */
function solveTriangle(w: Float64Array, i: number, j: number, k: number): number {
  const ax = w[3 * i];
  const ay = w[3 * i + 1];
  const az = w[3 * i + 2];
  const bx = w[3 * j];
  const by = w[3 * j + 1];
  const bz = w[3 * j + 2];
  const cx = w[3 * k];
  const cy = w[3 * k + 1];
  const cz = w[3 * k + 2];
  const ux = bx - ax;
  const uy = by - ay;
  const uz = bz - az;
  const vx = cx - ax;
  const vy = cy - ay;
  const vz = cz - az;
  const d1 = -(ux * ax + uy * ay + uz * az);
  const d2 = -(vx * ax + vy * ay + vz * az);
  if (d1 <= 0 && d2 <= 0) return setTrialVertex(w, i);
  const d3 = -(ux * bx + uy * by + uz * bz);
  const d4 = -(vx * bx + vy * by + vz * bz);
  if (d3 >= 0 && d4 <= d3) return setTrialVertex(w, j);
  const d5 = -(ux * cx + uy * cy + uz * cz);
  const d6 = -(vx * cx + vy * cy + vz * cz);
  if (d6 >= 0 && d5 <= d6) return setTrialVertex(w, k);
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  if (nn <= FLAT_TRIANGLE * uu * vv) return solveThinTriangle(w, i, j, k);
  const weightC = d1 * d4 - d3 * d2;
  if (weightC <= 0 && d1 >= 0 && d3 <= 0) return solveSegment(w, i, j);
  const weightB = d5 * d2 - d1 * d6;
  if (weightB <= 0 && d2 >= 0 && d6 <= 0) return solveSegment(w, i, k);
  const weightA = d3 * d6 - d5 * d4;
  if (weightA <= 0 && d4 >= d3 && d5 >= d6) return solveSegment(w, j, k);
  const sum = weightA + weightB + weightC;
  if (!(sum > 0)) return solveThinTriangle(w, i, j, k);
  trialCount = 3;
  trialIndex[0] = i;
  trialIndex[1] = j;
  trialIndex[2] = k;
  trialWeight[0] = weightA / sum;
  trialWeight[1] = weightB / sum;
  trialWeight[2] = weightC / sum;
  // The plane's normal is far better conditioned than the sum of weighted vertices when |v| is small.
  const h = (ax * nx + ay * ny + az * nz) / nn;
  const x = nx * h;
  const y = ny * h;
  const z = nz * h;
  trialV[0] = x;
  trialV[1] = y;
  trialV[2] = z;
  return x * x + y * y + z * z;
}

/** True unless the origin lies clearly on the inner side of face (i, j, k), l being the opposite vertex. */
function isOriginOutside(w: Float64Array, noise: number, i: number, j: number, k: number, l: number): boolean {
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
  let scaleSquared = vv;
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
    if (next >= vv) return GJK_SEPARATED;
    vv = next;
    keepTrial(s);
  }
  return GJK_LIMIT;
}

/** Points of A and B (both in A's frame) that carry v. */
export function combineWitness(pointA: Float64Array, pointB: Float64Array, s: GjkState): void {
  const { pointsA, pointsB, weight } = s;
  for (let k = 0; k < 3; k++) {
    let a = 0;
    let b = 0;
    for (let i = 0; i < s.count; i++) {
      a += weight[i] * pointsA[3 * i + k];
      b += weight[i] * pointsB[3 * i + k];
    }
    pointA[k] = a;
    pointB[k] = b;
  }
}
