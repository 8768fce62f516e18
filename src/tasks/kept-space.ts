/** A robot's groups and their state spaces, kept from plan to plan: making them costs as much as a short plan. */
import { createConfigurationSpace } from '../planning/configuration-space.js';
import type { StateSpace } from '../planning/types.js';
import type { MotionBounds } from '../scene/motion/motion-bounds.js';
import type { SceneRobot } from '../scene/types.js';
import { findGroupCoordinates, type GroupCoordinates } from '../semantics/group-coordinates.js';

const groups = new WeakMap<SceneRobot, Map<string | undefined, GroupCoordinates>>();

/** Not to be changed. `name` undefined: all joints of the robot. */
export function findGroup(robot: SceneRobot, name: string | undefined): GroupCoordinates {
  const { model, semantic, description } = robot;
  const known = groups.get(robot) ?? new Map<string | undefined, GroupCoordinates>();
  groups.set(robot, known);
  const group = known.get(name) ?? findGroupCoordinates(model, semantic, description, name);
  known.set(name, group);
  return group;
}

interface KeptSpace {
  readonly bounds: MotionBounds;
  readonly space: StateSpace;
}

const spaces = new WeakMap<SceneRobot, Map<string, KeptSpace>>();

/** Of some coordinates, within these bounds. */
export function findSpace(robot: SceneRobot, indices: ArrayLike<number>, bounds: MotionBounds): StateSpace {
  const known = spaces.get(robot) ?? new Map<string, KeptSpace>();
  spaces.set(robot, known);
  const key = Array.prototype.join.call(indices);
  const kept = known.get(key);
  if (kept && areEqual(kept.bounds.lower, bounds.lower) && areEqual(kept.bounds.upper, bounds.upper)) return kept.space;
  const space = createConfigurationSpace(robot.model, { indices, bounds });
  known.set(key, { bounds, space });
  return space;
}

function areEqual(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
