/**
 * The point of a segment, triangle or tetrahedron nearest the origin, by vertices of one flat array.
 *
 * The answer is left in `trial`: the vertices that carry the point, their weights, the point and its squared norm. Nothing
 * is returned as a number, because a number returned by a function that is not inlined goes to the heap.
 * Source: van den Bergen 1999, "A fast and robust GJK implementation for collision detection of convex objects",
 * doi:10.1080/10867651.1999.10487502; projecting on the plane first is ours.
 * Checked by gjk.test.ts.
 */
import { F64, I32, s } from './convex-state';

/** sin^2 of the angle below which a triangle is a line. */
const FLAT_TRIANGLE = 1e-24;
/** sin^2 at a corner from which it does not matter at which corner a triangle is opened. */
const WIDE = 0.05;
/** Per unit of scale, by how much a tetrahedron's weights may miss the origin. */
const CARRIED = 1e-15;
/** Part of a vertex's size by which the two ways to a triangle's nearest point may differ. */
const IN_PLANE = 2e-15;

/** The last answer: `count` vertices `index` with weights `weight`; point 0..2, squared norm 3; 4 is the noise of planes. */
export namespace trial {
  export let count: i32 = 0;
  export const index = changetype<I32>(memory.data(16, 16));
  export const weight = changetype<F64>(memory.data(32, 16));
  export const point = changetype<F64>(memory.data(40, 16));
}
const trialIndex = trial.index;
const trialWeight = trial.weight;
const trialV = trial.point;

export function setTrialVertex(w: F64, i: i32): void {
  trial.count = 1;
  trialIndex[0] = i;
  trialWeight[0] = 1;
  const x = w[3 * i];
  const y = w[3 * i + 1];
  const z = w[3 * i + 2];
  trialV[0] = x;
  trialV[1] = y;
  trialV[2] = z;
  trialV[3] = x * x + y * y + z * z;
}

/** Nearest point of segment (i, j). */
export function solveSegment(w: F64, i: i32, j: i32): void {
  const ax = w[3 * i];
  const ay = w[3 * i + 1];
  const az = w[3 * i + 2];
  const ex = w[3 * j] - ax;
  const ey = w[3 * j + 1] - ay;
  const ez = w[3 * j + 2] - az;
  const ee = ex * ex + ey * ey + ez * ez;
  const t = -(ax * ex + ay * ey + az * ez);
  if (t <= 0) {
    setTrialVertex(w, i);
    return;
  }
  if (t >= ee) {
    setTrialVertex(w, j);
    return;
  }
  const u = t / ee;
  trial.count = 2;
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
  trialV[3] = x * x + y * y + z * z;
}

/** The nearer of the answers for two edges: (i, j) and (p, q). */
function solveTwoSegments(w: F64, i: i32, j: i32, p: i32, q: i32): void {
  solveSegment(w, i, j);
  const first = trialV[3];
  solveSegment(w, p, q);
  if (first < trialV[3]) solveSegment(w, i, j);
}

function solveThinTriangle(w: F64, i: i32, j: i32, k: i32): void {
  solveSegment(w, i, j);
  const ij = trialV[3];
  solveSegment(w, j, k);
  const jk = trialV[3];
  solveSegment(w, k, i);
  if (ij <= jk && ij <= trialV[3]) solveSegment(w, i, j);
  else if (jk <= trialV[3]) solveSegment(w, j, k);
}

@inline
function squaredDistance(w: F64, i: i32, j: i32): f64 {
  const x = w[3 * i] - w[3 * j];
  const y = w[3 * i + 1] - w[3 * j + 1];
  const z = w[3 * i + 2] - w[3 * j + 2];
  return x * x + y * y + z * z;
}

/** Vertex of triangle (i, j, k) opposite its longest edge: 0, 1 or 2 for i, j, k. */
export function findShortCorner(w: F64, i: i32, j: i32, k: i32): i32 {
  const ij = squaredDistance(w, i, j);
  const jk = squaredDistance(w, j, k);
  const ki = squaredDistance(w, k, i);
  if (jk >= ij && jk >= ki) return 0;
  return ki >= ij ? 1 : 2;
}

/**
 * Nearest point of triangle (i, j, k) to the origin. The origin is projected on the plane first and weighed there, on
 * slivers about the corner of the two shorter edges: on those that curved cores produce, any other way loses all digits.
 * When the projection is outside, the nearest point lies on an edge that sees it. `isTurned`: i is that corner.
 */
export function solveTriangle(w: F64, i: i32, j: i32, k: i32, isTurned: bool = false): void {
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
  if (!(nn > WIDE * uu * vv)) {
    const first = isTurned ? 0 : findShortCorner(w, i, j, k);
    if (first == 1) {
      solveTriangle(w, j, k, i, true);
      return;
    }
    if (first == 2) {
      solveTriangle(w, k, i, j, true);
      return;
    }
    if (nn <= FLAT_TRIANGLE * uu * vv) {
      solveThinTriangle(w, i, j, k);
      return;
    }
  }
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
    trial.count = 3;
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
    const off = abs<f64>(px - x) + abs<f64>(py - y) + abs<f64>(pz - z);
    const onPlane = off <= IN_PLANE * (abs<f64>(ax) + abs<f64>(ay) + abs<f64>(az));
    const bestX = onPlane ? x : px;
    const bestY = onPlane ? y : py;
    const bestZ = onPlane ? z : pz;
    trialV[0] = bestX;
    trialV[1] = bestY;
    trialV[2] = bestZ;
    trialV[3] = bestX * bestX + bestY * bestY + bestZ * bestZ;
    return;
  }
  // The nearest point of a polygon lies on an edge that sees the point; one or two edges do.
  if (weightK < 0) {
    if (weightJ >= 0 && weightI >= 0) solveSegment(w, i, j);
    else if (weightJ < 0) solveTwoSegments(w, i, j, i, k);
    else solveTwoSegments(w, i, j, j, k);
  } else if (weightJ < 0) {
    if (weightI >= 0) solveSegment(w, i, k);
    else solveTwoSegments(w, i, k, j, k);
  } else solveSegment(w, j, k);
}

/** True unless the origin lies clearly on the inner side of face (p, q, r), l being the opposite vertex. */
function isOriginOutside(w: F64, p: i32, q: i32, r: i32, l: i32, isTurned: bool = false): bool {
  const ax = w[3 * p];
  const ay = w[3 * p + 1];
  const az = w[3 * p + 2];
  const ux = w[3 * q] - ax;
  const uy = w[3 * q + 1] - ay;
  const uz = w[3 * q + 2] - az;
  const vx = w[3 * r] - ax;
  const vy = w[3 * r + 1] - ay;
  const vz = w[3 * r + 2] - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  if (!isTurned && !(nn > WIDE * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz))) {
    const first = findShortCorner(w, p, q, r);
    if (first == 1) return isOriginOutside(w, q, r, p, l, true);
    if (first == 2) return isOriginOutside(w, r, p, q, l, true);
  }
  const sideOrigin = -(nx * ax + ny * ay + nz * az);
  const sideApex = nx * (w[3 * l] - ax) + ny * (w[3 * l + 1] - ay) + nz * (w[3 * l + 2] - az);
  const noise = trialV[4];
  if (sideApex * sideApex <= noise * noise * nn) return true;
  return sideOrigin * sideApex < 0;
}

/** Nearest point of tetrahedron (0, 1, 2, 3); vertex 3 is the newest. False when the origin is inside, up to trial.point[4]. */
export function solveTetrahedron(w: F64): bool {
  let best: f64 = f64.POSITIVE_INFINITY;
  let bestFace = -1;
  let face = -1;
  if (isOriginOutside(w, 0, 1, 3, 2)) {
    solveTriangle(w, 0, 1, 3);
    best = trialV[3];
    bestFace = 0;
    face = 0;
  }
  if (isOriginOutside(w, 1, 2, 3, 0)) {
    solveTriangle(w, 1, 2, 3);
    face = 1;
    if (trialV[3] < best) {
      best = trialV[3];
      bestFace = 1;
    }
  }
  if (isOriginOutside(w, 0, 2, 3, 1)) {
    solveTriangle(w, 0, 2, 3);
    face = 2;
    if (trialV[3] < best) bestFace = 2;
  }
  if (bestFace < 0) return false;
  if (bestFace == face) return true;
  if (bestFace == 0) solveTriangle(w, 0, 1, 3);
  else solveTriangle(w, 1, 2, 3);
  return true;
}

/** The same for a tetrahedron whose face (0, 1, 2) may be the one that sees the origin. */
export function solveAnyTetrahedron(w: F64): bool {
  if (!isOriginOutside(w, 0, 1, 2, 3)) return solveTetrahedron(w);
  solveTriangle(w, 0, 1, 2);
  return true;
}

/** Makes the last answer the state's simplex and v. */
export function keepTrial(): void {
  const w = s.w;
  const pointsA = s.pointsA;
  const pointsB = s.pointsB;
  const weight = s.weight;
  const v = s.v;
  // Increasing order lets the kept vertices slide down in place.
  for (let i = 1; i < trial.count; i++)
    for (let j = i; j > 0 && trialIndex[j] < trialIndex[j - 1]; j--) {
      const index = trialIndex[j];
      trialIndex[j] = trialIndex[j - 1];
      trialIndex[j - 1] = index;
      const part = trialWeight[j];
      trialWeight[j] = trialWeight[j - 1];
      trialWeight[j - 1] = part;
    }
  for (let i = 0; i < trial.count; i++) {
    const from = 3 * trialIndex[i];
    const to = 3 * i;
    weight[i] = trialWeight[i];
    if (from == to) continue;
    for (let k = 0; k < 3; k++) {
      w[to + k] = w[from + k];
      pointsA[to + k] = pointsA[from + k];
      pointsB[to + k] = pointsB[from + k];
    }
  }
  s.count = trial.count;
  v[0] = trialV[0];
  v[1] = trialV[1];
  v[2] = trialV[2];
}

function volumeOf(w: F64, i: i32, j: i32, k: i32): f64 {
  const x = w[j + 1] * w[k + 2] - w[j + 2] * w[k + 1];
  const y = w[j + 2] * w[k] - w[j] * w[k + 2];
  const z = w[j] * w[k + 1] - w[j + 1] * w[k];
  return abs<f64>(w[i] * x + w[i + 1] * y + w[i + 2] * z);
}

/** How far the vertices, by the weights, are from carrying the origin. */
function missOf(w: F64, weight: F64): f64 {
  const x = weight[0] * w[0] + weight[1] * w[3] + weight[2] * w[6] + weight[3] * w[9];
  const y = weight[0] * w[1] + weight[1] * w[4] + weight[2] * w[7] + weight[3] * w[10];
  const z = weight[0] * w[2] + weight[1] * w[5] + weight[2] * w[8] + weight[3] * w[11];
  return sqrt(x * x + y * y + z * z);
}

const faceWeight = changetype<F64>(memory.data(32, 16));

/** Weighs one face's nearest point to the origin; keeps the weights if they miss by less, and returns by how much. */
function offerFace(w: F64, i: i32, j: i32, k: i32, miss: f64): f64 {
  solveTriangle(w, i, j, k);
  for (let m = 0; m < 4; m++) faceWeight[m] = 0;
  for (let m = 0; m < trial.count; m++) faceWeight[trialIndex[m]] = trialWeight[m];
  const own = missOf(w, faceWeight);
  if (!(own < miss)) return miss;
  for (let m = 0; m < 4; m++) s.weight[m] = faceWeight[m];
  return own;
}

/**
 * Weighs the vertices of a tetrahedron that holds the origin, so that they carry it, and sets v to it. Returns by how much they
 * miss: volumes say nothing on a flat tetrahedron, on whose faces the origin then lies.
 */
export function weighTetrahedron(): f64 {
  const w = s.w;
  const weight = s.weight;
  const v = s.v;
  weight[0] = volumeOf(w, 3, 6, 9);
  weight[1] = volumeOf(w, 0, 6, 9);
  weight[2] = volumeOf(w, 0, 3, 9);
  weight[3] = volumeOf(w, 0, 3, 6);
  const sum = weight[0] + weight[1] + weight[2] + weight[3];
  for (let i = 0; i < 4; i++) weight[i] = sum > 0 ? weight[i] / sum : 0.25;
  let miss = missOf(w, weight);
  if (miss > CARRIED * s.scale) {
    miss = offerFace(w, 0, 1, 2, miss);
    miss = offerFace(w, 0, 1, 3, miss);
    miss = offerFace(w, 0, 2, 3, miss);
    miss = offerFace(w, 1, 2, 3, miss);
  }
  v[0] = 0;
  v[1] = 0;
  v[2] = 0;
  return miss;
}

/**
 * Points of A and B (both in A's frame) that carry v, made exactly v apart: on slivers the weighted points differ from it
 * by some 1e-16 / height, which is split between the two.
 */
export function combineWitness(pointA: F64, pointB: F64): void {
  const pointsA = s.pointsA;
  const pointsB = s.pointsB;
  const weight = s.weight;
  for (let k = 0; k < 3; k++) {
    let a: f64 = 0;
    let b: f64 = 0;
    for (let i = 0; i < s.count; i++) {
      a += weight[i] * pointsA[3 * i + k];
      b += weight[i] * pointsB[3 * i + k];
    }
    const off = 0.5 * (a - b - s.v[k]);
    pointA[k] = a - off;
    pointB[k] = b + off;
  }
}
