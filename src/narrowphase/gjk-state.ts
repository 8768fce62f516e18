/**
 * What GJK, EPA and their refinements share: the pair of cores, their pose, the simplex in C = A - B, and the support
 * mapping of C. Everything in A's frame.
 */
import { type SupportCore, supportInto } from '../geometry/support.js';
import type { Transform } from '../math/transform.js';

/** Query state: reused, never allocated in a query. */
export class GjkState {
  a!: SupportCore;
  b!: SupportCore;
  /** X_AB; a copy, shifted during penetration queries. */
  readonly X: Transform = new Float64Array(12);
  /** Simplex vertices in C, and the points of A and B (both in A) they are made of. */
  readonly w = new Float64Array(12);
  readonly pointsA = new Float64Array(12);
  readonly pointsB = new Float64Array(12);
  readonly weight = new Float64Array(4);
  count = 0;
  /** Closest point of C to the origin; on entry minus the first search direction, not zero. */
  readonly v = new Float64Array(3);
  /** Direction of the next support point. */
  readonly d = new Float64Array(3);
  /** Certified lower bound of the distance, 0 when none. */
  lowerBound = 0.5;
  /** Largest size of a vertex, in C, A or B, seen: the scale of rounding. */
  scale = 0.5;
  /** Rounds since creation, for work counts. */
  rounds = 0;
}

const directionB = new Float64Array(3);

/** Support point of C = A - B along s.d, written at vertex `slot` of the state. */
export function supportDifference(s: GjkState, slot: number): void {
  const { X, w, pointsA, pointsB, d } = s;
  const i = 3 * slot;
  const dx = d[0];
  const dy = d[1];
  const dz = d[2];
  supportInto(pointsA, i, s.a, d);
  directionB[0] = -(X[0] * dx + X[3] * dy + X[6] * dz);
  directionB[1] = -(X[1] * dx + X[4] * dy + X[7] * dz);
  directionB[2] = -(X[2] * dx + X[5] * dy + X[8] * dz);
  supportInto(pointsB, i, s.b, directionB);
  const x = pointsB[i];
  const y = pointsB[i + 1];
  const z = pointsB[i + 2];
  const bx = X[0] * x + X[1] * y + X[2] * z + X[9];
  const by = X[3] * x + X[4] * y + X[5] * z + X[10];
  const bz = X[6] * x + X[7] * y + X[8] * z + X[11];
  pointsB[i] = bx;
  pointsB[i + 1] = by;
  pointsB[i + 2] = bz;
  w[i] = pointsA[i] - bx;
  w[i + 1] = pointsA[i + 1] - by;
  w[i + 2] = pointsA[i + 2] - bz;
}
