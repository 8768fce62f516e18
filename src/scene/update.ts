/**
 * From joint values to placements and boxes: forward kinematics, then what moved and what is attached to it. Nothing is
 * allocated.
 * Frames: W world, L link, O object.
 */
import { updateKinematics, updateMovedFramePlacements } from '../kinematics/forward-kinematics.js';
import { createTransform, multiplyTransformAt, type Transform } from '../math/transform.js';
import { updateBody } from './bodies.js';
import { placeLinks } from './place-links.js';
import { requireOpen } from './scene-door.js';
import type { Scene, SceneBody, SceneObject, SceneRobot } from './types.js';

const placed = createTransform();

/** Brings placements and boxes of everything that moved up to date. */
export function updateScene(scene: Scene): void {
  requireOpen(scene, 'updateScene');
  for (const robot of scene.robots) updateRobot(robot);
}

export function updateRobot(robot: SceneRobot): void {
  if (!robot.stale) return;
  robot.stale = false;
  const { model, data } = robot;
  updateKinematics(model, data, robot.q);
  updateMovedFramePlacements(model, data);
  placeLinks(robot);
  for (const object of robot.attached) updateAttached(robot, object);
}

export function updateAttached(robot: SceneRobot, object: SceneObject): void {
  const attachment = object.attachment!;
  multiplyTransformAt(placed, 0, robot.data.framePlacements, 12 * attachment.frame, attachment.placement, 0);
  placeBody(object.body, placed);
}

function placeBody(body: SceneBody, X_WB: Transform): void {
  const current = body.worldPlacement;
  let i = 0;
  while (i < 12 && current[i] === X_WB[i]) i++;
  if (i === 12) return;
  current.set(X_WB);
  updateBody(body);
}
