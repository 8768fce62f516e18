/**
 * The growing surface of quickhull: faces in flat arrays, their neighbours, and the points outside each. Method in hull.ts.
 *
 * Points are named by their offset in the coordinate array. A removed face gives its place to a new one.
 *
 *   corner     3 per face, offsets      neighbour  3 per face: face across the edge corner[i] -> corner[i + 1]
 *   plane      7 per face: normal (not unit), first corner, rounding bound of heights
 *   head       first point outside, -1 none; `following` links the rest
 *   farthest   the one of them that is farthest, and its height
 */
import { orientPoints, orientProjected } from './orientation.js';

const NONE = -1;
/** Of a height, relative to the products it sums: nine roundings, and a margin. */
const ROUNDING = 2e-15;
const PROJECTIONS = [
  [0, 1],
  [1, 2],
  [2, 0],
] as const;

export class HullFaces {
  private corner = new Int32Array(3 * 256);
  private neighbour = new Int32Array(3 * 256);
  private plane = new Float64Array(7 * 256);
  private head = new Int32Array(256);
  private farthest = new Int32Array(256);
  private farthestHeight = new Float64Array(256);
  /** Visit stamp; -1 where there is no face. */
  private stamp = new Int32Array(256);
  private used = 0;
  private round = 0;
  private readonly free: number[] = [];
  /** Faces that may have points outside. */
  private readonly pending: number[] = [];
  /** By point / 3: the next point outside the same face. */
  private readonly following: Int32Array;
  /** By point / 3: the new face whose first corner the point is. */
  private readonly startsAt: Int32Array;
  private readonly seen: number[] = [];
  /** By index in `seen`: whether the eye lies in the face's plane. */
  private readonly isSeenFlat: boolean[] = [];
  private readonly created: number[] = [];

  constructor(
    private readonly p: Float64Array,
    private readonly range: readonly number[],
  ) {
    this.following = new Int32Array(p.length / 3).fill(NONE);
    this.startsAt = new Int32Array(p.length / 3);
  }

  /** The tetrahedron whose face (a, b, c) is seen from outside as counter-clockwise, d behind it; and all points. */
  start(a: number, b: number, c: number, d: number): void {
    const faces = [this.add(a, b, c), this.add(b, a, d), this.add(c, b, d), this.add(a, c, d)];
    const link = (i: number, edge: number, j: number, other: number): void => {
      this.neighbour[3 * faces[i] + edge] = faces[j];
      this.neighbour[3 * faces[j] + other] = faces[i];
    };
    link(0, 0, 1, 0);
    link(0, 1, 2, 0);
    link(0, 2, 3, 0);
    link(1, 1, 3, 2);
    link(2, 1, 1, 2);
    link(3, 1, 2, 2);
    this.created.length = 0;
    this.created.push(...faces);
    for (let at = 0; at < this.p.length; at += 3) this.assign(at);
    this.pending.push(...faces);
  }

  /** Adds points until none is outside. */
  grow(): void {
    while (this.pending.length > 0) {
      const face = this.pending.pop() as number;
      if (this.stamp[face] >= 0 && this.head[face] !== NONE) this.addPoint(face, this.farthest[face]);
    }
  }

  listCorners(): Int32Array {
    const out = new Int32Array(3 * (this.used - this.free.length));
    let at = 0;
    for (let face = 0; face < this.used; face++) {
      if (this.stamp[face] < 0) continue;
      for (let k = 0; k < 3; k++) out[at++] = this.corner[3 * face + k];
    }
    return out;
  }

  private addPoint(first: number, eye: number): void {
    const { seen, created } = this;
    this.findSeen(first, eye);
    created.length = 0;
    for (let i = 0; i < seen.length; i++) {
      for (let k = 0; k < 3; k++) {
        const at = 3 * seen[i] + k;
        const beyond = this.neighbour[at];
        if (this.stamp[beyond] === this.round) continue;
        const from = this.corner[at];
        const to = this.corner[k === 2 ? at - 2 : at + 1];
        const face = this.add(from, to, eye);
        this.neighbour[3 * face] = beyond;
        this.neighbour[3 * beyond + this.edgeFrom(beyond, to)] = face;
        this.startsAt[from / 3] = face;
        created.push(face);
      }
    }
    for (let i = 0; i < created.length; i++) {
      const face = created[i];
      const next = this.startsAt[this.corner[3 * face + 1] / 3];
      this.neighbour[3 * face + 1] = next;
      this.neighbour[3 * next + 2] = face;
    }
    for (let i = 0; i < seen.length; i++) {
      const face = seen[i];
      let at = this.head[face];
      while (at !== NONE) {
        const next = this.following[at / 3];
        if (at !== eye) this.assign(at);
        at = next;
      }
    }
    for (let i = 0; i < seen.length; i++) {
      this.stamp[seen[i]] = NONE;
      this.free.push(seen[i]);
    }
    for (let i = 0; i < created.length; i++) if (this.head[created[i]] !== NONE) this.pending.push(created[i]);
  }

  /** Stamps the faces that the eye sees, and lists them. */
  private findSeen(first: number, eye: number): void {
    const { seen, isSeenFlat } = this;
    const round = ++this.round;
    seen.length = 0;
    isSeenFlat.length = 0;
    this.see(first, false);
    for (let i = 0; i < seen.length; i++) {
      for (let k = 0; k < 3; k++) {
        const at = 3 * seen[i] + k;
        const next = this.neighbour[at];
        if (this.stamp[next] === round) continue;
        const side = this.sideOf(next, eye);
        if (side > 0) this.see(next, false);
        // A facet is removed as a whole: its next triangle lies in the plane of the last one, or the eye on their edge.
        else if (side === 0 && (isSeenFlat[i] || this.isOnEdge(at, k, eye))) this.see(next, true);
      }
    }
  }

  private see(face: number, isFlat: boolean): void {
    this.stamp[face] = this.round;
    this.seen.push(face);
    this.isSeenFlat.push(isFlat);
  }

  private edgeFrom(face: number, point: number): number {
    const at = 3 * face;
    return this.corner[at] === point ? 0 : this.corner[at + 1] === point ? 1 : 2;
  }

  /** Positive when the point is outside, exactly. */
  private sideOf(face: number, point: number): number {
    const height = this.heightOf(face, point);
    if (Math.abs(height) > this.plane[7 * face + 6]) return height;
    const at = 3 * face;
    return -orientPoints(this.p, this.corner[at], this.corner[at + 1], this.corner[at + 2], point);
  }

  private heightOf(face: number, point: number): number {
    const { p, plane } = this;
    const at = 7 * face;
    return (
      plane[at] * (p[point] - plane[at + 3]) +
      plane[at + 1] * (p[point + 1] - plane[at + 4]) +
      plane[at + 2] * (p[point + 2] - plane[at + 5])
    );
  }

  private isOnEdge(at: number, k: number, point: number): boolean {
    const from = this.corner[at];
    const to = this.corner[k === 2 ? at - 2 : at + 1];
    return PROJECTIONS.every((axes) => orientProjected(this.p, axes, from, to, point) === 0);
  }

  /** Gives the point to the first new face that it is outside of. */
  private assign(point: number): void {
    const { p, plane, created } = this;
    const x = p[point];
    const y = p[point + 1];
    const z = p[point + 2];
    for (let i = 0; i < created.length; i++) {
      const face = created[i];
      const at = 7 * face;
      const height =
        plane[at] * (x - plane[at + 3]) + plane[at + 1] * (y - plane[at + 4]) + plane[at + 2] * (z - plane[at + 5]);
      const bound = plane[at + 6];
      if (height < -bound || (height <= bound && this.sideOf(face, point) <= 0)) continue;
      this.following[point / 3] = this.head[face];
      this.head[face] = point;
      if (height > this.farthestHeight[face]) {
        this.farthestHeight[face] = height;
        this.farthest[face] = point;
      }
      return;
    }
  }

  private add(a: number, b: number, c: number): number {
    const face = this.free.pop() ?? this.used++;
    if (face === this.head.length) this.enlarge();
    const { p, plane, range } = this;
    this.corner[3 * face] = a;
    this.corner[3 * face + 1] = b;
    this.corner[3 * face + 2] = c;
    const ux = p[b] - p[a];
    const uy = p[b + 1] - p[a + 1];
    const uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a];
    const vy = p[c + 1] - p[a + 1];
    const vz = p[c + 2] - p[a + 2];
    const at = 7 * face;
    plane[at] = uy * vz - uz * vy;
    plane[at + 1] = uz * vx - ux * vz;
    plane[at + 2] = ux * vy - uy * vx;
    plane[at + 3] = p[a];
    plane[at + 4] = p[a + 1];
    plane[at + 5] = p[a + 2];
    plane[at + 6] =
      ROUNDING *
      ((Math.abs(uy * vz) + Math.abs(uz * vy)) * range[0] +
        (Math.abs(uz * vx) + Math.abs(ux * vz)) * range[1] +
        (Math.abs(ux * vy) + Math.abs(uy * vx)) * range[2]);
    this.head[face] = NONE;
    this.farthestHeight[face] = -Infinity;
    this.stamp[face] = 0;
    return face;
  }

  private enlarge(): void {
    const grow = <T extends Int32Array | Float64Array>(old: T, fresh: T): T => {
      fresh.set(old);
      return fresh;
    };
    this.corner = grow(this.corner, new Int32Array(2 * this.corner.length));
    this.neighbour = grow(this.neighbour, new Int32Array(2 * this.neighbour.length));
    this.plane = grow(this.plane, new Float64Array(2 * this.plane.length));
    this.head = grow(this.head, new Int32Array(2 * this.head.length));
    this.farthest = grow(this.farthest, new Int32Array(2 * this.farthest.length));
    this.farthestHeight = grow(this.farthestHeight, new Float64Array(2 * this.farthestHeight.length));
    this.stamp = grow(this.stamp, new Int32Array(2 * this.stamp.length));
  }
}
