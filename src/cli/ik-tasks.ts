/** Tasks of inverse kinematics as the command line and its input lines give them. */
import type { IkTask } from '../ik/tasks/task.js';
import { createTransform } from '../math/transform.js';
import { findFrame, type Model } from '../model/model.js';
import { UsageError } from './exit.js';
import { readPose, requireObject } from './pose-argument.js';

export const TASK_KINDS = ['pose', 'position', 'orientation', 'axis', 'look-at'] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

export function readVector(value: unknown, name: string): number[] {
  if (!Array.isArray(value) || value.length !== 3 || !value.every(Number.isFinite))
    throw new UsageError(`${name}: expected three finite numbers [x, y, z]`);
  return value;
}

/** A task of one frame with a target as it stands in an input line: a pose, or three numbers. */
export function toFrameTask(kind: TaskKind, frame: number, axis: readonly number[], target: unknown): IkTask {
  switch (kind) {
    case 'pose':
    case 'orientation':
      return { kind, frame, target: readPose(createTransform(), target, 'target') };
    case 'position': {
      const isPose = Array.isArray(target) && target.length === 7;
      return {
        kind,
        frame,
        target: isPose ? readPose(createTransform(), target, 'target').slice(9) : readVector(target, 'target'),
      };
    }
    case 'axis':
    case 'look-at':
      return { kind, frame, axis, target: readVector(target, 'target') };
  }
}

/** `"tasks"` of an input line: frames by name. */
export function readTasks(model: Model, value: unknown): IkTask[] {
  if (!Array.isArray(value) || value.length === 0) throw new UsageError('"tasks": expected an array of tasks');
  return value.map((item, i) => {
    const task = requireObject(item);
    const name = `task ${i}`;
    const { weight = 1 } = task;
    if (!(typeof weight === 'number' && weight >= 0 && weight < Number.POSITIVE_INFINITY))
      throw new UsageError(`${name}: weight, expected a number, 0 or more`);
    const frameOf = (key: string): number => {
      const frame = typeof task[key] === 'string' ? findFrame(model, task[key]) : -1;
      if (frame < 0) throw new UsageError(`${name}: ${key} "${task[key]}" is no link or joint of the robot`);
      return frame;
    };
    if (task.target === undefined) throw new UsageError(`${name}: expected a target`);
    if (task.kind === 'center-of-mass')
      return { kind: task.kind, target: readVector(task.target, `${name}: target`), weight };
    if (task.kind === 'posture') {
      const { target } = task;
      if (!Array.isArray(target) || target.length !== model.nq || !target.every(Number.isFinite)) {
        throw new UsageError(`${name}: target, expected ${model.nq} finite numbers`);
      }
      return { kind: task.kind, target, weight };
    }
    const frame = frameOf('frame');
    if (task.kind === 'relative-pose') {
      const target = readPose(createTransform(), task.target, `${name}: target`);
      return { kind: task.kind, frame, base: frameOf('base'), target, weight };
    }
    const kind = TASK_KINDS.find((known) => known === task.kind);
    if (!kind)
      throw new UsageError(
        `${name}: kind "${task.kind}", expected one of ${TASK_KINDS.join(', ')}, center-of-mass, posture, relative-pose`,
      );
    const axis = task.axis === undefined ? [0, 0, 1] : readVector(task.axis, `${name}: axis`);
    const built = { ...toFrameTask(kind, frame, axis, task.target), weight };
    return built.kind === 'position' && task.point !== undefined
      ? { ...built, point: readVector(task.point, `${name}: point`) }
      : built;
  });
}
