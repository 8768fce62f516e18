/**
 * Why there is no way: a closed chain of obstacles that winds around one of start and goal and not around the other.
 *
 * 1. Two pieces are linked where they overlap, or touch and one of them forbids its boundary; a link is a point in both.
 * 2. A walk from the middle of one piece over a link to the middle of another stays forbidden, for pieces are convex. It is
 *    odd if it crosses the segment from start to goal once.
 * 3. An odd closed walk is searched by breadth in the double cover (piece, parity). It crosses the segment an odd number of
 *    times, so start and goal are on different sides of it, and no path leads from one to the other.
 *
 * Complete: where start and goal are apart there is such a chain, because loops in a union of convex pieces are made of walks
 * over links, and a loop of forbidden points separates what a union of finitely many pieces separates (Alexander duality).
 * So this decides by itself, without the arrangement; the two are compared in tests. verify-separation.ts checks a chain with
 * arithmetic of its own.
 *
 * Cost: O(p^2) boxes in the worst case, O(corners^2) for each pair that is tested. Tested by separation.test.ts.
 */
import { createExactPoint, createLineCrossing, createMeanPoint, type ExactPoint, orientPoints } from './exact-point.js';
import { type Piece, sidePoint } from './pieces.js';
import { neverStop, type StopCheck } from './stop-check.js';

export interface ChainLink {
  readonly piece: number;
  /** In the inside of the piece. */
  readonly inside: ExactPoint;
  /** In this piece and the next. */
  readonly contact: ExactPoint;
}

interface Link {
  readonly to: number;
  readonly contact: ExactPoint;
  readonly isOdd: boolean;
}

/** At most this many pieces are tried as the first of the chain: the least chain of these is returned. */
const MOST_ROOTS = 64;

/** A closed chain between start and goal, both free; null where there is none. */
export function findSeparation(
  pieces: readonly Piece[],
  start: ExactPoint,
  goal: ExactPoint,
  check: StopCheck = neverStop,
): ChainLink[] | null {
  const middles = pieces.map(findMiddle);
  const links = findLinks(pieces, middles, start, goal, check);
  let best: { root: number; steps: Step[] } | null = null;
  let tried = 0;
  for (let root = 0; root < pieces.length && tried < MOST_ROOTS; root++) {
    if (!links[root].some((link) => link.isOdd)) continue;
    check();
    const steps = searchOddWalk(links, root, best === null ? Infinity : best.steps.length);
    if (steps === null) continue;
    tried++;
    best = { root, steps };
  }
  if (best === null) return null;
  let piece = best.root;
  return best.steps.map(({ link }) => {
    const made = { piece, inside: middles[piece], contact: link.contact };
    piece = link.to;
    return made;
  });
}

interface Step {
  readonly link: Link;
}

function searchOddWalk(links: readonly (readonly Link[])[], root: number, limit: number): Step[] | null {
  const from = new Map<number, { before: number; link: Link }>();
  let layer = [2 * root];
  const seen = new Set(layer);
  for (let depth = 1; layer.length > 0 && depth < limit; depth++) {
    const next: number[] = [];
    for (const state of layer) {
      for (const link of links[state >> 1]) {
        const reached = 2 * link.to + ((state & 1) ^ (link.isOdd ? 1 : 0));
        if (seen.has(reached)) continue;
        seen.add(reached);
        from.set(reached, { before: state, link });
        if (reached === 2 * root + 1) return traceSteps(from, reached);
        next.push(reached);
      }
    }
    layer = next;
  }
  return null;
}

function traceSteps(from: ReadonlyMap<number, { before: number; link: Link }>, end: number): Step[] {
  const steps: Step[] = [];
  for (let at = from.get(end); at !== undefined; at = from.get(at.before)) steps.push({ link: at.link });
  return steps.reverse();
}

/** A point in the inside of a piece. */
export function findMiddle({ corners }: Piece): ExactPoint {
  const third = Math.floor(corners.length / 3);
  return settle([corners[0], corners[third], corners[2 * third]], (point) =>
    corners.every((a, i) => orientPoints(a, corners[(i + 1) % corners.length], point) > 0),
  );
}

/** The mean of three points that are not on one line: as doubles where these do. */
function settle(points: readonly ExactPoint[], isRight: (point: ExactPoint) => boolean): ExactPoint {
  let x = 0;
  let y = 0;
  for (const point of points) {
    x += point.x / points.length;
    y += point.y / points.length;
  }
  const rounded = createExactPoint(x, y);
  return isRight(rounded) ? rounded : createMeanPoint(points);
}

function findLinks(
  pieces: readonly Piece[],
  middles: readonly ExactPoint[],
  start: ExactPoint,
  goal: ExactPoint,
  check: StopCheck,
): Link[][] {
  const links: Link[][] = pieces.map(() => []);
  const order = pieces.map((_, i) => i).sort((i, j) => pieces[i].low[0] - pieces[j].low[0] || i - j);
  let active: number[] = [];
  for (const i of order) {
    check();
    const p = pieces[i];
    active = active.filter((j) => pieces[j].high[0] >= p.low[0]);
    for (const j of active) {
      const q = pieces[j];
      if (q.high[1] < p.low[1] || q.low[1] > p.high[1] || !arePiecesLinked(p, q)) continue;
      const contact = findContact(p, q);
      const isOdd =
        crossesBetween(start, goal, middles[i], contact) !== crossesBetween(start, goal, contact, middles[j]);
      links[i].push({ to: j, contact, isOdd });
      links[j].push({ to: i, contact, isOdd });
    }
    active.push(i);
  }
  return links;
}

/** Whether two pieces have a point in common, that one of them forbids. */
export function arePiecesLinked(p: Piece, q: Piece): boolean {
  const apart = p.isOpen && q.isOpen ? 0 : -1;
  return !isSeparatedBySide(p.corners, q.corners, apart) && !isSeparatedBySide(q.corners, p.corners, apart);
}

function isSeparatedBySide(p: readonly ExactPoint[], q: readonly ExactPoint[], apart: number): boolean {
  for (let i = 0; i < p.length; i++) {
    const a = p[i];
    const b = p[i + 1 === p.length ? 0 : i + 1];
    let k = 0;
    while (k < q.length && orientPoints(a, b, q[k]) <= apart) k++;
    if (k === q.length) return true;
  }
  return false;
}

/** A point of both pieces: of both insides where both are open. */
function findContact(p: Piece, q: Piece): ExactPoint {
  const isStrict = p.isOpen && q.isOpen;
  const common: ExactPoint[] = [];
  for (const corner of p.corners) if (sidePoint(q, corner) >= 0) common.push(corner);
  for (const corner of q.corners) if (sidePoint(p, corner) >= 0) common.push(corner);
  if (!isStrict && common.length > 0) return common.find((point) => point.error === 0) ?? common[0];
  for (let i = 0; i < p.corners.length; i++) {
    const a = p.corners[i];
    const b = p.corners[(i + 1) % p.corners.length];
    for (let j = 0; j < q.corners.length; j++) {
      const c = q.corners[j];
      const d = q.corners[(j + 1) % q.corners.length];
      if (orientPoints(a, b, c) * orientPoints(a, b, d) < 0 && orientPoints(c, d, a) * orientPoints(c, d, b) < 0)
        common.push(createLineCrossing(a, b, c, d));
    }
  }
  if (!isStrict) return common[0];
  // Corners of the common part, which has an inside: any three that are not on one line have their mean in it.
  const isRight = (point: ExactPoint) => sidePoint(p, point) > 0 && sidePoint(q, point) > 0;
  const first = common[0];
  let second = common[0];
  for (const point of common)
    if (
      Math.abs(point.x - first.x) + Math.abs(point.y - first.y) >
      Math.abs(second.x - first.x) + Math.abs(second.y - first.y)
    )
      second = point;
  const third = common.find((point) => orientPoints(first, second, point) !== 0);
  if (third !== undefined) return settle([first, second, third], isRight);
  for (const b of common)
    for (const c of common) if (orientPoints(first, b, c) !== 0) return settle([first, b, c], isRight);
  throw new Error('findContact: two pieces overlap in no area, which their sides deny');
}

/** Whether the segment p q crosses the segment from start to goal; points on its line count as left of it. */
export function crossesBetween(start: ExactPoint, goal: ExactPoint, p: ExactPoint, q: ExactPoint): boolean {
  if (orientPoints(start, goal, p) >= 0 === orientPoints(start, goal, q) >= 0) return false;
  return orientPoints(p, q, start) * orientPoints(p, q, goal) < 0;
}
