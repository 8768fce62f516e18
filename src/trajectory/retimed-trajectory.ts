/**
 * A path with a time law: constant second derivative of the path parameter on each interval of a grid.
 *
 * On interval i, from `offset` to the next along one piece of the path, ds/dt starts at `speed` and changes at the rate
 * `acceleration`. Offsets count from the piece's start, so short pieces of long paths keep their digits.
 * Tested by time-optimal.test.ts.
 */

import type { Model } from '../model/model.js';
import type { JointCurve } from './joint-curve.js';
import { type MotionCurve, readInterval } from './motion-curve.js';
import type { TrajectoryPoint } from './trajectory.js';
import { requireEvaluation } from './trajectory-door.js';

/** One entry per interval; `times` has one more. */
export interface TimeLaw {
  readonly times: Float64Array;
  readonly pieces: Int32Array;
  readonly offsets: Float64Array;
  readonly ends: Float64Array;
  readonly speeds: Float64Array;
  readonly accelerations: Float64Array;
}

/** Of the way along an interval. */
const ROUNDING = 1e-9;

export class RetimedTrajectory implements MotionCurve {
  readonly model: Model;
  readonly duration: number;

  constructor(
    readonly path: JointCurve,
    readonly law: TimeLaw,
  ) {
    this.model = path.model;
    this.duration = law.times[law.times.length - 1];
  }

  /** Interval that holds the time; the later one at a border. */
  findInterval(time: number): number {
    const { times } = this.law;
    let low = 0;
    let high = times.length - 2;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  evaluate(out: TrajectoryPoint, time: number): TrajectoryPoint {
    requireEvaluation('evaluate', this.model, out, time);
    const { path, law, duration } = this;
    if (law.times.length === 1) return path.evaluate(out, 0);
    const at = Math.min(Math.max(time, 0), duration);
    const i = this.findInterval(at);
    const elapsed = at - law.times[i];
    const acceleration = law.accelerations[i];
    const speed = Math.max(law.speeds[i] + acceleration * elapsed, 0);
    const offset = law.offsets[i] + elapsed * (law.speeds[i] + 0.5 * acceleration * elapsed);
    path.evaluatePiece(out, law.pieces[i], Math.min(Math.max(offset, law.offsets[i]), law.ends[i]));
    const { q, v, a } = out;
    for (let k = 0; k < v.length; k++) {
      a[k] = v[k] * acceleration + a[k] * speed * speed;
      v[k] *= speed;
    }
    if (at === duration) q.set(path.end);
    return out;
  }

  /** Path parameter at a time. */
  parameterAt(time: number): number {
    const { path, law, duration } = this;
    if (law.times.length === 1) return 0;
    const at = Math.min(Math.max(time, 0), duration);
    const i = this.findInterval(at);
    return path.breaks[law.pieces[i]] + this.offsetAt(i, at - law.times[i]);
  }

  speedBound(out: Float64Array, from: number, to: number): Float64Array {
    const [start, end] = readInterval('speedBound', this, out, from, to);
    const { path, law } = this;
    const { times, pieces, offsets, ends, speeds, accelerations } = law;
    out.fill(0);
    if (times.length === 1) return out;
    for (let i = this.findInterval(start); i < times.length - 1 && (times[i] < end || times[i] <= start); i++) {
      const [first, last] = [Math.max(start, times[i]) - times[i], Math.min(end, times[i + 1]) - times[i]];
      const fastest = Math.max(speeds[i] + accelerations[i] * first, speeds[i] + accelerations[i] * last, 0);
      const [low, high] = [this.offsetAt(i, first), this.offsetAt(i, last)];
      // Offsets are rounded: a little more of the path than the interval covers.
      const slack = ROUNDING * (ends[i] - offsets[i]);
      const from = Math.max(low - slack, offsets[i]);
      const to = Math.min(high + slack, ends[i]);
      path.raiseSpeeds(out, pieces[i], from, Math.max(from, to), fastest * (1 + ROUNDING));
    }
    return out;
  }

  chordBound(out: Float64Array, from: number, to: number): Float64Array {
    const [start, end] = readInterval('chordBound', this, out, from, to);
    out.fill(0);
    // The way is the path's, whatever the time law.
    const first = this.parameterAt(start);
    return this.path.raiseChord(out, first, Math.max(first, this.parameterAt(end)));
  }

  private offsetAt(i: number, elapsed: number): number {
    const { offsets, ends, speeds, accelerations } = this.law;
    const offset = offsets[i] + elapsed * (speeds[i] + 0.5 * accelerations[i] * elapsed);
    return Math.min(Math.max(offset, offsets[i]), ends[i]);
  }
}
