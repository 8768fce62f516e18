/**
 * Points, balls, and how many balls cover each point, kept up to date as balls move and points are added.
 * Frames: L link. Cost: a pass over the points per ball that changes. Checked by fit-spheres.test.ts.
 */
import { hypot } from '../../math/scalar.js';

/** Radii are taken larger by this share, so that the points that fixed them count as covered. */
export const TOUCH = 1e-9;

export class CoverState {
  /** x y z each; those from `pointCount` on mean nothing. */
  points: Float64Array;
  pointCount = 0;
  /** x, y, z, radius each; radius 0: not in use. */
  readonly balls: Float64Array;
  private covers: Uint16Array;

  constructor(points: ArrayLike<number>, balls: ArrayLike<number>) {
    this.balls = Float64Array.from(balls);
    this.points = new Float64Array(2 * points.length);
    this.covers = new Uint16Array((2 * points.length) / 3);
    this.addPoints(points);
  }

  get ballCount(): number {
    return this.balls.length / 4;
  }

  private covered(p: number, i: number): boolean {
    const { points, balls } = this;
    const [dx, dy, dz] = [points[p] - balls[i], points[p + 1] - balls[i + 1], points[p + 2] - balls[i + 2]];
    return balls[i + 3] > 0 && dx * dx + dy * dy + dz * dz <= balls[i + 3] * balls[i + 3];
  }

  addPoints(added: ArrayLike<number>): void {
    const start = 3 * this.pointCount;
    const end = start + added.length;
    if (end > this.points.length) {
      const points = new Float64Array(2 * end);
      points.set(this.points);
      this.points = points;
      const covers = new Uint16Array((2 * end) / 3);
      covers.set(this.covers);
      this.covers = covers;
    }
    this.points.set(added, start);
    this.pointCount = end / 3;
    for (let p = start; p < end; p += 3) {
      let count = 0;
      for (let i = 0; i < this.balls.length; i += 4) if (this.covered(p, i)) count++;
      this.covers[p / 3] = count;
    }
  }

  /** `i`: offset of the ball. */
  setBall(i: number, x: number, y: number, z: number, r: number): void {
    const { balls, points, covers, pointCount } = this;
    const [ox, oy, oz, or] = [balls[i], balls[i + 1], balls[i + 2], balls[i + 3]];
    if (ox === x && oy === y && oz === z && or === r) return;
    const [before, after] = [or > 0 ? or * or : -1, r > 0 ? r * r : -1];
    for (let n = 0, p = 0; n < pointCount; n++, p += 3) {
      const [px, py, pz] = [points[p], points[p + 1], points[p + 2]];
      const was = (px - ox) * (px - ox) + (py - oy) * (py - oy) + (pz - oz) * (pz - oz) <= before;
      const is = (px - x) * (px - x) + (py - y) * (py - y) + (pz - z) * (pz - z) <= after;
      if (was !== is) covers[n] += is ? 1 : -1;
    }
    balls[i] = x;
    balls[i + 1] = y;
    balls[i + 2] = z;
    balls[i + 3] = r;
  }

  /** Offsets of points that ball `i` alone covers. */
  ownPoints(i: number): number[] {
    const out: number[] = [];
    for (let n = 0; n < this.pointCount; n++) if (this.covers[n] === 1 && this.covered(3 * n, i)) out.push(3 * n);
    return out;
  }

  /** Offsets of points that no ball but `i` and `j` covers. */
  sharedPoints(i: number, j: number): number[] {
    const out: number[] = [];
    for (let n = 0; n < this.pointCount; n++) {
      if (this.covers[n] > 2) continue;
      const count = (this.covered(3 * n, i) ? 1 : 0) + (this.covered(3 * n, j) ? 1 : 0);
      if (count > 0 && count === this.covers[n]) out.push(3 * n);
    }
    return out;
  }

  hasBare(): boolean {
    for (let n = 0; n < this.pointCount; n++) if (this.covers[n] === 0) return true;
    return false;
  }

  /** Points that no ball covers join the one that has to grow the least in volume for them. */
  adoptBare(): void {
    for (let n = 0; n < this.pointCount; n++) {
      if (this.covers[n] > 0) continue;
      const [i, d] = this.nearestBall(3 * n, -1);
      if (i < 0) return;
      const { balls } = this;
      this.setBall(i, balls[i], balls[i + 1], balls[i + 2], d * (1 + TOUCH));
    }
  }

  /** The ball that has to grow the least in volume to reach a point, and how far its centre is; -1: there is none. */
  nearestBall(p: number, except: number): readonly [number, number] {
    const { balls, points } = this;
    let best = -1;
    let least = Infinity;
    let distance = 0;
    for (let j = 0; j < balls.length; j += 4) {
      if (balls[j + 3] <= 0 || j === except) continue;
      const d = hypot(points[p] - balls[j], points[p + 1] - balls[j + 1], points[p + 2] - balls[j + 2]);
      const growth = (d - balls[j + 3]) * d * d;
      if (growth >= least) continue;
      least = growth;
      best = j;
      distance = d;
    }
    return [best, distance];
  }

  /** Of points within balls i and j: distance from the farthest of `items` to (x, y, z), a little more. */
  radiusFor(x: number, y: number, z: number, items: readonly number[]): number {
    const { points } = this;
    let most = 0;
    for (let n = 0; n < items.length; n++) {
      const p = items[n];
      const [dx, dy, dz] = [points[p] - x, points[p + 1] - y, points[p + 2] - z];
      const square = dx * dx + dy * dy + dz * dz;
      if (square > most) most = square;
    }
    return Math.sqrt(most) * (1 + TOUCH);
  }
}
