/**
 * The fastest, or just long enough, motion of one coordinate over a distance: velocity, acceleration and jerk limited.
 *
 * Method: the profile changes velocity from its start to a peak without acceleration, cruises there, and changes velocity to its
 * end. Each change is the fastest one (velocity-change.ts: at most four segments), and both cover a way D(peak). With an
 * infinite jerk limit this is the trapezoidal profile.
 * Fastest: the least duration among peaks with D(peak) = distance and no cruise, and peaks at +- the velocity limit.
 * D is monotone between known points: the velocities from which the changes begin, where their time changes its form, and where
 * D turns.
 * Given duration: E(peak) = D + peak x (duration - both changes) grows with the peak wherever the cruise is not negative, so
 * bisection finds the peak. Durations between the least one and some longer one may be impossible when a velocity at the
 * ends is not 0 (what moves cannot wait); such gaps end at one of the fastest motion's candidates.
 * With an acceleration at one end or none, no motion is faster. With one at both ends, none that has a moment without
 * acceleration is: ends that lie on one S-curve are joined by more than that curve.
 * Source: Kroeger 2010, "On-line trajectory generation in robotic systems", chapter 5 (profiles and their gaps),
 * doi:10.1007/978-3-642-05175-3; Berscheid, Kroeger 2021, "Jerk-limited real-time trajectory generation with arbitrary target
 * states", doi:10.15607/RSS.2021.XVII.015.
 * Units: any length u, u/s, u/s^2, u/s^3. States at the ends beyond a limit, or that lead beyond the velocity limit
 * whatever is done: null. Tested by motion-profile.test.ts.
 */

import { type Fields, requireFields, requireFinite, requireNumber, throwMisuse, unchecked } from '../math/arguments.js';
import {
  changeDistance,
  changeSegments,
  changeTime,
  createVelocityChange,
  distanceSlope,
  reverseSegments,
  type Segment,
  type VelocityChange,
} from './velocity-change.js';

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
  /** Default 0; of no account with an infinite jerk limit, where accelerations jump. */
  readonly startAcceleration?: number;
  readonly endAcceleration?: number;
}

const ENDS: Fields = {
  distance: requireFinite,
  startVelocity: requireFinite,
  endVelocity: requireFinite,
  startAcceleration: requireFinite,
  endAcceleration: requireFinite,
};

const PROFILE_LIMITS: Fields = { velocity: unchecked, acceleration: unchecked, jerk: unchecked };

function requireProfile(call: string, ends: ProfileEnds, limits: ProfileLimits): void {
  requireFields(call, 'ends', ends, ENDS);
  for (const key of ['distance', 'startVelocity', 'endVelocity'] as const)
    requireFinite(call, `ends.${key}`, ends[key]);
  requireFields(call, 'limits', limits, PROFILE_LIMITS);
  for (const key of ['velocity', 'acceleration', 'jerk'] as const) {
    requireNumber(call, `limits.${key}`, limits[key]);
    if (!(limits[key] > 0)) throwMisuse(call, `limits.${key}`, limits[key], 'a positive number');
  }
}

const BISECTIONS = 200;
/** Share of the ways gone that is a rounding error of theirs. */
const ROUNDING = 1e-12;
/** Below this share of the end velocities a peak is standstill. */
const SLOWEST_CRUISE = 1e-6;
/** Pieces of the range between the end velocities in which candidates are sought. */
const SCAN = 32;

/** Position, velocity and acceleration over time from 0 to `duration`, by segments of constant jerk. */
export class MotionProfile {
  readonly duration: number;
  private readonly times: Float64Array;
  private readonly states: Float64Array;
  /** Of each segment: differences of `times` have the rounding of the whole duration, which a sharp jerk makes large. */
  private readonly lengths: Float64Array;

  /** `segments`: duration, acceleration at the start, jerk of each. */
  constructor(
    readonly ends: ProfileEnds,
    segments: readonly Segment[],
  ) {
    const kept = segments.filter(([time]) => time > 0);
    this.times = new Float64Array(kept.length + 1);
    this.states = new Float64Array(4 * kept.length);
    this.lengths = Float64Array.from(kept, ([time]) => time);
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
    requireNumber('evaluate', 'time', time);
    if (!(out?.length >= 4)) throwMisuse('evaluate', 'out', out, 'room for 4 numbers');
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
    const t = Math.min(Math.max(time, 0) - times[i], this.lengths[i]);
    const v = states[4 * i + 1];
    const a = states[4 * i + 2];
    const j = states[4 * i + 3];
    out[0] = states[4 * i] + t * (v + t * (a / 2 + (t * j) / 6));
    out[1] = v + t * (a + (t * j) / 2);
    out[2] = a + t * j;
    out[3] = j;
    return out;
  }

  /** Writes the largest |velocity| and |acceleration| over [from, to]. */
  bound(out: Float64Array, from: number, to: number): Float64Array {
    const { times, states, duration, ends } = this;
    out[0] = from >= duration || to >= duration ? Math.abs(ends.endVelocity) : 0;
    out[1] = 0;
    for (let i = 0; i + 1 < times.length; i++) {
      if (times[i] > to || times[i + 1] < from) continue;
      const first = Math.min(Math.max(from - times[i], 0), this.lengths[i]);
      const last = Math.min(to - times[i], this.lengths[i]);
      const [v, a, j] = [states[4 * i + 1], states[4 * i + 2], states[4 * i + 3]];
      // The velocity is a parabola: largest at an end, or where the acceleration is 0.
      const top = j === 0 ? first : Math.min(Math.max(-a / j, first), last);
      for (const t of [first, top, last]) out[0] = Math.max(out[0], Math.abs(v + t * (a + (t * j) / 2)));
      out[1] = Math.max(out[1], Math.abs(a + first * j), Math.abs(a + last * j));
    }
    return out;
  }

  private lastAcceleration(): number {
    const { states, lengths } = this;
    const i = lengths.length - 1;
    return states[4 * i + 2] + states[4 * i + 3] * lengths[i];
  }
}

/** The fastest profile; null when a state at the ends exceeds its limits. */
export function planProfile(ends: ProfileEnds, limits: ProfileLimits): MotionProfile | null {
  requireProfile('planProfile', ends, limits);
  const [fastest] = findExtremes(ends, limits);
  return fastest ? toProfile(ends, limits, fastest) : null;
}

/** The profile that takes exactly `duration`; null when there is none. */
export function planTimedProfile(ends: ProfileEnds, limits: ProfileLimits, duration: number): MotionProfile | null {
  requireProfile('planTimedProfile', ends, limits);
  requireNumber('planTimedProfile', 'duration', duration);
  const peak = findPeak(ends, limits, duration);
  if (peak !== null) return toProfile(ends, limits, { peak, duration });
  // End velocities that are neighbouring numbers count as equal from between them, which no range of peaks there holds.
  const extreme = findExtremes(ends, limits).find((one) => Math.abs(one.duration - duration) <= 1e-12 * duration);
  return extreme ? toProfile(ends, limits, { ...extreme, duration }) : null;
}

/** Shortest possible duration not below `least`; Infinity when a state at the ends exceeds its limits. */
export function findDuration(ends: ProfileEnds, limits: ProfileLimits, least: number): number {
  requireProfile('findDuration', ends, limits);
  requireNumber('findDuration', 'least', least);
  if (findPeak(ends, limits, least) !== null) return least;
  for (const { duration } of findExtremes(ends, limits)) {
    if (duration >= least) return duration;
  }
  // A gap's far end may lie at a peak between the end velocities: sought by doubling, then bisection.
  if (!arePossible(ends, limits)) return Infinity;
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

/** From the start to the peak, and backwards from the end to it. */
type Changes = readonly [VelocityChange, VelocityChange];

function createChanges(ends: ProfileEnds, limits: ProfileLimits): Changes {
  const { startVelocity, endVelocity, startAcceleration = 0, endAcceleration = 0 } = ends;
  return [
    createVelocityChange(startVelocity, startAcceleration, limits),
    createVelocityChange(endVelocity, -endAcceleration, limits),
  ];
}

/** Whether the ends keep the limits, and whether they can be kept after the one and before the other. */
function arePossible(ends: ProfileEnds, limits: ProfileLimits): boolean {
  const rounding = 1 + 1e-12;
  return createChanges(ends, limits).every(
    ({ velocity, acceleration, calm }) =>
      Math.abs(velocity) <= limits.velocity * rounding &&
      Math.abs(calm) <= limits.velocity * rounding &&
      Math.abs(acceleration) <= limits.acceleration * rounding,
  );
}

function changesTime([first, last]: Changes, limits: ProfileLimits, peak: number): number {
  return changeTime(first, limits, peak) + changeTime(last, limits, peak);
}

/** D */
function changesDistance([first, last]: Changes, limits: ProfileLimits, peak: number): number {
  return changeDistance(first, limits, peak) + changeDistance(last, limits, peak);
}

/** E */
function timedDistance(changes: Changes, limits: ProfileLimits, peak: number, duration: number): number {
  return changesDistance(changes, limits, peak) + peak * (duration - changesTime(changes, limits, peak));
}

/** Profiles at the velocity limits and without cruise, fastest first. */
function findExtremes(ends: ProfileEnds, limits: ProfileLimits): Extreme[] {
  const { distance } = ends;
  const { velocity } = limits;
  if (!arePossible(ends, limits)) return [];
  const changes = createChanges(ends, limits);
  let speeds = 0;
  let ways = Math.abs(distance);
  for (const { velocity: v, calm, origin, calmWay, originWay } of changes) {
    speeds += Math.abs(v) + Math.abs(calm) + Math.abs(origin);
    ways += Math.abs(calmWay) + Math.abs(originWay);
  }
  const slowest = SLOWEST_CRUISE * speeds;
  const out: Extreme[] = [];
  const rest = (peak: number): number => distance - changesDistance(changes, limits, peak);
  for (const peak of [velocity, -velocity, changes[0].calm, changes[1].calm]) {
    if (peak === Infinity || peak === -Infinity) continue;
    const left = rest(peak);
    // Nothing to cruise for: what moves at its end would have to come round again.
    const cruise = Math.abs(left) <= ROUNDING * ways ? 0 : left / peak;
    if (cruise >= 0 && cruise < Infinity) out.push({ peak, duration: changesTime(changes, limits, peak) + cruise });
  }
  const points = findTurningPoints(distance, changes, limits);
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1], points[i]];
    const [fa, fb] = [rest(a), rest(b)];
    if (fa > 0 === fb > 0 && fa !== 0 && fb !== 0) continue;
    const [inside, outside] = fa === 0 ? [a, a] : fb === 0 ? [b, b] : bracket((x) => rest(x) > 0 === fa > 0, a, b);
    // D changes so fast where a change begins that neighbouring numbers may leave a distance: a moment's cruise covers it.
    const peak = rest(inside) * inside >= 0 ? inside : outside;
    const cruise = Math.abs(peak) > slowest ? rest(peak) / peak : 0;
    out.push({ peak, duration: changesTime(changes, limits, peak) + Math.max(cruise, 0) });
  }
  return out.sort((x, y) => x.duration - y.duration || x.peak - y.peak);
}

/** Increasing velocities between which D is monotone (nearly so between the ends', which are scanned). */
function findTurningPoints(distance: number, changes: Changes, limits: ProfileLimits): number[] {
  const { acceleration, jerk } = limits;
  const begins = changes.flatMap(({ velocity, calm, origin }) => [velocity, calm, origin]);
  const low = Math.min(...begins);
  const high = Math.max(...begins);
  // Enough to cover the distance either way, where no velocity limit says less.
  const ways = changes.reduce((sum, { calmWay, originWay }) => sum + Math.abs(calmWay) + Math.abs(originWay), 0);
  const reach = Math.abs(low) + Math.abs(high) + Math.sqrt(2 * acceleration * (Math.abs(distance) + ways)) + 1;
  const fastest = Math.min(limits.velocity, 2 * reach);
  const points = [-fastest, fastest, ...begins, 0];
  for (let i = 1; i < SCAN; i++) points.push(low + ((high - low) * i) / SCAN);
  const threshold = (acceleration * acceleration) / jerk;
  for (const v of begins) points.push(v - threshold, v + threshold, v / 3);
  points.push(-threshold / 2, threshold / 2);
  const [top, bottom] = [Math.max, Math.min].map((choose) => choose(changes[0].calm, changes[1].calm));
  if (top < 0) points.push(findTurn(changes, limits, top, fastest));
  if (bottom > 0) points.push(-findTurn([mirror(changes[0]), mirror(changes[1])], limits, -bottom, fastest));
  const kept = points.filter((v) => v >= -fastest && v <= fastest).sort((a, b) => a - b);
  return kept.filter((v, i) => i === 0 || v > kept[i - 1]);
}

/** Where D, convex above velocities that are all negative, is least. */
function findTurn(changes: Changes, limits: ProfileLimits, top: number, fastest: number): number {
  const slope = (peak: number): number =>
    distanceSlope(changes[0], limits, peak) + distanceSlope(changes[1], limits, peak);
  return bisect((x) => slope(x) < 0, top, Math.max(fastest, top));
}

function mirror({ velocity, acceleration, calm, origin, ramp, calmWay, originWay }: VelocityChange): VelocityChange {
  return {
    velocity: -velocity,
    acceleration: -acceleration,
    calm: -calm,
    origin: -origin,
    ramp,
    calmWay: -calmWay,
    originWay: -originWay,
  };
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
  const { distance } = ends;
  const { velocity } = limits;
  if (!arePossible(ends, limits)) return null;
  const changes = createChanges(ends, limits);
  const low = Math.min(changes[0].calm, changes[1].calm);
  const high = Math.max(changes[0].calm, changes[1].calm);
  const slack = 1e-12 * duration;
  const fits = (peak: number): boolean => changesTime(changes, limits, peak) <= duration + slack;
  // The one that fits: where a change begins, its time grows so fast that a neighbouring number can miss by 1e-8.
  const most = (inside: number, outside: number): number =>
    fits(outside) ? outside : bracket(fits, inside, outside)[0];
  const far = velocity < Infinity ? velocity : Math.abs(low) + Math.abs(high) + limits.acceleration * duration;
  const ranges: [number, number][] = [];
  const middle = 0.5 * (low + high);
  if (fits(low)) ranges.push([most(low, -far), low], [low, most(low, middle)]);
  if (fits(high)) ranges.push([most(high, middle), high], [high, most(high, far)]);
  let best: number | null = null;
  const scale = 1e-12 * Math.max(Math.abs(distance), (Math.abs(low) + Math.abs(high)) * duration);
  for (const [a, b] of ranges) {
    const [ea, eb] = [a, b].map((peak) => timedDistance(changes, limits, peak, duration));
    if (distance < ea - scale || distance > eb + scale) continue;
    const peak =
      distance <= ea
        ? a
        : distance >= eb
          ? b
          : bisect((x) => timedDistance(changes, limits, x, duration) < distance, a, b);
    if (best === null || Math.abs(peak) < Math.abs(best)) best = peak;
  }
  return best;
}

function toProfile(ends: ProfileEnds, limits: ProfileLimits, { peak, duration }: Extreme): MotionProfile {
  const changes = createChanges(ends, limits);
  const cruise = duration - changesTime(changes, limits, peak);
  return new MotionProfile(ends, [
    ...changeSegments(changes[0], limits, peak),
    [Math.max(cruise, 0), 0, 0],
    ...reverseSegments(changeSegments(changes[1], limits, peak)),
  ]);
}
