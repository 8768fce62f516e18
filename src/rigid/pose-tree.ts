/**
 * A tree of poses with its nearest neighbours.
 *
 * Metric: d^2 = |dp|^2 + (2 w)^2 min(|q - q'|^2, |q + q'|^2), near 0 the way of the origin and w times the angle: a Euclidean distance
 * of seven numbers to the nearer of q and -q, so that one k-d forest serves. Poses are kept; nothing is removed.
 */

import { NearestForest } from '../planning/nearest-forest.js';
import type { RigidPose } from './pose.js';

export class PoseTree {
  count = 0;
  parents = new Int32Array(256);
  /** What the distance of each pose is at least. */
  gaps = new Float64Array(256);
  /** Of the nearest that was found last, squared. */
  nearestSquare = 0;
  private poses = new Float64Array(7 * 256);
  private points = new Float64Array(7 * 256);
  /** 1: no nearest neighbour of anything. */
  private hidden = new Uint8Array(256);
  private readonly forest = new NearestForest(7);
  private readonly query = new Float64Array(7);

  /** `weight`: length of a radian. */
  constructor(private readonly weight: number) {}

  /** `isHidden`: a place on the way, which nothing is to grow from because it is near. */
  add(pose: RigidPose, parent: number, gap: number, isHidden = false): number {
    const i = this.count++;
    if (i === this.parents.length) this.grow();
    if (isHidden) this.hidden[i] = 1;
    this.parents[i] = parent;
    this.gaps[i] = gap;
    for (let k = 0; k < 7; k++) {
      this.poses[7 * i + k] = pose[k];
      this.points[7 * i + k] = k < 3 ? pose[k] : 2 * this.weight * pose[k];
    }
    this.forest.absorb(this.points, this.count);
    return i;
  }

  read(out: RigidPose, i: number): RigidPose {
    for (let k = 0; k < 7; k++) out[k] = this.poses[7 * i + k];
    return out;
  }

  /** Largest distance of a position from the root's. */
  reach(): number {
    let most = 0;
    for (let i = 1; i < this.count; i++) {
      let square = 0;
      for (let k = 0; k < 3; k++) square += (this.poses[7 * i + k] - this.poses[k]) ** 2;
      most = Math.max(most, square);
    }
    return Math.sqrt(most);
  }

  nearest(pose: RigidPose): number {
    let best = -1;
    let least = Infinity;
    const { query, points, forest } = this;
    for (let sign = 1; sign >= -1; sign -= 2) {
      for (let k = 0; k < 7; k++) query[k] = k < 3 ? pose[k] : sign * 2 * this.weight * pose[k];
      forest.search(query, this.hidden);
      if (forest.best < least) {
        least = forest.best;
        best = forest.bestPoint;
      }
      for (let i = forest.count; i < this.count; i++) {
        if (this.hidden[i]) continue;
        let sum = 0;
        for (let k = 0, o = 7 * i; k < 7; k++, o++) {
          const d = points[o] - query[k];
          sum += d * d;
        }
        if (sum < least) {
          least = sum;
          best = i;
        }
      }
    }
    this.nearestSquare = least;
    return best;
  }

  /** A hidden node is found from now on. */
  show(i: number): void {
    this.hidden[i] = 0;
  }

  /** From the root to node i. */
  path(i: number): RigidPose[] {
    const out: RigidPose[] = [];
    for (let node = i; node >= 0; node = this.parents[node]) out.push(this.read(new Float64Array(7), node));
    return out.reverse();
  }

  private grow(): void {
    const size = 2 * this.parents.length;
    const poses = new Float64Array(7 * size);
    poses.set(this.poses);
    this.poses = poses;
    const points = new Float64Array(7 * size);
    points.set(this.points);
    this.points = points;
    const parents = new Int32Array(size);
    parents.set(this.parents);
    this.parents = parents;
    const gaps = new Float64Array(size);
    gaps.set(this.gaps);
    this.gaps = gaps;
    const hidden = new Uint8Array(size);
    hidden.set(this.hidden);
    this.hidden = hidden;
  }
}
