/**
 * The fastest, or just long enough, motion of one coordinate over a distance: velocity, acceleration and jerk limited.
 *
 * Method: from rest in acceleration, the profile changes velocity v0 -> peak, cruises at the peak, changes peak -> v1. Each
 * change is an S-curve (jerk up, constant acceleration, jerk down: at most seven segments in all) whose mean velocity is the
 * mean of its ends, so it takes
 *   T(d) = d/a + a/j for d = |change| >= a^2/j, else 2 sqrt(d/j),
 * and both changes cover D(peak) = (v0 + peak)/2 T(|peak - v0|) + (peak + v1)/2 T(|v1 - peak|). With an infinite jerk limit
 * this is the trapezoidal profile.
 * Fastest: the least duration among peaks with D(peak) = distance and no cruise, and peaks at +- the velocity limit.
 * D is monotone between known points: v0, v1, where T changes its form, and where D turns.
 * Given duration: E(peak) = D + peak x (duration - both changes) grows with the peak wherever the cruise is not negative, so
 * bisection finds the peak. Durations between the least one and some longer one may be impossible when a velocity at the
 * ends is not 0 (what moves cannot wait); such gaps end at one of the fastest motion's candidates.
 * Source: Kroeger 2010, "On-line trajectory generation in robotic systems", chapter 5 (profiles and their gaps),
 * doi:10.1007/978-3-642-05175-3; Berscheid, Kroeger 2021, "Jerk-limited real-time trajectory generation with arbitrary target
 * states", doi:10.15607/RSS.2021.XVII.015.
 * Units: any length u, u/s, u/s^2, u/s^3. Velocities at the ends beyond the limit: null. Tested by motion-profile.test.ts.
 */

export interface ProfileLimits {
  readonly velocity: number;
  readonly acceleration: number;
  /** Infinity: trapezoidal velocity. */
  readonly jerk: number;
}

export interface ProfileEnds {
  readonly distance: number;
  readonly startVelocity: number;
  readonly endVelocity: number;
}

const BISECTIONS = 200;
/** Below this share of the end velocities a peak is standstill. */
const SLOWEST_CRUISE = 1e-6;
/** Pieces of the range between the end velocities in which candidates are sought. */
const SCAN = 32;

/** Position, velocity and acceleration over time from 0 to `duration`, by segments of constant jerk. */
export class MotionProfile {
  readonly duration: number;
  private readonly times: Float64Array;
  private readonly states: Float64Array;

  /** `segments`: duration, acceleration at the start, jerk of each. */
  constructor(
    readonly ends: ProfileEnds,
    segments: readonly (readonly [number, number, number])[],
  ) {
    const kept = segments.filter(([time]) => time > 0);
    this.times = new Float64Array(kept.length + 1);
    this.states = new Float64Array(4 * kept.length);
    let p = 0;
    let v = ends.startVelocity;
    for (let i = 0; i < kept.length; i++) {
      const [t, a, j] = kept[i];
      this.states.set([p, v, a, j], 4 * i);
      p += t * (v + t * (a / 2 + (t * j) / 6));
      v += t * (a + (t * j) / 2);
      this.times[i + 1] = this.times[i] + t;
    }
    this.duration = this.times[kept.length];
  }

  /** Writes position, velocity, acceleration and jerk at a time, clamped to [0, duration]. */
  evaluate(out: Float64Array, time: number): Float64Array {
    const { times, states, duration, ends } = this;
    if (time >= duration) {
      out[0] = ends.distance;
      out[1] = ends.endVelocity;
      out[2] = states.length > 0 ? this.lastAcceleration() : 0;
      out[3] = states.length > 0 ? states[states.length - 1] : 0;
      return out;
    }
    let i = 0;
    while (i + 2 < times.length && times[i + 1] <= time) i++;
    const t = Math.max(time, 0) - times[i];
    const v = states[4 * i + 1];
    const a = states[4 * i + 2];
    const j = states[4 * i + 3];
    out[0] = states[4 * i] + t * (v + t * (a / 2 + (t * j) / 6));
    out[1] = v + t * (a + (t * j) / 2);
    out[2] = a + t * j;
    out[3] = j;
    return out;
  }

  private lastAcceleration(): number {
    const { times, states } = this;
    const i = times.length - 2;
    return states[4 * i + 2] + states[4 * i + 3] * (times[i + 1] - times[i]);
  }
}

/** The fastest profile; null when a velocity at the ends exceeds its limit. */
export function planProfile(ends: ProfileEnds, limits: ProfileLimits): MotionProfile | null {
  const [fastest] = findExtremes(ends, limits);
  return fastest ? toProfile(ends, limits, fastest) : null;
}

/** The profile that takes exactly `duration`; null when there is none. */
export function planTimedProfile(ends: ProfileEnds, limits: ProfileLimits, duration: number): MotionProfile | null {
  const peak = findPeak(ends, limits, duration);
  return peak === null ? null : toProfile(ends, limits, { peak, duration });
}

/** Shortest possible duration not below `least`; Infinity when a velocity at the ends exceeds its limit. */
export function findDuration(ends: ProfileEnds, limits: ProfileLimits, least: number): number {
  if (findPeak(ends, limits, least) !== null) return least;
  for (const { duration } of findExtremes(ends, limits)) {
    if (duration >= least) return duration;
  }
  // A gap's far end may lie at a peak between the end velocities: sought by doubling, then bisection.
  const { startVelocity, endVelocity } = ends;
  if (Math.max(Math.abs(startVelocity), Math.abs(endVelocity)) > limits.velocity) return Infinity;
  let impossible = least;
  let possible = Math.max(2 * least, 1e-9);
  while (findPeak(ends, limits, possible) === null && possible < 1e12) {
    impossible = possible;
    possible *= 2;
  }
  for (let i = 0; i < BISECTIONS && possible > impossible * (1 + 1e-15); i++) {
    const middle = 0.5 * (impossible + possible);
    if (findPeak(ends, limits, middle) === null) impossible = middle;
    else possible = middle;
  }
  return possible;
}

interface Extreme {
  readonly peak: number;
  readonly duration: number;
}

/** T: time to change the velocity by `change`. */
function changeTime(change: number, { acceleration, jerk }: ProfileLimits): number {
  const d = Math.abs(change);
  return d * jerk >= acceleration * acceleration || jerk === Infinity
    ? d / acceleration + acceleration / jerk
    : 2 * Math.sqrt(d / jerk);
}

function changesTime({ startVelocity, endVelocity }: ProfileEnds, limits: ProfileLimits, peak: number): number {
  return changeTime(peak - startVelocity, limits) + changeTime(endVelocity - peak, limits);
}

/** D */
function changesDistance({ startVelocity, endVelocity }: ProfileEnds, limits: ProfileLimits, peak: number): number {
  return (
    0.5 * (startVelocity + peak) * changeTime(peak - startVelocity, limits) +
    0.5 * (peak + endVelocity) * changeTime(endVelocity - peak, limits)
  );
}

/** E */
function timedDistance(ends: ProfileEnds, limits: ProfileLimits, peak: number, duration: number): number {
  return changesDistance(ends, limits, peak) + peak * (duration - changesTime(ends, limits, peak));
}

/** Profiles at the velocity limits and without cruise, fastest first. */
function findExtremes(ends: ProfileEnds, limits: ProfileLimits): Extreme[] {
  const { distance, startVelocity, endVelocity } = ends;
  const { velocity } = limits;
  if (Math.max(Math.abs(startVelocity), Math.abs(endVelocity)) > velocity) return [];
  const out: Extreme[] = [];
  const rest = (peak: number): number => distance - changesDistance(ends, limits, peak);
  for (const peak of [velocity, -velocity, startVelocity, endVelocity]) {
    if (peak === Infinity || peak === -Infinity) continue;
    const left = rest(peak);
    const cruise = left === 0 ? 0 : left / peak;
    if (cruise >= 0 && cruise < Infinity) out.push({ peak, duration: changesTime(ends, limits, peak) + cruise });
  }
  const points = findTurningPoints(ends, limits);
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1], points[i]];
    const [fa, fb] = [rest(a), rest(b)];
    if (fa > 0 === fb > 0 && fa !== 0 && fb !== 0) continue;
    const [inside, outside] = fa === 0 ? [a, a] : fb === 0 ? [b, b] : bracket((x) => rest(x) > 0 === fa > 0, a, b);
    // D changes so fast where a change begins that neighbouring numbers may leave a distance: a moment's cruise covers it.
    const peak = rest(inside) * inside >= 0 ? inside : outside;
    const cruise =
      Math.abs(peak) > SLOWEST_CRUISE * (Math.abs(startVelocity) + Math.abs(endVelocity)) ? rest(peak) / peak : 0;
    out.push({ peak, duration: changesTime(ends, limits, peak) + Math.max(cruise, 0) });
  }
  return out.sort((x, y) => x.duration - y.duration || x.peak - y.peak);
}

/** Increasing velocities between which D is monotone (nearly so between the end velocities, which are scanned). */
function findTurningPoints({ distance, startVelocity, endVelocity }: ProfileEnds, limits: ProfileLimits): number[] {
  const { acceleration, jerk } = limits;
  const low = Math.min(startVelocity, endVelocity);
  const high = Math.max(startVelocity, endVelocity);
  // Enough to cover the distance either way, where no velocity limit says less.
  const reach = Math.abs(low) + Math.abs(high) + Math.sqrt(2 * acceleration * Math.abs(distance)) + 1;
  const fastest = Math.min(limits.velocity, 2 * reach);
  const points = [-fastest, fastest, low, high, 0];
  for (let i = 1; i < SCAN; i++) points.push(low + ((high - low) * i) / SCAN);
  const threshold = (acceleration * acceleration) / jerk;
  for (const v of [low, high]) points.push(v - threshold, v + threshold, v / 3);
  points.push(-threshold / 2, threshold / 2);
  if (high < 0) points.push(findTurn(low, high, limits, fastest));
  if (low > 0) points.push(-findTurn(-high, -low, limits, fastest));
  const kept = points.filter((v) => v >= -fastest && v <= fastest).sort((a, b) => a - b);
  return kept.filter((v, i) => i === 0 || v > kept[i - 1]);
}

/** Where D, convex above two negative end velocities, is least. */
function findTurn(low: number, high: number, limits: ProfileLimits, fastest: number): number {
  const slope = (peak: number): number => distanceSlope(low, peak, limits) + distanceSlope(high, peak, limits);
  return bisect((x) => slope(x) < 0, high, Math.max(fastest, high));
}

/** Derivative of (v + peak)/2 T(peak - v) by the peak, above v. */
function distanceSlope(v: number, peak: number, { acceleration, jerk }: ProfileLimits): number {
  const d = peak - v;
  if (d * jerk >= acceleration * acceleration || jerk === Infinity)
    return peak / acceleration + acceleration / jerk / 2;
  return d > 0 ? (3 * peak - v) / (2 * Math.sqrt(d * jerk)) : v < 0 ? -Infinity : 0;
}

/** Border between a, where `test` holds, and b, where it does not. */
function bisect(test: (x: number) => boolean, a: number, b: number): number {
  const [holds, fails] = bracket(test, a, b);
  return 0.5 * (holds + fails);
}

/** The neighbouring numbers between which `test` ceases to hold. */
function bracket(test: (x: number) => boolean, a: number, b: number): [number, number] {
  let holds = a;
  let fails = b;
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = 0.5 * (holds + fails);
    if (middle === holds || middle === fails) break;
    if (test(middle)) holds = middle;
    else fails = middle;
  }
  return [holds, fails];
}

/** The peak of smallest magnitude with which the profile takes exactly `duration`; null when there is none. */
function findPeak(ends: ProfileEnds, limits: ProfileLimits, duration: number): number | null {
  const { distance, startVelocity, endVelocity } = ends;
  const { velocity } = limits;
  const low = Math.min(startVelocity, endVelocity);
  const high = Math.max(startVelocity, endVelocity);
  if (low < -velocity || high > velocity) return null;
  const slack = 1e-12 * duration;
  const fits = (peak: number): boolean => changesTime(ends, limits, peak) <= duration + slack;
  const most = (inside: number, outside: number): number => (fits(outside) ? outside : bisect(fits, inside, outside));
  const far = velocity < Infinity ? velocity : Math.abs(low) + Math.abs(high) + limits.acceleration * duration;
  const ranges: [number, number][] = [];
  const middle = 0.5 * (low + high);
  if (fits(low)) {
    ranges.push([most(low, -far), low], [low, most(low, middle)]);
    ranges.push([most(high, middle), high], [high, most(high, far)]);
  }
  let best: number | null = null;
  const scale = 1e-12 * Math.max(Math.abs(distance), (Math.abs(low) + Math.abs(high)) * duration);
  for (const [a, b] of ranges) {
    const [ea, eb] = [a, b].map((peak) => timedDistance(ends, limits, peak, duration));
    if (distance < ea - scale || distance > eb + scale) continue;
    const peak =
      distance <= ea
        ? a
        : distance >= eb
          ? b
          : bisect((x) => timedDistance(ends, limits, x, duration) < distance, a, b);
    if (best === null || Math.abs(peak) < Math.abs(best)) best = peak;
  }
  return best;
}

function toProfile(ends: ProfileEnds, limits: ProfileLimits, { peak, duration }: Extreme): MotionProfile {
  const { startVelocity, endVelocity } = ends;
  const cruise = duration - changesTime(ends, limits, peak);
  return new MotionProfile(ends, [
    ...changeSegments(peak - startVelocity, limits),
    [Math.max(cruise, 0), 0, 0],
    ...changeSegments(endVelocity - peak, limits),
  ]);
}

function changeSegments(change: number, limits: ProfileLimits): (readonly [number, number, number])[] {
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
