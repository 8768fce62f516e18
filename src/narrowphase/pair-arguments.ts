/** Misuse checks and work counts shared by the public pair queries. */

import { LONGEST } from '../geometry/shape-range.js';
import { requireObject, throwMisuse } from '../math/arguments.js';
import { listValues } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import type { Transform } from '../math/transform.js';
import { Collider } from './collider.js';
import { countRounds } from './convex-kernel.js';
import { countWalkedTriangles } from './mesh-convex-walk.js';
import { kernelCounts } from './mesh-mesh.js';
import { shapeCounts } from './near-triangles.js';
import { PairCache } from './pair-cache.js';
import type { PairOptions, QueryStats } from './query.js';
import { countBoxTests } from './traverse-parts.js';

function isInRange(X: Transform): boolean {
  for (let i = 0; i < 12; i++) if (!(Math.abs(X[i]) <= LONGEST)) return false;
  return true;
}

const LARGEST_SUM = LONGEST * LONGEST;

/** Whether squares say so at once: false for NaN too. Four sums, since each addition waits for the one before. */
function arePlainlyInRange(X: Transform, Y: Transform): boolean {
  return (
    X[0] * X[0] +
      X[1] * X[1] +
      X[2] * X[2] +
      X[3] * X[3] +
      X[4] * X[4] +
      X[5] * X[5] +
      (X[6] * X[6] + X[7] * X[7] + X[8] * X[8] + X[9] * X[9] + X[10] * X[10] + X[11] * X[11]) +
      (Y[0] * Y[0] +
        Y[1] * Y[1] +
        Y[2] * Y[2] +
        Y[3] * Y[3] +
        Y[4] * Y[4] +
        Y[5] * Y[5] +
        (Y[6] * Y[6] + Y[7] * Y[7] + Y[8] * Y[8] + Y[9] * Y[9] + Y[10] * Y[10] + Y[11] * Y[11])) <=
    LARGEST_SUM
  );
}

/** Throws unless both poses are finite, and their coordinates within the range of all shapes. */
export function requirePoses(caller: string, X_WA: Transform, X_WB: Transform): void {
  if (X_WA?.length === 12 && X_WB?.length === 12 && arePlainlyInRange(X_WA, X_WB)) return;
  examinePoses(caller, X_WA, X_WB);
}

/** Apart from the common case, which is then short enough to become part of its callers. */
function examinePoses(caller: string, X_WA: Transform, X_WB: Transform): void {
  if (X_WA?.length !== 12) throwMisuse(caller, 'pose', X_WA, '12 numbers');
  if (X_WB?.length !== 12) throwMisuse(caller, 'pose', X_WB, '12 numbers');
  if (!(isInRange(X_WA) && isInRange(X_WB)))
    throw new MisuseError(
      `${caller}: pose, got [${listValues(X_WA)}] and [${listValues(X_WB)}], expected 12 finite numbers each, within +-${LONGEST}`,
    );
}

/** Throws on a number option that is NaN or negative. */
export function requireOption(caller: string, name: string, value: number | undefined): void {
  if (value !== undefined && (typeof value !== 'number' || !(value >= 0)))
    throwMisuse(caller, name, value, 'a number >= 0');
}

export function requireOptions(caller: string, options: PairOptions | undefined): void {
  if (options === undefined) return;
  requireObject(caller, 'options', options);
  requireOption(caller, 'margin', options.margin);
  requireOption(caller, 'tolerance', options.tolerance);
  const { upperBound, cache, stats } = options;
  if (upperBound !== undefined && (typeof upperBound !== 'number' || Number.isNaN(upperBound)))
    throwMisuse(caller, 'upperBound', upperBound, 'a number');
  if (cache !== undefined && !(cache instanceof PairCache))
    throwMisuse(caller, 'options.cache', cache, 'what createPairCache returned');
  if (stats !== undefined) requireStats(caller, stats);
}

/** Above every distance that shapes and poses can have, with a square that is finite. */
const FARTHEST = 1e150;

export function requireStats(caller: string, stats: QueryStats): void {
  if (typeof stats?.nodeTests !== 'number' || typeof stats.iterations !== 'number')
    throwMisuse(caller, 'options.stats', stats, 'what createQueryStats returned');
}

export function requireColliders(caller: string, a: Collider, b: Collider): void {
  // A field that nothing else has: `instanceof` costs as much as a third of a query.
  if (a?.sizes !== undefined && b?.sizes !== undefined) return;
  const isFirst = !(a instanceof Collider);
  throwMisuse(caller, isFirst ? 'a' : 'b', isFirst ? a : b, 'what createCollider returned');
}

/** A bound on a distance as queries take it: beyond any distance all are the same, infinite ones too. */
export function limitBound(bound: number): number {
  return Math.min(bound, FARTHEST);
}

let nodes = 0;
let primitives = 0;
let rounds = 0;

/** Boxes and triangles tested since the module was loaded. */
function countNodes(): number {
  return kernelCounts().nodeTests + shapeCounts().nodeTests + countBoxTests();
}

function countPrimitives(): number {
  return kernelCounts().primitiveTests + shapeCounts().primitiveTests + countWalkedTriangles();
}

/** Remembers the counters; `addCounts` then adds what has been done since. */
export function startCounts(): void {
  nodes = countNodes();
  primitives = countPrimitives();
  rounds = countRounds();
}

export function addCounts(stats: QueryStats): void {
  stats.nodeTests += countNodes() - nodes;
  stats.primitiveTests += countPrimitives() - primitives;
  stats.iterations += countRounds() - rounds;
}
