/**
 * Polygons with holes, as data, and what is asked of one: whether it is valid, its area, where a point lies.
 *
 * A polygon is valid when its sides cover the plane 0 or 1 times everywhere and no two of them overlap: rings may touch each
 * other, and themselves, in single points. Points are `[x, y]` in metres; rings are not closed by a repeated point, and may run
 * either way round. Every answer but the area is exact. Tested by region.test.ts.
 */
import { orient2d } from 'robust-predicates';
import { describeValue, isRecord } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { buildArrangement, type Side } from './arrangement.js';
import { createExactPoint, type ExactPoint, isBetween, orientPoints } from './exact-point.js';

export type PlanePoint = readonly [number, number];

export interface Polygon {
  readonly outer: readonly PlanePoint[];
  readonly holes?: readonly (readonly PlanePoint[])[];
}

export type PolygonFault = 'too-few-points' | 'no-area' | 'sides-cross' | 'sides-overlap' | 'hole-outside';

export interface PolygonIssue {
  readonly fault: PolygonFault;
  /** 0 is the outer ring, holes follow; -1 where several are at fault. */
  readonly ring: number;
  readonly message: string;
}

/** Coordinates lie within this, and are 0 or at least `LEAST_COORDINATE`: then no product of differences is lost. */
const MOST_COORDINATE = 1e15;
const LEAST_COORDINATE = 1e-100;

export function isPlaneCoordinate(value: unknown): value is number {
  if (typeof value !== 'number') return false;
  const size = Math.abs(value);
  return size <= MOST_COORDINATE && (size === 0 || size >= LEAST_COORDINATE);
}

export function requirePlanePoint(call: string, what: string, value: unknown): void {
  if (Array.isArray(value) && value.length === 2 && value.every(isPlaneCoordinate)) return;
  throw new MisuseError(`${call}: ${what}, got ${describeValue(value)}, expected [x, y] within +-1e15`);
}

export function requireRing(call: string, what: string, value: unknown): void {
  if (!Array.isArray(value) || value.length < 3)
    throw new MisuseError(`${call}: ${what}, got ${describeValue(value)}, expected a list of three points or more`);
  for (const [i, point] of value.entries()) requirePlanePoint(call, `${what}[${i}]`, point);
}

/** Looks at the numbers of a polygon; whether its rings cross is what `validatePolygon` says. */
export function requirePolygonData(call: string, what: string, value: unknown): void {
  if (!isRecord(value))
    throw new MisuseError(`${call}: ${what}, got ${describeValue(value)}, expected { outer, holes? }`);
  const { outer, holes } = value as Partial<Polygon>;
  requireRing(call, `${what}.outer`, outer);
  if (holes === undefined) return;
  if (!Array.isArray(holes))
    throw new MisuseError(`${call}: ${what}.holes, got ${describeValue(holes)}, expected a list of rings`);
  for (const [i, hole] of holes.entries()) requireRing(call, `${what}.holes[${i}]`, hole);
}

function listRings(polygon: Polygon): (readonly PlanePoint[])[] {
  return [polygon.outer, ...(polygon.holes ?? [])];
}

/** Without points that repeat the one before. */
function dropRepeated(ring: readonly PlanePoint[]): PlanePoint[] {
  return ring.filter(([x, y], i) => {
    const [px, py] = ring[(i + ring.length - 1) % ring.length];
    return ring.length === 1 || x !== px || y !== py;
  });
}

/** Twice the signed area, by doubles. */
function doubleArea(ring: readonly PlanePoint[]): number {
  if (ring.length === 0) return 0;
  const [x0, y0] = ring[0];
  let sum = 0;
  for (let i = 1; i + 1 < ring.length; i++)
    sum += (ring[i][0] - x0) * (ring[i + 1][1] - y0) - (ring[i + 1][0] - x0) * (ring[i][1] - y0);
  return sum;
}

/** 1 for a ring that runs counter-clockwise, -1 clockwise: the turn at its lowest point, exactly; 0 without area. */
export function orientRing(ring: readonly PlanePoint[]): number {
  const points = dropRepeated(ring).map(([x, y]) => createExactPoint(x, y));
  const n = points.length;
  if (n < 3) return 0;
  // At an extreme point that is passed several times any pass may be a spike; the ring's own turn is that of the widest.
  let turn = 0;
  let lowest = 0;
  for (let i = 1; i < n; i++) {
    const p = points[i];
    const q = points[lowest];
    if (p.x < q.x || (p.x === q.x && p.y < q.y)) lowest = i;
  }
  for (let i = 0; i < n && turn === 0; i++)
    if (points[i].x === points[lowest].x && points[i].y === points[lowest].y)
      turn = orientPoints(points[(i + n - 1) % n], points[i], points[(i + 1) % n]);
  return turn;
}

/** Signed positive area of the outer ring without its holes, m^2. */
export function polygonArea(polygon: Polygon): number {
  requirePolygonData('polygonArea', 'polygon', polygon);
  const [outer, ...holes] = listRings(polygon).map((ring) => Math.abs(doubleArea(ring)) / 2);
  return holes.reduce((area, hole) => area - hole, outer);
}

/** Outer ring counter-clockwise, holes clockwise, repeated points dropped. */
export function normalizePolygon(polygon: Polygon): Polygon {
  requirePolygonData('normalizePolygon', 'polygon', polygon);
  return normalizeRings(polygon);
}

export function normalizeRings(polygon: Polygon): Polygon {
  const turn = (ring: readonly PlanePoint[], way: number): PlanePoint[] => {
    const points = dropRepeated(ring);
    return orientRing(points) === -way ? points.reverse() : points;
  };
  return { outer: turn(polygon.outer, 1), holes: (polygon.holes ?? []).map((hole) => turn(hole, -1)) };
}

/** Sides of a polygon whose rings run as `normalizePolygon` leaves them. */
export function listSides(polygon: Polygon, owner: number): Side[] {
  return listRings(polygon).flatMap((ring) =>
    ringSides(
      ring.map(([x, y]) => createExactPoint(x, y)),
      owner,
    ),
  );
}

export function ringSides(points: readonly ExactPoint[], owner: number): Side[] {
  return points.map((a, i) => ({ a, b: points[(i + 1) % points.length], owner }));
}

/** One ring that turns one way at every corner, and goes once around: once to the right and once to the left. */
function isPlainlyConvex({ outer, holes }: Polygon): boolean {
  if ((holes?.length ?? 0) > 0) return false;
  const n = outer.length;
  let way = 0;
  let changes = 0;
  for (let i = 0; i < n; i++) {
    const [ax, ay] = outer[i];
    const [bx, by] = outer[(i + 1) % n];
    const [cx, cy] = outer[(i + 2) % n];
    const turn = orient2d(ax, ay, bx, by, cx, cy);
    if (turn === 0 || (way !== 0 && turn > 0 !== way > 0)) return false;
    way = turn;
    // Upright sides count with those that go left.
    if (bx > ax !== cx > bx) changes++;
  }
  return changes === 2;
}

/** What is wrong with a polygon; empty when it is valid. */
export function validatePolygon(polygon: Polygon): PolygonIssue[] {
  requirePolygonData('validatePolygon', 'polygon', polygon);
  const issues: PolygonIssue[] = [];
  for (const [ring, points] of listRings(polygon).entries()) {
    const name = ring === 0 ? 'the outer ring' : `hole ${ring}`;
    const kept = dropRepeated(points);
    if (kept.length < 3)
      issues.push({ fault: 'too-few-points', ring, message: `${name} has fewer than three different points in a row` });
    else if (orientRing(kept) === 0) issues.push({ fault: 'no-area', ring, message: `${name} has no area` });
  }
  if (issues.length > 0 || isPlainlyConvex(polygon)) return issues;
  const sides = listSides(normalizeRings(polygon), 0);
  const { edgeCount, edgeStarts, depthAbove, depthBelow, edgeEnds, points } = buildArrangement(sides);
  for (let e = 0; e < edgeCount; e++) {
    const p = points[edgeEnds[2 * e]];
    if (edgeStarts[e + 1] - edgeStarts[e] !== 1)
      return [{ fault: 'sides-overlap', ring: -1, message: `two sides lie on each other near [${p.x}, ${p.y}]` }];
    const low = Math.min(depthAbove[e], depthBelow[e]);
    const high = Math.max(depthAbove[e], depthBelow[e]);
    if (low >= 0 && high <= 1) continue;
    const where = `near [${p.x}, ${p.y}]`;
    const isHole = (polygon.holes?.length ?? 0) > 0 && low < 0 && edgeCount === sides.length;
    return [
      isHole
        ? { fault: 'hole-outside', ring: -1, message: `a hole lies outside the outer ring or in another hole ${where}` }
        : { fault: 'sides-cross', ring: -1, message: `sides cross, or rings lie in each other, ${where}` },
    ];
  }
  return [];
}

export type PlaneLocation = 'inside' | 'boundary' | 'outside';

/** Where a point lies, exactly; the polygon must be valid. */
export function locatePoint(polygon: Polygon, point: PlanePoint): PlaneLocation {
  requirePolygonData('locatePoint', 'polygon', polygon);
  requirePlanePoint('locatePoint', 'point', point);
  return locateInRings(
    listRings(polygon).map((ring) => ring.map(([x, y]) => createExactPoint(x, y))),
    createExactPoint(point[0], point[1]),
  );
}

/** By how often a ray to the right crosses the rings (even-odd). */
export function locateInRings(rings: readonly (readonly ExactPoint[])[], point: ExactPoint): PlaneLocation {
  let isInside = false;
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i++) {
      const a = ring[i];
      const b = ring[(i + 1) % ring.length];
      const turn = orientPoints(a, b, point);
      if (turn === 0 && isBetween(a, b, point)) return 'boundary';
      const aboveA = isAbove(a, point);
      const aboveB = isAbove(b, point);
      if (aboveA !== aboveB && turn > 0 === aboveB) isInside = !isInside;
    }
  }
  return isInside ? 'inside' : 'outside';
}

function isAbove(a: ExactPoint, point: ExactPoint): boolean {
  if (a.error === 0 && point.error === 0) return a.y > point.y;
  if (Math.abs(a.y - point.y) > 2 * (a.error + point.error)) return a.y > point.y;
  const p = a.homogeneous;
  const q = point.homogeneous;
  return p.y * q.w > q.y * p.w;
}
