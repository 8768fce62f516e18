/**
 * A part of a solid in a convex cell, and its exact division by a plane.
 *
 * Method: 1. the surface is a list of convex polygons over shared corners; 2. a plane cuts each edge once, for all polygons at it; 3. what a
 * cut opens is closed by a fan of signed triangles from one point of the plane to the open edges: as a chain it is the section, whatever
 * shape that has, so that volumes are exact without sorting loops or triangulating; 4. the cell is cut too: its corners inside the solid
 * and the corners of the surface have the hull that the part has.
 * Source: Sutherland, Hodgman 1974, "Reentrant polygon clipping", doi:10.1145/360767.360802; chains: Hatcher 2002, "Algebraic topology",
 * section 2.1.
 * Shapes: 3 numbers per corner. Corners within a tolerance of the plane belong to both sides. Cost: linear in the corners.
 * Checked by convex-decomposition.test.ts.
 */
import { cutSoup, type Plane, type PolygonSoup } from '../polygon-soup.js';

export interface SolidPiece {
  /** Corners of the surface, 3 numbers each. */
  readonly vertices: Float64Array;
  /** Polygon i has the corners loops[starts[i]] .. loops[starts[i + 1] - 1]. */
  readonly loops: Int32Array;
  readonly starts: Int32Array;
  /** Signed triangles that close the surface, 9 numbers each; corners of theirs may lie outside the solid. */
  readonly caps: Float64Array;
  /** Points with volume that the surface counts twice, 4 numbers each (shell-overlaps.ts). */
  readonly overlaps: Float64Array;
  /** Surface of the convex cell. */
  readonly cell: PolygonSoup;
}

class Side {
  readonly loops: number[] = [];
  readonly starts: number[] = [0];
  readonly vertices: number[] = [];
  readonly caps: number[] = [];
  private readonly names: Int32Array;

  constructor(
    private readonly source: CornerList,
    capacity: number,
  ) {
    this.names = new Int32Array(capacity).fill(-1);
  }

  /** Ends a polygon of corners named by the source. */
  addPolygon(polygon: readonly number[], count: number): void {
    if (count < 3) return;
    for (let i = 0; i < count; i++) {
      const corner = polygon[i];
      if (this.names[corner] < 0) {
        this.names[corner] = this.vertices.length / 3;
        const at = 3 * corner;
        this.vertices.push(this.source.at(at), this.source.at(at + 1), this.source.at(at + 2));
      }
      this.loops.push(this.names[corner]);
    }
    this.starts.push(this.loops.length);
  }

  finish(cell: PolygonSoup, overlaps: Float64Array): SolidPiece {
    return {
      vertices: Float64Array.from(this.vertices),
      loops: Int32Array.from(this.loops),
      starts: Int32Array.from(this.starts),
      caps: Float64Array.from(this.caps),
      overlaps,
      cell,
    };
  }
}

/** Corners of a piece, and those that a cut adds. */
class CornerList {
  readonly added: number[] = [];

  constructor(private readonly vertices: Float64Array) {}

  at(i: number): number {
    return i < this.vertices.length ? this.vertices[i] : this.added[i - this.vertices.length];
  }
}

/** Both sides of a plane: n . x <= offset, and above. */
export function cutPiece(piece: SolidPiece, plane: Plane, tolerance: number): { below: SolidPiece; above: SolidPiece } {
  const { vertices, loops, starts } = piece;
  const count = vertices.length / 3;
  const heights = new Float64Array(count);
  for (let i = 0; i < count; i++) heights[i] = heightOf(plane, tolerance, vertices, 3 * i);
  const corners = new CornerList(vertices);
  const crossings = new Map<number, number>();
  const cross = (i: number, j: number): number => {
    const low = Math.min(i, j);
    const high = Math.max(i, j);
    const key = low * count + high;
    let name = crossings.get(key);
    if (name === undefined) {
      name = count + corners.added.length / 3;
      crossings.set(key, name);
      const t = heights[low] / (heights[low] - heights[high]);
      for (let k = 0; k < 3; k++)
        corners.added.push(vertices[3 * low + k] + t * (vertices[3 * high + k] - vertices[3 * low + k]));
    }
    return name;
  };
  const capacity = count + loops.length;
  const below = new Side(corners, capacity);
  const above = new Side(corners, capacity);
  const apex: number[] = [];
  const close = (side: Side, polygon: readonly number[], length: number): void => {
    const isOn = (corner: number): boolean => corner >= count || heights[corner] === 0;
    for (let i = 0; i < length; i++) {
      const a = polygon[i];
      const b = polygon[i + 1 === length ? 0 : i + 1];
      if (!isOn(a) || !isOn(b)) continue;
      const [from, to] = [[0, 1, 2].map((k) => corners.at(3 * a + k)), [0, 1, 2].map((k) => corners.at(3 * b + k))];
      addCap(side.caps, apex, from, to);
    }
  };
  const lower: number[] = [];
  const upper: number[] = [];
  for (let p = 0; p + 1 < starts.length; p++) {
    const first = starts[p];
    const length = starts[p + 1] - first;
    let least = Infinity;
    let most = -Infinity;
    for (let i = 0; i < length; i++) {
      const h = heights[loops[first + i]];
      if (h < least) least = h;
      if (h > most) most = h;
    }
    lower.length = 0;
    upper.length = 0;
    for (let i = 0; i < length; i++) {
      const corner = loops[first + i];
      const next = loops[first + (i + 1 === length ? 0 : i + 1)];
      const h = heights[corner];
      if (h <= 0) lower.push(corner);
      if (h >= 0) upper.push(corner);
      if (h * heights[next] < 0) {
        const name = cross(corner, next);
        lower.push(name);
        upper.push(name);
      }
    }
    // A polygon in the plane bounds the side that is behind it.
    const facesUp = least === 0 && most === 0 && facing(vertices, loops, first, length, plane) > 0;
    if (least < 0 || facesUp) {
      below.addPolygon(lower, lower.length);
      close(below, lower, lower.length);
    }
    if (most > 0 || (least === 0 && most === 0 && !facesUp)) {
      above.addPolygon(upper, upper.length);
      close(above, upper, upper.length);
    }
  }
  cutCaps(piece.caps, plane, tolerance, apex, below.caps, above.caps);
  const cell = cutSoup(piece.cell, plane, tolerance, true);
  const [under, over] = divideOverlaps(piece.overlaps, plane);
  return { below: below.finish(cell.below, under), above: above.finish(cell.above, over) };
}

function divideOverlaps(overlaps: Float64Array, [x, y, z, offset]: Plane): [Float64Array, Float64Array] {
  const under: number[] = [];
  const over: number[] = [];
  for (let i = 0; i < overlaps.length; i += 4)
    (x * overlaps[i] + y * overlaps[i + 1] + z * overlaps[i + 2] <= offset ? under : over).push(
      ...overlaps.subarray(i, i + 4),
    );
  return [Float64Array.from(under), Float64Array.from(over)];
}

function heightOf(plane: Plane, tolerance: number, points: ArrayLike<number>, at: number): number {
  const h = plane[0] * points[at] + plane[1] * points[at + 1] + plane[2] * points[at + 2] - plane[3];
  return Math.abs(h) <= tolerance ? 0 : h;
}

/** Newell normal of a polygon along the plane's. */
function facing(vertices: Float64Array, loops: Int32Array, first: number, length: number, plane: Plane): number {
  let sum = 0;
  for (let i = 0; i < length; i++) {
    const a = 3 * loops[first + i];
    const b = 3 * loops[first + ((i + 1) % length)];
    for (let k = 0; k < 3; k++) {
      const [u, v] = [(k + 1) % 3, (k + 2) % 3];
      sum += plane[k] * (vertices[a + u] - vertices[b + u]) * (vertices[a + v] + vertices[b + v]);
    }
  }
  return sum;
}

/** The triangle that an open edge adds to the section; the first of all gives the fan its apex. */
function addCap(caps: number[], apex: number[], from: readonly number[], to: readonly number[]): void {
  if (apex.length === 0) apex.push(...from);
  caps.push(apex[0], apex[1], apex[2], to[0], to[1], to[2], from[0], from[1], from[2]);
}

function cutCaps(
  caps: Float64Array,
  plane: Plane,
  tolerance: number,
  apex: number[],
  below: number[],
  above: number[],
): void {
  const sides = [
    { out: below, sign: 1, points: [] as number[][] },
    { out: above, sign: -1, points: [] as number[][] },
  ];
  for (let t = 0; t < caps.length; t += 9) {
    const h = [
      heightOf(plane, tolerance, caps, t),
      heightOf(plane, tolerance, caps, t + 3),
      heightOf(plane, tolerance, caps, t + 6),
    ];
    const isFlat = h[0] === 0 && h[1] === 0 && h[2] === 0;
    for (const side of sides) {
      const { sign, points, out } = side;
      points.length = 0;
      // What lies in the plane may go to either side: the section changes by as much.
      if (isFlat ? sign < 0 : !h.some((x) => sign * x < 0)) continue;
      const on: boolean[] = [];
      for (let i = 0; i < 3; i++) {
        const j = i === 2 ? 0 : i + 1;
        if (sign * h[i] <= 0) {
          points.push([caps[t + 3 * i], caps[t + 3 * i + 1], caps[t + 3 * i + 2]]);
          on.push(h[i] === 0);
        }
        if (h[i] * h[j] < 0) {
          const [a, b] = h[i] < 0 ? [i, j] : [j, i];
          const share = h[a] / (h[a] - h[b]);
          points.push([0, 1, 2].map((k) => caps[t + 3 * a + k] + share * (caps[t + 3 * b + k] - caps[t + 3 * a + k])));
          on.push(true);
        }
      }
      for (let i = 1; i + 1 < points.length; i++) out.push(...points[0], ...points[i], ...points[i + 1]);
      for (let i = 0; i < points.length; i++) {
        const j = i + 1 === points.length ? 0 : i + 1;
        if (on[i] && on[j]) addCap(out, apex, points[i], points[j]);
      }
    }
  }
}

/** Six times the signed volume of a tetrahedron with one corner at the origin o. */
function sixfold(v: ArrayLike<number>, a: number, b: number, c: number, o: readonly number[]): number {
  const ax = v[a] - o[0];
  const ay = v[a + 1] - o[1];
  const az = v[a + 2] - o[2];
  const bx = v[b] - o[0];
  const by = v[b + 1] - o[1];
  const bz = v[b + 2] - o[2];
  const cx = v[c] - o[0];
  const cy = v[c + 1] - o[1];
  const cz = v[c + 2] - o[2];
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}

export function volumeOfPiece({ vertices, loops, starts, caps, overlaps }: SolidPiece): number {
  const some = vertices.length > 0 ? vertices : caps;
  if (some.length === 0) return 0;
  const o = [some[0], some[1], some[2]];
  let sum = 0;
  for (let p = 0; p + 1 < starts.length; p++)
    for (let i = starts[p] + 1; i + 1 < starts[p + 1]; i++)
      sum += sixfold(vertices, 3 * loops[starts[p]], 3 * loops[i], 3 * loops[i + 1], o);
  for (let t = 0; t < caps.length; t += 9) sum += sixfold(caps, t, t + 3, t + 6, o);
  let twice = 0;
  for (let i = 3; i < overlaps.length; i += 4) twice += overlaps[i];
  return sum / 6 - twice;
}

/** Corners of a piece's triangles, fans of its polygons. */
export function triangulatePiece({ loops, starts }: SolidPiece): Uint32Array {
  const out: number[] = [];
  for (let p = 0; p + 1 < starts.length; p++)
    for (let i = starts[p] + 1; i + 1 < starts[p + 1]; i++) out.push(loops[starts[p]], loops[i], loops[i + 1]);
  return Uint32Array.from(out);
}
