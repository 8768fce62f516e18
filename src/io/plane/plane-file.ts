/**
 * Problems of the plane as JSON files: what `plan-2d` reads.
 *
 * `{"robot": {"disc": r} | {"polygon": [[x, y], ...], "holes"?}, "obstacles": [{"polygon", "holes"?} | {"disc": r, "at": [x, y]} | {"implicit": "x^2 + y^2 <= 1"}],
 * "bounds": [x0, y0, x1, y1], "start": [x, y], "goal": [x, y], "touching"?: "free" | "blocked"}`, metres. A body that turns: `"turning": true`,
 * places `[x, y, theta]` with radians, the robot also `{"polygons": [{"polygon", "holes"?}, ...]}`.
 *
 * A field that nothing reads is an error: it would be left out of a proof. Tested by plane-file.test.ts.
 */
import { requireText } from '../../math/arguments.js';
import { closestKey, describeValue, isRecord } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import type { PlanePoint, Polygon } from '../../plane/polygon.js';
import { type PlaneBody, type PlaneObstacle, type PlaneProblem, requireProblem } from '../../plane/problem.js';
import { requireTurningProblem, type TurningProblem } from '../../plane/turning/turning-problem.js';
import type { Issue, Parsed } from '../issue.js';
import { parseImplicit } from './implicit-text.js';

/** Bytes of a file that is read: far above what can be planned. */
const MOST_CHARACTERS = 1 << 28;

export function parsePlaneProblem(text: string): Parsed<PlaneProblem> {
  requireText('parsePlaneProblem', 'text', text);
  return parse(text, (data) => {
    const value = readProblem(data);
    requireProblem('plane', 'problem', value);
    return value;
  });
}

/** The same files with the body free to turn: places of two numbers are at angle 0, and the robot may be several polygons. */
export function parseTurningProblem(text: string): Parsed<TurningProblem> {
  requireText('parseTurningProblem', 'text', text);
  return parse(text, (data) => {
    const value = readTurningProblem(data);
    requireTurningProblem('plane', 'problem', value);
    return value;
  });
}

function parse<T>(text: string, read: (data: unknown) => T): Parsed<T> {
  const fail = (code: string, message: string): Parsed<T> => ({
    value: null,
    issues: [{ severity: 'error', code, message } satisfies Issue],
  });
  if (text.length > MOST_CHARACTERS) return fail('too-large', 'the file is too large to be a plane problem');
  let data: unknown;
  try {
    data = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return fail('not-json', `not JSON: ${(error as Error).message}`);
  }
  try {
    return { value: read(data), issues: [] };
  } catch (error) {
    if (error instanceof MisuseError) return fail('invalid-problem', error.message.replace(/^plane: problem\.?/, ''));
    throw error;
  }
}

const fields = ['robot', 'obstacles', 'bounds', 'start', 'goal', 'touching', 'turning', 'name', 'description'];

function readProblem(data: unknown): PlaneProblem {
  if (!isRecord(data)) throw new MisuseError(`the file, got ${describeValue(data)}, expected an object`);
  refuseUnknown('the file', data, fields);
  if (data.turning === true)
    throw new MisuseError('turning, got true, expected false: the path of a body that does not turn was asked for');
  const problem = {
    body: readShape('robot', data.robot) as PlaneBody,
    ...readScene(data),
    start: readPlace('start', data.start),
    goal: readPlace('goal', data.goal),
  };
  return problem as PlaneProblem;
}

function readTurningProblem(data: unknown): TurningProblem {
  if (!isRecord(data)) throw new MisuseError(`the file, got ${describeValue(data)}, expected an object`);
  refuseUnknown('the file', data, fields);
  if (data.turning !== undefined && typeof data.turning !== 'boolean')
    throw new MisuseError(`turning, got ${describeValue(data.turning)}, expected true or false`);
  const pose = (place: unknown) => (Array.isArray(place) && place.length === 2 ? [...place, 0] : place);
  const problem = {
    body: readBody(data.robot),
    ...readScene(data),
    start: pose(data.start),
    goal: pose(data.goal),
  };
  return problem as unknown as TurningProblem;
}

function readBody(robot: unknown): unknown {
  if (!isRecord(robot) || !Array.isArray(robot.polygons)) return readShape('robot', robot);
  refuseUnknown('robot', robot, ['polygons', 'name']);
  return {
    polygons: robot.polygons.map((one, i) => (readShape(`robot.polygons[${i}]`, one) as { polygon: Polygon }).polygon),
  };
}

function readScene(data: Readonly<Record<string, unknown>>) {
  const { bounds, touching } = data;
  return {
    obstacles: Array.isArray(data.obstacles)
      ? data.obstacles.map((obstacle, i) => readShape(`obstacles[${i}]`, obstacle) as PlaneObstacle)
      : data.obstacles,
    bounds,
    ...(touching === undefined ? {} : { touching }),
  };
}

function refuseUnknown(what: string, data: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  for (const key of Object.keys(data)) {
    if (known.includes(key)) continue;
    const near = closestKey(key, known);
    throw new MisuseError(`${what}, got a field "${key}"${near === undefined ? '' : `, did you mean "${near}"?`}`);
  }
}

function readShape(what: string, shape: unknown): unknown {
  if (!isRecord(shape)) throw new MisuseError(`${what}, got ${describeValue(shape)}, expected an object`);
  if ('implicit' in shape && what !== 'robot') {
    refuseUnknown(what, shape, ['implicit', 'name']);
    if (typeof shape.implicit !== 'string') return { implicit: shape.implicit };
    const { value, issues } = parseImplicit(shape.implicit);
    if (value === null) throw new MisuseError(`${what}.implicit, got text of which ${issues[0].message}`);
    return { implicit: value };
  }
  if ('disc' in shape) {
    refuseUnknown(what, shape, what === 'robot' ? ['disc'] : ['disc', 'at', 'name']);
    return what === 'robot' ? { disc: shape.disc } : { disc: shape.disc, at: shape.at };
  }
  refuseUnknown(what, shape, ['polygon', 'holes', 'name']);
  const { polygon: outer, holes } = shape;
  return { polygon: { outer, ...(holes === undefined ? {} : { holes }) } as Polygon };
}

/** `[x, y]`; a third number is an angle, which a body that does not turn keeps at 0. */
function readPlace(what: string, place: unknown): PlanePoint {
  if (Array.isArray(place) && place.length === 3) {
    if (place[2] !== 0)
      throw new MisuseError(`${what}, got the angle ${place[2]}, expected 0 of a body that does not turn`);
    return place.slice(0, 2) as unknown as PlanePoint;
  }
  return place as PlanePoint;
}
