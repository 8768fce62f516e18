/**
 * Is a robot free at every time while it goes straight, in joint space, from waypoint to waypoint? With a certificate that can be
 * checked by itself (verify-path.ts).
 *
 * Method: segment by segment as curves of constant speed (certify-curve.ts); the certificate keeps the intervals of each segment.
 * Frames: W. t of a segment in [0, 1]. Ends: `free` at every time; `collides` at a time of a segment, not necessarily its first; `undecided`:
 * nowhere known to touch, but closer than the tolerance, or at a limit. The robot stays where it is.
 * Cost: that of the segments up to the first that collides. Tested by certify-path.test.ts.
 */
import { requireList } from '../../math/arguments.js';
import { requireKnownKeys } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import { differenceConfiguration, interpolateConfiguration } from '../../model/configuration.js';
import type { Model } from '../../model/model.js';
import type { SceneAssumptions } from '../assumptions.js';
import { requireNumbers, requireOpen, requireRobot } from '../scene-door.js';
import type { Scene, SceneRobot } from '../types.js';
import { type CertifyCurveOptions, type ConfigurationCurve, createCurveCertifier } from './certify-curve.js';

export type CertifyPathOptions = Pick<CertifyCurveOptions, 'margin' | 'tolerance' | 'maxConfigurations' | 'shouldStop'>;

/** Why a path is free, as plain data. */
export interface PathCertificate {
  readonly version: 1;
  /** Added to every pair's margin. Metres. */
  readonly margin: number;
  /** One per straight motion, in order; of a path of one waypoint the one that stands there. */
  readonly segments: readonly {
    readonly from: readonly number[];
    readonly to: readonly number[];
    /** Middle and half width of intervals of t that cover [0, 1], in order. */
    readonly intervals: readonly (readonly [number, number])[];
    /** No pair comes closer than this beyond its margin; null where there is no pair. */
    readonly clearance: number | null;
  }[];
}

export interface PathVerdict extends SceneAssumptions {
  readonly status: 'free' | 'collides' | 'undecided';
  /** Empty when free. */
  readonly reason: string;
  /** Where it collides or is undecided: segment i goes from waypoint i to i + 1; null when free, as the four that follow. */
  readonly segment: number | null;
  /** Of the segment, in [0, 1]. */
  readonly t: number | null;
  /** Names of the bodies there, as `bodyName` gives them. */
  readonly a: string | null;
  readonly b: string | null;
  /** `free`: no pair comes closer than this beyond its margin, Infinity without pairs. Else the gap there, 0 in contact or unknown. */
  readonly clearance: number;
  readonly configurations: number;
  readonly distances: number;
  /** Null unless free. */
  readonly certificate: PathCertificate | null;
}

const OPTIONS = ['margin', 'tolerance', 'maxConfigurations', 'shouldStop'];

/** Checks the waypoints of `path` (nq numbers each), copied. Throws on a path without any. */
export function requirePath(call: string, model: Model, path: readonly ArrayLike<number>[]): Float64Array[] {
  requireList(call, 'path', path, 'a list of configurations');
  if (path.length === 0) throw new MisuseError(`${call}: path, got none, expected at least one configuration`);
  return path.map((q, i) => Float64Array.from(requireNumbers(call, `path[${i}]`, q, model.nq)));
}

/** Start and end of every straight motion of a path. */
export function listSegments<T>(path: readonly T[]): (readonly [T, T])[] {
  return path.length === 1 ? [[path[0], path[0]]] : path.slice(1).map((to, i) => [path[i], to]);
}

export function certifyPath(
  scene: Scene,
  robot: SceneRobot,
  path: readonly ArrayLike<number>[],
  options: CertifyPathOptions = {},
): PathVerdict {
  const call = 'certifyPath';
  requireOpen(scene, call);
  requireRobot(call, robot);
  requireKnownKeys(call, 'options', options, OPTIONS);
  const { model } = robot;
  const waypoints = requirePath(call, model, path);
  const certifier = createCurveCertifier(scene, robot);
  const counts = { configurations: 0, distances: 0 };
  const grounds: SceneAssumptions[] = [];
  const segments: PathCertificate['segments'][number][] = [];
  let clearance = Infinity;
  let open: Pick<PathVerdict, 'status' | 'reason' | 'segment' | 't' | 'a' | 'b' | 'clearance'> | null = null;
  for (const [segment, [from, to]] of listSegments(waypoints).entries()) {
    const found = certifier.certify(new StraightMotion(model, from, to), options);
    counts.configurations += found.configurations;
    counts.distances += found.distances;
    grounds.push(found);
    const { status, time: t, a, b } = found;
    const where = { reason: `segment ${segment}: ${found.reason}`, segment, t, a, b, clearance: found.clearance };
    if (status === 'blocked') {
      open = { status: 'collides', ...where };
      break;
    }
    if (status === 'undecided') open ??= { status, ...where };
    else {
      clearance = Math.min(clearance, found.clearance);
      segments.push({
        from: Array.from(from),
        to: Array.from(to),
        intervals: Array.from({ length: found.intervals.length / 2 }, (_, i): [number, number] => [
          found.intervals[2 * i],
          found.intervals[2 * i + 1],
        ]),
        clearance: found.clearance === Infinity ? null : found.clearance,
      });
    }
  }
  const free = { status: 'free' as const, reason: '', segment: null, t: null, a: null, b: null, clearance };
  const certificate: PathCertificate | null = open ? null : { version: 1, margin: options.margin ?? 0, segments };
  return {
    ...(open ?? free),
    ...counts,
    certificate,
    complete: grounds.every(({ complete }) => complete),
    assumed: [...new Set(grounds.flatMap(({ assumed }) => assumed))],
  };
}

/** From one configuration to another while t goes from 0 to 1, no coordinate of the velocity ever faster than its share. */
class StraightMotion implements ConfigurationCurve {
  readonly duration = 1;
  private readonly rates: Float64Array;

  constructor(
    private readonly model: Model,
    private readonly from: Float64Array,
    private readonly to: Float64Array,
  ) {
    this.rates = differenceConfiguration(new Float64Array(model.nv), model, from, to).map(Math.abs);
  }

  evaluate({ q }: { readonly q: Float64Array }, t: number): void {
    interpolateConfiguration(q, this.model, this.from, this.to, t);
  }

  speedBound(out: Float64Array): void {
    out.set(this.rates);
  }
}
