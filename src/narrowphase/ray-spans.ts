/**
 * Where a line enters and leaves a convex shape, with the outward normals there.
 *
 * Method: closed forms. Box, half-space, hull and prism clip the line by their planes; sphere, cylinder and ellipsoid measure from the
 * foot of the centre on the line, so that no difference of squares loses digits; the cone's discriminant is a sum of minors for
 * the same reason; a capsule is the convex union of a cylinder and two balls. Any other core with a radius is met where the distance
 * of the line's point to the core, a convex function of t, is the radius: by Newton's method from outside, which never oversteps.
 * A line that starts far away starts anew near the shape.
 * Source: Ericson 2005, "Real-time collision detection", section 5.3 (clipping by planes,
 *   quadrics); Moller, Trumbore 1997, doi:10.1080/10867651.1997.10487468 (triangles).
 * Frames: the shape's. A ray is o + t u, six numbers [o u]; u has about length 1. Cost: 20 to 100 flops, a hull 10 per face.
 * Error of t: about 1e-15 (size of the shape + what is lost in o) / |cosine to the normal|. Flat hulls are crossed where their triangles
 * are; a hull that is a segment or a point never. Checked by cast-ray-shape.test.ts.
 */
import type { ConvexHull } from '../geometry/hull.js';
import { hasClosedForm, measurePointToCore } from '../geometry/point-core.js';
import { CORE_POINT, SupportCore, supportInto } from '../geometry/support.js';
import { createTransform } from '../math/transform.js';
import { BOX, CAPSULE, CONE, CONVEX, type Collider, CYLINDER, ELLIPSOID, HALFSPACE, SPHERE } from './collider.js';
import { measureCores } from './convex-pairs.js';
import { SIGNED } from './pair-result.js';
import { createDistanceResult } from './query.js';

/** Places in a span: t where the line enters and leaves (infinite for a half-space), then the outward normals there. */
export const ENTER = 0;
export const LEAVE = 1;
export const ENTER_NORMAL = 2;
export const LEAVE_NORMAL = 5;
export const SPAN_LENGTH = 8;

/** Lines from farther than this many radii start anew at the foot of the centre. */
const FAR = 4;
/** Relative slack of two crossings that meet in an edge. */
const EDGE_SLACK = 4e-15;
/** Barycentric slack, so that no line slips between two triangles. */
const TRIANGLE_SLACK = 1e-12;

const near = new Float64Array(6);

/**
 * False when the line misses. The shape is convex, or a part of a height field. `slack`: a box's face this near to the origin goes through it,
 * so that no line slips between two cubes that touch.
 */
export function crossConvex(span: Float64Array, collider: Collider, ray: Float64Array, slack: number): boolean {
  if (collider.type === HALFSPACE) return crossHalfSpace(span, collider.plane, ray);
  const { center, boundingRadius } = collider;
  const cx = center[0] - ray[0];
  const cy = center[1] - ray[1];
  const cz = center[2] - ray[2];
  let shift = 0;
  if (cx * cx + cy * cy + cz * cz > FAR * FAR * boundingRadius * boundingRadius)
    shift = (cx * ray[3] + cy * ray[4] + cz * ray[5]) / (ray[3] * ray[3] + ray[4] * ray[4] + ray[5] * ray[5]);
  for (let k = 0; k < 3; k++) {
    near[k] = ray[k] + shift * ray[3 + k];
    near[3 + k] = ray[3 + k];
  }
  if (!crossNear(span, collider, near, slack)) return false;
  span[ENTER] += shift;
  span[LEAVE] += shift;
  return true;
}

function crossNear(span: Float64Array, collider: Collider, ray: Float64Array, slack: number): boolean {
  const { core } = collider;
  switch (collider.type) {
    case SPHERE:
      return crossBall(span, ray, 0, core.radius) && setRoundNormals(span, ray, 0);
    case CAPSULE:
      return crossCapsule(span, ray, core.z, core.radius);
    case BOX:
      return crossBox(span, ray, core, slack);
    case CYLINDER:
      return crossCylinder(span, ray, core.x, core.z);
    case CONE:
      return crossCone(span, ray, core.x, core.z);
    case ELLIPSOID:
      return crossEllipsoid(span, ray, core);
    case CONVEX:
      if (collider.hull) return crossHull(span, ray, collider.hull, core);
      return core.points.length === 9
        ? crossTriangle(span, ray, core.points, 0, 3, 6)
        : crossPrism(span, ray, core.points);
    default:
      return crossByDistance(span, collider, ray);
  }
}

function setNormal(span: Float64Array, at: number, x: number, y: number, z: number): void {
  const length = Math.sqrt(x * x + y * y + z * z);
  span[at] = length > 0 ? x / length : 0;
  span[at + 1] = length > 0 ? y / length : 0;
  span[at + 2] = length > 0 ? z / length : 1;
}

/** Closes a gap that rounding made of an edge; false when the gap is more than that. */
function closeSpan(span: Float64Array): boolean {
  const gap = span[ENTER] - span[LEAVE];
  if (!(gap > 0)) return true;
  if (gap > EDGE_SLACK * (Math.abs(span[ENTER]) + Math.abs(span[LEAVE]))) return false;
  span[LEAVE] = span[ENTER];
  return true;
}

function crossHalfSpace(span: Float64Array, plane: Float64Array, ray: Float64Array): boolean {
  const slope = plane[0] * ray[3] + plane[1] * ray[4] + plane[2] * ray[5];
  const depth = plane[3] - (plane[0] * ray[0] + plane[1] * ray[1] + plane[2] * ray[2]);
  for (let k = 0; k < 3; k++) span[ENTER_NORMAL + k] = span[LEAVE_NORMAL + k] = plane[k];
  span[ENTER] = slope < 0 ? depth / slope : -Infinity;
  span[LEAVE] = slope > 0 ? depth / slope : Infinity;
  return slope !== 0 || depth >= 0;
}

/** t only; the ball of radius r about (0, 0, z). */
function crossBall(span: Float64Array, ray: Float64Array, z: number, r: number): boolean {
  const ux = ray[3];
  const uy = ray[4];
  const uz = ray[5];
  const square = ux * ux + uy * uy + uz * uz;
  const foot = -(ray[0] * ux + ray[1] * uy + (ray[2] - z) * uz) / square;
  const x = ray[0] + foot * ux;
  const y = ray[1] + foot * uy;
  const w = ray[2] - z + foot * uz;
  const d = Math.sqrt(x * x + y * y + w * w);
  if (d > r) return false;
  const half = Math.sqrt(((r - d) * (r + d)) / square);
  span[ENTER] = foot - half;
  span[LEAVE] = foot + half;
  return true;
}

/** Normals away from the nearest point of the segment from (0, 0, -h) to (0, 0, h). */
function setRoundNormals(span: Float64Array, ray: Float64Array, h: number): boolean {
  for (let k = 0; k < 2; k++) {
    const t = span[k];
    const z = ray[2] + t * ray[5];
    setNormal(span, ENTER_NORMAL + 3 * k, ray[0] + t * ray[3], ray[1] + t * ray[4], z - Math.max(-h, Math.min(h, z)));
  }
  return true;
}

/** t only; the infinite cylinder about z. */
function crossTube(span: Float64Array, ray: Float64Array, r: number): boolean {
  const ux = ray[3];
  const uy = ray[4];
  const square = ux * ux + uy * uy;
  const foot = square > 0 ? -(ray[0] * ux + ray[1] * uy) / square : 0;
  const x = ray[0] + foot * ux;
  const y = ray[1] + foot * uy;
  const d = Math.sqrt(x * x + y * y);
  if (d > r) return false;
  const half = square > 0 ? Math.sqrt(((r - d) * (r + d)) / square) : Infinity;
  span[ENTER] = foot - half;
  span[LEAVE] = foot + half;
  return true;
}

const slab = new Float64Array(2);

/** t only; -h <= z <= h. */
function crossSlab(out: Float64Array, z: number, uz: number, h: number): boolean {
  out[ENTER] = uz === 0 ? -Infinity : ((uz > 0 ? -h : h) - z) / uz;
  out[LEAVE] = uz === 0 ? Infinity : ((uz > 0 ? h : -h) - z) / uz;
  return uz !== 0 || Math.abs(z) <= h;
}

const ball = new Float64Array(SPAN_LENGTH);

function crossCapsule(span: Float64Array, ray: Float64Array, h: number, r: number): boolean {
  let enter = Infinity;
  let leave = -Infinity;
  if (crossTube(span, ray, r) && crossSlab(slab, ray[2], ray[5], h)) {
    const first = Math.max(span[ENTER], slab[ENTER]);
    const last = Math.min(span[LEAVE], slab[LEAVE]);
    if (first <= last) {
      enter = first;
      leave = last;
    }
  }
  for (let side = -1; side <= 1; side += 2) {
    if (!crossBall(ball, ray, side * h, r)) continue;
    enter = Math.min(enter, ball[ENTER]);
    leave = Math.max(leave, ball[LEAVE]);
  }
  span[ENTER] = enter;
  span[LEAVE] = leave;
  return enter <= leave && setRoundNormals(span, ray, h);
}

function crossBox(span: Float64Array, ray: Float64Array, core: SupportCore, slack: number): boolean {
  let enter = -Infinity;
  let leave = Infinity;
  let first = 0;
  let last = 0;
  for (let k = 0; k < 3; k++) {
    const half = k === 0 ? core.x : k === 1 ? core.y : core.z;
    const x = ray[k];
    const isOnFace = Math.abs(Math.abs(x) - half) <= slack;
    if (!crossSlab(slab, isOnFace ? (x < 0 ? -half : half) : x, ray[3 + k], half)) return false;
    if (slab[ENTER] > enter) {
      enter = slab[ENTER];
      first = k;
    }
    if (slab[LEAVE] < leave) {
      leave = slab[LEAVE];
      last = k;
    }
  }
  span.fill(0, ENTER_NORMAL);
  span[ENTER] = enter;
  span[LEAVE] = leave;
  span[ENTER_NORMAL + first] = ray[3 + first] > 0 ? -1 : 1;
  span[LEAVE_NORMAL + last] = ray[3 + last] > 0 ? 1 : -1;
  return closeSpan(span);
}

function crossCylinder(span: Float64Array, ray: Float64Array, r: number, h: number): boolean {
  if (!crossTube(span, ray, r) || !crossSlab(slab, ray[2], ray[5], h)) return false;
  for (let k = 0; k < 2; k++) {
    const t = span[k];
    const isCap = k === 0 ? slab[ENTER] > t : slab[LEAVE] < t;
    const at = ENTER_NORMAL + 3 * k;
    if (isCap) {
      span[k] = slab[k];
      setNormal(span, at, 0, 0, ray[5] > 0 === (k === 1) ? 1 : -1);
    } else setNormal(span, at, ray[0] + t * ray[3], ray[1] + t * ray[4], 0);
  }
  return closeSpan(span);
}

/** Base at z = -h with radius r, apex at z = h. */
function crossCone(span: Float64Array, ray: Float64Array, r: number, h: number): boolean {
  if (!crossSlab(slab, ray[2], ray[5], h)) return false;
  // x^2 + y^2 <= k^2 w^2 below the apex, w = h - z.
  const k2 = (r / (2 * h)) ** 2;
  const x = ray[0];
  const y = ray[1];
  const w = h - ray[2];
  const ux = ray[3];
  const uy = ray[4];
  const uw = -ray[5];
  const a = ux * ux + uy * uy - k2 * uw * uw;
  const b = x * ux + y * uy - k2 * w * uw;
  const c = x * x + y * y - k2 * w * w;
  const xw = x * uw - w * ux;
  const yw = y * uw - w * uy;
  const xy = x * uy - y * ux;
  const d = k2 * (xw * xw + yw * yw) - xy * xy;
  let enter = -Infinity;
  let leave = Infinity;
  if (a === 0) {
    if (b === 0 && c > 0) return false;
    if (b > 0) leave = -c / (2 * b);
    else if (b < 0) enter = -c / (2 * b);
  } else {
    if (a > 0 && d < 0) return false;
    const root = Math.sqrt(Math.max(d, 0));
    const q = b >= 0 ? -(b + root) : root - b;
    const t1 = q / a;
    const t2 = q === 0 ? t1 : c / q;
    const low = Math.min(t1, t2);
    const high = Math.max(t1, t2);
    if (a > 0) {
      enter = low;
      leave = high;
    } else if (uw > 0) enter = high;
    else leave = low;
  }
  // The plane through the apex cuts the other nappe off, and is no surface.
  const isBaseFirst = ray[5] > 0;
  span[ENTER] = Math.max(enter, slab[ENTER]);
  span[LEAVE] = Math.min(leave, slab[LEAVE]);
  for (let k = 0; k < 2; k++) {
    const isBase = isBaseFirst ? k === 0 && slab[ENTER] > enter : k === 1 && ray[5] < 0 && slab[LEAVE] < leave;
    const at = ENTER_NORMAL + 3 * k;
    if (isBase) {
      setNormal(span, at, 0, 0, -1);
      continue;
    }
    const px = x + span[k] * ux;
    const py = y + span[k] * uy;
    const rho = Math.sqrt(px * px + py * py);
    if (rho > 0) setNormal(span, at, (2 * h * px) / rho, (2 * h * py) / rho, r);
    else setNormal(span, at, 0, 0, 1);
  }
  return closeSpan(span);
}

function crossEllipsoid(span: Float64Array, ray: Float64Array, core: SupportCore): boolean {
  const { x: a, y: b, z: c } = core;
  // Units of the semi-axes, in which it is a ball of radius 1.
  const ux = ray[3] / a;
  const uy = ray[4] / b;
  const uz = ray[5] / c;
  const size = Math.max(Math.abs(ux), Math.abs(uy), Math.abs(uz));
  const vx = ux / size;
  const vy = uy / size;
  const vz = uz / size;
  const square = vx * vx + vy * vy + vz * vz;
  const x = ray[0] / a;
  const y = ray[1] / b;
  const z = ray[2] / c;
  const foot = -(x * vx + y * vy + z * vz) / square;
  const fx = x + foot * vx;
  const fy = y + foot * vy;
  const fz = z + foot * vz;
  const d = Math.sqrt(fx * fx + fy * fy + fz * fz);
  if (!(d <= 1)) return false;
  const half = Math.sqrt(((1 - d) * (1 + d)) / square);
  for (let k = 0; k < 2; k++) {
    const reach = k === 0 ? -half : half;
    span[k] = (foot + reach) / size;
    const least = Math.min(a, b, c);
    setNormal(
      span,
      ENTER_NORMAL + 3 * k,
      (fx + reach * vx) * (least / a),
      (fy + reach * vy) * (least / b),
      (fz + reach * vz) * (least / c),
    );
  }
  return true;
}

/** Clips by n . x <= n . (x y z), n of any length; `slack` is what a parallel line may lie outside. False: nothing is left. */
function clip(
  span: Float64Array,
  ray: Float64Array,
  n: Float64Array,
  at: number,
  depth: number,
  slack: number,
): boolean {
  const slope = n[at] * ray[3] + n[at + 1] * ray[4] + n[at + 2] * ray[5];
  if (slope === 0) return depth >= -slack;
  const t = depth / slope;
  if (slope < 0) {
    if (!(t > span[ENTER])) return true;
    span[ENTER] = t;
    for (let k = 0; k < 3; k++) span[ENTER_NORMAL + k] = n[at + k];
  } else {
    if (!(t < span[LEAVE])) return true;
    span[LEAVE] = t;
    for (let k = 0; k < 3; k++) span[LEAVE_NORMAL + k] = n[at + k];
  }
  return true;
}

/** Steps towards a root; a grazing line halves its distance with each. */
const MAX_STEPS = 80;
const surface = new Float64Array(6);
const onLine = new Float64Array(3);
const X_CoreLine = createTransform();
const measured = createDistanceResult();
const pointCore = new SupportCore(CORE_POINT, 0, 0, 0, 0);

/** Distance of the line's point at t to the core, its radius not taken off; the normal there to surface[3 .. 5]. */
function distanceAt(core: SupportCore, ray: Float64Array, t: number): number {
  for (let k = 0; k < 3; k++) onLine[k] = ray[k] + t * ray[3 + k];
  if (hasClosedForm(core)) return measurePointToCore(surface, core, onLine);
  for (let k = 0; k < 3; k++) X_CoreLine[9 + k] = onLine[k];
  measureCores(measured, core, pointCore, X_CoreLine, Infinity, SIGNED);
  for (let k = 0; k < 3; k++) surface[3 + k] = measured.normal[k];
  return measured.distance + core.radius;
}

/** From t, outside, on in direction `sign` to the surface; NaN when the line misses. Leaves the normal in surface[3 .. 5]. */
function approach(core: SupportCore, ray: Float64Array, from: number, sign: number, scale: number): number {
  let t = from;
  for (let step = 0; step < MAX_STEPS; step++) {
    const gap = distanceAt(core, ray, t) - core.radius;
    const slope = surface[3] * ray[3] + surface[4] * ray[4] + surface[5] * ray[5];
    if (gap <= 0) return t;
    if (!(sign * slope < 0)) return gap <= scale ? t : Number.NaN;
    const next = t - gap / slope;
    if (Math.abs(next - t) <= scale) return next;
    t = next;
  }
  return Number.NaN;
}

function crossByDistance(span: Float64Array, collider: Collider, ray: Float64Array): boolean {
  const { core, center, boundingRadius } = collider;
  const square = ray[3] * ray[3] + ray[4] * ray[4] + ray[5] * ray[5];
  const cx = center[0] - ray[0];
  const cy = center[1] - ray[1];
  const cz = center[2] - ray[2];
  const foot = (cx * ray[3] + cy * ray[4] + cz * ray[5]) / square;
  const missed = cx * cx + cy * cy + cz * cz - foot * foot * square;
  const reach = boundingRadius * (1 + 1e-9);
  if (missed > reach * reach) return false;
  const half = Math.sqrt((reach * reach - missed) / square);
  const scale = 1e-16 * boundingRadius;
  const enter = approach(core, ray, foot - half, 1, scale);
  if (!(enter <= foot + half)) return false;
  setNormal(span, ENTER_NORMAL, surface[3], surface[4], surface[5]);
  const leave = approach(core, ray, foot + half, -1, scale);
  if (Number.isNaN(leave)) return false;
  setNormal(span, LEAVE_NORMAL, surface[3], surface[4], surface[5]);
  span[ENTER] = enter;
  span[LEAVE] = Math.max(enter, leave);
  return true;
}

const hullPlanes = new WeakMap<ConvexHull, Float64Array>();
const support = new Float64Array(3);

/** Four numbers per face: the outward unit normal and the offset of the farthest vertex, so that no face cuts the hull. */
function planesOf(hull: ConvexHull, core: SupportCore): Float64Array {
  let planes = hullPlanes.get(hull);
  if (planes) return planes;
  const { vertices: v, triangles } = hull;
  const list: number[] = [];
  const normal = new Float64Array(3);
  for (let i = 0; i < triangles.length; i += 3) {
    if (!faceNormal(normal, v, 3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2])) continue;
    supportInto(support, 0, core, normal);
    list.push(...normal, normal[0] * support[0] + normal[1] * support[1] + normal[2] * support[2]);
  }
  planes = Float64Array.from(list);
  hullPlanes.set(hull, planes);
  return planes;
}

/** Unit normal of corners at a, b, c of `p`, counter-clockwise from its side; false without area. */
export function faceNormal(out: Float64Array, p: ArrayLike<number>, a: number, b: number, c: number): boolean {
  const ex = p[b] - p[a];
  const ey = p[b + 1] - p[a + 1];
  const ez = p[b + 2] - p[a + 2];
  const fx = p[c] - p[a];
  const fy = p[c + 1] - p[a + 1];
  const fz = p[c + 2] - p[a + 2];
  const x = ey * fz - ez * fy;
  const y = ez * fx - ex * fz;
  const z = ex * fy - ey * fx;
  // Products of tiny edges leave the number range.
  const size = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  if (!(size > 0)) return false;
  const length = size * Math.sqrt((x / size) ** 2 + (y / size) ** 2 + (z / size) ** 2);
  out[0] = x / length;
  out[1] = y / length;
  out[2] = z / length;
  return true;
}

function crossHull(span: Float64Array, ray: Float64Array, hull: ConvexHull, core: SupportCore): boolean {
  if (hull.dimension < 2) return false;
  if (hull.dimension === 2) {
    const { vertices, triangles } = hull;
    // Every second triangle is the back of the one before.
    for (let i = 0; i < triangles.length; i += 6)
      if (crossTriangle(span, ray, vertices, 3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2])) return true;
    return false;
  }
  const planes = planesOf(hull, core);
  span[ENTER] = -Infinity;
  span[LEAVE] = Infinity;
  for (let i = 0; i < planes.length; i += 4) {
    const inner = planes[i] * ray[0] + planes[i + 1] * ray[1] + planes[i + 2] * ray[2];
    if (!clip(span, ray, planes, i, planes[i + 3] - inner, 4e-16 * Math.abs(planes[i + 3]))) return false;
    if (span[ENTER] > span[LEAVE] && !closeSpan(span)) return false;
  }
  return span[LEAVE] < Infinity && span[ENTER] > -Infinity;
}

const normal = new Float64Array(3);

function crossTriangle(
  span: Float64Array,
  ray: Float64Array,
  p: Float64Array,
  a: number,
  b: number,
  c: number,
): boolean {
  if (!faceNormal(normal, p, a, b, c)) return false;
  const ex = p[b] - p[a];
  const ey = p[b + 1] - p[a + 1];
  const ez = p[b + 2] - p[a + 2];
  const fx = p[c] - p[a];
  const fy = p[c + 1] - p[a + 1];
  const fz = p[c + 2] - p[a + 2];
  const sx = ray[0] - p[a];
  const sy = ray[1] - p[a + 1];
  const sz = ray[2] - p[a + 2];
  const ux = ray[3];
  const uy = ray[4];
  const uz = ray[5];
  const px = uy * fz - uz * fy;
  const py = uz * fx - ux * fz;
  const pz = ux * fy - uy * fx;
  const det = ex * px + ey * py + ez * pz;
  if (det === 0) return false;
  const v = (sx * px + sy * py + sz * pz) / det;
  const qx = sy * ez - sz * ey;
  const qy = sz * ex - sx * ez;
  const qz = sx * ey - sy * ex;
  const w = (ux * qx + uy * qy + uz * qz) / det;
  if (!(v >= -TRIANGLE_SLACK && w >= -TRIANGLE_SLACK && v + w <= 1 + TRIANGLE_SLACK)) return false;
  const t = (fx * qx + fy * qy + fz * qz) / det;
  if (!Number.isFinite(t)) return false;
  span[ENTER] = span[LEAVE] = t;
  for (let k = 0; k < 3; k++) span[ENTER_NORMAL + k] = span[LEAVE_NORMAL + k] = normal[k];
  return true;
}

/** Corners 0..8 above, straight below them 9..17 on the floor. */
function crossPrism(span: Float64Array, ray: Float64Array, p: Float64Array): boolean {
  if (!faceNormal(normal, p, 0, 3, 6)) return false;
  const up = normal[2] < 0 ? -1 : 1;
  for (let k = 0; k < 3; k++) normal[k] *= up;
  const topSlope = normal[0] * ray[3] + normal[1] * ray[4] + normal[2] * ray[5];
  const topDepth = normal[0] * (p[0] - ray[0]) + normal[1] * (p[1] - ray[1]) + normal[2] * (p[2] - ray[2]);
  const scale =
    Math.max(Math.abs(ray[0]), Math.abs(ray[1])) +
    Math.max(Math.abs(p[0]), Math.abs(p[1]), Math.abs(p[3]), Math.abs(p[4]));
  span[ENTER] = -Infinity;
  span[LEAVE] = Infinity;
  for (let i = 0; i < 9; i += 3) {
    const j = (i + 3) % 9;
    const dx = p[j] - p[i];
    const dy = p[j + 1] - p[i + 1];
    const length = up * Math.sqrt(dx * dx + dy * dy);
    side[0] = dy / length;
    side[1] = -dx / length;
    // The corner is the same one from either side of the wall, so that no line slips through.
    const from = dx > 0 || (dx === 0 && dy > 0) ? i : j;
    const depth = side[0] * (p[from] - ray[0]) + side[1] * (p[from + 1] - ray[1]);
    if (!clip(span, ray, side, 0, depth, 4e-16 * scale)) return false;
  }
  if (!clip(span, ray, FLOOR, 0, ray[2] - p[11], 0)) return false;
  // The top wins where it meets a wall: the wall may be one within the field.
  if (topSlope === 0) return topDepth >= 0 && closeSpan(span);
  const t = topDepth / topSlope;
  const at = topSlope < 0 ? ENTER : LEAVE;
  const slack = EDGE_SLACK * (Math.abs(t) + Math.abs(span[at]));
  if (at === ENTER ? t >= span[at] - slack : t <= span[at] + slack || span[at] === Infinity) {
    span[at] = at === ENTER ? Math.max(t, span[at]) : Math.min(t, span[at]);
    for (let k = 0; k < 3; k++) span[(at === ENTER ? ENTER_NORMAL : LEAVE_NORMAL) + k] = normal[k];
  }
  return closeSpan(span);
}

const side = new Float64Array(3);
const FLOOR = Float64Array.of(0, 0, -1);
