/**
 * Rigid-body problems as JSON files: what `plan-rigid` reads, and paths as it writes them.
 *
 * `{"group": "SE3" | "SE2", "robot": {"mesh": file}, "environment": {"mesh": file}, "start": {"position": [x, y, z], "quaternion_xyzw":
 * [...]}, "goal": {...}, "bounds": {"min": [...], "max": [...]}}`; in SE2 positions may have two numbers, bounds have two, and
 * `theta` may stand for the quaternion. Mesh files are named relative to the problem's.
 *
 * Fields that nothing reads are warned of. Tested by rigid-file.test.ts.
 */

import { requireText } from '../../math/arguments.js';
import { describeValue, isRecord } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import { cos, sin } from '../../math/scalar.js';
import type { RigidCertificate } from '../../rigid/certify-path.js';
import type { RigidPose } from '../../rigid/pose.js';
import type { RigidGroup } from '../../rigid/problem.js';
import type { Issue, Parsed } from '../issue.js';

export interface RigidProblemFile {
  readonly name: string;
  readonly group: RigidGroup;
  readonly bodyFile: string;
  readonly obstacleFile: string;
  readonly start: RigidPose;
  readonly goal: RigidPose;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

const MOST_CHARACTERS = 1 << 28;
/** Fields of rigid-problem/1 that say where a problem is from, or how others run it. */
const FIELDS = [
  ...['format', 'name', 'description', 'group', 'robot', 'environment', 'start', 'goal', 'bounds'],
  ...['omplResolutionFraction', 'omplTimeLimit', 'sampler', 'objective', 'source', 'split', 'publishedPath'],
];

export function parseRigidProblem(text: string): Parsed<RigidProblemFile> {
  requireText('parseRigidProblem', 'text', text);
  return readJson(text, (data, issues) => {
    if (data.format !== undefined && data.format !== 'rigid-problem/1')
      throw new MisuseError(`format, got ${describeValue(data.format)}, expected "rigid-problem/1"`);
    for (const key of Object.keys(data))
      if (!FIELDS.includes(key))
        issues.push({
          severity: 'warning',
          code: 'unknown-field',
          message: `"${key}" is not read; remove or correct it`,
        });
    const { group } = data;
    if (group !== 'SE3' && group !== 'SE2')
      throw new MisuseError(`group, got ${describeValue(group)}, expected "SE3" or "SE2"`);
    const bounds = data.bounds;
    if (!isRecord(bounds)) throw new MisuseError(`bounds, got ${describeValue(bounds)}, expected {"min", "max"}`);
    const start = readState('start', data.start, group);
    const goal = readState('goal', data.goal, group);
    if (group === 'SE2' && start[2] !== goal[2])
      throw new MisuseError(`goal.position, got z ${goal[2]}, expected that of the start, ${start[2]}`);
    const lower = readBound('bounds.min', bounds.min, group, start[2]);
    const upper = readBound('bounds.max', bounds.max, group, start[2]);
    for (let k = 0; k < 3; k++)
      if (lower[k] > upper[k]) throw new MisuseError(`bounds.min, got ${lower[k]}, expected at most ${upper[k]}`);
    return {
      name: typeof data.name === 'string' ? data.name : '',
      group,
      bodyFile: readMeshName('robot', data.robot),
      obstacleFile: readMeshName('environment', data.environment),
      ...{ start, goal, lower, upper },
    };
  });
}

/** Poses of a list, or of the `path` of an object: states as in problems, or seven numbers, or x, y, theta. */
export function parseRigidPath(text: string): Parsed<RigidPose[]> {
  requireText('parseRigidPath', 'text', text);
  const wrapped = text.trimStart().startsWith('[') ? `{"path":${text}}` : text;
  return readJson(wrapped, (data) => {
    const list = data.path;
    if (!Array.isArray(list) || list.length === 0)
      throw new MisuseError(`path, got ${describeValue(list)}, expected a list of poses`);
    return list.map((item, i) => {
      if (!Array.isArray(item)) return readState(`path[${i}]`, item, 'SE3');
      const numbers = readNumbers(`path[${i}]`, item, item.length === 3 ? 3 : 7);
      if (item.length === 3) return Float64Array.of(numbers[0], numbers[1], 0, 0, 0, ...turnOf(numbers[2]));
      return normalized(`path[${i}]`, Float64Array.from(numbers));
    });
  });
}

/** What `plan-rigid --certificate` wrote. */
export function parseRigidCertificate(text: string): Parsed<RigidCertificate> {
  requireText('parseRigidCertificate', 'text', text);
  return readJson(text, ({ motions }) => {
    if (!Array.isArray(motions)) throw new MisuseError(`motions, got ${describeValue(motions)}, expected a list`);
    const read = motions.map((motion, i) => {
      const balls: unknown = isRecord(motion) ? motion.balls : undefined;
      return { balls: readNumbers(`motions[${i}].balls`, balls, Array.isArray(balls) ? balls.length : 0) };
    });
    return { motions: read };
  });
}

function readJson<T>(text: string, read: (data: Readonly<Record<string, unknown>>, issues: Issue[]) => T): Parsed<T> {
  const issues: Issue[] = [];
  const fail = (code: string, message: string): Parsed<T> => ({
    value: null,
    issues: [...issues, { severity: 'error', code, message }],
  });
  if (text.length > MOST_CHARACTERS) return fail('too-large', 'the file is too large to be a problem or path');
  let data: unknown;
  try {
    data = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return fail('not-json', `not JSON: ${(error as Error).message}`);
  }
  if (!isRecord(data)) return fail('invalid-problem', `the file, got ${describeValue(data)}, expected an object`);
  try {
    return { value: read(data, issues), issues };
  } catch (error) {
    if (error instanceof MisuseError) return fail('invalid-problem', error.message);
    throw error;
  }
}

function readMeshName(what: string, value: unknown): string {
  const name = isRecord(value) ? value.mesh : undefined;
  if (typeof name === 'string' && name !== '') return name;
  throw new MisuseError(`${what}.mesh, got ${describeValue(name)}, expected the name of a mesh file`);
}

function readNumbers(what: string, value: unknown, count: number): number[] {
  if (Array.isArray(value) && value.length === count && value.every((x) => typeof x === 'number' && Number.isFinite(x)))
    return value as number[];
  throw new MisuseError(`${what}, got ${describeValue(value)}, expected ${count} finite numbers`);
}

function readState(what: string, state: unknown, group: RigidGroup): RigidPose {
  if (!isRecord(state)) throw new MisuseError(`${what}, got ${describeValue(state)}, expected an object`);
  const { position, quaternion_xyzw: q, theta } = state;
  const planar = Array.isArray(position) && position.length === 2;
  const p = readNumbers(`${what}.position`, position, planar ? 2 : 3);
  const turn = q === undefined && theta !== undefined;
  const angle = turn ? readNumbers(`${what}.theta`, [theta], 1)[0] : 0;
  const quaternion = turn ? [0, 0, ...turnOf(angle)] : readNumbers(`${what}.quaternion_xyzw`, q, 4);
  if (group === 'SE2' && (quaternion[0] !== 0 || quaternion[1] !== 0))
    throw new MisuseError(`${what}.quaternion_xyzw, got ${describeValue(q)}, expected a turn about z`);
  return normalized(what, Float64Array.of(p[0], p[1], p[2] ?? 0, ...quaternion));
}

/** The z and w of a turn about z. */
function turnOf(angle: number): [number, number] {
  return [sin(angle / 2), cos(angle / 2)];
}

/** Left as it is where it is of length 1 but for rounding. */
function normalized(what: string, pose: RigidPose): RigidPose {
  let square = 0;
  for (let k = 3; k < 7; k++) square += pose[k] * pose[k];
  const length = Math.sqrt(square);
  if (!(Math.abs(length - 1) < 1e-3))
    throw new MisuseError(`${what}.quaternion_xyzw, got one of length ${length}, expected 1`);
  if (Math.abs(length - 1) > 4e-16) for (let k = 3; k < 7; k++) pose[k] /= length;
  return pose;
}

function readBound(what: string, value: unknown, group: RigidGroup, z: number): Float64Array {
  if (group === 'SE3') return Float64Array.from(readNumbers(what, value, 3));
  const count = Array.isArray(value) && value.length === 3 ? 3 : 2;
  const numbers = readNumbers(what, value, count);
  return Float64Array.of(numbers[0], numbers[1], z);
}
