/** Trajectories of one robot, one after the other. Tested by point-to-point.test.ts. */

import { requireList } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { isMotionCurve, LONGEST_ARC, type MotionCurve, readInterval, turnsAlong } from './motion-curve.js';
import type { Trajectory, TrajectoryPoint } from './trajectory.js';
import { requireTrajectory } from './trajectory.js';
import { requireEvaluation } from './trajectory-door.js';

/**
 * Each should begin where the one before ends; at the borders the later one speaks. Motion curves join to a motion curve; where
 * parts do not meet, its bounds do not hold.
 */
export function joinTrajectories(parts: readonly MotionCurve[]): MotionCurve;
export function joinTrajectories(parts: readonly Trajectory[]): Trajectory;
export function joinTrajectories(parts: readonly Trajectory[]): Trajectory {
  requireList('joinTrajectories', 'parts', parts, 'a list of trajectories');
  parts.forEach((part, i) => {
    requireTrajectory('joinTrajectories', `parts[${i}]`, part);
  });
  if (parts.length === 0) throw new MisuseError('joinTrajectories: parts, got none, expected at least 1');
  const starts = new Float64Array(parts.length + 1);
  for (let i = 0; i < parts.length; i++) starts[i + 1] = starts[i] + parts[i].duration;
  const { model } = parts[0];
  if (parts.some((part) => part.model !== model))
    throw new MisuseError('joinTrajectories: trajectories, got several models, expected one');
  const duration = starts[parts.length];
  const joined: Trajectory = {
    model,
    duration,
    evaluate(out: TrajectoryPoint, time: number): TrajectoryPoint {
      requireEvaluation('evaluate', model, out, time);
      let low = 0;
      let high = parts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (starts[middle] <= time) low = middle;
        else high = middle - 1;
      }
      // The sum of the durations may round below the time that the last part knows.
      return parts[low].evaluate(out, time >= duration ? parts[low].duration : time - starts[low]);
    },
  };
  return parts.every(isMotionCurve) ? { ...joined, ...boundParts(joined, parts, starts) } : joined;
}

/** The bounds of each part that holds some of the interval, in its own time. */
function boundParts(
  joined: Trajectory,
  parts: readonly MotionCurve[],
  starts: Float64Array,
): Pick<MotionCurve, 'speedBound' | 'chordBound'> {
  const { nv } = joined.model;
  const own = new Float64Array(nv);
  const lengths = new Float64Array(nv);
  const turns = turnsAlong(joined.model);
  const each = (start: number, end: number, visit: (part: MotionCurve, from: number, to: number) => void): number => {
    let count = 0;
    for (let i = 0; i < parts.length; i++) {
      const isInside = starts[i] < end && starts[i + 1] > start;
      const isTouched = start === end && starts[i] <= end && starts[i + 1] >= start;
      if (!isInside && !isTouched) continue;
      count++;
      // Sums of durations are rounded: a little more of the part than the interval covers.
      const slack = 1e-12 * starts[parts.length];
      visit(parts[i], Math.max(start - starts[i] - slack, 0), Math.max(end - starts[i] + slack, 0));
    }
    return count;
  };
  return {
    speedBound(out, from, to) {
      const [start, end] = readInterval('speedBound', joined, out, from, to);
      out.fill(0);
      each(start, end, (part, first, last) => {
        part.speedBound(own, first, last);
        for (let k = 0; k < nv; k++) out[k] = Math.max(out[k], own[k]);
      });
      return out;
    },
    chordBound(out, from, to) {
      const [start, end] = readInterval('chordBound', joined, out, from, to);
      out.fill(0);
      lengths.fill(0);
      const count = each(start, end, (part, first, last) => {
        part.chordBound(own, first, last);
        for (let k = 0; k < nv; k++) out[k] = Math.max(out[k], own[k]);
        part.speedBound(own, first, last);
        for (let k = 0; k < nv; k++) lengths[k] += (Math.min(last, part.duration) - first) * own[k];
      });
      if (count <= 1) return out;
      // Across a border: half of the way gone and of the chord, which is no longer (an arc's shift by pi/2), from one of the ends.
      for (let k = 0; k < nv; k++) out[k] = 0.5 * (1 + (turns[k] === 1 ? 1 : LONGEST_ARC)) * lengths[k] + 1e-12;
      return out;
    },
  };
}
