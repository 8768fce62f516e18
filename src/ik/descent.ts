/**
 * One descent of inverse kinematics: Levenberg-Marquardt on the manifold of configurations with limits inside the step.
 *
 * Method:
 * 1. rows e and A of the tasks, de/dt = -A v (`tasks/task-stack.ts`), exact, so steps near the target converge quadratically;
 * 2. step dq = A^T (A A^T + mu I)^-1 e, or (A^T A + mu I)^-1 A^T e when there are more rows than free joints;
 *    mu = damping x |e|^2;
 * 3. a joint at its limit that the step pushes outwards is frozen and the step solved again, the rest is clamped: every
 *    iterate is inside the limits;
 * 4. a step that lowers the error is kept and the damping lowered, else the damping rises.
 * Source: Sugihara 2011, "Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt method",
 * doi:10.1109/TRO.2011.2148230 (damping by the error); Lynch, Park 2017, "Modern robotics", section 6.2.
 *
 * Ends within tolerance, at the limit of iterations, or when the error stalls. Never throws, never writes NaN.
 * Cost: about a microsecond per iteration for seven joints and one pose; nothing is allocated after construction.
 * Tested by solve-ik.test.ts.
 */
import { updateKinematics } from '../kinematics/forward-kinematics.js';
import { factorizeCholesky, solveCholesky } from '../math/dense/cholesky.js';
import { solveDampedSix } from '../math/dense/damped-six.js';
import { clampConfiguration, integrateConfiguration } from '../model/configuration.js';
import { createData, type Data, type Model } from '../model/model.js';
import type { TaskStack } from './tasks/task-stack.js';
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
/** Iterations in which the squared error must fall to this share, else the start is given up. */
const STALL_WINDOW = 5;
const STALL_SHARE = 0.7;

/** Scratch of descents for one robot; `q` is where the last one ended. */
export class Descent {
  readonly q: Float64Array;
  readonly data: Data;
  /** Coordinate of q that belongs to each v with plain limits; -1 for others. */
  readonly coordinates: Int32Array;
  /** Entries of v that may move. */
  readonly free: Int32Array;
  private readonly trial: Float64Array;
  private readonly step: Float64Array;
  /** Free entries that are not frozen at a limit in this step. */
  private readonly moving: Int32Array;
  private movingCount = 0;
  private readonly columns: { readonly n: number; readonly indices: Int32Array; count: number };
  /** All joints have one coordinate that simply adds up. */
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
    this.moving = new Int32Array(nv);
    this.columns = { n: nv, indices: this.moving, count: 0 };
    this.isPlain = model.jointKinds.every((kind) => !kind || kind.name === 'revolute' || kind.name === 'prismatic');
    this.data = createData(model);
    this.coordinates = listCoordinates(model);
    this.free = velocities ? Int32Array.from(velocities).sort() : Int32Array.from({ length: nv }, (_, k) => k);
  }

  enforceLimits(q: Float64Array): void {
    if (this.honoursLimits) clampConfiguration(q, this.model, q);
  }

  /** Places the robot at `q` and writes the stack's error; returns its squared length. */
  evaluate(stack: TaskStack, q: Float64Array): number {
    updateKinematics(this.model, this.data, q);
    return stack.evaluate(this.data, q);
  }

  /** Whether the stack's last error is within tolerance. */
  isMet(stack: TaskStack, { positionTolerance, rotationTolerance }: DescentLimits): boolean {
    return stack.positionError <= positionTolerance && stack.rotationError <= rotationTolerance;
  }

  /** Iterates from `q`; returns the iterations used. The stack holds the errors at `q` then. */
  run(stack: TaskStack, limits: DescentLimits): number {
    const { q, trial } = this;
    this.makeRoom(stack.rows);
    let squared = this.evaluate(stack, q);
    let damping = INITIAL_DAMPING;
    let reference = squared;
    let iteration = 0;
    let isLinear = false;
    while (iteration < limits.iterations) {
      if (this.isMet(stack, limits)) return iteration;
      if (iteration % STALL_WINDOW === STALL_WINDOW - 1) {
        if (squared > STALL_SHARE * reference) return iteration;
        reference = squared;
      }
      iteration++;
      if (!isLinear) stack.linearize(this.data);
      this.computeStep(stack, damping * squared + Number.MIN_VALUE);
      this.shortenStep();
      this.advance();
      const { positionError, rotationError } = stack;
      const { kept } = this;
      for (let r = 0; r < kept.length; r++) kept[r] = stack.error[r];
      const next = this.evaluate(stack, trial);
      isLinear = !(next < squared);
      if (isLinear) {
        // The rows at q still stand; only the step changes.
        stack.error.set(kept);
        stack.positionError = positionError;
        stack.rotationError = rotationError;
        damping *= DAMPING_RISE;
        if (damping > MOST_DAMPING) return iteration;
      } else {
        squared = next;
        for (let i = 0; i < q.length; i++) q[i] = trial[i];
        damping = Math.max(LEAST_DAMPING, DAMPING_FALL * damping);
      }
    }
    return iteration;
  }

  /** trial = q (+) step, inside the limits. */
  private advance(): void {
    const { model, trial, q, step, coordinates, honoursLimits } = this;
    if (!this.isPlain) {
      integrateConfiguration(trial, model, q, step);
      this.enforceLimits(trial);
      return;
    }
    const { lower, upper } = model;
    for (let k = 0; k < step.length; k++) {
      const i = coordinates[k];
      const x = q[i] + step[k];
      trial[i] = honoursLimits ? Math.max(lower[i], Math.min(upper[i], x)) : x;
    }
  }

  private shortenStep(): void {
    const { step } = this;
    let longest = 0;
    for (let k = 0; k < step.length; k++) longest = Math.max(longest, Math.abs(step[k]));
    if (longest <= LONGEST_STEP) return;
    for (let k = 0; k < step.length; k++) step[k] *= LONGEST_STEP / longest;
  }

  private makeRoom(rows: number): void {
    if (this.kept.length === rows) return;
    const size = Math.min(rows, this.free.length);
    this.kept = new Float64Array(rows);
    this.system = new Float64Array(size * size);
    this.right = new Float64Array(size);
    this.multipliers = new Float64Array(size);
  }

  /** Damped step with joints frozen at the limits they would leave. */
  private computeStep(stack: TaskStack, mu: number): void {
    const { model, step, free, moving, coordinates, q } = this;
    const { lower, upper } = model;
    this.movingCount = free.length;
    for (let m = 0; m < free.length; m++) moving[m] = free[m];
    for (;;) {
      step.fill(0);
      if (stack.rows <= this.movingCount) this.solveDual(stack, mu);
      else this.solvePrimal(stack, mu);
      if (!this.honoursLimits) return;
      let kept = 0;
      for (let m = 0; m < this.movingCount; m++) {
        const k = moving[m];
        const i = coordinates[k];
        const isPushed = i >= 0 && ((q[i] <= lower[i] && step[k] < 0) || (q[i] >= upper[i] && step[k] > 0));
        if (!isPushed) moving[kept++] = k;
      }
      if (kept === this.movingCount) return;
      this.movingCount = kept;
    }
  }

  /** step = A^T (A A^T + mu I)^-1 e over the moving columns. */
  private solveDual(stack: TaskStack, mu: number): void {
    const { multipliers, moving, movingCount, step } = this;
    const { A, rows } = stack;
    const { nv } = this.model;
    if (!(rows === 6 ? this.solveSix(stack, mu) : this.solveRows(stack, mu))) {
      const more = this.raiseDamping(stack, mu);
      if (more > 0) this.solveDual(stack, more);
      return;
    }
    for (let m = 0; m < movingCount; m++) {
      const k = moving[m];
      let sum = 0;
      for (let r = 0; r < rows; r++) sum += A[r * nv + k] * multipliers[r];
      step[k] = sum;
    }
  }

  private solveSix({ A, error }: TaskStack, mu: number): boolean {
    this.columns.count = this.movingCount;
    return solveDampedSix(this.multipliers, A, this.columns, mu, error);
  }

  private solveRows({ A, rows, error }: TaskStack, mu: number): boolean {
    const { system, multipliers, moving, movingCount } = this;
    const { nv } = this.model;
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c <= r; c++) {
        let sum = r === c ? mu : 0;
        for (let m = 0; m < movingCount; m++) sum += A[r * nv + moving[m]] * A[c * nv + moving[m]];
        system[r * rows + c] = sum;
      }
    }
    if (!factorizeCholesky(system, rows)) return false;
    solveCholesky(multipliers, system, rows, error);
    return true;
  }

  /** step = (A^T A + mu I)^-1 A^T e over the moving columns. */
  private solvePrimal(stack: TaskStack, mu: number): void {
    const { system, right, multipliers, moving, movingCount: n, step } = this;
    const { A, rows, error } = stack;
    const { nv } = this.model;
    if (n === 0) return;
    for (let a = 0; a < n; a++) {
      for (let c = 0; c <= a; c++) {
        let sum = a === c ? mu : 0;
        for (let r = 0; r < rows; r++) sum += A[r * nv + moving[a]] * A[r * nv + moving[c]];
        system[a * n + c] = sum;
      }
      right[a] = 0;
      for (let r = 0; r < rows; r++) right[a] += A[r * nv + moving[a]] * error[r];
    }
    if (!factorizeCholesky(system, n)) {
      const more = this.raiseDamping(stack, mu);
      if (more > 0) this.solvePrimal(stack, more);
      return;
    }
    solveCholesky(multipliers, system, n, right);
    for (let m = 0; m < n; m++) step[moving[m]] = multipliers[m];
  }

  /** Damping for a system that is singular to rounding: by the matrix's own size; 0 when it is zero or no damping helps. */
  private raiseDamping({ A, rows }: TaskStack, mu: number): number {
    const { moving, movingCount } = this;
    const { nv } = this.model;
    let trace = 0;
    for (let r = 0; r < rows; r++) for (let m = 0; m < movingCount; m++) trace += A[r * nv + moving[m]] ** 2;
    const more = Math.max(10 * mu, 1e-12 * trace);
    return trace > 0 && more < 1e300 ? more : 0;
  }
}
