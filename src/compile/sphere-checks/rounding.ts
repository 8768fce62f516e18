/**
 * How far from their true places the single-precision kinematics of a compiled module can put the centres of spheres.
 *
 * Method. u = 2^-24 is the rounding of one operation. Sines and cosines err by at most `TRIGONOMETRY` (emit-angles.ts). Per joint
 * two numbers are carried: the largest Euclidean norm of the error of a row of its world rotation, and that of its position.
 *  - A turn by (c, s) of a row: the computed (c, s) is a scaled rotation, whose factor errs by sqrt(2) T, so that the row's error is
 *    kept and sqrt(2) T added; two products and a sum round by 2 u each of two entries, by Cauchy at most 2 sqrt(2) u of the row.
 *  - A constant matrix: entries round by u, in the Frobenius norm sqrt(3) u; products of three terms by 3 u of an entry, of a
 *    row 3 sqrt(3) u. One whose entries are 0 and +-1 is exact. A matrix fused with a turn counts as both.
 *  - A quaternion's matrix: an entry is one less, or a difference of, terms of at most 2 that err by 9 u of themselves.
 *  - A position p + R t: the row's error times |t| in each of three entries, 4 sqrt(3) u |t| for products and the rounding of t,
 *    u |p| for the sum.
 * Terms of second order are covered by a factor of 1.001 on the sum, which is far more than they can reach (all are below 1e-5).
 * Source: the standard model of Higham 2002, "Accuracy and stability of numerical algorithms", sections 2.2 and 3.1,
 * doi:10.1137/1.9780898718027. Tested by compile-sphere-checks.test.ts.
 */
import type { Mechanism, TracedJoint } from '../trace-mechanism.js';
import type { Stage } from '../vector-expressions.js';

/** Rounding of one single-precision operation, relative. */
export const UNIT = 2 ** -24;
/** Largest error of a computed sine or cosine, absolute: the angle's rounding 3.1e-8 and the polynomial's 7.5e-8. */
export const TRIGONOMETRY = 1.1e-7;
const SECOND_ORDER = 1.001;
const SQRT3 = Math.sqrt(3);
/** Of a row of the matrix of a quaternion: its rounding to single precision and some twenty operations of each entry, with room. */
const QUATERNION = 64 * UNIT;
const TURN = Math.SQRT2 * TRIGONOMETRY + 2 * Math.SQRT2 * UNIT;
const MATRIX = 4 * SQRT3 * UNIT;

export interface JointErrors {
  /** Norm of the error of a row of R_WM. */
  readonly rotation: number;
  /** Norm of the error of p_WM, metres. */
  readonly position: number;
  /** Largest |p_WM|. */
  readonly reach: number;
}

/** `shifts`: largest coordinate of each sliding joint in metres, 0 for others. `snap`: what the trace rounded placements by. */
export function boundJointErrors(mechanism: Mechanism, shifts: ArrayLike<number>, snap: number): JointErrors[] {
  const { model, joints } = mechanism;
  const base = model.basePlacement;
  const baseReach = Math.sqrt(base[9] ** 2 + base[10] ** 2 + base[11] ** 2);
  const errors: JointErrors[] = [
    { rotation: SQRT3 * UNIT + 2 * snap, position: UNIT * baseReach + 2 * snap, reach: baseReach },
  ];
  for (let j = 1; j < joints.length; j++) {
    const parent = errors[model.parents[j]];
    const at = 12 * j + 9;
    const p = model.placements;
    const length = Math.sqrt(p[at] ** 2 + p[at + 1] ** 2 + p[at + 2] ** 2) + shifts[j];
    errors.push({
      rotation:
        (parent.rotation + countTurns(mechanism, joints[j]) + turnsFreely(mechanism, j)) * SECOND_ORDER + 2 * snap,
      position:
        boundPointError(parent, length) +
        (shifts[j] > 0 ? (2 * UNIT + 2 * SQRT3 * MATRIX) * shifts[j] : 0) +
        2 * snap * (1 + length),
      reach: parent.reach + length,
    });
  }
  return errors;
}

/** Norm of the error of p + R t for |t| = length, metres. */
export function boundPointError({ rotation, position, reach }: JointErrors, length: number): number {
  return (position + SQRT3 * rotation * length + 4 * SQRT3 * UNIT * length + UNIT * (reach + length)) * SECOND_ORDER;
}

function turnsFreely({ model }: Mechanism, j: number): number {
  return model.jointKinds[j]?.unitCoordinates === 4 ? QUATERNION : 0;
}

function countTurns(mechanism: Mechanism, joint: TracedJoint): number {
  let sum = 0;
  for (const stage of joint.rotation) sum += stage.kind === 'turn' ? TURN : boundMatrix(mechanism, stage);
  return sum;
}

function boundMatrix(mechanism: Mechanism, stage: Extract<Stage, { kind: 'matrix' }>): number {
  const values = stage.entries.map((entry) => mechanism.graph.valueOf(entry));
  if (values.every((x) => x === 0 || x === 1 || x === -1)) return 0;
  const isConstant = values.every((x) => !Number.isNaN(x));
  return MATRIX + SQRT3 * (isConstant ? UNIT : TURN + 2 * UNIT);
}
