/** Goals of `plan` as its options say them: a configuration, a frame at a pose or near it, a frame that looks at a point. */
import { createTransform } from '../math/transform.js';
import { findFrame } from '../model/model.js';
import type { LookGoal } from '../tasks/look-at.js';
import type { PoseGoal } from '../tasks/plan-goals.js';
import type { GroupRequest } from '../tasks/plan-group.js';
import { parseConfiguration } from './configuration-argument.js';
import { UsageError } from './exit.js';
import { clampGiven } from './limit-check.js';
import { splitNumbers } from './number-arguments.js';
import { readPose } from './pose-argument.js';
import type { LoadedScene } from './scene-arguments.js';

export interface GoalArguments {
  readonly goalPose?: string;
  readonly goalTolerance?: string;
  readonly goalLook?: string;
  readonly approach?: string;
}

/** A configuration, or what the options say where the line has none. */
export function readGoal(
  loaded: LoadedScene,
  { goalPose, goalTolerance, goalLook, approach }: GoalArguments,
  goal: unknown,
  start: Float64Array,
): GroupRequest['goal'] {
  if (goalPose !== undefined && goal === undefined) {
    const near = goalTolerance === undefined ? {} : readTolerance(goalTolerance);
    return {
      ...readGoalPose(loaded, goalPose),
      ...near,
      ...(approach !== undefined && { approach: readTriple('--approach', approach) }),
    };
  }
  if (goalLook !== undefined && goal === undefined) return readGoalLook(loaded, goalLook);
  if (goal === undefined)
    throw new UsageError('expected an object with "goal" (or one of the options --goal-pose and --goal-look)');
  return clampGiven(loaded.model, 'goal', parseConfiguration(loaded, goal, start, loaded.group));
}

/** Three numbers with commas between them. */
export function readTriple(option: string, text: string): readonly number[] {
  const numbers = splitNumbers(text);
  if (numbers.length !== 3 || !numbers.every(Number.isFinite))
    throw new UsageError(`${option} "${text}": expected x,y,z in metres`);
  return numbers;
}

function readFrame({ model }: LoadedScene, option: string, text: string, form: string): readonly [string, number[]] {
  const at = text.indexOf('=');
  const frame = text.slice(0, Math.max(at, 0));
  if (findFrame(model, frame) < 0)
    throw new UsageError(`${option} "${text}": expected FRAME=${form} with a link or joint of the robot`);
  return [frame, splitNumbers(text.slice(at + 1))];
}

function readGoalPose(loaded: LoadedScene, text: string): PoseGoal {
  const [frame, numbers] = readFrame(loaded, '--goal-pose', text, 'x,y,z,qx,qy,qz,qw');
  return { frame, pose: readPose(createTransform(), numbers, '--goal-pose') };
}

function readGoalLook(loaded: LoadedScene, text: string): LookGoal {
  const form = 'x,y,z,DISTANCE or x,y,z,LEAST,MOST';
  const [frame, numbers] = readFrame(loaded, '--goal-look', text, form);
  const [x, y, z, least, most = least] = numbers;
  if (numbers.length < 4 || numbers.length > 5 || !(least >= 0 && most >= least && most > 0 && most < Infinity))
    throw new UsageError(`--goal-look "${text}": expected FRAME=${form}, distances in metres`);
  return { frame, lookAt: [x, y, z], distance: [least, most] };
}

function readTolerance(text: string): Pick<PoseGoal, 'position' | 'rotation'> {
  const [position, rotation = '0', ...rest] = text.split(',');
  const read = (part: string): number[] => {
    const numbers = part.split('/').map(Number);
    if (![1, 3].includes(numbers.length) || !numbers.every((x) => x >= 0 && x < Infinity) || rest.length > 0)
      throw new UsageError(`--goal-tolerance "${text}": expected POSITION,ROTATION, each a number or X/Y/Z, 0 or more`);
    return numbers.length === 1 ? [numbers[0], numbers[0], numbers[0]] : numbers;
  };
  return { position: read(position), rotation: rotation === 'any' ? 'any' : read(rotation) };
}
