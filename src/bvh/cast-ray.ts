/**
 * Triangles of a mesh that a ray hits: the first, any, or all.
 *
 * Watertight: no ray slips between two triangles that share an edge or a corner. The first hit is the one that testing
 * every triangle in the same arithmetic would give; of two at the same t, the lower index. A ray within a triangle's plane,
 * and a zero-area triangle, are not hit. Far origins lose nothing: the ray starts anew where it enters the bounds.
 * Frames: the mesh frame; t in units of the direction's length. Error of t: about 1e-15 (|t| + extent / |direction|).
 * Cost: one to three microseconds (method and sources: assembly/mesh/ray.ts). Test: cast-ray.test.ts.
 */

import type { Kernel } from '../kernel/kernel.js';
import {
  QUERY_INPUTS,
  QUERY_RESULTS,
  RAY_ALL,
  RAY_ANY,
  RAY_BACK,
  RAY_FRONT,
  RAY_HIT_CAPACITY,
  RAY_RESULT_BYTES,
} from '../kernel/layout.js';
import { meshRays } from '../kernel/parts/mesh-rays.js';
import { requireLength, requireList, throwMisuse } from '../math/arguments.js';
import { describeValue, listValues } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { requireBvh, requireQueryOptions } from './bvh-door.js';
import { createRayHit, describeRayHit, type RayHit } from './cast-ray-hit.js';
import { addCounts } from './collide-mesh.js';
import { MAX_COORDINATE, type MeshBvh } from './mesh-bvh.js';
import type { PairStats } from './pair-stats.js';

/** Which side of its triangle a hit must be on: the front is the one from which the corners turn counter-clockwise. */
export type RaySides = 'both' | 'front' | 'back';

export interface CastRayOptions {
  /** Hits at smaller t do not count. Default 0. */
  readonly minT?: number;
  /** Hits at larger t do not count. Default Infinity. */
  readonly maxT?: number;
  /** Default `both`. */
  readonly sides?: RaySides;
  readonly stats?: PairStats;
}

/**
 * Writes the first hit of origin + t direction, minT <= t <= maxT, in the mesh frame, and returns `out`; the direction need not be a unit vector. The
 * limits may be given as one number, maxT. Throws on numbers that are not finite or beyond +-1e15, and on a zero direction.
 */
export function castRayMesh(
  out: RayHit,
  bvh: MeshBvh,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
  options: CastRayOptions | number = Infinity,
): RayHit {
  const kernel = writeRay('castRayMesh', bvh, origin, direction, options);
  requireHit('castRayMesh', out);
  const mode = sidesOf('castRayMesh', options);
  out.t = Infinity;
  out.triangle = -1;
  if (bvh.triangleCount === 0) return out;
  kernel.part(meshRays).castRays(bvh.address, 1, mode);
  if (typeof options === 'object' && options.stats) addCounts(options.stats, kernel);
  const triangle = kernel.u32[QUERY_RESULTS / 4 + 2];
  if (triangle !== NO_TRIANGLE) {
    out.t = kernel.f64[QUERY_RESULTS / 8];
    out.triangle = triangle;
    out.isFront = kernel.u32[QUERY_RESULTS / 4 + 3] === 1;
    describeRayHit(out, bvh.mesh, origin, direction);
  }
  return out;
}

/**
 * The triangle of the first hit at 0 <= t <= maxT, -1 for a miss; its t to out[at]. Looks at no argument: for callers that have, and
 * that want neither point nor weights. `ray`: origin and direction.
 */
export function findFirstHit(out: Float64Array, at: number, bvh: MeshBvh, ray: Float64Array, maxT: number): number {
  out[at] = Infinity;
  if (bvh.triangleCount === 0) return -1;
  const { f64, u32 } = bvh.kernel;
  const to = QUERY_INPUTS / 8;
  for (let k = 0; k < 6; k++) f64[to + k] = ray[k];
  f64[to + 6] = 0;
  f64[to + 7] = maxT;
  bvh.kernel.part(meshRays).castRays(bvh.address, 1, RAY_FRONT | RAY_BACK);
  const triangle = u32[QUERY_RESULTS / 4 + 2];
  if (triangle === NO_TRIANGLE) return -1;
  out[at] = f64[QUERY_RESULTS / 8];
  return triangle;
}

/** Whether anything is hit at minT <= t <= maxT: ends at the first hit it comes by. Arguments as for `castRayMesh`, without `out`. */
export function isRayBlocked(
  bvh: MeshBvh,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
  options: CastRayOptions | number = Infinity,
): boolean {
  const kernel = writeRay('isRayBlocked', bvh, origin, direction, options);
  const mode = sidesOf('isRayBlocked', options) | RAY_ANY;
  if (bvh.triangleCount === 0) return false;
  kernel.part(meshRays).castRays(bvh.address, 1, mode);
  if (typeof options === 'object' && options.stats) addCounts(options.stats, kernel);
  return kernel.u32[QUERY_RESULTS / 4 + 2] !== NO_TRIANGLE;
}

/**
 * All hits in the order of t, then of the index. Every triangle counts: a ray through a common edge hits both triangles.
 * Reuses the objects in `out` and sets its length. Arguments as for `castRayMesh`.
 */
export function collectRayHits(
  out: RayHit[],
  bvh: MeshBvh,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
  options: CastRayOptions | number = Infinity,
): RayHit[] {
  requireList('collectRayHits', 'out', out);
  out.forEach((hit) => {
    requireHit('collectRayHits', hit);
  });
  const kernel = writeRay('collectRayHits', bvh, origin, direction, options);
  const mode = sidesOf('collectRayHits', options) | RAY_ALL;
  let total = 0;
  if (bvh.triangleCount > 0) {
    let count = kernel.part(meshRays).castRays(bvh.address, 1, mode);
    for (;;) {
      for (let i = 0; i < count; i++, total++) {
        if (total === out.length) out.push(createRayHit());
        const at = QUERY_RESULTS + i * RAY_RESULT_BYTES;
        out[total].t = kernel.f64[at / 8];
        out[total].triangle = kernel.u32[at / 4 + 2];
        out[total].isFront = kernel.u32[at / 4 + 3] === 1;
      }
      if (count <= RAY_HIT_CAPACITY - 8) break;
      count = kernel.part(meshRays).resumeRays();
    }
    if (typeof options === 'object' && options.stats) addCounts(options.stats, kernel);
  }
  out.length = total;
  out.sort((a, b) => a.t - b.t || a.triangle - b.triangle);
  for (let i = 0; i < total; i++) describeRayHit(out[i], bvh.mesh, origin, direction);
  return out;
}

/** What the kernel writes for a miss. */
export const NO_TRIANGLE = 0xffffffff;

export function sidesOf(caller: string, options: CastRayOptions | number): number {
  const sides = typeof options === 'object' ? options.sides : undefined;
  if (sides === undefined || sides === 'both') return RAY_FRONT | RAY_BACK;
  if (sides === 'front') return RAY_FRONT;
  if (sides === 'back') return RAY_BACK;
  throwMisuse(caller, 'sides', sides, "one of 'both', 'front', 'back'");
}

function writeRay(
  caller: string,
  bvh: MeshBvh,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
  options: CastRayOptions | number,
): Kernel {
  requireBvh(caller, 'bvh', bvh);
  if (typeof options !== 'number') requireQueryOptions(caller, options);
  requireLength(caller, 'origin', origin, 3);
  requireLength(caller, 'direction', direction, 3);
  const kernel = bvh.kernel;
  const f64 = kernel.f64;
  const at = QUERY_INPUTS / 8;
  const minT = typeof options === 'number' || options.minT === undefined ? 0 : options.minT;
  const maxT = typeof options === 'number' ? options : options.maxT === undefined ? Infinity : options.maxT;
  const isNumeric = typeof minT === 'number' && typeof maxT === 'number';
  const size =
    !isNumeric || !areNumbers(origin) || !areNumbers(direction)
      ? Number.NaN
      : Math.max(Math.abs(origin[0]), Math.abs(origin[1]), Math.abs(origin[2]));
  const speed = Math.max(Math.abs(direction[0]), Math.abs(direction[1]), Math.abs(direction[2]));
  if (!isRay(size, speed) || !isRange(minT, maxT)) {
    throw new MisuseError(
      `${caller}: ray, got origin ${listValues(origin)}, direction ${listValues(direction)}, minT ${describeValue(minT)}, maxT ${describeValue(maxT)}, ${EXPECTED_RAY}`,
    );
  }
  f64[at] = origin[0];
  f64[at + 1] = origin[1];
  f64[at + 2] = origin[2];
  f64[at + 3] = direction[0];
  f64[at + 4] = direction[1];
  f64[at + 5] = direction[2];
  f64[at + 6] = minT;
  f64[at + 7] = maxT;
  return kernel;
}

const areNumbers = (x: ArrayLike<unknown>): boolean =>
  typeof x[0] === 'number' && typeof x[1] === 'number' && typeof x[2] === 'number';

export function requireHit(caller: string, out: RayHit): void {
  if (typeof out !== 'object' || out?.point?.length !== 3 || out.normal?.length !== 3 || out.barycentric?.length !== 3)
    throwMisuse(caller, 'out', out, 'what createRayHit returned');
}

export const EXPECTED_RAY = `expected finite numbers within +-${MAX_COORDINATE}, a direction that is not zero, 0 <= minT <= maxT`;

/** From the largest |coordinate| of origin and direction. */
export function isRay(size: number, speed: number): boolean {
  return size <= MAX_COORDINATE && speed > 0 && speed <= MAX_COORDINATE;
}

export function isRange(minT: number, maxT: number): boolean {
  return minT >= 0 && minT < Infinity && maxT >= minT;
}
