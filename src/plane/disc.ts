/**
 * Discs as convex polygons: one that contains the disc and one that the disc contains, both within a width of it.
 *
 * Tangents touch the circle in directions that are spread evenly, and in those that are asked for: a disc that moves between
 * parallel walls is then as wide as its polygons are, up to rounding. The four axis directions are exact. That one polygon contains
 * the disc and the other is contained is checked with whole numbers; rounding is made up for by a few units in the last place.
 *
 * Tested by disc.test.ts.
 */
import { requireList, requirePositiveNumber } from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { atan2, cos, hypot, sin } from '../math/scalar.js';
import type { ConvexPart } from './convex-parts.js';
import { sumsToHomogeneous } from './dyadic.js';
import { createExactPoint, orientPoints } from './exact-point.js';
import { type PlanePoint, requirePlanePoint } from './polygon.js';

export interface FlatDisc {
  /** Contains the disc; its corners are at most `width` farther out. */
  readonly outer: ConvexPart;
  /** Contained in the disc; no point of the circle is farther than `width` from it. */
  readonly inner: ConvexPart;
  readonly width: number;
}

const MOST_SIDES = 1 << 16;

/** Directions closer than this are one: corners between two lines are off by rounding over their angle, and must turn by it. */
const LEAST_ANGLE = 2e-5;

/** A disc about the origin as polygons of `count` sides or more: a multiple of four; and one side for each direction. */
export function flattenDisc(radius: number, count: number, directions: readonly PlanePoint[] = []): FlatDisc {
  requirePositiveNumber('flattenDisc', 'radius', radius);
  if (!Number.isInteger(count) || count < 4 || count % 4 !== 0 || count > MOST_SIDES)
    throw new MisuseError(
      `flattenDisc: count, got ${describeValue(count)}, expected a multiple of 4 up to ${MOST_SIDES}`,
    );
  requireList('flattenDisc', 'directions', directions);
  for (const [i, direction] of directions.entries()) requirePlanePoint('flattenDisc', `directions[${i}]`, direction);
  const normals = spreadNormals(count, directions);
  let width = 0;
  for (const [i, n] of normals.entries()) {
    const m = normals[(i + 1) % normals.length];
    const half = atan2(n[0] * m[1] - n[1] * m[0], n[0] * m[0] + n[1] * m[1]) / 2;
    width = Math.max(width, radius * (1 / cos(half) - 1));
  }
  const outer = surround(radius, normals);
  for (const [x, y] of outer) width = Math.max(width, hypot(x, y) - radius);
  return { outer, inner: inscribe(radius, normals), width: width + 1e-13 * radius };
}

function spreadNormals(count: number, directions: readonly PlanePoint[]): PlanePoint[] {
  const axes: PlanePoint[] = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ];
  const all = axes.map((normal, k) => ({ normal, angle: (k * Math.PI) / 2, rank: 0 }));
  const add = (x: number, y: number, rank: number) => {
    const length = hypot(x, y);
    if (!(length > 0)) return;
    let angle = atan2(y, x);
    if (angle < 0) angle += 2 * Math.PI;
    all.push({ normal: [x / length, y / length], angle, rank });
  };
  for (const [x, y] of directions) {
    add(x, y, 1);
    add(-x, -y, 1);
  }
  for (let k = 0; k < count; k++) add(cos((2 * Math.PI * k) / count), sin((2 * Math.PI * k) / count), 2);
  all.sort((a, b) => a.angle - b.angle || a.rank - b.rank);
  const kept: typeof all = [];
  for (const next of all) {
    const last = kept[kept.length - 1];
    if (last === undefined || next.angle - last.angle > LEAST_ANGLE) kept.push(next);
    else if (next.rank < last.rank) kept[kept.length - 1] = next;
  }
  while (kept.length > 4 && kept[0].angle + 2 * Math.PI - kept[kept.length - 1].angle <= LEAST_ANGLE) kept.pop();
  return kept.map(({ normal }) => normal);
}

const isAxis = ([x, y]: PlanePoint) => x === 0 || y === 0;

function surround(radius: number, normals: readonly PlanePoint[]): ConvexPart {
  for (let margin = 4e-15; ; margin *= 4) {
    const reach = normals.map((normal) => (isAxis(normal) ? radius : radius * (1 + margin)));
    const corners = normals.map((n, i): PlanePoint => {
      const m = normals[(i + 1) % normals.length];
      const a = reach[i];
      const b = reach[(i + 1) % normals.length];
      const determinant = n[0] * m[1] - n[1] * m[0];
      let x = (a * m[1] - b * n[1]) / determinant;
      let y = (b * n[0] - a * m[0]) / determinant;
      for (const [ax, ay] of [n, m]) {
        if (ay === 0) x = ax * radius;
        if (ax === 0) y = ay * radius;
      }
      return [x, y];
    });
    if (isConvexRing(corners) && corners.every((c, i) => isOutside(c, corners[(i + 1) % corners.length], radius)))
      return corners;
    if (margin > 1e-9) throw new Error('flattenDisc: directions lie too close to each other');
  }
}

function inscribe(radius: number, normals: readonly PlanePoint[]): ConvexPart {
  for (let margin = 4e-16; ; margin *= 4) {
    const corners = normals.map((normal): PlanePoint => {
      const r = isAxis(normal) ? radius : radius * (1 - margin);
      return [r * normal[0], r * normal[1]];
    });
    if (isConvexRing(corners) && corners.every((corner) => isWithinDisc(corner, radius))) return corners;
    if (margin > 1e-9) throw new Error('flattenDisc: directions lie too close to each other');
  }
}

function isConvexRing(corners: readonly PlanePoint[]): boolean {
  const points = corners.map(([x, y]) => createExactPoint(x, y));
  const n = points.length;
  return points.every((p, i) => orientPoints(p, points[(i + 1) % n], points[(i + 2) % n]) > 0);
}

function isWithinDisc([x, y]: PlanePoint, radius: number): boolean {
  const r = sumsToHomogeneous([radius], [0]);
  const c = sumsToHomogeneous([x], [y]);
  return (c.x * c.x + c.y * c.y) * r.w * r.w <= r.x * r.x * c.w * c.w;
}

/** Whether the line a b leaves the disc about the origin on its left, exactly. */
function isOutside(a: PlanePoint, b: PlanePoint, radius: number): boolean {
  const p = sumsToHomogeneous([a[0]], [a[1]]);
  const q = sumsToHomogeneous([b[0]], [b[1]]);
  const r = sumsToHomogeneous([radius], [0]);
  // cross(a, b) >= r |b - a|, all times p.w q.w.
  const cross = p.x * q.y - p.y * q.x;
  const dx = q.x * p.w - p.x * q.w;
  const dy = q.y * p.w - p.y * q.w;
  return cross >= 0n && cross * cross * r.w * r.w >= r.x * r.x * (dx * dx + dy * dy);
}
