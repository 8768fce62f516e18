/**
 * The joint velocities that one time step may use: the box in which position, velocity and acceleration limits hold now and
 * can be held in every later step.
 *
 * Method: per coordinate, with d the distance to a position limit, h the step and a the acceleration limit, velocity is
 * constant within a step and changes by at most a h between steps. Stopping from v = (m + f) a h (m whole, 0 <= f < 1) by
 * full steps of a h, the current step included, covers
 *   S(v) = a h^2 (m + 1) (m/2 + f),
 * so the largest admissible v is the one with S(v) = d: m the largest whole number with m (m + 1)/2 <= d/(a h^2). A coordinate
 * that keeps to it can always slow down in time: the bound falls by at most a h per step. Without an acceleration limit it is
 * d/h.
 * Source: the question is that of Del Prete 2018, "Joint position and velocity bounds in discrete-time acceleration/torque
 * control of robot arms", doi:10.1109/LRA.2017.2738321; the sum is for velocities constant within a step.
 * Units: rad/s or m/s. Cost: constant per coordinate. Coordinates without position limits (continuous, floating, planar,
 * spherical) have velocity and acceleration limits only.
 * Fails: a state that cannot stop in time any more, or a position outside its limits, leaves the box empty; position and
 * velocity limits then win, and the function returns false. Tested by velocity-bounds.test.ts.
 */
import type { Model } from '../model/model.js';

export interface MotionLimits {
  /** nv numbers; Infinity where there is none. */
  readonly velocities: Float64Array;
  readonly accelerations: Float64Array;
  /** nq numbers; infinite where there is none. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** The largest velocity from which a coordinate at `distance` from its limit can stop by steps of `acceleration`. */
export function admissibleVelocity(distance: number, acceleration: number, step: number): number {
  if (!(distance > 0)) return distance / step;
  if (distance === Number.POSITIVE_INFINITY) return distance;
  if (acceleration === Number.POSITIVE_INFINITY) return distance / step;
  const unit = acceleration * step * step;
  const steps = distance / unit;
  const whole = Math.floor((Math.sqrt(1 + 8 * steps) - 1) / 2);
  const fraction = steps / (whole + 1) - whole / 2;
  return (whole + fraction) * acceleration * step;
}

/** Writes the box for one step from q with the last velocity `v`; `coordinates`: see `listCoordinates`. */
export function boundVelocities(
  lower: Float64Array,
  upper: Float64Array,
  limits: MotionLimits,
  coordinates: Int32Array,
  state: { readonly q: Float64Array; readonly v: Float64Array },
  step: number,
): boolean {
  let isConsistent = true;
  for (let k = 0; k < lower.length; k++) {
    const speed = limits.velocities[k];
    const acceleration = limits.accelerations[k];
    let low = -speed;
    let high = speed;
    const i = coordinates[k];
    if (i >= 0) {
      low = Math.max(low, -admissibleVelocity(state.q[i] - limits.lower[i], acceleration, step));
      high = Math.min(high, admissibleVelocity(limits.upper[i] - state.q[i], acceleration, step));
    }
    const change = acceleration * step;
    const least = state.v[k] - change;
    const most = state.v[k] + change;
    // Rounding of the bounds themselves must not empty the box of a coordinate that brakes as hard as it may.
    const slack = 1e-9 * (Math.abs(state.v[k]) + (change < Number.POSITIVE_INFINITY ? change : 0));
    if (low > most + slack || high < least - slack || low > high) isConsistent = false;
    if (low > high) {
      // Outside the position limits and too far to come back in one step: as fast as allowed.
      low = Math.max(-speed, Math.min(speed, low));
      high = low;
    }
    lower[k] = Math.min(Math.max(low, least), high);
    upper[k] = Math.max(Math.min(high, most), low);
  }
  return isConsistent;
}

/** The coordinate of q that is each entry of v, -1 for joints of several coordinates. */
export function listCoordinates(model: Model): Int32Array {
  const coordinates = new Int32Array(model.nv).fill(-1);
  for (let j = 1; j < model.jointCount; j++) {
    if (model.nqs[j] === 1 && model.nvs[j] === 1) coordinates[model.idxV[j]] = model.idxQ[j];
  }
  return coordinates;
}
