/** Trajectories of one robot, one after the other. Tested by point-to-point.test.ts. */
import { MisuseError } from '../math/misuse.js';
import type { Trajectory, TrajectoryPoint } from './trajectory.js';

/** Each should begin where the one before ends; at the borders the later one speaks. */
export function joinTrajectories(parts: readonly Trajectory[]): Trajectory {
  if (parts.length === 0) throw new MisuseError('joinTrajectories: trajectories, got none, expected at least 1');
  const starts = new Float64Array(parts.length + 1);
  for (let i = 0; i < parts.length; i++) starts[i + 1] = starts[i] + parts[i].duration;
  const { model } = parts[0];
  if (parts.some((part) => part.model !== model))
    throw new MisuseError('joinTrajectories: trajectories, got several models, expected one');
  const duration = starts[parts.length];
  return {
    model,
    duration,
    evaluate(out: TrajectoryPoint, time: number): TrajectoryPoint {
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
}
