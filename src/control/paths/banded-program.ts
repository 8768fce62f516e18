/**
 * Convex programs of paths: a quadratic cost of a band, bounds, and hinges that each touch neighbours along the path only:
 *
 *   minimise  1/2 x'H x + g'x + sum_i w_i max(0, b_i - a_i'x)   subject to   lower <= x <= upper.
 *
 * Method: primal-dual interior point. A hinge is s_i >= 0, s_i >= b_i - a_i'x at a cost w_i s_i; its slack and both multipliers are
 * eliminated one by one, which leaves a multiple of a_i a_i' on the matrix. With hinges of at most `width` numbers in a row that stays a band,
 * factorised by Cholesky. Steps go 0.99 of the way to the nearest bound, the barrier falls by ten and more each time.
 * Source: Nocedal, Wright 2006, "Numerical optimization", section 16.6, doi:10.1007/978-0-387-40065-5; Schulman et al. 2014, section III (l1
 * penalties of a path), doi:10.1177/0278364914528132.
 *
 * Shapes: H in band storage, row i holds H[i][i - band .. i] at i (band + 1), lower triangle; rows of hinges at `width` i, their first unknown in
 * `starts`. Positive semidefinite H, finite bounds with lower <= upper.
 * Cost: size band^2 + hinges width^2 per iteration, ten to twenty of them. Nothing is allocated once the largest program was seen.
 * Ends: `solved` to a relative gap of 1e-6, `limit` with the best point, feasible either way. Never NaN for finite numbers.
 * Tested by banded-program.test.ts against the dense active-set solver.
 */

export interface BandedProgram {
  readonly size: number;
  readonly band: number;
  readonly H: Float64Array;
  readonly g: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly hinges: Hinges;
}

/** Growing lists of hinges. */
export class Hinges {
  count = 0;
  starts = new Int32Array(64);
  values = new Float64Array(64);
  weights = new Float64Array(64);
  rows: Float64Array;

  constructor(readonly width: number) {
    this.rows = new Float64Array(64 * width);
  }

  clear(): void {
    this.count = 0;
  }

  /** Adds w max(0, b - a'x) with a = 0; returns where a is to be written, from unknown `start` on. */
  add(start: number, b: number, weight: number): number {
    const i = this.count++;
    if (i === this.starts.length) this.grow();
    this.starts[i] = start;
    this.values[i] = b;
    this.weights[i] = weight;
    const at = i * this.width;
    this.rows.fill(0, at, at + this.width);
    return at;
  }

  private grow(): void {
    const { starts, values, weights, rows } = this;
    const size = 2 * starts.length;
    this.starts = new Int32Array(size);
    this.values = new Float64Array(size);
    this.weights = new Float64Array(size);
    this.rows = new Float64Array(size * this.width);
    this.starts.set(starts);
    this.values.set(values);
    this.weights.set(weights);
    this.rows.set(rows);
  }
}

const MOST_ITERATIONS = 40;
const GAP = 1e-6;
const TO_BOUND = 0.99;
/** Narrower intervals of an unknown are treated as this wide. */
const LEAST_WIDTH = 1e-9;

export class BandedSolver {
  x: Float64Array = new Float64Array(0);
  iterations = 0;
  private matrix = new Float64Array(0);
  private right = new Float64Array(0);
  /** Multipliers of the bounds and their changes, four numbers an unknown. */
  private bound = new Float64Array(0);
  /** u, s, lambda, a'dx, p, q, c, of each hinge. */
  private hinge = new Float64Array(0);

  /** Writes x. */
  solve(program: BandedProgram): 'solved' | 'limit' {
    const { size, hinges } = program;
    this.reserve(size, program.band, hinges.count);
    let barrier = this.begin(program);
    for (this.iterations = 0; this.iterations < MOST_ITERATIONS; this.iterations++) {
      const { gap, residual, scale } = this.measure(program);
      if (gap <= GAP * scale && residual <= 1e-6 * scale) return 'solved';
      const count = 2 * size + 2 * hinges.count;
      barrier = Math.min(barrier, (0.1 * gap) / count);
      this.assemble(program, barrier);
      if (!factorizeBand(this.matrix, size, program.band)) return 'limit';
      solveBand(this.right, this.matrix, size, program.band);
      this.move(program, barrier);
    }
    return 'limit';
  }

  private reserve(size: number, band: number, hinges: number): void {
    if (this.x.length !== size) this.x = new Float64Array(size);
    if (this.right.length < size) this.right = new Float64Array(size);
    if (this.bound.length < 4 * size) this.bound = new Float64Array(4 * size);
    if (this.matrix.length < size * (band + 1)) this.matrix = new Float64Array(size * (band + 1));
    if (this.hinge.length < 7 * hinges) this.hinge = new Float64Array(14 * hinges);
  }

  private begin({ size, lower, upper, hinges, g }: BandedProgram): number {
    const { x, bound, hinge } = this;
    for (let i = 0; i < size; i++) {
      const width = Math.max(upper[i] - lower[i], LEAST_WIDTH);
      x[i] = Math.min(Math.max(0, lower[i] + 0.1 * width), lower[i] + 0.9 * width);
    }
    let largest = 1e-3;
    for (let i = 0; i < hinges.count; i++) {
      const value = hinges.values[i] - this.dot(hinges, i, x);
      const s = Math.max(value, 0) + 0.1 * Math.max(Math.abs(value), 1e-2);
      hinge[7 * i] = s - value;
      hinge[7 * i + 1] = s;
      hinge[7 * i + 2] = 0.5 * hinges.weights[i];
      largest = Math.max(largest, 0.5 * hinges.weights[i] * s);
    }
    for (let i = 0; i < size; i++) largest = Math.max(largest, Math.abs(g[i]) * Math.max(upper[i] - lower[i], LEAST_WIDTH));
    const barrier = 0.1 * largest;
    for (let i = 0; i < size; i++) {
      bound[4 * i] = barrier / (x[i] - lower[i]);
      bound[4 * i + 1] = barrier / (Math.max(upper[i], lower[i] + LEAST_WIDTH) - x[i]);
    }
    return barrier;
  }

  private dot({ rows, starts, width }: Hinges, i: number, x: Float64Array): number {
    let sum = 0;
    const start = starts[i];
    const end = Math.min(width, x.length - start);
    for (let k = 0; k < end; k++) sum += rows[i * width + k] * x[start + k];
    return sum;
  }

  /** Writes the dual residual into `right`. */
  private measure(program: BandedProgram): { gap: number; residual: number; scale: number } {
    const { size, band, H, g, lower, upper, hinges } = program;
    const { x, bound, hinge, right } = this;
    right.fill(0, 0, size);
    multiplyBand(right, H, x, size, band);
    let scale = 1e-9;
    for (let i = 0; i < size; i++) {
      scale += Math.abs(0.5 * x[i] * right[i] + g[i] * x[i]);
      right[i] += g[i] - bound[4 * i] + bound[4 * i + 1];
    }
    let gap = 0;
    for (let i = 0; i < size; i++)
      gap += bound[4 * i] * (x[i] - lower[i]) + bound[4 * i + 1] * (Math.max(upper[i], lower[i] + LEAST_WIDTH) - x[i]);
    const { rows, starts, width, weights } = hinges;
    for (let i = 0; i < hinges.count; i++) {
      const at = 7 * i;
      const lambda = hinge[at + 2];
      gap += lambda * hinge[at] + (weights[i] - lambda) * hinge[at + 1];
      scale += weights[i] * hinge[at + 1];
      const start = starts[i];
      const end = Math.min(width, size - start);
      for (let k = 0; k < end; k++) right[start + k] -= lambda * rows[i * width + k];
    }
    let residual = 0;
    for (let i = 0; i < size; i++) residual = Math.max(residual, Math.abs(right[i]));
    return { gap, residual, scale };
  }

  /** The matrix, and in `right` what the step is solved from. */
  private assemble({ size, band, H, lower, upper, hinges }: BandedProgram, barrier: number): void {
    const { matrix, right, bound, hinge, x } = this;
    const stride = band + 1;
    for (let i = 0; i < size * stride; i++) matrix[i] = H[i];
    for (let i = 0; i < size; i++) {
      const below = x[i] - lower[i];
      const above = Math.max(upper[i], lower[i] + LEAST_WIDTH) - x[i];
      const [low, high] = [bound[4 * i], bound[4 * i + 1]];
      matrix[i * stride + band] += low / below + high / above;
      right[i] = -right[i] + (barrier / below - low) - (barrier / above - high);
    }
    const { rows, starts, width, weights } = hinges;
    for (let i = 0; i < hinges.count; i++) {
      const at = 7 * i;
      const [u, s, lambda] = [hinge[at], hinge[at + 1], hinge[at + 2]];
      const nu = weights[i] - lambda;
      const p = lambda / u;
      const q = nu / s;
      const cu = barrier / u - lambda;
      const cs = barrier / s - nu;
      hinge[at + 4] = p;
      hinge[at + 5] = q;
      hinge[at + 6] = cu + cs;
      hinge[at + 3] = cs;
      const weight = (p * q) / (p + q);
      const pull = (q * cu - p * cs) / (p + q);
      const start = starts[i];
      const end = Math.min(width, size - start);
      const from = i * width;
      for (let r = 0; r < end; r++) {
        const a = rows[from + r];
        if (a === 0) continue;
        const row = (start + r) * stride + band - r;
        const wa = weight * a;
        for (let c = 0; c <= r; c++) matrix[row + c] += wa * rows[from + c];
        right[start + r] += pull * a;
      }
    }
  }

  private move({ size, lower, upper, hinges }: BandedProgram, barrier: number): void {
    const { x, right: dx, bound, hinge } = this;
    let step = 1;
    const limit = (value: number, change: number): void => {
      if (change < 0) step = Math.min(step, (-TO_BOUND * value) / change);
    };
    for (let i = 0; i < size; i++) {
      const below = x[i] - lower[i];
      const above = Math.max(upper[i], lower[i] + LEAST_WIDTH) - x[i];
      const low = bound[4 * i];
      const high = bound[4 * i + 1];
      bound[4 * i + 2] = barrier / below - low - (low / below) * dx[i];
      bound[4 * i + 3] = barrier / above - high + (high / above) * dx[i];
      limit(below, dx[i]);
      limit(above, -dx[i]);
      limit(low, bound[4 * i + 2]);
      limit(high, bound[4 * i + 3]);
    }
    for (let i = 0; i < hinges.count; i++) {
      const at = 7 * i;
      const [u, s, lambda, cs] = [hinge[at], hinge[at + 1], hinge[at + 2], hinge[at + 3]];
      const [p, q, sum] = [hinge[at + 4], hinge[at + 5], hinge[at + 6]];
      const along = this.dot(hinges, i, dx);
      const ds = (sum - p * along) / (p + q);
      const du = ds + along;
      const dl = q * ds - cs;
      limit(u, du);
      limit(s, ds);
      limit(lambda, dl);
      limit(hinges.weights[i] - lambda, -dl);
      hinge[at + 4] = du;
      hinge[at + 5] = ds;
      hinge[at + 6] = dl;
    }
    for (let i = 0; i < size; i++) {
      x[i] += step * dx[i];
      bound[4 * i] += step * bound[4 * i + 2];
      bound[4 * i + 1] += step * bound[4 * i + 3];
    }
    for (let i = 0; i < hinges.count; i++) {
      const at = 7 * i;
      for (let k = 0; k < 3; k++) hinge[at + k] += step * hinge[at + 4 + k];
    }
  }
}

/** out += H x. */
export function multiplyBand(out: Float64Array, H: Float64Array, x: Float64Array, size: number, band: number): void {
  const stride = band + 1;
  for (let i = 0; i < size; i++) {
    const row = i * stride + band - i;
    let sum = H[row + i] * x[i];
    for (let j = Math.max(0, i - band); j < i; j++) {
      const h = H[row + j];
      sum += h * x[j];
      out[j] += h * x[i];
    }
    out[i] += sum;
  }
}

/** Cholesky in place; false where a pivot is not positive. */
export function factorizeBand(A: Float64Array, size: number, band: number): boolean {
  const stride = band + 1;
  for (let i = 0; i < size; i++) {
    const row = i * stride + band - i;
    const first = Math.max(0, i - band);
    for (let j = first; j <= i; j++) {
      const other = j * stride + band - j;
      let sum = A[row + j];
      for (let k = Math.max(first, j - band); k < j; k++) sum -= A[row + k] * A[other + k];
      if (j < i) A[row + j] = sum / A[other + j];
      else if (sum > 0) A[row + i] = Math.sqrt(sum);
      else return false;
    }
  }
  return true;
}

/** Solves L L' x = b in place. */
export function solveBand(b: Float64Array, L: Float64Array, size: number, band: number): void {
  const stride = band + 1;
  for (let i = 0; i < size; i++) {
    const row = i * stride + band - i;
    let sum = b[i];
    for (let k = Math.max(0, i - band); k < i; k++) sum -= L[row + k] * b[k];
    b[i] = sum / L[row + i];
  }
  for (let i = size - 1; i >= 0; i--) {
    const x = b[i] / L[i * stride + band];
    b[i] = x;
    const row = i * stride + band - i;
    for (let k = Math.max(0, i - band); k < i; k++) b[k] -= L[row + k] * x;
  }
}
