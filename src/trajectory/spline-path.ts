/**
 * A smooth path through waypoints: the C2 cubic spline, with the parameter spaced by the distances between waypoints.
 *
 * Spacing: proportional to the distance (`chord`), its square root (`centripetal`, least overshoot where distances differ
 * much) or equal (`uniform`); scaled so that the parameter has about the path's length.
 * Source: Lee 1989, "Choosing nodes in parametric curve interpolation", doi:10.1016/0010-4485(89)90003-1.
 * The path leaves the straight motions between waypoints: check it where that matters. Tested by joint-splines.test.ts.
 */

import { type Fields, numbers, oneOf, requireOptions } from '../math/arguments.js';
import { pow } from '../math/elementary.js';
import { MisuseError } from '../math/misuse.js';
import type { Model } from '../model/model.js';
import { requireModel } from '../model/model.js';
import { solveCubicSpline } from './cubic-spline.js';
import { JointCurve } from './joint-curve.js';
import { requireWaypoints } from './trajectory-door.js';
import { prepareWaypoints } from './waypoints.js';

const OPTIONS: Fields = {
  spacing: oneOf('centripetal', 'chord', 'uniform'),
  startDirection: numbers,
  endDirection: numbers,
};

export interface SplinePathOptions {
  /** Default `centripetal`. */
  readonly spacing?: 'centripetal' | 'chord' | 'uniform';
  /** Tangents at the ends, nv numbers, any length above 0; default: no curvature there. */
  readonly startDirection?: ArrayLike<number>;
  readonly endDirection?: ArrayLike<number>;
}

const exponents = { chord: 1, centripetal: 0.5, uniform: 0 } as const;

export function createSplinePath(
  model: Model,
  waypoints: readonly ArrayLike<number>[],
  options: SplinePathOptions = {},
): JointCurve {
  requireModel('createSplinePath', model);
  requireWaypoints('createSplinePath', 'waypoints', waypoints);
  requireOptions('createSplinePath', options, OPTIONS);
  const prepared = prepareWaypoints('createSplinePath', model, waypoints);
  const { points, lengths } = prepared;
  const start = readDirection(model, 'startDirection', options.startDirection);
  const end = readDirection(model, 'endDirection', options.endDirection);
  if (lengths.length === 0) return new JointCurve(model, [], points[0]);
  const exponent = exponents[options.spacing ?? 'centripetal'];
  const raw = lengths.map((length) => pow(length, exponent));
  const scale = lengths.reduce((sum, x) => sum + x, 0) / raw.reduce((sum, x) => sum + x, 0);
  const spans = raw.map((x) => x * scale);
  const { pieces } = solveCubicSpline(model, prepared, spans, start, end);
  return new JointCurve(model, pieces, points[points.length - 1]);
}

function readDirection(model: Model, name: string, direction?: ArrayLike<number>): Float64Array | null {
  if (direction === undefined) return null;
  const out = Float64Array.from(direction);
  const norm = Math.sqrt(out.reduce((sum, x) => sum + x * x, 0));
  if (out.length !== model.nv || !(norm > 0 && norm < Infinity))
    throw new MisuseError(
      `createSplinePath: ${name}, got [${Array.from(out)}], expected nv = ${model.nv} numbers, not all 0`,
    );
  return out.map((x) => x / norm);
}
