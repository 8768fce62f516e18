/**
 * The fastest change of velocity from a state (v, a) to a peak at which the acceleration is 0, under limits of acceleration
 * and jerk.
 *
 * Method: from a = 0 it is an S-curve (jerk one way, constant acceleration, jerk back) whose mean velocity is the mean of its
 * ends, of duration
 *   T(d) = d/A + A/J for d = |change| >= A^2/J, else 2 sqrt(d/J).
 * From a != 0, either the S-curve is one already under way, which began at `origin` = v - a|a|/(2J), for peaks at or beyond
 * `calm` = v + a|a|/(2J); or the acceleration first returns to 0, which leaves the velocity at `calm`, and an S-curve follows.
 * A change that ends in (v, a) is one that begins in (v, -a), run backwards. An infinite jerk limit makes ramps of constant
 * acceleration, and a is of no account.
 * Source: Kroeger 2010, "On-line trajectory generation in robotic systems", chapter 5, doi:10.1007/978-3-642-05175-3.
 * Tested by motion-profile.test.ts.
 */
export interface ChangeLimits {
  readonly acceleration: number;
  readonly jerk: number;
}

/** Duration, acceleration at the start, jerk. */
export type Segment = readonly [number, number, number];

export interface VelocityChange {
  readonly velocity: number;
  readonly acceleration: number;
  /** Velocity once the acceleration is back at 0, and where an S-curve with it began. */
  readonly calm: number;
  readonly origin: number;
  /** Time that either takes, and the ways gone in it. */
  readonly ramp: number;
  readonly calmWay: number;
  readonly originWay: number;
}

/** Share of the limit below which an acceleration is none: the square of it is what velocities feel. */
const NO_ACCELERATION = 1e-8;

export function createVelocityChange(velocity: number, acceleration: number, limits: ChangeLimits): VelocityChange {
  const { jerk } = limits;
  const change = (0.5 * acceleration * Math.abs(acceleration)) / jerk;
  // None either when it changes no digit of the velocity.
  const isNone =
    Math.abs(acceleration) <= NO_ACCELERATION * limits.acceleration || velocity + change === velocity - change;
  const a = isNone ? 0 : acceleration;
  const half = a === 0 ? 0 : change;
  const ramp = Math.abs(a) / jerk;
  return {
    velocity,
    acceleration: a,
    calm: velocity + half,
    origin: velocity - half,
    ramp,
    calmWay: ramp * (velocity + (2 / 3) * half),
    originWay: ramp * (velocity - (2 / 3) * half),
  };
}

function curveTime(change: number, { acceleration, jerk }: ChangeLimits): number {
  const d = Math.abs(change);
  return d * jerk >= acceleration * acceleration || jerk === Infinity
    ? d / acceleration + acceleration / jerk
    : 2 * Math.sqrt(d / jerk);
}

/** 0 for a difference of rounding: the root of its time would not be one. */
function subtract(a: number, b: number): number {
  return Math.abs(a - b) <= 4 * Number.EPSILON * (Math.abs(a) + Math.abs(b)) ? 0 : a - b;
}

/** Whether the peak lies where the acceleration already leads. */
function isUnderWay({ acceleration, calm }: VelocityChange, peak: number): boolean {
  return acceleration > 0 ? peak >= calm : acceleration < 0 && peak <= calm;
}

export function changeTime(change: VelocityChange, limits: ChangeLimits, peak: number): number {
  return isUnderWay(change, peak)
    ? curveTime(peak - change.origin, limits) - change.ramp
    : change.ramp + curveTime(subtract(peak, change.calm), limits);
}

export function changeDistance(change: VelocityChange, limits: ChangeLimits, peak: number): number {
  const { origin, calm, originWay, calmWay } = change;
  return isUnderWay(change, peak)
    ? 0.5 * (origin + peak) * curveTime(peak - origin, limits) - originWay
    : calmWay + 0.5 * (calm + peak) * curveTime(subtract(peak, calm), limits);
}

/** Derivative of `changeDistance` by a peak above `calm`. */
export function distanceSlope(change: VelocityChange, { acceleration, jerk }: ChangeLimits, peak: number): number {
  const from = change.acceleration > 0 ? change.origin : change.calm;
  const d = peak - from;
  if (d * jerk >= acceleration * acceleration || jerk === Infinity)
    return peak / acceleration + acceleration / jerk / 2;
  return d > 0 ? (3 * peak - from) / (2 * Math.sqrt(d * jerk)) : from < 0 ? -Infinity : 0;
}

export function changeSegments(change: VelocityChange, limits: ChangeLimits, peak: number): Segment[] {
  const { acceleration, ramp, calm, origin } = change;
  const { jerk } = limits;
  if (!isUnderWay(change, peak)) {
    const curve = curveSegments(subtract(peak, calm), limits);
    return ramp > 0 ? [[ramp, acceleration, -Math.sign(acceleration) * jerk], ...curve] : curve;
  }
  const [[time, , first], ...rest] = curveSegments(peak - origin, limits);
  return [[time - ramp, acceleration, first], ...rest];
}

/** The same way through time backwards. */
export function reverseSegments(segments: readonly Segment[]): Segment[] {
  return segments.map(([time, a, jerk]): Segment => [time, -(a + jerk * time), jerk]).reverse();
}

function curveSegments(change: number, limits: ChangeLimits): Segment[] {
  const { acceleration, jerk } = limits;
  const d = Math.abs(change);
  const sign = Math.sign(change);
  if (d === 0) return [];
  if (jerk === Infinity) return [[d / acceleration, sign * acceleration, 0]];
  if (d * jerk < acceleration * acceleration) {
    const time = Math.sqrt(d / jerk);
    return [
      [time, 0, sign * jerk],
      [time, sign * jerk * time, -sign * jerk],
    ];
  }
  const ramp = acceleration / jerk;
  return [
    [ramp, 0, sign * jerk],
    [d / acceleration - ramp, sign * acceleration, 0],
    [ramp, sign * acceleration, -sign * jerk],
  ];
}
