/**
 * Onto the manifold of a constraint, and along its tangent spaces.
 *
 * Method: Newton's, each step the shortest that solves the linearised equations, q - J'(J J')^-1 f; a step that makes the residual larger is
 * halved. Where the steps so far promise that one more with the same Jacobian ends below the tolerance, it is kept. Equations that follow
 * from others, and inequalities that hold, give pivots of J J' that are 0 up to rounding, and are left out of the step. A
 * change along the tangent space is what J'(J J')^-1 J leaves of it.
 * Source: Berenson, Srinivasa, Ferguson, Kuffner 2009, "Manipulation planning on constraint manifolds", section IV,
 * doi:10.1109/ROBOT.2009.5152399; Kingston, Moll, Kavraki 2019, "Exploring implicit spaces for constrained sampling-based planning",
 * section 4, doi:10.1177/0278364919868530.
 * Ends: false where MOST_STEPS do not bring the residual below the tolerance. Quadratic convergence where J has full rank.
 * Cost: an evaluation and a Jacobian per step, O(equations^2 dimension). Nothing is allocated. Tested by constrained-space.test.ts.
 */
import type { Constraint } from './constraint.js';

const MOST_STEPS = 30;
const MOST_HALVINGS = 6;
/** Room for what the same Jacobian may do worse than it has done. */
const KEPT_MARGIN = 4;
/** Pivots below this share of the largest are rounding. */
const LEAST_PIVOT = 1e-11;

export class Projector {
  /** Newton steps taken so far. */
  steps = 0;
  /** Jacobians computed so far. */
  jacobians = 0;
  /** What the last projection took off, as multiples of the rows. */
  readonly taken: Float64Array;
  private readonly value: Float64Array;
  private readonly jacobian: Float64Array;
  private readonly factors: Float64Array;
  private readonly multipliers: Float64Array;
  private readonly trial: Float64Array;
  private readonly n: number;
  private readonly k: number;
  private readonly frozen: Uint8Array;

  constructor(private readonly constraint: Constraint) {
    const { dimension, equations } = constraint;
    this.n = dimension;
    this.k = equations;
    this.value = new Float64Array(equations);
    this.jacobian = new Float64Array(equations * dimension);
    this.factors = new Float64Array(equations * equations);
    this.multipliers = new Float64Array(equations);
    this.trial = new Float64Array(dimension);
    this.taken = new Float64Array(equations);
    this.frozen = new Uint8Array(dimension);
  }

  /** The largest |f|. */
  residual(q: Float64Array): number {
    this.constraint.evaluate(this.value, q);
    return largest(this.value);
  }

  /** Moves q onto the manifold; false, with q where it came, where that fails. With bounds, coordinates that meet one stay there. */
  project(q: Float64Array, tolerance: number, lower?: Float64Array, upper?: Float64Array): boolean {
    this.frozen.fill(0);
    return this.descend(q, tolerance, false, lower, upper);
  }

  /**
   * The same without bounds. `isLinearized`: from near where `linearize` was called, whose Jacobian serves for the first step. What it takes off,
   * as multiples of the rows of Jacobians, is left in `taken`.
   */
  correct(q: Float64Array, tolerance: number, isLinearized: boolean): boolean {
    return this.descend(q, tolerance, isLinearized);
  }

  private descend(
    q: Float64Array,
    tolerance: number,
    isLinearized: boolean,
    lower?: Float64Array,
    upper?: Float64Array,
  ): boolean {
    const { value, constraint, trial, multipliers, taken, n, k } = this;
    const isBounded = lower !== undefined && upper !== undefined;
    for (let i = 0; i < k; i++) taken[i] = 0;
    constraint.evaluate(value, q);
    let size = largest(value);
    let isKept = isLinearized;
    for (let step = 0; step < MOST_STEPS; step++) {
      if (size <= tolerance) return true;
      if (!(size < Number.POSITIVE_INFINITY)) return false;
      this.steps++;
      if (!isKept) {
        this.jacobians++;
        constraint.jacobian(this.jacobian, q);
        if (isBounded) this.hold(q, lower, upper);
        this.factorize();
      }
      this.solve(value);
      let next = size;
      for (let halving = 0; ; halving++) {
        for (let j = 0; j < n; j++) trial[j] = q[j];
        this.subtractRows(trial, multipliers);
        if (isBounded) for (let j = 0; j < n; j++) trial[j] = Math.min(Math.max(trial[j], lower[j]), upper[j]);
        constraint.evaluate(value, trial);
        next = largest(value);
        if (next < size || halving === MOST_HALVINGS) break;
        for (let i = 0; i < k; i++) multipliers[i] *= 0.5;
      }
      if (!(next < size)) {
        // Where no step helps it is not the rounding that is left over.
        if (!isKept) return false;
        isKept = false;
        constraint.evaluate(value, q);
        continue;
      }
      for (let j = 0; j < n; j++) q[j] = trial[j];
      for (let i = 0; i < k; i++) taken[i] += multipliers[i];
      isKept = !isBounded && KEPT_MARGIN * next * next <= tolerance * size;
      size = next;
    }
    return size <= tolerance;
  }

  /** Prepares `alongTangent` at q, which is on the manifold. */
  linearize(q: Float64Array): void {
    this.constraint.jacobian(this.jacobian, q);
    this.factorize();
  }

  /** Takes from `change` what leaves the tangent space of the last `linearize`, or of the last Jacobian. */
  alongTangent(change: Float64Array): void {
    this.multiply(change);
    this.solve(this.value);
    this.subtractRows(change, this.multipliers);
  }

  /** Coordinates at a bound no longer move. */
  private hold(q: Float64Array, lower: Float64Array, upper: Float64Array): void {
    const { jacobian, frozen, n, k } = this;
    for (let j = 0; j < n; j++) {
      if (q[j] <= lower[j] || q[j] >= upper[j]) frozen[j] = 1;
      if (frozen[j] === 1) for (let i = 0; i < k; i++) jacobian[i * n + j] = 0;
    }
  }

  /** q - J' x multiples, of the last Jacobian: two rows at a time, which keeps processors busy. */
  subtractRows(q: Float64Array, multiples: Float64Array): void {
    const { jacobian: J, n, k } = this;
    let i = 0;
    for (; i + 1 < k; i += 2) {
      const row = i * n;
      const below = row + n;
      const m = multiples[i];
      const mBelow = multiples[i + 1];
      for (let j = 0; j < n; j++) q[j] -= m * J[row + j] + mBelow * J[below + j];
    }
    if (i === k) return;
    const row = i * n;
    const m = multiples[i];
    for (let j = 0; j < n; j++) q[j] -= m * J[row + j];
  }

  /** value = J x change */
  private multiply(change: Float64Array): void {
    const { jacobian: J, value, n, k } = this;
    let i = 0;
    for (; i + 1 < k; i += 2) {
      const row = i * n;
      const below = row + n;
      let sum = 0;
      let sumBelow = 0;
      for (let j = 0; j < n; j++) {
        const d = change[j];
        sum += J[row + j] * d;
        sumBelow += J[below + j] * d;
      }
      value[i] = sum;
      value[i + 1] = sumBelow;
    }
    if (i === k) return;
    const row = i * n;
    let sum = 0;
    for (let j = 0; j < n; j++) sum += J[row + j] * change[j];
    value[i] = sum;
  }

  /** J J' = L L'; on the diagonal of L the reciprocals, 0 in rows without a pivot, which are left out. */
  private factorize(): void {
    const { jacobian: J, factors: L, n, k } = this;
    let top = 0;
    for (let i = 0; i < k; i++) {
      const row = i * n;
      let c = 0;
      for (; c < i; c += 2) {
        const other = c * n;
        const next = other + n;
        let sum = 0;
        let sumNext = 0;
        for (let j = 0; j < n; j++) {
          const d = J[row + j];
          sum += d * J[other + j];
          sumNext += d * J[next + j];
        }
        L[i * k + c] = sum;
        L[i * k + c + 1] = sumNext;
      }
      if (c === i) {
        let sum = 0;
        for (let j = 0; j < n; j++) sum += J[row + j] * J[row + j];
        L[i * k + i] = sum;
      }
      top = Math.max(top, L[i * k + i]);
    }
    const least = LEAST_PIVOT * top;
    for (let i = 0; i < k; i++) {
      const row = i * k;
      let rest = L[row + i];
      for (let c = 0; c < i; c++) {
        const other = c * k;
        let sum = L[row + c];
        for (let j = 0; j < c; j++) sum -= L[row + j] * L[other + j];
        sum *= L[other + c];
        L[row + c] = sum;
        rest -= sum * sum;
      }
      L[row + i] = rest > least ? 1 / Math.sqrt(rest) : 0;
    }
  }

  private solve(right: Float64Array): void {
    const { factors: L, multipliers: x, k } = this;
    for (let i = 0; i < k; i++) {
      const row = i * k;
      let sum = right[i];
      for (let j = 0; j < i; j++) sum -= L[row + j] * x[j];
      x[i] = sum * L[row + i];
    }
    for (let i = k - 1; i >= 0; i--) {
      const row = i * k;
      const y = x[i] * L[row + i];
      x[i] = y;
      for (let j = 0; j < i; j++) x[j] -= L[row + j] * y;
    }
  }
}

function largest(values: Float64Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]);
    if (!(size < Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY;
    if (size > most) most = size;
  }
  return most;
}
