/**
 * The shortest path of a point among open convex pieces: it may slide along them.
 *
 * 1. A shortest path turns at corners of pieces that no other piece covers, and around them: a segment that meets a corner and
 *    would enter its piece if prolonged is on no shortest path. The graph of the others is the reduced visibility graph.
 * 2. It is searched by A* with the straight distance; what a corner sees is found out when it is first reached.
 * 3. What a corner sees is found through the trapezoid map (visibility.ts); where obstacles touch in points, by a test of each
 *    segment against the pieces near it. Predicates are exact.
 *
 * Complete: start and goal are connected in the graph exactly if they are in what no piece covers.
 *
 * Source: T. Lozano-Perez, M. A. Wesley, "An algorithm for planning collision-free paths among polyhedral obstacles",
 * Communications of the ACM 22, 1979, doi:10.1145/359156.359164; de Berg et al., "Computational Geometry", 2008, chapter 15.
 *
 * Lengths are doubles: the path is a shortest one up to rounding of its length. Cost: what the corners see, O(n^2) in the
 * worst case.
 * Tested by shortest-path.test.ts.
 */
import { hypot } from '../math/scalar.js';
import { comparePoints, type ExactPoint, orientPoints } from './exact-point.js';
import { PieceGrid } from './piece-grid.js';
import { forbidsPoint, forbidsSegment, type Piece, type PlaneBounds } from './pieces.js';
import { NodeQueue } from './roadmap.js';
import { neverStop, type StopCheck } from './stop-check.js';
import { buildMap, type TrapezoidMap } from './trapezoid-map.js';
import { listTurnCorners, VisibilityView } from './visibility.js';

interface Corner {
  readonly point: ExactPoint;
  readonly before: ExactPoint | null;
  readonly after: ExactPoint | null;
}

export interface ShortestPath {
  readonly points: readonly ExactPoint[];
  readonly length: number;
  /** Segments that were looked at. */
  readonly segmentTests: number;
}

/** The corners where a shortest path may turn, after start and goal. */
function listCorners(
  pieces: readonly Piece[],
  grid: PieceGrid,
  [x0, y0, x1, y1]: PlaneBounds,
  start: ExactPoint,
  goal: ExactPoint,
): Corner[] {
  const corners: Corner[] = [
    { point: start, before: null, after: null },
    { point: goal, before: null, after: null },
  ];
  for (const piece of pieces) {
    const n = piece.corners.length;
    for (const [i, point] of piece.corners.entries()) {
      const { x, y } = point;
      const slack = 2 * point.error;
      if (x < x0 - slack || x > x1 + slack || y < y0 - slack || y > y1 + slack) continue;
      if (grid.some(x, y, x, y, (other) => other !== piece && forbidsPoint(other, point))) continue;
      corners.push({ point, before: piece.corners[(i + n - 1) % n], after: piece.corners[(i + 1) % n] });
    }
  }
  return corners;
}

/** Whether the line from `from` to the corner passes the corner's piece without entering it. */
function isTangent({ point, before, after }: Corner, from: ExactPoint): boolean {
  if (before === null || after === null) return true;
  return orientPoints(from, point, before) * orientPoints(from, point, after) >= 0;
}

const toOpen = (pieces: readonly Piece[]) => pieces.map((piece) => (piece.isOpen ? piece : { ...piece, isOpen: true }));

const distance = (a: ExactPoint, b: ExactPoint) => hypot(a.x - b.x, a.y - b.y);

/** Start and goal must not be covered; pieces are taken as open. Null where there is no path. */
export function findShortestPath(
  pieces: readonly Piece[],
  bounds: PlaneBounds,
  start: ExactPoint,
  goal: ExactPoint,
  check: StopCheck = neverStop,
): ShortestPath | null {
  const map = buildMap(toOpen(pieces), [start, goal], check);
  const view = new VisibilityView(map);
  // Where obstacles touch in points the view through trapezoids may miss a way between them.
  if (view.hasPinches) return searchAllCorners(pieces, bounds, start, goal, check);
  return searchViews(map, view, check);
}

/** By what corners see through trapezoids (visibility.ts). */
function searchViews(map: TrapezoidMap, view: VisibilityView, check: StopCheck): ShortestPath | null {
  const { points, placed } = map.arrangement;
  const [first, last] = placed;
  const corners = new Map(listTurnCorners(map).map((corner) => [corner.vertex, corner]));
  const cost = new Float64Array(points.length).fill(Infinity);
  const order = new Float64Array(points.length).fill(Infinity);
  const came = new Int32Array(points.length).fill(-1);
  const isDone = new Uint8Array(points.length);
  const queue = new NodeQueue(order);
  let segmentTests = 0;
  cost[first] = 0;
  order[first] = distance(points[first], points[last]);
  queue.push(first);
  while (!queue.isEmpty) {
    const n = queue.pop();
    if (isDone[n]) continue;
    isDone[n] = 1;
    check();
    if (n === last) break;
    const from = points[n];
    const own = n === first ? undefined : corners.get(n);
    view.visit(n, (m) => {
      segmentTests++;
      if (isDone[m]) return;
      const corner = m === last ? undefined : corners.get(m);
      if (m !== last && corner === undefined) return;
      const c = cost[n] + distance(from, points[m]);
      if (c >= cost[m]) return;
      if (corner !== undefined && !isTangent({ point: points[m], ...corner }, from)) return;
      if (own !== undefined && !isTangent({ point: from, ...own }, points[m])) return;
      cost[m] = c;
      order[m] = c + distance(points[m], points[last]);
      came[m] = n;
      queue.push(m);
    });
  }
  if (cost[last] === Infinity) return null;
  const path: ExactPoint[] = [];
  for (let n = last; n >= 0; n = came[n]) path.push(points[n]);
  if (path.length === 1) path.push(path[0]);
  return { points: path.reverse(), length: cost[last], segmentTests };
}

/** By every pair of corners: complete where obstacles touch in points too. */
export function searchAllCorners(
  pieces: readonly Piece[],
  bounds: PlaneBounds,
  start: ExactPoint,
  goal: ExactPoint,
  check: StopCheck = neverStop,
): ShortestPath | null {
  const open = toOpen(pieces);
  const grid = new PieceGrid(open, bounds);
  const corners = listCorners(open, grid, bounds, start, goal);
  const count = corners.length;
  const cost = new Float64Array(count).fill(Infinity);
  const order = new Float64Array(count).fill(Infinity);
  const came = new Int32Array(count).fill(-1);
  const isDone = new Uint8Array(count);
  const queue = new NodeQueue(order);
  let segmentTests = 0;
  cost[0] = 0;
  order[0] = distance(start, goal);
  queue.push(0);
  while (!queue.isEmpty) {
    const n = queue.pop();
    if (isDone[n]) continue;
    isDone[n] = 1;
    check();
    if (n === 1) break;
    const from = corners[n];
    for (let m = 1; m < count; m++) {
      if (isDone[m]) continue;
      const to = corners[m];
      const c = cost[n] + distance(from.point, to.point);
      if (c >= cost[m] || !isTangent(to, from.point) || !isTangent(from, to.point)) continue;
      segmentTests++;
      const p = from.point;
      const q = to.point;
      if (comparePoints(p, q) !== 0 && grid.some(p.x, p.y, q.x, q.y, (piece) => forbidsSegment(piece, p, q))) continue;
      cost[m] = c;
      order[m] = c + distance(q, goal);
      came[m] = n;
      queue.push(m);
    }
  }
  if (cost[1] === Infinity) return null;
  const points: ExactPoint[] = [];
  for (let n = 1; n >= 0; n = came[n]) {
    if (points.length === 0 || comparePoints(points[points.length - 1], corners[n].point) !== 0)
      points.push(corners[n].point);
  }
  if (points.length === 1) points.push(points[0]);
  return { points: points.reverse(), length: cost[1], segmentTests };
}
