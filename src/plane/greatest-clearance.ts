/**
 * The greatest distance that a body can keep from all obstacles on some way from start to goal, and where it is kept: the gates.
 *
 * Forbidden places grow by discs until a closed chain of them parts start and goal (separation.ts says why a chain it is): pieces i and j meet when
 * the radius is half their distance, a piece and the outside of the bounds, which does not grow, at their distance. So links are added by
 * growing radius to a forest that knows the parity of each piece's walk across the segment from start to goal; the first odd closed walk is
 * the gate that shuts last, and half its width the answer. It is the dual of the medial axis: gates are where that is narrowest.
 *
 * Distances are doubles, off by some units in the last place; parities are exact. Source: notes on robotics, 6.2.3 (maximum-clearance roadmaps);
 * C. O'Dunlaing, C. K. Yap, "A retraction method for planning the motion of a disc", Journal of Algorithms 6, 1985, doi:10.1016/0196-6774(85)90021-5.
 *
 * Cost: O(p^2) boxes, O(corners^2) for each pair that is near enough. Tested by greatest-clearance.test.ts.
 */
import { hypot } from '../math/scalar.js';
import { createExactPoint, type ExactPoint } from './exact-point.js';
import type { Piece } from './pieces.js';
import type { PlanePoint } from './polygon.js';
import { crossesBetween, findMiddle } from './separation.js';
import { neverStop, type StopCheck } from './stop-check.js';

export interface GreatestClearance {
  /** Infinite where there is no obstacle. */
  readonly radius: number;
  /** Across the gates that are about as wide: a growth that is right in these directions fits through. */
  readonly directions: readonly PlanePoint[];
}

interface Near {
  readonly distance: number;
  readonly a: PlanePoint;
  readonly b: PlanePoint;
}

interface Link {
  readonly i: number;
  readonly j: number;
  /** At which both meet. */
  readonly radius: number;
  readonly near: Near;
}

/** Gates wider than the narrowest by this part need no direction of their own: polygons around discs are less too large. */
const ALIKE = 1.01;
const MOST_DIRECTIONS = 256;

/** `pieces`: forbidden places without growth, the strips outside of the bounds among them; start and goal are free. */
export function findGreatestClearance(
  pieces: readonly Piece[],
  start: ExactPoint,
  goal: ExactPoint,
  check: StopCheck = neverStop,
): GreatestClearance {
  const ends = [start, goal].flatMap((end) =>
    pieces.flatMap((piece) => (piece.obstacle < 0 ? [] : [nearest([end], piece.corners)])),
  );
  const limit = ends.reduce((least, { distance }) => Math.min(least, distance), Infinity);
  const links = listLinks(pieces, ALIKE * limit, check);
  links.sort((p, q) => p.radius - q.radius);
  const radius = Math.min(limit, findOddRadius(pieces, links, limit, start, goal));
  const directions: PlanePoint[] = [];
  const add = ({ a, b }: Near): void => {
    const direction: PlanePoint = [b[0] - a[0], b[1] - a[1]];
    if (directions.length < MOST_DIRECTIONS && (direction[0] !== 0 || direction[1] !== 0)) directions.push(direction);
  };
  for (const end of ends) if (end.distance <= ALIKE * radius) add(end);
  for (const { radius: own, near } of links) if (own >= radius * (1 - 1e-9) && own <= ALIKE * radius) add(near);
  return { radius, directions };
}

/** Pairs that meet at a radius up to `limit`; those that overlap meet at 0. */
function listLinks(pieces: readonly Piece[], limit: number, check: StopCheck): Link[] {
  const links: Link[] = [];
  const order = pieces.map((_, i) => i).sort((i, j) => pieces[i].low[0] - pieces[j].low[0] || i - j);
  let active: number[] = [];
  for (const i of order) {
    check();
    const p = pieces[i];
    active = active.filter((j) => p.low[0] - pieces[j].high[0] <= 2 * limit);
    for (const j of active) {
      const q = pieces[j];
      if (p.low[1] - q.high[1] > 2 * limit || q.low[1] - p.high[1] > 2 * limit) continue;
      const near = nearest(p.corners, q.corners);
      const radius = p.obstacle < 0 || q.obstacle < 0 ? near.distance : near.distance / 2;
      if (radius <= limit) links.push({ i, j, radius, near });
    }
    active.push(i);
  }
  return links;
}

/** Radius at which a closed walk becomes odd, infinite where none does up to `limit`. */
function findOddRadius(
  pieces: readonly Piece[],
  links: readonly Link[],
  limit: number,
  start: ExactPoint,
  goal: ExactPoint,
): number {
  const middles = pieces.map(findMiddle);
  const parent = pieces.map((_, i) => i);
  const parity = pieces.map(() => 0);
  const rootOf = (piece: number): [root: number, isOdd: number] => {
    let [at, odd] = [piece, 0];
    while (parent[at] !== at) {
      odd ^= parity[at];
      at = parent[at];
    }
    parent[piece] = at;
    if (at !== piece) parity[piece] = odd;
    return [at, odd];
  };
  for (const { i, j, radius, near } of links) {
    if (radius >= limit) return Infinity;
    const [a, b] = [createExactPoint(...near.a), createExactPoint(...near.b)];
    const way = [middles[i], a, b, middles[j]];
    let odd = 0;
    for (let k = 0; k < 3; k++) if (crossesBetween(start, goal, way[k], way[k + 1])) odd ^= 1;
    const [[rootI, oddI], [rootJ, oddJ]] = [rootOf(i), rootOf(j)];
    if (rootI !== rootJ) {
      parent[rootI] = rootJ;
      parity[rootI] = odd ^ oddI ^ oddJ;
    } else if ((odd ^ oddI ^ oddJ) === 1) return radius;
  }
  return Infinity;
}

/** Nearest points of two convex rings; a common one where they meet, and one that is in both where one holds the other. */
function nearest(p: readonly ExactPoint[], q: readonly ExactPoint[]): Near {
  const inner = commonPoint(p, q);
  if (inner !== null) return { distance: 0, a: inner, b: inner };
  let best: Near = { distance: Infinity, a: [0, 0], b: [0, 0] };
  for (const [from, to, isTurned] of [
    [p, q, false],
    [q, p, true],
  ] as const)
    for (const point of from)
      for (let k = 0; k < to.length; k++) {
        const foot = footOn(to[k], to[(k + 1) % to.length], point);
        const distance = hypot(point.x - foot[0], point.y - foot[1]);
        if (distance >= best.distance) continue;
        const own: PlanePoint = [point.x, point.y];
        best = isTurned ? { distance, a: foot, b: own } : { distance, a: own, b: foot };
      }
  return best;
}

function footOn(a: ExactPoint, b: ExactPoint, point: ExactPoint): PlanePoint {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const square = dx * dx + dy * dy;
  if (square === 0) return [a.x, a.y];
  const t = ((point.x - a.x) * dx + (point.y - a.y) * dy) / square;
  if (t <= 0) return [a.x, a.y];
  if (t >= 1) return [b.x, b.y];
  return [a.x + t * dx, a.y + t * dy];
}

/** A corner of the common part of two convex rings, in doubles; null where no such part shows. */
function commonPoint(p: readonly ExactPoint[], q: readonly ExactPoint[]): PlanePoint | null {
  if (p.length < 3 || q.length < 3) {
    const [point, ring] = p.length < 3 ? [p[0], q] : [q[0], p];
    return isWithin(ring, point) ? [point.x, point.y] : null;
  }
  for (const corner of p) if (isWithin(q, corner)) return [corner.x, corner.y];
  for (const corner of q) if (isWithin(p, corner)) return [corner.x, corner.y];
  for (let i = 0; i < p.length; i++)
    for (let j = 0; j < q.length; j++) {
      const [a, b, c, d] = [p[i], p[(i + 1) % p.length], q[j], q[(j + 1) % q.length]];
      const [u, v] = [turn(a, b, c), turn(a, b, d)];
      if (u > 0 === v > 0 || turn(c, d, a) > 0 === turn(c, d, b) > 0) continue;
      const t = u / (u - v);
      return [c.x + t * (d.x - c.x), c.y + t * (d.y - c.y)];
    }
  return null;
}

const turn = (a: ExactPoint, b: ExactPoint, c: ExactPoint): number =>
  (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);

function isWithin(ring: readonly ExactPoint[], point: ExactPoint): boolean {
  return ring.every((a, i) => turn(a, ring[(i + 1) % ring.length], point) >= 0);
}
