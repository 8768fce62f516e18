/**
 * Is a body free at every time of a motion? With the proof, or the place where it touches.
 *
 * Method: conservative advancement from the middle outwards. The distance d at the middle of an interval proves the times around it
 * within which no point gets as far as d (motion-bound.ts); what is left on both sides is asked in turn, widest first, so that
 * contacts show early. Distances are asked only up to what proves the whole interval.
 * Source: Schwarzer, Saha, Latombe 2005, "Adaptive dynamic collision checking for single and multiple articulated robots in complex
 * environments", doi:10.1109/TRO.2004.838012; Mirtich 1996, "Impulse-based dynamic simulation of rigid body systems", section 2.3.
 * Writes: balls [t, d], each saying that the distance at t is at least d; together they cover [0, 1].
 * Cost: two distances per interval; about the motion's length over its clearance of them.
 * Fails: `undecided` where a gap is too small to be told from contact, or after `most` distances. Tested by motion.test.ts.
 */
import type { BodyPair } from './body-pair.js';
import { MotionBound } from './motion-bound.js';
import { interpolatePose, type RigidPose } from './pose.js';

export type MotionVerdict = 'free' | 'blocked' | 'undecided';

export interface MotionProof {
  verdict: MotionVerdict;
  /** Where it is blocked or undecided; of a free motion where the least distance was seen. */
  t: number;
  /** The least distance that was seen: of a free motion nothing comes nearer than `bound`. */
  distance: number;
  /** Free: nothing comes nearer than this at any time (proven); 0 where only that was asked. */
  bound: number;
  /** Of the contact or the least distance. */
  triangleObstacle: number;
  triangleBody: number;
  /** t, d, t, d, ... */
  readonly balls: number[];
}

export function createMotionProof(): MotionProof {
  return {
    verdict: 'undecided',
    t: 0,
    distance: Infinity,
    bound: 0,
    triangleObstacle: -1,
    triangleBody: -1,
    balls: [],
  };
}

/** Shortest interval that is looked at, as a share of the motion. */
const SHORTEST = 2 ** -40;
const MOST = 1 << 20;

export class MotionCertifier {
  readonly pose: RigidPose = new Float64Array(7);
  private readonly bound: MotionBound;
  private readonly queue: number[] = [];

  constructor(private readonly pair: BodyPair) {
    this.bound = new MotionBound(pair);
  }

  /**
   * `share` in [0, 1): 0 proves that it is free; above, also that nothing comes nearer than this share of the least distance that was
   * seen, at the price of more distances. `most`: distances that may be asked.
   */
  certify(out: MotionProof, a: RigidPose, b: RigidPose, share = 0, most = MOST): MotionProof {
    const { pair, bound, queue, pose } = this;
    bound.setMotion(a, b);
    out.verdict = 'undecided';
    out.distance = Infinity;
    out.bound = 0;
    out.balls.length = 0;
    queue.length = 0;
    queue.push(0, 1);
    for (let at = 0; at < queue.length; at += 2) {
      const t0 = queue[at];
      const t1 = queue[at + 1];
      const t = t0 + (t1 - t0) / 2;
      interpolatePose(pose, a, b, t);
      bound.setMiddle(pose);
      const half = Math.max(t - t0, t1 - t);
      const needed = bound.within(half) + pair.slack;
      // Where only freedom is asked for, a gap of what is needed is enough to know.
      const asked = share > 0 ? Infinity : needed;
      const d = pair.distance(pose, asked);
      if (d < out.distance) {
        out.t = t;
        out.distance = d;
        pair.writeTriangles(out, pair.nearest);
      }
      if (d <= pair.touching) return this.end(out, 'blocked', t, d);
      const proven = Math.min(d, asked);
      const floor = share > 0 ? share * out.distance : 0;
      out.balls.push(t, proven);
      if (proven >= needed + floor) continue;
      const s = bound.reach(proven - pair.slack - floor);
      if (s < SHORTEST || queue.length > 2 * most) return this.end(out, 'undecided', t, d);
      // A little short of s: neighbouring balls overlap whatever rounding does.
      const step = s * (1 - 1e-9);
      if (t - step > t0) queue.push(t0, t - step);
      if (t + step < t1) queue.push(t + step, t1);
    }
    out.verdict = 'free';
    out.bound = share > 0 ? share * out.distance : 0;
    return out;
  }

  private end(out: MotionProof, verdict: MotionVerdict, t: number, d: number): MotionProof {
    out.verdict = verdict;
    out.t = t;
    out.distance = d;
    out.bound = 0;
    this.pair.writeTriangles(out, this.pair.nearest);
    return out;
  }
}
