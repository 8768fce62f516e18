/** What a user has done to a content: joint values, stored positions, moved objects. Plain data, kept by name. */
import type { Shape } from 'clearance/geometry';
import type { Pose } from 'clearance/math';
import { describeProblem } from 'clearance/model';
import { setConfiguration } from 'clearance/scene';
import { listTools } from './stage/tool-link.js';
import {
  addWorkspaceObject,
  placeWorkspaceObject,
  removeWorkspaceObject,
  reshapeWorkspaceObject,
  type Workspace,
} from './workspace.js';

export interface Work {
  readonly robots: readonly {
    readonly name: string;
    readonly q: readonly number[];
    readonly stored: readonly { readonly name: string; readonly q: readonly number[] }[];
    readonly tool: string | null;
  }[];
  /** `shape`: of objects that the user added or resized. */
  readonly objects: readonly { readonly name: string; readonly pose: Pose; readonly shape?: Shape }[];
  /** Objects of the content that the user took away. */
  readonly removed?: readonly string[];
  /** Robot whose joints are shown. */
  readonly chosen: number;
  /** Camera: position and target. */
  readonly view?: readonly number[];
}

export function readWork({ content, robots, objects }: Workspace, chosen: number, view?: readonly number[]): Work {
  return {
    robots: robots.map(({ scene, stored, tool }) => ({
      tool,
      name: scene.name,
      q: [...scene.q],
      stored: stored.filter(({ isOwn }) => isOwn).map(({ name, q }) => ({ name, q: [...q] })),
    })),
    objects: objects.map(({ scene, pose, own }) => ({ name: scene.name, pose, ...(own && { shape: own }) })),
    removed: content.objects
      .map(({ name }) => name)
      .filter((name) => !objects.some(({ scene }) => scene.name === name)),
    chosen,
    view,
  };
}

/** Applies what fits: robots of the same name and number of coordinates, objects of the same name. */
export function applyWork(workspace: Workspace, work: Work): void {
  for (const robot of workspace.robots) {
    const { scene, model, stored } = robot;
    const own = work.robots.find(({ name }) => name === scene.name);
    if (!own) continue;
    if (own.tool !== null && listTools(robot).includes(own.tool)) robot.tool = own.tool;
    if (describeProblem(model, own.q) === null) setConfiguration(scene, own.q);
    for (const { name, q } of own.stored)
      if (describeProblem(model, q) === null) stored.push({ name, q: Float64Array.from(q), isOwn: true });
  }
  for (const object of [...workspace.objects])
    if (work.removed?.includes(object.scene.name) && !object.scene.attachment) removeWorkspaceObject(workspace, object);
  for (const { name, pose, shape } of work.objects) {
    const object = workspace.objects.find(({ scene }) => scene.name === name);
    if (!object) {
      if (shape) addWorkspaceObject(workspace, name, shape, pose);
    } else if (!object.scene.attachment) {
      placeWorkspaceObject(workspace, object, pose);
      if (shape) reshapeWorkspaceObject(workspace, object, shape);
    }
  }
}
