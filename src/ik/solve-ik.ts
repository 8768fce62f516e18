/**
 * Inverse kinematics of one frame or of several tasks at once, by damped descents with restarts.
 *
 * Method:
 * 1. targets beyond a bound of the chain's reach are answered at once;
 * 2. a descent (`descent.ts`: Levenberg-Marquardt, limits inside the step) from the start, then from seeded random
 *    configurations, at most `restarts` of them;
 * 3. a solution that `isValid` refuses counts as a failed start; random starts that it refuses are drawn again a few times,
 *    since what is valid lies near what is valid;
 * 4. where all starts end a little off, the nearest is gone on with patiently, without the rule for stalls: near the edge of
 *    reach errors fall slowly;
 * 5. with a `goal`, the redundancy left at a solution is used to improve it (`improve.ts`).
 * Source: Sugihara 2011, doi:10.1109/TRO.2011.2148230; Lynch, Park 2017, "Modern robotics", section 6.2.
 *
 * Frames: W world, F the frame, T the target. Units: metres, radians.
 * Ends: `solved`; `unreachable` when a target lies beyond a bound of its chain's reach; `limit` with the best configuration
 * found. Never throws for poses, never returns NaN. Same request, same bits.
 * Cost: about a microsecond per iteration for seven joints and one pose. No allocation in `solve` but its result.
 * Tested by solve-ik.test.ts, edge-of-reach.test.ts and test/oracle/inverse-kinematics.test.ts.
 */

import {
  type Fields,
  numbers,
  oneOf,
  requireIndex,
  requireInstance,
  requireOptions,
  throwMisuse,
} from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { createRandom, type Random } from '../math/random.js';
import { createTransform, setIdentityTransform, type Transform } from '../math/transform.js';
import { neutralConfiguration, randomConfiguration } from '../model/configuration.js';
import type { Model } from '../model/model.js';
import { requireModel } from '../model/model.js';
import { Descent, type DescentLimits } from './descent.js';
import { type IkGoal, improveSolution } from './improve.js';
import { boundReach, type Reach } from './reach.js';
import { REQUEST, requireEntries, requireRequest, requireTasks } from './request-door.js';
import { PlacedTasks } from './tasks/placed-tasks.js';
import { createPoseChain } from './tasks/pose-chain.js';
import { readNumbers, readTransform } from './tasks/read-numbers.js';
import type { IkTask, StepRows } from './tasks/task.js';

const OPTIONS: Fields = { velocities: numbers, limits: oneOf('honour', 'ignore') };

export type IkStatus = 'solved' | 'limit' | 'unreachable';

export interface IkRequest {
  /** X_WT, for a solver of one frame; a solver of tasks reads its tasks' own targets. */
  readonly target?: Transform;
  /** First configuration tried; default: neutral, clamped. Coordinates outside `velocities` keep its values. */
  readonly start?: Float64Array;
  /** For a solver of one frame: `position` leaves the rotation free. Default `pose`. */
  readonly task?: 'pose' | 'position';
  /** Default 1e-6 m and 1e-6 rad; of several tasks each must meet them. */
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
  /** What to do with the redundancy that the tasks leave. */
  readonly goal?: IkGoal;
}

export interface IkResult {
  readonly status: IkStatus;
  readonly q: Float64Array;
  /** Metres; radians (0 for tasks without). Of several tasks the worst. */
  readonly positionError: number;
  readonly rotationError: number;
  readonly restarts: number;
  /** Over all starts. */
  readonly iterations: number;
  /** Value of the request's goal at q; 0 without a goal. */
  readonly goal: number;
}

export interface IkSolverOptions {
  /** Coordinates of v that may move; default: all. */
  readonly velocities?: ArrayLike<number>;
  /** `ignore` lets solutions leave the position limits; random starts stay inside. Default `honour`. */
  readonly limits?: 'honour' | 'ignore';
}

/** Draws of a random start that `isValid` may refuse before one is taken as it is. */
const DRAWS = 8;

/** Metres and radians together: what comes so close and no closer is gone on with once. */
const NEAR = 0.01;
/** Iterations of that, in those of a start. */
const PATIENCE = 10;

interface ReachedTask {
  readonly task: IkTask & { readonly kind: 'pose' | 'position' };
  readonly reach: Reach;
}

/** A solver for one frame or one list of tasks of one robot; it owns its scratch, so use one per thread of work. */
export class IkSolver {
  /** @internal */
  readonly descent: Descent;
  private readonly frameTarget: Transform | null;
  private readonly stack: StepRows;
  private readonly positionStack: StepRows | null;
  private readonly reaches: readonly ReachedTask[];
  /** Joints that random starts leave alone: those that may not move and those that no task feels. */
  private readonly kept: Int32Array;
  private readonly start: Float64Array;
  private readonly best: Float64Array;

  constructor(
    readonly model: Model,
    frameOrTasks: number | readonly IkTask[],
    options: IkSolverOptions = {},
  ) {
    requireModel('createIkSolver', model);
    requireOptions('createIkSolver', options, OPTIONS);
    requireEntries('createIkSolver', 'options.velocities', model, options.velocities);
    let tasks: readonly IkTask[];
    if (typeof frameOrTasks === 'number') {
      requireIndex('createIkSolver', 'frame', frameOrTasks, model.frameCount);
      const target = setIdentityTransform(createTransform());
      this.frameTarget = target;
      tasks = [{ kind: 'pose', frame: frameOrTasks, target }];
      this.positionStack = new PlacedTasks(model, [
        { kind: 'position', frame: frameOrTasks, target: target.subarray(9, 12) },
      ]);
    } else {
      if (!Array.isArray(frameOrTasks))
        throwMisuse(
          'createIkSolver',
          'frameOrTasks',
          frameOrTasks,
          'the index of a frame (see findFrame), or a list of tasks',
        );
      requireTasks('createIkSolver', 'frameOrTasks', model, frameOrTasks);
      tasks = frameOrTasks;
      this.frameTarget = null;
      this.positionStack = null;
    }
    this.descent = new Descent(model, options.limits !== 'ignore', options.velocities);
    const only = tasks.length === 1 ? tasks[0] : null;
    const chain = only?.kind === 'pose' ? createPoseChain(model, only, this.descent.free) : null;
    this.stack = chain ?? new PlacedTasks(model, tasks);
    this.reaches = options.limits === 'ignore' ? [] : listReaches(model, tasks);
    this.kept = listKeptJoints(model, tasks, this.descent.free);
    this.start = new Float64Array(model.nq);
    this.best = new Float64Array(model.nq);
  }

  solve(request: IkRequest): IkResult {
    requireRequest('solve', this.model, request, REQUEST);
    return this.solveChecked(request);
  }

  /** @internal For requests whose fields were looked at. */
  solveChecked(request: IkRequest): IkResult {
    const { descent, best } = this;
    const { restarts = 50 } = request;
    const stack = this.prepare(request);
    const limits = readLimits(request);
    this.placeStart();
    if (!this.isWithinReach(limits.positionTolerance)) {
      stack.evaluate(descent.q);
      return this.finish(request, { status: 'unreachable', stack, restarts: 0, iterations: 0 });
    }
    let random: Random | null = null;
    let bestError = Number.POSITIVE_INFINITY;
    let iterations = 0;
    for (let attempt = 0; attempt <= restarts; attempt++) {
      if (attempt > 0) {
        random ??= createRandom(request.seed ?? 1);
        this.drawStart(random, request.isValid);
      }
      iterations += descent.run(stack, limits);
      const isMet = descent.isMet(stack, limits);
      if (isMet && (request.isValid?.(descent.q) ?? true)) {
        return this.finish(request, { status: 'solved', stack, restarts: attempt, iterations });
      }
      // What comes closest; a solution that was refused is kept only when nothing else is there.
      const error = isMet ? Number.MAX_VALUE : stack.positionError + stack.rotationError;
      if (error < bestError) {
        bestError = error;
        best.set(descent.q);
      }
    }
    descent.q.set(best);
    if (bestError < NEAR) {
      // Near the edge of reach errors fall slowly along a bent valley, which looks like a stall.
      iterations += descent.run(stack, { ...limits, iterations: PATIENCE * limits.iterations }, true);
      const isSolved = descent.isMet(stack, limits) && (request.isValid?.(descent.q) ?? true);
      if (isSolved) return this.finish(request, { status: 'solved', stack, restarts, iterations });
      if (!(stack.positionError + stack.rotationError < bestError)) descent.q.set(best);
    }
    stack.evaluate(descent.q);
    return this.finish(request, { status: 'limit', stack, restarts, iterations });
  }

  /** Reads the request's target and start; returns the rows to solve. @internal */
  prepare(request: IkRequest): StepRows {
    const { model, descent, start, frameTarget } = this;
    if (frameTarget) {
      if (!request.target) throw new MisuseError('solve: target, got none, expected X_WT (12 numbers)');
      readTransform(frameTarget, request.target, 'solve: target');
    } else if (request.target) {
      throw new MisuseError('solve: target, got one, expected none: this solver reads the targets of its tasks');
    }
    const stack = (request.task === 'position' && this.positionStack) || this.stack;
    if (request.start) readNumbers(start, request.start, model.nq, 'solve: start');
    else neutralConfiguration(start, model);
    descent.enforceLimits(start);
    stack.place(start);
    return stack;
  }

  /** Writes the start that `prepare` read into `descent.q`. @internal */
  placeStart(): void {
    this.descent.q.set(this.start);
  }

  /** Writes a random start into `descent.q`; what may not move keeps the start's values. @internal */
  drawStart(random: Random, isValid?: (q: Float64Array) => boolean): void {
    const { model, descent, start } = this;
    const { q } = descent;
    for (let draw = 0; draw < DRAWS; draw++) {
      randomConfiguration(q, model, random);
      for (let k = 0; k < this.kept.length; k++) {
        const j = this.kept[k];
        for (let i = model.idxQ[j]; i < model.idxQ[j] + model.nqs[j]; i++) q[i] = start[i];
      }
      if (!isValid || isValid(q)) return;
    }
  }

  private finish(
    request: IkRequest,
    end: { status: IkStatus; stack: StepRows; restarts: number; iterations: number },
  ): IkResult {
    const { descent } = this;
    const { status, stack, restarts } = end;
    let { iterations } = end;
    let goal = 0;
    if (request.goal) {
      const improved = improveSolution(descent, stack, readLimits(request), request.goal, {
        isValid: request.isValid,
        mayMove: status === 'solved',
      });
      goal = improved.value;
      iterations += improved.iterations;
    }
    const { positionError, rotationError } = stack;
    return { status, q: descent.q.slice(), positionError, rotationError, restarts, iterations, goal };
  }

  private isWithinReach(tolerance: number): boolean {
    const { reaches } = this;
    for (let t = 0; t < reaches.length; t++) {
      const { task, reach } = reaches[t];
      const { center, radius } = reach;
      const at = task.target.length === 12 ? 9 : 0;
      const x = task.target[at] - center[0];
      const y = task.target[at + 1] - center[1];
      const z = task.target[at + 2] - center[2];
      const distance = Math.sqrt(x * x + y * y + z * z);
      // The square of a distance may overflow.
      if (distance === Infinity || distance > radius + tolerance + 1e-12 * (radius + distance)) return false;
    }
    return true;
  }
}

/** @param frameOrTasks index of one frame, whose target each request gives, or tasks with their targets */
export function createIkSolver(
  model: Model,
  frameOrTasks: number | readonly IkTask[],
  options: IkSolverOptions = {},
): IkSolver {
  return new IkSolver(model, frameOrTasks, options);
}

/** @internal */
export function readLimits(request: IkRequest): DescentLimits {
  return {
    iterations: request.iterations ?? 100,
    positionTolerance: request.positionTolerance ?? 1e-6,
    rotationTolerance: request.rotationTolerance ?? 1e-6,
  };
}

function listKeptJoints(model: Model, tasks: readonly IkTask[], free: Int32Array): Int32Array {
  const feels = new Uint8Array(model.jointCount);
  for (const task of tasks) {
    if (!('frame' in task)) {
      feels.fill(1);
      continue;
    }
    const frames = task.kind === 'relative-pose' ? [task.frame, task.base] : [task.frame];
    for (const frame of frames) {
      for (const j of model.supports[model.frameJoints[frame]]) feels[model.mimicDrivers[j] || j] = 1;
    }
  }
  const kept: number[] = [];
  for (let j = 1; j < model.jointCount; j++) {
    if (model.nqs[j] > 0 && !(feels[j] === 1 && free.includes(model.idxV[j]))) kept.push(j);
  }
  return Int32Array.from(kept);
}

/** Tasks that put a frame's origin at a place, and a bound of how far it can get. */
function listReaches(model: Model, tasks: readonly IkTask[]): ReachedTask[] {
  const reached: ReachedTask[] = [];
  for (const task of tasks) {
    if (task.kind !== 'pose' && !(task.kind === 'position' && !task.point)) continue;
    if (task.weight !== undefined || task.weights) continue;
    const reach = boundReach(model, task.frame);
    if (reach.radius < Number.POSITIVE_INFINITY) reached.push({ task, reach });
  }
  return reached;
}

/** Throws on what is no solver. */
export function requireSolver(call: string, solver: unknown): void {
  requireInstance(call, 'solver', solver, IkSolver, 'what createIkSolver returned');
}
