/**
 * A path of geodesics through waypoints, its corners rounded within a stated deviation.
 *
 * Method: from d before each waypoint to d after it, the motion along the old segment runs out while the motion along the
 * new one sets in: q = q_a (+) f(w) d t1 (+) g(w) d t2, t the segments' unit tangents.
 *   parabolic: f = 2w - w^2, g = w^2: constant second derivative, so acceleration jumps where a blend begins;
 *   smooth:    f = 2w - 2w^3 + w^4, g = 2w^3 - w^4: second derivative 0 at both ends, half as large again in the middle.
 * The blend is farthest from the waypoint in its middle, by c d |t2 - t1| with c = 1/4 or 3/16; d follows from the
 * deviation and never exceeds half of either segment. Without deviation, corners stay and a trajectory stops there.
 * Source: Kunz, Stilman 2012, "Time-optimal trajectory generation for path following with bounded acceleration and
 * velocity" (blends bounded by deviation and half segments; circular there), doi:10.15607/RSS.2012.VIII.027.
 *
 * Parameter: length in the model's metric (`distanceConfiguration`: metres and radians alike). First and last waypoint are
 * met bit for bit, the others within the deviation. Cost: linear in waypoints. Tested by blended-path.test.ts.
 */

import { type Fields, numbers, oneOf, requireFinite, requireOptions } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { distanceConfiguration, integrateConfiguration } from '../model/configuration.js';
import type { Model } from '../model/model.js';
import { requireModel } from '../model/model.js';
import { type CurvePiece, type CurveTerm, JointCurve } from './joint-curve.js';
import { findTangentGroup } from './tangent-groups.js';
import { requireWaypoints } from './trajectory-door.js';
import { prepareWaypoints } from './waypoints.js';

const OPTIONS: Fields = {
  deviation: requireFinite,
  deviations: numbers,
  blend: oneOf('parabolic', 'smooth'),
};

export interface BlendedPathOptions {
  /** Largest distance from the waypoint, in the model's metric; default 0: corners stay. */
  readonly deviation?: number;
  /** The same for each waypoint, one number per waypoint given (those of the first and the last are of no account), instead of `deviation`. */
  readonly deviations?: ArrayLike<number>;
  /** Default `parabolic`. */
  readonly blend?: 'parabolic' | 'smooth';
}

const blends = {
  parabolic: { ending: [0, 2, -1], beginning: [0, 0, 1], offset: 1 / 4 },
  smooth: { ending: [0, 2, 0, -2, 1], beginning: [0, 0, 0, 2, -1], offset: 3 / 16 },
} as const;

/** Tangents that differ less than this turn no corner. */
const STRAIGHT = 1e-12;

export function createBlendedPath(
  model: Model,
  waypoints: readonly ArrayLike<number>[],
  options: BlendedPathOptions = {},
): JointCurve {
  requireModel('createBlendedPath', model);
  requireWaypoints('createBlendedPath', 'waypoints', waypoints);
  requireOptions('createBlendedPath', options, OPTIONS);
  const { blend = 'parabolic' } = options;
  if (!Object.hasOwn(blends, blend))
    throw new MisuseError(`createBlendedPath: blend, got ${blend}, expected ${Object.keys(blends).join(' or ')}`);
  const { ending, beginning, offset } = blends[blend];
  const { points, steps, lengths, sources } = prepareWaypoints('createBlendedPath', model, waypoints);
  const given = readDeviations(options, waypoints.length);
  const deviations = sources.map((source) => given[source]);
  const tangents = steps.map((step, k) => step.map((x) => x / lengths[k]));
  const isCurved = model.jointKinds.some((kind) => kind !== null && kind.nv > 1 && findTangentGroup(kind) !== null);
  /** From waypoint k to the blend's middle, reach c d; on the straight this is c d |t2 - t1|. */
  const middleDistance = (k: number, reach: number): number => {
    const middle = new Float64Array(model.nq);
    const back = tangents[k - 1].map((x) => -reach * x);
    const on = tangents[k].map((x) => reach * x);
    integrateConfiguration(middle, model, integrateConfiguration(middle, model, points[k], back), on);
    return distanceConfiguration(model, points[k], middle);
  };
  /** Reach of the blend at each waypoint. */
  const reaches = new Float64Array(points.length);
  for (let k = 1; k < points.length - 1; k++) {
    const turn = Math.sqrt(tangents[k].reduce((sum, x, i) => sum + (x - tangents[k - 1][i]) ** 2, 0));
    if (turn <= STRAIGHT) continue;
    reaches[k] = Math.min(deviations[k] / (offset * turn), 0.5 * lengths[k - 1], 0.5 * lengths[k]);
    if (!isCurved || reaches[k] === 0) continue;
    const middle = middleDistance(k, offset * reaches[k]);
    if (middle > deviations[k]) reaches[k] *= deviations[k] / middle;
  }
  const pieces: CurvePiece[] = [];
  const along = (k: number, distance: number): Float64Array =>
    integrateConfiguration(
      new Float64Array(model.nq),
      model,
      points[k],
      tangents[k].map((x) => distance * x),
    );
  for (let k = 0; k < steps.length; k++) {
    if (reaches[k] > 0) {
      const terms: CurveTerm[] = [
        { increment: tangents[k - 1].map((x) => reaches[k] * x), polynomial: ending },
        { increment: tangents[k].map((x) => reaches[k] * x), polynomial: beginning },
      ];
      const base = along(k - 1, lengths[k - 1] - reaches[k]);
      pieces.push({ length: 2 * reaches[k], base, terms, corner: sources[k] });
    }
    const length = lengths[k] - reaches[k] - reaches[k + 1];
    if (length <= 1e-15 * lengths[k]) continue;
    const base = reaches[k] > 0 ? along(k, reaches[k]) : points[k];
    const increment = reaches[k] + reaches[k + 1] > 0 ? tangents[k].map((x) => length * x) : steps[k];
    pieces.push({ length, base, terms: [{ increment, polynomial: [0, 1] }] });
  }
  return new JointCurve(model, pieces, points[points.length - 1]);
}

function readDeviations({ deviation = 0, deviations }: BlendedPathOptions, count: number): ArrayLike<number> {
  const values = deviations ?? new Float64Array(count).fill(deviation);
  if (values.length !== count)
    throw new MisuseError(`createBlendedPath: deviations, got ${values.length}, expected one per waypoint, ${count}`);
  for (let k = 0; k < count; k++) {
    if (typeof values[k] !== 'number' || !(values[k] >= 0 && values[k] < Infinity)) {
      const what = deviations ? `deviations[${k}]` : 'deviation';
      throw new MisuseError(`createBlendedPath: ${what}, got ${values[k]}, expected 0 or more`);
    }
  }
  return values;
}
