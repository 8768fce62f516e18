/** Objects that a robot holds: taken by its tool, and let go. What is taken stays where it is in the hand and may touch the hand. */
import { createTransform, type Pose, poseToTransform, transformToPose } from 'clearance/math';
import { findLink } from 'clearance/model';
import { attachObject, detachObject, type SceneRobot } from 'clearance/scene';
import type { SceneEdit } from './planning/plan-answer.js';
import { takeStock, type Workspace, type WorkspaceObject } from './workspace.js';

/** How a robot holds an object. */
export interface Held {
  /** Its place among the robots. */
  readonly robot: number;
  readonly link: string;
  /** The object in the link. */
  readonly placement: Pose;
  /** Links that may touch it besides the link itself. */
  readonly touchLinks: readonly string[];
}

/** As it is now; null: the object is free. */
export function readHeld({ robots }: Workspace, { scene }: WorkspaceObject): Held | null {
  const { attachment } = scene;
  if (!attachment) return null;
  return {
    robot: robots.findIndex((robot) => robot.scene === attachment.robot),
    link: attachment.link,
    placement: toPose(attachment.placement),
    touchLinks: [...attachment.touchLinks].sort(),
  };
}

/** The tool takes it where it is. */
export function takeObject(workspace: Workspace, object: WorkspaceObject, robot: number, link: string): SceneEdit[] {
  const { scene } = workspace.robots[robot];
  attachObject(workspace.scene, object.scene, { robot: scene, link, touchLinks: listHand(scene, link) });
  takeStock(workspace);
  const held = readHeld(workspace, object);
  return held ? [{ type: 'attach', object: object.scene.name, ...held }] : [];
}

/** It stays where it is. */
export function letGo(workspace: Workspace, object: WorkspaceObject): SceneEdit[] {
  if (!object.scene.attachment) return [];
  detachObject(workspace.scene, object.scene);
  object.pose = toPose(object.scene.body.worldPlacement);
  takeStock(workspace);
  return [{ type: 'detach', object: object.scene.name, pose: object.pose }];
}

/** Held as said, wherever it was. */
export function setHeld(workspace: Workspace, object: WorkspaceObject, held: Held | null): SceneEdit[] {
  if (JSON.stringify(readHeld(workspace, object)) === JSON.stringify(held)) return [];
  const edits = letGo(workspace, object);
  const robot = held && workspace.robots[held.robot];
  if (!held || !robot || findLink(robot.model, held.link) < 0) return edits;
  const known = new Set(robot.scene.description.model.links.map(({ name }) => name));
  attachObject(workspace.scene, object.scene, {
    robot: robot.scene,
    link: held.link,
    placement: poseToTransform(createTransform(), held.placement),
    touchLinks: held.touchLinks.filter((name) => known.has(name)),
  });
  takeStock(workspace);
  return [...edits, { type: 'attach', object: object.scene.name, ...held }];
}

/** The nearest link with geometry that carries `link`, and what hangs on it: a hand with its fingers. */
function listHand({ description, links }: SceneRobot, link: string): string[] {
  const parents = new Map(description.model.joints.map(({ child, parent }) => [child, parent]));
  const shaped = new Set(links.map(({ name }) => name));
  let hand = link;
  for (let up: string | undefined = link; up !== undefined && !shaped.has(hand); up = parents.get(up)) hand = up;
  const isBelow = (name: string): boolean => {
    for (let up: string | undefined = name; up !== undefined; up = parents.get(up)) if (up === hand) return true;
    return false;
  };
  return description.model.links.map(({ name }) => name).filter(isBelow);
}

function toPose(placement: Float64Array): Pose {
  return [...transformToPose(new Float64Array(7), placement)] as unknown as Pose;
}
