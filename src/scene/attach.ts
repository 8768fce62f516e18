/** Objects held by a robot: they move with a link, and may touch that link and the given touch links. */
import { MisuseError } from '../math/misuse.js';
import { createTransform, relativeTransform } from '../math/transform.js';
import { requireFrame, robotFramePlacement, updateAttached, updateRobot } from './robot.js';
import {
  type AttachOptions,
  insertProxy,
  readPlacement,
  removeProxy,
  requireOpen,
  type Scene,
  type SceneObject,
} from './scene.js';

export function attachObject(scene: Scene, object: SceneObject, options: AttachOptions): void {
  requireOpen(scene, 'attachObject');
  if (scene.objects.get(object.name) !== object)
    throw new MisuseError(`attachObject: object "${object.name}" is not in this scene`);
  const { robot, link } = options;
  if (object.attachment)
    throw new MisuseError(
      `attachObject: object "${object.name}" is attached to "${object.attachment.link}", detach it first`,
    );
  if (!scene.robots.includes(robot)) throw new MisuseError(`attachObject: robot "${robot.name}" is not in this scene`);
  const touchLinks = new Set(options.touchLinks ?? []);
  const known = new Set(robot.description.model.links.map(({ name }) => name));
  for (const name of touchLinks) {
    if (!known.has(name))
      throw new MisuseError(`attachObject: touch link "${name}" is not a link of robot "${robot.name}"`);
  }
  const placement = createTransform();
  if (options.placement) readPlacement(placement, 'attachObject', options.placement);
  else relativeTransform(placement, robotFramePlacement(createTransform(), robot, link), object.body.worldPlacement);
  removeProxy(scene, object);
  object.attachment = { robot, frame: requireFrame(robot.model, link), link, placement, touchLinks };
  robot.attached.add(object);
  updateRobot(robot);
  updateAttached(robot, object);
  scene.revision++;
}

/** The object stays where it is. */
export function detachObject(scene: Scene, object: SceneObject): void {
  const { attachment } = object;
  if (!attachment) throw new MisuseError(`detachObject: object "${object.name}" is not attached`);
  updateRobot(attachment.robot);
  attachment.robot.attached.delete(object);
  object.attachment = null;
  insertProxy(scene, object);
  scene.revision++;
}
