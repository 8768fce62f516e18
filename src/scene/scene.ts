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
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { requireFinite, requireMap, throwMisuse } from '../math/arguments.js';
import { describeValue, requireKnownKeys } from '../math/known-keys.js';
import { rotationError } from '../math/mat3.js';
import { MisuseError } from '../math/misuse.js';
import { RIGID_TOLERANCE } from '../math/require-transform.js';
import { copyTransform, createTransform, type Pose, poseToTransform, type Transform } from '../math/transform.js';
import { describeQuaternion, describeScaling } from '../math/unit-quaternion.js';
import { type Collider, type ColliderOptions, createCollider } from '../narrowphase/collider.js';
import { type AllowedCollisions, createAllowedCollisions } from './allowed-collisions.js';
import { type AssumingIssue, assumptionsOfIssues } from './assumptions.js';
import { type Body, type BodyPart, createBodyPart, updateBody } from './bodies.js';
import { requireName, requireObjectName } from './body-names.js';
import type { Assumption } from './description.js';
import type { SceneRobot } from './robot.js';
import { updateRobot } from './robot.js';
import type { SelfContacts } from './queries/self-contacts.js';

export interface SceneOptions {
  /** Added to every pair: closer than this counts as a contact. Metres, default 0. */
  readonly margin?: number;
  /** Trees and reports of meshes that were made elsewhere, as `createCollider` takes them. The scene does not dispose the trees. */
  readonly prepared?: ReadonlyMap<TriangleMesh, PreparedMesh>;
}

/** What takes long to make of a mesh: in a page its worker does it, and sends `serializeBvh` and `reportMesh` of it. */
export type PreparedMesh = Pick<ColliderOptions, 'bvh' | 'report'>;

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
  /** What was left out, changed or guessed of it; see `sceneAssumptions`. */
  assumed: readonly Assumption[];
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
  /** Bumped where `assumed` of an object changes without that. */
  notes: number;
  nextBodyId: number;
  /** One collider per shape object. */
  readonly colliders: Map<Shape, { readonly collider: Collider; uses: number }>;
  readonly prepared: ReadonlyMap<TriangleMesh, PreparedMesh>;
  /** @internal Robots whose own links are searched by a ChainTree; null for those whose are not. */
  readonly selfContacts: Map<SceneRobot, SelfContacts | null>;
  disposed: boolean;
}

export function createScene(options: SceneOptions = {}): Scene {
  requireKnownKeys('createScene', 'options', options, ['margin', 'prepared']);
  const margin = options.margin === undefined ? 0 : options.margin;
  requireFinite('createScene', 'margin', margin);
  const { prepared = new Map() } = options;
  requireMap('createScene', 'options.prepared', prepared);
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
    notes: 0,
    nextBodyId: 0,
    colliders: new Map(),
    prepared,
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
  /** What its loader found: issues that an answer depends on stand in every answer's `assumed`, and an error makes it incomplete. */
  readonly issues?: readonly AssumingIssue[];
}

const OBJECT_KEYS = ['name', 'shape', 'pose', 'placement', 'margin', 'issues'];

export function addObject(scene: Scene, options: ObjectOptions): SceneObject {
  requireOpen(scene, 'addObject');
  requireKnownKeys('addObject', 'options', options, OBJECT_KEYS);
  const { shape, issues = [] } = options;
  const name = requireObjectName(scene, 'addObject', options.name);
  const margin = options.margin === undefined ? 0 : options.margin;
  requireFinite('addObject', 'margin', margin);
  if (options.pose !== undefined && options.placement !== undefined)
    throw new MisuseError(`addObject: placement of "${name}", got a pose beside it, expected one of them`);
  const worldPlacement = createTransform();
  const given = options.pose ?? options.placement;
  const altered = given !== undefined && readPlacement(worldPlacement, 'addObject', given);
  const body = createSceneBody(scene, { name, margin, robot: null, parts: [[shape, createTransform()]] });
  copyTransform(body.worldPlacement, worldPlacement);
  updateBody(body);
  const assumed = [...assumptionsOfIssues(issues), ...emptyParts(`object "${name}"`, shape)];
  const object: SceneObject = { name, shape, body, attachment: null, proxy: -1, assumed };
  (body as { object: SceneObject | null }).object = object;
  scene.objects.set(name, object);
  insertProxy(scene, object);
  noteAltered(scene, object, altered);
  scene.revision++;
  return object;
}

/** Meshes without triangles, which nothing can touch. */
export function emptyParts(element: string, shape: Shape): Assumption[] {
  if (shape.type === 'compound') return shape.children.flatMap((child) => emptyParts(element, child.shape));
  if (shape.type !== 'mesh' || shape.mesh.triangles.length > 0) return [];
  return [{ kind: 'dropped', element, message: 'its mesh has no triangles: nothing can touch it' }];
}

const NORMALISED = 'the quaternion of its pose was not of length 1 and is scaled to it';

/** Keeps note of whether the pose that an object stands at is the one that was given. */
function noteAltered(scene: Scene, object: SceneObject, altered: boolean): void {
  const known = object.assumed.some(({ message }) => message === NORMALISED);
  if (known === altered) return;
  const others = object.assumed.filter(({ message }) => message !== NORMALISED);
  object.assumed = altered
    ? [...others, { kind: 'altered', element: `object "${object.name}"`, message: NORMALISED }]
    : others;
  scene.notes++;
}

export function removeObject(scene: Scene, object: SceneObject): void {
  requireOwnObject(scene, 'removeObject', object);
  object.attachment?.robot.attached.delete(object);
  object.attachment = null;
  removeProxy(scene, object);
  scene.objects.delete(object.name);
  releaseColliders(scene, object.body);
  scene.revision++;
}

/** Sets X_WO of a free object; queries see it at once. */
export function moveObject(scene: Scene, object: SceneObject, placement: Transform | Pose): void {
  requireOwnObject(scene, 'moveObject', object);
  if (object.attachment)
    throw new MisuseError(
      `moveObject: object "${object.name}" is attached to "${object.attachment.link}", detach it first`,
    );
  noteAltered(scene, object, readPlacement(object.body.worldPlacement, 'moveObject', placement));
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
  if (!(scene?.objects instanceof Map)) requireOpen(scene, 'bodyName');
  if (typeof body?.name !== 'string' || !Array.isArray(body.parts))
    throwMisuse('bodyName', 'body', body, 'a body of the scene');
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
  requireOpen(scene, 'setPairMargin');
  requireName('setPairMargin', 'a', a);
  requireName('setPairMargin', 'b', b);
  requireFinite('setPairMargin', 'margin', margin);
  scene.pairMargins.set(pairKey(resolveName(scene, a), resolveName(scene, b)), margin);
  scene.revision++;
}

export function setSceneMargin(scene: Scene, margin: number): void {
  requireOpen(scene, 'setSceneMargin');
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
  if (!(scene?.objects instanceof Map)) requireOpen(scene, 'disposeScene');
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
    throw new MisuseError(`addObject: shape of "${name}": ${(error as Error).message}`, { cause: error });
  }
  return built;
}

function acquireCollider(scene: Scene, shape: Shape): Collider {
  const known = scene.colliders.get(shape);
  if (known) {
    known.uses++;
    return known.collider;
  }
  const collider = createCollider(shape, shape.type === 'mesh' ? findPrepared(scene, shape.mesh) : undefined);
  scene.colliders.set(shape, { collider, uses: 1 });
  return collider;
}

function findPrepared({ prepared }: Scene, mesh: TriangleMesh): PreparedMesh | undefined {
  const found = prepared.get(mesh);
  if (found?.bvh && found.bvh.mesh !== mesh)
    throw new MisuseError(
      'createScene: options.prepared, got the tree of another mesh, expected that of the mesh it is for',
    );
  return found;
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
  /** X_LO: the object in the link; default: where the object is now relative to the link. */
  readonly placement?: Transform | Pose;
  /** Links that may touch the object, besides `link` itself. */
  readonly touchLinks?: Iterable<string>;
}

export function requireOpen(scene: Scene, name: string): void {
  if (!(scene?.objects instanceof Map))
    throw new MisuseError(`${name}: scene, got ${describeValue(scene)}, expected what createScene returned`);
  if (scene.disposed) throw new MisuseError(`${name}: scene, got one that is disposed, expected a live one`);
}

/** Throws on what is no scene, on a disposed scene, and on an object that it does not hold. */
export function requireOwnObject(scene: Scene, name: string, object: SceneObject): void {
  requireOpen(scene, name);
  if (object === null || typeof object !== 'object')
    throw new MisuseError(`${name}: object, got ${describeValue(object)}, expected what addObject returned`);
  if (scene.objects.get(object.name) !== object)
    throw new MisuseError(
      `${name}: object, got ${describeValue(object.name)}, which is not in this scene, expected one that it holds`,
    );
}

/**
 * Checks and writes a placement given as a pose or a transform. A quaternion within 1e-3 of length 1 is normalised; true
 * where that altered it by more than a rounding.
 */
export function readPlacement(out: Transform, name: string, given: Transform | Pose): boolean {
  if (typeof given !== 'object' || given === null)
    throw new MisuseError(`${name}: placement, got ${describeValue(given)}, expected 12 numbers, or 7 of a pose`);
  if (given.length === 7) {
    requireNumbers(name, 'pose', given, 7);
    const problem = describeQuaternion(given, 3);
    if (problem !== null) throw new MisuseError(`${name}: pose, ${problem}`);
    poseToTransform(out, given);
    return describeScaling(given, 3) !== null;
  }
  copyTransform(out, requireRigid(name, requireNumbers(name, 'placement', given, 12)));
  return false;
}

export function requireRigid<T extends ArrayLike<number>>(name: string, X: T): T {
  if (!(rotationError(X) <= RIGID_TOLERANCE))
    throw new MisuseError(
      `${name}: placement, got rotation [${Array.from(X).slice(0, 9)}], expected a rotation matrix (scale the shape instead)`,
    );
  return X;
}

export function requireNumbers<T extends ArrayLike<number>>(name: string, what: string, values: T, count: number): T {
  if (values?.length !== count)
    throw new MisuseError(
      `${name}: ${what}, got ${typeof values === 'object' && values !== null ? `${values.length} numbers` : describeValue(values)}, expected ${count}`,
    );
  for (let i = 0; i < count; i++) requireFinite(name, `${what}[${i}]`, values[i]);
  return values;
}
