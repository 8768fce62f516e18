/**
 * A box of poses, places times angles, against pairs of a convex part of an obstacle and one of the body: certainly apart at every
 * pose of the box, certainly overlapping at every pose, or neither can be said.
 *
 * Convex polygons overlap at a pose where the line along no side of either lies between them. For each line that distance, over
 * all places and angles of the box, is bounded by the exact extremes of A cos + B sin over the angles and of linear functions over
 * the rectangle. Where no line ever lies between them they overlap everywhere in the box; where one always does they are apart.
 * Verdicts keep a margin above all rounding, so "overlapping" is meant of the insides, and "apart" of the closed parts.
 *
 * Source of the division of (x, y, theta) into such boxes: D. Zhu, J.-C. Latombe, "New heuristic algorithms for efficient hierarchical
 * path planning", IEEE Transactions on Robotics and Automation 7(1), 1991; C. Wang, Y.-J. Chiang, C. Yap, "On soft
 * predicates in subdivision motion planning", Computational Geometry 48, 2015.
 *
 * Angles of a box span at most a quarter turn. Cost: O(sides x corners) for a pair. Tested by box-verdict.test.ts.
 */
import { hypot, sinCos } from '../../math/scalar.js';
import type { ConvexPart } from '../convex-parts.js';

/** Places `[x0, x1] x [y0, y1]`, angles `[from, to]` in radians. */
export interface PoseBox {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
  readonly from: number;
  readonly to: number;
}

/** Corners, and sides by outward unit normal and distance from the origin. */
export interface SidedPart {
  readonly corners: Float64Array;
  readonly normals: Float64Array;
  readonly offsets: Float64Array;
  /** Largest coordinate sum of a corner. */
  readonly size: number;
}

/** Times the size of all coordinates: above the rounding of every sum here. */
const ROUNDING = 2 ** -44;

export function toSidedPart(part: ConvexPart): SidedPart {
  const n = part.length;
  const corners = new Float64Array(2 * n);
  const normals = new Float64Array(2 * n);
  const offsets = new Float64Array(n);
  let size = 0;
  for (const [i, [x, y]] of part.entries()) {
    const [nx, ny] = part[(i + 1) % n];
    const length = hypot(nx - x, ny - y);
    corners.set([x, y], 2 * i);
    normals.set([(ny - y) / length, (x - nx) / length], 2 * i);
    offsets[i] = Math.max(normals[2 * i] * x + normals[2 * i + 1] * y, normals[2 * i] * nx + normals[2 * i + 1] * ny);
    size = Math.max(size, Math.abs(x) + Math.abs(y));
  }
  return { corners, normals, offsets, size };
}

const trig = new Float64Array(2);

/** Extremes of the box's angles, for all pairs. */
class BoxAngles {
  sinFrom = 0;
  cosFrom = 1;
  sinTo = 0;
  cosTo = 1;

  set(from: number, to: number): void {
    sinCos(trig, from);
    this.sinFrom = trig[0];
    this.cosFrom = trig[1];
    sinCos(trig, to);
    this.sinTo = trig[0];
    this.cosTo = trig[1];
  }

  /** Largest a cos + b sin. */
  most(a: number, b: number): number {
    const { sinFrom, cosFrom, sinTo, cosTo } = this;
    if (b * cosFrom - a * sinFrom > 0 && b * cosTo - a * sinTo < 0) return Math.sqrt(a * a + b * b);
    return Math.max(a * cosFrom + b * sinFrom, a * cosTo + b * sinTo);
  }

  least(a: number, b: number): number {
    return -this.most(-a, -b);
  }
}

const angles = new BoxAngles();

/** 1 where the pair overlaps at every pose of the box, -1 where it is apart at every pose, 0 otherwise. */
export function judgeBoxPair(obstacle: SidedPart, body: SidedPart, box: PoseBox): number {
  angles.set(box.from, box.to);
  const x = (box.x0 + box.x1) / 2;
  const y = (box.y0 + box.y1) / 2;
  const hx = Math.max(box.x1 - x, x - box.x0);
  const hy = Math.max(box.y1 - y, y - box.y0);
  const margin = ROUNDING * (obstacle.size + body.size + Math.abs(x) + Math.abs(y) + hx + hy);
  let overlaps = true;
  const kCount = obstacle.offsets.length;
  const rCount = body.offsets.length;
  for (let i = 0; i < kCount; i++) {
    const nx = obstacle.normals[2 * i];
    const ny = obstacle.normals[2 * i + 1];
    let highest = Infinity;
    let lowest = Infinity;
    for (let j = 0; j < rCount; j++) {
      const vx = body.corners[2 * j];
      const vy = body.corners[2 * j + 1];
      const a = nx * vx + ny * vy;
      const b = ny * vx - nx * vy;
      highest = Math.min(highest, angles.most(a, b));
      lowest = Math.min(lowest, angles.least(a, b));
    }
    const at = nx * x + ny * y - obstacle.offsets[i];
    const wide = Math.abs(nx) * hx + Math.abs(ny) * hy;
    if (at - wide + lowest > margin) return -1;
    if (!(at + wide + highest < -margin)) overlaps = false;
  }
  for (let j = 0; j < rCount; j++) {
    const mx = body.normals[2 * j];
    const my = body.normals[2 * j + 1];
    // The turned normal times the rectangle's half sides, at most.
    const wide = Math.max(
      angles.most(mx * hx + my * hy, mx * hy - my * hx),
      angles.most(-mx * hx - my * hy, my * hx - mx * hy),
      angles.most(mx * hx - my * hy, -mx * hy - my * hx),
      angles.most(my * hy - mx * hx, mx * hy + my * hx),
    );
    let highest = Infinity;
    let lowest = Infinity;
    for (let i = 0; i < kCount; i++) {
      const ux = obstacle.corners[2 * i] - x;
      const uy = obstacle.corners[2 * i + 1] - y;
      const a = mx * ux + my * uy;
      const b = mx * uy - my * ux;
      highest = Math.min(highest, angles.most(a, b));
      lowest = Math.min(lowest, angles.least(a, b));
    }
    if (lowest - wide - body.offsets[j] > margin) return -1;
    if (!(highest + wide - body.offsets[j] < -margin)) overlaps = false;
  }
  return overlaps ? 1 : 0;
}
