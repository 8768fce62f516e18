/**
 * Roadmaps of a planned group: empty ones, saved ones that are of the same joints, and such as are built of planned paths.
 *
 * Building: paths are planned between states that are given, or drawn; each comes into the roadmap, shortened and certified
 * (planning/planners/experience.ts). Tested by plan-goals.test.ts.
 */

import type { SphereModel } from '../geometry/sphere-model.js';
import {
  type Fields,
  requireCount,
  requireList,
  requireObject,
  requireOptions,
  requireSeed,
  requireText,
  requireTexts,
} from '../math/arguments.js';
import { createRandom } from '../math/random.js';
import { randomConfiguration } from '../model/configuration.js';
import { createConfigurationSpace } from '../planning/configuration-space.js';
import { createRoadmap, loadRoadmap, type Roadmap, type RoadmapData } from '../planning/roadmap.js';
import type { StateSpace } from '../planning/types.js';
import { findMotionBounds } from '../scene/motion/motion-bounds.js';
import { requireOpen, requireRobot } from '../scene/scene-door.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { findGroupCoordinates } from '../semantics/group-coordinates.js';

import type { GroupState } from './group-states.js';
import { planGroup } from './plan-group.js';

const OPTIONS: Fields = { group: requireText };
const BUILD_OPTIONS: Fields = {
  group: requireText,
  states: (call, what, value) => requireList(call, what, value, 'a list of states'),
  paths: (call, what, value) => requireCount(call, what, value),
  moving: requireTexts,
  spheres: requireObject,
  maxIterations: (call, what, value) => requireCount(call, what, value),
  seed: (call, _, value) => requireSeed(call, value),
};
const DEFAULT_PATHS = 100;

/** An empty roadmap for `planGroup` with the same group (default: every joint); plans fill it. */
export function createGroupRoadmap(
  scene: Scene,
  robot: SceneRobot,
  options: { readonly group?: string } = {},
): Roadmap {
  return createRoadmap(spaceOf('createGroupRoadmap', scene, robot, options));
}

/**
 * What `save` of a group's roadmap returned, which knows nothing of motions now: the scene may be another one. Throws on data of
 * another number of joints.
 */
export function loadGroupRoadmap(
  scene: Scene,
  robot: SceneRobot,
  data: RoadmapData,
  options: { readonly group?: string } = {},
): Roadmap {
  const roadmap = loadRoadmap(spaceOf('loadGroupRoadmap', scene, robot, options), data);
  roadmap.forget();
  return roadmap;
}

export interface BuildRoadmapOptions {
  readonly group?: string;
  /** Between which paths are planned; default: drawn ones. */
  readonly states?: readonly GroupState[];
  /** Paths that are planned; default 100. */
  readonly paths?: number;
  /** Names of the objects that will move between plans, see `planGroup`; they stand where they are meanwhile. */
  readonly moving?: readonly string[];
  readonly spheres?: SphereModel;
  /** Of each path. */
  readonly maxIterations?: number;
  /** Default 1. */
  readonly seed?: number;
}

/** A roadmap of paths that are planned now, which `planGroup` with the same group and `moving` then finds ways along. */
export function buildGroupRoadmap(scene: Scene, robot: SceneRobot, options: BuildRoadmapOptions = {}): Roadmap {
  const call = 'buildGroupRoadmap';
  requireOptions(call, options, BUILD_OPTIONS);
  const { group, states, paths = DEFAULT_PATHS, seed = 1, ...rest } = options;
  requireSeed(call, seed);
  const roadmap = createGroupRoadmap(scene, robot, { group });
  const random = createRandom(seed);
  const { model, semantic, description } = robot;
  const { indices } = findGroupCoordinates(model, semantic, description, group);
  const drawn = new Float64Array(model.nq);
  const draw = (): GroupState => {
    if (states && states.length > 0) return states[random.integer(states.length)];
    const q = Float64Array.from(robot.q);
    randomConfiguration(drawn, model, random);
    for (const i of indices) q[i] = drawn[i];
    return q;
  };
  for (let i = 0; i < paths; i++) {
    const ends = { start: draw(), goal: draw() };
    planGroup(scene, robot, { ...rest, ...ends, group, roadmap, seed: random.integer(2 ** 32) });
  }
  return roadmap;
}

function spaceOf(call: string, scene: Scene, robot: SceneRobot, options: { readonly group?: string }): StateSpace {
  requireOpen(scene, call);
  requireRobot(call, robot);
  requireOptions(call, options, OPTIONS);
  const { model, semantic, description } = robot;
  const { indices } = findGroupCoordinates(model, semantic, description, options.group);
  return createConfigurationSpace(model, { indices, bounds: findMotionBounds(scene, robot, [robot.q]) });
}
