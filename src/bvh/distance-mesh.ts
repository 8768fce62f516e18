/**
 * Smallest distance between two meshes, with closest points and triangles; and whether it is within a tolerance.
 *
 * Surfaces only: 0 with a common point when the meshes intersect, the distance of the surfaces when one holds the other.
 * Error: about 1e-15 of the coordinates' spread. Cost: tens to hundreds of microseconds (kernel: assembly/mesh/distance.ts).
 * Tests: mesh-pairs.test.ts, test/oracle/mesh-pairs.test.ts.
 */

import type { Kernel } from '../kernel/kernel.js';
import { HINT_TRIANGLES, RESULT_NUMBERS, RESULT_TRIANGLES } from '../kernel/layout.js';
import { meshPairs } from '../kernel/parts/mesh-pairs.js';
import { requireNotNegative, throwMisuse } from '../math/arguments.js';
import type { Transform } from '../math/transform.js';
import type { Vec3 } from '../math/vec3.js';
import { writeTriangle } from './build-tree.js';
import { requireHint, requireQueryOptions } from './bvh-door.js';
import { addCounts } from './collide-mesh.js';
import type { MeshBvh } from './mesh-bvh.js';
import { openPairQuery } from './pair-query.js';
import type { PairStats } from './pair-stats.js';

export interface MeshDistance {
  /** Infinity when nothing closer than the upper bound exists, or a mesh is empty. */
  distance: number;
  /** Closest points, both in the frame of A; not written when the distance is Infinity. */
  readonly pointA: Vec3;
  readonly pointB: Vec3;
  /** -1 when the distance is Infinity. */
  triangleA: number;
  triangleB: number;
}

/** Two triangles to measure first: an earlier result of this pair, kept by the caller. Ignored when out of range. */
export interface TrianglePair {
  readonly triangleA: number;
  readonly triangleB: number;
}

export interface DistanceMeshOptions {
  /** Distances from here on are reported as Infinity. Default Infinity. */
  readonly upperBound?: number;
  /** The result may be larger than the smallest distance by this share of that: fewer triangles are looked at. Default 0. */
  readonly relativeError?: number;
  readonly stats?: PairStats;
  readonly hint?: TrianglePair;
}

export interface ToleranceMeshOptions {
  readonly stats?: PairStats;
  readonly hint?: TrianglePair;
}

const SMALLEST_NORMAL = 2 ** -1022;

export function createMeshDistance(): MeshDistance {
  return {
    distance: Infinity,
    pointA: new Float64Array(3),
    pointB: new Float64Array(3),
    triangleA: -1,
    triangleB: -1,
  };
}

export function distanceMeshMesh(
  result: MeshDistance,
  a: MeshBvh,
  b: MeshBvh,
  X_AB: Transform,
  options: DistanceMeshOptions = {},
): MeshDistance {
  requireQueryOptions('distanceMeshMesh', options);
  requireHint('distanceMeshMesh', options.hint);
  if (result?.pointA?.length !== 3 || result.pointB?.length !== 3)
    throwMisuse('distanceMeshMesh', 'result', result, 'what createMeshDistance returned');
  const kernel = openPairQuery('distanceMeshMesh', a, b, X_AB);
  const upperBound = options.upperBound === undefined ? Infinity : options.upperBound;
  requireNotNegative('distanceMeshMesh', 'upperBound', upperBound);
  const relativeError = options.relativeError === undefined ? 0 : options.relativeError;
  requireNotNegative('distanceMeshMesh', 'relativeError', relativeError);
  // Read before the result is cleared: the hint may be the result of the last call.
  const hintA = options.hint ? options.hint.triangleA : -1;
  const hintB = options.hint ? options.hint.triangleB : -1;
  result.distance = Infinity;
  result.triangleA = -1;
  result.triangleB = -1;
  if (a.triangleCount === 0 || b.triangleCount === 0) return result;

  const useHint = writeHint(kernel, a, b, hintA, hintB);
  const share = 1 / (1 + relativeError) ** 2;
  const found = kernel.part(meshPairs).distance(a.address, b.address, upperBound * upperBound, 0, share, useHint);
  if (found > 0) {
    const f64 = kernel.f64;
    const at = RESULT_NUMBERS / 8;
    result.distance = Math.sqrt(f64[at]);
    for (let i = 0; i < 3; i++) {
      result.pointA[i] = f64[at + 1 + i];
      result.pointB[i] = f64[at + 4 + i];
    }
    const u32 = kernel.u32;
    result.triangleA = found === 2 ? hintA : u32[RESULT_TRIANGLES / 4];
    result.triangleB = found === 2 ? hintB : u32[RESULT_TRIANGLES / 4 + 1];
  }
  if (options.stats) addCounts(options.stats, kernel);
  return result;
}

/** The kernel looks for squares strictly below its limit: a limit just above makes the test inclusive. */
export function inclusiveLimit(square: number): number {
  return square * (1 + 4 * Number.EPSILON) + SMALLEST_NORMAL;
}

/** True when the meshes come within `tolerance` of each other (inclusive). */
export function toleranceMeshMesh(
  a: MeshBvh,
  b: MeshBvh,
  X_AB: Transform,
  tolerance: number,
  options: ToleranceMeshOptions = {},
): boolean {
  requireQueryOptions('toleranceMeshMesh', options);
  requireHint('toleranceMeshMesh', options.hint);
  const kernel = openPairQuery('toleranceMeshMesh', a, b, X_AB);
  requireNotNegative('toleranceMeshMesh', 'tolerance', tolerance);
  if (a.triangleCount === 0 || b.triangleCount === 0) return false;
  const useHint = options.hint ? writeHint(kernel, a, b, options.hint.triangleA, options.hint.triangleB) : 0;
  const square = tolerance * tolerance;
  const found = kernel.part(meshPairs).distance(a.address, b.address, inclusiveLimit(square), square, 1, useHint);
  if (options.stats) addCounts(options.stats, kernel);
  return found > 0 && kernel.f64[RESULT_NUMBERS / 8] <= square;
}

/** Copies the two hinted triangles to the kernel; 0 when there is no such pair. */
function writeHint(kernel: Kernel, a: MeshBvh, b: MeshBvh, triangleA: number, triangleB: number): number {
  if (!(triangleA >= 0 && triangleA < a.triangleCount && triangleB >= 0 && triangleB < b.triangleCount)) return 0;
  const f64 = kernel.f64;
  writeTriangle(f64, HINT_TRIANGLES / 8, a.mesh.vertices, a.mesh.triangles, triangleA);
  writeTriangle(f64, HINT_TRIANGLES / 8 + 9, b.mesh.vertices, b.mesh.triangles, triangleB);
  return 1;
}
