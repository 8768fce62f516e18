/**
 * Convex polygons in space, cut by planes: the surface of a mesh within one cell of a decomposition, and the cell itself.
 *
 * Method: each polygon is cut by the plane (Sutherland, Hodgman); corners within `tolerance` of the plane belong to both
 * sides. No topology is kept, so nothing can become inconsistent. The cut of a convex polyhedron is closed by the polygon
 * of its corners on the plane, ordered about their middle.
 * Source: Sutherland, Hodgman 1974, "Reentrant polygon clipping", doi:10.1145/360767.360802.
 * Cost: linear in the corners. Checked by convex-decomposition.test.ts.
 */
import { atan2 } from '../math/scalar.js';

/** Corners, 3 numbers each; polygon i has the corners starts[i] .. starts[i + 1] - 1. */
export interface PolygonSoup {
  readonly corners: Float64Array;
  readonly starts: Uint32Array;
}

export interface CutSoup {
  /** n . x <= offset. */
  readonly below: PolygonSoup;
  readonly above: PolygonSoup;
}

/** n and offset of { x : n . x = offset }, n a unit vector. */
export type Plane = readonly [number, number, number, number];

class SoupBuilder {
  private corners = new Float64Array(256);
  private length = 0;
  private readonly starts: number[] = [0];

  addCorner(x: number, y: number, z: number): void {
    if (this.length + 3 > this.corners.length) {
      const more = new Float64Array(2 * this.corners.length);
      more.set(this.corners);
      this.corners = more;
    }
    this.corners[this.length++] = x;
    this.corners[this.length++] = y;
    this.corners[this.length++] = z;
  }

  /** Ends a polygon; one of fewer than three corners is dropped. */
  endPolygon(): void {
    const start = this.starts[this.starts.length - 1];
    const end = this.length / 3;
    if (end - start >= 3) this.starts.push(end);
    else this.dropPolygon();
  }

  dropPolygon(): void {
    this.length = 3 * this.starts[this.starts.length - 1];
  }

  finish(): PolygonSoup {
    return { corners: this.corners.slice(0, this.length), starts: Uint32Array.from(this.starts) };
  }
}

export function countPolygons({ starts }: PolygonSoup): number {
  return starts.length - 1;
}

export function createSoup(polygons: Iterable<readonly (readonly number[])[]>): PolygonSoup {
  const builder = new SoupBuilder();
  for (const polygon of polygons) {
    for (const [x, y, z] of polygon) builder.addCorner(x, y, z);
    builder.endPolygon();
  }
  return builder.finish();
}

/** Both sides of the plane. With `cap` the soup is the surface of a convex polyhedron, and so are both results. */
export function cutSoup({ corners, starts }: PolygonSoup, plane: Plane, tolerance: number, cap: boolean): CutSoup {
  const [nx, ny, nz, offset] = plane;
  const below = new SoupBuilder();
  const above = new SoupBuilder();
  const section: number[] = [];
  const both = (x: number, y: number, z: number): void => {
    below.addCorner(x, y, z);
    above.addCorner(x, y, z);
    if (cap) section.push(x, y, z);
  };
  for (let p = 0; p + 1 < starts.length; p++) {
    const count = starts[p + 1] - starts[p];
    const heightOf = (i: number): number => {
      const at = 3 * (starts[p] + (i % count));
      const h = nx * corners[at] + ny * corners[at + 1] + nz * corners[at + 2] - offset;
      return Math.abs(h) <= tolerance ? 0 : h;
    };
    let isBelow = false;
    let isAbove = false;
    for (let i = 0; i < count; i++) {
      const h = heightOf(i);
      if (h < 0) isBelow = true;
      if (h > 0) isAbove = true;
    }
    for (let i = 0; i < count; i++) {
      const at = 3 * (starts[p] + i);
      const next = 3 * (starts[p] + ((i + 1) % count));
      const h = heightOf(i);
      const k = heightOf(i + 1);
      if (h === 0) both(corners[at], corners[at + 1], corners[at + 2]);
      else (h < 0 ? below : above).addCorner(corners[at], corners[at + 1], corners[at + 2]);
      if (h * k >= 0) continue;
      const t = h / (h - k);
      both(
        corners[at] + t * (corners[next] - corners[at]),
        corners[at + 1] + t * (corners[next + 1] - corners[at + 1]),
        corners[at + 2] + t * (corners[next + 2] - corners[at + 2]),
      );
    }
    // A polygon in the plane goes to the side that it bounds from outside: the solid is behind it.
    const inPlane = !isBelow && !isAbove;
    const facesUp = inPlane && facing(corners, starts[p], count, plane) > 0;
    endSide(below, isBelow || (inPlane && (cap || facesUp)));
    endSide(above, isAbove || (inPlane && (cap || !facesUp)));
  }
  if (cap) closeSection([below, above], section, plane);
  return { below: below.finish(), above: above.finish() };
}

/** Newell normal of a polygon along the plane's. */
function facing(corners: Float64Array, first: number, count: number, plane: Plane): number {
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const a = 3 * (first + i);
    const b = 3 * (first + ((i + 1) % count));
    for (let k = 0; k < 3; k++) {
      const [u, v] = [(k + 1) % 3, (k + 2) % 3];
      sum += plane[k] * (corners[a + u] - corners[b + u]) * (corners[a + v] + corners[b + v]);
    }
  }
  return sum;
}

function endSide(side: SoupBuilder, keep: boolean): void {
  if (keep) side.endPolygon();
  else side.dropPolygon();
}

/** Adds the convex polygon of the section's points to both halves. */
function closeSection(halves: readonly SoupBuilder[], section: readonly number[], plane: Plane): void {
  const count = section.length / 3;
  if (count < 3) return;
  const n = plane.slice(0, 3);
  const middle = [0, 1, 2].map((k) => {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += section[3 * i + k];
    return sum / count;
  });
  const least = n.map(Math.abs).indexOf(Math.min(...n.map(Math.abs)));
  const u = [0, 1, 2].map((k) => (k === least ? 1 : 0) - n[least] * n[k]);
  const v = [0, 1, 2].map((k) => n[(k + 1) % 3] * u[(k + 2) % 3] - n[(k + 2) % 3] * u[(k + 1) % 3]);
  const angleOf = (i: number): number => {
    const d = [0, 1, 2].map((k) => section[3 * i + k] - middle[k]);
    return atan2(d[0] * v[0] + d[1] * v[1] + d[2] * v[2], d[0] * u[0] + d[1] * u[1] + d[2] * u[2]);
  };
  const order = Array.from({ length: count }, (_, i) => ({ i, angle: angleOf(i) })).sort(
    (a, b) => a.angle - b.angle || a.i - b.i,
  );
  for (const half of halves) {
    for (const { i } of order) half.addCorner(section[3 * i], section[3 * i + 1], section[3 * i + 2]);
    half.endPolygon();
  }
}
