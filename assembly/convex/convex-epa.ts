/**
 * Penetration depth of two overlapping convex cores: the least width of C = A - B around the origin, by expanding a
 * polytope inside C.
 *
 * Method: 1. a first tetrahedron from GJK's last simplex, grown by support points where it is flat; 2. the face whose
 * plane is nearest the origin gives a lower bound, the support point along its normal an upper bound; 3. stop when they
 * meet; 4. otherwise add the point: remove the faces it sees, close the rim with new ones. The best upper bound is kept
 * throughout: for every unit n, h(n) = max over C of n.x separates the pair, so any end gives a usable answer.
 * A flat C (two segments, coplanar polygons) has depth 0 along its plane's normal.
 * Source: van den Bergen 2001, "Proximity queries and penetration depth computation on 3D game objects", section 4.
 * Frames: A's frame. Cost: about 10 rounds on boxes, tens on curved cores, at most MAX_VERTICES.
 * Fails never: noise or the vertex limit end it early with the best bound and `false`. Checked by penetration.test.ts.
 */
import { polishDepth } from './convex-polish';
import { combineWitness, findShortCorner } from './convex-simplex';
import { F64, I32, s, supportDifference } from './convex-state';

const MAX_VERTICES = 256;
const MAX_FACES = 2 * MAX_VERTICES + 64;
/** Parts of the scale of C: below FLAT the difference has no volume; VISIBLE is the noise of a plane test. */
const FLAT = 1e-13;
const VISIBLE = 1e-15;
/** Bounds this close, as a part of the scale, make an early end exact. */
const CERTAIN = 1e-13;
/** A face this close to the surface of a curved C, as a part of the width, is left to Newton's method. */
const POLISH_PART = 0.005;
/** Cosine to the face's normal below which the direction found belongs elsewhere, and the face stays open. */
const SETTLED_TURN = 0.9;
/** sin^2 below which a face is a line. */
const FLAT_FACE = 1e-24;
/** sin^2 at any corner below which it matters which two edges the normal comes from. */
const SLIVER = 1e-3;
const HALF_ROOT = 0.7071067811865476;

/** The answer of a penetration query. */
export namespace out {
  /** Best direction found, from A to B, and C's width along it. */
  export const normal = changetype<F64>(memory.data(24, 16));
  export let depth: f64 = 0;
  /** Certified lower bound of the depth. */
  export let lowerBound: f64 = 0;
  /** The origin's projection lies in the last face, so the witness points are exact and not merely near. */
  export let hasWitness: bool = false;
  /** The direction is stationary to rounding: nothing is left to refine. */
  export let isStationary: bool = false;
  export const pointA = changetype<F64>(memory.data(24, 16));
  export const pointB = changetype<F64>(memory.data(24, 16));
  /** C is flat: depth 0 along its plane's normal. */
  export let isFlat: bool = false;
  /** Scratch: a direction on trial. */
  export const trial = changetype<F64>(memory.data(24, 16));
}

const vertexW = changetype<F64>(memory.data(8 * (3 * MAX_VERTICES), 16));
const vertexA = changetype<F64>(memory.data(8 * (3 * MAX_VERTICES), 16));
const vertexB = changetype<F64>(memory.data(8 * (3 * MAX_VERTICES), 16));
/**
 * Half-edges: edge e of face f is 4 f + e, from corner e of the face to the next, outward faces counter-clockwise. `corner`
 * has where it starts, `twin` the same edge seen from the face beyond. The fourth entry of `corner` is 1 while the new vertex
 * is known to see the face. New faces take the place of those they replace.
 */
const corner = changetype<I32>(memory.data(4 * (4 * MAX_FACES), 16));
const twin = changetype<I32>(memory.data(4 * (4 * MAX_FACES), 16));
/** Outward unit normal and signed distance of the face's plane from the origin; 0 and Infinity for a face without area. */
const plane = changetype<F64>(memory.data(8 * (4 * MAX_FACES), 16));
/** The distance again, but Infinity once the part of C beyond the face has been searched by Newton's method. */
const openDistance = changetype<F64>(memory.data(8 * MAX_FACES, 16));
const freeFaces = changetype<I32>(memory.data(4 * MAX_FACES, 16));
/** Faces that the new vertex sees. */
const visibleFaces = changetype<I32>(memory.data(4 * MAX_FACES, 16));
/** Half-edges around the visible faces, on the faces beyond, counter-clockwise as seen from the new vertex. */
const rim = changetype<I32>(memory.data(4 * MAX_FACES, 16));
/** The new vertex while the visible faces are looked for: position and noise of a plane test. */
const eye = changetype<F64>(memory.data(32, 16));
/** Vertices of the face with the least width. */
const bestCorner = changetype<I32>(memory.data(12, 16));
let vertexCount = 0;
let faceCount = 0;
let freeCount = 0;
let visibleCount = 0;
let rimCount = 0;

function storeVertex(slot: i32): i32 {
  const i = vertexCount++;
  for (let k = 0; k < 3; k++) {
    vertexW[3 * i + k] = s.w[3 * slot + k];
    vertexA[3 * i + k] = s.pointsA[3 * slot + k];
    vertexB[3 * i + k] = s.pointsB[3 * slot + k];
  }
  return i;
}

/** Adds the support point along d as a polytope vertex. */
function probe(x: f64, y: f64, z: f64): i32 {
  s.d[0] = x;
  s.d[1] = y;
  s.d[2] = z;
  supportDifference(3);
  return storeVertex(3);
}

/** Makes face f that of (p, q, r), wound outward; on slivers its normal comes from the two shorter edges, which keeps them accurate. */
function setFace(f: i32, p: i32, q: i32, r: i32): void {
  setCorners(f, p, q, r);
  if (setFacePlane(f, p, q, r, SLIVER)) return;
  const first = findShortCorner(vertexW, p, q, r);
  if (first == 0) setFacePlane(f, p, q, r, FLAT_FACE);
  else if (first == 1) setFacePlane(f, q, r, p, FLAT_FACE);
  else setFacePlane(f, r, p, q, FLAT_FACE);
}

@inline
function setCorners(f: i32, p: i32, q: i32, r: i32): void {
  const at = 4 * f;
  corner[at] = p;
  corner[at + 1] = q;
  corner[at + 2] = r;
  corner[at + 3] = 0;
}

/** Plane through the face's vertex i, from its edges to j and k; none, and false, when their sin^2 is not above `least`. */
function setFacePlane(f: i32, i: i32, j: i32, k: i32, least: f64): bool {
  const ax = vertexW[3 * i];
  const ay = vertexW[3 * i + 1];
  const az = vertexW[3 * i + 2];
  const ux = vertexW[3 * j] - ax;
  const uy = vertexW[3 * j + 1] - ay;
  const uz = vertexW[3 * j + 2] - az;
  const vx = vertexW[3 * k] - ax;
  const vy = vertexW[3 * k + 1] - ay;
  const vz = vertexW[3 * k + 2] - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const squared = nx * nx + ny * ny + nz * nz;
  if (!(squared > least * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz))) {
    setPlane(f, 0, 0, 0, f64.POSITIVE_INFINITY);
    return false;
  }
  const inverse = 1 / sqrt(squared);
  setPlane(f, nx * inverse, ny * inverse, nz * inverse, (nx * ax + ny * ay + nz * az) * inverse);
  return true;
}

@inline
function setPlane(f: i32, x: f64, y: f64, z: f64, distance: f64): void {
  const at = 4 * f;
  plane[at] = x;
  plane[at + 1] = y;
  plane[at + 2] = z;
  plane[at + 3] = distance;
  openDistance[f] = distance;
}

function distanceToVertex(i: i32, j: i32): f64 {
  const x = vertexW[3 * j] - vertexW[3 * i];
  const y = vertexW[3 * j + 1] - vertexW[3 * i + 1];
  const z = vertexW[3 * j + 2] - vertexW[3 * i + 2];
  return sqrt(x * x + y * y + z * z);
}

const axis = changetype<F64>(memory.data(24, 16));
const second = changetype<F64>(memory.data(24, 16));

/** Any unit vector perpendicular to axis, into `second`. */
function setPerpendicular(): void {
  const k =
    abs<f64>(axis[0]) <= abs<f64>(axis[1]) && abs<f64>(axis[0]) <= abs<f64>(axis[2])
      ? 0
      : abs<f64>(axis[1]) <= abs<f64>(axis[2])
        ? 1
        : 2;
  const x = k == 0 ? 1 : 0;
  const y = k == 1 ? 1 : 0;
  const z = k == 2 ? 1 : 0;
  const along = axis[k];
  second[0] = x - along * axis[0];
  second[1] = y - along * axis[1];
  second[2] = z - along * axis[2];
  const norm = sqrt(second[0] * second[0] + second[1] * second[1] + second[2] * second[2]);
  for (let i = 0; i < 3; i++) second[i] /= norm;
}

/** Unit vector from vertex i to vertex j, into `axis`. */
function setAxis(i: i32, j: i32): void {
  const d = distanceToVertex(i, j);
  for (let k = 0; k < 3; k++) axis[k] = (vertexW[3 * j + k] - vertexW[3 * i + k]) / d;
}

/** Distance of vertex k from the line through vertex i along axis. */
function distanceToLine(i: i32, k: i32): f64 {
  const x = vertexW[3 * k] - vertexW[3 * i];
  const y = vertexW[3 * k + 1] - vertexW[3 * i + 1];
  const z = vertexW[3 * k + 2] - vertexW[3 * i + 2];
  const u = axis[1] * z - axis[2] * y;
  const v = axis[2] * x - axis[0] * z;
  const w = axis[0] * y - axis[1] * x;
  return sqrt(u * u + v * v + w * w);
}

/** Keeps vertices [0, count) and moves vertex `from` behind them. */
function keepVertex(count: i32, from: i32): void {
  if (from != count)
    for (let k = 0; k < 3; k++) {
      vertexW[3 * count + k] = vertexW[3 * from + k];
      vertexA[3 * count + k] = vertexA[3 * from + k];
      vertexB[3 * count + k] = vertexB[3 * from + k];
    }
  vertexCount = count + 1;
}

/** Second vertex: the stored or probed point farthest from vertex 0. False when C is a point. */
function spanLine(flat: f64): bool {
  for (let i = 0; i < 6; i++) {
    const sign = i < 3 ? 1 : -1;
    if (vertexCount > 1 && i == 0 && distanceToVertex(0, 1) > flat) return true;
    probe(i % 3 == 0 ? sign : 0, i % 3 == 1 ? sign : 0, i % 3 == 2 ? sign : 0);
  }
  let far = 1;
  for (let i = 2; i < vertexCount; i++) if (distanceToVertex(0, i) > distanceToVertex(0, far)) far = i;
  keepVertex(1, far);
  return distanceToVertex(0, 1) > flat;
}

/** Third vertex: the point farthest from the line 0-1. False when C is a segment; `second` is then perpendicular. */
function spanPlane(flat: f64): bool {
  setAxis(0, 1);
  if (vertexCount > 2 && distanceToLine(0, 2) > flat) return true;
  setPerpendicular();
  const tx = axis[1] * second[2] - axis[2] * second[1];
  const ty = axis[2] * second[0] - axis[0] * second[2];
  const tz = axis[0] * second[1] - axis[1] * second[0];
  // Eight directions around the line, an eighth of a turn apart.
  let c: f64 = 1;
  let t: f64 = 0;
  for (let i = 0; i < 8; i++) {
    probe(c * second[0] + t * tx, c * second[1] + t * ty, c * second[2] + t * tz);
    const turned = (c - t) * HALF_ROOT;
    t = (c + t) * HALF_ROOT;
    c = turned;
  }
  let far = 2;
  for (let i = 3; i < vertexCount; i++) if (distanceToLine(0, i) > distanceToLine(0, far)) far = i;
  keepVertex(2, far);
  return distanceToLine(0, 2) > flat;
}

/** Height of a vertex over face 0, whose normal is `axis`. */
function heightOf(i: i32): f64 {
  return abs<f64>(axis[0] * vertexW[3 * i] + axis[1] * vertexW[3 * i + 1] + axis[2] * vertexW[3 * i + 2] - plane[3]);
}

/** Fourth vertex: the farther support point off the plane 0-1-2, whose unit normal goes to `axis`. False when C is flat. */
function spanSolid(flat: f64): bool {
  setFace(0, 0, 1, 2);
  if (plane[3] == f64.POSITIVE_INFINITY) return false;
  for (let k = 0; k < 3; k++) axis[k] = plane[k];
  if (vertexCount > 3 && heightOf(3) > flat) return true;
  vertexCount = 3;
  probe(axis[0], axis[1], axis[2]);
  probe(-axis[0], -axis[1], -axis[2]);
  keepVertex(3, heightOf(3) >= heightOf(4) ? 3 : 4);
  return heightOf(3) > flat;
}

function linkEdges(i: i32, j: i32): void {
  twin[i] = j;
  twin[j] = i;
}

function startPolytope(): void {
  const side =
    (vertexW[9] - vertexW[0]) * axis[0] + (vertexW[10] - vertexW[1]) * axis[1] + (vertexW[11] - vertexW[2]) * axis[2];
  const i = side < 0 ? 1 : 2;
  const j = 3 - i;
  faceCount = 4;
  freeCount = 0;
  setFace(0, 0, i, j);
  setFace(1, i, 0, 3);
  setFace(2, j, i, 3);
  setFace(3, 0, j, 3);
  linkEdges(0, 4);
  linkEdges(1, 8);
  linkEdges(2, 12);
  linkEdges(5, 14);
  linkEdges(9, 6);
  linkEdges(13, 10);
}

function nextEdge(edge: i32): i32 {
  return (edge & 3) == 2 ? edge - 2 : edge + 1;
}

/** Looks at the face beyond an edge of a visible face, from which `edge` is seen: it is visible too, or on the rim. */
@inline
function lookAcross(edge: i32): void {
  const g = edge & ~3;
  if (corner[g + 3] == 1) return;
  if (plane[g] * eye[0] + plane[g + 1] * eye[1] + plane[g + 2] * eye[2] <= plane[g + 3] + eye[3]) {
    rim[rimCount++] = edge;
    return;
  }
  corner[g + 3] = 1;
  visibleFaces[visibleCount++] = g >> 2;
  floodFrom(edge);
}

/** Floods on from a visible face that was entered by `edge`. */
function floodFrom(edge: i32): void {
  const next = nextEdge(edge);
  lookAcross(twin[next]);
  lookAcross(twin[nextEdge(next)]);
}

/** Replaces the faces that vertex `v` sees, starting at `seed`. False when noise broke the rim: stop there. */
function expandPolytope(seed: i32, v: i32, noise: f64): bool {
  eye[0] = vertexW[3 * v];
  eye[1] = vertexW[3 * v + 1];
  eye[2] = vertexW[3 * v + 2];
  eye[3] = noise;
  visibleCount = 1;
  rimCount = 0;
  visibleFaces[0] = seed;
  corner[4 * seed + 3] = 1;
  lookAcross(twin[4 * seed]);
  floodFrom(4 * seed);
  // The rim must be one loop: each edge starts where the one before ends.
  if (rimCount < 3 || faceCount + rimCount >= MAX_FACES) return false;
  let end = corner[rim[rimCount - 1]];
  for (let i = 0; i < rimCount; i++) {
    const edge = rim[i];
    if (corner[nextEdge(edge)] != end) return false;
    end = corner[edge];
  }
  // A vertex inside the rim goes, and some faces with it.
  for (; visibleCount > rimCount; freeCount++) {
    const f = visibleFaces[--visibleCount];
    openDistance[f] = f64.POSITIVE_INFINITY;
    freeFaces[freeCount] = f;
  }
  while (visibleCount < rimCount) visibleFaces[visibleCount++] = freeCount > 0 ? freeFaces[--freeCount] : faceCount++;
  // Faces in a row share the edge from the new vertex to the rim's vertex between them.
  let p = end;
  let ux = vertexW[3 * p] - eye[0];
  let uy = vertexW[3 * p + 1] - eye[1];
  let uz = vertexW[3 * p + 2] - eye[2];
  let uu = ux * ux + uy * uy + uz * uz;
  let last = 4 * visibleFaces[rimCount - 1];
  for (let i = 0; i < rimCount; i++) {
    const edge = rim[i];
    const f = visibleFaces[i];
    const q = corner[edge];
    const vx = vertexW[3 * q] - eye[0];
    const vy = vertexW[3 * q + 1] - eye[1];
    const vz = vertexW[3 * q + 2] - eye[2];
    const vv = vx * vx + vy * vy + vz * vz;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const squared = nx * nx + ny * ny + nz * nz;
    if (squared > SLIVER * uu * vv) {
      const inverse = 1 / sqrt(squared);
      setPlane(f, nx * inverse, ny * inverse, nz * inverse, (nx * eye[0] + ny * eye[1] + nz * eye[2]) * inverse);
      setCorners(f, p, q, v);
    } else setFace(f, p, q, v);
    linkEdges(4 * f, edge);
    linkEdges(4 * f + 2, last + 1);
    last = 4 * f;
    p = q;
    ux = vx;
    uy = vy;
    uz = vz;
    uu = vv;
  }
  return true;
}

/** The face nearest the origin that is not settled, or -1. */
function findNearestFace(): i32 {
  // Two lanes of distances and their face numbers; the lane beyond the last face must lose.
  openDistance[faceCount] = f64.POSITIVE_INFINITY;
  let least = f64x2.splat(f64.POSITIVE_INFINITY);
  let best = i64x2.splat(-1);
  let number = i64x2(0, 1);
  const two = i64x2.splat(2);
  const end = changetype<usize>(openDistance) + ((<usize>faceCount) << 3);
  for (let at = changetype<usize>(openDistance); at < end; at += 16) {
    const distance = v128.load(at);
    const nearer = f64x2.lt(distance, least);
    least = v128.bitselect(distance, least, nearer);
    best = v128.bitselect(number, best, nearer);
    number = i64x2.add(number, two);
  }
  const first = f64x2.extract_lane(least, 0) <= f64x2.extract_lane(least, 1);
  return <i32>(first ? i64x2.extract_lane(best, 0) : i64x2.extract_lane(best, 1));
}

/** Six times the volume of vertices p, q and the direction n: a barycentric weight of the origin's projection. */
function weigh(n: F64, p: i32, q: i32): f64 {
  return (
    n[0] * (vertexW[p + 1] * vertexW[q + 2] - vertexW[p + 2] * vertexW[q + 1]) +
    n[1] * (vertexW[p + 2] * vertexW[q] - vertexW[p] * vertexW[q + 2]) +
    n[2] * (vertexW[p] * vertexW[q + 1] - vertexW[p + 1] * vertexW[q])
  );
}

/** Witness points on the best face: the origin's projection, in barycentric weights clamped to the face. */
function writeWitness(): void {
  const i = 3 * bestCorner[0];
  const j = 3 * bestCorner[1];
  const k = 3 * bestCorner[2];
  const normal = out.normal;
  let a = weigh(normal, j, k);
  let b = weigh(normal, k, i);
  let c = weigh(normal, i, j);
  out.hasWitness = out.hasWitness && a >= 0 && b >= 0 && c >= 0;
  a = max<f64>(a, 0);
  b = max<f64>(b, 0);
  c = max<f64>(c, 0);
  const sum = a + b + c;
  if (sum > 0) {
    a /= sum;
    b /= sum;
    c /= sum;
  } else {
    a = 1;
    b = 0;
    c = 0;
  }
  for (let m = 0; m < 3; m++) {
    out.pointA[m] = a * vertexA[i + m] + b * vertexA[j + m] + c * vertexA[k + m];
    out.pointB[m] = a * vertexB[i + m] + b * vertexB[j + m] + c * vertexB[k + m];
  }
}

/** Depth 0 along `direction`; the witness is where GJK's simplex holds the origin. */
function writeFlat(direction: F64, simplexSize: i32): void {
  for (let k = 0; k < 3; k++) {
    out.normal[k] = direction[k];
    let a: f64 = 0;
    for (let i = 0; i < simplexSize; i++) a += s.weight[i] * s.pointsA[3 * i + k];
    out.pointA[k] = a;
    out.pointB[k] = a;
  }
  out.depth = 0;
  out.lowerBound = 0;
  out.hasWitness = true;
  out.isFlat = true;
}

/** Newton's method from the face; keeps the width it finds if that is the least. False when that leaves the face open. */
function polishFace(face: i32): bool {
  for (let i = 0; i < 3; i++) {
    const v = 3 * corner[4 * face + i];
    for (let k = 0; k < 3; k++) {
      s.w[3 * i + k] = vertexW[v + k];
      s.pointsA[3 * i + k] = vertexA[v + k];
      s.pointsB[3 * i + k] = vertexB[v + k];
    }
  }
  s.count = 3;
  for (let k = 0; k < 3; k++) out.trial[k] = plane[4 * face + k];
  const width = polishDepth(out.trial);
  if (!(width >= 0)) return false;
  if (width < out.depth || (!out.isStationary && width <= out.depth + VISIBLE * s.scale)) {
    out.depth = width;
    for (let k = 0; k < 3; k++) {
      out.normal[k] = out.trial[k];
      s.v[k] = width * out.trial[k];
    }
    combineWitness(out.pointA, out.pointB);
    out.hasWitness = true;
    out.isStationary = true;
  }
  const turn = plane[4 * face] * out.trial[0] + plane[4 * face + 1] * out.trial[1] + plane[4 * face + 2] * out.trial[2];
  return turn >= SETTLED_TURN;
}

/**
 * Expands from the state's simplex until lower and upper bound are within `tolerance`, or within `part` of the
 * depth if that is less and not 0. `curved`: faces close to C's surface are searched by Newton's method instead of being
 * refined. Returns false when noise or the vertex limit ended it first.
 */
export function runEpa(tolerance: f64, part: f64): bool {
  out.isStationary = false;
  out.isFlat = false;
  const exact = expand(tolerance, part);
  if (!out.isStationary && !out.isFlat) writeWitness();
  return exact;
}

function expand(tolerance: f64, part: f64): bool {
  const simplexSize = s.count;
  const flat = FLAT * s.scale;
  const curved = part > 0;
  vertexCount = 0;
  for (let i = 0; i < simplexSize; i++) storeVertex(i);
  if (!spanLine(flat)) {
    axis[0] = 0;
    axis[1] = 0;
    axis[2] = 1;
    writeFlat(axis, min<i32>(simplexSize, 3));
    return true;
  }
  if (!spanPlane(flat)) {
    writeFlat(second, min<i32>(simplexSize, 3));
    return true;
  }
  if (!spanSolid(flat)) {
    writeFlat(axis, min<i32>(simplexSize, 3));
    return true;
  }
  startPolytope();
  out.depth = f64.POSITIVE_INFINITY;
  out.lowerBound = 0;
  const noise = VISIBLE * s.scale;
  let lower: f64 = 0;
  for (;;) {
    s.rounds++;
    const face = findNearestFace();
    if (face < 0) {
      lower = out.depth;
      break;
    }
    const x = plane[4 * face];
    const y = plane[4 * face + 1];
    const z = plane[4 * face + 2];
    lower = plane[4 * face + 3];
    // Every other face is farther than what has been found.
    if (lower >= out.depth) return true;
    s.d[0] = x;
    s.d[1] = y;
    s.d[2] = z;
    supportDifference(3);
    const width = x * s.w[9] + y * s.w[10] + z * s.w[11];
    const enough = part > 0 ? max<f64>(min<f64>(tolerance, part * width), noise) : max<f64>(tolerance, noise);
    const closed = width - lower <= enough;
    if (vertexCount >= MAX_VERTICES) break;
    const added = storeVertex(3);
    if (curved && lower > 0 && width - lower <= POLISH_PART * width && polishFace(face)) {
      vertexCount--;
      openDistance[face] = f64.POSITIVE_INFINITY;
      continue;
    }
    if (width < out.depth || (closed && !out.isStationary && width <= out.depth + noise)) {
      out.depth = width;
      out.normal[0] = x;
      out.normal[1] = y;
      out.normal[2] = z;
      for (let i = 0; i < 3; i++) bestCorner[i] = corner[4 * face + i];
      out.isStationary = false;
      // A face that still has points of C beyond it does not carry the witness yet.
      out.hasWitness = closed;
    }
    if (lower > out.lowerBound) out.lowerBound = lower;
    // The origin is in C, so no width is truly below 0: a width of nothing is the least.
    if (out.depth - max<f64>(lower, 0) <= enough || closed) return true;
    if (!expandPolytope(face, added, noise)) break;
  }
  return out.depth - max<f64>(lower, 0) <= CERTAIN * s.scale;
}
