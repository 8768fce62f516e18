/** What a user has done to a content: joint values, stored positions, moved objects. Plain data, kept by name. */
import type { Shape } from 'clearance/geometry';
import type { Pose } from 'clearance/math';
import { describeProblem } from 'clearance/model';
import { setConfiguration } from 'clearance/scene';
import { type Held, readHeld, setHeld } from './holding.js';
import type { SceneEdit } from './planning/plan-answer.js';
import { applyRules, type Rules, readRules, setBase } from './rules.js';
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
    /** Places that a planned path goes through. */
    readonly via?: readonly (readonly number[])[];
    /** Where the user put its base. */
    readonly base?: Pose;
  }[];
  /** `shape`: of objects that the user added or resized. */
  readonly objects: readonly {
    readonly name: string;
    readonly pose: Pose;
    readonly shape?: Shape;
    /** By which robot, where that is not as the content has it; null: let go. */
    readonly held?: Held | null;
  }[];
  /** Objects of the content that the user took away. */
  readonly removed?: readonly string[];
  readonly rules?: Rules;
  /** Robot whose joints are shown. */
  readonly chosen: number;
  /** Camera: position and target. */
  readonly view?: readonly number[];
}

export function readWork(workspace: Workspace, chosen: number, view?: readonly number[]): Work {
  const { content, robots, objects, originals } = workspace;
  return {
    robots: robots.map(({ scene, stored, tool, base, via }) => ({
      tool,
      base,
      ...(via.length > 0 && { via: via.map((q) => [...q]) }),
      name: scene.name,
      q: [...scene.q],
      stored: stored.filter(({ isOwn }) => isOwn).map(({ name, q }) => ({ name, q: [...q] })),
    })),
    // What was taken away and came back stands last: an order of their own keeps equal works equal.
    objects: objects
      .map((object) => {
        const { scene, pose, own } = object;
        const held = readHeld(workspace, object);
        const given = originals.get(scene.name)?.held ?? null;
        const isOther = JSON.stringify(held) !== JSON.stringify(given);
        return { name: scene.name, pose, ...(own && { shape: own }), ...(isOther && { held }) };
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    removed: content.objects
      .map(({ name }) => name)
      .filter((name) => !objects.some(({ scene }) => scene.name === name)),
    rules: readRules(workspace),
    chosen,
    view,
  };
}

/**
 * Makes the workspace what the work says, as far as it fits: robots of the same name and number of coordinates, objects of the same
 * name. Objects of the content that the work does not know stay. Returns what was changed of the objects.
 */
export function applyWork(workspace: Workspace, work: Work): SceneEdit[] {
  const edits: SceneEdit[] = [];
  for (const robot of workspace.robots) {
    const { scene, model, stored } = robot;
    const own = work.robots.find(({ name }) => name === scene.name);
    if (!own) continue;
    robot.tool = own.tool !== null && listTools(robot).includes(own.tool) ? own.tool : null;
    if (describeProblem(model, own.q) === null) setConfiguration(scene, own.q);
    if (own.base?.length === 7 && own.base.some((value, i) => value !== robot.base[i]))
      edits.push(setBase(workspace, robot, own.base));
    const places = (own.via ?? []).filter((q) => describeProblem(model, q) === null);
    robot.via.splice(0, robot.via.length, ...places.map((q) => Float64Array.from(q)));
    for (let i = stored.length - 1; i >= 0; i--) if (stored[i].isOwn) stored.splice(i, 1);
    for (const { name, q } of own.stored)
      if (describeProblem(model, q) === null) stored.push({ name, q: Float64Array.from(q), isOwn: true });
  }
  edits.push(...applyObjects(workspace, work));
  return work.rules ? [...edits, ...applyRules(workspace, work.rules)] : edits;
}

function applyObjects(workspace: Workspace, { objects: wanted, removed }: Work): SceneEdit[] {
  const { objects, originals } = workspace;
  const edits: SceneEdit[] = [];
  const names = new Set(wanted.map(({ name }) => name));
  const given = (name: string): Held | null => originals.get(name)?.held ?? null;
  const holds = new Map(wanted.map(({ name, held }) => [name, held === undefined ? given(name) : held]));
  // Hands let go first: what is held is neither moved nor taken away.
  for (const object of objects) {
    const { name } = object.scene;
    const held = holds.get(name) ?? null;
    if (held === null && (holds.has(name) || !originals.has(name))) edits.push(...setHeld(workspace, object, null));
  }
  for (const object of [...objects]) {
    const { name, attachment } = object.scene;
    const isGone = removed?.includes(name) || !(originals.has(name) || names.has(name));
    if (attachment || !isGone) continue;
    removeWorkspaceObject(workspace, object);
    edits.push({ type: 'remove', object: name });
  }
  for (const { name, pose, shape: own = null } of wanted) {
    const object = objects.find(({ scene }) => scene.name === name);
    const shape = own ?? originals.get(name)?.shape;
    if (!shape || object?.scene.attachment) continue;
    if (!object) addWorkspaceObject(workspace, name, shape, pose, own);
    else {
      const isShaped = JSON.stringify(own) === JSON.stringify(object.own);
      if (isShaped && pose.every((value, i) => value === object.pose[i])) continue;
      placeWorkspaceObject(workspace, object, pose);
      if (isShaped) {
        edits.push({ type: 'move', object: name, pose });
        continue;
      }
      reshapeWorkspaceObject(workspace, object, shape, own);
    }
    edits.push({ type: 'put', object: name, pose, shape });
  }
  for (const object of objects) {
    const held = holds.get(object.scene.name);
    if (held) edits.push(...setHeld(workspace, object, held));
  }
  return edits;
}
