/**
 * Do two meshes touch? With the first pair of triangles found, or all of them.
 *
 * Surfaces only: a mesh inside another one does not touch it. The verdict is "distance <= tolerance", by the routine that
 * `distanceMeshMesh` measures with. Which pair is found first depends on the trees only.
 * Cost: microseconds (kernel: assembly/mesh/collide.ts). Tests: mesh-pairs.test.ts, test/oracle/mesh-pairs.test.ts.
 */

import type { Kernel } from '../kernel/kernel.js';
import { PAIR_BUFFER, RESULT_COUNTS, RESULT_TRIANGLES } from '../kernel/layout.js';
import { meshPairs } from '../kernel/parts/mesh-pairs.js';
import { requireList, requireNotNegative, throwMisuse } from '../math/arguments.js';
import type { Transform } from '../math/transform.js';
import { requireQueryOptions } from './bvh-door.js';
import type { MeshBvh } from './mesh-bvh.js';
import { defaultTolerance, openPairQuery } from './pair-query.js';
import type { PairStats } from './pair-stats.js';

export interface MeshCollision {
  collides: boolean;
  /** Indices of the first pair found, -1 without one. */
  triangleA: number;
  triangleB: number;
}

export interface CollideMeshOptions {
  /** Default: 1e-10 x (largest extent + largest |coordinate| of the pair). */
  readonly tolerance?: number;
  readonly stats?: PairStats;
  /** List this many pairs of touching triangles instead of ending at the first. */
  readonly maxPairs?: number;
  /** Receives triangleA, triangleB of every pair, flat; emptied first. */
  readonly outPairs?: number[];
  /** Result object to write to instead of a new one. */
  readonly out?: MeshCollision;
}

export function createMeshCollision(): MeshCollision {
  return { collides: false, triangleA: -1, triangleB: -1 };
}

function requireResult(out: MeshCollision): void {
  if (typeof out?.triangleA !== 'number' || Object.isFrozen(out))
    throwMisuse('collideMeshMesh', 'options.out', out, 'what createMeshCollision returned');
}

export function collideMeshMesh(
  a: MeshBvh,
  b: MeshBvh,
  X_AB: Transform,
  options: CollideMeshOptions = {},
): MeshCollision {
  requireQueryOptions('collideMeshMesh', options);
  if (options.out !== undefined) requireResult(options.out);
  if (options.outPairs !== undefined) requireList('collideMeshMesh', 'options.outPairs', options.outPairs);
  if (options.maxPairs !== undefined) requireNotNegative('collideMeshMesh', 'options.maxPairs', options.maxPairs);
  const out = options.out ?? createMeshCollision();
  const kernel = openPairQuery('collideMeshMesh', a, b, X_AB);
  const tolerance = options.tolerance === undefined ? defaultTolerance(a, b, X_AB) : options.tolerance;
  if (typeof tolerance !== 'number' || !(tolerance >= 0 && tolerance < Infinity))
    throwMisuse('collideMeshMesh', 'tolerance', tolerance, 'a finite number >= 0');
  out.collides = false;
  out.triangleA = -1;
  out.triangleB = -1;
  const pairs = options.outPairs;
  if (pairs) pairs.length = 0;
  if (a.triangleCount === 0 || b.triangleCount === 0) return out;

  const limit = pairs ? Math.min(options.maxPairs ?? Infinity, 0x7fffffff) : 1;
  let found = limit > 0 ? kernel.part(meshPairs).collide(a.address, b.address, tolerance, limit) : 0;
  if (found > 0) {
    const at = RESULT_TRIANGLES / 4;
    out.collides = true;
    out.triangleA = kernel.u32[at];
    out.triangleB = kernel.u32[at + 1];
  }
  while (pairs && found > 0) {
    takePairs(pairs, kernel, found);
    const missing = limit - pairs.length / 2;
    found = missing > 0 ? kernel.part(meshPairs).resumeCollide(missing) : 0;
  }
  if (options.stats) addCounts(options.stats, kernel);
  return out;
}

function takePairs(pairs: number[], kernel: Kernel, found: number): void {
  const u32 = kernel.u32;
  const at = PAIR_BUFFER / 4;
  for (let i = 0; i < 2 * found; i++) pairs.push(u32[at + i]);
}

/** Adds the kernel's work counts of the last query. */
export function addCounts(stats: PairStats, kernel: Kernel): void {
  const at = RESULT_COUNTS / 4;
  stats.nodeTests += kernel.u32[at];
  stats.primitiveTests += kernel.u32[at + 1];
}
