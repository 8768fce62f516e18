/** When a path that is gone at constant speed of its fastest joint is where: the clock of the player and of the clearance curve. */
import { differenceConfiguration, interpolateConfiguration, type Model } from 'clearance/model';

/** rad/s or m/s of the joint that moves fastest, at speed 1. */
const JOINT_SPEED = 0.8;

/** Seconds at which each configuration is reached; `given` where a file says them for every one. */
export function listTimes(model: Model, path: readonly Float64Array[], given?: readonly number[]): number[] {
  if (given && given.length === path.length) return given.map((time) => time - given[0]);
  const difference = new Float64Array(model.nv);
  const times = [0];
  for (let i = 1; i < path.length; i++) {
    differenceConfiguration(difference, model, path[i - 1], path[i]);
    const largest = difference.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    times.push(times[i - 1] + largest / JOINT_SPEED);
  }
  return times;
}

/** The configuration at a time; `times` as `listTimes` gives them, of at least two configurations. */
export function configurationAt(
  out: Float64Array,
  model: Model,
  path: readonly Float64Array[],
  times: readonly number[],
  time: number,
): Float64Array {
  let i = 1;
  while (i < times.length - 1 && times[i] < time) i++;
  const span = times[i] - times[i - 1];
  const t = span > 0 ? Math.min(Math.max((time - times[i - 1]) / span, 0), 1) : 1;
  return interpolateConfiguration(out, model, path[i - 1], path[i], t);
}
