/**
 * Plans a translation of a body among obstacles in the plane, completely: a path, or a proof that there is none.
 *
 * 1. Forbidden places are convex pieces (configuration-pieces.ts); discs are polygons of more and more sides.
 * 2. The trapezoid map of what the outer pieces leave free decides whether start and goal are connected; then a path is made.
 * 3. Otherwise a closed chain of inner pieces that separates them is searched and checked: `impossible`.
 * 4. Where discs leave neither, they are refined until they are as close as `width` wants: `undecided`.
 *
 * Paths. `shortest`: by the visibility graph. Where touching is blocked there is no shortest path, only a least length: the body is
 * grown by a tiny length first, less where it does not fit. `trapezoids`: through the middles of the map's openings.
 * `clearance`: the greatest growth with which the body still fits is found (greatest-clearance.ts), then the shortest path of the body
 * that is grown by all but a hair of it is taken.
 *
 * Every path is checked as it is returned, as doubles, against every piece: `verified`. It is false only where doubles are too
 * coarse for the way there is, which touches obstacles or is narrower than their last places.
 *
 * Tested by plan.test.ts.
 */
import { requireFunction, requireOneOf, requireOptions, requirePositiveNumber } from '../math/arguments.js';
import { hypot } from '../math/scalar.js';
import { type ConfigurationPieces, createConfigurationPieces } from './configuration-pieces.js';
import { createExactPoint, ExactPoint } from './exact-point.js';
import { createFreeSpace, type PlaneFreeSpace } from './free-space.js';
import { findGreatestClearance } from './greatest-clearance.js';
import { forbidsPoint, forbidsSegment, type Piece, type PlaneBounds } from './pieces.js';
import type { PlanePoint } from './polygon.js';
import { type PlaneProblem, requireProblem, type Touching } from './problem.js';
import { createRoadmap, findWay, type Roadmap } from './roadmap.js';
import { type ChainLink, findSeparation } from './separation.js';
import { findShortestPath } from './shortest-path.js';
import { createStopCheck, orWhenStopped, type StopCheck } from './stop-check.js';
import { buildMap } from './trapezoid-map.js';
import { type ExactCoordinate, type Separation, verifySeparation } from './verify-separation.js';

export type PlaneMethod = 'shortest' | 'clearance' | 'trapezoids';

export type PlaneStatus = 'solved' | 'impossible' | 'undecided' | 'invalid-start' | 'invalid-goal';

export interface PlaneOptions {
  /** `shortest` unless said otherwise. */
  readonly method?: PlaneMethod;
  /**
   * How far the polygons of discs may be from them, metres; 1e-7 of the largest disc unless said otherwise. With implicit obstacles also
   * the size of boxes whose points are not known to be in or out; 1/256 of the bounds unless said otherwise.
   */
  readonly width?: number;
  /**
   * Asked now and then; true ends the search: `undecided`, or `solved` with the way through the map where that was known already.
   */
  readonly shouldStop?: () => boolean;
}

export interface PlanePlan {
  readonly status: PlaneStatus;
  /** Empty where solved as it was asked for. */
  readonly reason: string;
  /** What the path is: `trapezoids` in place of what was asked for where that could not be made, or not in time. Null without a path. */
  readonly method: PlaneMethod | null;
  /** Places of the body's reference point, empty without a path. */
  readonly path: readonly PlanePoint[];
  readonly length: number;
  /** Whether the path, as doubles, was found free. */
  readonly verified: boolean;
  /** The body keeps at least this distance from all obstacles, where the path was made for it. */
  readonly clearance: number;
  /** No path keeps more distance than this, rounding in the last places aside; infinite where it was not asked for. */
  readonly clearanceLimit: number;
  /** The proof, where impossible. */
  readonly separation: Separation | null;
  readonly touching: Touching;
  /** How far polygons of discs were from them: 0 means that nothing was flattened. */
  readonly width: number;
  /** What the answer was found in; for pictures. */
  readonly freeSpace: PlaneFreeSpace | null;
}

const FIRST_SIDES = 16;
const MOST_SIDES = 1 << 14;
/** Of the bounds' sides, where implicit obstacles are boxes. */
const MOST_BOXES = 1 << 11;

export function planInPlane(problem: PlaneProblem, options: PlaneOptions = {}): PlanePlan {
  requireProblem('planInPlane', 'problem', problem);
  requireOptions('planInPlane', options, {
    method: (call, what, value) => requireOneOf(call, what, value, ['shortest', 'clearance', 'trapezoids']),
    width: requirePositiveNumber,
    shouldStop: requireFunction,
  });
  const check = createStopCheck(options.shouldStop);
  const { start, goal, bounds } = problem;
  if (!isWithin(bounds, start)) return refuse(problem, 'invalid-start', 'start lies outside the bounds');
  if (!isWithin(bounds, goal)) return refuse(problem, 'invalid-goal', 'goal lies outside the bounds');
  const hasImplicit = problem.obstacles.some((obstacle) => 'implicit' in obstacle);
  const wanted = options.width ?? (hasImplicit ? extentOf(bounds) / 256 : 1e-7 * largestDisc(problem));
  let last: PlanePlan | null = null;
  for (let sides = FIRST_SIDES; sides <= (hasImplicit ? MOST_BOXES : MOST_SIDES); sides *= 4) {
    const answer: PlanePlan = orWhenStopped(
      () => decide(problem, options.method ?? 'shortest', sides, check),
      () => last ?? refuse(problem, 'undecided', 'it was stopped before an answer was found'),
    );
    if (answer === last) return { ...answer, reason: `${answer.reason}; it was stopped then` };
    if (answer.status !== 'undecided' || answer.width <= wanted) return answer;
    last = answer;
  }
  return last!;
}

function largestDisc({ body, obstacles }: PlaneProblem): number {
  return [body, ...obstacles].reduce((most, shape) => ('disc' in shape ? Math.max(most, shape.disc) : most), 0);
}

function isWithin([x0, y0, x1, y1]: PlaneBounds, [x, y]: PlanePoint): boolean {
  return x >= x0 && x <= x1 && y >= y0 && y <= y1;
}

function refuse(problem: PlaneProblem, status: PlaneStatus, reason: string, more: Partial<PlanePlan> = {}): PlanePlan {
  return {
    status,
    reason,
    method: null,
    path: [],
    length: 0,
    verified: false,
    clearance: 0,
    clearanceLimit: Infinity,
    separation: null,
    touching: problem.touching ?? 'blocked',
    width: 0,
    freeSpace: null,
    ...more,
  };
}

function decide(problem: PlaneProblem, method: PlaneMethod, sides: number, check: StopCheck): PlanePlan {
  const { outer, inner, width } = createConfigurationPieces(problem, sides);
  const start = createExactPoint(...problem.start);
  const goal = createExactPoint(...problem.goal);
  const ends = [
    ['invalid-start', start, 'start'],
    ['invalid-goal', goal, 'goal'],
  ] as const;
  for (const [status, point, name] of ends) {
    const hit = inner.find((piece) => forbidsPoint(piece, point));
    if (hit !== undefined)
      return refuse(problem, status, `at the ${name} the body meets obstacle ${hit.obstacle}`, { width });
  }
  const map = buildMap(outer, [start, goal], check);
  const roadmap = createRoadmap(map);
  const found = { width, freeSpace: createFreeSpace(outer, map, roadmap) };
  const isEndFree = ends.every(([, point]) => !outer.some((piece) => forbidsPoint(piece, point)));
  if (isEndFree) {
    const way = findWay(
      roadmap,
      roadmap.firstVertex + map.arrangement.placed[0],
      roadmap.firstVertex + map.arrangement.placed[1],
    );
    if (way !== null)
      return refuse(problem, 'solved', '', {
        ...found,
        ...makePath(problem, method, sides, outer, roadmap, way, check),
      });
  }
  const chain = findSeparation(inner, start, goal, check);
  if (chain !== null) {
    const separation = describeChain(inner, chain);
    const verdict = verifySeparation(problem, separation);
    if (verdict.accepted) return refuse(problem, 'impossible', describeReason(separation), { ...found, separation });
    return refuse(problem, 'undecided', `the proof that there is no path was refused: ${verdict.reason}`, found);
  }
  const reason =
    width > 0 ? `curves were taken as polygons, up to ${width} m off` : 'neither a path nor a proof was found';
  return refuse(problem, 'undecided', reason, found);
}

const sideNames = ['left', 'right', 'below', 'above'] as const;

function describeReason(separation: Separation): string {
  const names = [...new Set(separation.map(({ obstacle }) => obstacle))];
  const obstacles = names.filter((name) => typeof name === 'number');
  const sides = names.filter((name) => typeof name === 'string');
  const closed = `a closed chain of ${separation.length} links separates start and goal: obstacles ${obstacles.join(', ')}`;
  return sides.length === 0 ? closed : `${closed}, and the bounds ${sides.join(', ')}`;
}

function describeChain(pieces: readonly Piece[], chain: readonly ChainLink[]): Separation {
  const write = (point: ExactPoint): [ExactCoordinate, ExactCoordinate] => {
    if (point.error === 0) return [point.x, point.y];
    const { x, y, w } = point.homogeneous;
    return [`${x}/${w}`, `${y}/${w}`];
  };
  return chain.map(({ piece, inside, contact }) => {
    const { obstacle, parts } = pieces[piece];
    const points = { inside: write(inside), contact: write(contact) };
    if (parts === null) return { obstacle: sideNames[-1 - obstacle], ...points };
    const part = parts[0].map((corner) => (corner instanceof ExactPoint ? write(corner) : corner));
    return { obstacle, parts: [part, parts[1]], ...points };
  });
}

type Path = Pick<PlanePlan, 'method' | 'path' | 'length' | 'verified' | 'clearance' | 'clearanceLimit'>;

function makePath(
  problem: PlaneProblem,
  method: PlaneMethod,
  sides: number,
  pieces: readonly Piece[],
  roadmap: Roadmap,
  way: readonly number[],
  check: StopCheck,
): Path & { readonly reason?: string } {
  const { places } = roadmap;
  const points = way.map((n): PlanePoint => [places[2 * n], places[2 * n + 1]]);
  const coarse: Path = { ...walkAlong(problem, points, pieces), method: 'trapezoids' };
  if (method === 'trapezoids') return coarse;
  return orWhenStopped<Path & { readonly reason?: string }>(
    () => improvePath(problem, method, sides, pieces, coarse, check),
    () => ({
      ...coarse,
      reason: `it was stopped before the path of ${method} was made: this is the way through the map`,
    }),
  );
}

function walkAlong(
  problem: PlaneProblem,
  points: readonly PlanePoint[],
  pieces: readonly Piece[],
  clearance = 0,
): Omit<Path, 'method'> {
  const path = [problem.start, ...points.slice(1, -1), problem.goal];
  const isFree = isPathFree(pieces, problem.bounds, path);
  return { path, length: measure(path), verified: isFree, clearance, clearanceLimit: Infinity };
}

function improvePath(
  problem: PlaneProblem,
  method: PlaneMethod,
  sides: number,
  pieces: readonly Piece[],
  coarse: Path,
  check: StopCheck,
): Path {
  const along = (points: readonly PlanePoint[], clearance: number, around: readonly Piece[]): Path => ({
    ...walkAlong(problem, points, around, clearance),
    method: 'shortest',
  });
  const fine = refineSides(problem, sides, pieces.length);
  // Finer polygons of discs leave more free: the path is checked against those that it was made for.
  const finer = fine === sides ? pieces : createConfigurationPieces(problem, fine).outer;
  const wide = method === 'clearance' ? clearPath(problem, fine, check) : null;
  if (wide !== null)
    return { ...along(wide.points, wide.clearance, finer), method: 'clearance', clearanceLimit: wide.limit };
  if (problem.touching !== 'free') {
    const made = shortPath(problem, fine, 1e-7, check);
    return made === null ? coarse : along(made.points, made.clearance, finer);
  }
  const touching = findPoints(finer, problem, check);
  if (touching === null) return coarse;
  const path = along(touching, 0, finer);
  if (path.verified) return path;
  // Corners that are no doubles: a hair's breadth beside them is as good, where there is room for it.
  const beside = shortPath(problem, fine, 1e-13, check);
  const other = beside === null ? null : along(beside.points, beside.clearance, finer);
  return other?.verified === true && other.length <= path.length * (1 + 1e-9) ? other : path;
}

/** Corners of grown pieces that a visibility graph may have where discs are made finer for it. */
const CORNER_BUDGET = 4000;

/** Sides of discs for the path: more than its verdict needed, so that it is close to the shortest of the true disc. */
function refineSides({ body, obstacles }: PlaneProblem, sides: number, pieceCount: number): number {
  if (![body, ...obstacles].some((shape) => 'disc' in shape && shape.disc > 0)) return sides;
  return Math.max(sides, Math.min(256, 4 * Math.floor(CORNER_BUDGET / pieceCount / 4)));
}

interface MadePath {
  readonly points: readonly PlanePoint[];
  readonly clearance: number;
}

function findPoints(
  pieces: readonly Piece[],
  { bounds, start, goal }: PlaneProblem,
  check: StopCheck,
): PlanePoint[] | null {
  const ends = [createExactPoint(...start), createExactPoint(...goal)] as const;
  if (ends.some((end) => pieces.some((piece) => piece.isOpen && forbidsPoint(piece, end)))) return null;
  const found = findShortestPath(pieces, bounds, ...ends, check);
  return found === null ? null : found.points.map(({ x, y }): PlanePoint => [x, y]);
}

function extentOf([x0, y0, x1, y1]: PlaneBounds): number {
  return Math.max(x1 - x0, y1 - y0);
}

/** A shortest path of a body that is a little larger, by `part` of the bounds or less. */
function shortPath(problem: PlaneProblem, sides: number, part: number, check: StopCheck): MadePath | null {
  let grown = part * extentOf(problem.bounds);
  for (let k = 0; k < 8 && grown > 0; k++, grown /= 16) {
    const pieces = grow(problem, sides, grown);
    // The map says sooner than a search through all corners where the body does not fit.
    const points = areConnected(pieces, problem, check) ? findPoints(pieces, problem, check) : null;
    if (points !== null) return { points, clearance: grown / 2 };
  }
  return null;
}

function grow(problem: PlaneProblem, sides: number, grown: number): readonly Piece[] {
  const made: ConfigurationPieces = createConfigurationPieces(problem, sides, grown);
  return made.outer;
}

/** Parts that the growth is less than the greatest: the first is that of rounding, the last that of polygons around discs. */
const LESS = [1e-9, 1e-7, 1e-5, 1e-3, 1e-2, 0.5];

/** The shortest path of the body grown as far as it still fits; null where it cannot be grown. */
function clearPath(
  problem: PlaneProblem,
  sides: number,
  check: StopCheck,
): (MadePath & { readonly limit: number }) | null {
  const { outer, width } = createConfigurationPieces(problem, sides);
  const ends = [createExactPoint(...problem.start), createExactPoint(...problem.goal)] as const;
  const gate = findGreatestClearance(outer, ...ends, check);
  const greatest = Math.min(gate.radius, extentOf(problem.bounds));
  for (const less of LESS) {
    const grown = greatest * (1 - less);
    if (!(grown > 0)) return null;
    const pieces = createConfigurationPieces(problem, sides, grown, gate.directions).outer;
    const points = areConnected(pieces, problem, check) ? findPoints(pieces, problem, check) : null;
    // The grown body's corners are rounded: the last places are not promised.
    if (points !== null) return { points, clearance: grown * (1 - 1e-12), limit: gate.radius + width };
  }
  return null;
}

function areConnected(pieces: readonly Piece[], { start, goal }: PlaneProblem, check: StopCheck): boolean {
  const ends = [createExactPoint(...start), createExactPoint(...goal)];
  if (ends.some((end) => pieces.some((piece) => forbidsPoint(piece, end)))) return false;
  const map = buildMap(pieces, ends, check);
  const roadmap = createRoadmap(map);
  const [from, to] = map.arrangement.placed;
  return findWay(roadmap, roadmap.firstVertex + from, roadmap.firstVertex + to) !== null;
}

function measure(path: readonly PlanePoint[]): number {
  let length = 0;
  for (let i = 1; i < path.length; i++) length += hypot(path[i][0] - path[i - 1][0], path[i][1] - path[i - 1][1]);
  return length;
}

/** Whether no piece forbids any point of a path of doubles: every piece, without the grid that the search went by. */
function isPathFree(pieces: readonly Piece[], bounds: PlaneBounds, path: readonly PlanePoint[]): boolean {
  if (!path.every((point) => isWithin(bounds, point))) return false;
  const points = path.map(([x, y]) => createExactPoint(x, y));
  return points.slice(1).every((q, i) => {
    const p = points[i];
    return !pieces.some((piece) => forbidsSegment(piece, p, q));
  });
}
