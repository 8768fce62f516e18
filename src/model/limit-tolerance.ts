/**
 * Which coordinates are beyond which position limits, and by how much; and the one tolerance for what is beyond by a rounding.
 *
 * A configuration that comes from outside may exceed a limit by the last digits of one of the two numbers (-3.141592653589793
 * where the robot's file says -3.14159). Everything that takes configurations (checks, planning, inverse kinematics, tracking,
 * trajectories) treats them alike: an excess of at most `LIMIT_TOLERANCE` (1e-4 rad or m) is moved onto the limit and told,
 * a larger one is a violation. `clampToLimits` does both.
 * The limits are `model.lower` and `model.upper`: those of joints that are followed already account for the joints that follow them.
 * Units: radians or metres, pitch turns of helical joints in radians. Cost: linear in coordinates.
 * Tested by limit-tolerance.test.ts.
 */

import { requireFloats, throwMisuse } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { Model } from './model.js';
import { requireModel } from './model.js';
import { describeProblem } from './named-configuration.js';

/** Radians or metres that a coordinate may lie beyond its limit and still count as standing on it. */
export const LIMIT_TOLERANCE = 1e-4;

export interface LimitViolation {
  readonly joint: string;
  /** Index in q. */
  readonly coordinate: number;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  /** How far beyond the nearer limit, above 0. */
  readonly excess: number;
}

export interface LimitReport {
  /** Coordinates beyond their limit by more than the tolerance, in the order of q. */
  readonly violations: readonly LimitViolation[];
  /** Those beyond by no more than it. */
  readonly rounded: readonly LimitViolation[];
  /** The angles look like degrees: too large for radians, and all within the limits once turned into radians. */
  readonly looksLikeDegrees: boolean;
  /** One line for people; empty when nothing is wrong. */
  readonly message: string;
}

/**
 * Compares q with the position limits.
 *
 * @param q nq finite numbers
 */
export function describeLimitViolations(
  model: Model,
  q: ArrayLike<number>,
  tolerance: number = LIMIT_TOLERANCE,
): LimitReport {
  requireModel('describeLimitViolations', model);
  requireConfiguration('describeLimitViolations', model, q, tolerance);
  const violations: LimitViolation[] = [];
  const rounded: LimitViolation[] = [];
  for (let j = 1; j < model.jointCount; j++) {
    for (let i = model.idxQ[j]; i < model.idxQ[j] + model.nqs[j]; i++) {
      const excess = excessAt(model, q, i);
      if (!(excess > 0)) continue;
      const joint = model.nqs[j] === 1 ? model.jointNames[j] : `${model.jointNames[j]}[${i - model.idxQ[j]}]`;
      const violation = { joint, coordinate: i, value: q[i], lower: model.lower[i], upper: model.upper[i], excess };
      (excess > tolerance ? violations : rounded).push(violation);
    }
  }
  const looksLikeDegrees = suspectDegrees(model, q, tolerance);
  return { violations, rounded, looksLikeDegrees, message: describe(violations, looksLikeDegrees) };
}

/**
 * out = q with what lies beyond a limit by at most the tolerance moved onto it; larger excesses stay as they are.
 *
 * @returns what was moved and what is beyond; `out` can be used when `violations` is empty
 */
export function clampToLimits(
  out: Float64Array,
  model: Model,
  q: ArrayLike<number>,
  tolerance: number = LIMIT_TOLERANCE,
): LimitReport {
  requireModel('clampToLimits', model);
  requireFloats('clampToLimits', 'out', out, model.nq);
  const report = describeLimitViolations(model, q, tolerance);
  out.set(q);
  for (const { coordinate, value, lower, upper } of report.rounded) out[coordinate] = value < lower ? lower : upper;
  return report;
}

function excessAt({ lower, upper }: Model, q: ArrayLike<number>, i: number): number {
  return Math.max(lower[i] - q[i], q[i] - upper[i], 0);
}

/** Angles of this size are more than a turn; a whole number of them on a joint without limits is no accident. */
const LARGE_ANGLE = 2 * Math.PI;
const RADIANS = Math.PI / 180;

function suspectDegrees(model: Model, q: ArrayLike<number>, tolerance: number): boolean {
  let isSuspicious = false;
  for (let j = 1; j < model.jointCount; j++) {
    if (model.nqs[j] !== 1 || !turnsByAngle(model, j)) continue;
    const i = model.idxQ[j];
    const angle = RADIANS * q[i];
    if (angle < model.lower[i] - tolerance || angle > model.upper[i] + tolerance) return false;
    if (Math.abs(q[i]) <= LARGE_ANGLE) continue;
    const isLimited = model.lower[i] > -Infinity || model.upper[i] < Infinity;
    if (isLimited ? excessAt(model, q, i) > tolerance : Number.isInteger(q[i]) && Math.abs(q[i]) >= 10)
      isSuspicious = true;
  }
  return isSuspicious;
}

/** Whether the joint's one coordinate is an angle: its body turns. */
function turnsByAngle(model: Model, j: number): boolean {
  const at = 6 * model.idxV[j];
  const S = model.motionSubspaces;
  return S[at + 3] !== 0 || S[at + 4] !== 0 || S[at + 5] !== 0;
}

function describe(violations: readonly LimitViolation[], looksLikeDegrees: boolean): string {
  const parts = violations.map(({ joint, value, lower, upper, excess }) => {
    const side = value < lower ? `lower limit ${lower}` : `upper limit ${upper}`;
    return `"${joint}" = ${value} is beyond its ${side} by ${Number(excess.toPrecision(4))}`;
  });
  if (looksLikeDegrees) parts.push('the angles look like degrees; radians are expected');
  return parts.join('; ');
}

function requireConfiguration(name: string, model: Model, q: ArrayLike<number>, tolerance: number): void {
  const problem = describeProblem(model, q);
  if (problem !== null) throw new MisuseError(`${name}: ${problem}`);
  if (typeof tolerance !== 'number' || !(tolerance >= 0 && tolerance < Infinity))
    throwMisuse(name, 'tolerance', tolerance, '0 or more');
}
