/**
 * Closest point of a mesh's surface to a point, one or many.
 *
 * The answer is the one that measuring every triangle would give; of triangles at the same distance, the lower index.
 * Surfaces only: a point inside has the distance of the surface, and `countCrossings` tells whether it is inside.
 * Frames: the mesh frame. Error: about 1e-15 of the coordinates' spread. Cost: about a microsecond; the batch takes half
 * (method and sources: assembly/mesh/closest.ts). Test: closest-point.test.ts.
 */

import type { Kernel } from '../kernel/kernel.js';
import {
  POINT_INPUT_BYTES,
  POINT_RESULT_BYTES,
  QUERY_CAPACITY,
  QUERY_INPUTS,
  QUERY_RESULTS,
} from '../kernel/layout.js';
import { meshPoints } from '../kernel/parts/mesh-points.js';
import { requireCount, requireLength, requireNotNegative, throwMisuse } from '../math/arguments.js';
import { listValues } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import type { Vec3 } from '../math/vec3.js';
import { requireBvh, requireQueryOptions } from './bvh-door.js';
import { addCounts } from './collide-mesh.js';
import { MAX_COORDINATE, type MeshBvh } from './mesh-bvh.js';
import type { PairStats } from './pair-stats.js';

export interface ClosestPointOptions {
  /** Points of the mesh farther away do not count. Default Infinity. */
  readonly upperBound?: number;
  readonly stats?: PairStats;
}

export interface ClosestPoint {
  /** Infinity when nothing lies within the upper bound, or the mesh is empty. */
  distance: number;
  /** Not written when the distance is Infinity. */
  readonly point: Vec3;
  /** Index in the mesh; -1 when the distance is Infinity. */
  triangle: number;
}

export function createClosestPoint(): ClosestPoint {
  return { distance: Infinity, point: new Float64Array(3), triangle: -1 };
}

/** Writes and returns `out`. Throws on coordinates that are not finite or beyond +-1e15, and on an upper bound that is not >= 0. */
export function closestPointMesh(
  out: ClosestPoint,
  bvh: MeshBvh,
  point: ArrayLike<number>,
  options: ClosestPointOptions = {},
): ClosestPoint {
  requireBvh('closestPointMesh', 'bvh', bvh);
  requireQueryOptions('closestPointMesh', options);
  requireLength('closestPointMesh', 'point', point, 3);
  if (out?.point?.length !== 3) throwMisuse('closestPointMesh', 'out', out, 'what createClosestPoint returned');
  const { upperBound = Infinity, stats } = options;
  const { kernel } = bvh;
  requireNotNegative('closestPointMesh', 'upperBound', upperBound);
  writePoint('closestPointMesh: point', kernel.f64, QUERY_INPUTS / 8, point, 0);
  kernel.f64[QUERY_INPUTS / 8 + 3] = upperBound;
  out.distance = Infinity;
  out.triangle = -1;
  if (bvh.triangleCount === 0) return out;
  kernel.part(meshPoints).closestPoints(bvh.address, 1);
  if (stats) addCounts(stats, kernel);
  const triangle = kernel.u32[QUERY_RESULTS / 4 + 8];
  if (triangle === NO_TRIANGLE) return out;
  const f64 = kernel.f64;
  const at = QUERY_RESULTS / 8;
  out.distance = Math.sqrt(f64[at]);
  out.triangle = triangle;
  out.point[0] = f64[at + 1];
  out.point[1] = f64[at + 2];
  out.point[2] = f64[at + 3];
  return out;
}

export interface ClosestPoints {
  /** Infinity where nothing lies within the upper bound. */
  readonly distance: Float64Array;
  /** 3 numbers per point; NaN-free: zeros where the distance is Infinity. */
  readonly point: Float64Array;
  /** -1 where the distance is Infinity. */
  readonly triangle: Int32Array;
}

/** Room for the answers of `count` points. */
export function createClosestPoints(count: number): ClosestPoints {
  requireCount('createClosestPoints', 'count', count);
  return { distance: new Float64Array(count), point: new Float64Array(3 * count), triangle: new Int32Array(count) };
}

/** `closestPointMesh` for points.length / 3 points, 3 numbers each; the same answers, bit for bit. */
export function closestPointsMesh(
  out: ClosestPoints,
  bvh: MeshBvh,
  points: Float64Array,
  options: ClosestPointOptions = {},
): ClosestPoints {
  requireBvh('closestPointsMesh', 'bvh', bvh);
  requireQueryOptions('closestPointsMesh', options);
  if (
    !(out?.distance instanceof Float64Array && out.point instanceof Float64Array && out.triangle instanceof Int32Array)
  )
    throwMisuse('closestPointsMesh', 'out', out, 'what createClosestPoints returned');
  const { upperBound = Infinity, stats } = options;
  if (!(points instanceof Float64Array) || points.length % 3 !== 0) {
    throw new MisuseError(
      `closestPointsMesh: points, got length ${points?.length}, expected a Float64Array with 3 numbers per point`,
    );
  }
  const count = points.length / 3;
  const room = Math.min(out.distance.length, out.triangle.length, Math.floor(out.point.length / 3));
  if (room < count) throw new MisuseError(`closestPointsMesh: out, got room for ${room} points, expected ${count}`);
  requireNotNegative('closestPointsMesh', 'upperBound', upperBound);
  const { kernel } = bvh;
  for (let start = 0; start < count; start += QUERY_CAPACITY) {
    const size = Math.min(QUERY_CAPACITY, count - start);
    const f64 = kernel.f64;
    let at = QUERY_INPUTS / 8;
    for (let i = start; i < start + size; i++, at += POINT_INPUT_BYTES / 8) {
      writePoint('closestPointsMesh: point', f64, at, points, 3 * i);
      f64[at + 3] = upperBound;
    }
    if (bvh.triangleCount === 0) {
      out.distance.fill(Infinity, start, start + size);
      out.point.fill(0, 3 * start, 3 * (start + size));
      out.triangle.fill(-1, start, start + size);
      continue;
    }
    kernel.part(meshPoints).closestPoints(bvh.address, size);
    readPoints(out, kernel, start, size);
    if (stats) addCounts(stats, kernel);
  }
  return out;
}

/** What the kernel writes when nothing is within the bound; -1 as a signed number. */
const NO_TRIANGLE = 0xffffffff;

function readPoints(out: ClosestPoints, { f64, u32 }: Kernel, start: number, size: number): void {
  const { distance, point, triangle } = out;
  let at = QUERY_RESULTS / 8;
  for (let i = start; i < start + size; i++, at += POINT_RESULT_BYTES / 8) {
    const found = u32[2 * at + 8] | 0;
    triangle[i] = found;
    distance[i] = found < 0 ? Infinity : Math.sqrt(f64[at]);
    point[3 * i] = found < 0 ? 0 : f64[at + 1];
    point[3 * i + 1] = found < 0 ? 0 : f64[at + 2];
    point[3 * i + 2] = found < 0 ? 0 : f64[at + 3];
  }
}

function writePoint(what: string, f64: Float64Array, at: number, point: ArrayLike<number>, from: number): void {
  const x = point[from];
  const y = point[from + 1];
  const z = point[from + 2];
  const areNumbers = typeof x === 'number' && typeof y === 'number' && typeof z === 'number';
  if (!areNumbers || !(Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) <= MAX_COORDINATE)) {
    throw new MisuseError(
      `${what} ${from / 3}, got ${listValues([x, y, z])}, expected finite numbers within +-${MAX_COORDINATE}`,
    );
  }
  f64[at] = x;
  f64[at + 1] = y;
  f64[at + 2] = z;
}
