/**
 * One pair of meshes in many poses: the answers of `collideMeshMesh`, `distanceMeshMesh` and `toleranceMeshMesh`, bit for
 * bit, with one kernel call per 128 poses. Poses are transforms X_AB, 12 numbers each, in one array.
 * Cost: that of the queries; about 0.1 microseconds per pose less than calls one by one. Test: mesh-poses.test.ts.
 */

import type { Kernel } from '../kernel/kernel.js';
import { POSE_CAPACITY, POSE_INPUT_BYTES, POSE_INPUTS, POSE_RESULT_BYTES, POSE_RESULTS } from '../kernel/layout.js';
import { meshPairs } from '../kernel/parts/mesh-pairs.js';
import { requireInstance, requireLength, requireNotNegative } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { requireBvh, requireQueryOptions, requireStats } from './bvh-door.js';
import { addCounts } from './collide-mesh.js';
import { inclusiveLimit } from './distance-mesh.js';
import { MAX_COORDINATE, type MeshBvh } from './mesh-bvh.js';
import { defaultTolerance } from './pair-query.js';
import type { PairStats } from './pair-stats.js';

export interface CollidePosesOptions {
  /** Default for each pose: 1e-10 x (largest extent + largest |coordinate| of the pair). */
  readonly tolerance?: number;
  /** Receives triangleA, triangleB of the first pair found, per pose; -1 without one. */
  readonly outTriangles?: Int32Array;
  readonly stats?: PairStats;
}

export interface DistancePosesOptions {
  /** Distances from here on are reported as Infinity. Default Infinity. */
  readonly upperBound?: number;
  /** Receives point A (3) and point B (3) per pose, in the frame of A; not written where the distance is Infinity. */
  readonly outPoints?: Float64Array;
  /** Receives triangleA, triangleB per pose; -1 where the distance is Infinity. */
  readonly outTriangles?: Int32Array;
  readonly stats?: PairStats;
}

/** Writes 1 per pose where the surfaces touch, else 0. Lengths: out n, poses 12 n. */
export function collideMeshPoses(
  out: Uint8Array,
  a: MeshBvh,
  b: MeshBvh,
  poses: Float64Array,
  options: CollidePosesOptions = {},
): Uint8Array {
  requireOutput('collideMeshPoses', 'out', out, Uint8Array);
  requireQueryOptions('collideMeshPoses', options);
  if (options.tolerance !== undefined) requireNotNegative('collideMeshPoses', 'tolerance', options.tolerance);
  const { tolerance, outTriangles, stats } = options;
  const kernel = checkBatch('collideMeshPoses', a, b, poses, out.length);
  if (tolerance !== undefined && !(tolerance >= 0 && tolerance < Infinity)) {
    throw new MisuseError(`collideMeshPoses: tolerance, got ${tolerance}, expected a finite number >= 0`);
  }
  checkOutput('collideMeshPoses', 'outTriangles', Int32Array, outTriangles, 2 * out.length);
  out.fill(0);
  outTriangles?.fill(-1);
  if (a.triangleCount === 0 || b.triangleCount === 0) return out;
  forEachChunk(out.length, (first, count) => {
    writePoses(kernel, poses, first, count, (X_AB) => tolerance ?? defaultTolerance(a, b, X_AB));
    kernel.part(meshPairs).collidePoses(a.address, b.address, count);
    for (let k = 0; k < count; k++) if (readFound(kernel, k) > 0) out[first + k] = 1;
    if (outTriangles) readTriangles(outTriangles, kernel, first, count);
    if (stats) addCounts(stats, kernel);
  });
  return out;
}

/** Writes the distance of the surfaces per pose. Lengths: out n, poses 12 n. */
export function distanceMeshPoses(
  out: Float64Array,
  a: MeshBvh,
  b: MeshBvh,
  poses: Float64Array,
  options: DistancePosesOptions = {},
): Float64Array {
  requireOutput('distanceMeshPoses', 'out', out, Float64Array);
  requireQueryOptions('distanceMeshPoses', options);
  const { upperBound = Infinity, outPoints, outTriangles, stats } = options;
  const kernel = checkBatch('distanceMeshPoses', a, b, poses, out.length);
  requireNotNegative('distanceMeshPoses', 'upperBound', upperBound);
  checkOutput('distanceMeshPoses', 'outPoints', Float64Array, outPoints, 6 * out.length);
  checkOutput('distanceMeshPoses', 'outTriangles', Int32Array, outTriangles, 2 * out.length);
  out.fill(Infinity);
  outTriangles?.fill(-1);
  if (a.triangleCount === 0 || b.triangleCount === 0) return out;
  forEachChunk(out.length, (first, count) => {
    writePoses(kernel, poses, first, count, () => upperBound * upperBound);
    kernel.part(meshPairs).distancePoses(a.address, b.address, count, 0);
    const { f64 } = kernel;
    for (let k = 0; k < count; k++) {
      if (readFound(kernel, k) === 0) continue;
      const at = (POSE_RESULTS + k * POSE_RESULT_BYTES) / 8;
      out[first + k] = Math.sqrt(f64[at]);
      if (outPoints) for (let i = 0; i < 6; i++) outPoints[6 * (first + k) + i] = f64[at + 1 + i];
    }
    if (outTriangles) readTriangles(outTriangles, kernel, first, count);
    if (stats) addCounts(stats, kernel);
  });
  return out;
}

/** Writes 1 per pose where the surfaces come within `tolerance` (inclusive), else 0. Lengths: out n, poses 12 n. */
export function toleranceMeshPoses(
  out: Uint8Array,
  a: MeshBvh,
  b: MeshBvh,
  poses: Float64Array,
  tolerance: number,
  stats?: PairStats,
): Uint8Array {
  requireOutput('toleranceMeshPoses', 'out', out, Uint8Array);
  requireStats('toleranceMeshPoses', 'stats', stats);
  const kernel = checkBatch('toleranceMeshPoses', a, b, poses, out.length);
  requireNotNegative('toleranceMeshPoses', 'tolerance', tolerance);
  out.fill(0);
  if (a.triangleCount === 0 || b.triangleCount === 0) return out;
  const square = tolerance * tolerance;
  forEachChunk(out.length, (first, count) => {
    writePoses(kernel, poses, first, count, () => inclusiveLimit(square));
    kernel.part(meshPairs).distancePoses(a.address, b.address, count, square);
    for (let k = 0; k < count; k++) {
      const at = (POSE_RESULTS + k * POSE_RESULT_BYTES) / 8;
      if (readFound(kernel, k) > 0 && kernel.f64[at] <= square) out[first + k] = 1;
    }
    if (stats) addCounts(stats, kernel);
  });
  return out;
}

type Output = typeof Uint8Array | typeof Float64Array | typeof Int32Array;

function requireOutput(call: string, what: string, out: unknown, type: Output): void {
  requireInstance(call, what, out, type, `a ${type.name} with numbers for every pose`);
}

function forEachChunk(total: number, visit: (first: number, count: number) => void): void {
  for (let first = 0; first < total; first += POSE_CAPACITY) visit(first, Math.min(POSE_CAPACITY, total - first));
}

function writePoses(
  kernel: Kernel,
  poses: Float64Array,
  first: number,
  count: number,
  numberOf: (X_AB: Float64Array) => number,
): void {
  const { f64 } = kernel;
  for (let k = 0; k < count; k++) {
    const X_AB = poses.subarray(12 * (first + k), 12 * (first + k) + 12);
    const at = (POSE_INPUTS + k * POSE_INPUT_BYTES) / 8;
    f64.set(X_AB, at);
    f64[at + 12] = numberOf(X_AB);
  }
}

function readFound(kernel: Kernel, k: number): number {
  return kernel.u32[(POSE_RESULTS + k * POSE_RESULT_BYTES) / 4 + 16];
}

function readTriangles(out: Int32Array, kernel: Kernel, first: number, count: number): void {
  for (let k = 0; k < count; k++) {
    if (readFound(kernel, k) === 0) continue;
    const at = (POSE_RESULTS + k * POSE_RESULT_BYTES) / 4 + 14;
    out[2 * (first + k)] = kernel.u32[at];
    out[2 * (first + k) + 1] = kernel.u32[at + 1];
  }
}

function checkOutput(caller: string, what: string, type: Output, out: unknown, length: number): void {
  if (out === undefined) return;
  requireOutput(caller, what, out, type);
  requireLength(caller, what, out, length);
}

function checkBatch(caller: string, a: MeshBvh, b: MeshBvh, poses: Float64Array, count: number): Kernel {
  requireBvh(caller, 'a', a);
  requireBvh(caller, 'b', b);
  if (a.kernel !== b.kernel) {
    throw new MisuseError(
      `${caller}: trees, got two from different kernels, expected both built after the last useKernel`,
    );
  }
  requireOutput(caller, 'poses', poses, Float64Array);
  requireLength(caller, 'poses', poses, 12 * count);
  for (let i = 0; i < poses.length; i++) {
    if (!(Math.abs(poses[i]) <= MAX_COORDINATE)) {
      throw new MisuseError(`${caller}: poses[${i}], got ${poses[i]}, expected numbers within +-${MAX_COORDINATE}`);
    }
  }
  return a.kernel;
}
