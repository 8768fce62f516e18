/**
 * Support mapping of convex cores: the point that lies farthest along a direction.
 *
 * A shape is a core plus a radius: sphere = point + r, capsule = segment + r, everything else radius 0. Distance
 * algorithms work on cores and subtract radii at the end, which is exact and keeps round shapes out of the iteration.
 * Hulls of more than SCAN_UP_TO vertices look their farthest vertex up: a map of directions has, for each cell, the
 * few vertices that are farthest along any direction in it (support-map.ts), and only those are compared.
 * Frames: the shape's own frame. Cost: constant; about 15 ns on hulls with a map.
 * Checked by support.test.ts.
 */

import { MisuseError } from '../math/misuse.js';
import { hypot } from '../math/scalar.js';
import type { ConvexHull } from './hull.js';
import { LONGEST } from './shape-range.js';
import { buildSupportMap, findMappedVertex, type SupportMap } from './support-map.js';

export const CORE_POINT = 0;
export const CORE_SEGMENT = 1;
export const CORE_BOX = 2;
export const CORE_CYLINDER = 3;
export const CORE_CONE = 4;
export const CORE_ELLIPSOID = 5;
export const CORE_POINTS = 6;
export const CORE_SUPPORT = 7;

/** Vertices up to which all are compared. */
const SCAN_UP_TO = 12;
const NO_POINTS = new Float64Array(0);
export const ORIGIN = new Float64Array(3);

/** Where a hull with a map lies in a kernel's memory. */
export interface HullBlock<Owner = object> {
  readonly kernel: Owner;
  /** Of the points. */
  readonly address: number;
  readonly map: number;
}

/** Writes the point farthest along `direction`, a unit vector, to `out`. */
export type SupportFunction = (out: Float64Array, direction: Float64Array) => void;

/** A convex core; `x y z` are half sizes, semi-axes, or (radius, -, half length). One class keeps V8 monomorphic. */
export class SupportCore {
  /** The hull in the kernel's memory, for queries of pairs: see narrowphase/convex-kernel.ts. */
  block: HullBlock | null = null;

  constructor(
    readonly kind: number,
    /** Inflation of the core: the shape is core + ball(radius). */
    readonly radius: number,
    readonly x: number,
    readonly y: number,
    readonly z: number,
    /** Vertices of a CORE_POINTS core, else empty. */
    readonly points: Float64Array = NO_POINTS,
    /** Which vertices to compare for a direction; null: all. */
    readonly map: SupportMap | null = null,
    /** A point of the core, deep inside where that is cheap to tell: its first three numbers. */
    readonly center: Float64Array = kind === CORE_POINTS ? points : ORIGIN,
    /** Of a CORE_SUPPORT core. */
    readonly support: SupportFunction | null = null,
  ) {}

  /** Curved cores need polishing after polytope algorithms. */
  get isCurved(): boolean {
    return this.kind >= CORE_CYLINDER && this.kind !== CORE_POINTS;
  }
}

/** Mean of the vertices. */
function findMiddle(vertices: Float64Array): Float64Array {
  const middle = new Float64Array(3);
  for (let i = 0; i < vertices.length; i++) middle[i % 3] += vertices[i] / (vertices.length / 3);
  return middle;
}

/** Core of a hull, with a map of its vertices when they are many. */
export function createHullCore(hull: ConvexHull): SupportCore {
  const { vertices } = hull;
  const isLarge = vertices.length > 3 * SCAN_UP_TO && hull.dimension > 1;
  return new SupportCore(
    CORE_POINTS,
    0,
    0,
    0,
    0,
    vertices,
    isLarge ? buildSupportMap(hull) : null,
    findMiddle(vertices),
  );
}

/** Offset in `points` of the vertex farthest along (x, y, z). */
function findSupportVertex(core: SupportCore, x: number, y: number, z: number): number {
  const { points, map } = core;
  if (map !== null) return findMappedVertex(points, map, x, y, z);
  let best = 0;
  let value = points[0] * x + points[1] * y + points[2] * z;
  for (let i = 3; i < points.length; i += 3) {
    const h = points[i] * x + points[i + 1] * y + points[i + 2] * z;
    if (h > value) {
      value = h;
      best = i;
    }
  }
  return best;
}

/**
 * Farthest point of the core along d[0..2], any length but not zero, into out[at .. at + 2]; the radius is not added.
 * Arrays in and out, because a call with doubles would put each of them on the heap.
 */
export function supportInto(out: Float64Array, at: number, core: SupportCore, d: Float64Array): void {
  const x = d[0];
  const y = d[1];
  const z = d[2];
  switch (core.kind) {
    case CORE_POINT:
      out[at] = 0;
      out[at + 1] = 0;
      out[at + 2] = 0;
      return;
    case CORE_SEGMENT:
      out[at] = 0;
      out[at + 1] = 0;
      out[at + 2] = z < 0 ? -core.z : core.z;
      return;
    case CORE_BOX:
      out[at] = x < 0 ? -core.x : core.x;
      out[at + 1] = y < 0 ? -core.y : core.y;
      out[at + 2] = z < 0 ? -core.z : core.z;
      return;
    case CORE_CYLINDER: {
      const s = Math.sqrt(x * x + y * y);
      const t = s > 0 ? core.x / s : 0;
      out[at] = x * t;
      out[at + 1] = y * t;
      out[at + 2] = z < 0 ? -core.z : core.z;
      return;
    }
    case CORE_CONE: {
      const s = Math.sqrt(x * x + y * y);
      if (z * core.z >= s * core.x - z * core.z) {
        out[at] = 0;
        out[at + 1] = 0;
        out[at + 2] = core.z;
        return;
      }
      const t = s > 0 ? core.x / s : 0;
      out[at] = x * t;
      out[at + 1] = y * t;
      out[at + 2] = -core.z;
      return;
    }
    case CORE_ELLIPSOID: {
      const u = x * core.x;
      const v = y * core.y;
      const w = z * core.z;
      const s = 1 / Math.sqrt(u * u + v * v + w * w);
      out[at] = u * s * core.x;
      out[at + 1] = v * s * core.y;
      out[at + 2] = w * s * core.z;
      return;
    }
    case CORE_SUPPORT: {
      const point = askSupport(core, x, y, z);
      out[at] = point[0];
      out[at + 1] = point[1];
      out[at + 2] = point[2];
      return;
    }
    default: {
      const { points } = core;
      const i = findSupportVertex(core, x, y, z);
      out[at] = points[i];
      out[at + 1] = points[i + 1];
      out[at + 2] = points[i + 2];
    }
  }
}

const asked = new Float64Array(3);
const answered = new Float64Array(3);
/** Whether a user's function is being asked: it may ask nothing itself, since every query has its place of work. */
export const supportState = { isAsking: false };

/** The point that a user's function gives, in a buffer of this module; refuses what is no point. */
export function askSupport({ support }: SupportCore, x: number, y: number, z: number): Float64Array {
  if (supportState.isAsking)
    throw new MisuseError('support: a query, got one from within a support function, expected one from outside');
  const length = hypot(x, y, z);
  asked[0] = x / length;
  asked[1] = y / length;
  asked[2] = z / length;
  answered.fill(Number.NaN);
  supportState.isAsking = true;
  try {
    support!(answered, asked);
  } finally {
    supportState.isAsking = false;
  }
  for (let k = 0; k < 3; k++)
    if (!(Math.abs(answered[k]) <= LONGEST))
      throw new MisuseError(
        `support: out[${k}], got ${answered[k]} along ${x / length}, ${y / length}, ${z / length}, expected a number of at most ${LONGEST}`,
      );
  return answered;
}

const along = new Float64Array(3);

/** `supportInto` for a direction given in numbers. */
export function supportCore(out: Float64Array, core: SupportCore, x: number, y: number, z: number): void {
  along[0] = x;
  along[1] = y;
  along[2] = z;
  supportInto(out, 0, core, along);
}
