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

import { GAP_ROW } from '../bvh/list-gaps.js';
import type { BodyPair } from './body-pair.js';
import type { RigidPose } from './pose.js';

const MOST = 60;
const SWEEPS = 8;

export class Contacts {
  count = 0;
  /** Per contact: gradient of the gap with the twist (6), in the metric's scaled coordinates. */
  readonly rows = new Float64Array(6 * MOST);
  readonly gaps = new Float64Array(MOST);
  private readonly multipliers = new Float64Array(MOST);

  /** `weight`: length of a radian; planar bodies move in x, y and turn about z. */
  constructor(
    private readonly pair: BodyPair,
    private readonly weight: number,
    private readonly planar: boolean,
  ) {}

  /** Finds the contacts within `reach` of a free pose. */
  find(pose: RigidPose, reach: number): void {
    const { pair } = this;
    const found = pair.listGaps(pose, reach);
    this.count = 0;
    for (let i = 0; i < found && this.count < MOST; i++) {
      const square = pair.gaps[GAP_ROW * i];
      if (square > 0) this.addRow(pose, GAP_ROW * i + 1, Math.sqrt(square));
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

  /** From the two points at `from` in the pair's rows. */
  private addRow(pose: RigidPose, from: number, gap: number): void {
    const { rows, weight, count } = this;
    const points = this.pair.gaps;
    const nx = (points[from + 3] - points[from]) / gap;
    const ny = (points[from + 4] - points[from + 1]) / gap;
    const nz = (points[from + 5] - points[from + 2]) / gap;
    const rx = points[from + 3] - pose[0];
    const ry = points[from + 4] - pose[1];
    const rz = points[from + 5] - pose[2];
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
