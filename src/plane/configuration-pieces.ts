/**
 * The forbidden places of a body as convex pieces: sums of convex parts of obstacles and of the mirrored body, K + (-R).
 *
 * Discs are polygons around them (`outer`: what is free is free) or inside them (`inner`: what is forbidden is forbidden);
 * without discs both are the same pieces.
 *
 * A point among obstacles that may be touched needs care: the open parts of a polygon leave out the seams between them, which are
 * inside the obstacle. Each seam is covered by a small quadrangle in the two triangles beside it. A body with an inside
 * covers them by itself.
 *
 * Source: T. Lozano-Perez, "Spatial planning: a configuration space approach", IEEE Transactions on Computers C-32, 1983,
 * doi:10.1109/TC.1983.1676196. Tested by region.test.ts.
 */
import { findConvexHull } from './convex-hull.js';
import { type ConvexPart, findConvexParts, type Seam } from './convex-parts.js';
import { flattenDisc } from './disc.js';
import { createExactPoint, createMeanPoint, type ExactPoint, orientPoints } from './exact-point.js';
import { coverImplicit } from './implicit-cells.js';
import { createOutside, createPiece, createSumPiece, type Piece } from './pieces.js';
import type { PlanePoint, Polygon } from './polygon.js';
import type { PlaneObstacle, PlaneScene } from './problem.js';

export interface ConfigurationPieces {
  /** The forbidden places are within these. */
  readonly outer: readonly Piece[];
  /** These are within the forbidden places; the same as `outer` where no disc was flattened. */
  readonly inner: readonly Piece[];
  /** How far the outer pieces may reach beyond the inner ones, metres. */
  readonly width: number;
}

/** Convex parts of a shape: parts around it, parts inside it, how far these may be apart. */
export interface Parts {
  readonly outer: readonly ConvexPart[];
  /** Null where nothing of the outer part is certain. */
  readonly inner: readonly (ConvexPart | null)[];
  readonly width: number;
}

/**
 * `sides` is the number of sides that discs get at least. With `grown` above 0 the body is larger by a disc of that radius or more,
 * and pieces are open: what they leave free keeps that distance, so it is free without touching too.
 */
export function createConfigurationPieces(
  problem: PlaneScene,
  sides: number,
  grown = 0,
  exactly: readonly PlanePoint[] = [],
): ConfigurationPieces {
  const { body, obstacles, bounds, touching } = problem;
  const isOpen = touching === 'free' || grown > 0;
  const isPoint = 'disc' in body && body.disc === 0;
  const directions = listDirections(problem);
  const own: Parts = isPoint
    ? { outer: [[[0, 0]]], inner: [[[0, 0]]], width: 0 }
    : 'disc' in body
      ? listDisc(body.disc, [0, 0], sides, directions)
      : listPolygon(body.polygon);
  const bodyParts = grown > 0 ? { ...own, outer: own.outer.map((part) => growPart(part, grown, exactly)) } : own;
  const reach = growBounds(bounds, bodyParts.outer);
  const outer: Piece[] = [];
  const inner: (Piece | null)[] = [];
  let width = 0;
  const isFlattened = 'disc' in body ? !isPoint : false;
  for (const [index, obstacle] of obstacles.entries()) {
    let parts: Parts;
    if (!('polygon' in obstacle)) parts = listObstacleParts(obstacle, sides, directions, reach);
    else {
      const { parts: convex, seams } = findConvexParts(obstacle.polygon);
      parts = { outer: convex, inner: convex, width: 0 };
      if (isPoint && isOpen && grown === 0)
        for (const cover of seams.map(coverSeam)) {
          const piece = createPiece(cover, true, index, [cover, bodyParts.outer[0]]);
          outer.push(piece);
          inner.push(piece);
        }
    }
    width = Math.max(width, parts.width + bodyParts.width);
    const hasTwo = grown === 0 && (isFlattened || !('polygon' in obstacle));
    for (const [i, a] of parts.outer.entries())
      for (const [j, b] of bodyParts.outer.entries()) {
        const piece = createSumPiece(a, b, isOpen, index);
        outer.push(piece);
        const [innerA, innerB] = [parts.inner[i], bodyParts.inner[j]];
        if (innerA === null || innerB === null) inner.push(null);
        else inner.push(hasTwo ? createSumPiece(innerA, innerB, isOpen, index) : piece);
      }
  }
  const near = outer.flatMap((piece, i) => (meetsBounds(piece, bounds) ? [i] : []));
  const kept = near.map((i) => outer[i]);
  const outside = createOutside(bounds, kept);
  return {
    outer: [...kept, ...outside],
    inner:
      width > 0 ? [...near.map((i) => inner[i]).filter((piece) => piece !== null), ...outside] : [...kept, ...outside],
    width,
  };
}

/** The hull of the part's corners, each with a polygon around a disc. */
function growPart(part: ConvexPart, radius: number, directions: readonly PlanePoint[]): ConvexPart {
  const { outer } = flattenDisc(radius, GROWN_SIDES, directions);
  return findConvexHull(part.flatMap(([x, y]) => outer.map(([dx, dy]): PlanePoint => [x + dx, y + dy])));
}

const GROWN_SIDES = 32;

export function meetsBounds({ low, high }: Piece, [x0, y0, x1, y1]: PlaneScene['bounds']): boolean {
  return low[0] <= x1 && high[0] >= x0 && low[1] <= y1 && high[1] >= y0;
}

/** Bounds of the places that the body's points may be at. */
export function growBounds([x0, y0, x1, y1]: PlaneScene['bounds'], body: readonly ConvexPart[]): PlaneScene['bounds'] {
  const points = body.flat();
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return [x0 + Math.min(...xs), y0 + Math.min(...ys), x1 + Math.max(...xs), y1 + Math.max(...ys)];
}

/** Parts of a side of the bounds that boxes of implicit obstacles have at least. */
const LEAST_BOX = 1 / 2048;

/**
 * Convex parts of an obstacle; `directions` as `listDirections` has them, `reach` where the body may be at all: implicit obstacles are
 * boxes there, whose sides are a `sides`-th of it.
 */
export function listObstacleParts(
  obstacle: PlaneObstacle,
  sides: number,
  directions: readonly PlanePoint[],
  reach: PlaneScene['bounds'],
): Parts {
  if ('implicit' in obstacle) {
    const size = Math.max(reach[2] - reach[0], reach[3] - reach[1]);
    const { inside, undecided, width } = coverImplicit(obstacle.implicit, reach, size * Math.max(1 / sides, LEAST_BOX));
    return { outer: [...inside, ...undecided], inner: [...inside, ...undecided.map(() => null)], width };
  }
  return 'disc' in obstacle ? listDisc(obstacle.disc, obstacle.at, sides, directions) : listPolygon(obstacle.polygon);
}

function listPolygon(polygon: Polygon): Parts {
  const { parts } = findConvexParts(polygon);
  return { outer: parts, inner: parts, width: 0 };
}

function listDisc(radius: number, [x, y]: PlanePoint, sides: number, directions: readonly PlanePoint[]): Parts {
  const { outer, inner, width } = flattenDisc(radius, sides, directions);
  if (x === 0 && y === 0) return { outer: [outer], inner: [inner], width };
  const moved = moveDisc(radius, [x, y], outer, inner);
  return { outer: [moved.outer], inner: [moved.inner], width: width + 8 * 2 ** -52 * (Math.abs(x) + Math.abs(y)) };
}

/** Rounding at a distant place may move corners to the wrong side of the circle: there they are moved away first. */
function moveDisc(radius: number, [x, y]: PlanePoint, outer: ConvexPart, inner: ConvexPart) {
  const off = 4 * 2 ** -52 * (Math.abs(x) + Math.abs(y) + radius);
  const move = (part: ConvexPart, scale: number): ConvexPart =>
    findConvexHull(part.map(([px, py]) => [px * scale + x, py * scale + y]));
  const isExact = (part: ConvexPart) =>
    part.every(([px, py]) => px + x - x === px && py + y - y === py && px + x - px === x && py + y - py === y);
  return {
    outer: isExact(outer) ? move(outer, 1) : move(outer, 1 + off / radius),
    inner: isExact(inner) ? move(inner, 1) : move(inner, Math.max(0.5, 1 - off / radius)),
  };
}

/** Normals of straight sides: discs are as wide as they are in these directions. */
export function listDirections({ body, obstacles }: PlaneScene): PlanePoint[] {
  const polygons = [body, ...obstacles].flatMap((shape) => ('polygon' in shape ? [shape.polygon] : []));
  const seen = new Map<string, PlanePoint>();
  for (const { outer, holes } of polygons)
    for (const ring of [outer, ...(holes ?? [])])
      for (const [i, [x, y]] of ring.entries()) {
        const [nx, ny] = ring[(i + 1) % ring.length];
        if (nx === x || ny === y) continue;
        const slope = (ny - y) / (nx - x);
        seen.set(slope.toPrecision(9), [y - ny, nx - x]);
        if (seen.size >= MOST_DIRECTIONS) return [...seen.values()];
      }
  return [...seen.values()];
}

const MOST_DIRECTIONS = 64;

/**
 * A quadrangle along a seam inside the two triangles beside it. Its corners off the seam are means with whole weights, known
 * exactly, so there is room for it however thin the triangles are.
 */
function coverSeam({ ends, apexes }: Seam): ExactPoint[] {
  const [a, b, c, d] = [...ends, ...apexes].map(([x, y]) => createExactPoint(x, y));
  for (let weight = 4n; ; weight *= 16n) {
    // The first apex lies left of a b, the second right of it.
    const left = createMeanPoint([a, b, c], [weight, weight, 1n]);
    const right = createMeanPoint([a, b, d], [weight, weight, 1n]);
    if (orientPoints(right, b, left) > 0 && orientPoints(left, a, right) > 0) return [a, right, b, left];
  }
}
