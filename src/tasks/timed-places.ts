/** Where a robot is on a timed path, and how fast it may go. */
import { differenceConfiguration } from '../model/configuration.js';
import type { Model } from '../model/model.js';

/** The place on a path at a time, in waypoints. */
export function placeAt(times: readonly number[], time: number): number {
  const last = times.length - 1;
  if (last === 0 || time >= times[last]) return last;
  let k = 0;
  while (k < last - 1 && times[k + 1] <= time) k++;
  const span = times[k + 1] - times[k];
  return span > 0 ? k + Math.max(0, time - times[k]) / span : k;
}

/** Every joint at most at its velocity limit, 1 where there is none. */
export function leastDuration(model: Model, a: Float64Array, b: Float64Array): number {
  const change = differenceConfiguration(new Float64Array(model.nv), model, a, b);
  let time = 0;
  change.forEach((d, v) => {
    const limit = model.velocityLimits[v];
    time = Math.max(time, Math.abs(d) / (limit > 0 && limit < Number.POSITIVE_INFINITY ? limit : 1));
  });
  return time;
}
