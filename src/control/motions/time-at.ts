import type { RetimedTrajectory } from '../../trajectory/retimed-trajectory.js';

const BISECTIONS = 60;

/** Seconds from the start of a trajectory to a parameter of its path. */
export function timeAt(trajectory: RetimedTrajectory, parameter: number): number {
  if (parameter <= 0) return 0;
  if (parameter >= trajectory.path.duration) return trajectory.duration;
  let [low, high] = [0, trajectory.duration];
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = 0.5 * (low + high);
    if (trajectory.parameterAt(middle) < parameter) low = middle;
    else high = middle;
  }
  return high;
}
