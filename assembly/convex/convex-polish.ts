/**
 * The last digits of a distance or depth between cores of which one is curved: Newton's method for the direction n in
 * which the width h(n) = max over C = A - B of n.x is stationary on the unit sphere.
 *
 * Both answers are such directions: the distance is -h at the only one with h < 0, the depth is h at the least.
 * Method: 1. a simplex of C, found by GJK or EPA, tells which parts of A and B touch: a vertex, a rim, an ellipsoid's
 * surface, straight edges or generators (both ends are in the simplex), a cap; 2. every straight part k confines n to the
 * circle n.u = c (edges: k.n = 0; a cone's generators: its slope), a cap fixes it; two circles meet in a point; 3. on
 * what is left, a circle or the sphere, Newton's steps use the gradient w (the support point) and the curvature of rims,
 * (r / s) t t', and ellipsoids, minus h; 4. the simplex is moved onto the parts at the final n; it must now carry
 * the point h n, which proves n stationary; h itself comes from the support mapping, so a wrong guess in step 1 only
 * costs time.
 * Source: Newton's method on the sphere, Absil, Mahony, Sepulchre 2008, "Optimization algorithms on matrix manifolds",
 * section 6.2, doi:10.1515/9781400830244; the case analysis is ours.
 * Frames: A's frame. Cost: 0.2-0.4 us, 3-5 steps. Returns false when the guess was wrong or a step has no solution.
 * Checked by polish.test.ts, gjk.test.ts, penetration.test.ts and test/oracle/shape-pairs.test.ts.
 */
import { keepTrial, setTrialVertex, solveSegment, solveTriangle, trial } from './convex-simplex';
import {
  CORE_CONE,
  CORE_CYLINDER,
  CORE_ELLIPSOID,
  CORE_POINT,
  F64,
  I32,
  s,
  SupportCore,
  supportDifference,
} from './convex-state';

/** Parts of a core that can touch. FIXED: a point of the core, curvature 0. */
const FIXED = 0;
const RIM = 1;
const SMOOTH = 2;

const MAX_STEPS = 12;
/** A step this short is the last: the next would be its square. */
const LAST_STEP = 1e-9;
/** So is one of rounding alone: noise of the gradient, per unit of scale, over the bend. Tiny gaps have nothing better. */
const STEP_NOISE = 1e-15;
const LONGEST_STEP = 0.5;
/** sin^2 to the axis below which a spread simplex means that the cap touches, and the spread as a part of the radius. */
const CAP_SINE = 0.04;
const CAP_SPREAD = 0.3;
/** Circles whose axes are closer than this are the same. */
const SAME_AXIS = 1e-10;
/** Noise of the final check, relative to the answer and to the scale. */
const RELATIVE = 1e-14;
const NOISE = 1e-15;
/** Distances below this part of the scale are rounding. */
const LEAST = 2e-15;
/** Ratio of semi-axes from which an ellipsoid is slender. */
const SLENDER = 1e3;

/** What the final check may miss by beyond that, per unit of scale: 0 but where GJK is stuck; and never more than a part. */
let slack: f64 = 0;
const SLACK_PART = 1e-3;

const part = changetype<I32>(memory.data(8, 16));
/** A point of each part, in A's frame. */
const base = changetype<F64>(memory.data(48, 16));
/** Circles n.u = c: u 0..2, c 3. */
const circles = changetype<F64>(memory.data(128, 16));
let circleCount = 0;
/** The core whose cap touches, so that n is known; -1 when none does. */
let cap = -1;
/** Cores whose caps are no candidates, as bits 1 and 2: at a slight tilt it is the rim that touches. */
let capsBarred = 0;
const n = changetype<F64>(memory.data(24, 16));
const first = changetype<F64>(memory.data(24, 16));
const t1 = changetype<F64>(memory.data(24, 16));
const t2 = changetype<F64>(memory.data(24, 16));
/** Gradient of the width, and t1, t2 components of the curvature: 11, 12, 22. */
const gradient = changetype<F64>(memory.data(24, 16));
const curvature = changetype<F64>(memory.data(24, 16));
/** Final points of the parts in A's frame: A's at +z, A's at -z, B's likewise. */
const moved = changetype<F64>(memory.data(96, 16));
const simplexW = changetype<F64>(memory.data(96, 16));
const simplexA = changetype<F64>(memory.data(96, 16));
const simplexB = changetype<F64>(memory.data(96, 16));

function addCircle(x: f64, y: f64, z: f64, c: f64): void {
  const i = 4 * circleCount++;
  circles[i] = x;
  circles[i + 1] = y;
  circles[i + 2] = z;
  circles[i + 3] = c;
}

/** Straight parts of a polytope: up to two independent differences of the simplex' points. */
function findStraightParts(points: F64, count: i32): void {
  let first = -1;
  let kx: f64 = 0;
  let ky: f64 = 0;
  let kz: f64 = 0;
  for (let i = 1; i < count; i++) {
    let x = points[3 * i] - points[0];
    let y = points[3 * i + 1] - points[1];
    let z = points[3 * i + 2] - points[2];
    const whole = sqrt(x * x + y * y + z * z);
    if (whole == 0) continue;
    if (first >= 0) {
      const along = x * kx + y * ky + z * kz;
      x -= along * kx;
      y -= along * ky;
      z -= along * kz;
    }
    const norm = sqrt(x * x + y * y + z * z);
    if (norm <= SAME_AXIS * whole) continue;
    x /= norm;
    y /= norm;
    z /= norm;
    addCircle(x, y, z, 0);
    if (first >= 0) return;
    first = i;
    kx = x;
    ky = y;
    kz = z;
  }
}

/** The part of core `which` (0: A, 1: B) that the simplex touches. */
function findPart(core: SupportCore, which: i32): void {
  const points = which == 0 ? s.pointsA : s.pointsB;
  const X = s.X;
  const count = s.count;
  const at = 3 * which;
  part[which] = FIXED;
  base[at] = points[0];
  base[at + 1] = points[1];
  base[at + 2] = points[2];
  const kind = core.kind;
  if (kind == CORE_POINT) return;
  if (kind == CORE_ELLIPSOID) {
    part[which] = SMOOTH;
    return;
  }
  if (kind != CORE_CYLINDER && kind != CORE_CONE) {
    findStraightParts(points, count);
    return;
  }
  const ux = which == 0 ? 0 : X[2];
  const uy = which == 0 ? 0 : X[5];
  const uz = which == 0 ? 1 : X[8];
  const origin = which == 0 ? 0 : ux * X[9] + uy * X[10] + uz * X[11];
  let tops = 0;
  let spread: f64 = 0;
  for (let i = 0; i < count; i++) {
    const x = points[3 * i];
    const y = points[3 * i + 1];
    const z = points[3 * i + 2];
    if (ux * x + uy * y + uz * z > origin) tops++;
    const ox = x - points[0];
    const oy = y - points[1];
    const oz = z - points[2];
    spread = max<f64>(spread, ox * ox + oy * oy + oz * oz);
  }
  const along = ux * n[0] + uy * n[1] + uz * n[2];
  if (tops > 0 && tops < count) {
    // Both ends: a generator touches. A cone's generators all pass through the apex.
    if (kind == CORE_CYLINDER) {
      part[which] = RIM;
      addCircle(ux, uy, uz, 0);
      return;
    }
    const slope = core.x / sqrt(core.x * core.x + 4 * core.z * core.z);
    addCircle(ux, uy, uz, which == 0 ? slope : -slope);
    const apex = which == 0 ? core.z : core.z + origin - (ux * X[9] + uy * X[10] + uz * X[11]);
    base[at] = which == 0 ? 0 : X[9] + apex * ux;
    base[at + 1] = which == 0 ? 0 : X[10] + apex * uy;
    base[at + 2] = which == 0 ? apex : X[11] + apex * uz;
    return;
  }
  if (kind == CORE_CONE && tops > 0) return;
  part[which] = RIM;
  if (cap >= 0 || capsBarred & (1 << which)) return;
  if (1 - along * along < CAP_SINE && spread > CAP_SPREAD * CAP_SPREAD * core.x * core.x) {
    const sign = along < 0 ? -1 : 1;
    n[0] = sign * ux;
    n[1] = sign * uy;
    n[2] = sign * uz;
    cap = which;
  }
}

/** Local coordinates of n (for B: of -n) and of t1, t2. */
const local = changetype<F64>(memory.data(72, 16));

function turnToLocal(which: i32): void {
  if (which == 0) {
    for (let k = 0; k < 3; k++) {
      local[k] = n[k];
      local[3 + k] = t1[k];
      local[6 + k] = t2[k];
    }
    return;
  }
  const X = s.X;
  for (let k = 0; k < 3; k++) {
    local[k] = -(X[k] * n[0] + X[3 + k] * n[1] + X[6 + k] * n[2]);
    local[3 + k] = X[k] * t1[0] + X[3 + k] * t1[1] + X[6 + k] * t1[2];
    local[6 + k] = X[k] * t2[0] + X[3 + k] * t2[1] + X[6 + k] * t2[2];
  }
}

/** Adds core `which`'s share of gradient and curvature at n. False where the part has no such direction. */
function addShare(core: SupportCore, which: i32): bool {
  const sign = which == 0 ? 1 : -1;
  if (part[which] == FIXED) {
    for (let k = 0; k < 3; k++) gradient[k] += sign * base[3 * which + k];
    return true;
  }
  turnToLocal(which);
  const x = local[0];
  const y = local[1];
  const z = local[2];
  let px: f64;
  let py: f64;
  let pz: f64;
  if (part[which] == RIM) {
    const r = core.x;
    const ss = x * x + y * y;
    if (ss == 0) return false;
    const inverse = 1 / sqrt(ss);
    px = r * x * inverse;
    py = r * y * inverse;
    // On a generator z makes no difference to the steps.
    pz = core.kind == CORE_CONE || z < 0 ? -core.z : core.z;
    const c = r * inverse;
    const a = (x * local[4] - y * local[3]) * inverse;
    const b = (x * local[7] - y * local[6]) * inverse;
    curvature[0] += c * a * a;
    curvature[1] += c * a * b;
    curvature[2] += c * b * b;
  } else {
    const ex = core.x * core.x;
    const ey = core.y * core.y;
    const ez = core.z * core.z;
    const inverse = 1 / sqrt(ex * x * x + ey * y * y + ez * z * z);
    px = ex * x * inverse;
    py = ey * y * inverse;
    pz = ez * z * inverse;
    const a = px * local[3] + py * local[4] + pz * local[5];
    const b = px * local[6] + py * local[7] + pz * local[8];
    curvature[0] += inverse * (ex * local[3] * local[3] + ey * local[4] * local[4] + ez * local[5] * local[5] - a * a);
    curvature[1] += inverse * (ex * local[3] * local[6] + ey * local[4] * local[7] + ez * local[5] * local[8] - a * b);
    curvature[2] += inverse * (ex * local[6] * local[6] + ey * local[7] * local[7] + ez * local[8] * local[8] - b * b);
  }
  if (which == 0) {
    gradient[0] += px;
    gradient[1] += py;
    gradient[2] += pz;
  } else {
    const X = s.X;
    gradient[0] -= X[0] * px + X[1] * py + X[2] * pz + X[9];
    gradient[1] -= X[3] * px + X[4] * py + X[5] * pz + X[10];
    gradient[2] -= X[6] * px + X[7] * py + X[8] * pz + X[11];
  }
  return true;
}

function evaluate(): bool {
  gradient[0] = 0;
  gradient[1] = 0;
  gradient[2] = 0;
  curvature[0] = 0;
  curvature[1] = 0;
  curvature[2] = 0;
  return addShare(s.a, 0) && addShare(s.b, 1);
}

/** n where the first two circles meet, on n's side. False when they do not, or are one. */
function meetCircles(): bool {
  const ux = circles[0];
  const uy = circles[1];
  const uz = circles[2];
  const c = circles[3];
  const vx = circles[4];
  const vy = circles[5];
  const vz = circles[6];
  const e = circles[7];
  const g = ux * vx + uy * vy + uz * vz;
  const wx = uy * vz - uz * vy;
  const wy = uz * vx - ux * vz;
  const wz = ux * vy - uy * vx;
  const det = wx * wx + wy * wy + wz * wz;
  const a = (c - e * g) / det;
  const b = (e - c * g) / det;
  const rest = 1 - (a * c + b * e);
  if (!(rest >= 0)) return false;
  let t = sqrt(rest / det);
  if (n[0] * wx + n[1] * wy + n[2] * wz < 0) t = -t;
  n[0] = a * ux + b * vx + t * wx;
  n[1] = a * uy + b * vy + t * wy;
  n[2] = a * uz + b * vz + t * wz;
  return true;
}

/** Drops circles that repeat the first. */
function joinCircles(): void {
  let kept = min<i32>(circleCount, 1);
  for (let i = 1; i < circleCount && kept < 2; i++) {
    const g = circles[0] * circles[4 * i] + circles[1] * circles[4 * i + 1] + circles[2] * circles[4 * i + 2];
    if (1 - g * g <= SAME_AXIS) continue;
    for (let k = 0; k < 4; k++) circles[4 * kept + k] = circles[4 * i + k];
    kept++;
  }
  circleCount = kept;
}

/** Newton's method along the circle n.u = c. */
function descendCircle(): bool {
  const ux = circles[0];
  const uy = circles[1];
  const uz = circles[2];
  const c = circles[3];
  const radius = sqrt(1 - c * c);
  for (let step = 0; step < MAX_STEPS; step++) {
    const off = n[0] * ux + n[1] * uy + n[2] * uz;
    let x = n[0] - off * ux;
    let y = n[1] - off * uy;
    let z = n[2] - off * uz;
    const norm = sqrt(x * x + y * y + z * z);
    if (norm == 0) return false;
    x /= norm;
    y /= norm;
    z /= norm;
    n[0] = c * ux + radius * x;
    n[1] = c * uy + radius * y;
    n[2] = c * uz + radius * z;
    t1[0] = uy * z - uz * y;
    t1[1] = uz * x - ux * z;
    t1[2] = ux * y - uy * x;
    if (!evaluate()) return false;
    const slope = gradient[0] * t1[0] + gradient[1] * t1[1] + gradient[2] * t1[2];
    const inward = (gradient[0] * x + gradient[1] * y + gradient[2] * z) / radius;
    const bend = curvature[0] - inward;
    if (!(bend > 0)) return false;
    const turn = max<f64>(-LONGEST_STEP, min<f64>(LONGEST_STEP, -slope / bend / radius));
    for (let k = 0; k < 3; k++) n[k] += radius * turn * t1[k];
    if (abs<f64>(turn) <= LAST_STEP + (STEP_NOISE * s.scale) / bend) {
      const last = n[0] * ux + n[1] * uy + n[2] * uz;
      const rx = n[0] - last * ux;
      const ry = n[1] - last * uy;
      const rz = n[2] - last * uz;
      const grow = radius / sqrt(rx * rx + ry * ry + rz * rz);
      n[0] = c * ux + grow * rx;
      n[1] = c * uy + grow * ry;
      n[2] = c * uz + grow * rz;
      return true;
    }
  }
  return false;
}

/** Newton's method on the sphere. */
function descendSphere(): bool {
  for (let step = 0; step < MAX_STEPS; step++) {
    const x = n[0];
    const y = n[1];
    const z = n[2];
    // Any orthonormal pair across n (Duff and others 2017).
    const sign = z < 0 ? -1 : 1;
    const a = -1 / (sign + z);
    const b = x * y * a;
    t1[0] = 1 + sign * x * x * a;
    t1[1] = sign * b;
    t1[2] = -sign * x;
    t2[0] = b;
    t2[1] = sign + y * y * a;
    t2[2] = -y;
    if (!evaluate()) return false;
    const h = x * gradient[0] + y * gradient[1] + z * gradient[2];
    const g1 = gradient[0] * t1[0] + gradient[1] * t1[1] + gradient[2] * t1[2];
    const g2 = gradient[0] * t2[0] + gradient[1] * t2[1] + gradient[2] * t2[2];
    const m11 = curvature[0] - h;
    const m12 = curvature[1];
    const m22 = curvature[2] - h;
    const det = m11 * m22 - m12 * m12;
    if (!(m11 > 0 && det > 0)) return false;
    let s1 = -(m22 * g1 - m12 * g2) / det;
    let s2 = -(m11 * g2 - m12 * g1) / det;
    const length = sqrt(s1 * s1 + s2 * s2);
    if (length > LONGEST_STEP) {
      s1 *= LONGEST_STEP / length;
      s2 *= LONGEST_STEP / length;
    }
    let norm: f64 = 0;
    for (let k = 0; k < 3; k++) {
      n[k] += s1 * t1[k] + s2 * t2[k];
      norm += n[k] * n[k];
    }
    norm = sqrt(norm);
    for (let k = 0; k < 3; k++) n[k] /= norm;
    if (length <= LAST_STEP + (STEP_NOISE * s.scale * (m11 + m22)) / det) return true;
  }
  return false;
}

/**
 * Turns n to where the simplex says that a slender ellipsoid touches: its surface point moves along the long axes far
 * faster than n turns, so that the point tells n's share along them better than v does. False for all other cores.
 */
function alignSlender(core: SupportCore, which: i32): bool {
  if (core.kind != CORE_ELLIPSOID) return false;
  const slender = SLENDER * min<f64>(core.x, min<f64>(core.y, core.z));
  const longX = core.x > slender;
  const longY = core.y > slender;
  const longZ = core.z > slender;
  if (!(longX || longY || longZ)) return false;
  const points = which == 0 ? s.pointsA : s.pointsB;
  const X = s.X;
  let x: f64 = 0;
  let y: f64 = 0;
  let z: f64 = 0;
  for (let i = 0; i < s.count; i++) {
    x += s.weight[i] * points[3 * i];
    y += s.weight[i] * points[3 * i + 1];
    z += s.weight[i] * points[3 * i + 2];
  }
  if (which == 1) {
    const dx = x - X[9];
    const dy = y - X[10];
    const dz = z - X[11];
    x = X[0] * dx + X[3] * dy + X[6] * dz;
    y = X[1] * dx + X[4] * dy + X[7] * dz;
    z = X[2] * dx + X[5] * dy + X[8] * dz;
  }
  const tx = longX ? x / core.x : 0;
  const ty = longY ? y / core.y : 0;
  const tz = longZ ? z / core.z : 0;
  const rest = 1 - tx * tx - ty * ty - tz * tz;
  if (!(rest > 0)) return false;
  turnToLocal(which);
  const ux = longX ? 0 : core.x * local[0];
  const uy = longY ? 0 : core.y * local[1];
  const uz = longZ ? 0 : core.z * local[2];
  const size = sqrt((ux * ux + uy * uy + uz * uz) / rest);
  const nx = longX ? (tx * size) / core.x : local[0];
  const ny = longY ? (ty * size) / core.y : local[1];
  const nz = longZ ? (tz * size) / core.z : local[2];
  const inverse = (which == 0 ? 1 : -1) / sqrt(nx * nx + ny * ny + nz * nz);
  if (which == 0) {
    n[0] = nx * inverse;
    n[1] = ny * inverse;
    n[2] = nz * inverse;
  } else for (let k = 0; k < 3; k++) n[k] = (X[3 * k] * nx + X[3 * k + 1] * ny + X[3 * k + 2] * nz) * inverse;
  return true;
}

/** Where the parts' points are at the final n. */
function placeParts(core: SupportCore, which: i32): void {
  turnToLocal(which);
  const x = local[0];
  const y = local[1];
  const z = local[2];
  for (let end = 0; end < 2; end++) {
    let px: f64;
    let py: f64;
    let pz: f64;
    if (core.kind == CORE_ELLIPSOID) {
      const u = core.x * x;
      const v = core.y * y;
      const w = core.z * z;
      const inverse = 1 / sqrt(u * u + v * v + w * w);
      px = core.x * u * inverse;
      py = core.y * v * inverse;
      pz = core.z * w * inverse;
    } else {
      const inverse = core.x / sqrt(x * x + y * y);
      px = x * inverse;
      py = y * inverse;
      pz = end == 0 ? core.z : -core.z;
      if (core.kind == CORE_CONE && end == 0) {
        px = 0;
        py = 0;
      }
    }
    const at = 6 * which + 3 * end;
    if (which == 0) {
      moved[at] = px;
      moved[at + 1] = py;
      moved[at + 2] = pz;
    } else {
      const X = s.X;
      moved[at] = X[0] * px + X[1] * py + X[2] * pz + X[9];
      moved[at + 1] = X[3] * px + X[4] * py + X[5] * pz + X[10];
      moved[at + 2] = X[6] * px + X[7] * py + X[8] * pz + X[11];
    }
  }
}

/** Moves simplex vertex `from` of core `which` onto its part, into vertex `to` of `out`. */
function moveVertex(out: F64, core: SupportCore, which: i32, vertex: i32): void {
  const points = which == 0 ? s.pointsA : s.pointsB;
  const i = 3 * (vertex & 3);
  const o = 3 * (vertex >> 2);
  const curved = core.kind == CORE_ELLIPSOID || core.kind == CORE_CYLINDER || core.kind == CORE_CONE;
  if (!curved || which == cap) {
    for (let k = 0; k < 3; k++) out[o + k] = points[i + k];
    return;
  }
  let end = 0;
  if (core.kind != CORE_ELLIPSOID) {
    const X = s.X;
    const side =
      which == 0
        ? points[i + 2]
        : X[2] * (points[i] - X[9]) + X[5] * (points[i + 1] - X[10]) + X[8] * (points[i + 2] - X[11]);
    end = side > 0 ? 0 : 3;
  }
  for (let k = 0; k < 3; k++) out[o + k] = moved[6 * which + end + k];
}

/** Moves the cap's point of a vertex under the other core's point, where that lies over the cap. */
function slideOnCap(core: SupportCore, o: i32): void {
  const own = cap == 0 ? simplexA : simplexB;
  const other = cap == 0 ? simplexB : simplexA;
  const X = s.X;
  let height: f64 = 0;
  for (let k = 0; k < 3; k++) height += n[k] * (own[o + k] - other[o + k]);
  let squared: f64 = 0;
  for (let k = 0; k < 3; k++) {
    const off = other[o + k] + height * n[k] - (cap == 0 ? 0 : X[9 + k]);
    squared += off * off;
  }
  // From the core's middle: radius and half length.
  if (squared > core.x * core.x + core.z * core.z) return;
  for (let k = 0; k < 3; k++) own[o + k] = other[o + k] + height * n[k];
}

/** The simplex moved onto the parts, without repetitions, in simplexA, B, W; returns its size. */
function moveSimplex(): i32 {
  placePartsOf();
  let count = 0;
  for (let i = 0; i < s.count; i++) {
    moveVertex(simplexA, s.a, 0, i + 4 * count);
    moveVertex(simplexB, s.b, 1, i + 4 * count);
    const o = 3 * count;
    let isNew = true;
    for (let j = 0; j < o && isNew; j += 3) {
      isNew = false;
      for (let k = 0; k < 3; k++)
        if (simplexA[j + k] != simplexA[o + k] || simplexB[j + k] != simplexB[o + k]) isNew = true;
    }
    if (!isNew) continue;
    if (cap >= 0) slideOnCap(cap == 0 ? s.a : s.b, o);
    for (let k = 0; k < 3; k++) simplexW[o + k] = simplexA[o + k] - simplexB[o + k];
    count++;
  }
  return count;
}

function placePartsOf(): void {
  if (s.a.isCurved) placeParts(s.a, 0);
  if (s.b.isCurved) placeParts(s.b, 1);
}

/** Steps 1-3 from the direction in `n` and the state's simplex. */
function findDirection(): bool {
  circleCount = 0;
  cap = -1;
  findPart(s.a, 0);
  findPart(s.b, 1);
  if (cap >= 0) return true;
  joinCircles();
  if (circleCount == 2) return meetCircles();
  return circleCount == 1 ? descendCircle() : descendSphere();
}

/** Steps 1-4; where a cap was the guess and wrong, again without that cap, and without either. */
function polish(isApart: bool): bool {
  capsBarred = 0;
  for (let k = 0; k < 3; k++) first[k] = n[k];
  do {
    for (let k = 0; k < 3; k++) n[k] = first[k];
    if (findDirection() && isStationary(isApart)) return true;
    capsBarred |= 1 << max<i32>(cap, 0);
  } while (cap >= 0);
  return false;
}

/**
 * Step 4: n separates, or for a depth does not, and the simplex at n carries h n up to rounding; then the simplex is kept.
 * Leaves the width along n in gradient[0].
 */
function isStationary(isApart: bool): bool {
  const d = s.d;
  const w = s.w;
  d[0] = n[0];
  d[1] = n[1];
  d[2] = n[2];
  supportDifference(3);
  const width = n[0] * w[9] + n[1] * w[10] + n[2] * w[11];
  gradient[0] = width;
  if (isApart ? !(width < -LEAST * s.scale) : !(width >= 0)) return false;
  const count = moveSimplex();
  if (count == 1) setTrialVertex(simplexW, 0);
  else if (count == 2) solveSegment(simplexW, 0, 1);
  else solveTriangle(simplexW, 0, 1, 2);
  const reach = sqrt(trial.point[3]);
  const size = abs<f64>(width);
  if (!(abs<f64>(reach - size) <= RELATIVE * size + NOISE * s.scale + min<f64>(slack * s.scale, SLACK_PART * size)))
    return false;
  for (let i = 0; i < 3 * count; i++) {
    s.w[i] = simplexW[i];
    s.pointsA[i] = simplexA[i];
    s.pointsB[i] = simplexB[i];
  }
  keepTrial();
  return true;
}

function isSlender(core: SupportCore): bool {
  if (core.kind != CORE_ELLIPSOID) return false;
  const least = min<f64>(core.x, min<f64>(core.y, core.z));
  return max<f64>(core.x, max<f64>(core.y, core.z)) > SLENDER * least;
}

/** Once more from v, with n turned by slender ellipsoids. */
function polishSlender(): bool {
  for (let k = 0; k < 3; k++) n[k] = first[k];
  const turnedA = alignSlender(s.a, 0);
  const turnedB = alignSlender(s.b, 1);
  return (turnedA || turnedB) && polish(true);
}

/**
 * For GJK, cores apart: sets v, weights and lower bound to the exact answer and returns true, or changes nothing but the
 * spare vertex. `tolerance`: by how much, per unit of scale, the points
 * may fail to prove the direction where an ellipsoid is slender. It bounds the error.
 */
export function polishDistance(tolerance: f64 = 0): bool {
  const v = s.v;
  const norm = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  if (!(norm > 0)) return false;
  for (let k = 0; k < 3; k++) n[k] = -v[k] / norm;
  let found = polish(true);
  if (!found && tolerance > 0 && (isSlender(s.a) || isSlender(s.b))) {
    slack = tolerance;
    for (let k = 0; k < 3; k++) n[k] = first[k];
    found = polish(true) || polishSlender();
    slack = 0;
  }
  if (!found) return false;
  const distance = -gradient[0];
  for (let k = 0; k < 3; k++) v[k] = -distance * n[k];
  s.lowerBound = distance;
  return true;
}

/**
 * For EPA, origin inside C: from `direction` (a unit vector) and the state's simplex, writes the stationary direction to
 * `direction` and the weights to the state, and returns the width along it; -1 when there is none to be found.
 */
export function polishDepth(direction: F64): f64 {
  for (let k = 0; k < 3; k++) n[k] = direction[k];
  if (!polish(false)) return -1;
  for (let k = 0; k < 3; k++) direction[k] = n[k];
  return gradient[0];
}
