/**
 * The smallest and the largest x for which some u satisfies lower <= alpha u + beta x <= upper, row by row: the linear
 * programs in two variables that time-optimal parameterisation solves at every grid interval.
 *
 * Method: for a fixed x every row bounds u from below and from above. The gap between the largest lower and the smallest
 * upper bound is a convex, piecewise linear function of x. Newton's method from outside the feasible range walks along
 * supporting lines of that function, never passes the end of the range and reaches it in finitely many steps (two to four
 * as a rule). Rows without u bound x at once.
 * Source: the convex gap is Megiddo's view of low-dimensional programs (Megiddo 1984, "Linear programming in linear time when
 * the dimension is fixed", section 2, doi:10.1145/2422.322418); Newton's method in place of his pruning suits some tens of rows.
 * Cost: linear in rows per step. No feasible x: NaN. Tested by interval-program.test.ts against enumeration of vertices.
 */

/** Relative rounding allowed between the bounds of u. */
const ROUNDING = 1e-13;
/** Rows with less than this share of the largest alpha do not bound u, unless theirs is no rest of rounding. */
const NO_CONTROL = 1e-14;
const MOST_STEPS = 200;

export class IntervalProgram {
  rows = 0;
  alpha = new Float64Array(64);
  beta = new Float64Array(64);
  lower = new Float64Array(64);
  upper = new Float64Array(64);
  private exact = new Uint8Array(64);
  /** Bounds of u at the last x asked for, and their slopes. */
  private least = 0;
  private most = 0;
  private leastSlope = 0;
  private mostSlope = 0;
  private smallestAlpha = 0;

  clear(): void {
    this.rows = 0;
  }

  /** `isExact`: alpha counts however small it is beside those of other rows; short steps have small ones. */
  add(alpha: number, beta: number, lower: number, upper: number, isExact = false): void {
    const k = this.rows++;
    if (k === this.alpha.length) this.grow();
    this.alpha[k] = alpha;
    this.beta[k] = beta;
    this.lower[k] = lower;
    this.upper[k] = upper;
    this.exact[k] = isExact && alpha !== 0 ? 1 : 0;
  }

  /** Bounds of u for this x; both their mean where rounding has crossed them. */
  controls(out: Float64Array, x: number): Float64Array {
    this.scaleControls();
    this.boundControl(x);
    const isCrossed = this.least > this.most;
    const mean = 0.5 * (this.least + this.most);
    out[0] = isCrossed ? mean : this.least;
    out[1] = isCrossed ? mean : this.most;
    return out;
  }

  /** Largest (direction 1) or smallest (direction -1) feasible x in [from, to]; NaN when there is none. `to` may be infinite. */
  solve(direction: 1 | -1, from: number, to: number): number {
    const { rows, beta, lower, upper } = this;
    this.scaleControls();
    let low = from;
    let high = to;
    for (let k = 0; k < rows; k++) {
      if (this.boundsControl(k)) continue;
      const b = beta[k];
      if (b === 0) {
        if (lower[k] > 0 || upper[k] < 0) return Number.NaN;
      } else if (b > 0) {
        high = Math.min(high, upper[k] / b);
        low = Math.max(low, lower[k] / b);
      } else {
        high = Math.min(high, lower[k] / b);
        low = Math.max(low, upper[k] / b);
      }
    }
    if (low > high) return low - high <= ROUNDING * Math.abs(low) ? high : Number.NaN;
    let x = direction > 0 ? Math.min(high, this.farthest()) : low;
    if (x === Infinity) return x;
    for (let step = 0; step < MOST_STEPS; step++) {
      this.boundControl(x);
      const gap = this.least - this.most;
      if (!(gap > ROUNDING * (Math.abs(this.least) + Math.abs(this.most)))) return x;
      const slope = this.leastSlope - this.mostSlope;
      if (!(slope * direction > 0)) return Number.NaN;
      const next = x - gap / slope;
      if (next < low || next > high) {
        const beyond = next < low ? low - next : next - high;
        if (beyond > ROUNDING * Math.max(Math.abs(low), Math.abs(high))) return Number.NaN;
        return next < low ? low : high;
      }
      if (next === x) return x;
      x = next;
    }
    return x;
  }

  /** Newton's first step from infinity: where the outermost bounds of u cross; Infinity when they never do. */
  private farthest(): number {
    const { rows, alpha, beta, lower, upper } = this;
    let least = 0;
    let most = 0;
    let leastSlope = -Infinity;
    let mostSlope = Infinity;
    for (let k = 0; k < rows; k++) {
      const a = alpha[k];
      if (!this.boundsControl(k)) continue;
      const slope = -beta[k] / a;
      const down = (a > 0 ? lower[k] : upper[k]) / a;
      const up = (a > 0 ? upper[k] : lower[k]) / a;
      if (down > -Infinity && (slope > leastSlope || (slope === leastSlope && down > least))) {
        least = down;
        leastSlope = slope;
      }
      if (up < Infinity && (slope < mostSlope || (slope === mostSlope && up < most))) {
        most = up;
        mostSlope = slope;
      }
    }
    return leastSlope > mostSlope ? (most - least) / (leastSlope - mostSlope) : Infinity;
  }

  private boundsControl(k: number): boolean {
    return this.exact[k] === 1 || Math.abs(this.alpha[k]) > this.smallestAlpha;
  }

  private scaleControls(): void {
    let largest = 0;
    for (let k = 0; k < this.rows; k++) largest = Math.max(largest, Math.abs(this.alpha[k]));
    this.smallestAlpha = NO_CONTROL * largest;
  }

  private boundControl(x: number): void {
    const { rows, alpha, beta, lower, upper } = this;
    let least = -Infinity;
    let most = Infinity;
    let leastSlope = 0;
    let mostSlope = 0;
    for (let k = 0; k < rows; k++) {
      const a = alpha[k];
      if (!this.boundsControl(k)) continue;
      const b = beta[k];
      const p = (lower[k] - b * x) / a;
      const q = (upper[k] - b * x) / a;
      const down = a > 0 ? p : q;
      const up = a > 0 ? q : p;
      if (down > least) {
        least = down;
        leastSlope = -b / a;
      }
      if (up < most) {
        most = up;
        mostSlope = -b / a;
      }
    }
    this.least = least;
    this.most = most;
    this.leastSlope = leastSlope;
    this.mostSlope = mostSlope;
  }

  private grow(): void {
    for (const name of ['alpha', 'beta', 'lower', 'upper'] as const) {
      const wider = new Float64Array(2 * this[name].length);
      wider.set(this[name]);
      this[name] = wider;
    }
    const exact = new Uint8Array(this.alpha.length);
    exact.set(this.exact);
    this.exact = exact;
  }
}
