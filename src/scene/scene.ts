/**
 * Scenes: robots, objects and attached objects, checked against each other. `createScene` makes a world with one context, which
 * `createContext` copies: contexts share robots, objects, colliders, allowed pairs and margins, each with its own joint values,
 * placements and attachments.
 */

import type { Shape } from '../geometry/shapes.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { requireFinite, requireMap, requireObject } from '../math/arguments.js';
import { describeValue, requireKnownKeys } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { createTransform, type Pose, setIdentityTransform, type Transform } from '../math/transform.js';
import { createAllowedCollisions } from './allowed-collisions.js';
import { type AssumingIssue, assumptionsOfIssues, emptyParts } from './assumptions.js';
import { AT_BODY } from './bodies.js';
import { pairKey, requireName, requireObjectName, resolveName } from './body-names.js';
import { Context, requireContext } from './context.js';
import type { Assumption } from './description.js';
import { readPlacement, requireOpen, requireOwnObject, requireRobot, requireScene } from './scene-door.js';
import type { Scene, SceneObject, SceneRobot } from './types.js';
import { createBodyDefinition, type PreparedMesh, releaseParts, type World } from './world.js';

export interface SceneOptions {
  /** Added to every pair: closer than this counts as a contact. Metres, default 0. */
  readonly margin?: number;
  /** Trees and reports of meshes that were made elsewhere, as `createCollider` takes them. The scene does not dispose the trees. */
  readonly prepared?: ReadonlyMap<TriangleMesh, PreparedMesh>;
}

let nextWorldId = 1;

export function createScene(options: SceneOptions = {}): Scene {
  requireKnownKeys('createScene', 'options', options, ['margin', 'prepared']);
  const margin = options.margin === undefined ? 0 : options.margin;
  requireFinite('createScene', 'margin', margin);
  const { prepared = new Map() } = options;
  requireMap('createScene', 'options.prepared', prepared);
  const world: World = {
    id: nextWorldId++,
    margin,
    robots: [],
    robotNames: new Set(),
    slashed: false,
    nextNumbers: new Map(),
    objects: [],
    allowed: createAllowedCollisions([], {
      onChange: () => world.onChange(),
      resolve: (name) => resolveName(context, name),
    }),
    pairMargins: new Map(),
    assumed: [],
    revision: 0,
    removals: 0,
    contexts: 1,
    nextBodyId: 0,
    onChange: () => {
      world.revision++;
    },
    colliders: new Map(),
    prepared,
    disposed: false,
  };
  const context = new Context(world);
  return context;
}

/**
 * Another context of the scene's world, standing as this one does now. Robots and objects are its own (see `robotIn`, `objectIn`),
 * so that what moves in one moves in no other; what is added, removed, allowed or given a margin through any of them is so in all.
 * Dispose it as a scene: the colliders go with the last context.
 */
export function createContext(scene: Scene): Scene {
  requireOpen(scene, 'createContext');
  const context = new Context(scene.world);
  scene.world.contexts++;
  for (const [i, { q, placement }] of scene.robots.entries()) context.placeRobot(context.robots[i], q, placement);
  for (const [name, { attachment, body, assumed }] of scene.objects) {
    const own = context.objects.get(name)!;
    if (attachment) {
      const robot = context.robots[scene.robots.indexOf(attachment.robot)];
      context.group(own, { ...attachment, robot });
    }
    context.placeObject(own, body.worldPlacement);
    if (assumed !== own.assumed) context.note(own, assumed);
  }
  return context;
}

/** The robot as it is in another context of its world. */
export function robotIn(scene: Scene, robot: SceneRobot): SceneRobot {
  requireOpen(scene, 'robotIn');
  requireRobot('robotIn', robot);
  const own = scene.robots.find(({ definition }) => definition === robot.definition);
  if (!own)
    throw new MisuseError(`robotIn: robot, got ${describeValue(robot.name)}, expected one of the scene's world`);
  return own;
}

/** The object as it is in another context of its world. */
export function objectIn(scene: Scene, object: SceneObject): SceneObject {
  requireOpen(scene, 'objectIn');
  requireObject('objectIn', 'object', object, 'what addObject returned');
  const own = scene.objects.get(object.name);
  if (!own || own.definition !== object.definition)
    throw new MisuseError(`objectIn: object, got ${describeValue(object.name)}, expected one of the scene's world`);
  return own;
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

/** Of the object that is being added. */
const placed = createTransform();
const OBJECT_KEYS = ['name', 'shape', 'pose', 'placement', 'margin', 'issues'];

export function addObject(scene: Scene, options: ObjectOptions): SceneObject {
  const context = requireContext(scene, 'addObject');
  requireKnownKeys('addObject', 'options', options, OBJECT_KEYS);
  const { world } = context;
  const { shape, issues = [] } = options;
  const name = requireObjectName(scene, 'addObject', options.name);
  const margin = options.margin === undefined ? 0 : options.margin;
  requireFinite('addObject', 'margin', margin);
  if (options.pose !== undefined && options.placement !== undefined)
    throw new MisuseError(`addObject: placement of "${name}", got a pose beside it, expected one of them`);
  setIdentityTransform(placed);
  const given = options.pose ?? options.placement;
  const altered = given !== undefined && readPlacement(placed, 'addObject', given);
  const X = placed;
  const placement = [X[0], X[1], X[2], X[3], X[4], X[5], X[6], X[7], X[8], X[9], X[10], X[11]];
  const body = createBodyDefinition(world, name, margin, [[shape, AT_BODY]]);
  const element = `object "${name}"`;
  const assumed = [...assumptionsOfIssues(issues), ...emptyParts(element, shape)];
  if (altered) assumed.push(normalised(name));
  world.objects.push({ name, shape, body, bodyId: world.nextBodyId++, assumed, placement });
  world.revision++;
  return context.objects.get(name)!;
}

const NORMALISED = 'the quaternion of its pose was not of length 1 and is scaled to it';

function normalised(name: string): Assumption {
  return { kind: 'altered', element: `object "${name}"`, message: NORMALISED };
}

/** Keeps note of whether the pose that an object stands at is the one that was given. */
function noteAltered(context: Context, object: SceneObject, altered: boolean): void {
  const known = object.assumed.some(({ message }) => message === NORMALISED);
  if (known === altered) return;
  const others = object.assumed.filter(({ message }) => message !== NORMALISED);
  context.note(object, altered ? [...others, normalised(object.name)] : others);
}

/** From all contexts. */
export function removeObject(scene: Scene, object: SceneObject): void {
  const context = requireContext(scene, 'removeObject');
  requireOwnObject(scene, 'removeObject', object);
  context.removeObject(object);
  releaseParts(context.world, object.body.parts);
}

/** Sets X_WO of a free object, in this context; queries see it at once. */
export function moveObject(scene: Scene, object: SceneObject, placement: Transform | Pose): void {
  const context = requireContext(scene, 'moveObject');
  requireOwnObject(scene, 'moveObject', object);
  if (object.attachment)
    throw new MisuseError(
      `moveObject: object "${object.name}" is attached to "${object.attachment.link}", detach it first`,
    );
  noteAltered(context, object, readPlacement(object.body.worldPlacement, 'moveObject', placement));
  context.placeObject(object, object.body.worldPlacement);
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
  scene.world.pairMargins.set(pairKey(resolveName(scene, a), resolveName(scene, b)), margin);
  scene.world.revision++;
}

export function setSceneMargin(scene: Scene, margin: number): void {
  requireOpen(scene, 'setSceneMargin');
  requireFinite('setSceneMargin', 'margin', margin);
  scene.world.margin = margin;
  scene.world.revision++;
}

/**
 * Ends the context, and with the last one of its world the colliders, whose kernel memory is freed. The scene is unusable
 * afterwards; a second call does nothing.
 */
export function disposeScene(scene: Scene): void {
  requireScene(scene, 'disposeScene');
  if (scene.disposed) return;
  const { world } = requireContext(scene, 'disposeScene');
  (scene as Context).close();
  if (--world.contexts > 0) return;
  world.disposed = true;
  for (const { collider } of world.colliders.values()) collider.dispose();
  world.colliders.clear();
}
