/**
 * The loaded content as a live scene: the library's scene answers the queries, three.js objects show it, and one
 * function brings both up to date.
 */
import type { Issue } from 'clearance/io';
import { createRandom, createTransform, type Pose, poseToTransform, type Random } from 'clearance/math';
import {
  buildModel,
  configurationFromNamed,
  createNeutralConfiguration,
  describeProblem,
  type Model,
  randomConfiguration,
} from 'clearance/model';
import {
  addObject,
  addRobot,
  attachObject,
  createScene,
  createShapeResolver,
  disposeScene,
  moveObject,
  type Scene,
  type SceneObject,
  type SceneRobot,
  setConfiguration,
  updateScene,
} from 'clearance/scene';
import { createRobotObject, placeObject, type RobotObject, toShapeGeometry, updateRobotObject } from 'clearance/three';
import { Group, Mesh } from 'three';
import type { ConfigurationValues, Content, PlacedRobot, StoredConfiguration } from './load/content.js';
import { createObjectMaterial, createPartMaterial, markContact, markedMaterials } from './stage/materials.js';

export interface WorkspaceRobot {
  readonly scene: SceneRobot;
  readonly model: Model;
  readonly object: RobotObject;
  /** States of the SRDF, the content's and the user's own. */
  readonly stored: { name: string; q: Float64Array }[];
}

export interface WorkspaceObject {
  readonly scene: SceneObject;
  readonly mesh: Mesh;
  pose: Pose;
}

export interface Workspace {
  readonly content: Content;
  readonly scene: Scene;
  readonly root: Group;
  readonly robots: readonly WorkspaceRobot[];
  readonly objects: readonly WorkspaceObject[];
  /** Those of the content and those met while building the scene. */
  readonly issues: readonly Issue[];
  readonly random: Random;
}

export function createWorkspace(content: Content): Workspace {
  const issues: Issue[] = [...content.issues];
  const scene = createScene();
  const root = new Group();
  const workspace: Workspace = {
    content,
    scene,
    root,
    robots: content.robots.map((robot) => addWorkspaceRobot(scene, root, robot, content.configurations, issues)),
    objects: addWorkspaceObjects(scene, root, content, issues),
    issues,
    random: createRandom(1),
  };
  for (const { object, link, touchLinks } of content.attached) {
    const held = scene.objects.get(object);
    const holder = findHolder(workspace, link);
    if (!held || !holder) {
      issues.push({
        severity: 'error',
        code: 'attached-unknown',
        message: `"${object}" cannot be attached to "${link}": one of them is not in the scene`,
      });
      continue;
    }
    updateScene(scene);
    attachObject(scene, held, { robot: holder.robot, link: holder.link, touchLinks });
  }
  return workspace;
}

function addWorkspaceRobot(
  scene: Scene,
  root: Group,
  loaded: PlacedRobot,
  configurations: readonly StoredConfiguration[],
  issues: Issue[],
): WorkspaceRobot {
  const { description, semantic, meshes } = loaded;
  const built = buildModel(description.model);
  issues.push(...built.issues);
  const { model } = built;
  const sceneRobot = addRobot(scene, {
    name: loaded.name,
    model,
    description,
    semantic,
    meshes,
    placement: loaded.pose,
  });
  const object = createRobotObject({ description, meshes, createMaterial: createPartMaterial });
  root.add(object.root);
  const stored: { name: string; q: Float64Array }[] = [];
  for (const state of semantic?.states ?? []) {
    const named = Object.fromEntries(
      [...state.joints].map(([joint, values]) => [joint, values.length === 1 ? values[0] : values]),
    );
    store(state.name, () => configurationFromNamed(model, named));
  }
  for (const { name, q } of configurations) store(name, () => readConfiguration(model, q));
  const { q } = loaded;
  if (typeof q === 'string') {
    const state = stored.find(({ name }) => name === q);
    if (state) setConfiguration(sceneRobot, state.q);
  } else if (q !== undefined) {
    attempt('q', () => setConfiguration(sceneRobot, readConfiguration(model, q)));
  }
  return { scene: sceneRobot, model, object, stored };

  function store(name: string, read: () => Float64Array): void {
    attempt(`configuration "${name}"`, () => stored.push({ name, q: read() }));
  }
  function attempt(element: string, act: () => void): void {
    try {
      act();
    } catch (error) {
      issues.push({ severity: 'warning', code: 'bad-configuration', element, message: (error as Error).message });
    }
  }
}

/** Throws, in words for the user, when the values do not fit the robot. */
export function readConfiguration(model: Model, values: ConfigurationValues): Float64Array {
  if (!Array.isArray(values)) return configurationFromNamed(model, values as Readonly<Record<string, number>>);
  const problem = describeProblem(model, values);
  if (problem) throw new RangeError(problem);
  return Float64Array.from(values);
}

function addWorkspaceObjects(scene: Scene, root: Group, content: Content, issues: Issue[]): WorkspaceObject[] {
  const resolver = createShapeResolver(content.meshes, undefined, content.clouds);
  const objects: WorkspaceObject[] = [];
  for (const { name, shape: description, pose, margin } of content.objects) {
    const shape = resolver.resolve(description);
    // A missing mesh has been reported where it was looked for.
    if (!shape) continue;
    try {
      const added = addObject(scene, { name, shape, pose, margin });
      const mesh = new Mesh(
        toShapeGeometry(shape),
        createObjectMaterial(shape, content.robots.length > 0 ? null : objects.length),
      );
      mesh.name = name;
      mesh.userData.unbounded = shape.type === 'halfspace';
      mesh.castShadow = shape.type !== 'halfspace';
      mesh.receiveShadow = true;
      root.add(mesh);
      objects.push({ scene: added, mesh, pose });
    } catch (error) {
      issues.push({
        severity: 'error',
        code: 'bad-object',
        element: `object "${name}"`,
        message: (error as Error).message,
      });
    }
  }
  return objects;
}

function findHolder({ robots }: Workspace, link: string): { robot: SceneRobot; link: string } | null {
  for (const { scene: robot } of robots) {
    const name = link.startsWith(`${robot.name}/`) ? link.slice(robot.name.length + 1) : link;
    if (robot.description.model.links.some((candidate) => candidate.name === name)) return { robot, link: name };
  }
  return null;
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
    }
  }
  for (const { mesh } of workspace.objects) {
    for (const material of markedMaterials(mesh)) markContact(material, names.has(mesh.name));
  }
}

export function placeWorkspaceObject(workspace: Workspace, object: WorkspaceObject, pose: Pose): void {
  object.pose = pose;
  moveObject(workspace.scene, object.scene, poseToTransform(createTransform(), pose));
}

export function neutral({ model }: WorkspaceRobot): Float64Array {
  return createNeutralConfiguration(model);
}

export function nextRandom({ random }: Workspace, { model }: WorkspaceRobot): Float64Array {
  return randomConfiguration(new Float64Array(model.nq), model, random);
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
