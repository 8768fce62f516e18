/**
 * Goals that point: an axis of a frame goes through a point, from a distance, as a camera looks at what it shows, or a spray gun at its work.
 *
 * A drawn placement has its origin in a direction from the point, uniform on the sphere, at a distance in between, its axis back towards the point, and any turn
 * about that. Without draws it is the nearest one to where the frame stands: along the line from the point to it, and turned the least.
 * Frames: R, the robot's base, F the frame. Units: metres, radians. Tested by test/contract/group-plans.test.ts.
 */
import { requireNotNegative, requireNumbers, throwMisuse } from '../math/arguments.js';
import { multiplyMat3, multiplyMat3Vec3 } from '../math/mat3.js';
import type { Random } from '../math/random.js';
import { atan2, hypot } from '../math/scalar.js';
import { expSo3 } from '../math/so3.js';
import type { Transform } from '../math/transform.js';

export interface LookGoal {
  /** A link or joint; default: the group's tip. */
  readonly frame?: string;
  /** The point, in the world, metres. */
  readonly lookAt: readonly number[];
  /** From the frame's origin to the point, metres: one number, or the least and the largest. */
  readonly distance: number | readonly number[];
  /** In the frame; default its z. */
  readonly axis?: readonly number[];
  /** Most that the axis goes past the point by, seen from the frame's origin, radians; default 0. */
  readonly within?: number;
}

export const isLookGoal = (goal: unknown): goal is LookGoal =>
  typeof goal === 'object' && goal !== null && 'lookAt' in goal;

export interface Look {
  /** In the robot's base. */
  readonly point: Float64Array;
  readonly axis: Float64Array;
  readonly least: number;
  readonly most: number;
  readonly within: number;
  /** X_RF at the start. */
  readonly now: Transform;
}

/** `point`: the goal's, in the robot's base. */
export function readLook(call: string, goal: LookGoal, point: Float64Array, now: Transform): Look {
  const { distance, axis = [0, 0, 1], within = 0 } = goal;
  const [least, most] = typeof distance === 'number' ? [distance, distance] : Array.from(distance ?? []);
  if (!(least >= 0 && most >= least && most > 0 && most < Infinity))
    throwMisuse(call, 'goal.distance', distance, 'a positive number, or the least and the largest');
  requireNumbers(call, 'goal.axis', axis, 3);
  requireNotNegative(call, 'goal.within', within);
  const length = hypot(axis[0], axis[1], axis[2]);
  if (!(length > 0)) throwMisuse(call, 'goal.axis', axis, 'a direction');
  return { point, axis: Float64Array.from(axis, (x) => x / length), least, most, within, now };
}

/** Writes a placement that looks at the point; without `random` the one nearest to where the frame stands. */
export function drawLook(out: Transform, look: Look, random: Random | null): void {
  const { point, axis, least, most, now } = look;
  const away = new Float64Array(3);
  const rotation = now.slice(0, 9);
  let far = 0;
  if (random) {
    let square = 0;
    do {
      for (let k = 0; k < 3; k++) away[k] = 2 * random.next() - 1;
      square = away[0] * away[0] + away[1] * away[1] + away[2] * away[2];
    } while (!(square > 1e-12 && square < 1));
    for (let k = 0; k < 3; k++) away[k] /= Math.sqrt(square);
    far = random.uniform(least, most);
    const roll = Math.PI * (2 * random.next() - 1);
    expSo3(
      rotation,
      axis.map((x) => roll * x),
    );
  } else {
    for (let k = 0; k < 3; k++) away[k] = now[9 + k] - point[k];
    const length = hypot(away[0], away[1], away[2]);
    if (length > 0) for (let k = 0; k < 3; k++) away[k] /= length;
    else away.set(multiplyMat3Vec3(new Float64Array(3), rotation, axis).map((x) => -x));
    far = Math.min(most, Math.max(least, length));
  }
  const from = multiplyMat3Vec3(new Float64Array(3), rotation, axis);
  const turn = expSo3(
    new Float64Array(9),
    turnBetween(
      from,
      away.map((x) => -x),
    ),
  );
  out.set(multiplyMat3(new Float64Array(9), turn, rotation));
  for (let k = 0; k < 3; k++) out[9 + k] = point[k] + far * away[k];
}

/** Whether the frame at X_RF looks at the point from a distance in between. */
export function looksAt({ point, axis, least, most, within }: Look, X_RF: Transform, slack: number): boolean {
  const towards = [0, 1, 2].map((k) => point[k] - X_RF[9 + k]);
  const far = hypot(towards[0], towards[1], towards[2]);
  if (!(far >= least - slack && far <= most + slack)) return false;
  const along = multiplyMat3Vec3(new Float64Array(3), X_RF, axis);
  const [x, y, z] = turnBetween(
    along,
    Float64Array.from(towards, (d) => d / far),
  );
  // What is lost in the place of the point counts as an angle at this distance.
  return hypot(x, y, z) <= within + slack * (1 + 1 / far);
}

/** Rotation vector that turns one unit vector onto another the shortest way. */
function turnBetween(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
  const cross = Float64Array.of(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
  const sine = hypot(cross[0], cross[1], cross[2]);
  const cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  if (sine > 1e-12) return cross.map((x) => (x * atan2(sine, cosine)) / sine);
  if (cosine > 0) return new Float64Array(3);
  // Opposite: about any axis across.
  const across = Math.abs(a[0]) < 0.6 ? [0, -a[2], a[1]] : [a[2], 0, -a[0]];
  const length = hypot(across[0], across[1], across[2]);
  return Float64Array.from(across, (x) => (Math.PI * x) / length);
}
