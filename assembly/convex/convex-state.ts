// What the queries of convex shapes share: the pair of cores, their pose, the simplex in C = A - B, and the support
// mapping of C. Everything in A's frame. The addresses that TypeScript fills and reads are those of layout.ts.
import {
  CONVEX_CORE_A,
  CONVEX_CORE_B,
  CONVEX_POINTS_A,
  CONVEX_POSE,
  CONVEX_SIMPLEX_A,
  CONVEX_SIMPLEX_B,
  CONVEX_SIMPLEX_W,
  CONVEX_V,
  CONVEX_WEIGHT,
  HEAP_BASE,
  STATIC_BASE,
} from '../../src/kernel/layout';

/** Numbers at a fixed address. In the checked build every access must lie in the static or shared area. */
@unmanaged
export class F64 {
  @inline
  @operator('[]')
  get(i: i32): f64 {
    checkStatic(changetype<usize>(this) + ((<usize>i) << 3), 8);
    return load<f64>(changetype<usize>(this) + ((<usize>i) << 3));
  }

  @inline
  @operator('[]=')
  set(i: i32, x: f64): void {
    checkStatic(changetype<usize>(this) + ((<usize>i) << 3), 8);
    store<f64>(changetype<usize>(this) + ((<usize>i) << 3), x);
  }
}

@unmanaged
export class I32 {
  @inline
  @operator('[]')
  get(i: i32): i32 {
    checkStatic(changetype<usize>(this) + ((<usize>i) << 2), 4);
    return load<i32>(changetype<usize>(this) + ((<usize>i) << 2));
  }

  @inline
  @operator('[]=')
  set(i: i32, x: i32): void {
    checkStatic(changetype<usize>(this) + ((<usize>i) << 2), 4);
    store<i32>(changetype<usize>(this) + ((<usize>i) << 2), x);
  }
}

@inline
function checkStatic(pointer: usize, bytes: usize): void {
  if (!ASC_NO_ASSERT) {
    assert((pointer & (bytes - 1)) == 0, 'misaligned access');
    assert(pointer >= <usize>STATIC_BASE && pointer + bytes <= <usize>HEAP_BASE, 'access outside the static area');
  }
}

export const CORE_POINT: i32 = 0;
export const CORE_SEGMENT: i32 = 1;
export const CORE_BOX: i32 = 2;
export const CORE_CYLINDER: i32 = 3;
export const CORE_CONE: i32 = 4;
export const CORE_ELLIPSOID: i32 = 5;
export const CORE_POINTS: i32 = 6;
export const CORE_SUPPORT: i32 = 7;

/** Of a CORE_SUPPORT core, at this address: the farthest point to `out`; the direction has any length but zero. */
@external('env', 'askSupport')
declare function askSupport(core: usize, out: usize, x: f64, y: f64, z: f64): void;

/** A convex core as src/narrowphase/convex-kernel.ts writes it; see geometry/support.ts. */
@unmanaged
export class SupportCore {
  kind: i32;
  /** Points of a core without a map. */
  count: i32;
  /** Address of the points of a CORE_POINTS core. */
  points: u32;
  /** Address of the map: cells, then where each cell's candidates start, then their byte offsets in the points; 0: none. */
  map: u32;
  /** Half sizes, semi-axes, or (radius, -, half length). */
  x: f64;
  y: f64;
  z: f64;
  radius: f64;

  @inline
  get isCurved(): bool {
    return this.kind >= CORE_CYLINDER && this.kind != CORE_POINTS;
  }
}

/** The query's state. */
export namespace s {
  export const a = changetype<SupportCore>(CONVEX_CORE_A);
  export const b = changetype<SupportCore>(CONVEX_CORE_B);
  /** X_AB; shifted during penetration queries. */
  export const X = changetype<F64>(CONVEX_POSE);
  /** Simplex vertices in C, and the points of A and B (both in A) they are made of. */
  export const w = changetype<F64>(CONVEX_SIMPLEX_W);
  export const pointsA = changetype<F64>(CONVEX_SIMPLEX_A);
  export const pointsB = changetype<F64>(CONVEX_SIMPLEX_B);
  export const weight = changetype<F64>(CONVEX_WEIGHT);
  export let count: i32 = 0;
  /** Closest point of C to the origin; on entry minus the first search direction, not zero. */
  export const v = changetype<F64>(CONVEX_V);
  /** Direction of the next support point. */
  export const d = changetype<F64>(memory.data(24, 16));
  /** Certified lower bound of the distance, 0 when none. */
  export let lowerBound: f64 = 0;
  /** What it was found along, as v was, any length; not set by Newton's method. */
  export const lowerV = changetype<F64>(memory.data(24, 16));
  /** Largest size of a vertex, in C, A or B, seen: the scale of rounding. */
  export let scale: f64 = 0;
  /** Rounds since the kernel was made, for work counts. */
  export let rounds: i32 = 0;
}

@inline
function pointAt(core: SupportCore, offset: u32): usize {
  const pointer = <usize>core.points + <usize>offset;
  if (!ASC_NO_ASSERT) assert(pointer >= <usize>CONVEX_POINTS_A, 'point outside the shared area and the heap');
  return pointer;
}

@inline
function heightOf(point: usize, x: f64, y: f64, z: f64): f64 {
  return load<f64>(point) * x + load<f64>(point, 8) * y + load<f64>(point, 16) * z;
}

/** Farthest of all points. */
function scanPoints(core: SupportCore, x: f64, y: f64, z: f64): usize {
  let best = pointAt(core, 0);
  const end = best + 24 * <usize>core.count;
  let value = heightOf(best, x, y, z);
  for (let point = best + 24; point < end; point += 24) {
    const h = heightOf(point, x, y, z);
    if (h > value) {
      value = h;
      best = point;
    }
  }
  return best;
}

/** Heights of the points at two byte offsets, which lie one after the other. */
@inline
function pairHeights(core: SupportCore, at: usize, x: v128, y: v128, z: v128): v128 {
  const p = pointAt(core, load<u32>(at));
  const q = pointAt(core, load<u32>(at, 4));
  const px = v128.load64_lane(q, v128.load64_zero(p), 1);
  const py = v128.load64_lane(q, v128.load64_zero(p, 8), 1, 8);
  const pz = v128.load64_lane(q, v128.load64_zero(p, 16), 1, 16);
  return f64x2.add(f64x2.add(f64x2.mul(px, x), f64x2.mul(py, y)), f64x2.mul(pz, z));
}

/**
 * Farthest of the candidates in the direction's cell: see geometry/support-map.ts. Two at a time, without a branch: which of
 * them is farther is a coin toss, and engines compile selects, minima and maxima of single floats to branches.
 */
function findMapped(core: SupportCore, x: f64, y: f64, z: f64): usize {
  const map = <usize>core.map;
  const cells = load<i32>(map);
  const half = f64x2.splat(0.5 * <f64>cells);
  const sign = f64x2.splat(-0.0);
  const xy = f64x2.replace_lane(f64x2.splat(x), 1, y);
  const scaled = f64x2.mul(f64x2.abs(xy), f64x2.splat(1 / (abs<f64>(x) + abs<f64>(y) + abs<f64>(z))));
  const folded = f64x2.sub(f64x2.splat(1), v128.shuffle<f64>(scaled, scaled, 1, 0));
  const square = v128.bitselect(folded, scaled, f64x2.lt(f64x2.splat(z), f64x2.splat(0)));
  const place = f64x2.add(half, f64x2.mul(v128.bitselect(xy, square, sign), half));
  const cell = i32x4.trunc_sat_f64x2_s_zero(f64x2.pmin(place, f64x2.splat(<f64>(cells - 1))));
  const start = map + 4 + ((<usize>(i32x4.extract_lane(cell, 0) * cells + i32x4.extract_lane(cell, 1))) << 2);
  let at = map + <usize>load<u32>(start);
  const end = map + <usize>load<u32>(start, 4);
  const dx = f64x2.splat(x);
  const dy = f64x2.splat(y);
  const dz = f64x2.splat(z);
  let best = v128.load_ext<u32>(at);
  let value = pairHeights(core, at, dx, dy, dz);
  for (at += 8; at < end; at += 8) {
    const heights = pairHeights(core, at, dx, dy, dz);
    const farther = f64x2.gt(heights, value);
    value = v128.bitselect(heights, value, farther);
    best = v128.bitselect(v128.load_ext<u32>(at), best, farther);
  }
  const isSecond = f64x2.extract_lane(value, 1) > f64x2.extract_lane(value, 0);
  return pointAt(core, select<u32>(i32x4.extract_lane(best, 2), i32x4.extract_lane(best, 0), isSecond));
}

/** size, or -size along directions below 0, which -0 is not; without the branch that a select of floats becomes. */
@inline
function sideOf(size: f64, x: f64): f64 {
  return copysign<f64>(size, x + 0);
}

/** Farthest point of the core along (x, y, z), any length but not zero, into out[at .. at + 2]; the radius is not added. */
export function supportAlong(out: F64, at: i32, core: SupportCore, x: f64, y: f64, z: f64): void {
  const kind = core.kind;
  if (kind == CORE_POINTS) {
    const point = core.map ? findMapped(core, x, y, z) : scanPoints(core, x, y, z);
    out[at] = load<f64>(point);
    out[at + 1] = load<f64>(point, 8);
    out[at + 2] = load<f64>(point, 16);
  } else if (kind == CORE_BOX) {
    out[at] = sideOf(core.x, x);
    out[at + 1] = sideOf(core.y, y);
    out[at + 2] = sideOf(core.z, z);
  } else if (kind == CORE_CYLINDER) {
    const length = sqrt(x * x + y * y);
    const t = length > 0 ? core.x / length : 0;
    out[at] = x * t;
    out[at + 1] = y * t;
    out[at + 2] = sideOf(core.z, z);
  } else if (kind == CORE_SEGMENT) {
    out[at] = 0;
    out[at + 1] = 0;
    out[at + 2] = sideOf(core.z, z);
  } else if (kind == CORE_CONE) {
    const length = sqrt(x * x + y * y);
    if (z * core.z >= length * core.x - z * core.z) {
      out[at] = 0;
      out[at + 1] = 0;
      out[at + 2] = core.z;
      return;
    }
    const t = length > 0 ? core.x / length : 0;
    out[at] = x * t;
    out[at + 1] = y * t;
    out[at + 2] = -core.z;
  } else if (kind == CORE_ELLIPSOID) {
    const u = x * core.x;
    const v = y * core.y;
    const w = z * core.z;
    const inverse = 1 / sqrt(u * u + v * v + w * w);
    out[at] = u * inverse * core.x;
    out[at + 1] = v * inverse * core.y;
    out[at + 2] = w * inverse * core.z;
  } else if (kind == CORE_SUPPORT) {
    askSupport(changetype<usize>(core), changetype<usize>(out) + ((<usize>at) << 3), x, y, z);
  } else {
    out[at] = 0;
    out[at + 1] = 0;
    out[at + 2] = 0;
  }
}

/** The same along d[0..2]. */
export function supportInto(out: F64, at: i32, core: SupportCore, d: F64): void {
  supportAlong(out, at, core, d[0], d[1], d[2]);
}

/** Whether the new vertex `slot` of a simplex is one of those before it. */
export function isKnownVertex(w: F64, slot: i32): bool {
  const at = 3 * slot;
  for (let i = 0; i < at; i += 3) if (w[i] == w[at] && w[i + 1] == w[at + 1] && w[i + 2] == w[at + 2]) return true;
  return false;
}

/** Support point of C = A - B along s.d, written at vertex `slot` of the state. */
export function supportDifference(slot: i32): void {
  const X = s.X;
  const pointsA = s.pointsA;
  const pointsB = s.pointsB;
  const i = 3 * slot;
  const dx = s.d[0];
  const dy = s.d[1];
  const dz = s.d[2];
  supportAlong(pointsA, i, s.a, dx, dy, dz);
  supportAlong(
    pointsB,
    i,
    s.b,
    -(X[0] * dx + X[3] * dy + X[6] * dz),
    -(X[1] * dx + X[4] * dy + X[7] * dz),
    -(X[2] * dx + X[5] * dy + X[8] * dz),
  );
  const x = pointsB[i];
  const y = pointsB[i + 1];
  const z = pointsB[i + 2];
  const bx = X[0] * x + X[1] * y + X[2] * z + X[9];
  const by = X[3] * x + X[4] * y + X[5] * z + X[10];
  const bz = X[6] * x + X[7] * y + X[8] * z + X[11];
  pointsB[i] = bx;
  pointsB[i + 1] = by;
  pointsB[i + 2] = bz;
  s.w[i] = pointsA[i] - bx;
  s.w[i + 1] = pointsA[i + 1] - by;
  s.w[i + 2] = pointsA[i + 2] - bz;
}
