/**
 * Inverse kinematics of one frame by Levenberg-Marquardt with restarts.
 *
 * Method:
 * 1. error xi = log(X_WF^-1 X_WT) in the frame's own axes; its derivative by joint velocities is -Jl^-1(xi) J_local, so
 *    steps near the target converge quadratically also for large rotations;
 * 2. step dq = Je^T (Je Je^T + mu I)^-1 xi, a 6 x 6 system whatever the robot; mu = damping x |xi|^2;
 * 3. a joint at its limit that the step pushes outwards is frozen and the step solved again, the rest is clamped: every
 *    iterate is inside the limits;
 * 4. a step that lowers the error is kept and the damping lowered, else the damping rises;
 * 5. a start that stalls is given up for a seeded random configuration, at most `restarts` times. A solution that
 *    `isValid` refuses counts as a stalled start.
 * Source: Sugihara 2011, "Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt method",
 * doi:10.1109/TRO.2011.2148230 (damping by the error); Lynch, Park 2017, "Modern robotics", section 6.2.
 *
 * Frames: W world, F the frame, T the target. Units: metres, radians. Tasks: `pose`, `position` (rotation free).
 * Ends: `solved`; `unreachable` when the target lies beyond a bound of the chain's reach; `limit` with the best
 * configuration found. Never throws for a target, never returns NaN. Same request, same bits.
 * Cost: about a microsecond per iteration for seven joints. No allocation in `solve` but its result.
 * Tested by solve-ik.test.ts and test/oracle/inverse-kinematics.test.ts.
 */
import { computeFramePlacement, updateKinematics } from '../kinematics/forward-kinematics.js';
import { computeFrameJacobian } from '../kinematics/frame-jacobian.js';
import { factorizeCholesky, solveCholesky } from '../math/dense/cholesky.js';
import { createRandom, type Random } from '../math/random.js';
import { leftJacobianInverseSe3, logSe3 } from '../math/se3.js';
import { createTransform, relativeTransform, type Transform } from '../math/transform.js';
import {
  clampConfiguration,
  integrateConfiguration,
  neutralConfiguration,
  randomConfiguration,
} from '../model/configuration.js';
import { createData, type Data, type Model } from '../model/model.js';
import { boundReach, type Reach } from './reach.js';

export type IkStatus = 'solved' | 'limit' | 'unreachable';

export interface IkRequest {
  /** X_WT */
  readonly target: Transform;
  /** First configuration tried; default: neutral, clamped. Coordinates outside `indices` keep its values. */
  readonly start?: Float64Array;
  readonly task?: 'pose' | 'position';
  /** Default 1e-6 m and 1e-6 rad. */
  readonly positionTolerance?: number;
  readonly rotationTolerance?: number;
  /** Random starts after the first; default 50. */
  readonly restarts?: number;
  /** Iterations per start; default 100. */
  readonly iterations?: number;
  /** Seed of the random starts; default 1. */
  readonly seed?: number;
  /** Further condition on a solution, for example that it is free of collisions. */
  readonly isValid?: (q: Float64Array) => boolean;
}

export interface IkResult {
  readonly status: IkStatus;
  readonly q: Float64Array;
  /** Metres; radians (0 for the task `position`). */
  readonly positionError: number;
  readonly rotationError: number;
  readonly restarts: number;
  /** Over all starts. */
  readonly iterations: number;
}

export interface IkSolverOptions {
  /** Coordinates of v that may move; default: all. */
  readonly velocities?: ArrayLike<number>;
  /** `ignore` lets solutions leave the position limits; random starts stay inside. Default `honour`. */
  readonly limits?: 'honour' | 'ignore';
}

const INITIAL_DAMPING = 1e-3;
const LEAST_DAMPING = 1e-7;
const MOST_DAMPING = 1e8;
/** Iterations in which the squared error must fall to half, else the start is given up. */
const STALL_WINDOW = 10;

/** A solver for one frame of one robot; it owns its scratch, so use one per thread of work. */
export class IkSolver {
  private readonly data: Data;
  private readonly jacobian: Float64Array;
  private readonly errorJacobian: Float64Array;
  private readonly system = new Float64Array(36);
  private readonly inverse = new Float64Array(36);
  private readonly error = new Float64Array(6);
  private readonly multipliers = new Float64Array(6);
  private readonly step: Float64Array;
  private readonly frozen: Uint8Array;
  private readonly locked: Uint8Array;
  /** Coordinate of q that belongs to each v with plain limits; -1 for others. */
  private readonly coordinates: Int32Array;
  private readonly X_WF = createTransform();
  private readonly X_FT = createTransform();
  private readonly q: Float64Array;
  private readonly trial: Float64Array;
  private readonly reach: Reach;
  private readonly honoursLimits: boolean;
  private positionError = 0;
  private rotationError = 0;

  constructor(
    readonly model: Model,
    readonly frame: number,
    options: IkSolverOptions = {},
  ) {
    const { nv, nq } = model;
    this.data = createData(model);
    this.jacobian = new Float64Array(6 * nv);
    this.errorJacobian = new Float64Array(6 * nv);
    this.step = new Float64Array(nv);
    this.frozen = new Uint8Array(nv);
    this.locked = new Uint8Array(nv);
    this.coordinates = new Int32Array(nv).fill(-1);
    this.q = new Float64Array(nq);
    this.trial = new Float64Array(nq);
    this.reach = boundReach(model, frame);
    this.honoursLimits = options.limits !== 'ignore';
    if (options.velocities) {
      this.locked.fill(1);
      for (let k = 0; k < options.velocities.length; k++) this.locked[options.velocities[k]] = 0;
    }
    for (let j = 1; j < model.jointCount; j++) {
      if (model.nqs[j] === 1 && model.nvs[j] === 1) this.coordinates[model.idxV[j]] = model.idxQ[j];
    }
  }

  solve(request: IkRequest): IkResult {
    const { model } = this;
    const { target, task = 'pose', restarts = 50, iterations: perStart = 100 } = request;
    const positionTolerance = request.positionTolerance ?? 1e-6;
    const rotationTolerance = request.rotationTolerance ?? 1e-6;
    requireTarget(target);
    const start = Float64Array.from(request.start ?? neutralConfiguration(this.q, model));
    this.enforceLimits(start);
    const best = Float64Array.from(start);
    let bestPosition = Infinity;
    let bestRotation = Infinity;
    const random = createRandom(request.seed ?? 1);
    let total = 0;
    let attempt = 0;
    this.q.set(start);
    if (!this.isWithinReach(target, positionTolerance)) {
      this.evaluate(this.q, target, task);
      return this.finish('unreachable', start, this.positionError, this.rotationError, 0, 0);
    }
    for (; attempt <= restarts; attempt++) {
      if (attempt > 0) this.drawStart(start, random);
      total += this.descend(target, task, perStart, positionTolerance, rotationTolerance);
      const converged = this.positionError <= positionTolerance && this.rotationError <= rotationTolerance;
      const valid = converged && (request.isValid?.(this.q) ?? true);
      if (valid) return this.finish('solved', this.q, this.positionError, this.rotationError, attempt, total);
      if (!converged && this.positionError + this.rotationError < bestPosition + bestRotation) {
        bestPosition = this.positionError;
        bestRotation = this.rotationError;
        best.set(this.q);
      }
    }
    if (bestPosition === Infinity) {
      bestPosition = this.positionError;
      bestRotation = this.rotationError;
      best.set(this.q);
    }
    return this.finish('limit', best, bestPosition, bestRotation, attempt - 1, total);
  }

  private finish(
    status: IkStatus,
    q: Float64Array,
    positionError: number,
    rotationError: number,
    restarts: number,
    iterations: number,
  ): IkResult {
    return { status, q: Float64Array.from(q), positionError, rotationError, restarts, iterations };
  }

  private enforceLimits(q: Float64Array): void {
    if (this.honoursLimits) clampConfiguration(q, this.model, q);
  }

  private drawStart(start: Float64Array, random: Random): void {
    randomConfiguration(this.q, this.model, random);
    for (let k = 0; k < this.locked.length; k++) {
      if (this.locked[k] === 1 && this.coordinates[k] >= 0) this.q[this.coordinates[k]] = start[this.coordinates[k]];
    }
  }

  private isWithinReach(target: Transform, tolerance: number): boolean {
    const { pivot, radius } = this.reach;
    if (radius === Infinity || !this.honoursLimits || this.locked.includes(1)) return true;
    updateKinematics(this.model, this.data, this.q);
    const at = 12 * (pivot > 0 ? this.model.parents[pivot] : 0);
    const X = this.data.jointPlacements;
    const origin = [0, 0, 0];
    for (let r = 0; r < 3; r++) {
      origin[r] = X[at + 9 + r];
      if (pivot > 0)
        for (let c = 0; c < 3; c++) origin[r] += X[at + 3 * r + c] * this.model.placements[12 * pivot + 9 + c];
    }
    if (pivot === 0) {
      computeFramePlacement(this.X_WF, this.model, this.data, this.frame);
      for (let r = 0; r < 3; r++) origin[r] = this.X_WF[9 + r];
    }
    const distance = Math.hypot(target[9] - origin[0], target[10] - origin[1], target[11] - origin[2]);
    return distance <= radius + tolerance + 1e-12 * (radius + distance);
  }

  /** Error of q into `error` (zero rows for what the task leaves free); returns its squared norm. */
  private evaluate(q: Float64Array, target: Transform, task: 'pose' | 'position'): number {
    const { X_WF, X_FT, error } = this;
    updateKinematics(this.model, this.data, q);
    computeFramePlacement(X_WF, this.model, this.data, this.frame);
    relativeTransform(X_FT, X_WF, target);
    this.positionError = Math.sqrt(X_FT[9] * X_FT[9] + X_FT[10] * X_FT[10] + X_FT[11] * X_FT[11]);
    if (task === 'position') {
      for (let r = 0; r < 3; r++) {
        error[r] = X_FT[9 + r];
        error[3 + r] = 0;
      }
      this.rotationError = 0;
      return this.positionError * this.positionError;
    }
    logSe3(error, X_FT);
    this.rotationError = Math.sqrt(error[3] * error[3] + error[4] * error[4] + error[5] * error[5]);
    let sum = 0;
    for (let r = 0; r < 6; r++) sum += error[r] * error[r];
    return sum;
  }

  /** Iterates from `q` until the task is met, the start stalls or `limit` is reached; returns the iterations used. */
  private descend(
    target: Transform,
    task: 'pose' | 'position',
    limit: number,
    positionTolerance: number,
    rotationTolerance: number,
  ): number {
    const { model, q, trial, step } = this;
    let squared = this.evaluate(q, target, task);
    let damping = INITIAL_DAMPING;
    let reference = squared;
    let iteration = 0;
    while (iteration < limit) {
      if (this.positionError <= positionTolerance && this.rotationError <= rotationTolerance) return iteration;
      if (iteration % STALL_WINDOW === STALL_WINDOW - 1) {
        if (squared > 0.5 * reference) return iteration;
        reference = squared;
      }
      iteration++;
      this.linearize(task);
      this.computeStep(damping * squared + Number.MIN_VALUE);
      integrateConfiguration(trial, model, q, step);
      this.enforceLimits(trial);
      const next = this.evaluate(trial, target, task);
      if (next < squared) {
        squared = next;
        q.set(trial);
        damping = Math.max(LEAST_DAMPING, 0.1 * damping);
      } else {
        damping *= 10;
        squared = this.evaluate(q, target, task);
        if (damping > MOST_DAMPING) return iteration;
      }
    }
    return iteration;
  }

  /** Writes Je: the derivative of the error by v, negated. */
  private linearize(task: 'pose' | 'position'): void {
    const { model, jacobian, errorJacobian, inverse, error } = this;
    const { nv } = model;
    computeFrameJacobian(jacobian, model, this.data, this.frame, 'local');
    if (task === 'position') {
      // d(X_FT translation) = -(v + w x p): the frame's own rotation moves the target in its axes.
      const p = error;
      for (let k = 0; k < nv; k++) {
        const wx = jacobian[3 * nv + k];
        const wy = jacobian[4 * nv + k];
        const wz = jacobian[5 * nv + k];
        errorJacobian[k] = jacobian[k] + wy * p[2] - wz * p[1];
        errorJacobian[nv + k] = jacobian[nv + k] + wz * p[0] - wx * p[2];
        errorJacobian[2 * nv + k] = jacobian[2 * nv + k] + wx * p[1] - wy * p[0];
        errorJacobian[3 * nv + k] = errorJacobian[4 * nv + k] = errorJacobian[5 * nv + k] = 0;
      }
      return;
    }
    leftJacobianInverseSe3(inverse, error);
    for (let r = 0; r < 6; r++) {
      for (let k = 0; k < nv; k++) {
        let sum = 0;
        for (let c = 0; c < 6; c++) sum += inverse[6 * r + c] * jacobian[c * nv + k];
        errorJacobian[r * nv + k] = sum;
      }
    }
  }

  /** Damped step with joints frozen at the limits they would leave. */
  private computeStep(mu: number): void {
    const { model, step, frozen, locked, coordinates, q } = this;
    const { nv, lower, upper } = model;
    frozen.set(locked);
    for (let round = 0; round < nv; round++) {
      this.solveDamped(mu);
      let changed = false;
      for (let k = 0; k < nv; k++) {
        const i = coordinates[k];
        if (frozen[k] === 1 || i < 0 || !this.honoursLimits) continue;
        if ((q[i] <= lower[i] && step[k] < 0) || (q[i] >= upper[i] && step[k] > 0)) {
          frozen[k] = 1;
          changed = true;
        }
      }
      if (!changed) return;
    }
  }

  private solveDamped(mu: number): void {
    const { errorJacobian: J, system, multipliers, error, step, frozen } = this;
    const { nv } = this.model;
    for (let r = 0; r < 6; r++) {
      for (let c = 0; c <= r; c++) {
        let sum = r === c ? mu : 0;
        for (let k = 0; k < nv; k++) if (frozen[k] === 0) sum += J[r * nv + k] * J[c * nv + k];
        system[6 * r + c] = sum;
      }
    }
    if (!factorizeCholesky(system, 6)) {
      // Singular to rounding: damp by the matrix's own size.
      let trace = 0;
      for (let r = 0; r < 6; r++) for (let k = 0; k < nv; k++) if (frozen[k] === 0) trace += J[r * nv + k] ** 2;
      if (trace === 0) {
        step.fill(0);
        return;
      }
      this.solveDamped(Math.max(10 * mu, 1e-12 * trace));
      return;
    }
    solveCholesky(multipliers, system, 6, error);
    for (let k = 0; k < nv; k++) {
      let sum = 0;
      if (frozen[k] === 0) for (let r = 0; r < 6; r++) sum += J[r * nv + k] * multipliers[r];
      step[k] = sum;
    }
  }
}

export function createIkSolver(model: Model, frame: number, options: IkSolverOptions = {}): IkSolver {
  if (!(frame >= 0 && frame < model.frameCount)) {
    throw new RangeError(`createIkSolver: frame, got ${frame}, expected 0 to ${model.frameCount - 1}`);
  }
  return new IkSolver(model, frame, options);
}

function requireTarget(target: Transform): void {
  if (target.length !== 12) throw new RangeError(`solve: target, got ${target.length} numbers, expected 12`);
  for (let i = 0; i < 12; i++) {
    if (!Number.isFinite(target[i]))
      throw new RangeError(`solve: target[${i}], got ${target[i]}, expected a finite number`);
  }
}
