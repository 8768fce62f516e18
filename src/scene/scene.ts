/**
 * A scene: robots, objects and attached objects, checked against each other.
 *
 * Data flows one way: joint values -> frames -> body placements -> boxes -> candidate pairs -> allowed-collision
 * matrix -> narrow phase. `updateScene` brings everything up to the boxes and touches only what moved; every query
 * calls it first, so no query ever sees a stale box.
 */

import type { BroadPhase } from '../broadphase/broad-phase.js';
import { createDynamicTree } from '../broadphase/dynamic-tree.js';
import type { Shape } from '../geometry/shapes.js';
import { MisuseError } from '../math/misuse.js';
import { hypot } from '../math/scalar.js';
import { copyTransform, createTransform, type Pose, poseToTransform, type Transform } from '../math/transform.js';
import { type Collider, createCollider } from '../narrowphase/collider.js';
import { type AllowedCollisions, createAllowedCollisions } from './allowed-collisions.js';
import { type Body, type BodyPart, createBodyPart, updateBody } from './bodies.js';
import type { SceneRobot } from './robot.js';
import { updateRobot } from './robot.js';
import type { SelfContacts } from './self-contacts.js';

export interface SceneOptions {
  /** Added to every pair: closer than this counts as a contact. Metres, default 0. */
  readonly margin?: number;
}

export interface SceneBody extends Body {
  readonly robot: SceneRobot | null;
  readonly object: SceneObject | null;
}

export interface Attachment {
  readonly robot: SceneRobot;
  /** Frame index of the link. */
  readonly frame: number;
  readonly link: string;
  /** X_LO: object in the link's frame. */
  readonly placement: Transform;
  readonly touchLinks: ReadonlySet<string>;
}

export interface SceneObject {
  readonly name: string;
  readonly shape: Shape;
  readonly body: SceneBody;
  /** Null while the object is free. */
  attachment: Attachment | null;
  /** Id in the scene's object tree, -1 while attached. */
  proxy: number;
}

export interface Scene {
  margin: number;
  readonly robots: SceneRobot[];
  readonly objects: Map<string, SceneObject>;
  /**
   * Pairs that are never checked, besides each robot's own. Names are taken as `bodyName` gives them or as `robot/link`, and
   * kept in the second form, so that they mean the same bodies after more robots come.
   */
  readonly allowed: AllowedCollisions;
  /** Free objects. */
  readonly objectTree: BroadPhase;
  readonly bodyOfProxy: (SceneBody | undefined)[];
  /** Per-pair margins by unordered full names, replacing the sum of scene and body margins. */
  readonly pairMargins: Map<string, number>;
  /** Bumped whenever bodies, allowed pairs or margins change; candidate tables compare it. */
  revision: number;
  nextBodyId: number;
  /** One collider per shape object. */
  readonly colliders: Map<Shape, { readonly collider: Collider; uses: number }>;
  /** @internal Robots whose own links are searched by a ChainTree; null for those whose are not. */
  readonly selfContacts: Map<SceneRobot, SelfContacts | null>;
  disposed: boolean;
}

export function createScene(options: SceneOptions = {}): Scene {
  const margin = options.margin ?? 0;
  requireFinite('createScene', 'margin', margin);
  const scene: Scene = {
    margin,
    robots: [],
    objects: new Map(),
    allowed: createAllowedCollisions([], {
      onChange: () => {
        scene.revision++;
      },
      resolve: (name) => resolveName(scene, name),
    }),
    objectTree: createDynamicTree(),
    bodyOfProxy: [],
    pairMargins: new Map(),
    revision: 0,
    nextBodyId: 0,
    colliders: new Map(),
    selfContacts: new Map(),
    disposed: false,
  };
  return scene;
}

export interface ObjectOptions {
  readonly name: string;
  readonly shape: Shape;
  /** X_WO as a transform, or a pose; default: the world origin. */
  readonly placement?: Transform;
  readonly pose?: Pose;
  readonly margin?: number;
}

export function addObject(scene: Scene, options: ObjectOptions): SceneObject {
  requireOpen(scene, 'addObject');
  const { name, shape } = options;
  if (scene.objects.has(name))
    throw new MisuseError(`addObject: name "${name}" is taken, expected a name that the scene does not hold yet`);
  const margin = options.margin ?? 0;
  requireFinite('addObject', 'margin', margin);
  const worldPlacement = createTransform();
  const given = options.pose ?? options.placement;
  if (given) readPlacement(worldPlacement, 'addObject', given);
  const body = createSceneBody(scene, { name, margin, robot: null, parts: [[shape, createTransform()]] });
  copyTransform(body.worldPlacement, worldPlacement);
  updateBody(body);
  const object: SceneObject = { name, shape, body, attachment: null, proxy: -1 };
  (body as { object: SceneObject | null }).object = object;
  scene.objects.set(name, object);
  insertProxy(scene, object);
  scene.revision++;
  return object;
}

export function removeObject(scene: Scene, object: SceneObject): void {
  if (scene.objects.get(object.name) !== object)
    throw new MisuseError(`removeObject: object "${object.name}" is not in this scene`);
  object.attachment?.robot.attached.delete(object);
  object.attachment = null;
  removeProxy(scene, object);
  scene.objects.delete(object.name);
  releaseColliders(scene, object.body);
  scene.revision++;
}

/** Sets X_WO of a free object; queries see it at once. */
export function moveObject(scene: Scene, object: SceneObject, placement: Transform | Pose): void {
  if (scene.objects.get(object.name) !== object)
    throw new MisuseError(`moveObject: object "${object.name}" is not in this scene`);
  if (object.attachment)
    throw new MisuseError(
      `moveObject: object "${object.name}" is attached to "${object.attachment.link}", detach it first`,
    );
  readPlacement(object.body.worldPlacement, 'moveObject', placement);
  updateBody(object.body);
  scene.objectTree.update(object.proxy, object.body.box);
}

export function insertProxy(scene: Scene, object: SceneObject): void {
  object.proxy = scene.objectTree.add(object.body.box);
  scene.bodyOfProxy[object.proxy] = object.body;
}

export function removeProxy(scene: Scene, object: SceneObject): void {
  if (object.proxy < 0) return;
  scene.objectTree.remove(object.proxy);
  scene.bodyOfProxy[object.proxy] = undefined;
  object.proxy = -1;
}

/**
 * Name for people and files: links carry their robot's name when the scene has several robots, or an object of the
 * link's name.
 */
export function bodyName(scene: Scene, body: SceneBody): string {
  const { robot, name } = body;
  return robot && (scene.robots.length > 1 || scene.objects.has(name)) ? fullName(body) : name;
}

/** A name that stays the body's own whatever is added to the scene: `robot/link`, or an object's name. */
export function fullName({ robot, name }: SceneBody): string {
  return robot ? `${robot.name}/${name}` : name;
}

/**
 * The full name that a user's name means now: an object's, else the link's of the only robot that has one so called.
 * Names of bodies that do not exist (yet) stay as they are.
 */
export function resolveName(scene: Scene, name: string): string {
  if (scene.objects.has(name)) return name;
  const owners = scene.robots.filter(({ links }) => links.some((link) => link.name === name));
  return owners.length === 1 ? `${owners[0].name}/${name}` : name;
}

/**
 * The margin of one pair, instead of scene margin + both bodies' margins. Names as `bodyName` gives them, or `robot/link`;
 * they mean the bodies that have them now, also after more robots and objects come.
 */
export function setPairMargin(scene: Scene, a: string, b: string, margin: number): void {
  requireFinite('setPairMargin', 'margin', margin);
  scene.pairMargins.set(pairKey(resolveName(scene, a), resolveName(scene, b)), margin);
  scene.revision++;
}

export function setSceneMargin(scene: Scene, margin: number): void {
  requireFinite('setSceneMargin', 'margin', margin);
  scene.margin = margin;
  scene.revision++;
}

export function pairKey(a: string, b: string): string {
  return a < b ? `${a}\u0000${b}` : `${b}\u0000${a}`;
}

/** Brings placements and boxes of everything that moved up to date. */
export function updateScene(scene: Scene): void {
  requireOpen(scene, 'updateScene');
  for (const robot of scene.robots) updateRobot(robot);
}

/** Frees the colliders' kernel memory. The scene is unusable afterwards; a second call does nothing. */
export function disposeScene(scene: Scene): void {
  if (scene.disposed) return;
  scene.disposed = true;
  for (const { collider } of scene.colliders.values()) collider.dispose();
  scene.colliders.clear();
  for (const contacts of scene.selfContacts.values()) contacts?.dispose();
  scene.selfContacts.clear();
}

export interface BodyOptions {
  readonly name: string;
  readonly margin: number;
  readonly robot: SceneRobot | null;
  /** Shapes with X_BG. */
  readonly parts: readonly (readonly [Shape, Transform])[];
}

export function createSceneBody(scene: Scene, options: BodyOptions): SceneBody {
  return {
    id: scene.nextBodyId++,
    name: options.name,
    margin: options.margin,
    robot: options.robot,
    object: null,
    parts: createBodyParts(scene, options),
    worldPlacement: createTransform(),
    box: new Float64Array(6),
    version: 0,
  };
}

function createBodyParts(scene: Scene, { name, parts }: BodyOptions): BodyPart[] {
  const built: BodyPart[] = [];
  try {
    for (const [shape, placement] of parts) built.push(createBodyPart(acquireCollider(scene, shape), placement));
  } catch (error) {
    releaseParts(scene, built);
    throw new MisuseError(`"${name}": ${(error as Error).message}`, { cause: error });
  }
  return built;
}

function acquireCollider(scene: Scene, shape: Shape): Collider {
  const known = scene.colliders.get(shape);
  if (known) {
    known.uses++;
    return known.collider;
  }
  const collider = createCollider(shape);
  scene.colliders.set(shape, { collider, uses: 1 });
  return collider;
}

export function releaseColliders(scene: Scene, body: SceneBody): void {
  releaseParts(scene, body.parts);
}

function releaseParts(scene: Scene, parts: readonly BodyPart[]): void {
  for (const { collider } of parts) {
    const entry = scene.colliders.get(collider.shape);
    if (!entry || --entry.uses > 0) continue;
    entry.collider.dispose();
    scene.colliders.delete(collider.shape);
  }
}

export interface AttachOptions {
  readonly robot: SceneRobot;
  readonly link: string;
  /** X_LO; default: where the object is now relative to the link. */
  readonly placement?: Transform;
  /** Links that may touch the object, besides `link` itself. */
  readonly touchLinks?: Iterable<string>;
}

export function requireOpen(scene: Scene, name: string): void {
  if (scene.disposed) throw new MisuseError(`${name}: the scene is disposed, expected a live one`);
}

export function requireFinite(name: string, what: string, value: number): void {
  if (!Number.isFinite(value)) throw new MisuseError(`${name}: ${what}, got ${value}, expected a finite number`);
}

/** How far R R^T may be from the identity: single precision passes, scales and mirrors do not. */
const RIGID_TOLERANCE = 1e-5;

/** Checks and writes a placement given as a pose or a transform; a quaternion of any length but 0 is a rotation. */
export function readPlacement(out: Transform, name: string, given: Transform | Pose): void {
  if (given.length === 7) {
    requireNumbers(name, 'pose', given, 7);
    if (!(hypot(given[3], given[4], given[5], given[6]) > 1e-9))
      throw new MisuseError(`${name}: pose, got the quaternion [${Array.from(given).slice(3)}], expected length 1`);
    poseToTransform(out, given);
    return;
  }
  copyTransform(out, requireRigid(name, requireNumbers(name, 'placement', given, 12)));
}

export function requireRigid<T extends ArrayLike<number>>(name: string, X: T): T {
  const determinant =
    X[0] * (X[4] * X[8] - X[5] * X[7]) - X[1] * (X[3] * X[8] - X[5] * X[6]) + X[2] * (X[3] * X[7] - X[4] * X[6]);
  let error = Math.abs(determinant - 1);
  for (let i = 0; i < 9; i += 3)
    for (let j = i; j < 9; j += 3) {
      const product = X[i] * X[j] + X[i + 1] * X[j + 1] + X[i + 2] * X[j + 2];
      error = Math.max(error, Math.abs(product - (i === j ? 1 : 0)));
    }
  if (!(error <= RIGID_TOLERANCE))
    throw new MisuseError(
      `${name}: placement, got rotation [${Array.from(X).slice(0, 9)}], expected a rotation matrix (scale the shape instead)`,
    );
  return X;
}

export function requireNumbers<T extends ArrayLike<number>>(name: string, what: string, values: T, count: number): T {
  if (values.length !== count)
    throw new MisuseError(`${name}: ${what}, got ${values.length} numbers, expected ${count}`);
  for (let i = 0; i < count; i++) requireFinite(name, `${what}[${i}]`, values[i]);
  return values;
}
