/**
 * How far a convex hull sticks out of a solid: is every point of the hull within a bound of the solid? With a proof.
 *
 * Method: branch and bound on cubes. The signed distance from the solid changes by at most the way, so within a cube it is at
 * most that of the middle plus the half diagonal; middles inside the hull are lower bounds. Cubes outside the hull, and those
 * that keep the bound as a whole, are dropped; the others are cut in eight, the most promising first.
 * Source: Piyavskii 1972, "An algorithm for finding the absolute extremum of a function" (the bound by the Lipschitz
 * constant), doi:10.1016/0041-5553(72)90115-2.
 * Cost: about (hull's area) / bound^2 point queries when the bound holds, some hundreds when it does not. Ends when it is
 * proven, or refuted after `look` cubes; after MAX_CUBES with what is known. Checked by convex-decomposition.test.ts.
 */
import { hypot } from '../math/scalar.js';
import type { ConvexHull } from './hull.js';
import type { MeshProbe } from './mesh-probe.js';

const MAX_CUBES = 400_000;

export interface Deviation {
  /** No point of the hull is farther from the solid. */
  upper: number;
  /** Some point of the hull is this far. */
  lower: number;
  /** That point. */
  readonly point: Float64Array;
}

export interface DeviationRequest {
  readonly probe: MeshProbe;
  /** What is to be proven; `upper` is not above it then. */
  readonly bound: number;
  /** Cubes that are looked at, once the bound is refuted, for the deepest point. */
  readonly look: number;
}

/** Distance of a point from the solid, negative inside. */
export function distanceToSolid({ probe }: DeviationRequest, x: number, y: number, z: number): number {
  const distance = probe.distance(x, y, z);
  return probe.isInside(x, y, z) ? -distance : distance;
}

/** Area over squared edge below which a face is too thin for its normal; leaving a plane out only adds to the hull. */
const SLIVER = 1e-6;

/** Unit normals and offsets of a hull's faces, 4 numbers each. */
function listPlanes({ vertices, triangles }: ConvexHull): Float64Array {
  const planes: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const u = [0, 1, 2].map((k) => vertices[b + k] - vertices[a + k]);
    const v = [0, 1, 2].map((k) => vertices[c + k] - vertices[a + k]);
    const n = [0, 1, 2].map((k) => u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
    const norm = hypot(n[0], n[1], n[2]);
    const longest = Math.max(hypot(u[0], u[1], u[2]), hypot(v[0], v[1], v[2]));
    if (norm <= SLIVER * longest * longest) continue;
    const m = n.map((x) => x / norm);
    planes.push(m[0], m[1], m[2], m[0] * vertices[a] + m[1] * vertices[a + 1] + m[2] * vertices[a + 2]);
  }
  return Float64Array.from(planes);
}

/** How far the point is above the highest face plane: negative inside. */
function heightAbove(planes: Float64Array, x: number, y: number, z: number): number {
  let most = -Infinity;
  for (let i = 0; i < planes.length; i += 4) {
    const h = planes[i] * x + planes[i + 1] * y + planes[i + 2] * z - planes[i + 3];
    if (h > most) most = h;
  }
  return most;
}

/** A binary heap of cubes (middle, half edge) by their upper bound, largest first. */
class CubeHeap {
  private readonly cubes: Float64Array[] = [];

  get size(): number {
    return this.cubes.length;
  }

  /** [bound, x, y, z, half edge] */
  push(cube: Float64Array): void {
    const { cubes } = this;
    let at = cubes.push(cube) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (cubes[above][0] >= cube[0]) break;
      cubes[at] = cubes[above];
      at = above;
    }
    cubes[at] = cube;
  }

  pop(): Float64Array {
    const { cubes } = this;
    const top = cubes[0];
    const last = cubes.pop() as Float64Array;
    if (cubes.length === 0) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= cubes.length) break;
      if (child + 1 < cubes.length && cubes[child + 1][0] > cubes[child][0]) child++;
      if (cubes[child][0] <= last[0]) break;
      cubes[at] = cubes[child];
      at = child;
    }
    cubes[at] = last;
    return top;
  }
}

/** Bounds of how far `hull`, which holds part of the solid, sticks out of it. A flat or smaller hull counts as its points. */
export function measureDeviation(hull: ConvexHull, request: DeviationRequest): Deviation {
  const out: Deviation = { upper: 0, lower: 0, point: hull.vertices.slice(0, 3) };
  const planes = listPlanes(hull);
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < hull.vertices.length; i++) {
    low[i % 3] = Math.min(low[i % 3], hull.vertices[i]);
    high[i % 3] = Math.max(high[i % 3], hull.vertices[i]);
  }
  const half = 0.5 * Math.max(...high.map((h, k) => h - low[k]));
  // Of a hull without volume, the faces' planes hold both sides: points on it are lower bounds to rounding.
  const slack = 1e-9 * half;
  const heap = new CubeHeap();
  const visit = (x: number, y: number, z: number, h: number, known: number): void => {
    const diagonal = Math.sqrt(3) * h;
    const outside = planes.length > 0 ? heightAbove(planes, x, y, z) : -Infinity;
    if (outside > diagonal) return;
    // The middle of a cube that crosses the hull is within its diagonal of a point of the hull.
    const distance = distanceToSolid(request, x, y, z);
    if (outside <= slack && distance > out.lower) {
      out.lower = distance;
      out.point.set([x, y, z]);
    }
    const most = Math.min(known, distance + diagonal);
    if (most > request.bound) heap.push(Float64Array.of(most, x, y, z, h));
    else out.upper = Math.max(out.upper, most);
  };
  visit(0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2]), half, Infinity);
  let cubes = 0;
  while (heap.size > 0) {
    const [most, x, y, z, h] = heap.pop();
    if ((out.lower > request.bound && cubes >= request.look) || cubes > MAX_CUBES) {
      out.upper = Math.max(out.upper, most, out.lower);
      return out;
    }
    const q = 0.5 * h;
    for (let i = 0; i < 8; i++) {
      cubes++;
      visit(x + (i & 1 ? q : -q), y + (i & 2 ? q : -q), z + (i & 4 ? q : -q), q, most);
    }
  }
  out.upper = Math.max(out.upper, out.lower);
  return out;
}
