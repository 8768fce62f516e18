/**
 * Constraints of frames as they are written: in requests and, the same fields, in JSON files of `plan --constraint`.
 *
 *   axis         an axis of the frame along a direction: a cup upright
 *   orientation  the frame's orientation
 *   plane, line  a point of the frame on a plane, on a line
 *   point        a point of the frame at a place: a contact that stays
 *   look         an axis of the frame through a place, as a camera or a lamp looks at it: the place is on a line of the frame
 *   pose         all of it: with `relativeTo` a chain closed by two arms that hold one thing
 * What is not said (`through`, `at`, `orientation`, `pose`) is as it stands in `rest`. `tolerance` makes an inequality of it: the angle of axis and
 * orientation, the distance of plane, line, point and of what is looked at, the length of both together of a pose.
 */
import { throwMisuse } from '../../math/arguments.js';
import { requireKnownKeys } from '../../math/known-keys.js';
import { createTransform, poseToTransform, transformToPose } from '../../math/transform.js';
import { type FrameKinematics, IDENTITY } from './frame-kinematics.js';

interface Common {
  /** A link or joint of the robot. */
  readonly frame: string;
  /** Seen from this frame; default the world (the robot's base where it is not placed). */
  readonly relativeTo?: string;
  /** Default 0: exactly. */
  readonly tolerance?: number;
}

type Triple = readonly number[];

export interface AxisConstraint extends Common {
  readonly type: 'axis';
  /** In the frame; default [0, 0, 1]. */
  readonly axis?: Triple;
  /** Default [0, 0, 1]. */
  readonly direction?: Triple;
}

export interface OrientationConstraint extends Common {
  readonly type: 'orientation';
  /** x, y, z, w. */
  readonly orientation?: readonly number[];
}

export interface PlaneConstraint extends Common {
  readonly type: 'plane';
  /** In the frame; default its origin. */
  readonly point?: Triple;
  readonly normal: Triple;
  /** A point of the plane. */
  readonly through?: Triple;
}

export interface LineConstraint extends Common {
  readonly type: 'line';
  readonly point?: Triple;
  readonly direction: Triple;
  readonly through?: Triple;
}

export interface PointConstraint extends Common {
  readonly type: 'point';
  readonly point?: Triple;
  readonly at?: Triple;
}

export interface LookConstraint extends Common {
  readonly type: 'look';
  /** What is looked at, in the world or in `relativeTo`. A path that begins in front of it never looks away. */
  readonly at: Triple;
  /** In the frame; default [0, 0, 1]. */
  readonly axis?: Triple;
  /** Of the frame, where the axis goes through; default its origin. */
  readonly point?: Triple;
}

export interface PoseConstraint extends Common {
  readonly type: 'pose';
  /** x, y, z, qx, qy, qz, qw. */
  readonly pose?: readonly number[];
}

export type FrameConstraint =
  | AxisConstraint
  | OrientationConstraint
  | PlaneConstraint
  | LineConstraint
  | PointConstraint
  | LookConstraint
  | PoseConstraint;

export interface ResolvedConstraint {
  readonly kind: FrameConstraint['type'];
  /** -1: the world; also `relativeTo`. */
  readonly frame: number;
  readonly relativeTo: number;
  readonly tolerance: number;
  /** In the frame. */
  readonly point: Float64Array;
  /** Directions whose components of the point, or of the axis, are held; three numbers each. */
  readonly normals: Float64Array;
  /** Where the point shall be, and the orientation. */
  readonly target: Float64Array;
  readonly axis: Float64Array;
  readonly direction: Float64Array;
  readonly about: string;
}

const COMMON = ['type', 'frame', 'relativeTo', 'tolerance'];
const KEYS: Readonly<Record<FrameConstraint['type'], readonly string[]>> = {
  axis: ['axis', 'direction'],
  orientation: ['orientation'],
  plane: ['point', 'normal', 'through'],
  line: ['point', 'direction', 'through'],
  point: ['point', 'at'],
  look: ['at', 'axis', 'point'],
  pose: ['pose'],
};

export const CONSTRAINT_TYPES = Object.keys(KEYS) as readonly FrameConstraint['type'][];

export function readFrameConstraint(
  call: string,
  kinematics: FrameKinematics,
  given: FrameConstraint,
): ResolvedConstraint {
  const type = (given as { type?: unknown } | null)?.type as FrameConstraint['type'];
  if (!CONSTRAINT_TYPES.includes(type)) throwMisuse(call, 'type', type, CONSTRAINT_TYPES.join(', '));
  requireKnownKeys(call, 'constraint', given, [...COMMON, ...KEYS[type]]);
  const frame = kinematics.find(call, 'frame', given.frame);
  const relativeTo = given.relativeTo === undefined ? -1 : kinematics.find(call, 'relativeTo', given.relativeTo);
  const { tolerance = 0 } = given;
  if (!(typeof tolerance === 'number' && tolerance >= 0 && tolerance < Number.POSITIVE_INFINITY))
    throwMisuse(call, 'tolerance', tolerance, 'a number, 0 or more');
  const fields = given as unknown as Readonly<Record<string, Triple | undefined>>;
  const triple = (what: string, fallback: Triple): Float64Array => readNumbers(call, what, fields[what], fallback, 3);
  const unit = (what: string, fallback: Triple | null): Float64Array => {
    const v = readNumbers(call, what, fields[what], fallback ?? undefined, 3);
    const length = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (!(length > 0)) throwMisuse(call, what, fields[what], 'a direction');
    return v.map((x) => x / length);
  };
  const point = triple('point', [0, 0, 0]);
  const now = kinematics.placeNow(frame, relativeTo, point);
  const target = createTransform();
  target.set(now);
  let normals: Float64Array = new Float64Array(0);
  let axis: Float64Array = Float64Array.of(0, 0, 1);
  let direction: Float64Array = Float64Array.of(0, 0, 1);
  const here = (what: string): void => {
    target.set(readNumbers(call, what, fields[what], Array.from(now.subarray(9)), 3), 9);
  };
  if (type === 'axis') {
    axis = unit('axis', [0, 0, 1]);
    direction = unit('direction', [0, 0, 1]);
    normals = across(direction);
  } else if (type === 'plane') {
    normals = unit('normal', null);
    here('through');
  } else if (type === 'line') {
    normals = across(unit('direction', null));
    here('through');
  } else if (type === 'point') {
    normals = EVERY;
    here('at');
  } else if (type === 'look') {
    // Seen from the frame the place is a point on a line.
    const at = readNumbers(call, 'at', fields.at, undefined, 3);
    const seen = {
      kind: 'line',
      frame: relativeTo,
      relativeTo: frame,
      point: at,
      normals: across(unit('axis', [0, 0, 1])),
    } as const;
    target.set(IDENTITY);
    target.set(point, 9);
    return { ...seen, tolerance, target, axis, direction, about: `look of "${given.frame}"` };
  } else if (type === 'pose') {
    normals = EVERY;
    readPose(call, 'pose', fields.pose, target, 7);
  } else readPose(call, 'orientation', fields.orientation, target, 4);
  const from = given.relativeTo === undefined ? '' : ` from "${given.relativeTo}"`;
  const about = `${type} of "${given.frame}"${from}`;
  return { kind: type, frame, relativeTo, tolerance, point, normals, target, axis, direction, about };
}

const EVERY = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

function readNumbers(
  call: string,
  what: string,
  value: Triple | undefined,
  fallback: Triple | undefined,
  count: number,
): Float64Array {
  const given = value === undefined ? fallback : value;
  const isList = typeof given === 'object' && given !== null && given.length === count;
  if (!isList || !Array.from(given).every(Number.isFinite)) throwMisuse(call, what, value, `${count} numbers`);
  return Float64Array.from(given!);
}

/** Writes the orientation, and with seven numbers the position, unless nothing is given. */
function readPose(call: string, what: string, value: Triple | undefined, out: Float64Array, count: number): void {
  if (value === undefined) return;
  const numbers = readNumbers(call, what, value, undefined, count);
  const pose = transformToPose(new Float64Array(7), out);
  pose.set(numbers, 7 - count);
  const length = Math.sqrt(pose[3] ** 2 + pose[4] ** 2 + pose[5] ** 2 + pose[6] ** 2);
  if (!(Math.abs(length - 1) < 1e-6)) throwMisuse(call, what, value, 'a quaternion of length 1');
  for (let i = 3; i < 7; i++) pose[i] /= length;
  poseToTransform(out, pose);
}

/** Two unit vectors that make right angles with it and with each other. */
function across(d: Float64Array): Float64Array {
  const [x, y, z] = d.map(Math.abs);
  const k = x <= y && x <= z ? 0 : y <= z ? 1 : 2;
  const e = [0, 0, 0];
  e[k] = 1;
  const u = [e[1] * d[2] - e[2] * d[1], e[2] * d[0] - e[0] * d[2], e[0] * d[1] - e[1] * d[0]];
  const length = Math.sqrt(u[0] ** 2 + u[1] ** 2 + u[2] ** 2);
  for (let i = 0; i < 3; i++) u[i] /= length;
  const v = [d[1] * u[2] - d[2] * u[1], d[2] * u[0] - d[0] * u[2], d[0] * u[1] - d[1] * u[0]];
  return Float64Array.from([...u, ...v]);
}
