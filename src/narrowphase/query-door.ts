/** Misuse checks and work counts shared by the public pair queries. */

import { LONGEST } from '../geometry/validate-shape.js';
import { MisuseError } from '../math/misuse.js';
import type { Transform } from '../math/transform.js';
import { countRounds } from './convex-kernel.js';
import { countTriangleTests } from './mesh-convex.js';
import { kernelCounts } from './mesh-mesh.js';
import type { PairOptions, QueryStats } from './query.js';
import { countBoxTests } from './walk-parts.js';

function isInRange(X: Transform): boolean {
  for (let i = 0; i < 12; i++) if (!(Math.abs(X[i]) <= LONGEST)) return false;
  return true;
}

/** Throws unless both poses are finite, and their coordinates within the range of all shapes. */
export function requirePoses(caller: string, X_WA: Transform, X_WB: Transform): void {
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += Math.abs(X_WA[i]) + Math.abs(X_WB[i]);
  // False for NaN too.
  if (!(sum <= LONGEST) && !(isInRange(X_WA) && isInRange(X_WB)))
    throw new MisuseError(
      `${caller}: pose, got [${Array.from(X_WA)}] and [${Array.from(X_WB)}], expected 12 finite numbers each, within +-${LONGEST}`,
    );
}

/** Throws on a number option that is NaN or negative. */
export function requireOption(caller: string, name: string, value: number | undefined): void {
  if (value !== undefined && !(value >= 0))
    throw new MisuseError(`${caller}: ${name}, got ${value}, expected a number >= 0`);
}

export function requireOptions(caller: string, options: PairOptions | undefined): void {
  if (options === undefined) return;
  requireOption(caller, 'margin', options.margin);
  requireOption(caller, 'tolerance', options.tolerance);
  if (options.upperBound !== undefined && Number.isNaN(options.upperBound))
    throw new MisuseError(`${caller}: upperBound, got NaN, expected a number`);
}

/** Above every distance that shapes and poses can have, with a square that is finite. */
const FARTHEST = 1e150;

/** A bound on a distance as queries take it: beyond any distance all are the same, infinite ones too. */
export function limitBound(bound: number): number {
  return Math.min(bound, FARTHEST);
}

let nodes = 0;
let primitives = 0;
let rounds = 0;

/** Remembers the counters; `addCounts` then adds what has been done since. */
export function startCounts(): void {
  const kernel = kernelCounts();
  nodes = kernel.nodeTests + countBoxTests();
  primitives = kernel.primitiveTests + countTriangleTests();
  rounds = countRounds();
}

export function addCounts(stats: QueryStats): void {
  const kernel = kernelCounts();
  stats.nodeTests += kernel.nodeTests + countBoxTests() - nodes;
  stats.primitiveTests += kernel.primitiveTests + countTriangleTests() - primitives;
  stats.iterations += countRounds() - rounds;
}
