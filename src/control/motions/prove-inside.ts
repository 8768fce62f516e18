/**
 * Whether the tool stays within a ball on a piece of a path of the joints, and the joints within their limits: proven, not looked at.
 *
 * Method: on an interval no coordinate goes farther from where it is in the middle than half the interval times a bound of its speed
 * (joint-curve.ts), and the tool's origin no farther than the sum of these times their levers (tool-levers.ts). Where that does not
 * settle it, the interval is halved.
 * Ends: false where it is not so, or could not be proven in MOST intervals. Units: metres. Cost: a forward kinematics per interval.
 * Tested by prove-inside.test.ts.
 */
import { isWithinLimits } from '../../model/configuration.js';
import type { Model } from '../../model/model.js';
import { type CurvePiece, JointCurve } from '../../trajectory/joint-curve.js';
import { createTrajectoryPoint } from '../../trajectory/trajectory.js';

const MOST = 4096;
const LIMIT_TOLERANCE = 1e-9;
/** Rounding of a forward kinematics. Metres. */
const ROUNDING = 1e-12;

export interface InsideRequest {
  readonly model: Model;
  readonly piece: CurvePiece;
  readonly end: Float64Array;
  /** The origin of the tool, 3 numbers, and how far it moves per unit of each velocity coordinate. */
  readonly position: (q: Float64Array) => ArrayLike<number>;
  readonly levers: ArrayLike<number>;
  readonly center: ArrayLike<number>;
  readonly radius: number;
}

export function provesInside({ model, piece, end, position, levers, center, radius }: InsideRequest): boolean {
  const curve = new JointCurve(model, [piece], end);
  const point = createTrajectoryPoint(model);
  const away = new Float64Array(model.nv);
  const waiting: [number, number][] = [[0, piece.length]];
  for (let count = 0; waiting.length > 0; count++) {
    if (count === MOST) return false;
    const [from, to] = waiting.pop() as [number, number];
    const half = 0.5 * (to - from);
    curve.evaluatePiece(point, 0, from + half);
    if (!isWithinLimits(model, point.q, LIMIT_TOLERANCE)) return false;
    const place = position(point.q);
    const distance = Math.sqrt((place[0] - center[0]) ** 2 + (place[1] - center[1]) ** 2 + (place[2] - center[2]) ** 2);
    if (distance > radius) return false;
    curve.speedBound(away, from, to);
    let moved = 0;
    for (let k = 0; k < away.length; k++) {
      away[k] *= half;
      if (away[k] > 0 && levers[k] > 0) moved += away[k] * levers[k];
    }
    if (distance + moved + ROUNDING <= radius && keepsLimits(model, point.q, away)) continue;
    waiting.push([from, from + half], [from + half, to]);
  }
  return true;
}

/** No coordinate leaves its limits by going so far. */
function keepsLimits(
  { jointCount, idxQ, idxV, nqs, nvs, lower, upper }: Model,
  q: Float64Array,
  away: Float64Array,
): boolean {
  for (let j = 1; j < jointCount; j++) {
    let most = 0;
    for (let k = idxV[j]; k < idxV[j] + nvs[j]; k++) most = Math.max(most, away[k]);
    if (most === 0) continue;
    for (let i = idxQ[j]; i < idxQ[j] + nqs[j]; i++)
      if (q[i] - most < lower[i] - LIMIT_TOLERANCE || q[i] + most > upper[i] + LIMIT_TOLERANCE) return false;
  }
  return true;
}
