/**
 * Convex programs of paths: a quadratic cost of a band, bounds, and hinges that each touch neighbours along the path only:
 *
 *   minimise  1/2 x'H x + g'x + sum_i w_i max(0, b_i - a_i'x)   subject to   lower <= x <= upper.
 *
 * Method: primal-dual interior point. A hinge is s_i >= 0, s_i >= b_i - a_i'x at a cost w_i s_i; its slack and both multipliers are
 * eliminated one by one, which leaves a multiple of a_i a_i' on the matrix. With hinges of at most `width` numbers in a row that stays a band,
 * factorised by Cholesky. Each iteration tries the step without a barrier first, and takes one with as much of it as that one needed and with
 * the products of its changes (predictor and corrector); 0.99 of the way to the nearest bound.
 * Source: Mehrotra 1992, "On the implementation of a primal-dual interior point method", doi:10.1137/0802028; Nocedal, Wright 2006, "Numerical optimization", section 16.6, doi:10.1007/978-0-387-40065-5; Schulman et al. 2014, section III (l1
 * penalties of a path), doi:10.1177/0278364914528132.
 *
 * Shapes: H in band storage, row i holds H[i][i - band .. i] at i (band + 1), lower triangle; rows of hinges at `width` i, their first unknown in
 * `starts`. Positive semidefinite H, finite bounds with lower <= upper.
 * Cost: size band^2 + hinges width^2 per iteration, ten to twenty of them. Nothing is allocated once the largest program was seen.
 * Ends: `solved` to a relative gap, `limit` with the best point, feasible either way. Never NaN for finite numbers.
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
const BOUND = 6;
const HINGE = 8;
/** Of the heaviest slope. */
const FIRST_BARRIER = 2e-3;
const TO_BOUND = 0.99;
/** Narrower intervals of an unknown are treated as this wide. */
const LEAST_WIDTH = 1e-9;

export class BandedSolver {
  x: Float64Array = new Float64Array(0);
  iterations = 0;
  private matrix = new Float64Array(0);
  private right = new Float64Array(0);
  private dual = new Float64Array(0);
  /** Of each unknown: multipliers of its bounds, their changes, corrections of the products. */
  private bound = new Float64Array(0);
  /** Of each hinge: u = s - b + a'x, s, multiplier of u (that of s is the weight less it), their changes, corrections of the products. */
  private hinge = new Float64Array(0);

  /** `gap`: relative, at which a program counts as solved. */
  constructor(private readonly gap = 1e-6) {}

  /** Writes x. */
  solve(program: BandedProgram): 'solved' | 'limit' {
    const { size, band, hinges } = program;
    this.reserve(size, band, hinges.count);
    this.begin(program);
    const count = 2 * size + 2 * hinges.count;
    for (this.iterations = 0; this.iterations < MOST_ITERATIONS; this.iterations++) {
      const { gap, residual, scale } = this.measure(program);
      if (gap <= this.gap * scale && residual <= this.gap * scale) return 'solved';
      this.assemble(program);
      if (!factorizeBand(this.matrix, size, band)) return 'limit';
      // Straight to the optimum first: how far that goes says how much of the barrier is needed, and how the products bend.
      this.clearCorrections(size, hinges.count);
      this.direct(program, 0);
      const { left } = this.reach(program);
      const share = left / gap;
      this.keepCorrections(size, hinges.count);
      this.direct(program, (Math.max(share * share * share, 1e-6) * gap) / count);
      this.advance(program, this.reach(program).step);
    }
    return 'limit';
  }

  private reserve(size: number, band: number, hinges: number): void {
    if (this.x.length !== size) this.x = new Float64Array(size);
    if (this.right.length < size) this.right = new Float64Array(size);
    if (this.dual.length < size) this.dual = new Float64Array(size);
    if (this.bound.length < BOUND * size) this.bound = new Float64Array(BOUND * size);
    if (this.matrix.length < size * (band + 1)) this.matrix = new Float64Array(size * (band + 1));
    if (this.hinge.length < HINGE * hinges) this.hinge = new Float64Array(2 * HINGE * hinges);
  }

  private begin({ size, lower, upper, hinges, g }: BandedProgram): void {
    const { x, bound, hinge } = this;
    for (let i = 0; i < size; i++) {
      const width = Math.max(upper[i] - lower[i], LEAST_WIDTH);
      x[i] = Math.min(Math.max(0, lower[i] + 0.1 * width), lower[i] + 0.9 * width);
    }
    // Every product of a slack and its multiplier is the barrier: the start is central.
    let heaviest = 1e-3;
    for (let i = 0; i < hinges.count; i++) heaviest = Math.max(heaviest, hinges.weights[i]);
    for (let i = 0; i < size; i++) heaviest = Math.max(heaviest, Math.abs(g[i]));
    const barrier = FIRST_BARRIER * heaviest;
    for (let i = 0; i < hinges.count; i++) {
      const value = hinges.values[i] - this.dot(hinges, i, x);
      const w = hinges.weights[i];
      const root = Math.sqrt(w * w * value * value + 4 * barrier * barrier);
      const excess = value > 0 ? w * value + root : (4 * barrier * barrier) / (root - w * value);
      const s = (2 * barrier + excess) / (2 * w);
      const other = value < 0 ? root - w * value : (4 * barrier * barrier) / (root + w * value);
      const u = (2 * barrier + other) / (2 * w);
      hinge[HINGE * i] = u;
      hinge[HINGE * i + 1] = s;
      hinge[HINGE * i + 2] = barrier / u;
    }
    for (let i = 0; i < size; i++) {
      bound[BOUND * i] = barrier / (x[i] - lower[i]);
      bound[BOUND * i + 1] = barrier / (Math.max(upper[i], lower[i] + LEAST_WIDTH) - x[i]);
    }
  }

  private dot({ rows, starts, width }: Hinges, i: number, x: Float64Array): number {
    let sum = 0;
    const start = starts[i];
    const end = Math.min(width, x.length - start);
    for (let k = 0; k < end; k++) sum += rows[i * width + k] * x[start + k];
    return sum;
  }

  /** Writes the dual residual. */
  private measure({ size, band, H, g, lower, upper, hinges }: BandedProgram): {
    gap: number;
    residual: number;
    scale: number;
  } {
    const { x, bound, hinge, dual } = this;
    dual.fill(0, 0, size);
    multiplyBand(dual, H, x, size, band);
    let scale = 1e-9;
    let gap = 0;
    for (let i = 0; i < size; i++) {
      scale += Math.abs(0.5 * x[i] * dual[i] + g[i] * x[i]);
      const low = bound[BOUND * i];
      const high = bound[BOUND * i + 1];
      dual[i] += g[i] - low + high;
      gap += low * (x[i] - lower[i]) + high * (highOf(lower, upper, i) - x[i]);
    }
    const { rows, starts, width, weights } = hinges;
    for (let i = 0; i < hinges.count; i++) {
      const at = HINGE * i;
      const lambda = hinge[at + 2];
      gap += lambda * hinge[at] + (weights[i] - lambda) * hinge[at + 1];
      scale += weights[i] * hinge[at + 1];
      const start = starts[i];
      const end = Math.min(width, size - start);
      for (let k = 0; k < end; k++) dual[start + k] -= lambda * rows[i * width + k];
    }
    let residual = 0;
    for (let i = 0; i < size; i++) residual = Math.max(residual, Math.abs(dual[i]));
    return { gap, residual, scale };
  }

  private assemble({ size, band, H, lower, upper, hinges }: BandedProgram): void {
    const { matrix, bound, hinge, x } = this;
    const stride = band + 1;
    for (let i = 0; i < size * stride; i++) matrix[i] = H[i];
    for (let i = 0; i < size; i++)
      matrix[i * stride + band] +=
        bound[BOUND * i] / (x[i] - lower[i]) + bound[BOUND * i + 1] / (highOf(lower, upper, i) - x[i]);
    const { rows, starts, width, weights } = hinges;
    for (let i = 0; i < hinges.count; i++) {
      const at = HINGE * i;
      const lambda = hinge[at + 2];
      const p = lambda / hinge[at];
      const q = (weights[i] - lambda) / hinge[at + 1];
      const weight = (p * q) / (p + q);
      const start = starts[i];
      const end = Math.min(width, size - start);
      const from = i * width;
      let row = start * stride + band;
      for (let r = 0; r < end; r++, row += band) {
        const wa = weight * rows[from + r];
        if (wa !== 0) for (let c = 0; c <= r; c++) matrix[row + c] += wa * rows[from + c];
      }
    }
  }

  private clearCorrections(size: number, count: number): void {
    for (let i = 0; i < size; i++) this.bound[BOUND * i + 4] = this.bound[BOUND * i + 5] = 0;
    for (let i = 0; i < count; i++) this.hinge[HINGE * i + 6] = this.hinge[HINGE * i + 7] = 0;
  }

  /** Products of the changes, which the linear step leaves out. */
  private keepCorrections(size: number, count: number): void {
    const { bound, hinge, right: dx } = this;
    for (let i = 0; i < size; i++) {
      bound[BOUND * i + 4] = bound[BOUND * i + 2] * dx[i];
      bound[BOUND * i + 5] = -bound[BOUND * i + 3] * dx[i];
    }
    for (let i = 0; i < count; i++) {
      const at = HINGE * i;
      hinge[at + 6] = hinge[at + 5] * hinge[at + 3];
      hinge[at + 7] = -hinge[at + 5] * hinge[at + 4];
    }
  }

  /** The step in `right`, and the changes of slacks and multipliers, towards products of `barrier`. */
  private direct({ size, band, lower, upper, hinges }: BandedProgram, barrier: number): void {
    const { right, dual, bound, hinge, x, matrix } = this;
    for (let i = 0; i < size; i++) {
      const at = BOUND * i;
      const low = (barrier - bound[at + 4]) / (x[i] - lower[i]) - bound[at];
      const high = (barrier - bound[at + 5]) / (highOf(lower, upper, i) - x[i]) - bound[at + 1];
      bound[at + 2] = low;
      bound[at + 3] = high;
      right[i] = low - high - dual[i];
    }
    const { rows, starts, width, weights } = hinges;
    for (let i = 0; i < hinges.count; i++) {
      const at = HINGE * i;
      const u = hinge[at];
      const s = hinge[at + 1];
      const lambda = hinge[at + 2];
      const nu = weights[i] - lambda;
      const cu = (barrier - hinge[at + 6]) / u - lambda;
      const cs = (barrier - hinge[at + 7]) / s - nu;
      const p = lambda / u;
      const q = nu / s;
      hinge[at + 3] = cu;
      hinge[at + 4] = cs;
      const pull = (q * cu - p * cs) / (p + q);
      const start = starts[i];
      const end = Math.min(width, size - start);
      for (let r = 0; r < end; r++) right[start + r] += pull * rows[i * width + r];
    }
    solveBand(right, matrix, size, band);
    for (let i = 0; i < size; i++) {
      const at = BOUND * i;
      bound[at + 2] -= (bound[at] / (x[i] - lower[i])) * right[i];
      bound[at + 3] += (bound[at + 1] / (highOf(lower, upper, i) - x[i])) * right[i];
    }
    for (let i = 0; i < hinges.count; i++) {
      const at = HINGE * i;
      const p = hinge[at + 2] / hinge[at];
      const q = (weights[i] - hinge[at + 2]) / hinge[at + 1];
      const cs = hinge[at + 4];
      const along = this.dot(hinges, i, right);
      const ds = (hinge[at + 3] + cs - p * along) / (p + q);
      hinge[at + 3] = ds + along;
      hinge[at + 4] = ds;
      hinge[at + 5] = q * ds - cs;
    }
  }

  /** The longest step that keeps everything positive, and the gap it would leave. */
  private reach({ size, lower, upper, hinges }: BandedProgram): { step: number; left: number } {
    const { x, right: dx, bound, hinge } = this;
    const { weights } = hinges;
    let step = 1;
    for (let i = 0; i < size; i++) {
      const at = BOUND * i;
      step = shorten(shorten(step, x[i] - lower[i], dx[i]), highOf(lower, upper, i) - x[i], -dx[i]);
      step = shorten(shorten(step, bound[at], bound[at + 2]), bound[at + 1], bound[at + 3]);
    }
    for (let i = 0; i < hinges.count; i++) {
      const at = HINGE * i;
      step = shorten(shorten(step, hinge[at], hinge[at + 3]), hinge[at + 1], hinge[at + 4]);
      step = shorten(shorten(step, hinge[at + 2], hinge[at + 5]), weights[i] - hinge[at + 2], -hinge[at + 5]);
    }
    let left = 0;
    for (let i = 0; i < size; i++) {
      const at = BOUND * i;
      left += (bound[at] + step * bound[at + 2]) * (x[i] - lower[i] + step * dx[i]);
      left += (bound[at + 1] + step * bound[at + 3]) * (highOf(lower, upper, i) - x[i] - step * dx[i]);
    }
    for (let i = 0; i < hinges.count; i++) {
      const at = HINGE * i;
      const lambda = hinge[at + 2] + step * hinge[at + 5];
      left +=
        lambda * (hinge[at] + step * hinge[at + 3]) + (weights[i] - lambda) * (hinge[at + 1] + step * hinge[at + 4]);
    }
    return { step, left };
  }

  private advance({ size, hinges }: BandedProgram, step: number): void {
    const { x, right: dx, bound, hinge } = this;
    for (let i = 0; i < size; i++) {
      const at = BOUND * i;
      x[i] += step * dx[i];
      bound[at] += step * bound[at + 2];
      bound[at + 1] += step * bound[at + 3];
    }
    for (let i = 0; i < hinges.count; i++) {
      const at = HINGE * i;
      hinge[at] += step * hinge[at + 3];
      hinge[at + 1] += step * hinge[at + 4];
      hinge[at + 2] += step * hinge[at + 5];
    }
  }
}

const highOf = (lower: Float64Array, upper: Float64Array, i: number): number =>
  Math.max(upper[i], lower[i] + LEAST_WIDTH);

/** The step that keeps value + step change above 0. */
function shorten(step: number, value: number, change: number): number {
  return value + change * step > 0.01 * value ? step : (-TO_BOUND * value) / change;
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
