/**
 * Where a path does not keep the limits of velocity and acceleration that were asked for: waypoints a time apart, at rest at both ends.
 *
 * A descent may end before it keeps them; a path is only an answer where it does, to a thousandth. Tested by
 * test/regression/optimised-paths.test.ts.
 */
import { differenceConfiguration } from '../../model/configuration.js';
import type { PathProblem } from './path-problem.js';

/** Share of a limit that may be missed: what a descent ends with. */
const SLACK = 1e-3;

export interface LimitExcess {
  readonly segment: number;
  readonly reason: string;
}

/** The worst one, in shares of its limit; null where all are kept, or none was asked for. */
export function findLimitExcess(problem: PathProblem, path: readonly Float64Array[]): LimitExcess | null {
  const { model, moving, limits } = problem;
  if (!limits) return null;
  const { step, velocity, acceleration } = limits;
  const rest = new Float64Array(model.nv);
  const steps = path.slice(1).map((q, s) => differenceConfiguration(new Float64Array(model.nv), model, path[s], q));
  let worst = 1 + SLACK;
  let found: LimitExcess | null = null;
  const look = (segment: number, i: number, value: number, most: number, what: string, unit: string): void => {
    if (!(Math.abs(value) > worst * most)) return;
    worst = Math.abs(value) / most;
    const reason = `${nameOf(problem, i)} has ${what} of ${value}${unit} at waypoint ${segment}, limit ${most}`;
    found = { segment: Math.min(segment, steps.length - 1), reason };
  };
  for (const i of moving)
    for (let t = 0; t <= steps.length; t++) {
      const before = steps[t - 1] ?? rest;
      const after = steps[t] ?? rest;
      if (t < steps.length) look(t, i, after[i] / step, velocity[i], 'a velocity', ' a second');
      look(t, i, (after[i] - before[i]) / (step * step), acceleration[i], 'an acceleration', ' a second squared');
    }
  return found;
}

function nameOf({ model }: PathProblem, coordinate: number): string {
  for (let j = model.jointCount - 1; j > 0; j--)
    if (model.nvs[j] > 0 && model.idxV[j] <= coordinate) return `joint "${model.jointNames[j]}"`;
  return `coordinate ${coordinate}`;
}
