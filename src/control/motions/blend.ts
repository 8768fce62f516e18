/**
 * Blends: how one path goes over into the next within a distance of the corner between them.
 *
 * Method:
 * 1. the first path is left where it comes within the radius of the corner for the last time, at the earliest in its middle, and
 *    the second is joined where it leaves it: the radius shrinks to what half of either path reaches;
 * 2. a quintic piece meets place, first and second derivative of both there, so that the whole has a continuous curvature;
 * 3. its length is chosen among LENGTHS: the one that bends least, of those that stay within the radius.
 * That it stays within is proven: for paths of the tool by its Bezier points, in whose convex hull the origin stays; for blends in
 * joint space by bounds of the joints' speeds, and so are the joints' limits (prove-inside.ts). Where no length stays within, the radius is
 * halved.
 * Source: Farin 2002, "Curves and surfaces for CAGD", sections 5.3 (convex hull) and 7.7 (quintic Hermite interpolation).
 * Ends: `null` where the paths turn back on each other or nothing fits: the corner stays and the motion stops there.
 * Units: metres, radians. Cost: constant. Tested by blend.test.ts.
 */
import { normVec3 } from '../../math/vec3.js';
import { differenceConfiguration } from '../../model/configuration.js';
import { createQuinticPiece } from '../../trajectory/hermite-pieces.js';
import { type CurvePiece, JointCurve } from '../../trajectory/joint-curve.js';
import { createTrajectoryPoint, type TrajectoryPoint } from '../../trajectory/trajectory.js';
import { provesInside } from './prove-inside.js';

/** Lengths tried, in the sum of the ways that the blend replaces. */
const LENGTHS = [1, 0.92, 0.85, 0.78, 0.71, 0.64, 0.57, 0.5];
const SCAN = 64;
const BISECTIONS = 60;
/** Share of the radius where paths are left for blends in joint space: what is within it by a margin can be proven to be. */
const MARGIN = 0.99;
const HALVINGS = 6;
/** Radii below are no use to a robot. */
const LEAST_RADIUS = 1e-6;
/** A blend whose speed falls below this share of its mean turns back. */
const SLOWEST = 0.02;

export interface Blend {
  readonly piece: CurvePiece;
  /** Parameter of the first path where it is left, of the second where it is joined. */
  readonly leave: number;
  readonly join: number;
  /** As it was made, metres. */
  readonly radius: number;
  /** Where the paths meet that it rounds, frame of the tool's positions. */
  readonly corner: Float64Array;
}

export interface BlendRequest {
  readonly first: JointCurve;
  readonly second: JointCurve;
  /** From where on the first may be left, and up to where the second may be joined. */
  readonly earliest: number;
  readonly latest: number;
  readonly radius: number;
  /** The origin of the tool at a configuration of the curves, 3 numbers. */
  readonly position: (q: Float64Array) => ArrayLike<number>;
  /** Of curves over the joints: how far the origin moves per unit of each velocity coordinate. Null: curves over the tool, whose Bezier points bound it. */
  readonly levers: ArrayLike<number> | null;
}

export function createBlend(request: BlendRequest): Blend | null {
  let { radius } = request;
  const corner = Float64Array.from(request.position(request.first.end)).subarray(0, 3);
  const margin = request.levers === null ? 1 : MARGIN;
  for (let k = 0; k <= HALVINGS && radius > LEAST_RADIUS; k++, radius *= 0.5) {
    const { first, second, earliest, latest, position } = request;
    const away = (curve: JointCurve, point: TrajectoryPoint) => (at: number) =>
      distance(position(curve.evaluate(point, at).q), corner);
    const before = findEntry(
      away(first, createTrajectoryPoint(first.model)),
      first.duration,
      earliest,
      margin * radius,
    );
    const after = findEntry(away(second, createTrajectoryPoint(second.model)), 0, latest, margin * radius);
    // The nearer of the two says how far the blend reaches.
    const reach = Math.min(before.distance, after.distance, margin * radius);
    if (!(reach > LEAST_RADIUS)) return null;
    const leave =
      before.distance <= reach
        ? before.at
        : findEntry(away(first, createTrajectoryPoint(first.model)), first.duration, earliest, reach).at;
    const join =
      after.distance <= reach
        ? after.at
        : findEntry(away(second, createTrajectoryPoint(second.model)), 0, latest, reach).at;
    const made = reach / margin;
    const piece = choosePiece(request, corner, leave, join, made);
    if (piece) return { piece, leave, join, radius: made, corner };
  }
  return null;
}

interface Entry {
  readonly at: number;
  readonly distance: number;
}

/** Going from the corner, the first parameter at which the distance is reached, or `limit` with what is reached there. */
function findEntry(away: (at: number) => number, corner: number, limit: number, radius: number): Entry {
  let inside = corner;
  for (let k = 1; k <= SCAN; k++) {
    const at = corner + ((limit - corner) * k) / SCAN;
    if (away(at) <= radius) {
      inside = at;
      continue;
    }
    let outside = at;
    for (let i = 0; i < BISECTIONS; i++) {
      const middle = 0.5 * (inside + outside);
      if (away(middle) <= radius) inside = middle;
      else outside = middle;
    }
    return { at: inside, distance: radius };
  }
  return { at: limit, distance: away(limit) };
}

function choosePiece(
  { first, second, position, levers }: BlendRequest,
  corner: Float64Array,
  leave: number,
  join: number,
  radius: number,
): CurvePiece | null {
  const { model } = first;
  const from = first.evaluatePiece(createTrajectoryPoint(model), ...pieceAt(first, leave, true));
  const to = second.evaluatePiece(createTrajectoryPoint(model), ...pieceAt(second, join, false));
  const step = differenceConfiguration(new Float64Array(model.nv), model, from.q, to.q);
  const replaced = first.duration - leave + join;
  let best: CurvePiece | null = null;
  let least = Infinity;
  for (const share of LENGTHS) {
    const length = share * replaced;
    const ends = { q0: from.q, q1: to.q, step, v0: from.v, v1: to.v };
    const piece = createQuinticPiece(model, ends, from.a, to.a, length);
    const bend = measureBend(new JointCurve(model, [piece], to.q));
    if (!(bend < least)) continue;
    const isInside =
      levers === null
        ? hullInside(piece, corner, radius)
        : provesInside({ model, piece, end: to.q, position, levers, center: corner, radius });
    if (!isInside) continue;
    best = piece;
    least = bend;
  }
  return best;
}

/** The piece that holds a parameter: of two at a border the one before, or the one after. */
function pieceAt(curve: JointCurve, at: number, before: boolean): [number, number] {
  let index = curve.findPiece(at);
  if (before && index > 0 && at === curve.breaks[index]) index--;
  return [index, Math.min(at - curve.breaks[index], curve.pieces[index].length)];
}

/** Largest |q''| / |q'|^2; Infinity where the piece all but stops. */
function measureBend(curve: JointCurve): number {
  const point = createTrajectoryPoint(curve.model);
  let most = 0;
  let slowest = Infinity;
  let mean = 0;
  for (let k = 0; k <= 24; k++) {
    curve.evaluatePiece(point, 0, (curve.duration * k) / 24);
    const speed = norm(point.v);
    slowest = Math.min(slowest, speed);
    mean += speed / 25;
    most = Math.max(most, norm(point.a) / (speed * speed));
  }
  return slowest < SLOWEST * mean ? Infinity : most;
}

const norm = (x: ArrayLike<number>): number => {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i] * x[i];
  return Math.sqrt(sum);
};

const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  normVec3([a[0] - b[0], a[1] - b[1], a[2] - b[2]]);

/** Bezier points of the origin, of a piece in cumulative form: base, then one increment after the other. */
function hullInside({ base, terms }: CurvePiece, corner: Float64Array, radius: number): boolean {
  const at = Float64Array.from(base);
  const limit = radius * (1 + 1e-9);
  if (distance(at, corner) > limit) return false;
  for (const { increment } of terms) {
    for (let i = 0; i < 3; i++) at[i] += increment[i];
    if (distance(at, corner) > limit) return false;
  }
  return true;
}
