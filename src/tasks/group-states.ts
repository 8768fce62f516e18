/** States and goals of a planned group as a request names them: SRDF states, values, values by joint, poses. */
import { throwMisuse } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { clampToLimits } from '../model/limit-tolerance.js';
import { configurationFromNamed, describeProblem } from '../model/named-configuration.js';
import type { GoalRegion } from '../planning/goal-region.js';
import type { SceneRobot } from '../scene/types.js';
import type { GroupCoordinates } from '../semantics/group-coordinates.js';
import { type NamedValues, readNamedState } from '../semantics/named-states.js';
import { isLookGoal, type LookGoal } from './look-at.js';
import { createPoseGoals, isPoseGoal, type PoseGoal } from './plan-goals.js';

/** Name of an SRDF state; nq values, or as many as the group has coordinates; or values by joint. What is left out stands as at the start. */
export type GroupState = string | ArrayLike<number> | NamedValues;

/** A state, a pose, a view of a point, or a list of which any will do. */
export type GroupGoal = GroupState | PoseGoal | LookGoal | readonly (GroupState | PoseGoal | LookGoal)[];

/** What is beyond a limit by a rounding stands on it, and that is said. */
export function clampState({ model }: SceneRobot, what: string, q: Float64Array, said: string[]): Float64Array {
  const out = new Float64Array(model.nq);
  const { rounded, looksLikeDegrees } = clampToLimits(out, model, q);
  for (const { joint, value, coordinate } of rounded)
    said.push(`altered: ${what}: joint "${joint}" is ${value}, taken as its limit ${out[coordinate]}`);
  if (looksLikeDegrees) said.push(`guessed: ${what}: the angles look like degrees; they are taken as radians`);
  return out;
}

export function readGroupState(
  { model, semantic }: SceneRobot,
  { indices }: GroupCoordinates,
  state: GroupState,
  rest: Float64Array,
  what: string,
): Float64Array {
  if (typeof state === 'string') return readNamedState(`planGroup: ${what}`, model, semantic, state, rest);
  if (typeof state !== 'object' || state === null || state instanceof DataView)
    throwMisuse('planGroup', what, state, 'the name of a state, values, or values by joint');
  if (typeof state.length !== 'number')
    return configurationFromNamed(model, state as NamedValues, Float64Array.from(rest));
  const values = state as ArrayLike<number>;
  const q = Float64Array.from(rest);
  if (values.length === model.nq) q.set(values);
  else if (values.length === indices.length) for (let k = 0; k < indices.length; k++) q[indices[k]] = values[k];
  else throwMisuse('planGroup', what, state, `${model.nq} numbers, or ${indices.length} of the group`);
  const problem = describeProblem(model, q);
  if (problem !== null) throw new MisuseError(`planGroup: ${what}, ${problem}`);
  return q;
}

export interface Goals {
  /** Full configurations; the first of a pose is the one nearest to the start. */
  readonly goals: Float64Array[];
  /** All that reach one of the poses. */
  readonly region: GoalRegion | undefined;
  /** Why there are none. */
  readonly fault: string | null;
  /** Configurations that reach a pose, and touch something. */
  readonly touching: readonly Float64Array[];
}

export interface GoalContext {
  readonly group: string | undefined;
  readonly seed: number;
  /** Full configuration. */
  readonly start: Float64Array;
  /** Of the group's coordinates. */
  readonly isFree: (state: Float64Array) => boolean;
}

/** A goal as the list that it may be. */
export function listGoals(goal: GroupGoal): readonly (GroupState | PoseGoal | LookGoal)[] {
  const isList = Array.isArray(goal) && goal.some((entry) => typeof entry !== 'number');
  return (isList ? goal : [goal]) as readonly (GroupState | PoseGoal | LookGoal)[];
}

/** `said`: takes what was altered. */
export function readGoals(
  robot: SceneRobot,
  group: GroupCoordinates,
  goal: GroupGoal,
  context: GoalContext,
  said: string[],
): Goals {
  const goals: Float64Array[] = [];
  const poses: (PoseGoal | LookGoal)[] = [];
  for (const entry of listGoals(goal)) {
    if (isPoseGoal(entry) || isLookGoal(entry)) poses.push(entry);
    else goals.push(clampState(robot, 'goal', readGroupState(robot, group, entry, context.start, 'goal'), said));
  }
  if (poses.length === 0) return { goals, region: undefined, fault: null, touching: [] };
  const { first, region, fault, touching } = createPoseGoals(robot, group, poses, context);
  return { goals: [...goals, ...first], region: fault === null ? region : undefined, fault, touching };
}
