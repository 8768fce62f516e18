/**
 * Distances and verdicts of many pairs in one call: poses in one array, answers in others. The bits of `distance` and `collide`
 * without options, looked at before the first is answered.
 * Frames: W world. Cost: that of the pairs and of a copy of their poses, some 20 ns. Checked by pair-batch.test.ts.
 */
import { LONGEST } from '../geometry/shape-range.js';
import { requireObject, throwMisuse } from '../math/arguments.js';
import { copyTransformAt, createTransform, type Transform } from '../math/transform.js';
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

/** One side of a batch: where its colliders and poses come from. */
class Side {
  private list: readonly Collider[] | null = null;
  private single: Collider | null = null;
  private poses = X_WA;
  private isFixed = false;

  constructor(private readonly X: Transform) {}

  open(colliders: PairColliders, poses: Float64Array): void {
    this.poses = poses;
    this.isFixed = poses.length === 12;
    this.list = colliders instanceof Collider ? null : colliders;
    this.single = colliders instanceof Collider ? colliders : null;
    this.single?.requireReady();
    if (this.isFixed) copyTransformAt(this.X, 0, poses, 0);
  }

  /** The collider of pair i, with its pose in `X`. */
  take(i: number): Collider {
    if (!this.isFixed) copyTransformAt(this.X, 0, this.poses, 12 * i);
    if (this.single !== null) return this.single;
    const collider = this.list![i];
    collider.requireReady();
    return collider;
  }

  /** Lets go of what was handed over. */
  close(): void {
    this.list = null;
    this.single = null;
    this.poses = this.X;
  }
}

const sideA = new Side(X_WA);
const sideB = new Side(X_WB);

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

/** Whether squares say at once that all numbers are in range: false for NaN too. Four sums, since each addition waits for the one before. */
function arePlain(poses: Float64Array): boolean {
  let [p, q, r, s] = [0, 0, 0, 0];
  for (let i = 0; i < poses.length; i += 4) {
    const x = poses[i];
    const y = poses[i + 1];
    const z = poses[i + 2];
    const w = poses[i + 3];
    p += x * x;
    q += y * y;
    r += z * z;
    s += w * w;
  }
  return p + q + r + s <= LONGEST * LONGEST;
}

/** Throws on poses that are not finite, or out of range, before anything is written. */
function requireAllPoses(caller: string, posesA: Float64Array, posesB: Float64Array): void {
  if (arePlain(posesA) && arePlain(posesB)) return;
  const last = Math.max(posesA.length, posesB.length) - 12;
  for (let at = 0; at <= last; at += 12) {
    copyTransformAt(X_WA, 0, posesA, posesA.length === 12 ? 0 : at);
    copyTransformAt(X_WB, 0, posesB, posesB.length === 12 ? 0 : at);
    requirePoses(caller, X_WA, X_WB);
  }
}

/**
 * Signed distances of n pairs, as `distance` gives them one by one, into `out` (length n). Poses are transforms of 12 numbers, one
 * after the other, or one for all pairs. Writes and returns `out`. Throws on poses that are not finite, with nothing
 * written. Nothing is allocated.
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
  requireAllPoses('distancePairs', posesA, posesB);
  sideA.open(a, posesA);
  sideB.open(b, posesB);
  const { pointA, pointB, normal } = result;
  for (let i = 0; i < count; i++) {
    measureFully(result, sideA.take(i), X_WA, sideB.take(i), X_WB);
    out[i] = result.distance;
    if (outCollides) outCollides[i] = result.collides ? 1 : 0;
    if (outExact) outExact[i] = result.status === 'ok' ? 1 : 0;
    if (outPoints) {
      const at = 6 * i;
      outPoints[at] = pointA[0];
      outPoints[at + 1] = pointA[1];
      outPoints[at + 2] = pointA[2];
      outPoints[at + 3] = pointB[0];
      outPoints[at + 4] = pointB[1];
      outPoints[at + 5] = pointB[2];
    }
    if (outNormals) {
      const at = 3 * i;
      outNormals[at] = normal[0];
      outNormals[at + 1] = normal[1];
      outNormals[at + 2] = normal[2];
    }
  }
  sideA.close();
  sideB.close();
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
  requireAllPoses('collidePairs', posesA, posesB);
  sideA.open(a, posesA);
  sideB.open(b, posesB);
  let touching = 0;
  for (let i = 0; i < count; i++) {
    out[i] = collideFully(sideA.take(i), X_WA, sideB.take(i), X_WB) ? 1 : 0;
    touching += out[i];
  }
  sideA.close();
  sideB.close();
  return touching;
}
