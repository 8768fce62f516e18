// Contact time of two moving convex shapes: GJK whose simplex moves with the shapes.
//
// Method: each round 1. takes a direction n and, when it separates the shapes, follows the gap along it to the time at
//   which it closes (cast-axis.ts): nothing touches before; 2. adds the points that reach farthest along n to the simplex,
//   kept as points of the bodies and placed anew where they have moved; 3. finds the simplex' point v nearest the origin;
//   -v / |v| is the next n. The closest points need not be found at any time but the last, so most rounds cost no more
//   than one of GJK. 4. n turns at the rate that keeps it across the edges of the simplex: then the step ends at the contact
//   of the very features that the simplex has, and what is missing shrinks quadratically; 5. on curved cores Newton's method
//   (convex-polish.ts) replaces the simplex by the parts that touch, once the shapes are close, and after each step again.
// Source: van den Bergen 2004, "Ray casting against general convex objects with application to continuous collision
//   detection" (GJK on a moving pair, for translations); Gilbert, Johnson, Keerthi 1988, doi:10.1109/56.2083; turning
//   motions and the turning direction are ours.
// Frames: W, vertices relative to A's origin there. Cost: 3 to 10 rounds of 0.2-0.4 us. Where rounding keeps it from getting
// on, it returns the safe time without a contact, and the caller measures the distance.
// Tests: src/narrowphase/cast.test.ts, test/oracle/casts.test.ts.
import { CONVEX_COUNTS, CONVEX_RESULT } from '../../src/kernel/layout';
import { axis, followAxis, NEVER, turn } from '../mesh/cast-axis';
import { polishDistance } from './convex-polish';
import { keepTrial, setTrialVertex, solveSegment, solveTriangle, trial } from './convex-simplex';
import { F64, s } from './convex-state';
import { Body, BODY_NUMBERS } from '../mesh/moving-body';

/** Part of the sizes within which Newton's method is tried, and again after so many rounds. */
const NEAR = 0.02;
const POLISH_AGAIN = 3;
/** sin^2 between edges below which they leave one direction free. */
const PARALLEL = 1e-6;
/** A direction turns at this many times the shapes' angles at most. */
const FASTEST_TURN = 4;
/** Part of the sizes within which v counts as the nearest point. */
const NEAREST = 1e-13;

const a = changetype<Body>(memory.data(BODY_NUMBERS * 8, 16));
const b = changetype<Body>(memory.data(BODY_NUMBERS * 8, 16));
/** The first direction (3), then the answer: 1 for a contact, rounds taken. */
const request = changetype<F64>(memory.data(40, 16));
const result = changetype<F64>(CONVEX_RESULT);
/** Points of B in its own frame; s.pointsA are in A's, s.w and s.v along W's axes; s.pointsB are for Newton's method only. */
const local = changetype<F64>(memory.data(96, 16));

/** Where TypeScript writes and reads: 0 and 1 the motions, 2 the request. */
export function castBlock(which: i32): usize {
  return which == 2 ? changetype<usize>(request) : changetype<usize>(which == 1 ? b : a);
}

/** Vertex at offset i, from the points in their bodies' frames. */
function placeVertex(i: i32): void {
  const w = s.w;
  const p = s.pointsA;
  const A = a.X;
  const B = b.X;
  for (let k = 0; k < 3; k++) {
    const r = 3 * k;
    w[i + k] =
      A[9 + k] -
      B[9 + k] +
      (A[r] * p[i] +
        A[r + 1] * p[i + 1] +
        A[r + 2] * p[i + 2] -
        (B[r] * local[i] + B[r + 1] * local[i + 1] + B[r + 2] * local[i + 2]));
  }
}

/** Adds the points that the bodies found last; false when the simplex has them and has not moved since. */
function addVertex(moved: bool): bool {
  const w = s.w;
  const at = 3 * s.count;
  for (let k = 0; k < 3; k++) {
    s.pointsA[at + k] = a.support[k];
    local[at + k] = b.support[k];
  }
  for (let i = moved ? 0 : at; i <= at; i += 3) placeVertex(i);
  if (moved) return true;
  for (let i = 0; i < at; i += 3) if (w[i] == w[at] && w[i + 1] == w[at + 1] && w[i + 2] == w[at + 2]) return false;
  return true;
}

/** The nearest point of the first `count` vertices, of which all may have moved; what it needs becomes the simplex. */
function solveSimplex(count: i32, moved: bool): void {
  const w = s.w;
  if (count == 1) setTrialVertex(w, 0);
  else if (count == 2) solveSegment(w, 0, 1);
  else if (count == 3) solveTriangle(w, 0, 1, 2);
  else solveFaces(w, moved);
  keepTrial();
  for (let i = 0; i < trial.count; i++) {
    const from = 3 * trial.index[i];
    const to = 3 * i;
    if (from != to) for (let k = 0; k < 3; k++) local[to + k] = local[from + k];
  }
}

/**
 * Nearest point of a tetrahedron that does not hold the origin, since the shapes are apart: of the faces with the newest
 * vertex, or of all. Which faces see the origin is not asked: on flat tetrahedra rounding would decide.
 */
function solveFaces(w: F64, all: bool): void {
  solveTriangle(w, 0, 1, 3);
  let best = trial.point[3];
  let face = 0;
  solveTriangle(w, 1, 2, 3);
  if (trial.point[3] < best) {
    best = trial.point[3];
    face = 1;
  }
  if (all) {
    solveTriangle(w, 0, 1, 2);
    if (trial.point[3] < best) {
      best = trial.point[3];
      face = 2;
    }
  }
  solveTriangle(w, 2, 0, 3);
  if (trial.point[3] <= best) return;
  if (face == 0) solveTriangle(w, 0, 1, 3);
  else if (face == 1) solveTriangle(w, 1, 2, 3);
  else solveTriangle(w, 0, 1, 2);
}

/** s.X = X_AB. */
function setPose(): void {
  const A = a.X;
  const B = b.X;
  const X = s.X;
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 3; k++) X[3 * i + k] = A[i] * B[k] + A[3 + i] * B[3 + k] + A[6 + i] * B[6 + k];
    X[9 + i] = A[i] * (B[9] - A[9]) + A[3 + i] * (B[10] - A[10]) + A[6 + i] * (B[11] - A[11]);
  }
}

/** Newton's method from the simplex and v, in A's frame and back. False leaves all as it was. */
function polish(): bool {
  const X = s.X;
  const A = a.X;
  const v = s.v;
  const p = s.pointsA;
  const q = s.pointsB;
  setPose();
  for (let i = 0; i < 3 * s.count; i += 3)
    for (let k = 0; k < 3; k++) {
      const r = 3 * k;
      q[i + k] = X[r] * local[i] + X[r + 1] * local[i + 1] + X[r + 2] * local[i + 2] + X[9 + k];
      s.w[i + k] = p[i + k] - q[i + k];
    }
  let x = v[0];
  let y = v[1];
  let z = v[2];
  for (let k = 0; k < 3; k++) v[k] = A[k] * x + A[3 + k] * y + A[6 + k] * z;
  const isExact = polishDistance();
  x = v[0];
  y = v[1];
  z = v[2];
  for (let k = 0; k < 3; k++) v[k] = A[3 * k] * x + A[3 * k + 1] * y + A[3 * k + 2] * z;
  for (let i = 0; i < 3 * s.count; i += 3) {
    if (isExact) {
      x = q[i] - X[9];
      y = q[i + 1] - X[10];
      z = q[i + 2] - X[11];
      for (let k = 0; k < 3; k++) local[i + k] = X[k] * x + X[3 + k] * y + X[6 + k] * z;
    }
    placeVertex(i);
  }
  return isExact;
}

let firstX: f64 = 0;
let firstY: f64 = 0;
let firstZ: f64 = 0;
let secondX: f64 = 0;
let secondY: f64 = 0;
let secondZ: f64 = 0;

/** What n' along the edge from vertex 0 to the one at offset i has to be. */
@inline
function rateAlong(i: i32, x: f64, y: f64, z: f64): f64 {
  const p = s.pointsA;
  return -(
    firstX * (p[i] - p[0]) +
    firstY * (p[i + 1] - p[1]) +
    firstZ * (p[i + 2] - p[2]) +
    secondX * x +
    secondY * y +
    secondZ * z
  );
}

/**
 * The rate of n that keeps it across the edges of the simplex while these turn with their bodies: for an edge
 * e = e_A - e_B, n' . e = -n . e' = -(e_A . (n x (omega_A - omega_B)) + e . (n x omega_B)).
 */
function findTurn(): void {
  const w = s.w;
  const A = a.X;
  const p = a.omega;
  const q = b.omega;
  for (let k = 0; k < 3; k++) turn[k] = 0;
  if (s.count < 2 || a.angle + b.angle == 0) return;
  const x = axis[0];
  const y = axis[1];
  const z = axis[2];
  const dx = p[0] - q[0];
  const dy = p[1] - q[1];
  const dz = p[2] - q[2];
  const cx = y * dz - z * dy;
  const cy = z * dx - x * dz;
  const cz = x * dy - y * dx;
  firstX = A[0] * cx + A[3] * cy + A[6] * cz;
  firstY = A[1] * cx + A[4] * cy + A[7] * cz;
  firstZ = A[2] * cx + A[5] * cy + A[8] * cz;
  secondX = y * q[2] - z * q[1];
  secondY = z * q[0] - x * q[2];
  secondZ = x * q[1] - y * q[0];
  const ex = w[3] - w[0];
  const ey = w[4] - w[1];
  const ez = w[5] - w[2];
  const e = rateAlong(3, ex, ey, ez);
  const ee = ex * ex + ey * ey + ez * ez;
  let alongE = e / ee;
  let alongF: f64 = 0;
  let fx: f64 = 0;
  let fy: f64 = 0;
  let fz: f64 = 0;
  if (s.count > 2) {
    fx = w[6] - w[0];
    fy = w[7] - w[1];
    fz = w[8] - w[2];
    const f = rateAlong(6, fx, fy, fz);
    const ef = ex * fx + ey * fy + ez * fz;
    const ff = fx * fx + fy * fy + fz * fz;
    const determinant = ee * ff - ef * ef;
    if (determinant > PARALLEL * ee * ff) {
      alongE = (e * ff - f * ef) / determinant;
      alongF = (f * ee - e * ef) / determinant;
    }
  }
  const tx = alongE * ex + alongF * fx;
  const ty = alongE * ey + alongF * fy;
  const tz = alongE * ez + alongF * fz;
  const most = FASTEST_TURN * (a.angle + b.angle);
  if (!(tx * tx + ty * ty + tz * tz <= most * most)) return;
  turn[0] = tx;
  turn[1] = ty;
  turn[2] = tz;
}

/** Whether no point of the shapes is nearer along n than the simplex is; leaves the next vertex with the bodies. */
function isNearest(distance: f64): bool {
  a.look(s.a, axis, 1);
  b.look(s.b, axis, -1);
  const A = a.X;
  const B = b.X;
  const gap = axis[0] * (B[9] - A[9]) + axis[1] * (B[10] - A[10]) + axis[2] * (B[11] - A[11]) - a.reach - b.reach;
  return distance - a.radius - b.radius - gap <= NEAREST * (a.size + b.size);
}

/** Distance, normal and the simplex' closest points, moved out by the radii, in W. */
function writeContact(distance: f64): void {
  const p = s.pointsA;
  const X = a.X;
  const between = distance - a.radius - b.radius;
  result[0] = between;
  for (let k = 0; k < 3; k++) {
    let x = X[9 + k];
    for (let i = 0; i < s.count; i++) {
      const j = 3 * i;
      x += s.weight[i] * (X[3 * k] * p[j] + X[3 * k + 1] * p[j + 1] + X[3 * k + 2] * p[j + 2]);
    }
    x += a.radius * axis[k];
    result[1 + k] = axis[k];
    result[4 + k] = x;
    result[7 + k] = x + between * axis[k];
  }
  request[3] = 1;
}

@inline
function lengthOfV(): f64 {
  const v = s.v;
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

function approach(from: f64, tolerance: f64, fastest: f64, mostRounds: i32): f64 {
  const level = 0.5 * tolerance;
  const radius = a.radius + b.radius;
  const size = a.size + b.size;
  const isCurved = s.a.isCurved || s.b.isCurved;
  s.count = 0;
  s.scale = size;
  let t = followAxis(a, b, from, level, fastest);
  let moved = true;
  let isExact = false;
  let polishAt = 0;
  let round = 0;
  for (; t <= 1 && round < mostRounds; round++) {
    // The parts that touched before the step most likely still do.
    if (isExact && moved) {
      for (let k = 0; k < 3; k++) s.v[k] = -axis[k];
      isExact = polish();
    } else isExact = false;
    if (!isExact) {
      if (!addVertex(moved)) break;
      solveSimplex(s.count + 1, moved);
    }
    let distance = lengthOfV();
    if (isCurved && !isExact && distance < NEAR * size && round >= polishAt) {
      isExact = polish();
      if (isExact) distance = lengthOfV();
      else polishAt = round + POLISH_AGAIN;
    }
    for (let k = 0; k < 3; k++) axis[k] = -s.v[k] / distance;
    moved = false;
    if (distance - radius <= tolerance) {
      if (isExact || isNearest(distance)) {
        writeContact(distance);
        round++;
        break;
      }
      continue;
    }
    findTurn();
    const next = followAxis(a, b, t, level, fastest);
    moved = next != t;
    t = next;
  }
  s.rounds += round;
  store<i32>(CONVEX_COUNTS + 4, s.rounds);
  request[4] = round;
  return t > 1 ? NEVER : t;
}

@inline
function startMotion(from: f64): void {
  for (let k = 0; k < 3; k++) {
    axis[k] = request[k];
    turn[k] = 0;
  }
  request[3] = 0;
  request[4] = 0;
  a.start(from);
  b.start(from);
}

/**
 * From time `from`, the shapes apart along the first direction: a time before which there is no contact, NEVER when there
 * is none at all. Tells whether there is a contact at that time, and writes it to the result area, in W.
 */
export function castConvex(from: f64, tolerance: f64, fastest: f64, mostRounds: i32): f64 {
  startMotion(from);
  return approach(from, tolerance, fastest, mostRounds);
}

/** The same along the first direction only. */
export function castPlane(from: f64, tolerance: f64, fastest: f64): f64 {
  startMotion(from);
  return followAxis(a, b, from, 0.5 * tolerance, fastest);
}
