/**
 * How far along a motion a body gets before it touches, every time on the way proven free.
 *
 * Method: conservative advancement from a. The distance at time t proves the times up to t + s (motion-bound.ts); the next pose asked
 * is nearly 2 s on, and is taken where what its own distance proves reaches back to t + s, else t + s itself is. It ends at b, or where
 * the gap is below `gap`, which is contact for a planner.
 * Distances are asked within a share of themselves, and what is left of them for certain is what proves (`roughDistance`).
 * Cost: about one distance per clearance travelled. Writes the last pose reached; its distance is in `distance`.
 */
import type { BodyPair } from './body-pair.js';
import { MotionBound } from './motion-bound.js';
import { interpolatePose, type RigidPose } from './pose.js';

const LEAP = 1.9;

export class Advance {
  /** The last pose that was reached, its time and its distance (a lower bound where it is far). */
  readonly pose: RigidPose = new Float64Array(7);
  t = 0;
  distance = 0;
  /** A motion's bound on what its points do in all. */
  sweep = 0;
  private readonly bound: MotionBound;
  private readonly probe: RigidPose = new Float64Array(7);

  constructor(private readonly pair: BodyPair) {
    this.bound = new MotionBound(pair);
  }

  /**
   * From a, whose distance is at least `known`, towards b. Returns the time reached, 1 where all of it is free; at most `most` distances.
   */
  run(a: RigidPose, b: RigidPose, known: number, gap: number, most: number): number {
    const { pair, bound, pose, probe } = this;
    bound.setMotion(a, b);
    bound.setMiddle(a);
    this.sweep = bound.within(1);
    this.t = 0;
    this.distance = known;
    for (let k = 0; k < 7; k++) pose[k] = a[k];
    let s = bound.reach(known - pair.slack);
    for (let asked = 0; asked < most && this.t < 1; ) {
      const sure = this.t + s;
      let next = Math.min(1, this.t + LEAP * s);
      interpolatePose(probe, a, b, next);
      bound.setMiddle(probe);
      // What is left of the motion, seen from there, is all that can be of use.
      const useful = bound.within(Math.max(1 - next, next - sure)) + pair.slack + gap;
      let d = Math.min(useful, pair.roughDistance(probe, useful));
      asked++;
      let back = bound.reach(d - pair.slack);
      if (next - back > sure) {
        next = sure;
        interpolatePose(probe, a, b, next);
        bound.setMiddle(probe);
        const rest = bound.within(1 - next) + pair.slack + gap;
        d = Math.min(rest, pair.roughDistance(probe, rest));
        asked++;
        back = bound.reach(d - pair.slack);
      }
      // Too near to go on: what is held stays, unless that was nearer still.
      if (d < gap && d < this.distance) {
        if (d > 0.5 * gap) this.take(next, d);
        break;
      }
      this.take(next, d);
      s = back;
    }
    return this.t;
  }

  private take(t: number, d: number): void {
    this.t = t;
    this.distance = d;
    for (let k = 0; k < 7; k++) this.pose[k] = this.probe[k];
  }
}
