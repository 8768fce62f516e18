/**
 * Many rays against one mesh: the answers of `castRayMesh`, bit for bit, at about half of the time.
 *
 * Method: rays go to the kernel by the hundred, which walks eight of them in turn (assembly/mesh/near-first.ts).
 * Test: cast-rays.test.ts.
 */

import type { Kernel } from '../kernel/kernel.js';
import {
  QUERY_CAPACITY,
  QUERY_INPUTS,
  QUERY_RESULTS,
  RAY_ANY,
  RAY_INPUT_BYTES,
  RAY_RESULT_BYTES,
} from '../kernel/layout.js';
import { meshRays } from '../kernel/parts/mesh-rays.js';
import { requireCount, requireFloats, requireIndex, requireNotNegative, throwMisuse } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { requireBvh, requireQueryOptions } from './bvh-door.js';
import { EXPECTED_RAY, isRange, isRay, type RaySides, requireHit, sidesOf } from './cast-ray.js';
import { describeRayHit, type RayHit } from './cast-ray-hit.js';
import { addCounts } from './collide-mesh.js';
import type { MeshBvh } from './mesh-bvh.js';
import type { PairStats } from './pair-stats.js';

export interface CastRaysOptions {
  /** Hits at smaller t do not count. Default 0. */
  readonly minT?: number;
  /** Hits at larger t do not count: one number, or one per ray. Default Infinity. */
  readonly maxT?: number | Float64Array;
  /** Default `both`. */
  readonly sides?: RaySides;
  /** `any` ends a ray at whatever it hits first in the walk: for shadows and lines of sight. Default `first`. */
  readonly find?: 'first' | 'any';
  readonly stats?: PairStats;
}

export interface RayHits {
  /** Origin + t direction is the hit of a ray; Infinity for a miss. */
  readonly t: Float64Array;
  /** Index in the mesh; -1 for a miss. */
  readonly triangle: Int32Array;
  /** 1 when the ray came from the front of the triangle. */
  readonly isFront: Uint8Array;
}

/** Room for the answers of `count` rays. */
export function createRayHits(count: number): RayHits {
  requireCount('createRayHits', 'count', count);
  return { t: new Float64Array(count), triangle: new Int32Array(count), isFront: new Uint8Array(count) };
}

/**
 * Casts rays.length / 6 rays: origin (3) and direction (3) of one after the other, in the mesh frame. Throws on rays that
 * `castRayMesh` refuses, naming one, and when `out` has no room.
 */
export function castRays(out: RayHits, bvh: MeshBvh, rays: Float64Array, options: CastRaysOptions = {}): RayHits {
  requireBvh('castRays', 'bvh', bvh);
  requireQueryOptions('castRays', options);
  requireFloats('castRays', 'rays', rays);
  const count = rays.length / 6;
  const { minT = 0, maxT = Infinity, find = 'first', stats } = options;
  checkBatch(out, rays, maxT);
  if (find !== 'first' && find !== 'any') {
    throwMisuse('castRays', 'find', find, "'first' or 'any'");
  }
  requireNotNegative('castRays', 'minT', minT);
  const mode = sidesOf('castRays', options as { sides?: RaySides }) | (find === 'any' ? RAY_ANY : 0);
  const { kernel } = bvh;
  const isEmpty = bvh.triangleCount === 0;
  for (let start = 0; start < count; start += QUERY_CAPACITY) {
    const size = Math.min(QUERY_CAPACITY, count - start);
    writeRays(kernel.f64, rays, { start, size, minT, maxT });
    if (isEmpty) {
      out.t.fill(Infinity, start, start + size);
      out.triangle.fill(-1, start, start + size);
      continue;
    }
    kernel.part(meshRays).castRays(bvh.address, size, mode);
    readHits(out, kernel, start, size);
    if (stats) addCounts(stats, kernel);
  }
  return out;
}

function checkBatch(out: RayHits, rays: Float64Array, maxT: number | Float64Array): void {
  if (!(rays instanceof Float64Array) || rays.length % 6 !== 0) {
    throw new MisuseError(`castRays: rays, got length ${rays?.length}, expected a Float64Array with 6 numbers per ray`);
  }
  const count = rays.length / 6;
  requireHits('castRays', 'out', out);
  const room = Math.min(out.t.length, out.triangle.length, out.isFront.length);
  if (room < count) throw new MisuseError(`castRays: out, got room for ${room} rays, expected at least ${count}`);
  if (typeof maxT !== 'number') requireFloats('castRays', 'maxT', maxT);
  if (typeof maxT !== 'number' && maxT.length < count) {
    throw new MisuseError(`castRays: maxT, got ${maxT.length} numbers, expected at least ${count}`);
  }
}

/** Which rays go to the kernel. */
interface Chunk {
  readonly start: number;
  readonly size: number;
  readonly minT: number;
  readonly maxT: number | Float64Array;
}

function writeRays(f64: Float64Array, rays: Float64Array, { start, size, minT, maxT }: Chunk): void {
  let to = QUERY_INPUTS / 8;
  for (let ray = start; ray < start + size; ray++, to += RAY_INPUT_BYTES / 8) {
    const from = 6 * ray;
    const ox = rays[from];
    const oy = rays[from + 1];
    const oz = rays[from + 2];
    const dx = rays[from + 3];
    const dy = rays[from + 4];
    const dz = rays[from + 5];
    const last = typeof maxT === 'number' ? maxT : maxT[ray];
    const origin = Math.max(Math.abs(ox), Math.abs(oy), Math.abs(oz));
    const speed = Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz));
    if (!isRay(origin, speed) || !isRange(minT, last)) {
      throw new MisuseError(
        `castRays: ray ${ray}, got origin ${ox} ${oy} ${oz}, direction ${dx} ${dy} ${dz}, minT ${minT}, maxT ${last}, ${EXPECTED_RAY}`,
      );
    }
    f64[to] = ox;
    f64[to + 1] = oy;
    f64[to + 2] = oz;
    f64[to + 3] = dx;
    f64[to + 4] = dy;
    f64[to + 5] = dz;
    f64[to + 6] = minT;
    f64[to + 7] = last;
  }
}

function readHits(out: RayHits, { f64, u32 }: Kernel, start: number, size: number): void {
  const { t, triangle, isFront } = out;
  let at = QUERY_RESULTS / 8;
  for (let ray = start; ray < start + size; ray++, at += RAY_RESULT_BYTES / 8) {
    t[ray] = f64[at];
    // All ones, the kernel's sign of a miss, is -1 here.
    triangle[ray] = u32[2 * at + 2];
    isFront[ray] = u32[2 * at + 3];
  }
}

function requireHits(call: string, what: string, hits: RayHits): void {
  const { t, triangle, isFront } = Object(hits) as RayHits;
  if (!(t instanceof Float64Array && triangle instanceof Int32Array && isFront instanceof Uint8Array))
    throwMisuse(call, what, hits, 'what createRayHits returned');
}

/** All that `castRayMesh` says about ray `index` of a batch. */
export function readRayHit(out: RayHit, hits: RayHits, index: number, bvh: MeshBvh, rays: Float64Array): RayHit {
  requireHits('readRayHit', 'hits', hits);
  requireIndex('readRayHit', 'index', index, hits.t.length);
  requireBvh('readRayHit', 'bvh', bvh);
  requireFloats('readRayHit', 'rays', rays);
  if (rays.length < 6 * index + 6) throwMisuse('readRayHit', 'rays', rays, 'the 6 numbers per ray that were cast');
  requireHit('readRayHit', out);
  out.t = hits.t[index];
  out.triangle = hits.triangle[index];
  if (out.triangle >= 0) {
    out.isFront = hits.isFront[index] === 1;
    describeRayHit(out, bvh.mesh, rays.subarray(6 * index, 6 * index + 3), rays.subarray(6 * index + 3, 6 * index + 6));
  }
  return out;
}
