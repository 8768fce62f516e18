/**
 * Whether the distance of two bodies has one derivative where they stand, or a kink.
 *
 * Method: B is shifted along and turned about the three axes of W by a small step both ways, six motions that span all; each changes a
 * smooth distance by what its derivative says, and by a part of the order of step^2 times the curvature. At a kink some side differs by as
 * much as the derivatives of the two smooth functions that meet there differ.
 * Turning is about the middle of B's box, with B's size as lever, so that both kinds of motion count alike.
 * Frames: W. Cost: twelve distances. Says false within the step of a kink, and of curvatures above about 1e4 per metre (needles).
 * Tested by distance-gradients.test.ts.
 */
import { createTransform, type Transform } from '../../math/transform.js';
import { createDistanceResult } from '../../narrowphase/query.js';
import { type Body, placeParts, updateBody } from '../../scene/bodies.js';
import { measureBodies, type OverlapDepth } from '../../scene/queries/body-pairs.js';

const STEP = 1e-6;
/** Of a derivative that is 1 where bodies approach head on. */
const DIFFERENCE = 0.01;

export interface PairDerivative {
  readonly distance: number;
  /** [n, p x n] */
  readonly wrench: Float64Array;
  readonly depth: OverlapDepth;
}

const measured = createDistanceResult();
const centre = new Float64Array(3);
const placed = createTransform();

export function isSmoothPair(a: Body, b: Body, { distance, wrench, depth }: PairDerivative): boolean {
  const [part] = b.parts;
  const { worldPlacement, box, parts } = placeParts([part]);
  const moved: Body = { ...b, parts, worldPlacement, box };
  let size = 0;
  for (let i = 0; i < 3; i++) {
    const half = 0.5 * (b.box[i + 3] - b.box[i]);
    const isBounded = half < Infinity;
    centre[i] = isBounded ? 0.5 * (b.box[i + 3] + b.box[i]) : 0;
    size = Math.max(size, isBounded ? half : 1);
  }
  // worldPlacement of the copy is the body's, of which the part's is a fixed way off: the motion is of W, on its left.
  const X_BG = part.placement;
  const lever = 1 / size;
  for (let axis = 0; axis < 6; axis++) {
    const k = axis % 3;
    const expected = axis < 3 ? wrench[k] : lever * (wrench[3 + k] - crossAt(k, centre, wrench));
    for (const sign of [1, -1]) {
      movePart(placed, part.worldPlacement, axis, sign * STEP * (axis < 3 ? 1 : lever));
      toBodyPlacement(moved.worldPlacement, placed, X_BG);
      updateBody(moved);
      measureBodies(measured, a, moved, Infinity, 0, depth);
      const rate = (sign * (measured.distance - distance)) / STEP;
      if (!(Math.abs(rate - expected) <= DIFFERENCE)) return false;
    }
  }
  return true;
}

/** (c x n) at k: the moment about c is the one about the origin without it. */
function crossAt(k: number, c: Float64Array, n: Float64Array): number {
  const i = (k + 1) % 3;
  const j = (k + 2) % 3;
  return c[i] * n[j] - c[j] * n[i];
}

/** Shifts along axis 0..2, or turns about axis 3..5 through `centre`, to first order and then to a rotation within step^3. */
function movePart(out: Transform, X: Transform, axis: number, step: number): void {
  out.set(X);
  if (axis < 3) {
    out[9 + axis] += step;
    return;
  }
  const k = axis - 3;
  const i = (k + 1) % 3;
  const j = (k + 2) % 3;
  const c = 1 - 0.5 * step * step;
  const turn = (u: number, v: number): [number, number] => [c * u - step * v, step * u + c * v];
  for (let col = 0; col < 3; col++) [out[3 * i + col], out[3 * j + col]] = turn(X[3 * i + col], X[3 * j + col]);
  const [x, y] = turn(X[9 + i] - centre[i], X[9 + j] - centre[j]);
  out[9 + i] = centre[i] + x;
  out[9 + j] = centre[j] + y;
}

/** X_WB = X_WG X_BG^-1. */
function toBodyPlacement(out: Transform, X_WG: Transform, X_BG: Transform): void {
  for (let r = 0; r < 3; r++) {
    let shift = 0;
    for (let c = 0; c < 3; c++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += X_WG[3 * r + k] * X_BG[3 * c + k];
      out[3 * r + c] = sum;
      shift += sum * X_BG[9 + c];
    }
    out[9 + r] = X_WG[9 + r] - shift;
  }
}
