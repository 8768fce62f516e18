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
  type AllowPairsOptions,
  allowPairs,
  createScene,
  disposeScene,
  moveObject,
  type Scene,
  type SceneObject,
  type SceneRobot,
  setConfiguration,
  updateScene,
} from 'clearance/scene';
import { listNamedStates, type SemanticDescription } from 'clearance/semantics';
import { addCellRobot, placeDescription } from 'clearance/tasks';
import { createRobotObject, placeObject, type RobotObject, updateRobotObject } from 'clearance/three';
import { Group, Mesh } from 'three';
import type { ConfigurationValues, Content, PlacedRobot, RobotSettings } from './load/content.js';
import { createObjectMaterial, createPartMaterial, markContact, markedMaterials } from './stage/materials.js';
import { objectGeometry } from './stage/object-geometry.js';
import { type Basis, createBasis } from './verdict-state.js';

export interface WorkspaceRobot {
  readonly scene: SceneRobot;
  readonly model: Model;
  readonly object: RobotObject;
  /** As loaded, for what is computed elsewhere. */
  readonly meshes: PlacedRobot['meshes'];
  /** States of the SRDF, the content's and the user's own. */
  readonly stored: StoredState[];
  /** Link that the user chose as the tool; null: the one that suits best. */
  tool: string | null;
  /** What the SRDF's group holds, when one was asked for; its joints alone are shown. */
  readonly group: string | null;
}

export interface StoredState {
  readonly name: string;
  readonly q: Float64Array;
  /** Stored by the user. */
  readonly isOwn?: boolean;
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
  /** What a verdict rests on. */
  readonly basis: Basis;
  /** Objects are checked against each other. */
  readonly objectPairs: boolean;
  readonly random: Random;
}

export function createWorkspace(content: Content): Workspace {
  const issues: Issue[] = [...content.issues];
  const scene = createScene({ prepared: content.prepared });
  const root = new Group();
  const robots = content.robots.map((robot) => addWorkspaceRobot(scene, root, robot, content, issues));
  placeDescription(
    scene,
    {
      ...content,
      description: {
        version: 1,
        objects: content.objects,
        robots: [],
        attached: content.attached,
        allowed: content.allowed,
      },
    },
    {
      meshMode: content.meshMode,
      onFault: (element, message) => issues.push(describeFault(element, message)),
    },
  );
  const objects = showObjects(scene, root, content);
  for (const [i, { settings }] of content.robots.entries()) {
    const { pairs = [], replace } = settings?.allowed ?? {};
    if (pairs.length > 0 || replace) allow(scene, pairs, { robot: robots[i].scene, replace }, issues);
  }
  const objectPairs = content.objectPairs || robots.length === 0;
  const things = robots.length + objects.length;
  const files = content.robots.map((robot) => robot.files);
  const basis = createBasis(scene, issues, { objectPairs, things, files });
  return { content, scene, root, robots, objects, issues, basis, objectPairs, random: createRandom(1) };
}

/** A pair that is not allowed for it can only make more pairs touch; what else is not placed may have touched something. */
function describeFault(element: string, message: string): Issue {
  const isPairs = element === 'allowed pairs';
  return {
    severity: 'error',
    code: isPairs ? 'bad-pair' : 'bad-entry',
    element,
    message: message.replace(/^allowPairs: /, ''),
    ...(!isPairs && { assumes: 'dropped' }),
  };
}

function allow(
  scene: Scene,
  pairs: readonly { readonly a: string; readonly b: string }[],
  options: AllowPairsOptions,
  issues: Issue[],
): void {
  try {
    allowPairs(
      scene,
      pairs.map((pair) => ({ ...pair, reason: 'user' })),
      options,
    );
  } catch (error) {
    issues.push(describeFault('allowed pairs', (error as Error).message));
  }
}

function addWorkspaceRobot(
  scene: Scene,
  root: Group,
  loaded: PlacedRobot,
  content: Content,
  issues: Issue[],
): WorkspaceRobot {
  const { description, semantic, meshes, settings = {} } = loaded;
  const { base, mimic, continuous, geometry, spheres } = settings;
  const { model, issues: found } = buildModel(description.model, { base, mimic, continuous });
  issues.push(...found);
  const sceneRobot = addCellRobot(scene, {
    name: loaded.name,
    model,
    description,
    semantic,
    meshes,
    placement: loaded.pose,
    geometry,
    spheres: spheres && toSpheres(spheres),
    meshMode: content.meshMode,
  });
  const object = createRobotObject({ description, meshes, createMaterial: createPartMaterial });
  root.add(object.root);
  const stored: StoredState[] = [];
  for (const [name, values] of listNamedStates(model, semantic))
    store(name, () => configurationFromNamed(model, values));
  const start = loaded.isPlaced ? undefined : chooseStart(stored);
  for (const { name, q } of content.configurations) store(name, () => readConfiguration(model, q));
  const { q } = loaded;
  if (typeof q === 'string') {
    const state = stored.find(({ name }) => name === q);
    if (state) setConfiguration(sceneRobot, state.q);
    else attempt('q', () => refuseState(q, stored));
  } else if (q !== undefined) {
    attempt('q', () => setConfiguration(sceneRobot, readConfiguration(model, q)));
  } else if (start) {
    setConfiguration(sceneRobot, start.q);
  }
  return { scene: sceneRobot, model, object, meshes, stored, tool: null, group: settings.group ?? null };

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

/** In this order: what authors of SRDF files call the position a robot is used from. */
const STARTS = [
  /^ready$/i,
  /^home$/i,
  /ready|home/i,
  /half.?sitting|stand/i,
  /^(default|start|initial|rest|neutral)$/i,
];

/** The state that a robot on its own begins with; undefined: with its neutral configuration. */
function chooseStart(states: readonly StoredState[]): StoredState | undefined {
  for (const pattern of STARTS) {
    const found = states.find(({ name }) => pattern.test(name));
    if (found) return found;
  }
  return undefined;
}

function refuseState(name: string, stored: readonly StoredState[]): never {
  const known = stored.map((state) => `"${state.name}"`).join(', ');
  throw new RangeError(`state "${name}": not in the SRDF${known ? `, expected one of ${known}` : ''}`);
}

/** Throws, in words for the user, when the values do not fit the robot. */
export function readConfiguration(model: Model, values: ConfigurationValues): Float64Array {
  if (!Array.isArray(values)) return configurationFromNamed(model, values as Readonly<Record<string, number>>);
  const problem = describeProblem(model, values);
  if (problem) throw new RangeError(problem);
  return Float64Array.from(values);
}

function showObjects(scene: Scene, root: Group, content: Content): WorkspaceObject[] {
  const objects: WorkspaceObject[] = [];
  for (const { name, pose } of content.objects) {
    const added = scene.objects.get(name);
    // Left out, and said.
    if (!added) continue;
    const [{ shape }] = added.body.parts;
    const colour = content.robots.length > 0 ? null : objects.length;
    const mesh = new Mesh(objectGeometry(shape), createObjectMaterial(shape, colour));
    mesh.name = name;
    mesh.userData.unbounded = shape.type === 'halfspace';
    mesh.castShadow = shape.type !== 'halfspace';
    mesh.receiveShadow = true;
    root.add(mesh);
    objects.push({ scene: added, mesh, pose });
  }
  return objects;
}

function toSpheres(spheres: NonNullable<RobotSettings['spheres']>): SemanticDescription['spheres'] {
  return new Map(
    Object.entries(spheres).map(([link, list]) => [
      link,
      list.map(([x, y, z, radius]) => ({ center: [x, y, z] as const, radius })),
    ]),
  );
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
