/**
 * Checks a proof that there is no path: a closed chain of forbidden places between start and goal.
 *
 * It shares nothing with what made the proof: whole numbers only, and every claim is looked at anew.
 *
 * 1. Each link names a convex part of an obstacle and one of the body, which must lie in them, or a side of the bounds.
 * 2. The link's inner point must lie in the inside of the part's sum with the mirrored part of the body (or beyond that side): there
 *    the body overlaps the obstacle. Its contact must lie in the closures of this sum and the next, and be forbidden by one.
 * 3. So both segments from inner points to the contact between them are forbidden, their ends included.
 * 4. The closed polygon of all these points must hold exactly one of start and goal.
 *
 * Tested by separation.test.ts, which also alters proofs and wants them refused.
 */
import { requireList } from '../math/arguments.js';
import { describeValue, isRecord } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { ratioToNumber, sumsToHomogeneous } from './dyadic.js';
import { isBoxInImplicit } from './implicit-cells.js';
import type { PlanePoint, Polygon } from './polygon.js';
import { type PlaneObstacle, type PlaneProblem, requireProblem } from './problem.js';

/** A coordinate: a double, or a fraction 'n/d' of whole numbers where it is none. */
export type ExactCoordinate = number | string;

export type ExactPair = readonly [ExactCoordinate, ExactCoordinate];

export interface SeparationLink {
  /** Number of the obstacle, or the side of the bounds. */
  readonly obstacle: number | 'left' | 'right' | 'below' | 'above';
  /** Convex part of the obstacle, and of the body; none for sides of the bounds. */
  readonly parts?: readonly [readonly ExactPair[], readonly ExactPair[]];
  readonly inside: ExactPair;
  readonly contact: ExactPair;
}

/** A closed chain: the last link's contact is with the first. */
export type Separation = readonly SeparationLink[];

export interface SeparationVerdict {
  readonly accepted: boolean;
  /** What is wrong. */
  readonly reason: string;
}

interface Exact {
  readonly x: bigint;
  readonly y: bigint;
  readonly w: bigint;
}

const fromPair = ([x, y]: PlanePoint): Exact => sumsToHomogeneous([x], [y]);

function readCoordinate(value: ExactCoordinate): [bigint, bigint] | null {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return null;
    const { x, w } = sumsToHomogeneous([value], [0]);
    return [x, w];
  }
  const match = /^(-?\d{1,20000})\/(\d{1,20000})$/.exec(String(value));
  if (match === null || BigInt(match[2]) === 0n) return null;
  return [BigInt(match[1]), BigInt(match[2])];
}

function readPoint(pair: unknown): Exact | null {
  if (!Array.isArray(pair) || pair.length !== 2) return null;
  const x = readCoordinate(pair[0]);
  const y = readCoordinate(pair[1]);
  return x === null || y === null ? null : { x: x[0] * y[1], y: y[0] * x[1], w: x[1] * y[1] };
}

function readRing(ring: unknown): Exact[] | null {
  if (!Array.isArray(ring) || ring.length === 0) return null;
  const points = ring.map(readPoint);
  return points.some((point) => point === null) ? null : (points as Exact[]);
}

/** For people: the coordinate as a double. */
export function coordinateToNumber(value: ExactCoordinate): number {
  const read = typeof value === 'number' || typeof value === 'string' ? readCoordinate(value) : null;
  if (read === null)
    throw new MisuseError(`coordinateToNumber: value, got ${describeValue(value)}, expected a finite number or 'n/d'`);
  return ratioToNumber(read[0], read[1]);
}

function sign(value: bigint): number {
  return value > 0n ? 1 : value < 0n ? -1 : 0;
}

function turn(a: Exact, b: Exact, c: Exact): number {
  return sign(a.x * (b.y * c.w - c.y * b.w) - a.y * (b.x * c.w - c.x * b.w) + a.w * (b.x * c.y - c.x * b.y));
}

/** Compares a.y with b.y, or a.x with b.x. */
const compare = (a: bigint, aw: bigint, b: bigint, bw: bigint) => sign(a * bw - b * aw);

function isOnSegment(a: Exact, b: Exact, p: Exact): boolean {
  if (turn(a, b, p) !== 0) return false;
  const x = compare(a.x, a.w, p.x, p.w) * compare(p.x, p.w, b.x, b.w);
  const y = compare(a.y, a.w, p.y, p.w) * compare(p.y, p.w, b.y, b.w);
  return x >= 0 && y >= 0;
}

/** 1 inside, 0 on a ring, -1 outside, by even-odd. */
function locate(rings: readonly (readonly Exact[])[], p: Exact): number {
  let isInside = false;
  for (const ring of rings)
    for (const [i, a] of ring.entries()) {
      const b = ring[(i + 1) % ring.length];
      if (isOnSegment(a, b, p)) return 0;
      const isAboveA = compare(a.y, a.w, p.y, p.w) > 0;
      const isAboveB = compare(b.y, b.w, p.y, p.w) > 0;
      if (isAboveA !== isAboveB && turn(a, b, p) > 0 === isAboveB) isInside = !isInside;
    }
  return isInside ? 1 : -1;
}

function isConvexRing(ring: readonly Exact[]): boolean {
  const n = ring.length;
  if (n < 3) return false;
  // Every corner left of every side: that is a convex ring that goes around once.
  return ring.every((a, i) => ring.every((c, k) => k === i || k === (i + 1) % n || turn(a, ring[(i + 1) % n], c) > 0));
}

/** Whether a convex ring lies in a closed polygon. */
function isPartOf(part: readonly Exact[], polygon: Polygon): boolean {
  const rings = [polygon.outer, ...(polygon.holes ?? [])].map((ring) => ring.map(fromPair));
  if (!part.every((p) => locate(rings, p) >= 0)) return false;
  const middle = meanOf(part);
  if (locate(rings, middle) < 0) return false;
  // No side of the polygon enters the part.
  return rings.every((ring) => ring.every((a, i) => !enters(part, a, ring[(i + 1) % ring.length])));
}

function meanOf(points: readonly Exact[]): Exact {
  let x = 0n;
  let y = 0n;
  let w = 1n;
  for (const p of points) {
    x = x * p.w + p.x * w;
    y = y * p.w + p.y * w;
    w *= p.w;
  }
  return { x, y, w: w * BigInt(points.length) };
}

function enters(part: readonly Exact[], a: Exact, b: Exact): boolean {
  const n = part.length;
  for (const [i, p] of part.entries()) {
    const q = part[(i + 1) % n];
    if (turn(p, q, a) <= 0 && turn(p, q, b) <= 0) return false;
  }
  const turns = part.map((p) => turn(a, b, p));
  return turns.some((t) => t > 0) && turns.some((t) => t < 0);
}

/** Whether the ring lies in the disc about a centre. */
function isInDisc(part: readonly Exact[], radius: number, center: PlanePoint): boolean {
  const c = fromPair(center);
  const r = fromPair([radius, 0]);
  return part.every((p) => {
    const dx = p.x * c.w - c.x * p.w;
    const dy = p.y * c.w - c.y * p.w;
    const w = p.w * c.w;
    return (dx * dx + dy * dy) * r.w * r.w <= r.x * r.x * w * w;
  });
}

/** 1 inside A + (-B), 0 on its boundary, -1 outside: along the normal of every side of either. */
function sideOfSum(a: readonly Exact[], b: readonly Exact[], p: Exact): number {
  let side = 1;
  const sides = [a, b].flatMap((ring, which) =>
    ring.length < 2 ? [] : ring.map((from, i) => ({ from, to: ring[(i + 1) % ring.length], which })),
  );
  for (const { from, to, which } of sides) {
    // Outward normal of a side of A, or of the mirrored side of B, times a positive number.
    let nx = to.y * from.w - from.y * to.w;
    let ny = from.x * to.w - to.x * from.w;
    if (which === 1) {
      nx = -nx;
      ny = -ny;
    }
    // n p < max n a - min n b.
    const reachA = extreme(a, nx, ny, 1);
    const reachB = extreme(b, nx, ny, -1);
    const value = nx * p.x + ny * p.y;
    const left = value * reachA.w * reachB.w;
    const right = (reachA.value * reachB.w - reachB.value * reachA.w) * p.w;
    const s = sign(right - left);
    if (s < 0) return -1;
    if (s === 0) side = 0;
  }
  return side;
}

function extreme(ring: readonly Exact[], nx: bigint, ny: bigint, way: number): { value: bigint; w: bigint } {
  let best = { value: nx * ring[0].x + ny * ring[0].y, w: ring[0].w };
  for (const p of ring) {
    const value = nx * p.x + ny * p.y;
    if (compare(value, p.w, best.value, best.w) * way > 0) best = { value, w: p.w };
  }
  return best;
}

/** What a link forbids: where a point lies with respect to it, and whether its boundary is forbidden. */
interface Forbidden {
  readonly side: (p: Exact) => number;
  readonly isOpen: boolean;
}

function readForbidden(problem: PlaneProblem, link: SeparationLink): Forbidden | string {
  const [x0, y0, x1, y1] = problem.bounds;
  const beyond: Readonly<Record<string, (p: Exact) => number>> = {
    left: (p) => -compareCoordinate(p.x, p.w, x0),
    right: (p) => compareCoordinate(p.x, p.w, x1),
    below: (p) => -compareCoordinate(p.y, p.w, y0),
    above: (p) => compareCoordinate(p.y, p.w, y1),
  };
  if (typeof link.obstacle === 'string') {
    const side = Object.hasOwn(beyond, link.obstacle) ? beyond[link.obstacle] : undefined;
    return side === undefined ? `no side of the bounds is called ${link.obstacle}` : { side, isOpen: true };
  }
  const obstacle = problem.obstacles[link.obstacle];
  if (obstacle === undefined) return `there is no obstacle ${link.obstacle}`;
  const a = readRing(link.parts?.[0]);
  const b = readRing(link.parts?.[1]);
  if (a === null || b === null) return 'parts are missing, or their points are no coordinates';
  if (!isConvexRing(a)) return 'the part of the obstacle is not convex';
  if (!isInShape(a, obstacle)) return 'the part does not lie in the obstacle';
  const { body } = problem;
  if ('disc' in body && body.disc === 0) {
    if (b.length !== 1 || b[0].x !== 0n || b[0].y !== 0n) return 'the part of a point is [0, 0]';
  } else {
    if (!isConvexRing(b)) return 'the part of the body is not convex';
    if ('disc' in body ? !isInDisc(b, body.disc, [0, 0]) : !isPartOf(b, body.polygon))
      return 'the part does not lie in the body';
  }
  return { side: (p) => sideOfSum(a, b, p), isOpen: problem.touching === 'free' };
}

/** Whether a ring is convex and lies in an obstacle, or in a polygon of a body. */
export function isConvexPartOf(ring: unknown, shape: PlaneObstacle): boolean {
  const part = readRing(ring);
  return part !== null && isConvexRing(part) && isInShape(part, shape);
}

function isInShape(part: readonly Exact[], shape: PlaneObstacle): boolean {
  if ('disc' in shape) return isInDisc(part, shape.disc, shape.at);
  if ('polygon' in shape) return isPartOf(part, shape.polygon);
  // The box around the part, a little larger: halved until intervals say that all of it is in.
  const xs = part.map(({ x, w }) => ratioToNumber(x, w));
  const ys = part.map(({ y, w }) => ratioToNumber(y, w));
  return isBoxInImplicit(shape.implicit, [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]);
}

function compareCoordinate(value: bigint, w: bigint, bound: number): number {
  const b = fromPair([bound, 0]);
  return compare(value, w, b.x, b.w);
}

const refuse = (reason: string): SeparationVerdict => ({ accepted: false, reason });

/** Whether a chain proves that no path leads from start to goal. */
export function verifySeparation(problem: PlaneProblem, separation: Separation): SeparationVerdict {
  requireProblem('verifySeparation', 'problem', problem);
  requireList('verifySeparation', 'separation', separation);
  if (separation.length < 3) return refuse('a chain has three links or more');
  const loop: Exact[] = [];
  const links: { forbidden: Forbidden; inside: Exact; contact: Exact }[] = [];
  for (const [i, link] of separation.entries()) {
    if (!isRecord(link)) return refuse(`link ${i} is no object`);
    const forbidden = readForbidden(problem, link);
    if (typeof forbidden === 'string') return refuse(`link ${i}: ${forbidden}`);
    const inside = readPoint(link.inside);
    const contact = readPoint(link.contact);
    if (inside === null || contact === null) return refuse(`link ${i}: its points are no coordinates`);
    links.push({ forbidden, inside, contact });
    loop.push(inside, contact);
  }
  for (const [i, { forbidden, inside, contact }] of links.entries()) {
    const next = links[(i + 1) % links.length].forbidden;
    if (forbidden.side(inside) <= 0) return refuse(`link ${i}: its inner point is not inside`);
    const here = forbidden.side(contact);
    const there = next.side(contact);
    if (here < 0 || there < 0) return refuse(`link ${i}: its contact is not in both`);
    const isForbidden = here > 0 || there > 0 || !forbidden.isOpen || !next.isOpen;
    if (!isForbidden) return refuse(`link ${i}: its contact is free`);
  }
  const start = locate([loop], fromPair(problem.start));
  const goal = locate([loop], fromPair(problem.goal));
  if (start === 0 || goal === 0) return refuse('start or goal lies on the chain');
  return start !== goal ? { accepted: true, reason: '' } : refuse('start and goal lie on one side of the chain');
}
