/**
 * Paths of a tool as curves over a model of one free body: lines, arcs of circles and splines, as pieces that can be joined.
 *
 * The body has four joints, three shifts and a turn, so that its q is the tool's pose [x, y, z, qx, qy, qz, qw] and its v the
 * velocity of the origin in the world and the turning in the tool's own axes. Curves over it are those of trajectory/joint-curve.ts.
 *   line: origin straight, orientation about one axis at a constant rate.
 *   arc: quintic pieces that meet place, tangent and curvature every ARC radians: within r ARC^6 / 46080 of the circle
 *     (2.2e-11 r; the error of quintic Hermite interpolation); orientation at a constant rate, or turning with the circle.
 *   spline: the C2 cubic through all poses (trajectory/spline-path.ts).
 * The parameter s is about the length of the origin's way in metres, of its parts where it only turns LEVER times the angle.
 * Source: Farin 2002, "Curves and surfaces for CAGD", section 7.7 (quintic Hermite interpolation); Lynch, Park 2017, "Modern
 * robotics", section 9.2.1 (decoupled motions). Cost: linear in pieces. Fails: `null` with a reason where three points give no circle.
 * Tested by tool-path.test.ts.
 */

import { conjugateQuat, multiplyQuat } from '../../math/quat.js';
import { atan2, cos, sin } from '../../math/scalar.js';
import { expQuat } from '../../math/so3.js';
import { createTransform, setIdentityTransform } from '../../math/transform.js';
import { crossVec3, dotVec3, normVec3, scaleVec3, subtractVec3 } from '../../math/vec3.js';
import { buildModel } from '../../model/build-model.js';
import { differenceConfiguration } from '../../model/configuration.js';
import type { JointDescription } from '../../model/description.js';
import type { Model } from '../../model/model.js';
import { createQuinticPiece } from '../../trajectory/hermite-pieces.js';
import { type CurvePiece, JointCurve } from '../../trajectory/joint-curve.js';
import { createSplinePath } from '../../trajectory/spline-path.js';
import { createTrajectoryPoint } from '../../trajectory/trajectory.js';

/** Metres of way that a radian of turning counts as. */
export const LEVER = 0.2;
/** Radians of an arc per piece. */
const ARC = 0.1;
/** Poses nearer than this (metres, radians) are one. */
const SAME = 1e-9;
/** Sine of the angle below which three points lie on a line. */
const COLLINEAR = 1e-6;
/** Stations of a spline per given pose where the tool turns with the path. */
const STATIONS = 8;

export type OrientationMode = 'interpolate' | 'fixed' | 'tangent';

let model: Model | null = null;

/** A free body: q is its pose, v the origin's velocity in the world and the turning about the body's axes. */
export function toolModel(): Model {
  const shift = (name: string, parent: string, axis: readonly [number, number, number]): JointDescription => ({
    name,
    type: 'prismatic',
    parent,
    child: name,
    origin: setIdentityTransform(createTransform()),
    axis,
  });
  model ??= buildModel({
    name: 'tool',
    links: ['world', 'x', 'y', 'z', 'tool'].map((name) => ({ name })),
    joints: [
      shift('x', 'world', [1, 0, 0]),
      shift('y', 'x', [0, 1, 0]),
      shift('z', 'y', [0, 0, 1]),
      { ...shift('tool', 'z', [0, 0, 1]), type: 'spherical' },
    ],
  }).model;
  return model;
}

/** From pose to pose: empty where they are one. */
export function linePieces(from: Float64Array, to: Float64Array, mode: OrientationMode = 'interpolate'): CurvePiece[] {
  const end = mode === 'interpolate' ? to : withOrientation(to, from);
  const increment = differenceConfiguration(new Float64Array(6), toolModel(), from, end);
  const way = normVec3(increment);
  const turn = normVec3(increment.subarray(3));
  if (way < SAME && turn < SAME) return [];
  return [{ length: Math.max(way, LEVER * turn), base: from, terms: [{ increment, polynomial: [0, 1] }] }];
}

export interface Arc {
  readonly center: Float64Array;
  /** The tool goes counterclockwise about it. */
  readonly normal: Float64Array;
  readonly radius: number;
  /** Radians, above 0. */
  readonly angle: number;
}

export interface ArcRequest {
  readonly via?: ArrayLike<number>;
  readonly center?: ArrayLike<number>;
  readonly angle?: number;
}

/** The circle through `from`, `via` and `to`, or about `center` from `from` to `to` the short way; else why there is none. */
export function findArc(from: ArrayLike<number>, to: ArrayLike<number>, request: ArcRequest): Arc | string {
  const start = Float64Array.from([from[0], from[1], from[2]]);
  const end = [to[0], to[1], to[2]];
  const { via, center: given, angle } = request;
  const found = given ? circleAbout(start, end, given) : circleThrough(start, via as ArrayLike<number>, end);
  if (typeof found === 'string') return found;
  const { center, normal } = found;
  const u = subtractVec3(new Float64Array(3), start, center);
  const w = subtractVec3(new Float64Array(3), end, center);
  const radius = normVec3(u);
  const swept = atan2(dotVec3(normal, crossVec3(new Float64Array(3), u, w)), dotVec3(u, w));
  return { center, normal, radius, angle: angle ?? (swept > 0 ? swept : swept + 2 * Math.PI) };
}

interface Circle {
  readonly center: Float64Array;
  readonly normal: Float64Array;
}

function circleAbout(start: Float64Array, end: ArrayLike<number>, given: ArrayLike<number>): Circle | string {
  const center = Float64Array.from(given);
  const u = subtractVec3(new Float64Array(3), start, center);
  const w = subtractVec3(new Float64Array(3), end, center);
  const [a, b] = [normVec3(u), normVec3(w)];
  if (!(a > SAME) || Math.abs(a - b) > 1e-6 * a)
    return `the center is ${a} m from the start and ${b} m from the end, expected the same`;
  const normal = crossVec3(new Float64Array(3), u, w);
  const sine = normVec3(normal) / (a * b);
  if (!(sine > COLLINEAR))
    return 'start, center and end lie on a line, which leaves the plane of the circle open: give "via"';
  return { center, normal: scaleVec3(normal, normal, 1 / normVec3(normal)) };
}

function circleThrough(start: Float64Array, via: ArrayLike<number>, end: ArrayLike<number>): Circle | string {
  const u = subtractVec3(new Float64Array(3), via, start);
  const w = subtractVec3(new Float64Array(3), end, start);
  const normal = crossVec3(new Float64Array(3), u, w);
  const [uu, ww, nn] = [dotVec3(u, u), dotVec3(w, w), dotVec3(normal, normal)];
  if (!(nn > COLLINEAR ** 2 * uu * ww) || !(uu > SAME ** 2))
    return 'start, via and end lie on a line: no circle goes through them';
  // Center: start + (|u|^2 (w x n) ... ) / 2|n|^2, the circumcentre of a triangle.
  const a = crossVec3(new Float64Array(3), w, normal);
  const b = crossVec3(new Float64Array(3), normal, u);
  const center = Float64Array.from(start, (x, i) => x + (uu * a[i] + ww * b[i]) / (2 * nn));
  return { center, normal: scaleVec3(normal, normal, 1 / Math.sqrt(nn)) };
}

/** Along an arc from a pose; `to` gives the orientation at the end, where that is asked for. */
export function arcPieces(from: Float64Array, arc: Arc, to: Float64Array, mode: OrientationMode): CurvePiece[] {
  const tool = toolModel();
  const { center, normal, radius, angle } = arc;
  const u = Float64Array.from([0, 1, 2], (i) => from[i] - center[i]);
  const v = crossVec3(new Float64Array(3), normal, u);
  const count = Math.max(1, Math.ceil(angle / ARC));
  const length = (radius * angle) / count;
  // Turning per metre, in the tool's axes, which stays what it is while the tool turns about it.
  const rate = new Float64Array(6);
  if (mode === 'interpolate') {
    const turn = differenceConfiguration(new Float64Array(6), tool, from, to);
    for (let i = 3; i < 6; i++) rate[i] = turn[i] / (radius * angle);
  } else if (mode === 'tangent') {
    const local = rotateBack(from, normal);
    for (let i = 0; i < 3; i++) rate[3 + i] = local[i] / radius;
  }
  const knot = (k: number): { q: Float64Array; v: Float64Array; a: Float64Array } => {
    const [c, s] = [cos((angle * k) / count), sin((angle * k) / count)];
    const q = Float64Array.from(from);
    const [p, a] = [Float64Array.from(rate), new Float64Array(6)];
    for (let i = 0; i < 3; i++) {
      if (k > 0) q[i] = center[i] + c * u[i] + s * v[i];
      p[i] = (c * v[i] - s * u[i]) / radius;
      a[i] = -(c * u[i] + s * v[i]) / (radius * radius);
    }
    const turned = expQuat(
      new Float64Array(4),
      rate.subarray(3).map((x) => x * length * k),
    );
    multiplyQuat(q.subarray(3), from.subarray(3), turned);
    return { q, v: p, a };
  };
  return Array.from({ length: count }, (_, k) => {
    const [start, end] = [knot(k), knot(k + 1)];
    const step = differenceConfiguration(new Float64Array(6), tool, start.q, end.q);
    return createQuinticPiece(tool, { q0: start.q, q1: end.q, step, v0: start.v, v1: end.v }, start.a, end.a, length);
  });
}

/** Smooth through all poses, the first being where the tool is. */
export function splinePieces(poses: readonly Float64Array[], mode: OrientationMode): CurvePiece[] {
  const tool = toolModel();
  const turned = poses.map((pose, k) => (mode === 'interpolate' || k === 0 ? pose : withOrientation(pose, poses[0])));
  const spline = createSplinePath(tool, turned);
  if (mode !== 'tangent' || spline.pieces.length === 0) return [...spline.pieces];
  return [...createSplinePath(tool, transportPoses(spline, poses[0])).pieces];
}

/** Poses along a curve whose orientation turns with its tangent, about the axis that turns one tangent into the next. */
function transportPoses(curve: JointCurve, start: Float64Array): Float64Array[] {
  const point = createTrajectoryPoint(curve.model);
  const poses: Float64Array[] = [];
  const tangent = new Float64Array(3);
  let orientation = start.subarray(3, 7);
  curve.pieces.forEach(({ length }, p) => {
    for (let k = p === 0 ? 0 : 1; k <= STATIONS; k++) {
      curve.evaluatePiece(point, p, (length * k) / STATIONS);
      const next = scaleVec3(new Float64Array(3), point.v, 1 / normVec3(point.v));
      if (poses.length > 0) {
        const axis = crossVec3(new Float64Array(3), tangent, next);
        const sine = normVec3(axis);
        const turn = sine > 0 ? atan2(sine, dotVec3(tangent, next)) / sine : 0;
        const step = expQuat(
          new Float64Array(4),
          axis.map((x) => x * turn),
        );
        orientation = multiplyQuat(new Float64Array(4), step, orientation);
      }
      tangent.set(next);
      poses.push(Float64Array.from([point.q[0], point.q[1], point.q[2], ...orientation]));
    }
  });
  return poses;
}

/** The position of one pose with the orientation of another. */
export function withOrientation(position: ArrayLike<number>, orientation: ArrayLike<number>): Float64Array {
  return Float64Array.from({ length: 7 }, (_, i) => (i < 3 ? position[i] : orientation[i]));
}

/** A vector of the world in the axes of a pose. */
function rotateBack(pose: Float64Array, x: ArrayLike<number>): Float64Array {
  const q = pose.subarray(3, 7);
  const inverse = conjugateQuat(new Float64Array(4), q);
  const turned = multiplyQuat(
    new Float64Array(4),
    multiplyQuat(new Float64Array(4), inverse, [x[0], x[1], x[2], 0]),
    q,
  );
  return turned.subarray(0, 3);
}

/** A curve of the tool of these pieces; its end where the last one ends. */
export function toolCurve(pieces: readonly CurvePiece[], start: Float64Array): JointCurve {
  if (pieces.length === 0) return new JointCurve(toolModel(), [], start);
  const open = new JointCurve(toolModel(), pieces, start);
  const point = createTrajectoryPoint(open.model);
  const last = pieces.length - 1;
  return new JointCurve(toolModel(), pieces, Float64Array.from(open.evaluatePiece(point, last, pieces[last].length).q));
}
