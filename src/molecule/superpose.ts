/**
 * Superposition of two sets of points, root-mean-square deviation, radius of gyration.
 *
 * Method: the rotation that brings `moving` onto `fixed` best is the unit quaternion of the largest eigenvalue of a 4 x 4
 * matrix of their correlations, so a reflection cannot come out.
 * Source: Kabsch 1976, "A solution for the best rotation to relate two sets of vectors", doi:10.1107/S0567739476001873;
 * Horn 1987, "Closed-form solution of absolute orientation using unit quaternions", doi:10.1364/JOSAA.4.000629 (the form used).
 * Points are 3 per row, angstrom. Fewer than three points, or points on a line, leave turns open: one of the best is given.
 * Checked by superpose.test.ts.
 */

import { eigenSymmetric } from '../math/dense/eigen.js';
import { MisuseError } from '../math/misuse.js';
import { quatToMat3 } from '../math/quat.js';
import { createTransform, setIdentityTransform, type Transform } from '../math/transform.js';
import { requireAtoms, requirePoints } from './molecule-door.js';

export interface Superposition {
  /** Takes moving points to where they fit the fixed ones best. */
  readonly transform: Transform;
  /** Root-mean-square deviation after it, angstrom. */
  readonly deviation: number;
}

/** `fixed` and `moving` hold 3 count numbers each; `rows` picks the points that count, all when left out. */
export function superpose(fixed: Float64Array, moving: Float64Array, rows?: ArrayLike<number>): Superposition {
  requirePoints('superpose', 'fixed', fixed);
  requirePoints('superpose', 'moving', moving);
  if (fixed.length !== moving.length)
    throw new MisuseError(
      `superpose: moving, got ${moving.length} numbers for ${fixed.length} fixed ones, expected as many`,
    );
  if (rows !== undefined) requireAtoms('superpose', 'rows', rows, fixed.length / 3);
  const count = rows ? rows.length : fixed.length / 3;
  const transform = setIdentityTransform(createTransform());
  if (count === 0) return { transform, deviation: 0 };
  const row = (i: number) => 3 * (rows ? rows[i] : i);
  const centres = new Float64Array(6);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      centres[k] += fixed[row(i) + k] / count;
      centres[3 + k] += moving[row(i) + k] / count;
    }
  }
  const s = new Float64Array(9);
  for (let i = 0; i < count; i++) {
    for (let a = 0; a < 3; a++) {
      const m = moving[row(i) + a] - centres[3 + a];
      for (let b = 0; b < 3; b++) s[3 * a + b] += m * (fixed[row(i) + b] - centres[b]);
    }
  }
  const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = s;
  const matrix = [
    xx + yy + zz, yz - zy, zx - xz, xy - yx,
    yz - zy, xx - yy - zz, xy + yx, zx + xz,
    zx - xz, xy + yx, yy - xx - zz, yz + zy,
    xy - yx, zx + xz, yz + zy, zz - xx - yy,
  ]; // biome-ignore format: a matrix
  const values = new Float64Array(4);
  const vectors = new Float64Array(16);
  eigenSymmetric(values, vectors, matrix, 4);
  // Column 0 is w, x, y, z.
  quatToMat3(transform, [vectors[4], vectors[8], vectors[12], vectors[0]]);
  for (let r = 0; r < 3; r++) {
    let turned = 0;
    for (let c = 0; c < 3; c++) turned += transform[3 * r + c] * centres[3 + c];
    transform[9 + r] = centres[r] - turned;
  }
  // The eigenvalue is the largest correlation; the difference loses digits where both sets agree, so measure instead.
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const at = row(i);
    for (let r = 0; r < 3; r++) {
      let value = transform[9 + r] - fixed[at + r];
      for (let c = 0; c < 3; c++) value += transform[3 * r + c] * moving[at + c];
      sum += value * value;
    }
  }
  return { transform, deviation: Math.sqrt(sum / count) };
}

/** Root-mean-square distance of the points from their mean, angstrom; all points weigh alike. */
export function radiusOfGyration(positions: Float64Array): number {
  requirePoints('radiusOfGyration', 'positions', positions);
  const count = positions.length / 3;
  if (count === 0) return 0;
  const mean = [0, 0, 0];
  for (let i = 0; i < positions.length; i++) mean[i % 3] += positions[i] / count;
  let sum = 0;
  for (let i = 0; i < positions.length; i++) sum += (positions[i] - mean[i % 3]) ** 2;
  return Math.sqrt(sum / count);
}
