/** Roadmaps of a planned group: empty ones, and saved ones that are of the same joints. */
import { type Fields, requireOptions, requireText } from '../math/arguments.js';
import { createConfigurationSpace } from '../planning/configuration-space.js';
import { createRoadmap, loadRoadmap, type Roadmap, type RoadmapData } from '../planning/roadmap.js';
import type { StateSpace } from '../planning/types.js';
import { findMotionBounds } from '../scene/motion/motion-bounds.js';
import { requireOpen, requireRobot } from '../scene/scene-door.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { findGroupCoordinates } from '../semantics/group-coordinates.js';

const OPTIONS: Fields = { group: requireText };

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

function spaceOf(call: string, scene: Scene, robot: SceneRobot, options: { readonly group?: string }): StateSpace {
  requireOpen(scene, call);
  requireRobot(call, robot);
  requireOptions(call, options, OPTIONS);
  const { model, semantic, description } = robot;
  const { indices } = findGroupCoordinates(model, semantic, description, options.group);
  return createConfigurationSpace(model, { indices, bounds: findMotionBounds(scene, robot, [robot.q]) });
}
