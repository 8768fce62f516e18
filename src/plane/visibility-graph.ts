/**
 * The visibility graph of what a body may reach: corners of forbidden places, and which see each other.
 *
 * Corners are vertices of the union of forbidden places within the bounds; two see each other where the segment between them enters no
 * forbidden inside. A segment that passes another corner may be left out: both halves are edges. Views go through trapezoids (visibility.ts);
 * where obstacles touch each other in points every pair is tested. Exact. Cost: what is seen; O(n^2) tests in that case.
 *
 * Source: T. Lozano-Perez, M. A. Wesley 1979, doi:10.1145/359156.359164. Tested by visibility.test.ts.
 */
import { requireFields } from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { createConfigurationPieces } from './configuration-pieces.js';
import {
  compareX,
  compareY,
  createExactPoint,
  createRationalPoint,
  type ExactPoint,
  isBetween,
  orientPoints,
} from './exact-point.js';
import { PieceGrid } from './piece-grid.js';
import { forbidsSegment } from './pieces.js';
import type { PlanePoint } from './polygon.js';
import { type PlaneScene, sceneFields } from './problem.js';
import { buildMap } from './trapezoid-map.js';
import { VisibilityView } from './visibility.js';

export interface VisibilityGraph {
  /** Rounded where corners are crossings or sums. */
  readonly places: readonly PlanePoint[];
  /** Two corners each, the lower number first. */
  readonly pairs: Int32Array;
  /** How much polygons of discs are larger than the discs, metres. */
  readonly width: number;
}

/** `count` is the number of sides that discs get at least: a multiple of 4, 16 unless said otherwise. */
export function createVisibilityGraph(scene: PlaneScene, count = 16): VisibilityGraph {
  requireFields('createVisibilityGraph', 'scene', scene, sceneFields);
  for (const key of ['body', 'obstacles', 'bounds'] as const)
    if (scene[key] === undefined)
      throw new MisuseError(`createVisibilityGraph: scene.${key}, got none, expected the scene to have one`);
  if (!Number.isInteger(count) || count < 4 || count % 4 !== 0 || count > 1 << 16)
    throw new MisuseError(
      `createVisibilityGraph: count, got ${describeValue(count)}, expected a multiple of 4 up to 65536`,
    );
  const { outer, width } = createConfigurationPieces({ ...scene, touching: 'free' }, count);
  const map = buildMap(outer);
  const { points } = map.arrangement;
  const [x0, y0, x1, y1] = scene.bounds;
  const [low, high] = [createExactPoint(x0, y0), createExactPoint(x1, y1)];
  const corners = points.flatMap((point, v) => (map.isVertexFree[v] && isWithin(low, high, point) ? [v] : []));
  const numberOf = new Int32Array(points.length).fill(-1);
  for (const [i, v] of corners.entries()) numberOf[v] = i;
  const view = new VisibilityView(map);
  const pairs: number[] = [];
  if (view.hasPinches) {
    const grid = new PieceGrid(outer, scene.bounds);
    for (const [i, v] of corners.entries())
      for (let j = i + 1; j < corners.length; j++) {
        const [p, q] = [points[v], points[corners[j]]];
        if (grid.some(p.x, p.y, q.x, q.y, (piece) => forbidsSegment(piece, p, q))) continue;
        if (!corners.some((w) => w !== v && w !== corners[j] && isOnSegment(p, q, points[w]))) pairs.push(i, j);
      }
  } else {
    const seenBy = new Int32Array(points.length).fill(-1);
    for (const [i, v] of corners.entries())
      view.visitRight(v, (w) => {
        if (numberOf[w] <= i || seenBy[w] === v) return;
        seenBy[w] = v;
        pairs.push(i, numberOf[w]);
      });
  }
  return { places: corners.map((v) => toPlace(points[v])), pairs: Int32Array.from(pairs), width };
}

/** Rounded once, from whole numbers. */
function toPlace(point: ExactPoint): PlanePoint {
  const { x, y } = point.error === 0 ? point : createRationalPoint(point.homogeneous);
  return [x, y];
}

function isWithin(low: ExactPoint, high: ExactPoint, point: ExactPoint): boolean {
  return (
    compareX(low, point) <= 0 && compareX(point, high) <= 0 && compareY(low, point) <= 0 && compareY(point, high) <= 0
  );
}

function isOnSegment(p: ExactPoint, q: ExactPoint, point: ExactPoint): boolean {
  return orientPoints(p, q, point) === 0 && isBetween(p, q, point);
}
