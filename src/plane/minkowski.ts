/**
 * Sums of polygons: where a translating body meets obstacles, K + (-R), and polygons grown or shrunk by a disc.
 *
 * Convex parts are summed in pairs (convex-sum.ts) and united by one arrangement (region.ts), so holes close and open
 * exactly where they do. As polygons the results are regularised: a slot of no width is closed here; whether the body passes it by
 * touching is what `planInPlane` answers.
 *
 * Source: T. Lozano-Perez, "Spatial planning: a configuration space approach", IEEE Transactions on Computers C-32, 1983,
 * doi:10.1109/TC.1983.1676196. Cost: the arrangement of all pairs of parts. Tested by region.test.ts.
 */
import { requirePositiveNumber } from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { buildArrangement, type Side } from './arrangement.js';
import { findConvexHull } from './convex-hull.js';
import { type ConvexPart, findConvexParts } from './convex-parts.js';
import { sumConvexParts } from './convex-sum.js';
import { type FlatDisc, flattenDisc } from './disc.js';
import { listSides, normalizeRings, type PlanePoint, type Polygon, ringSides } from './polygon.js';
import { type PlaneBody, requireBody, requireValidPolygon } from './problem.js';
import { type PlaneRegion, traceRegion } from './region.js';

/** Sides of a disc whose polygon is at most `width` off. */
export function flattenDiscWithin(radius: number, width: number): FlatDisc {
  for (let sides = 8; ; sides *= 2) {
    const flat = flattenDisc(radius, sides);
    if (flat.width <= width || sides >= 1 << 15) return flat;
  }
}

function requireValidPolygons(call: string, what: string, value: unknown): void {
  if (!Array.isArray(value))
    throw new MisuseError(`${call}: ${what}, got ${describeValue(value)}, expected a list of polygons`);
  for (const [i, polygon] of value.entries()) requireValidPolygon(call, `${what}[${i}]`, polygon);
}

function listBodyParts(body: PlaneBody, width: number): readonly ConvexPart[] {
  if ('polygon' in body) return findConvexParts(body.polygon).parts;
  return body.disc === 0 ? [[[0, 0]]] : [flattenDiscWithin(body.disc, width).outer];
}

/**
 * Places of a body's reference point at which it meets an obstacle. A disc is a polygon around it, at most `width` (default: a
 * thousandth of its radius) larger.
 */
export function sumObstacles(obstacles: readonly Polygon[], body: PlaneBody, width?: number): PlaneRegion {
  requireValidPolygons('sumObstacles', 'obstacles', obstacles);
  requireBody('sumObstacles', 'body', body);
  if (width !== undefined) requirePositiveNumber('sumObstacles', 'width', width);
  const radius = 'disc' in body ? body.disc : 0;
  if ('disc' in body && radius === 0) return uniteSides(obstacles.flatMap((p, i) => listSides(normalizeRings(p), i)));
  const bodyParts = listBodyParts(body, width ?? radius / 1000);
  const sides: Side[] = [];
  for (const obstacle of obstacles)
    for (const part of findConvexParts(obstacle).parts)
      for (const bodyPart of bodyParts) sides.push(...ringSides(sumConvexParts(part, bodyPart), 0));
  return uniteSides(sides);
}

function uniteSides(sides: readonly Side[]): PlaneRegion {
  return traceRegion(
    buildArrangement(sides),
    () => false,
    (isInside) => isInside,
  );
}

/**
 * A polygon grown by a disc of `radius`, or shrunk where it is below 0: what keeps that distance from the outside. Arcs become chords
 * and tangents that lie outside of the arc by at most `width`: a grown polygon is never too small, a shrunk one never too large.
 */
export function offsetPolygon(polygon: Polygon, radius: number, width?: number): PlaneRegion {
  requireValidPolygon('offsetPolygon', 'polygon', polygon);
  if (typeof radius !== 'number' || !Number.isFinite(radius) || radius === 0)
    throw new MisuseError(`offsetPolygon: radius, got ${describeValue(radius)}, expected a number other than 0`);
  if (width !== undefined) requirePositiveNumber('offsetPolygon', 'width', width);
  const size = Math.abs(radius);
  if (radius > 0) return sumObstacles([polygon], { disc: size }, width);
  const { outer: disc } = flattenDiscWithin(size, width ?? size / 1000);
  const normal = normalizeRings(polygon);
  const sides = listSides(normal, 0);
  for (const ring of [normal.outer, ...(normal.holes ?? [])])
    for (const [i, [x, y]] of ring.entries()) {
      const [nx, ny] = ring[(i + 1) % ring.length];
      // A side's band: what is nearer to it than the radius.
      const band = findConvexHull(
        disc.flatMap(([dx, dy]): PlanePoint[] => [
          [x + dx, y + dy],
          [nx + dx, ny + dy],
        ]),
      );
      sides.push(...listSides({ outer: band }, 1));
    }
  return traceRegion(
    buildArrangement(sides),
    (owner) => owner === 1,
    (isInside, isNear) => isInside && !isNear,
  );
}
