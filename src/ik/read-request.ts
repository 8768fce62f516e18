/** Checks of what is asked of inverse kinematics, where it enters: counts, tolerances, weights, coordinates that may move. */
import { describeValue, requireNumberThat, requirePositiveNumber, requireSeed } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import type { Model } from '../model/model.js';
import type { IkGoal } from './improve.js';
import type { IkRequest } from './solve-ik.js';
import { requireFrame } from './tasks/read-numbers.js';
import type { TrackerOptions } from './track.js';

/** Undefined passes: there is a default. */
function requireCount(call: string, what: string, value: unknown, least = 0): void {
  if (value === undefined) return;
  const isCount = (x: number): boolean => Number.isInteger(x) && x >= least;
  requireNumberThat(call, what, value, isCount, `a whole number of at least ${least}`);
}

function requireTolerance(call: string, what: string, value: unknown): void {
  if (value !== undefined) requireNumberThat(call, what, value, (x) => x >= 0 && x < Infinity, '0 or more');
}

/** The numbers of a request; its targets and its start are read where they are used. */
export function requireRequest(call: string, model: Model, request: IkRequest): void {
  requireTolerance(call, 'positionTolerance', request.positionTolerance);
  requireTolerance(call, 'rotationTolerance', request.rotationTolerance);
  requireCount(call, 'restarts', request.restarts);
  requireCount(call, 'iterations', request.iterations);
  requireSeed(call, request.seed);
  if (request.task !== undefined && request.task !== 'pose' && request.task !== 'position')
    throw new MisuseError(`${call}: task, got ${describeValue(request.task)}, expected pose or position`);
  if (request.isValid !== undefined && typeof request.isValid !== 'function')
    throw new MisuseError(`${call}: isValid, got ${describeValue(request.isValid)}, expected a function of q`);
  if (request.goal !== undefined) requireGoal(call, model, request.goal);
}

export function requireAllRequest(
  call: string,
  { starts, distinct, most, turns }: { starts?: unknown; distinct?: unknown; most?: unknown; turns?: unknown },
): void {
  requireCount(call, 'starts', starts, 1);
  requireTolerance(call, 'distinct', distinct);
  requireCount(call, 'most', most, 1);
  if (turns !== undefined && turns !== 'nearest' && turns !== 'all')
    throw new MisuseError(`${call}: turns, got ${describeValue(turns)}, expected nearest or all`);
}

function requireGoal(call: string, model: Model, goal: IkGoal): void {
  requireCount(call, 'goal.iterations', goal?.iterations);
  switch (goal?.kind) {
    case 'posture':
      requireNumbers(call, 'goal.target', goal.target, model.nq, -Infinity);
      if (goal.weights !== undefined) requireNumbers(call, 'goal.weights', goal.weights, model.nv, 0);
      return;
    case 'manipulability':
      requireFrame(model, goal.frame, `${call}: goal.frame`);
      return;
    case 'limits':
      return;
    default:
      throw new MisuseError(
        `${call}: goal, got ${describeValue((goal as { kind?: unknown } | null)?.kind ?? goal)}, expected one of kind posture, limits or manipulability`,
      );
  }
}

function requireNumbers(call: string, what: string, values: ArrayLike<number>, count: number, least: number): void {
  if (values?.length !== count)
    throw new MisuseError(
      `${call}: ${what}, got ${values?.length === undefined ? describeValue(values) : `${values.length} numbers`}, expected ${count}`,
    );
  for (let i = 0; i < count; i++) {
    const x = values[i];
    if (typeof x !== 'number' || !(x - x === 0 && x >= least))
      throw new MisuseError(
        `${call}: ${what}[${i}], got ${describeValue(x)}, expected a finite number${least === 0 ? ' >= 0' : ''}`,
      );
  }
}

/** Of a tracker's options, what is no list of tasks. */
export function requireTrackerNumbers(model: Model, options: TrackerOptions): void {
  const call = 'createTracker';
  requireVelocities(call, model, options.velocities);
  requireCount(call, 'corrections', options.corrections);
  requireTolerance(call, 'damping', options.damping);
  requireTolerance(call, 'singularRegion', options.singularRegion);
  if (options.velocityScale !== undefined) requirePositiveNumber(call, 'velocityScale', options.velocityScale);
}

/** Coordinates of v, each once. */
export function requireVelocities(call: string, model: Model, velocities: ArrayLike<number> | undefined): void {
  if (velocities === undefined) return;
  if (typeof velocities?.length !== 'number')
    throw new MisuseError(
      `${call}: velocities, got ${describeValue(velocities)}, expected coordinates of v, 0 to ${model.nv - 1}`,
    );
  const seen = new Set<number>();
  for (let i = 0; i < velocities.length; i++) {
    const k = velocities[i];
    if (!(Number.isInteger(k) && k >= 0 && k < model.nv))
      throw new MisuseError(
        `${call}: velocities[${i}], got ${describeValue(k)}, expected a coordinate of v, 0 to ${model.nv - 1}`,
      );
    if (seen.has(k)) throw new MisuseError(`${call}: velocities[${i}], got ${k} a second time, expected each once`);
    seen.add(k);
  }
}
