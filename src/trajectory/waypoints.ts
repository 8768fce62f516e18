/**
 * Waypoints as the path builders need them: checked, without repetitions, and without jumps of wrapped angles.
 *
 * A waypoint nearer than a rounding error to the one before is left out. Coordinates that are angles of continuous joints go
 * on from the waypoint before, the short way round, so that later ones may lie outside [-pi, pi].
 * Tested by blended-path.test.ts and joint-splines.test.ts.
 */
import { MisuseError } from '../math/misuse.js';
import { differenceConfiguration, integrateConfiguration } from '../model/configuration.js';
import type { Model } from '../model/model.js';
import { describeProblem } from '../model/named-configuration.js';

export interface Waypoints {
  readonly points: readonly Float64Array[];
  /** points[k + 1] (-) points[k]: one fewer than points. */
  readonly steps: readonly Float64Array[];
  /** Norms of the steps. */
  readonly lengths: readonly number[];
  /** Which of the waypoints given each point is. */
  readonly sources: readonly number[];
}

/** Beyond, numbers are too coarse for an angle, and lengths lose the digits that times need. */
const LARGEST_COORDINATE = 1e9;
/** Relative to 1 and the largest coordinate. */
const SHORTEST_STEP = 1e-13;

/** `keepRepeated`: for waypoints that have their own times. */
export function prepareWaypoints(
  name: string,
  model: Model,
  waypoints: readonly ArrayLike<number>[],
  keepRepeated = false,
): Waypoints {
  if (waypoints.length === 0) throw new MisuseError(`${name}: waypoints, got none, expected at least 1`);
  const points: Float64Array[] = [];
  const steps: Float64Array[] = [];
  const lengths: number[] = [];
  const sources: number[] = [];
  for (let k = 0; k < waypoints.length; k++) {
    const problem = describeProblem(model, waypoints[k]);
    if (problem !== null) throw new MisuseError(`${name}: waypoint ${k}: ${problem}`);
    const q = Float64Array.from(waypoints[k]);
    const far = q.find((x) => Math.abs(x) > LARGEST_COORDINATE);
    if (far !== undefined)
      throw new MisuseError(`${name}: waypoint ${k}: got ${far}, expected at most ${LARGEST_COORDINATE} either way`);
    if (points.length === 0) {
      points.push(q);
      sources.push(k);
      continue;
    }
    const before = points[points.length - 1];
    const step = differenceConfiguration(new Float64Array(model.nv), model, before, q);
    const length = Math.sqrt(step.reduce((sum, x) => sum + x * x, 0));
    const scale = q.reduce((most, x) => Math.max(most, Math.abs(x)), 1);
    if (!keepRepeated && length <= SHORTEST_STEP * scale) continue;
    points.push(continueAngles(model, before, step, q));
    steps.push(step);
    lengths.push(length);
    sources.push(k);
  }
  return { points, steps, lengths, sources };
}

/** q itself, but for joints whose angle jumped by whole turns. */
function continueAngles(model: Model, before: Float64Array, step: Float64Array, q: Float64Array): Float64Array {
  const moved = integrateConfiguration(new Float64Array(model.nq), model, before, step);
  const out = Float64Array.from(q);
  for (let j = 1; j < model.jointCount; j++) {
    const at = model.idxQ[j];
    if (model.nqs[j] === 1 && Math.abs(moved[at] - q[at]) > 1) out[at] = moved[at];
  }
  return out;
}
