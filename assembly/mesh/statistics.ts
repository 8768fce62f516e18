// The three fitters of the text: where to split a set of triangles, and along which axes.
//
// Method: per triangle a record is kept with a weight w, the weighted sum S of its corners and its weighted second moment
// M; those of a set are sums, and its centroid and central second moment follow:
//   PQP_FIT      w = 1: mean and covariance of the corners, equations (1) and (2);
//   RAPID2_FIT   w = area: centroid (7) and exact second moment (9) of the surface;
//   INERTIA_FIT  w = area: centroid of algorithm 1, second moment (10) of the corners about it.
// Then the eigenvectors, the largest moment first. (10) is a second moment, not the mechanical tensor of inertia: the
// eigenvectors of the two are the same and in reverse order. Factors such as 1/(3n) and A_min do not change them.
// A set so small that moments about the mesh's centre lose digits is summed again about a corner of its own.
//
// Source: Li, Shellshear, Bohlin, Carlson 2020, "Construction of bounding volume hierarchies for triangle meshes with
//   mixed face sizes", sections II to IV; Gottschalk, Lin, Manocha 1996, section 4, doi:10.1145/237170.237244.
//   Eigenvectors: cyclic Jacobi rotations, Golub, Van Loan 2013, "Matrix computations", section 8.5, where splits are binned
//   from the axes of the first triangle on, which are near them where a surface is flat.
// Degenerate input: an area that rounding explains (1e-12 of the squared edges) falls back to PQP_FIT, as does a hull
//   without faces; equal moments give some orthonormal axes, zero ones those that the search begins with.
// Cost: linear in the triangles of the range, 6 SIMD additions each. Tests: src/bvh/fitters.test.ts.
import {
  FIT_AXES,
  FIT_INERTIA,
  FIT_MOMENTS,
  FIT_POSITION,
  FIT_PQP,
  FIT_RAPID2,
  FIT_RAPID2_HULL,
  FIT_RECORD,
  TRIANGLE_BYTES,
} from '../../src/kernel/layout';
import { readF64, readU32, readV128, writeF64 } from '../memory';
import { setTriangleAxes } from './triangle-axes';

/** w, squared edges, S (3), M (xx, xy, xz, yy, yz, zz), unused. */
export const RECORD_BYTES: usize = 96;
/** Area over squared edges below which a set counts as degenerate. */
const DEGENERATE: f64 = 1e-12;
/** Central moment over the moment about the centre of the mesh below which the set is summed about a corner of its own. */
const CANCELLED: f64 = 1e-7;

/** Triangles that the fits see: 9 f64 each, and their order. */
export let corners: usize = 0;
export let order: usize = 0;
let records: usize = 0;
let fitter: u32 = FIT_PQP;
/** Most triangles of a set whose eigenvectors are sought from the axes of its first one on: larger ones are seldom flat. */
const MOST_TURNED: u32 = 64;
let turns: bool = false;
/** Where hull faces are written, 9 f64 each. */
let faces: usize = 0;

let xx: f64 = 0;
let xy: f64 = 0;
let xz: f64 = 0;
let yy: f64 = 0;
let yz: f64 = 0;
let zz: f64 = 0;

/** Writes the faces of the convex hull of the corners of a range to `faces`; returns their number. */
@external('env', 'writeHull')
declare function writeHull(corners: usize, order: usize, first: u32, count: u32, faces: usize): u32;

export function openStatistics(
  theCorners: usize,
  theOrder: usize,
  theRecords: usize,
  theFaces: usize,
  theFitter: u32,
  isBuild: bool,
): void {
  turns = isBuild;
  corners = theCorners;
  order = theOrder;
  records = theRecords;
  faces = theFaces;
  fitter = theFitter;
}

@inline
export function cornersAt(position: u32): usize {
  return corners + readU32(order + (position << 2)) * TRIANGLE_BYTES;
}

/** Fills the records of all triangles. */
export function writeRecords(count: u32): void {
  if (fitter == FIT_RAPID2_HULL) return;
  for (let i: u32 = 0; i < count; i++) {
    writeRecord(records + i * RECORD_BYTES, corners + i * TRIANGLE_BYTES, 0, 0, 0, fitter);
  }
}

function writeRecord(at: usize, triangle: usize, ox: f64, oy: f64, oz: f64, rule: u32): void {
  const px = readF64(triangle) - ox;
  const py = readF64(triangle, 8) - oy;
  const pz = readF64(triangle, 16) - oz;
  const qx = readF64(triangle, 24) - ox;
  const qy = readF64(triangle, 32) - oy;
  const qz = readF64(triangle, 40) - oz;
  const rx = readF64(triangle, 48) - ox;
  const ry = readF64(triangle, 56) - oy;
  const rz = readF64(triangle, 64) - oz;
  const sx = px + qx + rx;
  const sy = py + qy + ry;
  const sz = pz + qz + rz;
  let w: f64 = 1;
  let edges: f64 = 0;
  // 9 m m^T of the text is s s^T, s the sum of the corners.
  let own: f64 = 0;
  if (rule != FIT_PQP) {
    const ux = qx - px;
    const uy = qy - py;
    const uz = qz - pz;
    const vx = rx - px;
    const vy = ry - py;
    const vz = rz - pz;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    w = Math.sqrt(nx * nx + ny * ny + nz * nz);
    edges = ux * ux + uy * uy + uz * uz + vx * vx + vy * vy + vz * vz;
    own = rule == FIT_INERTIA ? 0 : 1;
  }
  writeF64(at, 0, w);
  writeF64(at, 8, edges);
  writeF64(at, 16, w * sx);
  writeF64(at, 24, w * sy);
  writeF64(at, 32, w * sz);
  writeF64(at, 40, w * (own * sx * sx + px * px + qx * qx + rx * rx));
  writeF64(at, 48, w * (own * sx * sy + px * py + qx * qy + rx * ry));
  writeF64(at, 56, w * (own * sx * sz + px * pz + qx * qz + rx * rz));
  writeF64(at, 64, w * (own * sy * sy + py * py + qy * qy + ry * ry));
  writeF64(at, 72, w * (own * sy * sz + py * pz + qy * qz + ry * rz));
  writeF64(at, 80, w * (own * sz * sz + pz * pz + qz * qz + rz * rz));
  writeF64(at, 88, 0);
}

let sum0: v128 = f64x2.splat(0);
let sum1: v128 = f64x2.splat(0);
let sum2: v128 = f64x2.splat(0);
let sum3: v128 = f64x2.splat(0);
let sum4: v128 = f64x2.splat(0);
let sum5: v128 = f64x2.splat(0);

function clearSums(): void {
  sum0 = sum1 = sum2 = sum3 = sum4 = sum5 = f64x2.splat(0);
}

@inline
function addRecord(at: usize): void {
  sum0 = f64x2.add(sum0, readV128(at));
  sum1 = f64x2.add(sum1, readV128(at, 16));
  sum2 = f64x2.add(sum2, readV128(at, 32));
  sum3 = f64x2.add(sum3, readV128(at, 48));
  sum4 = f64x2.add(sum4, readV128(at, 64));
  sum5 = f64x2.add(sum5, readV128(at, 80));
}

function sumRecords(first: u32, count: u32): void {
  let s0 = f64x2.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let s4 = s0;
  let s5 = s0;
  for (let i = first; i < first + count; i++) {
    const at = records + readU32(order + (i << 2)) * RECORD_BYTES;
    s0 = f64x2.add(s0, readV128(at));
    s1 = f64x2.add(s1, readV128(at, 16));
    s2 = f64x2.add(s2, readV128(at, 32));
    s3 = f64x2.add(s3, readV128(at, 48));
    s4 = f64x2.add(s4, readV128(at, 64));
    s5 = f64x2.add(s5, readV128(at, 80));
  }
  sum0 = s0;
  sum1 = s1;
  sum2 = s2;
  sum3 = s3;
  sum4 = s4;
  sum5 = s5;
}

/** Split position, and central second moment in xx .. zz, of the sums; false when they say nothing. */
function finish(rule: u32, ox: f64, oy: f64, oz: f64, mayCancel: bool): bool {
  const w = f64x2.extract_lane(sum0, 0);
  const isWeighted = rule != FIT_PQP;
  if (isWeighted && !(w > DEGENERATE * f64x2.extract_lane(sum0, 1))) return false;
  const third = 1 / (3 * w);
  const x = f64x2.extract_lane(sum1, 0) * third;
  const y = f64x2.extract_lane(sum1, 1) * third;
  const z = f64x2.extract_lane(sum2, 0) * third;
  const v = isWeighted && rule != FIT_INERTIA ? 0.25 * third : third;
  xx = f64x2.extract_lane(sum2, 1) * v - x * x;
  xy = f64x2.extract_lane(sum3, 0) * v - x * y;
  xz = f64x2.extract_lane(sum3, 1) * v - x * z;
  yy = f64x2.extract_lane(sum4, 0) * v - y * y;
  yz = f64x2.extract_lane(sum4, 1) * v - y * z;
  zz = f64x2.extract_lane(sum5, 0) * v - z * z;
  if (!mayCancel && !(xx + yy + zz > CANCELLED * (x * x + y * y + z * z))) return false;
  writeF64(FIT_POSITION, 0, ox + x);
  writeF64(FIT_POSITION, 8, oy + y);
  writeF64(FIT_POSITION, 16, oz + z);
  return true;
}

/** Split position and second moment of a range. */
function sumRange(first: u32, count: u32): void {
  if (sumChosen(first, count)) {
    if (fitter == FIT_INERTIA) divideBySmallest(first, count);
    return;
  }
  const base = cornersAt(first);
  const ox = readF64(base);
  const oy = readF64(base, 8);
  const oz = readF64(base, 16);
  clearSums();
  for (let i = first; i < first + count; i++) {
    writeRecord(FIT_RECORD, cornersAt(i), ox, oy, oz, FIT_PQP);
    addRecord(FIT_RECORD);
  }
  finish(FIT_PQP, ox, oy, oz, true);
}

/** (10) with areas over A_min, the smallest that counts: its 1/(3n) instead of one over the sum of the weights. */
function divideBySmallest(first: u32, count: u32): void {
  let smallest = Infinity;
  let total: f64 = 0;
  for (let i = first; i < first + count; i++) {
    const at = records + readU32(order + (i << 2)) * RECORD_BYTES;
    const w = readF64(at);
    total += w;
    if (w < smallest && w > DEGENERATE * readF64(at, 8)) smallest = w;
  }
  const factor = total / (<f64>count * smallest);
  if (!(factor > 0 && factor < f64.MAX_VALUE)) return;
  xx *= factor;
  xy *= factor;
  xz *= factor;
  yy *= factor;
  yz *= factor;
  zz *= factor;
}

/** By the chosen fitter; false when it says nothing about this range. */
function sumChosen(first: u32, count: u32): bool {
  if (fitter != FIT_RAPID2_HULL) {
    sumRecords(first, count);
    if (finish(fitter, 0, 0, 0, false)) return true;
  }
  const base = cornersAt(first);
  const ox = readF64(base);
  const oy = readF64(base, 8);
  const oz = readF64(base, 16);
  clearSums();
  if (fitter == FIT_RAPID2_HULL) {
    const found = writeHull(corners, order, first, count, faces);
    for (let i: u32 = 0; i < found; i++) {
      writeRecord(FIT_RECORD, faces + i * TRIANGLE_BYTES, ox, oy, oz, FIT_RAPID2);
      addRecord(FIT_RECORD);
    }
    return found > 0 && finish(FIT_RAPID2, ox, oy, oz, true);
  }
  if (fitter == FIT_PQP) return false;
  for (let i = first; i < first + count; i++) {
    writeRecord(FIT_RECORD, cornersAt(i), ox, oy, oz, fitter);
    addRecord(FIT_RECORD);
  }
  return finish(fitter, ox, oy, oz, true);
}

/** Writes the split position of a range alone. */
export function fitPosition(first: u32, count: u32): void {
  sumRange(first, count);
}

/** Writes split position, axes and moments of a range. */
export function fitAxes(first: u32, count: u32): void {
  sumRange(first, count);
  if (turns && count <= MOST_TURNED) {
    setTriangleAxes(cornersAt(first));
    turnMoments();
  } else setCoordinateAxes();
  setEigenvectors();
}

let v00: f64 = 0;
let v01: f64 = 0;
let v02: f64 = 0;
let v10: f64 = 0;
let v11: f64 = 0;
let v12: f64 = 0;
let v20: f64 = 0;
let v21: f64 = 0;
let v22: f64 = 0;
let cosine: f64 = 0;
let sine: f64 = 0;

/** Rotation that makes the element `spq` zero, whose square is not; returns what the diagonal changes by. */
@inline
function setRotation(spp: f64, sqq: f64, spq: f64): f64 {
  const h = sqq - spp;
  const t = (2 * spq) / (h + (h >= 0 ? 1 : -1) * Math.sqrt(h * h + 4 * spq * spq));
  cosine = 1 / Math.sqrt(t * t + 1);
  sine = t * cosine;
  return t * spq;
}

function setCoordinateAxes(): void {
  v00 = v11 = v22 = 1;
  v01 = v02 = v10 = v12 = v20 = v21 = 0;
}

/** The second moment along the axes of FIT_AXES, from which the rotations then start: near eigenvectors they are few. */
function turnMoments(): void {
  v00 = readF64(FIT_AXES);
  v01 = readF64(FIT_AXES, 8);
  v02 = readF64(FIT_AXES, 16);
  v10 = readF64(FIT_AXES, 24);
  v11 = readF64(FIT_AXES, 32);
  v12 = readF64(FIT_AXES, 40);
  v20 = readF64(FIT_AXES, 48);
  v21 = readF64(FIT_AXES, 56);
  v22 = readF64(FIT_AXES, 64);
  const a00 = xx * v00 + xy * v10 + xz * v20;
  const a10 = xy * v00 + yy * v10 + yz * v20;
  const a20 = xz * v00 + yz * v10 + zz * v20;
  const a01 = xx * v01 + xy * v11 + xz * v21;
  const a11 = xy * v01 + yy * v11 + yz * v21;
  const a21 = xz * v01 + yz * v11 + zz * v21;
  const a02 = xx * v02 + xy * v12 + xz * v22;
  const a12 = xy * v02 + yy * v12 + yz * v22;
  const a22 = xz * v02 + yz * v12 + zz * v22;
  xx = v00 * a00 + v10 * a10 + v20 * a20;
  xy = v00 * a01 + v10 * a11 + v20 * a21;
  xz = v00 * a02 + v10 * a12 + v20 * a22;
  yy = v01 * a01 + v11 * a11 + v21 * a21;
  yz = v01 * a02 + v11 * a12 + v21 * a22;
  zz = v02 * a02 + v12 * a12 + v22 * a22;
}

/** Eigenvectors of the second moment to FIT_AXES (columns), its eigenvalues to FIT_MOMENTS, the largest first. */
function setEigenvectors(): void {
  for (let sweep = 0; sweep < 12; sweep++) {
    const small = 3e-23 * (xx * xx + yy * yy + zz * zz);
    if (!(xy * xy > small || xz * xz > small || yz * yz > small)) break;
    if (xy * xy > small) {
      const d = setRotation(xx, yy, xy);
      const c = cosine;
      const s = sine;
      xx -= d;
      yy += d;
      xy = 0;
      const a = c * xz - s * yz;
      yz = s * xz + c * yz;
      xz = a;
      let t = c * v00 - s * v01;
      v01 = s * v00 + c * v01;
      v00 = t;
      t = c * v10 - s * v11;
      v11 = s * v10 + c * v11;
      v10 = t;
      t = c * v20 - s * v21;
      v21 = s * v20 + c * v21;
      v20 = t;
    }
    if (xz * xz > small) {
      const d = setRotation(xx, zz, xz);
      const c = cosine;
      const s = sine;
      xx -= d;
      zz += d;
      xz = 0;
      const a = c * xy - s * yz;
      yz = s * xy + c * yz;
      xy = a;
      let t = c * v00 - s * v02;
      v02 = s * v00 + c * v02;
      v00 = t;
      t = c * v10 - s * v12;
      v12 = s * v10 + c * v12;
      v10 = t;
      t = c * v20 - s * v22;
      v22 = s * v20 + c * v22;
      v20 = t;
    }
    if (yz * yz > small) {
      const d = setRotation(yy, zz, yz);
      const c = cosine;
      const s = sine;
      yy -= d;
      zz += d;
      yz = 0;
      const a = c * xy - s * xz;
      xz = s * xy + c * xz;
      xy = a;
      let t = c * v01 - s * v02;
      v02 = s * v01 + c * v02;
      v01 = t;
      t = c * v11 - s * v12;
      v12 = s * v11 + c * v12;
      v11 = t;
      t = c * v21 - s * v22;
      v22 = s * v21 + c * v22;
      v21 = t;
    }
  }
  // Equal moments keep their order.
  if (xx >= yy && xx >= zz) {
    writeAxis(0, v00, v10, v20, xx);
    if (yy >= zz) writeRest(v01, v11, v21, yy, v02, v12, v22, zz);
    else writeRest(v02, v12, v22, zz, v01, v11, v21, yy);
  } else if (yy >= zz) {
    writeAxis(0, v01, v11, v21, yy);
    if (xx >= zz) writeRest(v00, v10, v20, xx, v02, v12, v22, zz);
    else writeRest(v02, v12, v22, zz, v00, v10, v20, xx);
  } else {
    writeAxis(0, v02, v12, v22, zz);
    if (xx >= yy) writeRest(v00, v10, v20, xx, v01, v11, v21, yy);
    else writeRest(v01, v11, v21, yy, v00, v10, v20, xx);
  }
}

@inline
function writeAxis(i: usize, x: f64, y: f64, z: f64, value: f64): void {
  writeF64(FIT_AXES + 8 * <i32>i, 0, x);
  writeF64(FIT_AXES + 8 * <i32>i, 24, y);
  writeF64(FIT_AXES + 8 * <i32>i, 48, z);
  writeF64(FIT_MOMENTS + 8 * <i32>i, 0, value);
}

@inline
function writeRest(x: f64, y: f64, z: f64, value: f64, u: f64, v: f64, w: f64, last: f64): void {
  writeAxis(1, x, y, z, value);
  writeAxis(2, u, v, w, last);
}
