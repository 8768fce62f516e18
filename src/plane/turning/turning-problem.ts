/** What a problem of a turning body says: a body with places and angles among obstacles, and its convex parts. */
import { requireFields } from '../../math/arguments.js';
import { describeValue, isRecord } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import { hypot } from '../../math/scalar.js';
import { listDirections, listObstacleParts } from '../configuration-pieces.js';
import { type ConvexPart, findConvexParts } from '../convex-parts.js';
import type { Polygon } from '../polygon.js';
import { type PlaneBody, type PlaneScene, requireBody, requireValidPolygon, sceneFields } from '../problem.js';

/** `[x, y, theta]`: a body point b is at `[x, y]` + b turned by theta radians, counter-clockwise. */
export type PlanePose = readonly [number, number, number];

/** A disc, a polygon, or several polygons that move as one. */
export type TurningBody = PlaneBody | { readonly polygons: readonly Polygon[] };

/** As `PlaneProblem`, of a body that may turn. Angles that differ by whole turns are the same. */
export interface TurningProblem extends Omit<PlaneScene, 'body'> {
  readonly body: TurningBody;
  readonly start: PlanePose;
  readonly goal: PlanePose;
}

/** A convex part and the obstacle that it is of. */
export interface ObstaclePart {
  readonly obstacle: number;
  /** Contains the part of the obstacle. */
  readonly outer: ConvexPart;
  /** Contained in it: the same, but for discs; null where nothing of it is certain. */
  readonly inner: ConvexPart | null;
}

/** Convex parts of a problem: what planner and checks of paths are about. */
export interface TurningParts {
  readonly body: readonly ConvexPart[];
  readonly obstacles: readonly ObstaclePart[];
  /** Largest distance of a body point from the reference point, m. */
  readonly radius: number;
  /** How far polygons of discs may be from them, m. */
  readonly width: number;
}

/** Angles farther from 0 than this have lost too many places. */
const MOST_ANGLE = 100;

export function requirePlanePose(call: string, what: string, value: unknown): void {
  const isRight =
    Array.isArray(value) &&
    value.length === 3 &&
    value.every((x) => typeof x === 'number' && Math.abs(x) <= 1e15) &&
    Math.abs(value[2]) <= MOST_ANGLE;
  if (!isRight)
    throw new MisuseError(
      `${call}: ${what}, got ${describeValue(value)}, expected [x, y, theta] within +-1e15 and +-${MOST_ANGLE}`,
    );
}

export function requireTurningProblem(call: string, what: string, value: unknown): void {
  if (isRecord(value))
    for (const key of ['body', 'obstacles', 'bounds', 'start', 'goal'])
      if (value[key] === undefined)
        throw new MisuseError(`${call}: ${what}.${key}, got none, expected ${what} to have one`);
  requireFields(call, what, value, {
    ...sceneFields,
    body: requireTurningBody,
    start: requirePlanePose,
    goal: requirePlanePose,
  });
}

function requireTurningBody(call: string, what: string, value: unknown): void {
  if (!isRecord(value) || !('polygons' in value)) {
    requireBody(call, what, value);
    return;
  }
  const { polygons } = value;
  if (!Array.isArray(polygons) || polygons.length === 0)
    throw new MisuseError(`${call}: ${what}.polygons, got ${describeValue(polygons)}, expected a list of polygons`);
  for (const [i, polygon] of polygons.entries())
    requireValidPolygon(call, `${what}.polygons[${i}]`, polygon as Polygon);
}

/** The polygons of a body that is no disc. */
export function listBodyPolygons(body: TurningBody): readonly Polygon[] {
  if ('disc' in body) throw new Error('listBodyPolygons: a disc has none');
  return 'polygons' in body ? body.polygons : [body.polygon];
}

/** `sides`: the number of sides that discs get at least; the body must be no disc. */
export function listTurningParts(problem: TurningProblem, sides: number): TurningParts {
  const polygons = listBodyPolygons(problem.body);
  const { obstacles: around, bounds } = problem;
  const directions = listDirections({ body: { disc: 0 }, obstacles: around, bounds });
  let radius = 0;
  for (const { outer } of polygons) for (const [x, y] of outer) radius = Math.max(radius, hypot(x, y));
  const [x0, y0, x1, y1] = bounds;
  const reach = [x0 - radius, y0 - radius, x1 + radius, y1 + radius] as const;
  let width = 0;
  const obstacles = around.flatMap((obstacle, index) => {
    const { outer, inner, width: off } = listObstacleParts(obstacle, sides, directions, reach);
    width = Math.max(width, off);
    return outer.map((part, i): ObstaclePart => ({ obstacle: index, outer: part, inner: inner[i] }));
  });
  return { body: polygons.flatMap((polygon) => findConvexParts(polygon).parts), obstacles, radius, width };
}
