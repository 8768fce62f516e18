/**
 * Contacts of octrees, point clouds, height fields and compounds: of every touching pair of parts, without those that walls
 * between adjacent parts would make.
 *
 * Method: 1. every touching pair of cores gives its corners (manifold.ts) or its witness, with its own normal and depth;
 * 2. that normal is believed when it leads out: just outside the witness, no other part of the same shape is in the way;
 * 3. otherwise the normal of the whole pair is taken, with the depth of this pair along it.
 * Frames: A's frame; rows as GROUP_CONTACT_STRIDE says. Cost: a walk, and two point queries per touching pair.
 * Checked by test/contract/part-shapes.test.ts.
 */
import { CORE_POINTS, SupportCore } from '../geometry/support.js';
import { createTransform, type Transform } from '../math/transform.js';
import { type Collider, createCollider } from './collider.js';
import { measureCores } from './convex-pairs.js';
import { type CorePair, toCoreFrame, visitCorePairs } from './core-pairs.js';
import { exitCores, overlapsAt } from './directional-depth.js';
import { clipFeatures, limitDepths, MANIFOLD_STRIDE, MAX_MANIFOLD } from './manifold.js';
import { SIGNED } from './pair-result.js';
import { createDistanceResult, type DistanceResult } from './query.js';

/** point 0..2, normal 3..5 (A to B), depth 6, features 7 8, children 9 10. */
export const GROUP_CONTACT_STRIDE = 11;
const MAX_PAIRS = 64;
/** Of the extents: how far outside a witness other parts are looked for. */
const OUTSIDE = 1e-7;
const FACING = 0.02;

const trial = createDistanceResult();
const local = new Float64Array(3);
const manifold = new Float64Array(MANIFOLD_STRIDE * MAX_MANIFOLD);
const X_Point = createTransform();
const X_Moved = createTransform();
const NOWHERE = Float64Array.of(1, 0, 0);
let probe: Collider | null = null;

/** One touching pair of cores, kept while the walk goes on. */
interface Touch {
  readonly core: CorePair;
  readonly depth: number;
  readonly pointA: Float64Array;
  readonly pointB: Float64Array;
  readonly normal: Float64Array;
}

function map(X: Transform, v: Float64Array, w: number): Float64Array {
  const out = new Float64Array(3);
  for (let k = 0; k < 3; k++) out[k] = X[3 * k] * v[0] + X[3 * k + 1] * v[1] + X[3 * k + 2] * v[2] + w * X[9 + k];
  return out;
}

/** Cores whose corners are rewritten by the next part are copied. */
function keepCore(pair: CorePair): CorePair {
  return {
    ...pair,
    coreA: copyPoints(pair.coreA),
    coreB: copyPoints(pair.coreB),
    X_AB: pair.X_AB.slice(),
    X_WholeA: pair.X_WholeA.slice(),
  };
}

function copyPoints(core: CorePair['coreA']): CorePair['coreA'] {
  const { points, radius } = core;
  if (points.length === 0 || core.map) return core;
  return new SupportCore(CORE_POINTS, radius, 0, 0, 0, points.slice());
}

/** Whether the point x of A's frame lies in a part of the shape. */
function isInside(shape: Collider, X_AShape: Transform | null, x: ArrayLike<number>): boolean {
  if (!shape.group) return false;
  probe ??= createCollider({ type: 'convex', points: new Float64Array(3) });
  for (let k = 0; k < 3; k++) X_Point[9 + k] = x[k];
  if (!X_AShape) return overlapsAt(shape, probe, X_Point, NOWHERE, 0);
  for (let k = 0; k < 3; k++) {
    local[k] = 0;
    for (let m = 0; m < 3; m++) local[k] += X_AShape[3 * m + k] * (x[m] - X_AShape[9 + m]);
  }
  for (let k = 0; k < 3; k++) X_Point[9 + k] = local[k];
  return overlapsAt(shape, probe, X_Point, NOWHERE, 0);
}

/** Appends rows to `out`, which is emptied first; returns their number. `whole` is the pair's own answer in A's frame. */
export function gatherGroupContacts(
  out: number[],
  a: Collider,
  b: Collider,
  X_AB: Transform,
  bound: number,
  whole: DistanceResult,
): number {
  out.length = 0;
  const touches: Touch[] = [];
  visitCorePairs(a, b, X_AB, { tolerance: bound, maxPairs: MAX_PAIRS }, (pair) => {
    measureCores(trial, pair.coreA, pair.coreB, pair.X_AB, bound, SIGNED);
    if (trial.status === 'beyond-bound' || trial.distance > bound) return true;
    const { X_WholeA } = pair;
    touches.push({
      core: keepCore(pair),
      depth: -trial.distance,
      pointA: map(X_WholeA, trial.pointA, 1),
      pointB: map(X_WholeA, trial.pointB, 1),
      normal: map(X_WholeA, trial.normal, 0),
    });
    return touches.length < MAX_PAIRS;
  });
  const outside = OUTSIDE * (a.extent + b.extent);
  for (const touch of touches) addTouch(out, touch, { a, b, X_AB, outside, whole });
  return out.length / GROUP_CONTACT_STRIDE;
}

interface Scene {
  readonly a: Collider;
  readonly b: Collider;
  readonly X_AB: Transform;
  readonly outside: number;
  readonly whole: DistanceResult;
}

function addTouch(out: number[], touch: Touch, { a, b, X_AB, outside, whole }: Scene): void {
  const { core, pointA, pointB, normal } = touch;
  const leads =
    !isInside(
      a,
      null,
      pointA.map((x, k) => x + outside * normal[k]),
    ) &&
    !isInside(
      b,
      X_AB,
      pointB.map((x, k) => x - outside * normal[k]),
    );
  const n = leads ? normal : whole.normal;
  toCoreFrame(local, core.X_WholeA, n);
  const along = local.slice();
  const { coreA, coreB } = core;
  const depth = leads ? touch.depth : exitCores(coreA, coreB, core.X_AB, along, 1e-12 * (a.extent + b.extent));
  const rows = clipFeatures(manifold, coreA, coreB, core.X_AB, along, FACING);
  const needsWitness = rows === 0 || limitDepths(manifold, rows, depth, 1e-3 * outside);
  for (let i = 0; i < rows; i++) {
    const at = MANIFOLD_STRIDE * i;
    const middle = Float64Array.from({ length: 3 }, (_, k) => 0.5 * (manifold[at + k] + manifold[at + 3 + k]));
    addRow(out, map(core.X_WholeA, middle, 1), n, manifold[at + 6], core);
  }
  if (!needsWitness) return;
  if (leads) {
    addRow(
      out,
      pointA.map((x, k) => 0.5 * (x + pointB[k])),
      n,
      depth,
      core,
    );
    return;
  }
  X_Moved.set(core.X_AB);
  for (let k = 0; k < 3; k++) X_Moved[9 + k] += depth * along[k];
  measureCores(trial, coreA, coreB, X_Moved, Infinity, SIGNED);
  const surface = map(core.X_WholeA, trial.pointA, 1);
  addRow(
    out,
    surface.map((x, k) => x - 0.5 * depth * n[k]),
    n,
    depth,
    core,
  );
}

function addRow(out: number[], point: ArrayLike<number>, n: ArrayLike<number>, depth: number, core: CorePair): void {
  out.push(point[0], point[1], point[2], n[0], n[1], n[2], depth);
  out.push(core.featureA, core.featureB, core.childA, core.childB);
}
