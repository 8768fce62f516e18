/**
 * Trajectory tracking by differential inverse kinematics: joint velocities, step by step, that follow moving targets under
 * position, velocity and acceleration limits, with tasks in strict order of priority and weighed within a level.
 *
 * Method, for a step of length h from q with levels of errors e (each a stack of tasks):
 * 1. the error now, e0, against the targets at the step's start; the wish for its end is exp(-gain h) e0;
 * 2. against the targets at the step's end (moved on at their velocities), rows A v = (e(q) - wish)/h, with A the exact
 *    derivative of the error. To first order in h this is A v = v* + gain e;
 *    with acceleration limits the gain is lowered far from the target to sqrt(2 alpha/|e|), alpha half the deceleration along
 *    e that the joints can give, so that an approach at full speed can still stop at the target;
 * 3. v by least squares in strict order inside the box of admissible velocities (`velocity-bounds.ts`), damped near
 *    singularities only; weights, priorities, bounds in one solver (`math/qp/solve-hierarchy.ts`);
 * 4. `corrections` times: the rows anew at q (+) h v, which takes out the curvature of the path within the step. Without it a
 *    lower level disturbs a higher one by terms of order h^2, with it by rounding.
 * Source: Siciliano, Slotine 1991, doi:10.1109/ICAR.1991.240390; Escande, Mansard, Wieber 2014,
 * doi:10.1177/0278364914521306; Lynch, Park 2017, "Modern robotics", section 11.3 (feedforward and feedback of a pose).
 *
 * Units: metres, radians, seconds. The tasks' `target` and `velocity` arrays are read at every step; change them in place.
 * `targetTime` says when they hold: at the step's start (a circle of acceleration a is then followed to a h/(2 gain)) or in its
 * middle (a h^2/8).
 * Cost: (1 + corrections) x (kinematics + 2 rows nv^2); nothing is allocated in `step`.
 * Ends: `tracking`; `limits` when the state leaves no velocity that keeps all limits (position and velocity limits win over
 * acceleration), or when added constraints contradict them; `iterations` when a quadratic program ran out of them. Never
 * throws for finite targets, never NaN. Tested by track.test.ts and test/oracle/tracking.test.ts.
 */

import { updateKinematics } from '../kinematics/forward-kinematics.js';
import {
  type Fields,
  numbers,
  oneOf,
  requireBounds,
  requireFields,
  requireFinite,
  requireList,
  requireNotNegative,
  requirePositive,
  throwMisuse,
  unchecked,
  wholeFrom,
} from '../math/arguments.js';
import {
  createHierarchy,
  type Hierarchy,
  type HierarchyBounds,
  type HierarchyLevel,
  solveHierarchy,
} from '../math/qp/solve-hierarchy.js';
import { exp } from '../math/scalar.js';
import { createNeutralConfiguration, integrateConfiguration } from '../model/configuration.js';
import { createData, type Data, type Model, requireModel } from '../model/model.js';
import { isLocked } from './descent.js';
import { requireEntries, requireTasks } from './request-door.js';
import { readNumbers } from './tasks/read-numbers.js';
import type { IkTask } from './tasks/task.js';
import { TaskStack } from './tasks/task-stack.js';
import { boundVelocities, listCoordinates, type MotionLimits } from './velocity-bounds.js';

const OPTIONS: Fields = {
  levels: requireList,
  timeStep: requirePositive,
  gain: requirePositive,
  targetTime: oneOf('start', 'middle'),
  corrections: wholeFrom(0),
  accelerations: unchecked,
  limits: oneOf('honour', 'ignore'),
  velocityScale: requirePositive,
  velocities: numbers,
  damping: requireNotNegative,
  singularRegion: requireNotNegative,
};

function requireTracker(model: Model, options: TrackerOptions): void {
  const call = 'createTracker';
  requireFields(call, 'options', options, OPTIONS);
  requireList(call, 'options.levels', options.levels, 'a list of lists of tasks');
  if (options.levels.length === 0) throwMisuse(call, 'options.levels', options.levels, 'at least one level');
  options.levels.forEach((tasks, k) => {
    const isEmpty = Array.isArray(tasks) && tasks.length === 0;
    if (!isEmpty) requireTasks(call, `options.levels[${k}]`, model, tasks);
  });
  requireEntries(call, 'options.velocities', model, options.velocities);
  const { accelerations } = options;
  if (accelerations !== undefined && typeof accelerations !== 'number')
    requireBounds(call, 'options.accelerations', accelerations, model.nv);
}

export type TrackerStatus = 'tracking' | 'limits' | 'iterations';

export interface TrackerOptions {
  /** Strict priorities, most important first; tasks of one level are weighed against each other. */
  readonly levels: readonly (readonly IkTask[])[];
  /** Seconds; default 0.001. */
  readonly timeStep?: number;
  /** Rate at which errors decay, 1/s; default 100. */
  readonly gain?: number;
  /** When the targets hold within a step; default `start`. */
  readonly targetTime?: 'start' | 'middle';
  /** Further linearisations per step; default 1. */
  readonly corrections?: number;
  /** Largest |dv/dt|: nv numbers, or one for all; default none. */
  readonly accelerations?: number | ArrayLike<number>;
  /** `ignore` drops the model's position and velocity limits. Default `honour`. */
  readonly limits?: 'honour' | 'ignore';
  /** Share of the model's velocity limits that may be used; default 1. */
  readonly velocityScale?: number;
  /** Entries of v that may move; default all. */
  readonly velocities?: ArrayLike<number>;
  /** Damping at a singularity, and the size of the smallest pivot below which it sets in: see `solveHierarchy`. */
  readonly damping?: number;
  readonly singularRegion?: number;
}

/** Follows tasks with one robot; it owns its state and scratch. */
export class Tracker {
  /** The configuration after the last step, and the velocity that led to it (nv numbers). */
  readonly q: Float64Array;
  readonly v: Float64Array;
  /** Errors after the last `measure`, worst task of each level: metres, radians. */
  readonly positionErrors: Float64Array;
  readonly rotationErrors: Float64Array;
  private readonly data: Data;
  private readonly stacks: readonly TaskStack[];
  private readonly wishes: readonly Float64Array[];
  private readonly levels: readonly HierarchyLevel[];
  private readonly hierarchy: Hierarchy;
  private readonly limits: MotionLimits;
  private readonly bounds: HierarchyBounds;
  private readonly locked: Uint8Array;
  private readonly coordinates: Int32Array;
  private readonly motion: Float64Array;
  private readonly next: Float64Array;
  private readonly displacement: Float64Array;
  private readonly hasLocked: boolean;
  private readonly gain: number;
  private readonly canAccelerateFreely: boolean;
  private readonly brake: Hierarchy;
  private readonly boundless: HierarchyBounds;
  private readonly startTime: number;
  private readonly decay: number;
  private readonly damping: { damping?: number; singularRegion?: number };
  private readonly corrections: number;
  readonly timeStep: number;

  constructor(
    readonly model: Model,
    options: TrackerOptions,
  ) {
    requireModel('createTracker', model);
    requireTracker(model, options);
    const { nv, nq } = model;
    const { timeStep = 1e-3, gain = 100, corrections = 1, targetTime } = options;
    this.timeStep = timeStep;
    this.corrections = corrections;
    this.decay = exp(-gain * timeStep);
    this.startTime = targetTime === 'middle' ? -0.5 * timeStep : 0;
    this.data = createData(model);
    this.stacks = options.levels.map((tasks) => new TaskStack(model, tasks));
    this.wishes = this.stacks.map(({ rows }) => new Float64Array(rows));
    this.levels = this.stacks.map(({ rows, A }) => ({ A, b: new Float64Array(rows), rows }));
    const mostRows = Math.max(...this.stacks.map(({ rows }) => rows));
    this.hierarchy = createHierarchy(nv, this.levels.length, mostRows);
    this.positionErrors = new Float64Array(this.levels.length);
    this.rotationErrors = new Float64Array(this.levels.length);
    this.limits = readLimits(model, options);
    this.bounds = { lower: new Float64Array(nv), upper: new Float64Array(nv) };
    this.locked = new Uint8Array(nv);
    if (options.velocities) {
      this.locked.fill(1);
      for (let k = 0; k < options.velocities.length; k++) this.locked[options.velocities[k]] = 0;
    }
    this.coordinates = listCoordinates(model);
    if (options.limits !== 'ignore')
      for (let k = 0; k < nv; k++) if (isLocked(model, this.coordinates[k])) this.locked[k] = 1;
    this.damping = { damping: options.damping, singularRegion: options.singularRegion };
    this.q = createNeutralConfiguration(model);
    this.v = new Float64Array(nv);
    this.next = new Float64Array(nq);
    this.motion = new Float64Array(nv);
    this.displacement = new Float64Array(nv);
    this.hasLocked = this.locked.includes(1);
    this.gain = gain;
    this.canAccelerateFreely = this.limits.accelerations.every((a) => a === Number.POSITIVE_INFINITY);
    this.brake = createHierarchy(nv, 1, mostRows);
    this.boundless = {
      lower: new Float64Array(nv).fill(Number.NEGATIVE_INFINITY),
      upper: new Float64Array(nv).fill(Number.POSITIVE_INFINITY),
    };
    this.reset(this.q);
  }

  /** Stands at q (moved inside the limits) with velocity v, default at rest. */
  reset(q: ArrayLike<number>, v?: ArrayLike<number>): void {
    readNumbers(this.q, q, this.model.nq, 'reset: q');
    if (v) readNumbers(this.v, v, this.model.nv, 'reset: v');
    else this.v.fill(0);
    for (let i = 0; i < this.q.length; i++) {
      this.q[i] = Math.max(this.limits.lower[i], Math.min(this.limits.upper[i], this.q[i]));
    }
  }

  /** One time step: moves `q` and `v`. */
  step(): TrackerStatus {
    const {
      model,
      q,
      v,
      next,
      motion,
      displacement,
      stacks,
      levels,
      wishes,
      hierarchy,
      bounds,
      locked,
      timeStep: h,
    } = this;
    const { nv } = model;
    const isConsistent = boundVelocities(bounds.lower, bounds.upper, this.limits, this.coordinates, this, h);
    for (let k = 0; k < nv; k++) {
      if (locked[k] === 1) {
        bounds.lower[k] = 0;
        bounds.upper[k] = 0;
      }
    }
    updateKinematics(model, this.data, q);
    for (let s = 0; s < stacks.length; s++) {
      stacks[s].place(this.startTime);
      stacks[s].evaluate(this.data, q);
      const decay = this.canAccelerateFreely ? this.decay : this.chooseDecay(s);
      for (let r = 0; r < stacks[s].rows; r++) wishes[s][r] = decay * stacks[s].error[r];
      stacks[s].place(this.startTime + h);
    }
    motion.fill(0);
    next.set(q);
    let status: TrackerStatus = isConsistent ? 'tracking' : 'limits';
    for (let round = 0; round <= this.corrections; round++) {
      for (let s = 0; s < stacks.length; s++) {
        const { A, error, rows } = stacks[s];
        const { b } = levels[s];
        stacks[s].evaluate(this.data, next);
        stacks[s].linearize(this.data);
        for (let r = 0; r < rows; r++) {
          let sum = (error[r] - wishes[s][r]) / h;
          if (round > 0) for (let k = 0; k < nv; k++) sum += A[r * nv + k] * motion[k];
          b[r] = sum;
        }
        if (this.hasLocked) clearLocked(A, rows, locked);
      }
      const outcome = solveHierarchy(hierarchy, levels, bounds, this.damping, motion);
      if (outcome === 'infeasible') status = 'limits';
      else if (outcome === 'limit' && status === 'tracking') status = 'iterations';
      for (let k = 0; k < nv; k++) {
        motion[k] = hierarchy.x[k];
        displacement[k] = h * motion[k];
      }
      integrateConfiguration(next, model, q, displacement);
      this.keepInside(next);
      if (round < this.corrections) updateKinematics(model, this.data, next);
    }
    v.set(motion);
    q.set(next);
    return status;
  }

  /** Writes `positionErrors` and `rotationErrors` at `q` against the targets moved on by `time`; returns the worst metre. */
  measure(time = 0): number {
    requireFinite('measure', 'time', time);
    updateKinematics(this.model, this.data, this.q);
    let worst = 0;
    for (let s = 0; s < this.stacks.length; s++) {
      const stack = this.stacks[s];
      stack.place(time);
      stack.evaluate(this.data, this.q);
      this.positionErrors[s] = stack.positionError;
      this.rotationErrors[s] = stack.rotationError;
      worst = Math.max(worst, stack.positionError);
    }
    return worst;
  }

  /** What is left of level s's error after a step, when it shall be possible to stop at the target. */
  private chooseDecay(s: number): number {
    const { stacks, brake, levels, limits, data, gain } = this;
    const { A, error, rows } = stacks[s];
    const { b } = levels[s];
    let squared = 0;
    for (let r = 0; r < rows; r++) squared += error[r] * error[r];
    const length = Math.sqrt(squared);
    if (length === 0) return this.decay;
    stacks[s].linearize(data);
    if (this.hasLocked) clearLocked(A, rows, this.locked);
    for (let r = 0; r < rows; r++) b[r] = error[r] / length;
    // The joint motion per unit of error along e; alpha is what the slowest joint allows.
    solveHierarchy(brake, [levels[s]], this.boundless, this.damping);
    let alpha = Number.POSITIVE_INFINITY;
    for (let k = 0; k < brake.n; k++) alpha = Math.min(alpha, limits.accelerations[k] / Math.abs(brake.x[k]));
    const slowest = Math.sqrt(alpha / length);
    return slowest < gain ? exp(-slowest * this.timeStep) : this.decay;
  }

  /** Rounding may leave a coordinate just outside. */
  private keepInside(q: Float64Array): void {
    const { lower, upper } = this.limits;
    for (let k = 0; k < this.coordinates.length; k++) {
      const i = this.coordinates[k];
      if (i >= 0) q[i] = Math.max(lower[i], Math.min(upper[i], q[i]));
    }
  }
}

/** A tracker at the neutral configuration, at rest; `reset` puts it elsewhere. */
export function createTracker(model: Model, options: TrackerOptions): Tracker {
  return new Tracker(model, options);
}

function readLimits(model: Model, options: TrackerOptions): MotionLimits {
  const { nv, nq } = model;
  const { velocityScale = 1, accelerations = Number.POSITIVE_INFINITY, limits = 'honour' } = options;
  const isHonoured = limits !== 'ignore';
  const bound = new Float64Array(nv).fill(Number.POSITIVE_INFINITY);
  if (typeof accelerations === 'number') bound.fill(accelerations);
  else if (accelerations.length === nv) bound.set(accelerations as Float64Array);
  else throwMisuse('createTracker', 'accelerations', accelerations, `${nv} numbers`);
  for (let k = 0; k < nv; k++) requirePositive('createTracker', `options.accelerations[${k}]`, bound[k]);
  return {
    velocities: isHonoured
      ? model.velocityLimits.map((x) => velocityScale * x)
      : new Float64Array(nv).fill(Number.POSITIVE_INFINITY),
    accelerations: bound,
    lower: isHonoured ? model.lower : new Float64Array(nq).fill(Number.NEGATIVE_INFINITY),
    upper: isHonoured ? model.upper : new Float64Array(nq).fill(Number.POSITIVE_INFINITY),
  };
}

/** Entries of v that do not move have no part in any row. */
function clearLocked(A: Float64Array, rows: number, locked: Uint8Array): void {
  const nv = locked.length;
  for (let k = 0; k < nv; k++) if (locked[k] === 1) for (let r = 0; r < rows; r++) A[r * nv + k] = 0;
}
