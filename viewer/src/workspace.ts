/**
 * The loaded content as a live scene: the library's scene answers the queries, three.js objects show it, and one
 * function brings both up to date.
 */
import type { Shape } from 'clearance/geometry';
import type { Issue } from 'clearance/io';
import { createRandom, createTransform, type Pose, poseToTransform, type Random } from 'clearance/math';
import { createNeutralConfiguration, randomConfiguration } from 'clearance/model';
import {
  addObject,
  disposeScene,
  isSceneFree,
  moveObject,
  removeObject,
  type Scene,
  type SceneObject,
  setConfiguration,
  updateScene,
} from 'clearance/scene';
import { createRobotObject, placeObject, type RobotObject, updateRobotObject } from 'clearance/three';
import { Group, Mesh, type Object3D } from 'three';
import { type Held, readHeld } from './holding.js';
import { type BuiltRobot, buildScene } from './load/build-scene.js';
import type { Content, PlacedRobot } from './load/content.js';
import type { PairRule } from './load/pair-rules.js';
import type { SceneEdit } from './planning/plan-answer.js';
import { outlineContact } from './stage/contact-outline.js';
import { createObjectMaterial, createPartMaterial, markContact, markedMaterials } from './stage/materials.js';
import { objectGeometry } from './stage/object-geometry.js';
import { type Basis, createBasis } from './verdict-state.js';

export interface WorkspaceRobot extends BuiltRobot {
  readonly object: RobotObject;
  /** As loaded, for what is computed elsewhere. */
  readonly meshes: PlacedRobot['meshes'];
  /** Where its base stands. */
  base: Pose;
  /** Link that the user chose as the tool; null: the one that suits best. */
  tool: string | null;
  /** Places that a planned path goes through. */
  readonly via: Float64Array[];
  /** What the SRDF's group holds, when one was asked for; its joints alone are shown. */
  readonly group: string | null;
}

export interface WorkspaceObject {
  scene: SceneObject;
  readonly mesh: Mesh;
  pose: Pose;
  /** Shape that the user gave it; null: as it was loaded. */
  own: Shape | null;
}

export interface Workspace {
  readonly content: Content;
  readonly scene: Scene;
  readonly root: Group;
  readonly robots: readonly WorkspaceRobot[];
  readonly objects: WorkspaceObject[];
  /** The content's objects as they were loaded, by name: what was taken away can come back. */
  readonly originals: ReadonlyMap<string, Original>;
  /** Pairs that the user allowed or had checked again, and what the files said of these, by both names. */
  readonly changedPairs: Map<string, PairRule>;
  readonly givenPairs: Map<string, boolean>;
  /** Those of the content and those met while building the scene. */
  readonly issues: readonly Issue[];
  /** What a verdict rests on. */
  basis: Basis;
  /** Objects are checked against each other. */
  readonly objectPairs: boolean;
  readonly random: Random;
}

export interface Original {
  readonly shape: Shape;
  readonly pose: Pose;
  readonly held: Held | null;
}

const ORIGIN: Pose = [0, 0, 0, 0, 0, 0, 1];

export function createWorkspace(content: Content): Workspace {
  const { scene, robots: built, issues: met } = buildScene(content);
  const root = new Group();
  const robots = content.robots.map(({ description, meshes, settings, pose: base = ORIGIN }, i): WorkspaceRobot => {
    const object = createRobotObject({ description, meshes, createMaterial: createPartMaterial });
    root.add(object.root);
    return { ...built[i], object, meshes, base, tool: null, via: [], group: settings?.group ?? null };
  });
  const objectPairs = content.objectPairs || robots.length === 0;
  const originals = new Map<string, Original>();
  const workspace: Workspace = {
    ...{ content, scene, root, robots, objectPairs },
    objects: [],
    originals,
    changedPairs: new Map(),
    givenPairs: new Map(),
    issues: [...content.issues, ...met],
    basis: { pairs: 0, things: 0, margin: 0, assumed: [] },
    random: createRandom(1),
  };
  for (const { name, pose } of content.objects) {
    const added = scene.objects.get(name);
    // Left out, and said.
    if (!added) continue;
    const shown = showObject(workspace, added, pose);
    workspace.objects.push(shown);
    originals.set(name, { shape: added.shape, pose, held: readHeld(workspace, shown) });
  }
  takeStock(workspace);
  return workspace;
}

/** What a verdict rests on, after things came or went. */
export function takeStock(workspace: Workspace): void {
  const { content, scene, robots, objects, issues, objectPairs } = workspace;
  const things = robots.length + objects.length;
  const files = content.robots.map((robot) => robot.files);
  workspace.basis = createBasis(scene, issues, { objectPairs, things, files });
}

function showObject({ content, root, objects }: Workspace, added: SceneObject, pose: Pose): WorkspaceObject {
  const [{ shape }] = added.body.parts;
  const colour = content.robots.length > 0 ? null : objects.length;
  const mesh = new Mesh(objectGeometry(shape), createObjectMaterial(shape, colour));
  mesh.name = added.name;
  mesh.userData.unbounded = shape.type === 'halfspace';
  mesh.castShadow = shape.type !== 'halfspace';
  mesh.receiveShadow = true;
  root.add(mesh);
  return { scene: added, mesh, pose, own: null };
}

/** A new object, or one of the content that comes back (`own` null); its name must be free. */
export function addWorkspaceObject(
  workspace: Workspace,
  name: string,
  shape: Shape,
  pose: Pose,
  own: Shape | null = shape,
): WorkspaceObject {
  const added = addObject(workspace.scene, { name, shape, pose });
  const object = { ...showObject(workspace, added, pose), own };
  workspace.objects.push(object);
  takeStock(workspace);
  placeObject(object.mesh, added.body.worldPlacement);
  return object;
}

/** The same object with another shape, the user's own or (`own` null) that of the content. */
export function reshapeWorkspaceObject(
  { scene }: Workspace,
  object: WorkspaceObject,
  shape: Shape,
  own: Shape | null = shape,
): void {
  const { name } = object.scene;
  removeObject(scene, object.scene);
  object.scene = addObject(scene, { name, shape, pose: object.pose });
  object.own = own;
  object.mesh.geometry.dispose();
  object.mesh.geometry = objectGeometry(shape);
  outline(object.mesh, false);
}

export function removeWorkspaceObject(workspace: Workspace, object: WorkspaceObject): void {
  const { scene, objects } = workspace;
  removeObject(scene, object.scene);
  objects.splice(objects.indexOf(object), 1);
  object.mesh.removeFromParent();
  object.mesh.geometry.dispose();
  for (const material of markedMaterials(object.mesh)) material.dispose();
  takeStock(workspace);
}

/** What makes a scene built of the content equal to the workspace as it stands, but for the robot of that index. */
export function listEdits(workspace: Workspace, robot: number): SceneEdit[] {
  const { content, objects, robots } = workspace;
  const edits: SceneEdit[] = [];
  const kept = new Set(objects.map(({ scene }) => scene.name));
  for (const { name } of content.objects) if (!kept.has(name)) edits.push({ type: 'remove', object: name });
  for (const object of objects) {
    const held = readHeld(workspace, object);
    const given = workspace.originals.get(object.scene.name)?.held ?? null;
    if (held && JSON.stringify(held) === JSON.stringify(given)) continue;
    const { name } = object.scene;
    if (given) edits.push({ type: 'detach', object: name, pose: object.pose });
    edits.push(describeObject(object));
    if (held) edits.push({ type: 'attach', object: name, ...held });
  }
  for (const [index, { scene }] of robots.entries())
    if (index !== robot) edits.push({ type: 'stand', robot: index, q: scene.q.slice() });
  return edits;
}

/** Where an object stands, and its shape when the user gave it that. */
export function describeObject({ scene, pose, own }: WorkspaceObject): SceneEdit {
  const placed = { object: scene.name, pose };
  return own ? { type: 'put', ...placed, shape: own } : { type: 'move', ...placed };
}

/** Puts the three.js objects where the scene's bodies are. */
export function showPlacements(workspace: Workspace): void {
  updateScene(workspace.scene);
  for (const { object, model, scene } of workspace.robots) updateRobotObject(object, model, scene.data);
  for (const { mesh, scene } of workspace.objects) placeObject(mesh, scene.body.worldPlacement);
}

/** Colours the named links and objects as touching, everything else as it is. */
export function showContacts(workspace: Workspace, names: ReadonlySet<string>): void {
  const several = workspace.robots.length > 1;
  for (const { object, scene } of workspace.robots) {
    for (const link of object.links.values()) {
      const touching = names.has(several ? `${scene.name}/${link.name}` : link.name);
      for (const material of markedMaterials(link.group)) markContact(material, touching);
      outline(link.group, touching);
    }
  }
  for (const { mesh } of workspace.objects) {
    for (const material of markedMaterials(mesh)) markContact(material, names.has(mesh.name));
    outline(mesh, names.has(mesh.name));
  }
}

/** Only where it changes: edges are looked for anew otherwise. */
function outline(object: Object3D, isTouching: boolean): void {
  if (Boolean(object.userData.isOutlined) === isTouching) return;
  object.userData.isOutlined = isTouching;
  outlineContact(object, isTouching);
}

export function placeWorkspaceObject(workspace: Workspace, object: WorkspaceObject, pose: Pose): void {
  object.pose = pose;
  moveObject(workspace.scene, object.scene, poseToTransform(createTransform(), pose));
}

export function neutral({ model }: WorkspaceRobot): Float64Array {
  return createNeutralConfiguration(model);
}

const RANDOM_TRIES = 400;

/** A position in which nothing touches, with the other robots where they stand; null after so many tries. The robot stands as before. */
export function nextFreeRandom(
  { random, scene }: Workspace,
  { model, scene: robot }: WorkspaceRobot,
): { readonly q: Float64Array | null; readonly tries: number } {
  const stood = robot.q.slice();
  let found: Float64Array | null = null;
  let tries = 0;
  while (!found && tries < RANDOM_TRIES) {
    tries++;
    const q = randomConfiguration(new Float64Array(model.nq), model, random);
    setConfiguration(robot, q);
    if (isSceneFree(scene, 0, false)) found = q;
  }
  setConfiguration(robot, stood);
  return { q: found, tries };
}

export function disposeWorkspace(workspace: Workspace): void {
  disposeScene(workspace.scene);
  for (const { object } of workspace.robots) object.dispose();
  for (const { mesh } of workspace.objects) {
    mesh.geometry.dispose();
    for (const material of markedMaterials(mesh)) material.dispose();
  }
  workspace.root.removeFromParent();
}
