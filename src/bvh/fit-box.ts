/**
 * Fits a box to a range of triangles.
 *
 * Method:
 *   1. OBB: the axes are those of the tree's fitter; AABB: fixed;
 *   2. the corners projected on the axes give centre and half extents;
 *   3. both go to f32: centre and axes to nearest, the extents increased by what that rounding can cost and rounded up.
 * A single triangle gets its plane's normal and its longest edge as axes, which is as tight as a box can be.
 *
 * Source: Gottschalk, Lin, Manocha 1996, "OBBTree: a hierarchical structure for rapid interference detection",
 *   section 4, doi:10.1145/237170.237244. Axes: fitters.ts.
 * Cost: linear in the triangles of the range. Tests: mesh-bvh.test.ts, validate-bvh.ts.
 */
import { KIND_OBB } from '../kernel/layout.js';
import { createAxisFit, fitAxes } from './fitters.js';

/** Box in f64, in the tree's frame: axes are the columns of `rotation` (row-major). */
export interface FittedBox {
  readonly rotation: Float64Array;
  readonly centre: Float64Array;
  readonly half: Float64Array;
  /** OBB of several triangles: where its fitter splits. Otherwise not written. */
  readonly position: Float64Array;
}

/** How the boxes of a tree are fitted. */
export interface FitRule {
  /** KIND_OBB or KIND_AABB. */
  readonly kind: number;
  /** Code of the fitter, see fitters.ts. */
  readonly fitter: number;
}

/** Triangles as fits and splits see them. */
export interface TriangleSet {
  /** 9 numbers per triangle. */
  readonly corners: Float64Array;
  /** Triangles in leaf order. */
  readonly order: Uint32Array;
  /**
   * 6 numbers per triangle: its bounds, minima first, along the axes of the oriented box fitted last (in the order they
   * had before they were sorted), or along the coordinate axes. Empty where nobody reads them.
   */
  readonly bounds: Float64Array;
}

/** Bounds are kept for axis-aligned boxes, whose fits read them, and on request. */
export function createTriangleSet(
  corners: Float64Array,
  order: Uint32Array,
  kind: number,
  keepsBounds: boolean,
): TriangleSet {
  const isAligned = kind !== KIND_OBB;
  const bounds = new Float64Array(isAligned || keepsBounds ? 6 * order.length : 0);
  if (isAligned) {
    const rotation = new Float64Array(9);
    setIdentity(rotation);
    projectTriangles(bounds, rotation, corners, order, 0, order.length);
  }
  return { corners, order, bounds };
}

export function createFittedBox(): FittedBox {
  return {
    rotation: new Float64Array(9),
    centre: new Float64Array(3),
    half: new Float64Array(3),
    position: new Float64Array(3),
  };
}

export function copyBox(out: FittedBox, box: FittedBox): void {
  out.rotation.set(box.rotation);
  out.centre.set(box.centre);
  out.half.set(box.half);
  out.position.set(box.position);
}

const axisFit = createAxisFit();
const extent = new Float64Array(6);

/** Fits `out` to triangles order[start .. start + count); oriented boxes write the triangles' bounds along their axes. */
export function fitBox(
  out: FittedBox,
  { kind, fitter }: FitRule,
  set: TriangleSet,
  start: number,
  count: number,
): FittedBox {
  const { rotation, position } = out;
  if (kind !== KIND_OBB) {
    setIdentity(rotation);
    uniteBounds(extent, set.order, set.bounds, start, count);
    for (let k = 0; k < 3; k++) {
      out.centre[k] = (extent[k] + extent[k + 3]) / 2;
      out.half[k] = (extent[k + 3] - extent[k]) / 2;
    }
    return out;
  }
  if (count === 1) setTriangleAxes(rotation, set.corners, set.order[start] * 9);
  else {
    fitAxes(axisFit, fitter, set.corners, set.order, start, count);
    rotation.set(axisFit.axes);
    position.set(axisFit.position);
  }
  measureBox(out, set, start, count);
  sortAxes(out);
  return out;
}

/** Bounds of the bounds of triangles. */
function uniteBounds(out: Float64Array, order: Uint32Array, bounds: Float64Array, start: number, count: number): void {
  let x0 = Infinity;
  let y0 = Infinity;
  let z0 = Infinity;
  let x1 = -Infinity;
  let y1 = -Infinity;
  let z1 = -Infinity;
  for (let i = start; i < start + count; i++) {
    const at = order[i] * 6;
    if (bounds[at] < x0) x0 = bounds[at];
    if (bounds[at + 1] < y0) y0 = bounds[at + 1];
    if (bounds[at + 2] < z0) z0 = bounds[at + 2];
    if (bounds[at + 3] > x1) x1 = bounds[at + 3];
    if (bounds[at + 4] > y1) y1 = bounds[at + 4];
    if (bounds[at + 5] > z1) z1 = bounds[at + 5];
  }
  out[0] = x0;
  out[1] = y0;
  out[2] = z0;
  out[3] = x1;
  out[4] = y1;
  out[5] = z1;
}

/** Longest axis first: the traversal reads the first extent as the box's size. */
function sortAxes(box: FittedBox): void {
  const { half } = box;
  if (half[0] < half[1]) exchangeAxes(box, 0, 1);
  if (half[1] < half[2]) exchangeAxes(box, 1, 2);
  if (half[0] < half[1]) exchangeAxes(box, 0, 1);
}

function exchangeAxes({ rotation, half }: FittedBox, i: number, j: number): void {
  const h = half[i];
  half[i] = half[j];
  half[j] = h;
  for (let row = 0; row < 9; row += 3) {
    const r = rotation[row + i];
    rotation[row + i] = rotation[row + j];
    rotation[row + j] = r;
  }
}

function setIdentity(m: Float64Array): void {
  m.fill(0);
  m[0] = 1;
  m[4] = 1;
  m[8] = 1;
}

/** Centre and half extents along the axes already in `out.rotation`; writes the bounds of the triangles if they are kept. */
function measureBox(out: FittedBox, { corners, order, bounds }: TriangleSet, start: number, count: number): void {
  const r = out.rotation;
  if (bounds.length > 0) {
    projectTriangles(bounds, r, corners, order, start, count);
    uniteBounds(extent, order, bounds, start, count);
  } else {
    projectCorners(extent, r, corners, order, start, count);
  }
  const a = (extent[0] + extent[3]) / 2;
  const b = (extent[1] + extent[4]) / 2;
  const c = (extent[2] + extent[5]) / 2;
  for (let k = 0; k < 3; k++) {
    out.centre[k] = r[3 * k] * a + r[3 * k + 1] * b + r[3 * k + 2] * c;
    out.half[k] = (extent[k + 3] - extent[k]) / 2;
  }
}

/** Bounds of a range of triangles along the columns of `r`. */
function projectCorners(
  out: Float64Array,
  r: Float64Array,
  corners: Float64Array,
  order: Uint32Array,
  start: number,
  count: number,
): void {
  const r0 = r[0];
  const r1 = r[1];
  const r2 = r[2];
  const r3 = r[3];
  const r4 = r[4];
  const r5 = r[5];
  const r6 = r[6];
  const r7 = r[7];
  const r8 = r[8];
  let min0 = Infinity;
  let min1 = Infinity;
  let min2 = Infinity;
  let max0 = -Infinity;
  let max1 = -Infinity;
  let max2 = -Infinity;
  for (let i = start; i < start + count; i++) {
    const at = order[i] * 9;
    for (let k = at; k < at + 9; k += 3) {
      const x = corners[k];
      const y = corners[k + 1];
      const z = corners[k + 2];
      const a = r0 * x + r3 * y + r6 * z;
      const b = r1 * x + r4 * y + r7 * z;
      const c = r2 * x + r5 * y + r8 * z;
      if (a < min0) min0 = a;
      if (a > max0) max0 = a;
      if (b < min1) min1 = b;
      if (b > max1) max1 = b;
      if (c < min2) min2 = c;
      if (c > max2) max2 = c;
    }
  }
  out[0] = min0;
  out[1] = min1;
  out[2] = min2;
  out[3] = max0;
  out[4] = max1;
  out[5] = max2;
}

/** Bounds of each triangle of a range along the columns of `r`. */
function projectTriangles(
  bounds: Float64Array,
  r: Float64Array,
  corners: Float64Array,
  order: Uint32Array,
  start: number,
  count: number,
): void {
  for (let axis = 0; axis < 3; axis++) {
    const x = r[axis];
    const y = r[3 + axis];
    const z = r[6 + axis];
    for (let i = start; i < start + count; i++) {
      const at = order[i] * 9;
      const p = x * corners[at] + y * corners[at + 1] + z * corners[at + 2];
      const q = x * corners[at + 3] + y * corners[at + 4] + z * corners[at + 5];
      const s = x * corners[at + 6] + y * corners[at + 7] + z * corners[at + 8];
      const to = order[i] * 6 + axis;
      bounds[to] = Math.min(p, q, s);
      bounds[to + 3] = Math.max(p, q, s);
    }
  }
}

/** Normal, longest edge and their cross product; any frame around the edge when the area is zero. */
function setTriangleAxes(m: Float64Array, corners: Float64Array, at: number): void {
  let bestSquare = -1;
  let ex = 1;
  let ey = 0;
  let ez = 0;
  for (let i = 0; i < 3; i++) {
    const p = at + 3 * i;
    const q = at + 3 * ((i + 1) % 3);
    const x = corners[q] - corners[p];
    const y = corners[q + 1] - corners[p + 1];
    const z = corners[q + 2] - corners[p + 2];
    const square = x * x + y * y + z * z;
    if (square > bestSquare) {
      bestSquare = square;
      ex = x;
      ey = y;
      ez = z;
    }
  }
  if (!(bestSquare > 0)) {
    setIdentity(m);
    return;
  }
  const ux = corners[at + 3] - corners[at];
  const uy = corners[at + 4] - corners[at + 1];
  const uz = corners[at + 5] - corners[at + 2];
  const vx = corners[at + 6] - corners[at];
  const vy = corners[at + 7] - corners[at + 1];
  const vz = corners[at + 8] - corners[at + 2];
  setFrame(m, ex, ey, ez, uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
}

/** Orthonormal frame: first axis along e, third as near to n as that allows. */
function setFrame(m: Float64Array, ex: number, ey: number, ez: number, nx: number, ny: number, nz: number): void {
  const length = Math.sqrt(ex * ex + ey * ey + ez * ez);
  const ax = ex / length;
  const ay = ey / length;
  const az = ez / length;
  let d = nx * ax + ny * ay + nz * az;
  let cx = nx - d * ax;
  let cy = ny - d * ay;
  let cz = nz - d * az;
  let size = Math.sqrt(cx * cx + cy * cy + cz * cz);
  if (!(size > 1e-10 * length * length)) {
    // No usable normal: the coordinate axis least aligned with the edge.
    const least =
      Math.abs(ax) <= Math.abs(ay) && Math.abs(ax) <= Math.abs(az) ? 0 : Math.abs(ay) <= Math.abs(az) ? 1 : 2;
    d = least === 0 ? ax : least === 1 ? ay : az;
    cx = (least === 0 ? 1 : 0) - d * ax;
    cy = (least === 1 ? 1 : 0) - d * ay;
    cz = (least === 2 ? 1 : 0) - d * az;
    size = Math.sqrt(cx * cx + cy * cy + cz * cz);
  }
  cx /= size;
  cy /= size;
  cz /= size;
  m[0] = ax;
  m[3] = ay;
  m[6] = az;
  m[1] = cy * az - cz * ay;
  m[4] = cz * ax - cx * az;
  m[7] = cx * ay - cy * ax;
  m[2] = cx;
  m[5] = cy;
  m[8] = cz;
}
