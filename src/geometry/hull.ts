/**
 * Convex hull of a point set in three dimensions, with flat, straight and single-point sets as ordinary answers.
 *
 * Method: 1. spread of the set: point, line, plane or solid; 2. a first tetrahedron of far-apart points;
 * 3. every face keeps the points outside it; 4. the farthest such point is added: the faces it sees are found by
 * flood fill, removed, and their rim joined to the point; 5. until no point is outside.
 * Visibility is decided by exact orientation, so the surface stays closed and consistent for coplanar, collinear and
 * duplicate points; a coplanar point never sees a face.
 * Source: Barber, Dobkin, Huhdanpaa 1996, "The quickhull algorithm for convex hulls", doi:10.1145/235815.235821.
 * Units: those of the points. Cost: O(n log n) on typical sets. Sets flatter than 1e-13 of their extent become planar hulls.
 * Checked by hull.test.ts.
 */
import type { NumericArray } from '../math/vec3.js';
import { orientPoints } from './orientation.js';

export interface ConvexHull {
  /** 0 point, 1 segment, 2 flat polygon, 3 solid. */
  readonly dimension: 0 | 1 | 2 | 3;
  /** 3 numbers per vertex; only points that carry the hull. */
  readonly vertices: Float64Array;
  /** 3 indices per triangle, wound outward; a flat hull has both sides, segments and points have none. */
  readonly triangles: Uint32Array;
}

const FLATNESS = 1e-13;

interface Face {
  /** Offsets of the corners in the point array. */
  readonly corner: [number, number, number];
  /** neighbour[i] shares the edge corner[i] -> corner[i + 1]. */
  readonly neighbour: [Face | null, Face | null, Face | null];
  outside: number[];
  /** Visit stamp; negative once removed. */
  stamp: number;
}

function createFace(a: number, b: number, c: number): Face {
  return { corner: [a, b, c], neighbour: [null, null, null], outside: [], stamp: 0 };
}

/** Distance-like measure of point d above the face; only ranks points, the exact test decides. */
function heightAbove(p: NumericArray, face: Face, d: number): number {
  const [a, b, c] = face.corner;
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a];
  const vy = p[c + 1] - p[a + 1];
  const vz = p[c + 2] - p[a + 2];
  return (
    (uy * vz - uz * vy) * (p[d] - p[a]) +
    (uz * vx - ux * vz) * (p[d + 1] - p[a + 1]) +
    (ux * vy - uy * vx) * (p[d + 2] - p[a + 2])
  );
}

function isOutside(p: NumericArray, face: Face, d: number): boolean {
  return orientPoints(p, face.corner[0], face.corner[1], face.corner[2], d) < 0;
}

/** Farthest point, by a measure. */
function findFarthest(p: NumericArray, measure: (at: number) => number): { at: number; value: number } {
  let at = 0;
  let value = -1;
  for (let i = 0; i < p.length; i += 3) {
    const m = measure(i);
    if (m > value) {
      value = m;
      at = i;
    }
  }
  return { at, value };
}

function compactHull(
  dimension: 0 | 1 | 2 | 3,
  p: NumericArray,
  offsets: readonly number[],
  corners: readonly number[],
) {
  const indexOf = new Map<number, number>();
  const vertices = new Float64Array(offsets.length * 3);
  offsets.forEach((at, i) => {
    indexOf.set(at, i);
    for (let k = 0; k < 3; k++) vertices[3 * i + k] = p[at + k];
  });
  return { dimension, vertices, triangles: Uint32Array.from(corners, (at) => indexOf.get(at) as number) };
}

/** Hull of points in the plane with normal n, by Andrew's monotone chain on the two coordinates n dominates least. */
function buildFlatHull(p: NumericArray, n: readonly number[]): ConvexHull {
  const size = n.map(Math.abs);
  const drop = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
  const [u, v] = [(drop + 1) % 3, (drop + 2) % 3];
  const order = Array.from({ length: p.length / 3 }, (_, i) => 3 * i).sort(
    (i, j) => p[i + u] - p[j + u] || p[i + v] - p[j + v] || i - j,
  );
  const chain: number[] = [];
  const turn = (a: number, b: number, c: number): number =>
    (p[b + u] - p[a + u]) * (p[c + v] - p[a + v]) - (p[b + v] - p[a + v]) * (p[c + u] - p[a + u]);
  const extend = (at: number, floor: number): void => {
    while (chain.length > floor && turn(chain[chain.length - 2], chain[chain.length - 1], at) <= 0) chain.pop();
    chain.push(at);
  };
  for (const at of order) extend(at, 1);
  const floor = chain.length;
  for (let i = order.length - 2; i >= 0; i--) extend(order[i], floor);
  chain.pop();
  const corners: number[] = [];
  for (let i = 1; i + 1 < chain.length; i++)
    corners.push(chain[0], chain[i], chain[i + 1], chain[0], chain[i + 1], chain[i]);
  return compactHull(2, p, chain, corners);
}

function addPoint(p: NumericArray, faces: Face[], seed: Face, eye: number, stamp: number): Face[] {
  const visible = [seed];
  seed.stamp = stamp;
  const rim: { from: number; to: number; beyond: Face; edge: number }[] = [];
  for (let i = 0; i < visible.length; i++) {
    const face = visible[i];
    for (let k = 0; k < 3; k++) {
      const next = face.neighbour[k] as Face;
      if (next.stamp === stamp) continue;
      if (isOutside(p, next, eye)) {
        next.stamp = stamp;
        visible.push(next);
      } else {
        const to = face.corner[(k + 1) % 3];
        rim.push({ from: face.corner[k], to, beyond: next, edge: next.corner.indexOf(to) });
      }
    }
  }
  const byStart = new Map<number, Face>();
  const created = rim.map(({ from, to, beyond, edge }) => {
    const face = createFace(from, to, eye);
    face.neighbour[0] = beyond;
    beyond.neighbour[edge] = face;
    byStart.set(from, face);
    return face;
  });
  for (const face of created) {
    const next = byStart.get(face.corner[1]) as Face;
    face.neighbour[1] = next;
    next.neighbour[2] = face;
  }
  for (const face of visible) {
    face.stamp = -1;
    for (const at of face.outside) {
      if (at === eye) continue;
      for (const candidate of created)
        if (isOutside(p, candidate, at)) {
          candidate.outside.push(at);
          break;
        }
    }
    face.outside = [];
  }
  faces.push(...created);
  return created;
}

/** Convex hull of `points`, 3 numbers each. Throws on no points, a broken count or a number that is not finite. */
export function buildConvexHull(points: NumericArray): ConvexHull {
  if (points.length < 3 || points.length % 3 !== 0)
    throw new RangeError(`buildConvexHull: points, got ${points.length} numbers, expected 3 per point, at least one`);
  const p = Float64Array.from(points);
  for (let i = 0; i < p.length; i++)
    if (!Number.isFinite(p[i]))
      throw new RangeError(`buildConvexHull: points[${i}], got ${p[i]}, expected a finite number`);

  const distanceFrom = (o: number) => (i: number) => Math.hypot(p[i] - p[o], p[i + 1] - p[o + 1], p[i + 2] - p[o + 2]);
  const a = findFarthest(p, distanceFrom(0)).at;
  const { at: b, value: extent } = findFarthest(p, distanceFrom(a));
  if (extent === 0) return compactHull(0, p, [a], []);
  const direction = [0, 1, 2].map((k) => (p[b + k] - p[a + k]) / extent);
  const crossWithDirection = (i: number): number[] => {
    const d = [0, 1, 2].map((k) => p[i + k] - p[a + k]);
    return [0, 1, 2].map((k) => direction[(k + 1) % 3] * d[(k + 2) % 3] - direction[(k + 2) % 3] * d[(k + 1) % 3]);
  };
  const { at: c, value: width } = findFarthest(p, (i) => Math.hypot(...crossWithDirection(i)));
  if (width <= FLATNESS * extent) return compactHull(1, p, [a, b], []);
  const normal = crossWithDirection(c).map((x) => x / width);
  const { at: d, value: height } = findFarthest(p, (i) =>
    Math.abs(normal[0] * (p[i] - p[a]) + normal[1] * (p[i + 1] - p[a + 1]) + normal[2] * (p[i + 2] - p[a + 2])),
  );
  const side = orientPoints(p, a, b, c, d);
  if (height <= FLATNESS * extent || side === 0) return buildFlatHull(p, normal);

  const [e, f] = side > 0 ? [b, c] : [c, b];
  const faces = [createFace(a, e, f), createFace(e, a, d), createFace(f, e, d), createFace(a, f, d)];
  const link = (i: number, edge: number, j: number, other: number): void => {
    faces[i].neighbour[edge] = faces[j];
    faces[j].neighbour[other] = faces[i];
  };
  link(0, 0, 1, 0);
  link(0, 1, 2, 0);
  link(0, 2, 3, 0);
  link(1, 1, 3, 2);
  link(2, 1, 1, 2);
  link(3, 1, 2, 2);
  for (let i = 0; i < p.length; i += 3) {
    const face = faces.find((candidate) => isOutside(p, candidate, i));
    if (face) face.outside.push(i);
  }
  let stamp = 0;
  for (let i = 0; i < faces.length; i++) {
    const face = faces[i];
    if (face.stamp < 0 || face.outside.length === 0) continue;
    let eye = face.outside[0];
    let best = heightAbove(p, face, eye);
    for (const at of face.outside) {
      const h = heightAbove(p, face, at);
      if (h > best) {
        best = h;
        eye = at;
      }
    }
    addPoint(p, faces, face, eye, ++stamp);
  }
  const alive = faces.filter((face) => face.stamp >= 0);
  const corners = alive.flatMap((face) => face.corner);
  return compactHull(
    3,
    p,
    [...new Set(corners)].sort((i, j) => i - j),
    corners,
  );
}
