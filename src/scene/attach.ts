/** Objects held by a robot: they move with a link, and may touch that link and the given touch links. */
import { requireIterable, requireNotNegative } from '../math/arguments.js';
import { describeValue, requireKnownKeys } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { createTransform, type Pose, relativeTransform, type Transform } from '../math/transform.js';
import { requireName } from './body-names.js';
import { requireContext } from './context.js';
import { robotFramePlacement } from './robot.js';
import { readPlacement, requireFrame, requireOwnObject } from './scene-door.js';
import type { Scene, SceneObject, SceneRobot } from './types.js';
import { updateAttached, updateRobot } from './update.js';

export interface AttachOptions {
  readonly robot: SceneRobot;
  readonly link: string;
  /** X_LO: the object in the link; default: where the object is now relative to the link. */
  readonly placement?: Transform | Pose;
  /** Links that may touch the object, besides `link` itself. */
  readonly touchLinks?: Iterable<string>;
  /** Kilograms. */
  readonly mass?: number;
}

export function attachObject(scene: Scene, object: SceneObject, options: AttachOptions): void {
  const context = requireContext(scene, 'attachObject');
  requireOwnObject(scene, 'attachObject', object);
  requireKnownKeys('attachObject', 'options', options, ['robot', 'link', 'placement', 'touchLinks', 'mass']);
  const { robot, link, mass } = options;
  if (mass !== undefined) requireNotNegative('attachObject', 'mass', mass);
  if (object.attachment)
    throw new MisuseError(
      `attachObject: object "${object.name}" is attached to "${object.attachment.link}", detach it first`,
    );
  if (!scene.robots.includes(robot))
    throw new MisuseError(`attachObject: robot, got ${describeValue(robot?.name)}, expected one that is in this scene`);
  requireName('attachObject', 'link', link);
  const given = options.touchLinks === undefined ? [] : options.touchLinks;
  requireIterable('attachObject', 'touchLinks', given, 'a list of names of links');
  const touchLinks = new Set(given);
  const known = new Set(robot.description.model.links.map(({ name }) => name));
  for (const name of touchLinks) {
    if (!known.has(name))
      throw new MisuseError(
        `attachObject: touchLinks, got ${describeValue(name)}, expected links of robot "${robot.name}"`,
      );
  }
  // Before anything is changed: an object that is refused stays where it is.
  const frame = requireFrame('attachObject', robot.model, link);
  const placement = createTransform();
  if (options.placement !== undefined) readPlacement(placement, 'attachObject', options.placement);
  else relativeTransform(placement, robotFramePlacement(createTransform(), robot, link), object.body.worldPlacement);
  context.group(object, { robot, frame, link, placement, touchLinks, ...(mass === undefined ? {} : { mass }) });
  updateRobot(robot);
  updateAttached(robot, object);
}

/** The object stays where it is. */
export function detachObject(scene: Scene, object: SceneObject): void {
  const context = requireContext(scene, 'detachObject');
  requireOwnObject(scene, 'detachObject', object);
  const { attachment } = object;
  if (!attachment) throw new MisuseError(`detachObject: object "${object.name}" is not attached`);
  updateRobot(attachment.robot);
  context.group(object, null);
}
