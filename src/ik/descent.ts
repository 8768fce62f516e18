/**
 * One descent of inverse kinematics: Levenberg-Marquardt on the manifold of configurations with limits inside the step.
 *
 * Method:
 * 1. rows e and A of the tasks, de/dt = -A v (`tasks/task-stack.ts`), exact, so steps near the target converge quadratically;
 * 2. step dq = A^T (A A^T + mu I)^-1 e, or (A^T A + mu I)^-1 A^T e when there are more rows than free joints;
 *    mu = damping x |e|^2;
 * 3. a joint at its limit that the slope or the step pushes outwards is frozen, the rest is clamped: every iterate is inside the
 *    limits; turning joints with room for a full turn go round instead, which is the same placement;
 * 4. a step that lowers the error is kept and the damping lowered, else the damping rises.
 * Source: Sugihara 2011, "Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt method",
 * doi:10.1109/TRO.2011.2148230 (damping by the error);
 * Bertsekas 1982, "Projected Newton methods for optimization problems with simple constraints", doi:10.1137/0320018 (step 3); Lynch, Park 2017, "Modern robotics", section 6.2.
 *
 * Ends within tolerance, at the limit of iterations, or when the error stalls. Never throws, never writes NaN.
 * Cost: about a microsecond per iteration for seven joints and one pose; nothing is allocated after construction.
 * Tested by solve-ik.test.ts.
 */
import { factorizeCholesky, solveCholesky } from '../math/dense/cholesky.js';
import { solveDampedSix } from '../math/dense/damped-six.js';
import { clampConfiguration, integrateConfiguration } from '../model/configuration.js';
import type { Model } from '../model/model.js';
import { listWholeTurns } from '../model/whole-turns.js';
import type { StepRows } from './tasks/task.js';
import { listCoordinates } from './velocity-bounds.js';

export interface DescentLimits {
  readonly iterations: number;
  readonly positionTolerance: number;
  readonly rotationTolerance: number;
}

// Measured on the reference targets of two arms: fewest iterations in the median and at the 99th percentile together.
const INITIAL_DAMPING = 0.03;
const LEAST_DAMPING = 0.01;
const MOST_DAMPING = 1e8;
const DAMPING_FALL = 0.3;
const DAMPING_RISE = 5;
/** Longest step of a coordinate, radians or metres: beyond, the linear model says little. */
const LONGEST_STEP = 1;
const TURN = 2 * Math.PI;
/** Iterations in which the squared error must fall to this share, else the start is given up. */
const STALL_WINDOW = 5;
const STALL_SHARE = 0.7;

/** Scratch of descents for one robot; `q` is where the last one ended. */
export class Descent {
  readonly q: Float64Array;
  /** Coordinate of q that belongs to each v with plain limits; -1 for others. */
  readonly coordinates: Int32Array;
  /** Entries of v that may move. */
  readonly free: Int32Array;
  /** 1 for turning coordinates whose limits leave room for a full turn: what goes past one limit comes in at the other. */
  private readonly wraps: Uint8Array;
  private readonly trial: Float64Array;
  private readonly step: Float64Array;
  /** Free entries that are not frozen at a limit in this step. */
  private readonly moving: { readonly indices: Int32Array; count: number };
  private mu = 0;
  /** All that moves has one coordinate, which simply adds up. */
  private readonly isPlain: boolean;
  private system = new Float64Array(36);
  private right = new Float64Array(6);
  private multipliers = new Float64Array(6);
  private kept = new Float64Array(6);

  constructor(
    readonly model: Model,
    readonly honoursLimits: boolean,
    velocities?: ArrayLike<number>,
  ) {
    const { nq, nv } = model;
    this.q = new Float64Array(nq);
    this.trial = new Float64Array(nq);
    this.step = new Float64Array(nv);
    this.moving = { indices: new Int32Array(nv), count: 0 };
    this.coordinates = listCoordinates(model);
    const all = velocities ? Int32Array.from(velocities).sort() : Int32Array.from({ length: nv }, (_, k) => k);
    this.free = honoursLimits ? all.filter((k) => !isLocked(model, this.coordinates[k])) : all;
    this.isPlain = this.free.every((k) => this.coordinates[k] >= 0);
    this.wraps = this.isPlain ? listWraps(model) : new Uint8Array(nq);
  }

  enforceLimits(q: Float64Array): void {
    if (this.honoursLimits) clampConfiguration(q, this.model, q);
  }

  /** Whether the rows' last error is within tolerance. */
  isMet(stack: StepRows, { positionTolerance, rotationTolerance }: DescentLimits): boolean {
    return stack.positionError <= positionTolerance && stack.rotationError <= rotationTolerance;
  }

  /**
   * Iterates from `q`; returns the iterations used. The rows hold the errors at `q` then. With `isPatient` an error that falls
   * slowly is no reason to end.
   */
  run(stack: StepRows, limits: DescentLimits, isPatient = false): number {
    // Before the scratch is looked at: more rows than ever before make new arrays.
    this.makeRoom(stack.rows);
    const { q, trial, kept } = this;
    trial.set(q);
    stack.evaluate(q);
    let squared = stack.squaredError;
    let damping = INITIAL_DAMPING;
    let reference = squared;
    let iteration = 0;
    let isLinear = false;
    while (iteration < limits.iterations) {
      if (this.isMet(stack, limits)) return iteration;
      if (!isPatient && iteration % STALL_WINDOW === STALL_WINDOW - 1) {
        if (squared > STALL_SHARE * reference) return iteration;
        reference = squared;
      }
      iteration++;
      if (!isLinear) stack.linearize();
      this.mu = damping * squared + Number.MIN_VALUE;
      this.computeStep(stack);
      this.advance();
      const { positionError, rotationError } = stack;
      for (let r = 0; r < stack.rows; r++) kept[r] = stack.error[r];
      stack.evaluate(trial);
      isLinear = !(stack.squaredError < squared);
      if (isLinear) {
        // The rows at q still stand; only the step changes.
        for (let r = 0; r < stack.rows; r++) stack.error[r] = kept[r];
        stack.squaredError = squared;
        stack.positionError = positionError;
        stack.rotationError = rotationError;
        damping *= DAMPING_RISE;
        if (damping > MOST_DAMPING) return iteration;
      } else {
        squared = stack.squaredError;
        for (let i = 0; i < q.length; i++) q[i] = trial[i];
        damping = Math.max(LEAST_DAMPING, DAMPING_FALL * damping);
      }
    }
    return iteration;
  }

  /** trial = q (+) step, no coordinate too far, inside the limits. */
  private advance(): void {
    const { model, trial, q, step, free, coordinates, wraps, honoursLimits } = this;
    let longest = LONGEST_STEP;
    for (let m = 0; m < free.length; m++) longest = Math.max(longest, Math.abs(step[free[m]]));
    const scale = LONGEST_STEP / longest;
    if (!this.isPlain) {
      for (let m = 0; m < free.length; m++) step[free[m]] *= scale;
      integrateConfiguration(trial, model, q, step);
      this.enforceLimits(trial);
      return;
    }
    const { lower, upper } = model;
    for (let m = 0; m < free.length; m++) {
      const i = coordinates[free[m]];
      let x = q[i] + scale * step[free[m]];
      if (honoursLimits) {
        if (wraps[i] === 1) x += x > upper[i] ? -TURN : x < lower[i] ? TURN : 0;
        x = Math.max(lower[i], Math.min(upper[i], x));
      }
      trial[i] = x;
    }
  }

  private makeRoom(rows: number): void {
    if (this.kept.length >= rows) return;
    const size = Math.min(rows, this.free.length);
    this.kept = new Float64Array(rows);
    this.system = new Float64Array(size * size);
    this.right = new Float64Array(size);
    this.multipliers = new Float64Array(size);
  }

  /** Damped step with joints frozen at the limits they would leave: first by the slope of the error, then by the step itself. */
  private computeStep(stack: StepRows): void {
    const { step, free, moving, coordinates, honoursLimits } = this;
    const { columns, error, rows } = stack;
    let atLimits = 0;
    moving.count = 0;
    for (let m = 0; m < free.length; m++) {
      const k = free[m];
      const side = honoursLimits ? this.sideOf(coordinates[k]) : 0;
      if (side !== 0) {
        atLimits++;
        let slope = 0;
        for (let r = 0; r < rows; r++) slope += columns[k * rows + r] * error[r];
        if (side * slope > 0) {
          step[k] = 0;
          continue;
        }
      }
      moving.indices[moving.count++] = k;
    }
    for (;;) {
      this.solveStep(stack);
      if (atLimits === 0) return;
      let kept = 0;
      for (let m = 0; m < moving.count; m++) {
        const k = moving.indices[m];
        if (this.sideOf(coordinates[k]) * step[k] > 0) step[k] = 0;
        else moving.indices[kept++] = k;
      }
      if (kept === moving.count) return;
      moving.count = kept;
    }
  }

  /** -1 or 1 for a coordinate that stands at its lower or upper limit and cannot go past it. */
  private sideOf(i: number): number {
    if (i < 0 || this.wraps[i] === 1) return 0;
    const { lower, upper } = this.model;
    return this.q[i] <= lower[i] ? -1 : this.q[i] >= upper[i] ? 1 : 0;
  }

  /** Step over the moving columns; the damping is raised when it is too small for the system's rounding. */
  private solveStep(stack: StepRows): void {
    const { step, moving } = this;
    for (;;) {
      if (stack.rows === 6 && solveDampedSix(step, stack.columns, moving, this.mu, stack.error)) return;
      if (stack.rows <= moving.count ? stack.rows !== 6 && this.solveDual(stack) : this.solvePrimal(stack)) return;
      if (this.raiseDamping(stack)) continue;
      for (let m = 0; m < moving.count; m++) step[moving.indices[m]] = 0;
      return;
    }
  }

  /** step = A^T (A A^T + mu I)^-1 e over the moving columns. */
  private solveDual({ columns, rows, error }: StepRows): boolean {
    const { system, multipliers, step, mu } = this;
    const { indices, count } = this.moving;
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c <= r; c++) {
        let sum = r === c ? mu : 0;
        for (let m = 0; m < count; m++) sum += columns[indices[m] * rows + r] * columns[indices[m] * rows + c];
        system[r * rows + c] = sum;
      }
    }
    if (!factorizeCholesky(system, rows)) return false;
    solveCholesky(multipliers, system, rows, error);
    for (let m = 0; m < count; m++) {
      let sum = 0;
      for (let r = 0; r < rows; r++) sum += columns[indices[m] * rows + r] * multipliers[r];
      step[indices[m]] = sum;
    }
    return true;
  }

  /** step = (A^T A + mu I)^-1 A^T e over the moving columns. */
  private solvePrimal({ columns, rows, error }: StepRows): boolean {
    const { system, right, multipliers, step, mu } = this;
    const { indices, count: n } = this.moving;
    for (let a = 0; a < n; a++) {
      const at = indices[a] * rows;
      for (let c = 0; c <= a; c++) {
        let sum = a === c ? mu : 0;
        for (let r = 0; r < rows; r++) sum += columns[at + r] * columns[indices[c] * rows + r];
        system[a * n + c] = sum;
      }
      right[a] = 0;
      for (let r = 0; r < rows; r++) right[a] += columns[at + r] * error[r];
    }
    if (!factorizeCholesky(system, n)) return false;
    solveCholesky(multipliers, system, n, right);
    for (let m = 0; m < n; m++) step[indices[m]] = multipliers[m];
    return true;
  }

  /** More damping for a system that is singular to rounding, by the matrix's own size; false when it is zero or no damping helps. */
  private raiseDamping({ columns, rows }: StepRows): boolean {
    const { indices, count } = this.moving;
    let trace = 0;
    for (let m = 0; m < count; m++) {
      for (let at = indices[m] * rows; at < (indices[m] + 1) * rows; at++) trace += columns[at] * columns[at];
    }
    this.mu = Math.max(10 * this.mu, 1e-12 * trace);
    return trace > 0 && this.mu < 1e300;
  }
}

/** Whether a coordinate has one value only: its joint is as good as fixed. */
export function isLocked(model: Model, i: number): boolean {
  return i >= 0 && model.lower[i] === model.upper[i];
}

function listWraps(model: Model): Uint8Array {
  return listWholeTurns(model).map((turns, i) => {
    const range = model.upper[i] - model.lower[i];
    return turns === 1 && range >= TURN && range < Number.POSITIVE_INFINITY ? 1 : 0;
  });
}
