/** What a plane problem says: a body that is moved without turning among obstacles, and where touching stands. */
import { type Fields, requireFields } from '../math/arguments.js';
import { type ImplicitRegion, requireImplicit } from '../math/implicit-region.js';
import { describeValue, isRecord } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import type { PlaneBounds } from './pieces.js';
import {
  isPlaneCoordinate,
  type PlanePoint,
  type Polygon,
  requirePlanePoint,
  requirePolygonData,
  validatePolygon,
} from './polygon.js';

/** A disc of radius 0 is a point. The polygon's coordinates are relative to the body's reference point. */
export type PlaneBody = { readonly disc: number } | { readonly polygon: Polygon };

/** `implicit`: where polynomial inequalities in x and y hold. */
export type PlaneObstacle =
  | { readonly disc: number; readonly at: PlanePoint }
  | { readonly polygon: Polygon }
  | { readonly implicit: ImplicitRegion };

/** Whether a body whose boundary touches an obstacle's, and whose inside meets none, stands free. */
export type Touching = 'free' | 'blocked';

/** A body and where it may be. */
export interface PlaneScene {
  readonly body: PlaneBody;
  readonly obstacles: readonly PlaneObstacle[];
  /** Where the body's reference point may be, these lines included: `[x0, y0, x1, y1]`. */
  readonly bounds: PlaneBounds;
  /** `blocked` unless said otherwise. */
  readonly touching?: Touching;
}

export interface PlaneProblem extends PlaneScene {
  readonly start: PlanePoint;
  readonly goal: PlanePoint;
}

function requireDisc(call: string, what: string, value: unknown, least: number): void {
  if (!isPlaneCoordinate(value) || value < 0 || (least > 0 && value === 0))
    throw new MisuseError(
      `${call}: ${what}, got ${describeValue(value)}, expected a radius${least > 0 ? ' above 0' : ', 0 for a point'}`,
    );
}

export function requireValidPolygon(call: string, what: string, polygon: Polygon): void {
  requirePolygonData(call, what, polygon);
  const [issue] = validatePolygon(polygon);
  if (issue !== undefined)
    throw new MisuseError(`${call}: ${what}, got a polygon where ${issue.message}, expected a valid polygon`);
}

function requireOne(call: string, what: string, value: unknown, keys: readonly string[]): Record<string, unknown> {
  const kinds = keys.join(' or ');
  if (!isRecord(value) || keys.filter((key) => key in value).length !== 1)
    throw new MisuseError(`${call}: ${what}, got ${describeValue(value)}, expected one of ${kinds}`);
  return value as Record<string, unknown>;
}

export function requireBody(call: string, what: string, value: unknown): void {
  const body = requireOne(call, what, value, ['disc', 'polygon']);
  if ('disc' in body) requireDisc(call, `${what}.disc`, body.disc, 0);
  else requireValidPolygon(call, `${what}.polygon`, body.polygon as Polygon);
}

export function requireObstacle(call: string, what: string, value: unknown): void {
  const obstacle = requireOne(call, what, value, ['disc', 'polygon', 'implicit']);
  if ('implicit' in obstacle) requireImplicit(call, `${what}.implicit`, obstacle.implicit, 2);
  else if ('disc' in obstacle) {
    requireDisc(call, `${what}.disc`, obstacle.disc, 1);
    requirePlanePoint(call, `${what}.at`, obstacle.at);
  } else requireValidPolygon(call, `${what}.polygon`, obstacle.polygon as Polygon);
}

export function requirePlaneBounds(call: string, what: string, value: unknown): void {
  const isRight =
    Array.isArray(value) &&
    value.length === 4 &&
    value.every(isPlaneCoordinate) &&
    value[0] < value[2] &&
    value[1] < value[3];
  if (!isRight)
    throw new MisuseError(
      `${call}: ${what}, got ${describeValue(value)}, expected [x0, y0, x1, y1] with x0 < x1, y0 < y1`,
    );
}

/** Checks of a scene's fields. */
export const sceneFields: Fields = {
  body: requireBody,
  obstacles: (name, field, list) => {
    if (!Array.isArray(list))
      throw new MisuseError(`${name}: ${field}, got ${describeValue(list)}, expected a list of obstacles`);
    for (const [i, obstacle] of list.entries()) requireObstacle(name, `${field}[${i}]`, obstacle);
  },
  bounds: requirePlaneBounds,
  touching: (name, field, word) => {
    if (word !== undefined && word !== 'free' && word !== 'blocked')
      throw new MisuseError(`${name}: ${field}, got ${describeValue(word)}, expected 'free' or 'blocked'`);
  },
};

export function requireProblem(call: string, what: string, value: unknown): void {
  if (isRecord(value))
    for (const key of ['body', 'obstacles', 'bounds', 'start', 'goal'])
      if (value[key] === undefined)
        throw new MisuseError(`${call}: ${what}.${key}, got none, expected ${what} to have one`);
  requireFields(call, what, value, { ...sceneFields, start: requirePlanePoint, goal: requirePlanePoint });
}
