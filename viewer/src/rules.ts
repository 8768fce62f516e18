/** What the user says of how a scene is checked: which pairs may touch, how near counts as contact, where robots stand. */
import type { Pose } from 'clearance/math';
import { isAllowedPair, placeRobot, type SceneBody, setSceneMargin } from 'clearance/scene';
import { findBody } from './bodies.js';
import { type PairRule, setPairRule } from './load/pair-rules.js';
import type { SceneEdit } from './planning/plan-answer.js';
import { takeStock, type Workspace, type WorkspaceRobot } from './workspace.js';

export interface Rules {
  /** Metres. */
  readonly margin: number;
  /** Where they differ from the files. */
  readonly pairs: readonly PairRule[];
}

const keyOf = (a: string, b: string): string => (a < b ? `${a}\0${b}` : `${b}\0${a}`);

/** As rules name bodies; null for a name that means none. */
export function fullNameOf(workspace: Workspace, name: string): string | null {
  const body = findBody(workspace, name);
  if (!body) return null;
  return body.kind === 'object' ? name : `${body.robot.scene.name}/${body.link}`;
}

/** Returns what was changed; null where nothing was. */
export function setPair(workspace: Workspace, a: string, b: string, isAllowed: boolean): SceneEdit | null {
  const [first, second] = [fullNameOf(workspace, a), fullNameOf(workspace, b)];
  if (first === null || second === null || first === second) return null;
  const { scene, changedPairs, givenPairs } = workspace;
  const key = keyOf(first, second);
  const before = mayTouch(workspace, first, second);
  if (before === isAllowed) return null;
  if (!givenPairs.has(key)) givenPairs.set(key, before);
  const rule: PairRule = { a: first, b: second, isAllowed };
  setPairRule(scene, rule);
  if (givenPairs.get(key) === isAllowed) changedPairs.delete(key);
  else changedPairs.set(key, rule);
  takeStock(workspace);
  return { type: 'rule', ...rule };
}

/** Whether the pair is left out of all checks. */
export function mayTouch(workspace: Workspace, a: string, b: string): boolean {
  const bodies = [bodyOf(workspace, a), bodyOf(workspace, b)];
  return bodies[0] !== null && bodies[1] !== null && isAllowedPair(workspace.scene, bodies[0], bodies[1]);
}

function bodyOf(workspace: Workspace, name: string): SceneBody | null {
  const found = findBody(workspace, name);
  if (!found) return null;
  if (found.kind === 'object') return found.object.body;
  return found.robot.scene.links.find((link) => link.name === found.link)?.body ?? null;
}

export function setMargin(workspace: Workspace, margin: number): SceneEdit {
  setSceneMargin(workspace.scene, margin);
  takeStock(workspace);
  return { type: 'margin', margin };
}

export function setBase({ robots }: Workspace, robot: WorkspaceRobot, pose: Pose): SceneEdit {
  robot.base = pose;
  placeRobot(robot.scene, pose);
  return { type: 'base', robot: robots.indexOf(robot), pose };
}

export function readRules({ scene, changedPairs }: Workspace): Rules {
  return {
    margin: scene.margin,
    pairs: [...changedPairs.values()].sort((x, y) => (keyOf(x.a, x.b) < keyOf(y.a, y.b) ? -1 : 1)),
  };
}

/** Pairs that the rules do not name are as the files have them. Returns what was changed. */
export function applyRules(workspace: Workspace, { margin, pairs }: Rules): SceneEdit[] {
  const edits: (SceneEdit | null)[] = [];
  const wanted = new Map(pairs.map((rule) => [keyOf(rule.a, rule.b), rule]));
  for (const [key, { a, b, isAllowed }] of [...workspace.changedPairs])
    if (!wanted.has(key)) edits.push(setPair(workspace, a, b, !isAllowed));
  for (const { a, b, isAllowed } of wanted.values()) edits.push(setPair(workspace, a, b, isAllowed));
  if (margin !== workspace.scene.margin) edits.push(setMargin(workspace, margin));
  return edits.filter((edit) => edit !== null);
}

/** What makes a scene built of the content follow the rules. */
export function listRuleEdits(workspace: Workspace): SceneEdit[] {
  const { content, robots, scene, changedPairs } = workspace;
  const edits: SceneEdit[] = [...changedPairs.values()].map((rule) => ({ type: 'rule', ...rule }));
  if (scene.margin !== 0) edits.push({ type: 'margin', margin: scene.margin });
  for (const [robot, { base: pose }] of robots.entries())
    if (pose !== content.robots[robot].pose) edits.push({ type: 'base', robot, pose });
  return edits;
}
