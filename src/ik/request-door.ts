/** Checks of requests to inverse kinematics where they enter: what the solvers behind may rely on. */
import {
  type Fields,
  oneOf,
  requireFields,
  requireFunction,
  requireIndex,
  requireList,
  requireNotNegative,
  requireNumbers,
  requireObject,
  requireOneOf,
  requireSeed,
  throwMisuse,
  unchecked,
  wholeFrom,
} from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { Model } from '../model/model.js';
import { requireModel } from '../model/model.js';
import type { IkTask } from './tasks/task.js';

/** What every request may say. */
export const REQUEST: Fields = {
  target: unchecked,
  start: unchecked,
  task: oneOf('pose', 'position'),
  positionTolerance: requireNotNegative,
  rotationTolerance: requireNotNegative,
  restarts: wholeFrom(0),
  iterations: wholeFrom(0),
  seed: (call, _what, value) => requireSeed(call, value),
  isValid: requireFunction,
  goal: requireObject,
};

const GOAL: Fields = {
  kind: oneOf('posture', 'limits', 'manipulability'),
  target: unchecked,
  weights: unchecked,
  frame: unchecked,
  iterations: wholeFrom(0),
};

/** The fields of a request, and the numbers of its start and goal. Targets are read by the solver. */
export function requireRequest(call: string, model: Model, request: unknown, fields: Fields): void {
  requireFields(call, 'request', request, fields);
  const { start, goal } = request as { start?: unknown; goal?: unknown };
  if (start !== undefined && start !== 'nearest') requireNumbers(call, 'request.start', start, model.nq);
  if (goal !== undefined) requireGoal(call, model, goal as { kind: string; [key: string]: unknown });
}

function requireGoal(
  call: string,
  model: Model,
  goal: { readonly kind: string; readonly [key: string]: unknown },
): void {
  const what = 'request.goal';
  requireFields(call, what, goal, GOAL);
  GOAL.kind(call, `${what}.kind`, goal.kind);
  if (goal.kind === 'posture') requireNumbers(call, `${what}.target`, goal.target, model.nq);
  if (goal.kind === 'manipulability') requireIndex(call, `${what}.frame`, goal.frame, model.frameCount);
  if (goal.weights === undefined) return;
  requireNumbers(call, `${what}.weights`, goal.weights, model.nv);
  for (const weight of Array.from(goal.weights as ArrayLike<number>))
    requireNotNegative(call, `${what}.weights`, weight);
}

/** A list of targets, each 12 numbers that the solver reads. */
export function requireTargets(call: string, targets: unknown): void {
  requireList(call, 'request.targets', targets, 'a list of targets, 12 numbers each');
  targets.forEach((target, i) => {
    requireNumbers(call, `request.targets[${i}]`, target, 12);
  });
}

const KINDS = [
  'pose',
  'position',
  'orientation',
  'axis',
  'look-at',
  'center-of-mass',
  'posture',
  'relative-pose',
] as const;
const TASK: Fields = {
  kind: oneOf(...KINDS),
  weight: requireNotNegative,
  weights: unchecked,
  frame: unchecked,
  base: unchecked,
  target: unchecked,
  velocity: unchecked,
  point: unchecked,
  axis: unchecked,
};

/** Tasks as their kind asks for; the numbers of targets are read again at every call, since they may change. */
export function requireTasks(call: string, what: string, model: Model, tasks: unknown): void {
  requireModel(call, model);
  requireList(call, what, tasks, 'a list of tasks, e.g. [{ kind: "pose", frame, target }]');
  if (tasks.length === 0) throwMisuse(call, what, tasks, 'at least one task');
  (tasks as IkTask[]).forEach((task, i) => {
    const at = `${what}[${i}]`;
    requireFields(call, at, task, TASK);
    requireOneOf(call, `${at}.kind`, task.kind, KINDS);
    if (task.kind !== 'center-of-mass' && task.kind !== 'posture')
      requireIndex(call, `${at}.frame`, task.frame, model.frameCount);
    if (task.kind === 'relative-pose') requireIndex(call, `${at}.base`, task.base, model.frameCount);
    requireNumbers(call, `${at}.target`, task.target);
  });
}

/** Which entries of v may move. */
export function requireEntries(call: string, what: string, model: Model, velocities: unknown): void {
  if (velocities === undefined) return;
  requireNumbers(call, what, velocities);
  const entries = velocities as ArrayLike<number>;
  const seen = new Set<number>();
  for (let k = 0; k < entries.length; k++) {
    requireIndex(call, `${what}[${k}]`, entries[k], model.nv);
    if (seen.has(entries[k]))
      throw new MisuseError(`${call}: ${what}[${k}], got ${entries[k]} a second time, expected each once`);
    seen.add(entries[k]);
  }
}
