/**
 * What a body near its obstacles can still do: the contacts of a pose as half spaces of twists, and the part of a wanted twist that
 * presses into none of them.
 *
 * Method: each pair of triangles within reach gives the nearest points and the normal between them; a twist (v, w) about the body's
 * origin keeps the gap where n . (v + w x (p - o)) >= b. The wanted twist is projected on all half spaces by Hildreth's method, in the
 * metric |v|^2 + (weight |w|)^2. b > 0 where the gap is small, so that sliding does not lose it.
 * Source: Zhang, Manocha 2008, "An efficient retraction-based RRT planner", doi:10.1109/ROBOT.2008.4543785 (sliding along contacts);
 * Hildreth 1957, "A quadratic programming procedure", doi:10.1002/nav.3800040113.
 * Twists: v, then w, world axes. It is a guess of a good direction: what is travelled is proven apart from it.
 */

import { closestPointTriangle, closestSegmentSegment } from '../geometry/closest-points.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import type { BodyPair } from './body-pair.js';
import type { RigidPose } from './pose.js';

const MOST = 60;
const SWEEPS = 24;

export class Contacts {
  count = 0;
  /** Per contact: gradient of the gap with the twist (6), in the metric's scaled coordinates. */
  readonly rows = new Float64Array(6 * MOST);
  readonly gaps = new Float64Array(MOST);
  private readonly multipliers = new Float64Array(MOST);
  private readonly near = new Float64Array(9);
  private readonly far = new Float64Array(9);
  private readonly points = new Float64Array(6);
  private readonly best = new Float64Array(6);
  private readonly nearEdges = new Float64Array(18);
  private readonly farEdges = new Float64Array(18);
  /** Boxes of the edges, then of the whole: min, max, 6 numbers each. */
  private readonly nearBoxes = new Float64Array(24);
  private readonly farBoxes = new Float64Array(24);
  private least = Infinity;

  /** `weight`: length of a radian; planar bodies move in x, y and turn about z. */
  constructor(
    private readonly pair: BodyPair,
    private readonly weight: number,
    private readonly planar: boolean,
  ) {}

  /** Finds the contacts within `reach` of a free pose. */
  find(pose: RigidPose, reach: number): void {
    const { pair } = this;
    const pairs = pair.nearPairs(pose, reach);
    this.count = 0;
    for (let i = 0; i < pairs.length && this.count < MOST; i += 2) {
      readTriangle(this.near, pair.obstacles.mesh, pairs[i]);
      readTriangle(this.far, pair.body.mesh, pairs[i + 1]);
      placeTriangle(this.far, pair.X);
      writeEdges(this.nearEdges, this.near);
      writeEdges(this.farEdges, this.far);
      const gap = this.measure(reach);
      if (gap > 0) this.addRow(pose, gap);
    }
  }

  /** out = the twist nearest to `wanted` that keeps every gap, or opens it by `opening` times what it lacks to `full`. */
  project(out: Float64Array, wanted: Float64Array, full: number, opening: number): Float64Array {
    const { rows, gaps, multipliers, weight, count } = this;
    for (let k = 0; k < 6; k++) out[k] = k < 3 ? wanted[k] : weight * wanted[k];
    if (this.planar) out[2] = out[3] = out[4] = 0;
    multipliers.fill(0, 0, count);
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      let change = 0;
      for (let i = 0; i < count; i++) {
        const at = 6 * i;
        let dot = 0;
        let square = 0;
        for (let k = 0; k < 6; k++) {
          dot += rows[at + k] * out[k];
          square += rows[at + k] * rows[at + k];
        }
        if (square === 0) continue;
        const target = opening * (full - gaps[i]);
        const step = Math.max(-multipliers[i], (target - dot) / square);
        if (step === 0) continue;
        multipliers[i] += step;
        change = Math.max(change, Math.abs(step));
        for (let k = 0; k < 6; k++) out[k] += step * rows[at + k];
      }
      if (change < 1e-6 * full) break;
    }
    for (let k = 3; k < 6; k++) out[k] /= weight;
    return out;
  }

  /**
   * Nearest points of the two triangles into `best` (obstacle, body); the gap, 0 where it is more than `reach`. They do not cross: edges and
   * corners are all, and most of these are told apart by their boxes.
   */
  private measure(reach: number): number {
    const { near, far, nearBoxes, farBoxes } = this;
    writeBoxes(nearBoxes, near);
    writeBoxes(farBoxes, far);
    const most = reach * reach * (1 + 1e-6);
    this.least = most;
    for (let corner = 0; corner < 9; corner += 3) {
      if (pointToBox(near, corner, farBoxes) < this.least)
        this.keep(closestPointTriangle(this.points, 3, near, corner, far), near, corner, false);
      if (pointToBox(far, corner, nearBoxes) < this.least)
        this.keep(closestPointTriangle(this.points, 3, far, corner, near), far, corner, true);
    }
    for (let e = 0; e < 3; e++)
      for (let f = 0; f < 3; f++) {
        if (boxToBox(nearBoxes, 6 * e, farBoxes, 6 * f) >= this.least) continue;
        const square = closestSegmentSegment(this.points, this.nearEdges, 6 * e, this.farEdges, 6 * f);
        if (square >= this.least) continue;
        this.least = square;
        this.best.set(this.points);
      }
    return this.least < most ? Math.sqrt(this.least) : 0;
  }

  /** A corner's nearest point lies in points[3..5]. */
  private keep(square: number, from: Float64Array, corner: number, isBody: boolean): void {
    if (square >= this.least) return;
    this.least = square;
    for (let k = 0; k < 3; k++) {
      this.best[isBody ? 3 + k : k] = from[corner + k];
      this.best[isBody ? k : 3 + k] = this.points[3 + k];
    }
  }

  private addRow(pose: RigidPose, gap: number): void {
    const { best, rows, weight, count } = this;
    const nx = (best[3] - best[0]) / gap;
    const ny = (best[4] - best[1]) / gap;
    const nz = (best[5] - best[2]) / gap;
    const rx = best[3] - pose[0];
    const ry = best[4] - pose[1];
    const rz = best[5] - pose[2];
    const at = 6 * count;
    rows[at] = nx;
    rows[at + 1] = ny;
    rows[at + 2] = this.planar ? 0 : nz;
    rows[at + 3] = this.planar ? 0 : (ry * nz - rz * ny) / weight;
    rows[at + 4] = this.planar ? 0 : (rz * nx - rx * nz) / weight;
    rows[at + 5] = (rx * ny - ry * nx) / weight;
    for (let i = 0; i < count; i++) {
      let same = true;
      for (let k = 0; k < 6 && same; k++) same = Math.abs(rows[6 * i + k] - rows[at + k]) < 1e-3;
      if (!same) continue;
      if (gap < this.gaps[i]) this.gaps[i] = gap;
      return;
    }
    this.gaps[count] = gap;
    this.count++;
  }
}

function readTriangle(out: Float64Array, mesh: TriangleMesh, triangle: number): void {
  for (let corner = 0; corner < 3; corner++) {
    const v = 3 * mesh.triangles[3 * triangle + corner];
    for (let k = 0; k < 3; k++) out[3 * corner + k] = mesh.vertices[v + k];
  }
}

/** The three edges, both ends each. */
function writeEdges(out: Float64Array, corners: Float64Array): void {
  for (let e = 0; e < 3; e++) for (let k = 0; k < 6; k++) out[6 * e + k] = corners[(3 * e + k) % 9];
}

/** Of the edges as `writeEdges` has them, and of the three corners. */
function writeBoxes(out: Float64Array, corners: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    const a = corners[k];
    const b = corners[3 + k];
    const c = corners[6 + k];
    const ab = a < b;
    const bc = b < c;
    const ca = c < a;
    out[k] = ab ? a : b;
    out[3 + k] = ab ? b : a;
    out[6 + k] = bc ? b : c;
    out[9 + k] = bc ? c : b;
    out[12 + k] = ca ? c : a;
    out[15 + k] = ca ? a : c;
    out[18 + k] = Math.min(out[k], c);
    out[21 + k] = Math.max(out[3 + k], c);
  }
}

/** Squared distance of a point from the box of a whole triangle. */
function pointToBox(p: Float64Array, at: number, boxes: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const x = p[at + k];
    const d = x < boxes[18 + k] ? boxes[18 + k] - x : x > boxes[21 + k] ? x - boxes[21 + k] : 0;
    sum += d * d;
  }
  return sum;
}

function boxToBox(a: Float64Array, i: number, b: Float64Array, j: number): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const d = a[i + k] > b[j + 3 + k] ? a[i + k] - b[j + 3 + k] : b[j + k] > a[i + 3 + k] ? b[j + k] - a[i + 3 + k] : 0;
    sum += d * d;
  }
  return sum;
}

function placeTriangle(out: Float64Array, X: Float64Array): void {
  for (let at = 0; at < 9; at += 3) {
    const x = out[at];
    const y = out[at + 1];
    const z = out[at + 2];
    for (let k = 0; k < 3; k++) out[at + k] = X[3 * k] * x + X[3 * k + 1] * y + X[3 * k + 2] * z + X[9 + k];
  }
}
