/**
 * Time-optimal parameterisation of a path under velocity, acceleration and torque limits (TOPP-RA).
 *
 * Method:
 * 1. a grid along the path; on each interval u = d2s/dt2 is constant, so x = (ds/dt)^2 is linear in s, and every limit is
 *    a row in (u, x) (see path-constraints.ts);
 * 2. backward: from each grid point, the range of x from which the next point's range can be reached within the limits,
 *    two linear programs in two variables per interval;
 * 3. forward: from the start, the largest u that stays in those ranges;
 * 4. between grid points: limits are evaluated at inner points of every interval, and where one is exceeded the row of
 *    the worst place joins the interval's rows; steps 2 to 4 repeat until nothing exceeds its limit by more than `tolerance`.
 * A constant u cannot follow a limit that changes along an interval, so the time exceeds the shortest one by a share of
 * first order in the interval (about 0.1 % at the default grid).
 * Where the path turns a corner (its tangent jumps) the speed is 0.
 * Schemes: `interpolation` holds an interval's limits at both of its ends with the same u (error of second order in the
 * interval before step 4), `collocation` at its first end only, without step 4 (first order; limits hold at grid points).
 * Source: Pham, Pham 2018, "A new approach to time-optimal path parameterization based on reachability analysis",
 * algorithm 1 and the two schemes compared there, doi:10.1109/TRO.2018.2819195; step 4 is the exchange method of
 * semi-infinite programming (Hettich, Kortanek 1993, section 7.1, doi:10.1137/1035089).
 *
 * Result: `solved`; `limit` when step 4 ran out of passes, the trajectory kept; or `infeasible` with the place and the limit
 * that cannot be kept (a static torque beyond the limit, a start or end velocity that cannot be reached).
 * Cost: linear in intervals and passes, two linear programs and ten evaluations of the rows per interval and pass.
 * Tested by time-optimal.test.ts and test/oracle/time-optimal-panda.test.ts.
 */

import { createDynamicsData, type DynamicsData, type DynamicsOptions } from '../dynamics/dynamics-data.js';
import {
  type Fields,
  numbers,
  oneOf,
  requireFields,
  requireInstance,
  requireNotNegative,
  unchecked,
  wholeFrom,
} from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { IntervalProgram } from './interval-program.js';
import { JointCurve } from './joint-curve.js';
import { coordinateName, type MotionLimits } from './limits.js';
import { requireMasses } from './moved-masses.js';
import { PathConstraints } from './path-constraints.js';
import type { PathLimit } from './path-limit.js';
import { RetimedTrajectory } from './retimed-trajectory.js';
import { createTrajectoryPoint } from './trajectory.js';
import { requireDynamicsOf, requireLimits } from './trajectory-door.js';

const OPTIONS: Fields = {
  limits: unchecked,
  dynamics: unchecked,
  scheme: oneOf('interpolation', 'collocation'),
  intervals: wholeFrom(1),
  startVelocity: numbers,
  endVelocity: numbers,
  tolerance: requireNotNegative,
  further: unchecked,
};

export interface TimeOptimalOptions {
  readonly limits: MotionLimits;
  /** Gravity and armature, where torques are limited. */
  readonly dynamics?: DynamicsOptions;
  /** Default `interpolation`. */
  readonly scheme?: 'interpolation' | 'collocation';
  /** Grid intervals over the whole path, at the least; every piece gets 4 or more. Default 500. */
  readonly intervals?: number;
  /** Joint velocities at the ends, nv numbers along the path's tangent; default 0. */
  readonly startVelocity?: ArrayLike<number>;
  readonly endVelocity?: ArrayLike<number>;
  /** Largest relative excess over a limit between grid points; default 1e-8. */
  readonly tolerance?: number;
  /** A limit besides those of the joints. */
  readonly further?: PathLimit;
}

export interface TimeOptimalResult {
  /** `limit`: passes ran out before every limit was held between grid points; `usage` says how far, more intervals help. */
  readonly status: 'solved' | 'limit' | 'infeasible';
  /** Empty when solved. */
  readonly reason: string;
  readonly trajectory: RetimedTrajectory | null;
  readonly intervals: number;
  /** Passes over the grid. */
  readonly rounds: number;
  /** Largest share of a limit that is used, at and between grid points: 1 + tolerance at most. */
  readonly usage: number;
}

const LEAST_INTERVALS = 4;
/** Inner points of an interval at which limits are looked at. */
const INNER = 10;
const MOST_ROUNDS = 16;
/** Relative excess over a limit up to which it counts as held. */
const HELD = 1e-6;
/** Intervals up to which the rows at inner points are kept. */
const MOST_CACHED = 5000;
/** After so many rounds new rows are tightened by what they were exceeded by, and more with every round. */
const EXACT_ROUNDS = 3;
/** Shares of the speed squared: what counts as a stop, and what the next pass keeps instead. */
const STALLED = 1e-3;
const LEAST_DECAY = 0.1;
/** Peaks below this share of a limit are not looked at. */
const NEAR_LIMIT = 0.99;
/** Peaks of different rows nearer than this share of an interval are one. */
const SAME_PLACE = 1e-3;
/** Tangents that differ by more, relative to their size, are a corner. */
const CORNER = 1e-9;

class TimeOptimalProblem {
  readonly count: number;
  private readonly piece: Int32Array;
  private readonly from: Float64Array;
  private readonly to: Float64Array;
  /** 1 at grid points where the path has a corner. */
  private readonly stops: Uint8Array;
  /** Samples that bind each interval: number and place in [0, 1]; the first two are its ends. */
  private readonly binding: { samples: number[]; places: number[] }[] = [];
  /** Smallest share of x that an interval may leave; 0 unless the pass before braked for nothing there. */
  private readonly decay: Float64Array;
  private readonly low: Float64Array;
  private readonly high: Float64Array;
  /** Whether the last pass all but stopped where it need not. */
  isStalled = false;
  readonly x: Float64Array;
  readonly u: Float64Array;
  private readonly program = new IntervalProgram();
  private readonly probe: PathConstraints;
  /** Rows at the inner points of intervals, kept from the first pass for the others, and where each interval's begin. */
  private readonly inner: PathConstraints;
  private readonly innerStarts: Int32Array;
  private readonly controls = new Float64Array(2);
  /** Per interval: x and u as last looked at, and the largest usage found. */
  private readonly seen: Float64Array;
  /** Row values at the places 0, 1/INNER, ... 1, and one more. */
  private readonly usages: Float64Array;

  constructor(
    readonly constraints: PathConstraints,
    private readonly isInterpolated: boolean,
    least: number,
  ) {
    const { curve } = constraints;
    const { pieces, duration } = curve;
    const counts = pieces.map(({ length }) => Math.max(LEAST_INTERVALS, Math.ceil((least * length) / duration)));
    this.count = counts.reduce((sum, n) => sum + n, 0);
    this.piece = new Int32Array(this.count);
    this.from = new Float64Array(this.count);
    this.to = new Float64Array(this.count);
    this.stops = new Uint8Array(this.count + 1);
    this.decay = new Float64Array(this.count);
    this.seen = new Float64Array(3 * this.count).fill(Number.NaN);
    this.low = new Float64Array(this.count + 1);
    this.high = new Float64Array(this.count + 1);
    this.x = new Float64Array(this.count + 1);
    this.u = new Float64Array(this.count);
    const { limits, dynamics, further } = constraints;
    this.probe = new PathConstraints(curve, limits, dynamics, further);
    this.probe.add(0, 0);
    this.inner = new PathConstraints(curve, limits, dynamics, further);
    this.innerStarts = new Int32Array(this.count).fill(-1);
    this.usages = new Float64Array((INNER + 2) * (constraints.rows + 1));
    constraints.reserve(2 * this.count);
    let i = 0;
    for (let p = 0; p < pieces.length; p++) {
      const { length } = pieces[p];
      for (let k = 0; k < counts[p]; k++, i++) {
        this.piece[i] = p;
        this.from[i] = (length * k) / counts[p];
        this.to[i] = k + 1 === counts[p] ? length : (length * (k + 1)) / counts[p];
        const start = k > 0 ? constraints.addCopy(constraints.size - 1) : constraints.add(p, 0);
        const end = constraints.add(p, this.to[i]);
        this.binding.push({ samples: [start, end], places: [0, 1] });
      }
      if (p > 0) this.stops[i - counts[p]] = hasCorner(curve, p) ? 1 : 0;
    }
    this.stops[this.count] = 1;
  }

  /** Bounds of x at the ends of the path: the speeds asked for. */
  solve(startSpeed: number, endSpeed: number): string {
    return this.passBackward(endSpeed) || this.passForward(startSpeed);
  }

  private passBackward(endSpeed: number): string {
    const { count, low, high, stops, constraints, program, binding } = this;
    const { X } = constraints;
    const most = X[binding[count - 1].samples[1]];
    // A velocity at its limit may round to a speed beyond it.
    if (endSpeed * endSpeed > most * (1 + 1e-9)) return 'the end velocity exceeds its limit';
    const end = Math.min(endSpeed * endSpeed, most);
    low[count] = end;
    high[count] = end;
    for (let i = count - 1; i >= 0; i--) {
      const step = this.to[i] - this.from[i];
      const { samples } = binding[i];
      this.load(i);
      program.add(2 * step, 1, low[i + 1], high[i + 1], true);
      let most = X[samples[0]];
      if (i > 0 && stops[i] === 0) most = Math.min(most, X[binding[i - 1].samples[1]]);
      if (stops[i] === 1) most = 0;
      high[i] = program.solve(1, 0, most);
      if (high[i] === Infinity) return 'no limit bounds the speed along the path';
      low[i] = program.solve(-1, 0, most);
      if (!(high[i] >= 0) || !(low[i] >= 0)) return this.explain(i);
      if (low[i] > high[i]) low[i] = high[i];
      if (i > 0 && stops[i] === 0) high[i] = Math.max(low[i], Math.min(high[i], X[binding[i - 1].samples[1]]));
    }
    return '';
  }

  private passForward(startSpeed: number): string {
    const { count, low, high, x, u, program, controls, stops } = this;
    this.isStalled = false;
    const start = startSpeed * startSpeed;
    const slack = 1e-9 * Math.max(start, high[0]);
    if (start < low[0] - slack && this.findStaticExcess(0) !== '') return this.explain(0);
    if (start > high[0] + slack || start < low[0] - slack)
      return `the start velocity cannot be kept: the speed along the path must lie between ${Math.sqrt(low[0])} and ${Math.sqrt(high[0])}, not ${startSpeed}`;
    x[0] = Math.min(Math.max(start, low[0]), high[0]);
    for (let i = 0; i < count; i++) {
      const step = 2 * (this.to[i] - this.from[i]);
      this.load(i);
      // The interval's own limits come first: where rounding sets the two against each other, they are kept.
      program.controls(controls, x[i]);
      u[i] = Math.max(controls[0], Math.min(controls[1], (high[i + 1] - x[i]) / step));
      x[i + 1] = Math.min(Math.max(x[i] + step * u[i], low[i + 1]), high[i + 1]);
      // The largest x may be one from which only a stop leads on. Then less is more: the next pass keeps a share of it.
      const open = Math.min(x[i], high[i + 1]);
      if (stops[i + 1] === 0 && x[i + 1] < STALLED * open) {
        this.decay[i] = (LEAST_DECAY * open) / x[i];
        this.isStalled = true;
      }
    }
    return '';
  }

  /** The rows of an interval in (u, x at its start). */
  private load(i: number): void {
    const { program, constraints, isInterpolated } = this;
    const { rows, A, B, C, X } = constraints;
    const { samples, places } = this.binding[i];
    const step = 2 * (this.to[i] - this.from[i]);
    program.clear();
    if (this.decay[i] > 0) program.add(step, 1 - this.decay[i], 0, Infinity, true);
    for (let n = 0; n < samples.length; n++) {
      if (n === 1 && !isInterpolated) continue;
      const ahead = step * places[n];
      const at = rows * samples[n];
      for (let k = at; k < at + rows; k++) program.add(A[k] + ahead * B[k], B[k], -1 - C[k], 1 - C[k]);
      if (n > 1) program.add(ahead, 1, 0, X[samples[n]], true);
    }
  }

  /** Adds rows where a limit is exceeded inside an interval, tightened by so many excesses; returns the largest usage. */
  refine(tolerance: number, tightening: number): number {
    let worst = 0;
    const { seen, x, u } = this;
    for (let i = 0; i < this.count; i++) {
      const at = 3 * i;
      // What has not changed since it was found good is still good.
      if (seen[at] !== x[i] || seen[at + 1] !== u[i] || !(seen[at + 2] <= 1 + tolerance)) {
        seen[at] = x[i];
        seen[at + 1] = u[i];
        seen[at + 2] = this.refineInterval(i, tolerance, tightening);
      }
      worst = Math.max(worst, seen[at + 2]);
    }
    return worst;
  }

  private refineInterval(i: number, tolerance: number, tightening: number): number {
    const { constraints, usages } = this;
    const { samples } = this.binding[i];
    const stride = constraints.rows + 1;
    let worst = Math.max(
      constraints.writeUsage(usages, 0, samples[0], this.u[i], this.x[i]),
      constraints.writeUsage(usages, INNER * stride, samples[1], this.u[i], this.x[i + 1]),
    );
    if (this.isExact(i)) return worst;
    let highest = 1;
    let highestUsage = 0;
    for (let k = 1; k < INNER; k++) {
      const usage = this.innerUsage(i, k);
      if (usage > highestUsage) {
        highestUsage = usage;
        highest = k;
      }
    }
    worst = Math.max(worst, highestUsage);
    const places = this.findPeaks(worst);
    // Where parabolas miss a peak time after time, its inner point will do.
    if (tightening > 0 && highestUsage > 1 + tolerance) places.push(highest / INNER);
    for (const place of places) {
      const usage = this.probeUsage((INNER + 1) * stride, i, place);
      worst = Math.max(worst, usage);
      if (usage > 1 + tolerance) this.bind(i, place, 1 + tightening * (usage - 1));
    }
    return worst;
  }

  /** Places in (0, 1) where some row peaks near its limit: vertices of parabolas through three neighbouring points. */
  private findPeaks(worst: number): number[] {
    const { usages, constraints } = this;
    const stride = constraints.rows + 1;
    const places: number[] = [];
    const floor = worst > 1 ? 1 : NEAR_LIMIT;
    for (let row = 0; row < stride; row++) {
      for (let k = 1; k < INNER; k++) {
        const at = k * stride + row;
        const sign = usages[at] < 0 ? -1 : 1;
        const before = sign * usages[at - stride];
        const here = sign * usages[at];
        const after = sign * usages[at + stride];
        const bend = 2 * here - before - after;
        const shift = bend > 0 ? (0.5 * (after - before)) / bend : after > before ? 1 : -1;
        const top = bend > 0 ? here + (0.125 * (after - before) ** 2) / bend : here;
        if (!(Math.max(top, here) > floor)) continue;
        // From the middle point a vertex is nearest to, give or take: neighbouring parabolas place it differently.
        if (shift < (k === 1 ? -1 : -0.75) || shift > (k === INNER - 1 ? 1 : 0.75)) continue;
        const place = (k + shift) / INNER;
        if (place > 0 && place < 1 && !places.some((other) => Math.abs(other - place) < SAME_PLACE)) places.push(place);
      }
    }
    return places;
  }

  /** Straight pieces without torques: limits that hold at both ends hold between them. */
  private isExact(i: number): boolean {
    const { terms } = this.constraints.curve.pieces[this.piece[i]];
    return (
      !this.constraints.hasTorque && !this.constraints.further && terms.length === 1 && terms[0].polynomial.length === 2
    );
  }

  /** Usage at the inner point k of interval i, from its place in `usages`. */
  private innerUsage(i: number, k: number): number {
    const at = k * (this.constraints.rows + 1);
    const { inner, innerStarts } = this;
    if (this.count > MOST_CACHED) return this.probeUsage(at, i, k / INNER);
    const step = this.to[i] - this.from[i];
    if (innerStarts[i] < 0) {
      innerStarts[i] = inner.size;
      for (let n = 1; n < INNER; n++) inner.add(this.piece[i], this.from[i] + (n / INNER) * step);
    }
    const x = this.x[i] + 2 * (k / INNER) * step * this.u[i];
    return inner.writeUsage(this.usages, at, innerStarts[i] + k - 1, this.u[i], x);
  }

  /** Usage of every limit at a place of interval i, from `at` in `usages`; returns the largest. */
  private probeUsage(at: number, i: number, place: number): number {
    const step = this.to[i] - this.from[i];
    this.probe.write(0, this.piece[i], this.from[i] + place * step);
    return this.probe.writeUsage(this.usages, at, 0, this.u[i], this.x[i] + 2 * place * step * this.u[i]);
  }

  private bind(i: number, place: number, factor: number): void {
    const at = this.from[i] + place * (this.to[i] - this.from[i]);
    const sample = this.constraints.add(this.piece[i], at);
    this.constraints.tighten(sample, factor);
    this.binding[i].samples.push(sample);
    this.binding[i].places.push(place);
  }

  /** Which limit allows no motion at grid point i. */
  private explain(i: number): string {
    const { curve } = this.constraints;
    const where = `at ${curve.breaks[this.piece[i]] + this.from[i]} of the path's length ${curve.duration}`;
    return `${this.findStaticExcess(i) || 'no acceleration keeps all limits and reaches the rest of the path'}, ${where}`;
  }

  /** The limit that interval i exceeds without any motion. */
  private findStaticExcess(i: number): string {
    const { rows, C } = this.constraints;
    for (const sample of this.binding[i].samples) {
      for (let k = 0; k < rows; k++)
        if (Math.abs(C[rows * sample + k]) > 1) return `${this.constraints.nameRow(k)} exceeds its limit even at rest`;
    }
    return '';
  }

  toTrajectory(): RetimedTrajectory {
    const { count, x } = this;
    const times = new Float64Array(count + 1);
    const speeds = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      speeds[i] = Math.sqrt(x[i]);
      times[i + 1] = times[i] + (2 * (this.to[i] - this.from[i])) / (speeds[i] + Math.sqrt(x[i + 1]));
    }
    return new RetimedTrajectory(this.constraints.curve, {
      times,
      pieces: this.piece,
      offsets: this.from,
      ends: this.to,
      speeds,
      accelerations: this.u,
    });
  }

  /** Grid point where the motion cannot start again; -1 when there is none. */
  findStandstill(): number {
    for (let i = 0; i < this.count; i++) if (!(this.x[i] + this.x[i + 1] > 0)) return i;
    return -1;
  }
}

export function parameterizeTimeOptimal(path: JointCurve, options: TimeOptimalOptions): TimeOptimalResult {
  requireInstance('parameterizeTimeOptimal', 'path', path, JointCurve, 'a JointCurve, e.g. of createBlendedPath');
  requireFields('parameterizeTimeOptimal', 'options', options, OPTIONS);
  requireLimits('parameterizeTimeOptimal', path.model, options.limits);
  requireDynamicsOf('parameterizeTimeOptimal', path.model, options.dynamics);
  const { limits, scheme = 'interpolation', intervals = 500, tolerance = 1e-8 } = options;
  const startSpeed = readSpeed(path, 'startVelocity', options.startVelocity, 0);
  const endSpeed = readSpeed(path, 'endVelocity', options.endVelocity, path.duration);
  if (path.pieces.length === 0) {
    const empty = { times: new Float64Array(1), pieces: new Int32Array(0) };
    const none = new Float64Array(0);
    const law = { ...empty, offsets: none, ends: none, speeds: none, accelerations: none };
    return done('solved', '', new RetimedTrajectory(path, law), 0, 0, 0);
  }
  const isInterpolated = scheme === 'interpolation';
  const constraints = new PathConstraints(path, limits, createDynamics(path, options), options.further);
  requireBounds(path, limits);
  const problem = new TimeOptimalProblem(constraints, isInterpolated, intervals);
  let rounds = 0;
  let usage = 0;
  do {
    rounds++;
    const fault = problem.solve(startSpeed, endSpeed);
    if (fault !== '') return done('infeasible', fault, null, problem.count, rounds, 0);
    usage = problem.refine(isInterpolated ? tolerance : Infinity, rounds > EXACT_ROUNDS ? rounds - EXACT_ROUNDS : 0);
  } while ((problem.isStalled || (isInterpolated && usage > 1 + tolerance)) && rounds < MOST_ROUNDS);
  const standstill = problem.findStandstill();
  if (standstill >= 0)
    return done('infeasible', 'the limits leave no speed at some point of the path', null, problem.count, rounds, 0);
  const isHeld = !isInterpolated || usage <= 1 + Math.max(tolerance, HELD);
  const reason = isHeld ? '' : `a limit is exceeded between grid points, ${usage} times, after ${rounds} passes`;
  return done(isHeld ? 'solved' : 'limit', reason, problem.toTrajectory(), problem.count, rounds, usage);
}

function done(
  status: TimeOptimalResult['status'],
  reason: string,
  trajectory: RetimedTrajectory | null,
  intervals: number,
  rounds: number,
  usage: number,
): TimeOptimalResult {
  return { status, reason, trajectory, intervals, rounds, usage };
}

function createDynamics(path: JointCurve, { limits, dynamics }: TimeOptimalOptions): DynamicsData | null {
  requireMasses('parameterizeTimeOptimal', path.model, limits, dynamics);
  return limits.torque.some((limit) => limit < Infinity) ? createDynamicsData(path.model, dynamics) : null;
}

/** Every coordinate that moves needs something that bounds its acceleration. */
function requireBounds(path: JointCurve, { acceleration, torque }: MotionLimits): void {
  for (let k = 0; k < path.model.nv; k++) {
    if (acceleration[k] < Infinity || torque[k] < Infinity) continue;
    if (path.pieces.some(({ terms }) => terms.some(({ increment }) => increment[k] !== 0)))
      throw new MisuseError(
        `parameterizeTimeOptimal: acceleration of joint "${coordinateName(path.model, k)}", got neither an acceleration nor a torque limit, expected one, as the joint moves`,
      );
  }
}

/** Whether the tangent jumps where piece p begins. */
function hasCorner(curve: JointCurve, p: number): boolean {
  const before = createTrajectoryPoint(curve.model);
  const after = createTrajectoryPoint(curve.model);
  curve.evaluatePiece(before, p - 1, curve.pieces[p - 1].length);
  curve.evaluatePiece(after, p, 0);
  let scale = 0;
  let jump = 0;
  for (let k = 0; k < before.v.length; k++) {
    scale = Math.max(scale, Math.abs(before.v[k]), Math.abs(after.v[k]));
    jump = Math.max(jump, Math.abs(before.v[k] - after.v[k]));
  }
  return jump > CORNER * scale;
}

/** ds/dt for joint velocities, which must lie along the tangent. */
function readSpeed(path: JointCurve, name: string, velocity: ArrayLike<number> | undefined, at: number): number {
  if (velocity === undefined) return 0;
  const { nv } = path.model;
  if (velocity.length !== nv)
    throw new MisuseError(`parameterizeTimeOptimal: ${name}, got ${velocity.length} numbers, expected nv = ${nv}`);
  const { v } = path.evaluate(createTrajectoryPoint(path.model), at);
  let along = 0;
  let size = 0;
  let norm = 0;
  for (let k = 0; k < nv; k++) {
    along += v[k] * velocity[k];
    size += v[k] * v[k];
    norm += velocity[k] * velocity[k];
  }
  if (norm === 0) return 0;
  const speed = along / size;
  let rest = 0;
  for (let k = 0; k < nv; k++) rest += (velocity[k] - speed * v[k]) ** 2;
  if (!(speed >= 0 && rest <= 1e-12 * norm))
    throw new MisuseError(
      `parameterizeTimeOptimal: ${name}, got [${Array.from(velocity)}], expected a forward multiple of the path's tangent [${Array.from(v)}]`,
    );
  return speed;
}
