/**
 * Penetration depth between segments, boxes and cylinders without a polytope: their difference C = A - B is a sum of
 * segments and at most one disc, whose outer faces can be listed.
 *
 * Method: with the centre c, segments +-l_i e_i and a disc of radius r across z, the width along n is
 * h(n) = c.n + sum l_i |n.e_i| + r |n - (n.z) z|. Its local minima on the sphere are 1. the flat faces n = e_i x e_j, 2. the
 * disc's own n = z, 3. points of the ruled faces, where an edge slides along the disc's rim: n on the circle across e_i.
 * (Where only rims or corners meet, C has a sharp edge, and a point inside is never nearest to a sharp edge.) On a circle
 * the kinks n.e_j = 0 cut arcs on which C, seen along e_i, is a corner plus an ellipse; an arc whose chord lies no
 * nearer than the best width so far is done, else it is halved where the chord is parallel to the curve, and Newton's
 * method finishes short arcs. 4. The witness: segments across n slide so that the sum passes through h n.
 * Source: separating axes, Gottschalk, Lin, Manocha 1996, section 5, doi:10.1145/237170.237244; arcs and discs are ours.
 * Frames: A's frame. Cost: 0.2-0.8 us. Returns false, for EPA to answer, when an arc or a witness stays unresolved.
 * Checked by penetration.test.ts and test/oracle/shape-pairs.test.ts.
 */
import { out } from './convex-epa';
import { CORE_BOX, CORE_CYLINDER, CORE_SEGMENT, F64, I32, s, SupportCore } from './convex-state';

const MAX_SEGMENTS = 6;
/** Squared sine below which two segments are parallel. */
const PARALLEL = 1e-20;
/** Height, per unit of scale, up to which a segment across n counts as lying in the face. */
const IN_FACE = 1e-13;
/** Witness points may miss by this part of the scale before EPA is asked instead. */
const WITNESS = 1e-12;
/** Halvings of an arc before Newton's method is tried, and before the arc is given up. */
const NEWTON_LEVEL = 2;
const MAX_LEVEL = 24;
/** Halvings in one query. A curve that is round about the origin would take millions: EPA ends on those. */
const MAX_HALVINGS = 200;
const MAX_STEPS = 20;
const STRIDE = 9;

/** Unit directions and half lengths; the first `countA` belong to A. */
const direction = changetype<F64>(memory.data(8 * (3 * MAX_SEGMENTS), 16));
const half = changetype<F64>(memory.data(8 * MAX_SEGMENTS, 16));
const slide = changetype<F64>(memory.data(8 * MAX_SEGMENTS, 16));
const inFace = changetype<I32>(memory.data(4 * MAX_SEGMENTS, 16));
const center = changetype<F64>(memory.data(24, 16));
const discAxis = changetype<F64>(memory.data(24, 16));
const best = changetype<F64>(memory.data(32, 16));
let segmentCount = 0;
let countA = 0;
/** 0: no disc, 1: A's, 2: B's. */
let discOwner = 0;
let discRadius = 0.5;
let halvings = 0;

/** Frame of the circle across a segment: two axes in A's frame; centre, disc axis and segments in it. */
const f = changetype<F64>(memory.data(24, 16));
const g = changetype<F64>(memory.data(24, 16));
const flat = changetype<F64>(memory.data(8 * (2 * MAX_SEGMENTS), 16));
const disc2 = changetype<F64>(memory.data(16, 16));
const corner2 = changetype<F64>(memory.data(16, 16));
const kink = changetype<F64>(memory.data(8 * (MAX_SEGMENTS + 1), 16));
/** Ends of the arcs in order: normal 0..1, the disc's point along it 2..3. */
const ends = changetype<F64>(memory.data(8 * (4 * (MAX_SEGMENTS + 3)), 16));
/** Arcs to be searched: normal, support point and width at both ends, level. */
const arcs = changetype<F64>(memory.data(8 * (STRIDE * (MAX_LEVEL + 8)), 16));
/** Normal 0..1, support point 2..3, width 4. */
const touch = changetype<F64>(memory.data(40, 16));

/** Whether the pair is one of segments, boxes and at most one cylinder, not two segments. */
export function isZonotopePair(a: SupportCore, b: SupportCore): bool {
  if (a.kind == CORE_CYLINDER && b.kind == CORE_CYLINDER) return false;
  if (a.kind == CORE_SEGMENT && b.kind == CORE_SEGMENT) return false;
  const known = (core: SupportCore): bool =>
    core.kind == CORE_SEGMENT || core.kind == CORE_BOX || core.kind == CORE_CYLINDER;
  return known(a) && known(b);
}

function addSegment(x: f64, y: f64, z: f64, l: f64): void {
  if (!(l > 0)) return;
  const i = segmentCount++;
  direction[3 * i] = x;
  direction[3 * i + 1] = y;
  direction[3 * i + 2] = z;
  half[i] = l;
}

function addCore(core: SupportCore, X: F64 | null): void {
  if (core.kind == CORE_BOX) {
    addSegment(X ? X[0] : 1, X ? X[3] : 0, X ? X[6] : 0, core.x);
    addSegment(X ? X[1] : 0, X ? X[4] : 1, X ? X[7] : 0, core.y);
  }
  addSegment(X ? X[2] : 0, X ? X[5] : 0, X ? X[8] : 1, core.z);
  if (core.kind != CORE_CYLINDER) return;
  discOwner = X ? 2 : 1;
  discRadius = core.x;
  discAxis[0] = X ? X[2] : 0;
  discAxis[1] = X ? X[5] : 0;
  discAxis[2] = X ? X[8] : 1;
}

/** Width along unit n, on the side where the centre does not add to it; keeps n if that is the least. */
function tryDirection(x: f64, y: f64, z: f64): void {
  const along = center[0] * x + center[1] * y + center[2] * z;
  let width = -abs<f64>(along);
  for (let i = 0; i < segmentCount; i++)
    width += half[i] * abs<f64>(x * direction[3 * i] + y * direction[3 * i + 1] + z * direction[3 * i + 2]);
  if (discOwner > 0) {
    const cx = y * discAxis[2] - z * discAxis[1];
    const cy = z * discAxis[0] - x * discAxis[2];
    const cz = x * discAxis[1] - y * discAxis[0];
    width += discRadius * sqrt(cx * cx + cy * cy + cz * cz);
  }
  if (width >= best[3]) return;
  const sign = along > 0 ? -1 : 1;
  best[0] = sign * x;
  best[1] = sign * y;
  best[2] = sign * z;
  best[3] = width;
}

function tryFaces(): void {
  for (let i = 0; i < segmentCount; i++)
    for (let j = i + 1; j < segmentCount; j++) {
      const a = 3 * i;
      const b = 3 * j;
      const x = direction[a + 1] * direction[b + 2] - direction[a + 2] * direction[b + 1];
      const y = direction[a + 2] * direction[b] - direction[a] * direction[b + 2];
      const z = direction[a] * direction[b + 1] - direction[a + 1] * direction[b];
      const squared = x * x + y * y + z * z;
      if (squared <= PARALLEL) continue;
      const inverse = 1 / sqrt(squared);
      tryDirection(x * inverse, y * inverse, z * inverse);
    }
  if (discOwner > 0) tryDirection(discAxis[0], discAxis[1], discAxis[2]);
}

/** End `i` of the arcs: unit normal (x, y) and the disc's point along it. */
function setEnd(i: i32, x: f64, y: f64): void {
  const a = x * disc2[0] + y * disc2[1];
  const s = sqrt(max<f64>(1 - a * a, 0));
  const t = s > 1e-12 ? discRadius / s : 0;
  ends[4 * i] = x;
  ends[4 * i + 1] = y;
  ends[4 * i + 2] = t * (x - a * disc2[0]);
  ends[4 * i + 3] = t * (y - a * disc2[1]);
}

/** Support of corner + ellipse along the unit normal in touch[0..1]. */
function touchAlong(): void {
  const x = touch[0];
  const y = touch[1];
  const a = x * disc2[0] + y * disc2[1];
  const s = sqrt(max<f64>(1 - a * a, 0));
  const t = s > 1e-12 ? discRadius / s : 0;
  touch[2] = corner2[0] + t * (x - a * disc2[0]);
  touch[3] = corner2[1] + t * (y - a * disc2[1]);
  touch[4] = corner2[0] * x + corner2[1] * y + discRadius * s;
}

/** Newton's method along the arc's circle from touch[0..1]; false when it leaves the arc or finds no minimum. */
function descendArc(arc: i32): bool {
  const squash = 1 - disc2[0] * disc2[0] - disc2[1] * disc2[1];
  for (let step = 0; step < MAX_STEPS; step++) {
    const x = touch[0];
    const y = touch[1];
    const a = x * disc2[0] + y * disc2[1];
    const b = x * disc2[1] - y * disc2[0];
    const s = sqrt(max<f64>(1 - a * a, 0));
    if (!(s > 1e-9)) return false;
    const slope = x * corner2[1] - y * corner2[0] - (discRadius * a * b) / s;
    const bend = (discRadius * squash) / (s * s * s) - (x * corner2[0] + y * corner2[1] + discRadius * s);
    if (!(bend > 0)) return false;
    const turn = max<f64>(-0.5, min<f64>(0.5, -slope / bend));
    const nx = x - turn * y;
    const ny = y + turn * x;
    const norm = sqrt(nx * nx + ny * ny);
    touch[0] = nx / norm;
    touch[1] = ny / norm;
    const right = arcs[arc] * touch[1] - arcs[arc + 1] * touch[0];
    const left = touch[0] * arcs[arc + 5] - touch[1] * arcs[arc + 4];
    if (!(right >= 0 && left >= 0)) return false;
    if (abs<f64>(turn) < 1e-9) return true;
  }
  return false;
}

function keepTouch(): void {
  touchAlong();
  if (touch[4] >= best[3]) return;
  const x = touch[0];
  const y = touch[1];
  for (let k = 0; k < 3; k++) best[k] = x * f[k] + y * g[k];
  best[3] = touch[4];
}

/** Least width on the arc from end i to the next, counter-clockwise, if below the best, which counts the ends already. */
function searchArc(i: i32, tolerance: f64): bool {
  for (let end = 0; end < 2; end++) {
    const from = 4 * (i + end);
    arcs[4 * end] = ends[from];
    arcs[4 * end + 1] = ends[from + 1];
    arcs[4 * end + 2] = corner2[0] + ends[from + 2];
    arcs[4 * end + 3] = corner2[1] + ends[from + 3];
  }
  arcs[8] = 0;
  let count = 1;
  while (count > 0) {
    const arc = STRIDE * --count;
    const ex = arcs[arc + 6] - arcs[arc + 2];
    const ey = arcs[arc + 7] - arcs[arc + 3];
    const length = sqrt(ex * ex + ey * ey);
    // The ends are faces, whose widths are in `best`, or turn away from the centre, where the width has a peak.
    if (length <= tolerance) continue;
    const mx = ey / length;
    const my = -ex / length;
    if (mx * arcs[arc + 2] + my * arcs[arc + 3] >= best[3] - tolerance) continue;
    touch[0] = mx;
    touch[1] = my;
    keepTouch();
    const level = arcs[arc + 8] + 1;
    if (touch[4] - (mx * arcs[arc + 2] + my * arcs[arc + 3]) <= tolerance) continue;
    if (level > MAX_LEVEL || ++halvings > MAX_HALVINGS) return false;
    const qx = touch[2];
    const qy = touch[3];
    if (level > NEWTON_LEVEL && descendArc(arc)) {
      keepTouch();
      continue;
    }
    // Left half first in place, right half on top.
    const next = arc + STRIDE;
    for (let k = 4; k < 8; k++) arcs[next + k] = arcs[arc + k];
    arcs[next] = mx;
    arcs[next + 1] = my;
    arcs[next + 2] = qx;
    arcs[next + 3] = qy;
    arcs[next + 8] = level;
    arcs[arc + 4] = mx;
    arcs[arc + 5] = my;
    arcs[arc + 6] = qx;
    arcs[arc + 7] = qy;
    arcs[arc + 8] = level;
    count += 2;
  }
  return true;
}

/** The circle across segment i, on the half where the centre does not add to the width. False: unresolved. */
function searchCircle(i: i32, tolerance: f64): bool {
  const ex = direction[3 * i];
  const ey = direction[3 * i + 1];
  const ez = direction[3 * i + 2];
  const along = center[0] * ex + center[1] * ey + center[2] * ez;
  // f against the centre, seen along e; any axis across e when the centre lies on it.
  f[0] = along * ex - center[0];
  f[1] = along * ey - center[1];
  f[2] = along * ez - center[2];
  const reach = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
  if (reach > tolerance) for (let k = 0; k < 3; k++) f[k] /= reach;
  else {
    const k = abs<f64>(ex) <= abs<f64>(ey) && abs<f64>(ex) <= abs<f64>(ez) ? 0 : abs<f64>(ey) <= abs<f64>(ez) ? 1 : 2;
    const off = direction[3 * i + k];
    for (let m = 0; m < 3; m++) f[m] = (m == k ? 1 : 0) - off * direction[3 * i + m];
    const norm = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    for (let m = 0; m < 3; m++) f[m] /= norm;
  }
  g[0] = ey * f[2] - ez * f[1];
  g[1] = ez * f[0] - ex * f[2];
  g[2] = ex * f[1] - ey * f[0];
  disc2[0] = discAxis[0] * f[0] + discAxis[1] * f[1] + discAxis[2] * f[2];
  disc2[1] = discAxis[0] * g[0] + discAxis[1] * g[1] + discAxis[2] * g[2];
  // n = f + t g, normalised: kinks by t, in order.
  let kinks = 0;
  for (let j = 0; j < segmentCount; j++) {
    if (j == i) continue;
    const a = 3 * j;
    flat[2 * j] = half[j] * (direction[a] * f[0] + direction[a + 1] * f[1] + direction[a + 2] * f[2]);
    flat[2 * j + 1] = half[j] * (direction[a] * g[0] + direction[a + 1] * g[1] + direction[a + 2] * g[2]);
    if (abs<f64>(flat[2 * j + 1]) <= 1e-12 * abs<f64>(flat[2 * j])) continue;
    const t = -flat[2 * j] / flat[2 * j + 1];
    let at = kinks++;
    for (; at > 0 && kink[at - 1] > t; at--) kink[at] = kink[at - 1];
    kink[at] = t;
  }
  // A half circle without kinks is cut in two all the same: the chord of half a turn bounds nothing.
  const isWhole = kinks == 0;
  if (isWhole) kink[kinks++] = 0;
  setEnd(0, 0, -1);
  for (let k = 0; k < kinks; k++) {
    const x = 1 / sqrt(1 + kink[k] * kink[k]);
    setEnd(k + 1, x, kink[k] * x);
  }
  setEnd(kinks + 1, 0, 1);
  for (let k = 0; k <= kinks; k++) {
    const middleX = ends[4 * k] + ends[4 * k + 4];
    const middleY = ends[4 * k + 1] + ends[4 * k + 5];
    corner2[0] = -reach;
    corner2[1] = 0;
    for (let j = 0; j < segmentCount; j++) {
      if (j == i) continue;
      const sign = middleX * flat[2 * j] + middleY * flat[2 * j + 1] < 0 ? -1 : 1;
      corner2[0] += sign * flat[2 * j];
      corner2[1] += sign * flat[2 * j + 1];
    }
    if (isWhole && k == 0) {
      touch[0] = 1;
      touch[1] = 0;
      keepTouch();
    }
    if (!searchArc(k, tolerance)) return false;
  }
  return true;
}

/** Slides of the two segments in the face that make up r, within their lengths; none when they are parallel. */
function slideTwo(rx: f64, ry: f64, rz: f64): void {
  let i = 0;
  while (!inFace[i]) i++;
  let j = i + 1;
  while (!inFace[j]) j++;
  const a = 3 * i;
  const b = 3 * j;
  const g = direction[a] * direction[b] + direction[a + 1] * direction[b + 1] + direction[a + 2] * direction[b + 2];
  const det = 1 - g * g;
  if (det < 1e-9) return;
  const p = rx * direction[a] + ry * direction[a + 1] + rz * direction[a + 2];
  const q = rx * direction[b] + ry * direction[b + 1] + rz * direction[b + 2];
  slide[i] = max<f64>(-half[i], min<f64>(half[i], (p - g * q) / det));
  slide[j] = max<f64>(-half[j], min<f64>(half[j], (q - g * p) / det));
}

/** Step 4, into out.pointA and out.pointB. False when the face does not carry the point. */
function writeWitness(scale: f64): bool {
  const nx = best[0];
  const ny = best[1];
  const nz = best[2];
  // Residual: what the sliding segments, and the disc when it lies in the face, must add to reach h n.
  let rx = best[3] * nx - center[0];
  let ry = best[3] * ny - center[1];
  let rz = best[3] * nz - center[2];
  const across = discAxis[0] * nx + discAxis[1] * ny + discAxis[2] * nz;
  let dx: f64 = 0;
  let dy: f64 = 0;
  let dz: f64 = 0;
  let discInFace = false;
  if (discOwner > 0) {
    dx = nx - across * discAxis[0];
    dy = ny - across * discAxis[1];
    dz = nz - across * discAxis[2];
    const s = sqrt(dx * dx + dy * dy + dz * dz);
    discInFace = discRadius * s <= IN_FACE * scale;
    const t = discInFace ? 0 : discRadius / s;
    dx *= t;
    dy *= t;
    dz *= t;
    rx -= dx;
    ry -= dy;
    rz -= dz;
  }
  let sliding = 0;
  for (let i = 0; i < segmentCount; i++) {
    const a = 3 * i;
    const height = nx * direction[a] + ny * direction[a + 1] + nz * direction[a + 2];
    inFace[i] = half[i] * abs<f64>(height) <= IN_FACE * scale ? 1 : 0;
    slide[i] = inFace[i] ? 0 : height < 0 ? -half[i] : half[i];
    if (inFace[i]) sliding++;
    rx -= slide[i] * direction[a];
    ry -= slide[i] * direction[a + 1];
    rz -= slide[i] * direction[a + 2];
  }
  if (sliding == 2) slideTwo(rx, ry, rz);
  for (let i = 0; i < segmentCount; i++) {
    if (sliding != 2 || !inFace[i]) continue;
    rx -= slide[i] * direction[3 * i];
    ry -= slide[i] * direction[3 * i + 1];
    rz -= slide[i] * direction[3 * i + 2];
  }
  // The limits, more segments and rounding: Gauss and Seidel.
  const rounds = sliding > 1 ? 200 : 1;
  for (let round = 0; round < rounds; round++) {
    let moved: f64 = 0;
    for (let i = 0; i < segmentCount; i++) {
      if (!inFace[i]) continue;
      const a = 3 * i;
      const along = rx * direction[a] + ry * direction[a + 1] + rz * direction[a + 2];
      const next = max<f64>(-half[i], min<f64>(half[i], slide[i] + along));
      const step = next - slide[i];
      slide[i] = next;
      rx -= step * direction[a];
      ry -= step * direction[a + 1];
      rz -= step * direction[a + 2];
      moved = max<f64>(moved, abs<f64>(step));
    }
    if (moved <= 1e-16 * scale) break;
  }
  if (discInFace) {
    const off = sqrt(rx * rx + ry * ry + rz * rz);
    const t = off > discRadius ? discRadius / off : 1;
    dx = t * rx;
    dy = t * ry;
    dz = t * rz;
    rx -= dx;
    ry -= dy;
    rz -= dz;
  }
  if (rx * rx + ry * ry + rz * rz > WITNESS * WITNESS * scale * scale) return false;
  const pointA = out.pointA;
  pointA[0] = discOwner == 1 ? dx : 0;
  pointA[1] = discOwner == 1 ? dy : 0;
  pointA[2] = discOwner == 1 ? dz : 0;
  for (let i = 0; i < countA; i++) for (let k = 0; k < 3; k++) pointA[k] += slide[i] * direction[3 * i + k];
  for (let k = 0; k < 3; k++) {
    out.normal[k] = best[k];
    out.pointB[k] = pointA[k] - best[3] * best[k];
  }
  out.depth = best[3];
  return true;
}

/** A direction that separates. */
function keepSeparation(): bool {
  for (let k = 0; k < 3; k++) out.normal[k] = best[k];
  out.depth = best[3];
  return false;
}

/**
 * Depth, direction and witness points of the state's cores; only for `isZonotopePair`. False for EPA to answer, or with a
 * depth below 0 when the cores are apart.
 */
export function findZonotopeDepth(): bool {
  const a = s.a;
  const b = s.b;
  const X = s.X;
  segmentCount = 0;
  halvings = 0;
  discOwner = 0;
  discRadius = 0;
  discAxis[0] = 0;
  discAxis[1] = 0;
  discAxis[2] = 0;
  addCore(a, null);
  countA = segmentCount;
  addCore(b, X);
  const scale = s.scale;
  for (let k = 0; k < 3; k++) center[k] = -X[9 + k];
  best[3] = f64.POSITIVE_INFINITY;
  out.depth = 0;
  tryFaces();
  if (best[3] < 0) return keepSeparation();
  if (discOwner > 0) {
    const tolerance = 1e-15 * scale;
    for (let i = 0; i < segmentCount; i++) if (!searchCircle(i, tolerance)) return false;
  }
  if (best[3] < 0) return keepSeparation();
  return best[3] < f64.POSITIVE_INFINITY && writeWitness(scale);
}
