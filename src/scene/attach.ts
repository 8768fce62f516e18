/** Objects held by a robot: they move with a link, and may touch that link and the given touch links. */
import { requireIterable } from '../math/arguments.js';
import { describeValue, requireKnownKeys } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { createTransform, relativeTransform } from '../math/transform.js';
import { requireName } from './body-names.js';
import { requireFrame, robotFramePlacement, updateAttached, updateRobot } from './robot.js';
import {
  type AttachOptions,
  insertProxy,
  readPlacement,
  removeProxy,
  requireOwnObject,
  type Scene,
  type SceneObject,
} from './scene.js';

export function attachObject(scene: Scene, object: SceneObject, options: AttachOptions): void {
  requireOwnObject(scene, 'attachObject', object);
  requireKnownKeys('attachObject', 'options', options, ['robot', 'link', 'placement', 'touchLinks']);
  const { robot, link } = options;
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
  const placement = createTransform();
  if (options.placement !== undefined) readPlacement(placement, 'attachObject', options.placement);
  else relativeTransform(placement, robotFramePlacement(createTransform(), robot, link), object.body.worldPlacement);
  // Before anything is changed: an object that is refused stays where it is.
  const frame = requireFrame(robot.model, link);
  removeProxy(scene, object);
  object.attachment = { robot, frame, link, placement, touchLinks };
  robot.attached.add(object);
  updateRobot(robot);
  updateAttached(robot, object);
  scene.revision++;
}

/** The object stays where it is. */
export function detachObject(scene: Scene, object: SceneObject): void {
  requireOwnObject(scene, 'detachObject', object);
  const { attachment } = object;
  if (!attachment) throw new MisuseError(`detachObject: object "${object.name}" is not attached`);
  updateRobot(attachment.robot);
  attachment.robot.attached.delete(object);
  object.attachment = null;
  insertProxy(scene, object);
  scene.revision++;
}
