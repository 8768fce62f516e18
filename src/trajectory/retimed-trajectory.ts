/**
 * A path with a time law: constant second derivative of the path parameter on each interval of a grid.
 *
 * On interval i, from `offset` to the next along one piece of the path, ds/dt starts at `speed` and changes at the rate
 * `acceleration`. Offsets count from the piece's start, so short pieces of long paths keep their digits.
 * Tested by time-optimal.test.ts.
 */
import type { Model } from '../model/model.js';
import type { JointCurve } from './joint-curve.js';
import type { Trajectory, TrajectoryPoint } from './trajectory.js';

/** One entry per interval; `times` has one more. */
export interface TimeLaw {
  readonly times: Float64Array;
  readonly pieces: Int32Array;
  readonly offsets: Float64Array;
  readonly ends: Float64Array;
  readonly speeds: Float64Array;
  readonly accelerations: Float64Array;
}

export class RetimedTrajectory implements Trajectory {
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
    const elapsed = at - law.times[i];
    const offset = law.offsets[i] + elapsed * (law.speeds[i] + 0.5 * law.accelerations[i] * elapsed);
    return path.breaks[law.pieces[i]] + Math.min(Math.max(offset, law.offsets[i]), law.ends[i]);
  }
}
