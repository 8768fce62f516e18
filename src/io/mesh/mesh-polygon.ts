/**
 * Cuts polygons of a mesh file into triangles: always corners - 2 of them, on the polygon's own vertices.
 *
 * Method: 1. normal by Newell's formula; 2. a polygon whose corners all turn the same way is fanned from its first
 * corner; 3. any other is projected along its normal's largest component and clipped ear by ear, round robin, an ear
 * being a left turn that holds no other corner; 4. where no ear is left (crossing or repeated edges) the next corner
 * is cut off as it is, so the count stays.
 * Source: G. H. Meisters, Polygons have ears, 1975, doi:10.1080/00029890.1975.11993898.
 *
 * Cost: linear for convex polygons, quadratic in the corners otherwise, within a budget for the whole file; beyond the
 * budget concave polygons are fanned and `fanned` counts them. Checked by mesh-polygon.test.ts.
 */

import type { FileIssues } from '../file-issues.js';

/** Corner tests that one file may still cost; the whole is about a second. */
export class CutBudget {
  constructor(public tests = 50_000_000) {}
}

export class PolygonCutter {
  /** Concave polygons that were fanned because the budget was used up. */
  fanned = 0;
  /** Polygons that cross themselves or have no area: cut, but the triangles may overlap. */
  irregular = 0;
  private next = new Int32Array(64);
  private previous = new Int32Array(64);
  private u = new Float64Array(64);
  private v = new Float64Array(64);

  constructor(
    private readonly vertices: ArrayLike<number>,
    private readonly budget = new CutBudget(),
  ) {}

  /** Writes the triangles of corners[start .. start + count) to out from `at` on; returns the position behind them. */
  cut(out: Uint32Array, at: number, corners: ArrayLike<number>, start: number, count: number): number {
    if (count === 3) {
      out[at] = corners[start];
      out[at + 1] = corners[start + 1];
      out[at + 2] = corners[start + 2];
      return at + 3;
    }
    this.project(corners, start, count);
    if (this.isConvex(count)) return fan(out, at, corners, start, count);
    return this.clip(out, at, corners, start, count);
  }

  /** Corners in the plane of the two smaller components of the normal, counter-clockwise. */
  private project(corners: ArrayLike<number>, start: number, count: number): void {
    const { vertices } = this;
    if (this.u.length < count) {
      this.u = new Float64Array(count * 2);
      this.v = new Float64Array(count * 2);
    }
    const origin = 3 * corners[start];
    let nx = 0;
    let ny = 0;
    let nz = 0;
    for (let i = 0; i < count; i++) {
      const a = 3 * corners[start + i];
      const b = 3 * corners[start + (i + 1 < count ? i + 1 : 0)];
      const ax = vertices[a] - vertices[origin];
      const ay = vertices[a + 1] - vertices[origin + 1];
      const az = vertices[a + 2] - vertices[origin + 2];
      const bx = vertices[b] - vertices[origin];
      const by = vertices[b + 1] - vertices[origin + 1];
      const bz = vertices[b + 2] - vertices[origin + 2];
      nx += ay * bz - az * by;
      ny += az * bx - ax * bz;
      nz += ax * by - ay * bx;
    }
    const largest = Math.max(Math.abs(nx), Math.abs(ny), Math.abs(nz));
    let first = 0;
    let second = 1;
    let sign = nz;
    if (Math.abs(nx) === largest) {
      first = 1;
      second = 2;
      sign = nx;
    } else if (Math.abs(ny) === largest) {
      first = 2;
      second = 0;
      sign = ny;
    }
    const flip = sign < 0 ? -1 : 1;
    for (let i = 0; i < count; i++) {
      const at = 3 * corners[start + i];
      this.u[i] = flip * (vertices[at + first] - vertices[origin + first]);
      this.v[i] = vertices[at + second] - vertices[origin + second];
    }
  }

  /** All turns strictly to the left, once around. A straight corner does not count: a fan could make slivers of it. */
  private isConvex(count: number): boolean {
    const { u, v } = this;
    let turns = 0;
    for (let i = 0; i < count; i++) {
      const j = i + 1 < count ? i + 1 : 0;
      const k = j + 1 < count ? j + 1 : 0;
      if (turn(u[i], v[i], u[j], v[j], u[k], v[k]) <= 0) return false;
      // each crossing of the horizontal direction upwards is one revolution
      if (v[j] - v[i] < 0 && v[k] - v[j] >= 0) turns++;
    }
    return turns <= 1;
  }

  private clip(out: Uint32Array, at: number, corners: ArrayLike<number>, start: number, count: number): number {
    if (this.next.length < count) {
      this.next = new Int32Array(count * 2);
      this.previous = new Int32Array(count * 2);
    }
    const { next, previous } = this;
    for (let i = 0; i < count; i++) {
      next[i] = i + 1 < count ? i + 1 : 0;
      previous[i] = i > 0 ? i - 1 : count - 1;
    }
    let left = count;
    let corner = 0;
    let misses = 0;
    let irregular = false;
    while (left > 3) {
      if (this.budget.tests < 0) {
        this.fanned++;
        return this.fanRest(out, at, corners, start, corner);
      }
      const before = previous[corner];
      const after = next[corner];
      const ear = this.isEar(before, corner, after);
      if (ear || misses >= left) {
        if (!ear) irregular = true;
        out[at++] = corners[start + before];
        out[at++] = corners[start + corner];
        out[at++] = corners[start + after];
        next[before] = after;
        previous[after] = before;
        left--;
        misses = 0;
        corner = next[after];
      } else {
        misses++;
        corner = after;
      }
    }
    if (irregular) this.irregular++;
    return this.fanRest(out, at, corners, start, corner);
  }

  private isEar(before: number, corner: number, after: number): boolean {
    const { u, v, next } = this;
    const au = u[before];
    const av = v[before];
    const bu = u[corner];
    const bv = v[corner];
    const cu = u[after];
    const cv = v[after];
    this.budget.tests--;
    if (turn(au, av, bu, bv, cu, cv) <= 0) return false;
    for (let i = next[after]; i !== before; i = next[i]) {
      this.budget.tests--;
      const pu = u[i];
      const pv = v[i];
      // a corner at the same place as one of the ear's is no obstacle (bridged holes repeat their corners)
      if ((pu === au && pv === av) || (pu === bu && pv === bv) || (pu === cu && pv === cv)) continue;
      if (turn(au, av, bu, bv, pu, pv) >= 0 && turn(bu, bv, cu, cv, pu, pv) >= 0 && turn(cu, cv, au, av, pu, pv) >= 0) {
        return false;
      }
    }
    return true;
  }

  /** Fan of the corners still linked. */
  private fanRest(out: Uint32Array, at: number, corners: ArrayLike<number>, start: number, apex: number): number {
    const { next } = this;
    for (let i = next[apex]; next[i] !== apex; i = next[i]) {
      out[at++] = corners[start + apex];
      out[at++] = corners[start + i];
      out[at++] = corners[start + next[i]];
    }
    return at;
  }
}

/** Warns of polygons that could not be cut properly. */
export function reportCuts(cutter: PolygonCutter, issues: FileIssues): void {
  if (cutter.irregular > 0) {
    issues.warn('irregular-polygon', `${cutter.irregular} polygons cross themselves or have no area; triangulate them`);
  }
  if (cutter.fanned > 0) {
    issues.warn('fanned-polygon', `${cutter.fanned} concave polygons are too large to cut properly; triangulate them`);
  }
}

function fan(out: Uint32Array, at: number, corners: ArrayLike<number>, start: number, count: number): number {
  for (let i = 1; i + 1 < count; i++) {
    out[at++] = corners[start];
    out[at++] = corners[start + i];
    out[at++] = corners[start + i + 1];
  }
  return at;
}

/** Positive when a, b, c turn to the left. */
function turn(au: number, av: number, bu: number, bv: number, cu: number, cv: number): number {
  return (bu - au) * (cv - av) - (bv - av) * (cu - au);
}
