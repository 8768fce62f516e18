/**
 * Snapshots of what moves in a scene: joint values, base placements, object placements and attachments.
 *
 * Saving and restoring copy numbers, nothing is read from disk or rebuilt; after `restoreScene` every query answers with
 * the bits it gave when the snapshot was taken. Robots and objects must be those of the snapshot: shapes, margins and
 * allowed pairs are not part of it. Tested by test/regression/snapshot.test.ts.
 */
import { requireList, requireObject, throwMisuse } from '../../math/arguments.js';
import { MisuseError } from '../../math/misuse.js';
import type { Transform } from '../../math/transform.js';
import { requireContext } from '../context.js';
import { placeRobot, setConfiguration } from '../robot.js';
import type { Attachment, Scene, SceneObject, SceneRobot } from '../types.js';
import { updateRobot, updateScene } from '../update.js';

export interface SceneSnapshot {
  readonly robots: readonly { readonly robot: SceneRobot; readonly q: Float64Array; readonly placement: Transform }[];
  readonly objects: readonly {
    readonly object: SceneObject;
    readonly attachment: Attachment | null;
    /** X_WO */
    readonly placement: Transform;
  }[];
}

export function saveScene(scene: Scene): SceneSnapshot {
  updateScene(scene);
  return {
    robots: scene.robots.map((robot) => ({
      robot,
      q: Float64Array.from(robot.q),
      placement: Float64Array.from(robot.placement),
    })),
    objects: [...scene.objects.values()].map((object) => ({
      object,
      attachment: object.attachment,
      placement: Float64Array.from(object.body.worldPlacement),
    })),
  };
}

/** Throws when robots or objects were added or removed since. */
export function restoreScene(scene: Scene, snapshot: SceneSnapshot): void {
  const context = requireContext(scene, 'restoreScene');
  requireObject('restoreScene', 'snapshot', snapshot, 'what saveScene returned');
  requireList('restoreScene', 'snapshot.robots', snapshot.robots);
  requireList('restoreScene', 'snapshot.objects', snapshot.objects);
  const same =
    snapshot.robots.length === scene.robots.length &&
    snapshot.robots.every(({ robot }, i) => scene.robots[i] === robot) &&
    snapshot.objects.length === scene.objects.size &&
    snapshot.objects.every(({ object }) => scene.objects.get(object.name) === object);
  if (!same)
    throw new MisuseError(
      'restoreScene: snapshot, got other robots or objects than the scene holds now, expected one of this scene as it is',
    );
  for (const { robot, q, placement } of snapshot.robots) {
    setConfiguration(robot, q);
    if (placement.some((value, i) => value !== robot.placement[i])) placeRobot(robot, placement);
    updateRobot(robot);
  }
  for (const { object, attachment, placement } of snapshot.objects) {
    if (object.attachment !== attachment) context.group(object, attachment);
    context.placeObject(object, placement);
  }
}

/** X_WO of an object now, attached or free. */
export function objectPlacement(object: SceneObject): Transform {
  if (!object?.body?.worldPlacement) throwMisuse('objectPlacement', 'object', object, 'what addObject returned');
  if (object.attachment) updateRobot(object.attachment.robot);
  return Float64Array.from(object.body.worldPlacement);
}
