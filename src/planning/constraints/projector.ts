/**
 * Onto the manifold of a constraint, and along its tangent spaces.
 *
 * Method: Newton's, each step the shortest that solves the linearised equations, q - J'(J J')^-1 f; a step that makes the residual larger is
 * halved. Equations that follow from others, and inequalities that hold, give pivots of J J' that are 0 up to rounding, and are left out of the
 * step. A change along the tangent space is what J'(J J')^-1 J leaves of it.
 * Source: Berenson, Srinivasa, Ferguson, Kuffner 2009, "Manipulation planning on constraint manifolds", section IV,
 * doi:10.1109/ROBOT.2009.5152399; Kingston, Moll, Kavraki 2019, "Exploring implicit spaces for constrained sampling-based planning",
 * section 4, doi:10.1177/0278364919868530.
 * Ends: false where MOST_STEPS do not bring the residual below the tolerance. Quadratic convergence where J has full rank.
 * Cost: an evaluation and a Jacobian per step, O(equations^2 dimension). Nothing is allocated. Tested by constrained-space.test.ts.
 */
import type { Constraint } from './constraint.js';

const MOST_STEPS = 30;
const MOST_HALVINGS = 6;
/** Pivots below this share of the largest are rounding. */
const LEAST_PIVOT = 1e-11;

export class Projector {
  /** Newton steps taken so far. */
  steps = 0;
  /** Jacobians computed so far. */
  jacobians = 0;
  private readonly value: Float64Array;
  private readonly jacobian: Float64Array;
  private readonly factors: Float64Array;
  private readonly multipliers: Float64Array;
  private readonly trial: Float64Array;
  private readonly change: Float64Array;
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
    this.change = new Float64Array(dimension);
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

  /** The same, from near where `linearize` was called: its Jacobian serves for the first step. */
  correct(q: Float64Array, tolerance: number): boolean {
    return this.descend(q, tolerance, true);
  }

  private descend(
    q: Float64Array,
    tolerance: number,
    isLinearized: boolean,
    lower?: Float64Array,
    upper?: Float64Array,
  ): boolean {
    const { value, constraint, trial, change, n } = this;
    constraint.evaluate(value, q);
    let size = largest(value);
    for (let step = 0; step < MOST_STEPS; step++) {
      if (size <= tolerance) return true;
      if (!(size < Number.POSITIVE_INFINITY)) return false;
      this.steps++;
      if (step > 0 || !isLinearized) {
        this.jacobians++;
        constraint.jacobian(this.jacobian, q);
        if (lower && upper) this.hold(q, lower, upper);
        this.factorize();
      }
      this.solve(value);
      change.fill(0);
      this.subtractRows(change);
      let share = 1;
      let next = size;
      for (let halving = 0; ; halving++) {
        for (let j = 0; j < n; j++) trial[j] = q[j] + share * change[j];
        if (lower && upper) for (let j = 0; j < n; j++) trial[j] = Math.min(Math.max(trial[j], lower[j]), upper[j]);
        constraint.evaluate(value, trial);
        next = largest(value);
        if (next < size || halving === MOST_HALVINGS) break;
        share *= 0.5;
      }
      // Where no step helps it is not the rounding that is left over.
      if (!(next < size)) return false;
      q.set(trial);
      size = next;
    }
    return size <= tolerance;
  }

  /** Prepares `alongTangent` at q, which is on the manifold. */
  linearize(q: Float64Array): void {
    this.constraint.jacobian(this.jacobian, q);
    this.factorize();
  }

  /** Takes from `change` what leaves the tangent space of the last `linearize`. */
  alongTangent(change: Float64Array): void {
    const { jacobian, value, n, k } = this;
    for (let i = 0; i < k; i++) {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += jacobian[i * n + j] * change[j];
      value[i] = sum;
    }
    this.solve(value);
    this.subtractRows(change);
  }

  /** Coordinates at a bound no longer move. */
  private hold(q: Float64Array, lower: Float64Array, upper: Float64Array): void {
    const { jacobian, frozen, n, k } = this;
    for (let j = 0; j < n; j++) {
      if (q[j] <= lower[j] || q[j] >= upper[j]) frozen[j] = 1;
      if (frozen[j] === 1) for (let i = 0; i < k; i++) jacobian[i * n + j] = 0;
    }
  }

  /** change - J' x multipliers */
  private subtractRows(change: Float64Array): void {
    const { jacobian, multipliers, n, k } = this;
    for (let i = 0, at = 0; i < k; i++) {
      const m = multipliers[i];
      for (let j = 0; j < n; j++, at++) change[j] -= m * jacobian[at];
    }
  }

  /** J J' = L L', rows without a pivot left out (diagonal 0). */
  private factorize(): void {
    const { jacobian: J, factors: L, n, k } = this;
    let top = 0;
    for (let i = 0; i < k; i++) {
      for (let c = 0; c <= i; c++) {
        let sum = 0;
        for (let j = 0; j < n; j++) sum += J[i * n + j] * J[c * n + j];
        L[i * k + c] = sum;
      }
      top = Math.max(top, L[i * k + i]);
    }
    const least = LEAST_PIVOT * top;
    for (let i = 0; i < k; i++) {
      for (let c = 0; c <= i; c++) {
        let sum = L[i * k + c];
        for (let j = 0; j < c; j++) sum -= L[i * k + j] * L[c * k + j];
        if (c < i) L[i * k + c] = L[c * k + c] === 0 ? 0 : sum / L[c * k + c];
        else L[i * k + i] = sum > least ? Math.sqrt(sum) : 0;
      }
    }
  }

  private solve(right: Float64Array): void {
    const { factors: L, multipliers: x, k } = this;
    for (let i = 0; i < k; i++) {
      let sum = right[i];
      for (let j = 0; j < i; j++) sum -= L[i * k + j] * x[j];
      x[i] = L[i * k + i] === 0 ? 0 : sum / L[i * k + i];
    }
    for (let i = k - 1; i >= 0; i--) {
      let sum = x[i];
      for (let j = i + 1; j < k; j++) sum -= L[j * k + i] * x[j];
      x[i] = L[i * k + i] === 0 ? 0 : sum / L[i * k + i];
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
