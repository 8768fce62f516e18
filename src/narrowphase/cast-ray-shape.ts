/**
 * A ray against one shape of any kind: the first crossing of its surface, or all.
 *
 * What counts: every crossing of the surface at 0 <= t <= maxT, from outside or from inside, so that a ray from within a solid hits where
 * it leaves. An origin on the surface, up to rounding, is a hit at t = 0. A half-space has its plane. The parts of an octree, a point cloud, a
 * height field or a compound count as their union as far as they are convex: no faces between touching or overlapping parts. Meshes in a
 * compound keep their own surface, each.
 * Normals are unit vectors, outward. Of a solid mesh by its winding, turned where the whole is wound inside out; of what is no solid (a
 * surface, a flat hull, a height field without floor), or not wound consistently, towards the side that the ray comes from.
 * Method: convex shapes by ray-spans.ts, meshes by bvh/cast-ray.ts, parts by their hierarchy of boxes, near first. From inside a part,
 * and for all crossings, the spans of all parts that the ray meets are sorted and joined.
 * Frames: W, S the shape's. t in units of the direction's length. Cost: 50 ns for a primitive, 0.5 to 2 microseconds for meshes and groups.
 * Checked by cast-ray-shape.test.ts.
 */
import { type CastRayOptions, collectRayHits, findFirstHit } from '../bvh/cast-ray.js';
import type { RayHit } from '../bvh/cast-ray-hit.js';
import { MAX_COORDINATE } from '../bvh/mesh-bvh.js';
import { computeMassProperties } from '../geometry/mass-properties.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { requireList, requireNumbers, throwMisuse } from '../math/arguments.js';
import { describeValue, listValues } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { createTransform, multiplyTransform, setIdentityTransform, type Transform } from '../math/transform.js';
import type { Vec3 } from '../math/vec3.js';
import { CONVEX, Collider, MESH } from './collider.js';
import { Part } from './part-group.js';
import { crossConvex, ENTER, ENTER_NORMAL, faceNormal, LEAVE, LEAVE_NORMAL, SPAN_LENGTH } from './ray-spans.js';

export interface ShapeRayHit {
  /** Origin + t direction is the hit; Infinity for a miss, and nothing below is written then. */
  t: number;
  /** In W. */
  readonly point: Vec3;
  /** Unit outward normal, in W. */
  readonly normal: Vec3;
  /** Triangle of a mesh or height field, cube of an octree, point of a cloud; of a compound in its child. -1 where there is none. */
  feature: number;
  /** Child of a compound; else -1. */
  child: number;
}

export function createShapeRayHit(): ShapeRayHit {
  return { t: Infinity, point: new Float64Array(3), normal: new Float64Array(3), feature: -1, child: -1 };
}

/** Relative rounding of a ray in a shape's frame. */
const ROUNDING = 2e-15;
/** Gaps between parts that are this small, along the normal and relative to the coordinates, are none. */
const JOIN = 1e-12;

/** A stretch of the line within a part; reused. */
class Stretch {
  readonly span = new Float64Array(SPAN_LENGTH);
  feature = -1;
  child = -1;
}

/** One group of parts on the way down, with the ray in its frame. */
class Level {
  readonly ray = new Float64Array(6);
  readonly inverse = new Float64Array(3);
  readonly part = new Part<Collider>(0);
  /** X_SP of the group. */
  readonly X = createTransform();
  readonly X_Part = createTransform();
  nodes = new Int32Array(64);
  nears = new Float64Array(64);
}

const levels: Level[] = [];

function takeLevel(depth: number): Level {
  if (depth === levels.length) levels.push(new Level());
  return levels[depth];
}

/** The best so far: its t (first the limit), then the outward normal in S. */
const best = new Float64Array(4);
let isFound = false;
let bestFeature = -1;
let bestChild = -1;
/** The origin is inside a part, whose own end may lie in another. */
let isInside = false;
/** Slack of t and of boxes, absolute. */
let slack = 0;
const span = new Float64Array(SPAN_LENGTH);
const meshT = new Float64Array(1);
const meshRay = new Float64Array(6);
const meshInverse = new Float64Array(3);
const normal = new Float64Array(3);

function slackOf(collider: Collider, ray: Float64Array): number {
  return (
    Number.MIN_VALUE + ROUNDING * (collider.extent + Math.max(Math.abs(ray[0]), Math.abs(ray[1]), Math.abs(ray[2])))
  );
}

/** 1 / u; of a ray that does not move along an axis a number so large that it is beside a box or within it for good. */
export function invertDirection(out: Float64Array, ray: Float64Array): void {
  for (let k = 0; k < 3; k++) out[k] = Math.abs(ray[3 + k]) < 1e-290 ? 1e290 : 1 / ray[3 + k];
}

/** Where a ray enters a box that is larger by `pad` > 0, 0 from inside; Infinity beyond `limit` or when it misses. */
export function enterBox(
  boxes: Float64Array,
  at: number,
  ray: Float64Array,
  inverse: Float64Array,
  pad: number,
  limit: number,
): number {
  const x = ray[0];
  const y = ray[1];
  const z = ray[2];
  const ix = inverse[0];
  const iy = inverse[1];
  const iz = inverse[2];
  const x0 = (boxes[at] - pad - x) * ix;
  const x1 = (boxes[at + 3] + pad - x) * ix;
  const y0 = (boxes[at + 1] - pad - y) * iy;
  const y1 = (boxes[at + 4] + pad - y) * iy;
  const z0 = (boxes[at + 2] - pad - z) * iz;
  const z1 = (boxes[at + 5] + pad - z) * iz;
  const near = Math.max(0, Math.min(x0, x1), Math.min(y0, y1), Math.min(z0, z1));
  const far = Math.min(limit + pad, Math.max(x0, x1), Math.max(y0, y1), Math.max(z0, z1));
  return near <= far * (1 + 1e-15) ? near : Infinity;
}

/** Takes a crossing when it is the first so far; t within the slack before the origin is at the origin. */
function offer(t: number, n: Float64Array, at: number, X: Transform | null, feature: number, child: number): void {
  const own = Math.max(t, 0);
  if (isFound ? own >= best[0] : own > best[0]) return;
  isFound = true;
  best[0] = own;
  rotateInto(best, 1, n, at, X);
  bestFeature = feature;
  bestChild = child;
}

function rotateInto(out: Float64Array, at: number, n: Float64Array, from: number, X: Transform | null): void {
  const x = n[from];
  const y = n[from + 1];
  const z = n[from + 2];
  for (let k = 0; k < 3; k++)
    out[at + k] = X === null ? (k === 0 ? x : k === 1 ? y : z) : X[3 * k] * x + X[3 * k + 1] * y + X[3 * k + 2] * z;
}

/** Turns the normals of what is no solid towards the ray's origin. */
function faceOrigin(n: Float64Array, at: number, ray: Float64Array): void {
  if (n[at] * ray[3] + n[at + 1] * ray[4] + n[at + 2] * ray[5] <= 0) return;
  for (let k = at; k < at + 3; k++) n[k] = 0 - n[k];
}

/** Convex, but without an inside: a flat hull, a triangle of a height field. */
function isFlat({ type, hull, core }: Collider): boolean {
  return type === CONVEX && (hull === null ? core.points.length === 9 : hull.dimension === 2);
}

const signs = new WeakMap<TriangleMesh, number>();

/** 1 or -1 by which the normals of the triangles are outward, 0 where they say nothing. */
function outwardSign(collider: Collider): number {
  if (!collider.isSolid || !collider.isOriented || collider.shape.type !== 'mesh') return 0;
  const { mesh } = collider.shape;
  let sign = signs.get(mesh);
  if (sign === undefined) {
    sign = computeMassProperties(collider.shape, 1).volume < 0 ? -1 : 1;
    signs.set(mesh, sign);
  }
  return sign;
}

/** Outward normal of a triangle; `isFront`: the ray came from its front, as far as the mesh says. */
function meshNormal(out: Float64Array, collider: Collider, triangle: number, ray: Float64Array): void {
  const { vertices, triangles } = collider.bvh!.mesh;
  const at = 3 * triangle;
  faceNormal(out, vertices, 3 * triangles[at], 3 * triangles[at + 1], 3 * triangles[at + 2]);
  const sign = outwardSign(collider);
  if (sign === 0) faceOrigin(out, 0, ray);
  else if (sign < 0) for (let k = 0; k < 3; k++) out[k] = -out[k];
}

/** The ray begins a slack earlier, so that an origin on the surface is one. */
function backUp(ray: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    meshRay[k] = ray[k] - slack * ray[3 + k];
    meshRay[3 + k] = ray[3 + k];
  }
}

function castMesh(collider: Collider, ray: Float64Array, X: Transform | null, child: number): void {
  invertDirection(meshInverse, ray);
  if (enterBox(collider.localBounds, 0, ray, meshInverse, slack, best[0]) === Infinity) return;
  backUp(ray);
  const triangle = findFirstHit(meshT, 0, collider.bvh!, meshRay, best[0] + 2 * slack);
  if (triangle < 0) return;
  const t = meshT[0] - slack;
  if (isFound ? Math.max(t, 0) >= best[0] : t > best[0]) return;
  meshNormal(normal, collider, triangle, ray);
  offer(t, normal, 0, X, triangle, child);
}

function castConvex(collider: Collider, ray: Float64Array, X: Transform | null, feature: number, child: number): void {
  if (!crossConvex(span, collider, ray, slack)) return;
  if (isFlat(collider)) faceOrigin(span, ENTER_NORMAL, ray);
  if (span[ENTER] >= -slack) offer(span[ENTER], span, ENTER_NORMAL, X, feature, child);
  else if (span[LEAVE] >= -slack && span[LEAVE] < Infinity) {
    isInside = true;
    offer(span[LEAVE], span, LEAVE_NORMAL, X, feature, child);
  }
}

/** The ray in the frame of a part. */
export function placeRay(out: Float64Array, ray: Float64Array, X: Transform): void {
  const x = ray[0] - X[9];
  const y = ray[1] - X[10];
  const z = ray[2] - X[11];
  const ux = ray[3];
  const uy = ray[4];
  const uz = ray[5];
  for (let k = 0; k < 3; k++) {
    out[k] = X[k] * x + X[3 + k] * y + X[6 + k] * z;
    out[3 + k] = X[k] * ux + X[3 + k] * uy + X[6 + k] * uz;
  }
}

type VisitPart = (collider: Collider, ray: Float64Array, X: Transform, feature: number, child: number) => void;

/**
 * Visits the parts whose boxes the ray meets before best[0], near ones first; parts with parts are walked in turn. `levels[depth]` holds
 * the ray and X of the group.
 */
function walkGroup(group: NonNullable<Collider['group']>, depth: number, child: number, visit: VisitPart): void {
  const level = levels[depth];
  const { hierarchy, isCompound } = group;
  const { boxes, right, items, order } = hierarchy;
  if (hierarchy.nodeCount === 0) return;
  const { ray, inverse } = level;
  invertDirection(inverse, ray);
  if (level.nodes.length < 2 * hierarchy.depth + 2) {
    level.nodes = new Int32Array(4 * hierarchy.depth);
    level.nears = new Float64Array(4 * hierarchy.depth);
  }
  const { nodes, nears } = level;
  let top = 0;
  const first = enterBox(boxes, 0, ray, inverse, slack, best[0]);
  if (first === Infinity) return;
  nodes[top] = 0;
  nears[top++] = first;
  while (top > 0) {
    top--;
    if (nears[top] > best[0] + slack) continue;
    const node = nodes[top];
    if (items[node] > 0) {
      const start = ~right[node];
      for (let i = start; i < start + items[node]; i++)
        visitPart(group, depth, order[i], isCompound && depth === 0 ? order[i] : child, visit);
      continue;
    }
    const l = node + 1;
    const r = right[node];
    const nearL = enterBox(boxes, 6 * l, ray, inverse, slack, best[0]);
    const nearR = enterBox(boxes, 6 * r, ray, inverse, slack, best[0]);
    const leftFirst = nearL <= nearR;
    if (Math.max(nearL, nearR) < Infinity) {
      nodes[top] = leftFirst ? r : l;
      nears[top++] = leftFirst ? nearR : nearL;
    }
    if (Math.min(nearL, nearR) < Infinity) {
      nodes[top] = leftFirst ? l : r;
      nears[top++] = leftFirst ? nearL : nearR;
    }
  }
}

function visitPart(
  group: NonNullable<Collider['group']>,
  depth: number,
  index: number,
  child: number,
  visit: VisitPart,
): void {
  const level = levels[depth];
  const next = takeLevel(depth + 1);
  group.load(level.part, index);
  const collider = level.part.collider!;
  placeRay(next.ray, level.ray, level.part.X);
  if (depth === 0) level.X_Part.set(level.part.X);
  else multiplyTransform(level.X_Part, level.X, level.part.X);
  if (collider.group) {
    next.X.set(level.X_Part);
    walkGroup(collider.group, depth + 1, child, visit);
  } else visit(collider, next.ray, level.X_Part, group.isCompound ? -1 : index, child);
}

const castPart: VisitPart = (collider, ray, X, feature, child) => {
  if (collider.type === MESH) castMesh(collider, ray, X, child);
  else castConvex(collider, ray, X, feature, child);
};

const pool: Stretch[] = [];
const stretches: Stretch[] = [];

function addStretch(from: Float64Array, X: Transform | null, feature: number, child: number): void {
  const used = stretches.length;
  if (used === pool.length) pool.push(new Stretch());
  const stretch = pool[used];
  stretch.span[ENTER] = from[ENTER];
  stretch.span[LEAVE] = from[LEAVE];
  rotateInto(stretch.span, ENTER_NORMAL, from, ENTER_NORMAL, X);
  rotateInto(stretch.span, LEAVE_NORMAL, from, LEAVE_NORMAL, X);
  stretch.feature = feature;
  stretch.child = child;
  stretches.push(stretch);
}

/** Crossings found one by one, of meshes; reused. */
const crossings: ShapeRayHit[] = [];
let crossingCount = 0;

function addCrossing(
  t: number,
  n: Float64Array,
  at: number,
  X: Transform | null,
  feature: number,
  child: number,
): void {
  if (crossingCount === crossings.length) crossings.push(createShapeRayHit());
  const hit = crossings[crossingCount++];
  hit.t = Math.max(t, 0);
  rotateInto(hit.normal as Float64Array, 0, n, at, X);
  hit.feature = feature;
  hit.child = child;
}

const meshHits: RayHit[] = [];
const meshLimit: CastRayOptions & { maxT: number } = { maxT: Infinity };

function collectMesh(collider: Collider, ray: Float64Array, X: Transform | null, child: number): void {
  backUp(ray);
  meshLimit.maxT = best[0] + 2 * slack;
  collectRayHits(meshHits, collider.bvh!, meshRay.subarray(0, 3), meshRay.subarray(3, 6), meshLimit);
  let last = -1;
  for (let i = 0; i < meshHits.length; i++) {
    const t = meshHits[i].t - slack;
    if (t > best[0]) continue;
    // Two triangles at their common edge are one crossing.
    if (last >= 0 && meshHits[i].t - meshHits[last].t <= slack && meshHits[i].isFront === meshHits[last].isFront)
      continue;
    last = i;
    meshNormal(normal, collider, meshHits[i].triangle, ray);
    addCrossing(t, normal, 0, X, meshHits[i].triangle, child);
  }
}

const collectPart: VisitPart = (collider, ray, X, feature, child) => {
  if (collider.type === MESH) {
    collectMesh(collider, ray, X, child);
    return;
  }
  if (!crossConvex(span, collider, ray, slack) || span[LEAVE] < -slack || span[ENTER] > best[0]) return;
  if (isFlat(collider)) {
    faceOrigin(span, ENTER_NORMAL, ray);
    faceOrigin(span, LEAVE_NORMAL, ray);
  }
  addStretch(span, X, feature, child);
};

const byEnter = (a: Stretch, b: Stretch): number => a.span[ENTER] - b.span[ENTER] || b.span[LEAVE] - a.span[LEAVE];

/** The crossings of the union of all stretches. */
function joinStretches(ray: Float64Array): void {
  stretches.sort(byEnter);
  const gap = (JOIN / ROUNDING) * slack;
  for (let i = 0; i < stretches.length; ) {
    const first = stretches[i];
    let last = first;
    for (i++; i < stretches.length; i++) {
      const { span: next } = stretches[i];
      const end = last.span;
      const slope = end[LEAVE_NORMAL] * ray[3] + end[LEAVE_NORMAL + 1] * ray[4] + end[LEAVE_NORMAL + 2] * ray[5];
      if (next[ENTER] > end[LEAVE] && (next[ENTER] - end[LEAVE]) * Math.abs(slope) > gap) break;
      if (next[LEAVE] > end[LEAVE]) last = stretches[i];
    }
    if (first.span[ENTER] >= -slack && first.span[ENTER] <= best[0])
      addCrossing(first.span[ENTER], first.span, ENTER_NORMAL, null, first.feature, first.child);
    // Crossed in one point: a triangle, two at their edge.
    const isPoint = first.span[LEAVE] === first.span[ENTER] && last.span[LEAVE] === last.span[ENTER];
    const end = last.span[LEAVE];
    if (!isPoint && end >= -slack && end <= best[0] && end < Infinity)
      addCrossing(last.span[LEAVE], last.span, LEAVE_NORMAL, null, last.feature, last.child);
  }
  stretches.length = 0;
}

/** All crossings at 0 <= t <= maxT to `crossings`, sorted; returns how many. The ray is in S, in units of its t. */
function collect(collider: Collider, ray: Float64Array, maxT: number): number {
  slack = slackOf(collider, ray);
  best[0] = maxT;
  crossingCount = 0;
  stretches.length = 0;
  if (collider.group) {
    const level = takeLevel(0);
    level.ray.set(ray);
    setIdentityTransform(level.X);
    walkGroup(collider.group, 0, -1, collectPart);
  } else collectPart(collider, ray, null as unknown as Transform, -1, -1);
  joinStretches(ray);
  // By insertion: few, and nearly in order.
  for (let i = 1; i < crossingCount; i++)
    for (let k = i; k > 0 && crossings[k - 1].t > crossings[k].t; k--) {
      const hit = crossings[k];
      crossings[k] = crossings[k - 1];
      crossings[k - 1] = hit;
    }
  return crossingCount;
}

/** What `castRayInFrame` found: t, then the outward normal in S. Lasts until the next cast. */
export const found = best;

/**
 * The first crossing of origin + t direction, 0 <= t <= maxT, with everything in S; false for a miss. `found` holds the answer, `foundFeature`
 * and `foundChild` the rest. Looks at no argument.
 */
export function castRayInFrame(collider: Collider, ray: Float64Array, maxT: number): boolean {
  slack = slackOf(collider, ray);
  best[0] = maxT;
  isFound = false;
  isInside = false;
  if (collider.group === null) {
    if (collider.type === MESH) castMesh(collider, ray, null, -1);
    else castConvex(collider, ray, null, -1, -1);
    return isFound;
  }
  const level = takeLevel(0);
  level.ray.set(ray);
  setIdentityTransform(level.X);
  walkGroup(collider.group, 0, -1, castPart);
  if (!isInside) return isFound;
  if (collect(collider, ray, maxT) === 0) return false;
  const hit = crossings[0];
  best[0] = hit.t;
  for (let k = 0; k < 3; k++) best[1 + k] = hit.normal[k];
  bestFeature = hit.feature;
  bestChild = hit.child;
  return true;
}

export function foundFeature(): number {
  return bestFeature;
}

export function foundChild(): number {
  return bestChild;
}

/** All crossings at 0 <= t <= maxT in order; t, normals in S and features are valid until the next cast. */
export function listCrossings(collider: Collider, ray: Float64Array, maxT: number): readonly ShapeRayHit[] {
  const count = collect(collider, ray, maxT);
  return crossings.slice(0, count);
}

/** Checks a ray and writes it with a direction of length 1; returns the length that it had. */
export function readRay(
  out: Float64Array,
  call: string,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
): number {
  requireNumbers(call, 'origin', origin, 3);
  requireNumbers(call, 'direction', direction, 3);
  for (let k = 0; k < 3; k++) {
    out[k] = origin[k];
    out[3 + k] = direction[k];
  }
  const speed = normalizeRay(out);
  if (!(speed > 0))
    throw new MisuseError(
      `${call}: ray, got origin ${listValues(origin)}, direction ${listValues(direction)}, expected finite numbers within +-${MAX_COORDINATE} and a direction that is not zero`,
    );
  return speed;
}

/** Makes the direction's length 1 and returns what it was; 0 for what is no ray. */
export function normalizeRay(ray: Float64Array): number {
  const size = Math.max(Math.abs(ray[3]), Math.abs(ray[4]), Math.abs(ray[5]));
  const far = Math.max(Math.abs(ray[0]), Math.abs(ray[1]), Math.abs(ray[2]));
  if (!(size > 0 && size <= MAX_COORDINATE && far <= MAX_COORDINATE)) return 0;
  const x = ray[3] / size;
  const y = ray[4] / size;
  const z = ray[5] / size;
  const length = Math.sqrt(x * x + y * y + z * z);
  ray[3] = x / length;
  ray[4] = y / length;
  ray[5] = z / length;
  return size * length;
}

export function requireMaxT(call: string, what: string, maxT: unknown): void {
  if (typeof maxT !== 'number' || !(maxT >= 0))
    throw new MisuseError(`${call}: ${what}, got ${describeValue(maxT)}, expected a number >= 0`);
}

const worldRay = new Float64Array(6);
const localRay = new Float64Array(6);

function prepare(
  call: string,
  collider: Collider,
  X_WS: Transform,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
  maxT: number,
): number {
  if (!(collider instanceof Collider)) throwMisuse(call, 'collider', collider, 'what createCollider returned');
  requireNumbers(call, 'X_WS', X_WS, 12);
  for (let k = 0; k < 12; k++)
    if (!(Math.abs(X_WS[k]) <= MAX_COORDINATE))
      throwMisuse(call, `X_WS[${k}]`, X_WS[k], `a number within +-${MAX_COORDINATE}`);
  requireMaxT(call, 'maxT', maxT);
  const speed = readRay(worldRay, call, origin, direction);
  collider.requireReady();
  placeRay(localRay, worldRay, X_WS);
  return speed;
}

/** Length along the ray to units of the direction; a limit that overflows is none. */
function writeHit(out: ShapeRayHit, t: number, n: Float64Array, at: number, X_WS: Transform, speed: number): void {
  out.t = t / speed;
  for (let k = 0; k < 3; k++) out.point[k] = worldRay[k] + t * worldRay[3 + k];
  rotateInto(out.normal as Float64Array, 0, n, at, X_WS);
}

function requireOut(call: string, out: ShapeRayHit): void {
  if (out?.point?.length !== 3 || out.normal?.length !== 3)
    throwMisuse(call, 'out', out, 'what createShapeRayHit returned');
}

/**
 * Writes the first crossing of the surface by origin + t direction, 0 <= t <= maxT, in W, and returns `out`; the direction need not be a
 * unit vector. Throws on numbers that are not finite or beyond +-1e15, and on a zero direction.
 */
export function castRayShape(
  out: ShapeRayHit,
  collider: Collider,
  X_WS: Transform,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
  maxT = Infinity,
): ShapeRayHit {
  const speed = prepare('castRayShape', collider, X_WS, origin, direction, maxT);
  requireOut('castRayShape', out);
  out.t = Infinity;
  out.feature = -1;
  out.child = -1;
  if (!castRayInFrame(collider, localRay, maxT * speed)) return out;
  writeHit(out, best[0], best, 1, X_WS, speed);
  out.feature = bestFeature;
  out.child = bestChild;
  return out;
}

/** All crossings in the order of t. Reuses the objects in `out` and sets its length. Arguments as for `castRayShape`. */
export function collectShapeRayHits(
  out: ShapeRayHit[],
  collider: Collider,
  X_WS: Transform,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
  maxT = Infinity,
): ShapeRayHit[] {
  requireList('collectShapeRayHits', 'out', out);
  for (const hit of out) requireOut('collectShapeRayHits', hit);
  const speed = prepare('collectShapeRayHits', collider, X_WS, origin, direction, maxT);
  const count = collect(collider, localRay, maxT * speed);
  while (out.length < count) out.push(createShapeRayHit());
  out.length = count;
  for (let i = 0; i < count; i++) {
    const { t, normal: n, feature, child } = crossings[i];
    writeHit(out[i], t, n as Float64Array, 0, X_WS, speed);
    out[i].feature = feature;
    out[i].child = child;
  }
  return out;
}
