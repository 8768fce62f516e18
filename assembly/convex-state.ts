// What the queries of convex shapes share: the pair of cores, their pose, the simplex in C = A - B, and the support
// mapping of C. Everything in A's frame. The addresses that TypeScript fills and reads are those of layout.ts.
import {
  CONVEX_BASE,
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
} from '../src/kernel/layout';

/** Numbers at a fixed address. In the checked build every access must lie in the static or shared area. */
@unmanaged
export class F64 {
  @inline
  @operator('[]')
  get(i: i32): f64 {
    checkStatic(changetype<usize>(this) + (<usize>i << 3), 8);
    return load<f64>(changetype<usize>(this) + (<usize>i << 3));
  }

  @inline
  @operator('[]=')
  set(i: i32, x: f64): void {
    checkStatic(changetype<usize>(this) + (<usize>i << 3), 8);
    store<f64>(changetype<usize>(this) + (<usize>i << 3), x);
  }
}

@unmanaged
export class I32 {
  @inline
  @operator('[]')
  get(i: i32): i32 {
    checkStatic(changetype<usize>(this) + (<usize>i << 2), 4);
    return load<i32>(changetype<usize>(this) + (<usize>i << 2));
  }

  @inline
  @operator('[]=')
  set(i: i32, x: i32): void {
    checkStatic(changetype<usize>(this) + (<usize>i << 2), 4);
    store<i32>(changetype<usize>(this) + (<usize>i << 2), x);
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
    return this.kind >= CORE_CYLINDER && this.kind <= CORE_ELLIPSOID;
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
  /** Largest size of a vertex, in C, A or B, seen: the scale of rounding. */
  export let scale: f64 = 0;
  /** Rounds since the kernel was made, for work counts. */
  export let rounds: i32 = 0;
}

const directionB = changetype<F64>(memory.data(24, 16));

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

/** Farthest of the candidates in the direction's cell: see geometry/support-map.ts. Selects rather than branches. */
function findMapped(core: SupportCore, x: f64, y: f64, z: f64): usize {
  const map = <usize>core.map;
  const cells = load<i32>(map);
  const half = 0.5 * <f64>cells;
  const last = <f64>(cells - 1);
  const ax = abs<f64>(x);
  const ay = abs<f64>(y);
  const scale = 1 / (ax + ay + abs<f64>(z));
  const isBelow = z < 0;
  const fx = select<f64>(1 - ay * scale, ax * scale, isBelow);
  const fy = select<f64>(1 - ax * scale, ay * scale, isBelow);
  const i = <i32>min<f64>(half + copysign<f64>(fx, x) * half, last);
  const j = <i32>min<f64>(half + copysign<f64>(fy, y) * half, last);
  const start = map + 4 + (<usize>(i * cells + j) << 2);
  let at = map + <usize>load<u32>(start);
  const end = map + <usize>load<u32>(start, 4);
  let best = pointAt(core, load<u32>(at));
  let value = heightOf(best, x, y, z);
  let other = pointAt(core, load<u32>(at, 4));
  let h = heightOf(other, x, y, z);
  best = select<usize>(other, best, h > value);
  for (at += 8; at < end; at += 8) {
    value = max<f64>(value, h);
    const first = pointAt(core, load<u32>(at));
    const g = heightOf(first, x, y, z);
    best = select<usize>(first, best, g > value);
    value = max<f64>(value, g);
    other = pointAt(core, load<u32>(at, 4));
    h = heightOf(other, x, y, z);
    best = select<usize>(other, best, h > value);
  }
  return best;
}

/** Farthest point of the core along d[0..2], any length but not zero, into out[at .. at + 2]; the radius is not added. */
export function supportInto(out: F64, at: i32, core: SupportCore, d: F64): void {
  const x = d[0];
  const y = d[1];
  const z = d[2];
  const kind = core.kind;
  if (kind == CORE_POINTS) {
    const point = core.map ? findMapped(core, x, y, z) : scanPoints(core, x, y, z);
    out[at] = load<f64>(point);
    out[at + 1] = load<f64>(point, 8);
    out[at + 2] = load<f64>(point, 16);
  } else if (kind == CORE_BOX) {
    out[at] = x < 0 ? -core.x : core.x;
    out[at + 1] = y < 0 ? -core.y : core.y;
    out[at + 2] = z < 0 ? -core.z : core.z;
  } else if (kind == CORE_CYLINDER) {
    const length = sqrt(x * x + y * y);
    const t = length > 0 ? core.x / length : 0;
    out[at] = x * t;
    out[at + 1] = y * t;
    out[at + 2] = z < 0 ? -core.z : core.z;
  } else if (kind == CORE_SEGMENT) {
    out[at] = 0;
    out[at + 1] = 0;
    out[at + 2] = z < 0 ? -core.z : core.z;
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
  } else {
    out[at] = 0;
    out[at + 1] = 0;
    out[at + 2] = 0;
  }
}

/** Support point of C = A - B along s.d, written at vertex `slot` of the state. */
export function supportDifference(slot: i32): void {
  const X = s.X;
  const pointsB = s.pointsB;
  const i = 3 * slot;
  const dx = s.d[0];
  const dy = s.d[1];
  const dz = s.d[2];
  supportInto(s.pointsA, i, s.a, s.d);
  directionB[0] = -(X[0] * dx + X[3] * dy + X[6] * dz);
  directionB[1] = -(X[1] * dx + X[4] * dy + X[7] * dz);
  directionB[2] = -(X[2] * dx + X[5] * dy + X[8] * dz);
  supportInto(pointsB, i, s.b, directionB);
  const x = pointsB[i];
  const y = pointsB[i + 1];
  const z = pointsB[i + 2];
  const bx = X[0] * x + X[1] * y + X[2] * z + X[9];
  const by = X[3] * x + X[4] * y + X[5] * z + X[10];
  const bz = X[6] * x + X[7] * y + X[8] * z + X[11];
  pointsB[i] = bx;
  pointsB[i + 1] = by;
  pointsB[i + 2] = bz;
  s.w[i] = s.pointsA[i] - bx;
  s.w[i + 1] = s.pointsA[i + 1] - by;
  s.w[i + 2] = s.pointsA[i + 2] - bz;
}
