/**
 * Octree, points, height field or compound against anything: the nearest pair of parts, or the push-out of an overlap.
 *
 * Method: 1. walk the pairs of parts, nearest boxes first, with the best distance so far as the radius; 2. apart: the
 * nearest pair's answer; 3. overlapping and all parts solid: the push-out of the whole (push-out.ts), so that walls between
 * adjacent parts never decide; with a surface among the overlapping parts distance 0 and a common point; 4. a half-space
 * takes the deepest part, which is exact for both signs.
 * Frames: A's frame, X_AB. Status: 'ok' when apart, and for an overlap whose depth is proven; else 'depth-bound'.
 * Cost: the walk plus the part pairs. Checked by test/contract/part-shapes.test.ts.
 */
import type { Transform } from '../math/transform.js';
import { type Collider, HALFSPACE } from './collider.js';
import { writeCommonPoint } from './common-point.js';
import { measureColliders, turnResult } from './pair-matrix.js';
import { GAP, SIGNED, setBeyond, WITHIN } from './pair-result.js';
import { writePushOut } from './push-out.js';
import { createDistanceResult, type DistanceResult } from './query.js';
import { type PartPair, traverseParts } from './traverse-parts.js';

const trial = createDistanceResult();
let target: DistanceResult = trial;
/** Distance of the best pair of parts so far. */
let best = Infinity;
let found = false;
let partMode = GAP;
/** The walk ends at or below this. */
let enough = 0;

function copyAnswer(out: DistanceResult, pair: PartPair): void {
  out.status = trial.status;
  out.distance = trial.distance;
  for (let k = 0; k < 3; k++) {
    out.pointA[k] = trial.pointA[k];
    out.pointB[k] = trial.pointB[k];
    out.normal[k] = trial.normal[k];
  }
  turnResult(out, pair.X_WholeA);
  nameParts(out, pair, trial);
}

/** Features of the parts where they have their own, else their numbers. */
function nameParts(out: DistanceResult, pair: PartPair, own: DistanceResult): void {
  out.featureA = own.featureA >= 0 ? own.featureA : pair.featureA;
  out.featureB = own.featureB >= 0 ? own.featureB : pair.featureB;
  out.childA = pair.childA;
  out.childB = pair.childB;
}

function visitPart(pair: PartPair): number {
  trial.featureA = -1;
  trial.featureB = -1;
  measureColliders(trial, pair.a, pair.b, pair.X_AB, best, partMode);
  if (trial.status === 'beyond-bound' || trial.distance >= best) return best;
  found = true;
  best = trial.distance;
  if (partMode === SIGNED || (partMode === GAP && best > 0)) copyAnswer(target, pair);
  else nameParts(target, pair, trial);
  return best <= enough ? -Infinity : best;
}

/** a: any collider, b: a group; or both groups. */
export function measureGroup(
  out: DistanceResult,
  a: Collider,
  b: Collider,
  X_AB: Transform,
  bound: number,
  mode: number,
): void {
  const signedParts = a.type === HALFSPACE && mode === SIGNED;
  searchParts(out, a, b, X_AB, bound, { mode: signedParts ? SIGNED : mode === SIGNED ? GAP : mode, signedParts });
  if (!found) {
    out.featureA = -1;
    out.featureB = -1;
    setBeyond(out, bound);
    return;
  }
  out.distance = best;
  if (mode === WITHIN || (mode === GAP && best <= 0)) {
    out.status = best > 0 ? 'ok' : 'collides';
    return;
  }
  if (best > 0 || signedParts) return;
  const { featureA, featureB, childA, childB } = out;
  if (!writePushOut(out, a, b, X_AB)) {
    out.distance = 0;
    out.status = 'depth-bound';
    if (writeCommonPoint(out, a, b, X_AB)) return;
  }
  out.featureA = featureA;
  out.featureB = featureB;
  out.childA = childA;
  out.childB = childB;
}

function searchParts(
  out: DistanceResult,
  a: Collider,
  b: Collider,
  X_AB: Transform,
  bound: number,
  how: Readonly<{ mode: number; signedParts: boolean }>,
): void {
  target = out;
  partMode = how.mode;
  // A part exactly at the bound counts, so the first comparison is against the next number up.
  best = Math.max(bound, 0);
  if (best < Infinity) best = best * (1 + Number.EPSILON) + Number.MIN_VALUE;
  enough = how.signedParts ? -Infinity : partMode === WITHIN ? Math.max(bound, 0) : 0;
  found = false;
  traverseParts(a, b, X_AB, best, visitPart);
}
