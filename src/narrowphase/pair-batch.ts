/**
 * Distances and verdicts of many pairs in one call: poses in one array, answers in others. The bits of `distance` and `collide`
 * without options; what a call costs at its door is paid once.
 * Frames: W world. Cost: that of the pairs, less some 30 ns each. Checked by pair-batch.test.ts.
 */
import { requireObject, throwMisuse } from '../math/arguments.js';
import { createTransform, type Transform } from '../math/transform.js';
import { collideFully } from './collide.js';
import { Collider } from './collider.js';
import { measureFully } from './distance.js';
import { requirePoses } from './pair-arguments.js';
import { createDistanceResult } from './query.js';

/** One collider for all pairs, or one for each. */
export type PairColliders = Collider | readonly Collider[];

export interface DistancePairsOutputs {
  /** Six numbers a pair: closest point of A, then of B, in W. */
  readonly outPoints?: Float64Array;
  /** Three numbers a pair: unit normal from A to B, in W. */
  readonly outNormals?: Float64Array;
  /** 1 where the pair touches. */
  readonly outCollides?: Uint8Array;
  /** 1 where the distance is exact (status 'ok'), 0 where it is only a bound. */
  readonly outExact?: Uint8Array;
}

const X_WA = createTransform();
const X_WB = createTransform();
const result = createDistanceResult();

function load(X: Transform, poses: Float64Array, i: number): void {
  const at = poses.length === 12 ? 0 : 12 * i;
  for (let k = 0; k < 12; k++) X[k] = poses[at + k];
}

function colliderOf(colliders: PairColliders, i: number): Collider {
  return colliders instanceof Collider ? colliders : colliders[i];
}

function requireSide(caller: string, name: string, colliders: PairColliders, poses: Float64Array, count: number): void {
  if (!(colliders instanceof Collider)) {
    if (!Array.isArray(colliders) || colliders.length !== count)
      throwMisuse(caller, name, colliders, `what createCollider returned, or ${count} of them`);
    for (const collider of colliders)
      if (!(collider instanceof Collider)) throwMisuse(caller, name, collider, 'what createCollider returned');
  }
  if (!(poses instanceof Float64Array) || (poses.length !== 12 && poses.length !== 12 * count))
    throwMisuse(caller, `X_W${name.toUpperCase()}`, poses, `a Float64Array of 12 or ${12 * count} numbers`);
}

function requireArray(
  caller: string,
  name: string,
  array: unknown,
  kind: Float64ArrayConstructor | Uint8ArrayConstructor,
  length: number,
): void {
  if (array !== undefined && (!(array instanceof kind) || array.length !== length))
    throwMisuse(caller, name, array, `a ${kind.name} of ${length}`);
}

/** Loads pair i; throws on poses that are not finite, or out of range. */
function loadPair(caller: string, posesA: Float64Array, posesB: Float64Array, i: number): void {
  load(X_WA, posesA, i);
  load(X_WB, posesB, i);
  requirePoses(caller, X_WA, X_WB);
}

/**
 * Signed distances of n pairs, as `distance` gives them one by one, into `out` (length n). Poses are transforms of 12 numbers, one
 * after the other, or one for all pairs. Writes and returns `out`. Throws on poses that are not finite; pairs before such a one
 * have been written. Nothing is allocated.
 */
export function distancePairs(
  out: Float64Array,
  a: PairColliders,
  posesA: Float64Array,
  b: PairColliders,
  posesB: Float64Array,
  outputs: DistancePairsOutputs = {},
): Float64Array {
  if (!(out instanceof Float64Array)) throwMisuse('distancePairs', 'out', out, 'a Float64Array');
  const count = out.length;
  requireSide('distancePairs', 'a', a, posesA, count);
  requireSide('distancePairs', 'b', b, posesB, count);
  requireObject('distancePairs', 'outputs', outputs);
  const { outPoints, outNormals, outCollides, outExact } = outputs;
  requireArray('distancePairs', 'outPoints', outPoints, Float64Array, 6 * count);
  requireArray('distancePairs', 'outNormals', outNormals, Float64Array, 3 * count);
  requireArray('distancePairs', 'outCollides', outCollides, Uint8Array, count);
  requireArray('distancePairs', 'outExact', outExact, Uint8Array, count);
  const { pointA, pointB, normal } = result;
  for (let i = 0; i < count; i++) {
    const first = colliderOf(a, i);
    const second = colliderOf(b, i);
    loadPair('distancePairs', posesA, posesB, i);
    first.requireReady();
    second.requireReady();
    measureFully(result, first, X_WA, second, X_WB);
    out[i] = result.distance;
    if (outCollides) outCollides[i] = result.collides ? 1 : 0;
    if (outExact) outExact[i] = result.status === 'ok' ? 1 : 0;
    for (let k = 0; k < 3; k++) {
      if (outPoints) {
        outPoints[6 * i + k] = pointA[k];
        outPoints[6 * i + 3 + k] = pointB[k];
      }
      if (outNormals) outNormals[3 * i + k] = normal[k];
    }
  }
  return out;
}

/**
 * Which of n pairs touch, as `collide` says one by one: 1 or 0 into `out` (length n); the rest as for `distancePairs`. Returns how
 * many do.
 */
export function collidePairs(
  out: Uint8Array,
  a: PairColliders,
  posesA: Float64Array,
  b: PairColliders,
  posesB: Float64Array,
): number {
  if (!(out instanceof Uint8Array)) throwMisuse('collidePairs', 'out', out, 'a Uint8Array');
  const count = out.length;
  requireSide('collidePairs', 'a', a, posesA, count);
  requireSide('collidePairs', 'b', b, posesB, count);
  let touching = 0;
  for (let i = 0; i < count; i++) {
    const first = colliderOf(a, i);
    const second = colliderOf(b, i);
    loadPair('collidePairs', posesA, posesB, i);
    first.requireReady();
    second.requireReady();
    out[i] = collideFully(first, X_WA, second, X_WB) ? 1 : 0;
    touching += out[i];
  }
  return touching;
}
