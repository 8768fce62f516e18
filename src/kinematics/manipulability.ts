/**
 * How freely a frame moves: Yoshikawa's measure, the condition number and the axes of the manipulability ellipsoid.
 *
 * Method: singular values of the Jacobian, J = U diag(s) V^T. Joint velocities of unit length reach the ellipsoid with axes U
 * and half-lengths s; its volume is proportional to w = sqrt(det(J J^T)) = product of s; s_max/s_min tells how uneven it is.
 * Angular and linear rows have different units: a choice of rows (`linear`, `angular`) compares like with like.
 * Source: Yoshikawa 1985, "Manipulability of robotic mechanisms", doi:10.1177/027836498500400201; Lynch, Park 2017, "Modern
 * robotics", section 5.4.
 * Shapes: `axes` holds one unit vector per row, longest first, in the axes of the Jacobian. Cost: some sweeps of r^2 nv for r
 * rows; nothing is allocated after `createManipulability`.
 * Ends: a robot with fewer joints than rows, or at a singularity, has w = 0 (to rounding) and condition Infinity.
 * Tested by manipulability.test.ts.
 */

import { requireCount, requireFloats, requireOneOf, throwMisuse } from '../math/arguments.js';
import { computeSvd, createSvd, type Svd } from '../math/dense/svd.js';
import { MisuseError } from '../math/misuse.js';

export type ManipulabilityRows = 'all' | 'linear' | 'angular';

export interface Manipulability {
  /** Product of the half-lengths: Yoshikawa's measure. */
  measure: number;
  /** Longest over shortest half-length, 1 (isotropic) to Infinity. */
  conditionNumber: number;
  /** Half-lengths of the ellipsoid's axes, longest first: 6 or 3 numbers, m/s or rad/s per unit of joint velocity. */
  readonly lengths: Float64Array;
  /** The axes as rows, unit vectors of 6 or 3 numbers; zeros where the length is zero because joints are missing. */
  readonly axes: Float64Array;
  readonly rows: ManipulabilityRows;
  /** @internal */
  readonly svd: Svd;
  /** @internal */
  readonly block: Float64Array;
}

/** Room for the Jacobians of a model with `nv` velocities. */
export function createManipulability(nv: number, rows: ManipulabilityRows = 'all'): Manipulability {
  requireCount('createManipulability', 'nv', nv, 1);
  requireOneOf('createManipulability', 'rows', rows, ['all', 'linear', 'angular']);
  const count = rows === 'all' ? 6 : 3;
  return {
    measure: 0,
    conditionNumber: Number.POSITIVE_INFINITY,
    lengths: new Float64Array(count),
    axes: new Float64Array(count * count),
    rows,
    svd: createSvd(count, nv),
    block: new Float64Array(count * nv),
  };
}

/** `jacobian`: 6 x nv, from `computeFrameJacobian`. Writes and returns `out`. */
export function computeManipulability(out: Manipulability, jacobian: Float64Array): Manipulability {
  if (!(out?.lengths instanceof Float64Array && out.block instanceof Float64Array))
    throwMisuse('computeManipulability', 'out', out, 'what createManipulability returned');
  requireFloats('computeManipulability', 'jacobian', jacobian);
  const { lengths, axes, svd, block } = out;
  const count = lengths.length;
  const nv = block.length / count;
  if (jacobian.length !== 6 * nv) {
    throw new MisuseError(`computeManipulability: jacobian, got ${jacobian.length} numbers, expected 6 x ${nv}`);
  }
  const from = out.rows === 'angular' ? 3 * nv : 0;
  for (let i = 0; i < block.length; i++) block[i] = jacobian[from + i];
  computeSvd(svd, block);
  const found = svd.s.length;
  lengths.fill(0);
  axes.fill(0);
  out.measure = found < count ? 0 : 1;
  for (let k = 0; k < found; k++) {
    lengths[k] = svd.s[k];
    out.measure *= svd.s[k];
    for (let i = 0; i < count; i++) axes[k * count + i] = svd.u[k * count + i];
  }
  const shortest = lengths[count - 1];
  out.conditionNumber = shortest > 0 ? lengths[0] / shortest : Number.POSITIVE_INFINITY;
  return out;
}
