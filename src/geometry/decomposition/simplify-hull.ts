/**
 * A convex hull with fewer corners that holds the given one and sticks out of it by no more than a length.
 *
 * Method: the polyhedron starts as the box about the hull; while a corner of it is farther from the hull than allowed, it is cut by the plane
 * of the hull's face that the corner is highest above. Each cut is a face of the hull, so there is an end: the hull itself.
 * Cost: corners x faces. When that comes to no fewer corners, the hull is returned as it is. Checked by convex-decomposition.test.ts.
 */
import { boundPoints } from '../bounds.js';
import { closestPointTriangle } from '../closest-points.js';
import { buildConvexHull, type ConvexHull } from '../hull.js';
import { createSoup, cutSoup, type Plane, type PolygonSoup } from '../polygon-soup.js';

/** Of the extent: planes are moved out by this, so that rounding takes nothing away. */
const OUTWARDS = 1e-12;

export function simplifyHull(hull: ConvexHull, length: number): ConvexHull {
  if (hull.dimension < 3 || !(length > 0)) return hull;
  const bounds = boundPoints(new Float64Array(6), hull.vertices);
  const extent = Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
  const planes = listPlanes(hull, OUTWARDS * extent);
  const isUsed = new Uint8Array(planes.length);
  let soup = boxAbout(bounds, OUTWARDS * extent);
  for (let cuts = 0; cuts < planes.length; cuts++) {
    let worst = -1;
    let highest = 0;
    for (let i = 0; i < soup.corners.length; i += 3) {
      const [x, y, z] = [soup.corners[i], soup.corners[i + 1], soup.corners[i + 2]];
      let most = 0;
      let at = -1;
      for (let f = 0; f < planes.length; f++) {
        if (isUsed[f]) continue;
        const h = planes[f][0] * x + planes[f][1] * y + planes[f][2] * z - planes[f][3];
        if (h > most) {
          most = h;
          at = f;
        }
      }
      if (at < 0 || most <= highest || distanceFrom(hull, x, y, z, length) <= length) continue;
      highest = most;
      worst = at;
    }
    if (worst < 0) break;
    isUsed[worst] = 1;
    soup = cutSoup(soup, planes[worst], OUTWARDS * 0.1 * extent, true).below;
    if (soup.corners.length / 3 > 12 * hull.vertices.length) return hull;
  }
  const simple = buildConvexHull(soup.corners);
  return simple.vertices.length < hull.vertices.length ? simple : hull;
}

function listPlanes({ vertices, triangles }: ConvexHull, growth: number): Plane[] {
  const planes: Plane[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const u = [0, 1, 2].map((k) => vertices[b + k] - vertices[a + k]);
    const v = [0, 1, 2].map((k) => vertices[c + k] - vertices[a + k]);
    const n = [0, 1, 2].map((k) => u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
    const size = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(size > 0)) continue;
    const [x, y, z] = n.map((m) => m / size);
    // Over all corners: a thin face's normal is not exact.
    let offset = -Infinity;
    for (let i = 0; i < vertices.length; i += 3)
      offset = Math.max(offset, x * vertices[i] + y * vertices[i + 1] + z * vertices[i + 2]);
    if (planes.some((p) => p[0] * x + p[1] * y + p[2] * z > 1 - 1e-12)) continue;
    planes.push([x, y, z, offset + growth]);
  }
  return planes;
}

function boxAbout(bounds: Float64Array, growth: number): PolygonSoup {
  const corner = (i: number): number[] =>
    [0, 1, 2].map((k) => ((i >> k) & 1 ? bounds[k + 3] + growth : bounds[k] - growth));
  const faces = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ];
  return createSoup(faces.map((face) => face.map(corner)));
}

const point = new Float64Array(3);
const foot = new Float64Array(3);
const corners = new Float64Array(9);

/** Distance of a point outside, or some distance that is not above the limit. */
function distanceFrom({ vertices, triangles }: ConvexHull, x: number, y: number, z: number, limit: number): number {
  point[0] = x;
  point[1] = y;
  point[2] = z;
  let least = Infinity;
  for (let t = 0; t < triangles.length && least > limit * limit; t += 3) {
    for (let c = 0; c < 3; c++) for (let k = 0; k < 3; k++) corners[3 * c + k] = vertices[3 * triangles[t + c] + k];
    least = Math.min(least, closestPointTriangle(foot, 0, point, 0, corners));
  }
  return Math.sqrt(least);
}
