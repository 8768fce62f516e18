/**
 * Where everything of one context stands, as plain data without its world: to copy, keep, or send to where the world is already
 * (structured clone; `packScene` sends the world itself).
 *
 * A state is of one world at one version, and is taken by any context of it at that version, in this thread or in a copy of the world
 * that was unpacked elsewhere; every query then answers with the bits that it had where the state was saved. Every edit of what
 * contexts share raises the version. Cost: a copy of the numbers. Tested by test/contract/context-state.test.ts.
 */
import {
  requireList,
  requireNotNegative,
  requireObject,
  requireText,
  requireTexts,
  throwMisuse,
} from '../../math/arguments.js';
import { describeValue } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import { createTransform } from '../../math/transform.js';
import { UNIT_TOLERANCE } from '../../math/unit-quaternion.js';
import type { Context } from '../context.js';
import { requireContext } from '../context.js';
import type { Assumption } from '../description.js';
import { setConfiguration } from '../robot.js';
import { readPlacement, requireFrame, requireNumbers, requireOpen } from '../scene-door.js';
import type { Attachment, Scene, SceneObject } from '../types.js';
import { updateScene } from '../update.js';

export interface RobotPlace {
  readonly name: string;
  readonly q: Float64Array;
  /** X_WR */
  readonly placement: Float64Array;
}

/** An object in the hand of a robot. */
export interface HeldObject {
  readonly robot: string;
  readonly link: string;
  /** X_LO */
  readonly placement: Float64Array;
  readonly touchLinks: readonly string[];
  /** Kilograms; null where it was not given. */
  readonly mass: number | null;
}

export interface ObjectPlace {
  readonly name: string;
  /** X_WO */
  readonly placement: Float64Array;
  /** Null while it is free. */
  readonly held: HeldObject | null;
  readonly assumed: readonly Assumption[];
}

/** What `saveContext` says of a context. Nothing in it belongs to the scene. */
export interface ContextState {
  /** Which world it is of, and how often that had been edited. */
  readonly world: number;
  readonly version: number;
  /** In the order of the scene. */
  readonly robots: readonly RobotPlace[];
  readonly objects: readonly ObjectPlace[];
}

/** The state of the context now. */
export function saveContext(scene: Scene): ContextState {
  requireOpen(scene, 'saveContext');
  updateScene(scene);
  const { id, revision } = scene.world;
  return {
    world: id,
    version: revision,
    robots: scene.robots.map(({ name, q, placement }) => ({
      name,
      q: Float64Array.from(q),
      placement: Float64Array.from(placement),
    })),
    objects: Array.from(scene.objects.values(), ({ name, body, attachment, assumed }) => ({
      name,
      placement: Float64Array.from(body.worldPlacement),
      held: attachment && describeHeld(attachment),
      assumed: assumed.map((one) => ({ ...one })),
    })),
  };
}

function describeHeld({ robot, link, placement, touchLinks, mass }: Attachment): HeldObject {
  return {
    robot: robot.name,
    link,
    placement: Float64Array.from(placement),
    touchLinks: [...touchLinks],
    mass: mass ?? null,
  };
}

/** Stands the context as the state says. Throws on a state of another world or version, and on what is none; then nothing moves. */
export function restoreContext(scene: Scene, state: ContextState): void {
  const context = requireContext(scene, 'restoreContext');
  requireState(context, state);
  const attachments = state.objects.map(({ name, held }) => held && findAttachment(context, name, held));
  state.robots.forEach(({ q, placement }, i) => {
    const robot = context.robots[i];
    setConfiguration(robot, q);
    context.placeRobot(robot, robot.q, placement);
  });
  updateScene(context);
  state.objects.forEach(({ name, placement, assumed }, i) => {
    const object = context.objects.get(name)!;
    const attachment = attachments[i];
    if (!isHeldAlike(object, attachment)) context.group(object, attachment);
    context.placeObject(object, placement);
    if (!areAlike(assumed, object.assumed)) context.note(object, assumed);
  });
}

/** Of this world as it is now. */
function requireState(context: Context, state: ContextState): void {
  const refuse = (what: string, expected: string): never => {
    throw new MisuseError(`restoreContext: state, got one of ${what}, expected ${expected}`);
  };
  requireObject('restoreContext', 'state', state, 'what saveContext returned');
  const { world, version, robots, objects } = state;
  requireNotNegative('restoreContext', 'state.world', world);
  requireNotNegative('restoreContext', 'state.version', version);
  requireList('restoreContext', 'state.robots', robots);
  requireList('restoreContext', 'state.objects', objects);
  if (world !== context.world.id) refuse('another world', "one of this scene's world");
  if (version !== context.world.revision)
    refuse(`version ${version} of the world`, `version ${context.world.revision}: the world was edited in between`);
  const own = [...context.objects.keys()];
  if (robots.length !== context.robots.length || objects.length !== own.length)
    refuse(`${robots.length} robots and ${objects.length} objects`, `${context.robots.length} and ${own.length}`);
  robots.forEach((place, i) => {
    const what = `state.robots[${i}]`;
    requireObject('restoreContext', what, place);
    const { name, model } = context.robots[i];
    if (place.name !== name) refuse(`the robot ${describeValue(place.name)}`, `"${name}" in its place`);
    requireNumbers('restoreContext', `${what}.q`, place.q, model.nq);
    requireUnits(`${what}.q`, context.robots[i].unitCoordinates, place.q);
    requirePlacement(`${what}.placement`, place.placement);
  });
  objects.forEach((place, i) => {
    const what = `state.objects[${i}]`;
    requireObject('restoreContext', what, place);
    if (place.name !== own[i]) refuse(`the object ${describeValue(place.name)}`, `"${own[i]}" in its place`);
    requirePlacement(`${what}.placement`, place.placement);
    requireAssumed(`${what}.assumed`, place.assumed);
    if (place.held !== null) requireHeld(`${what}.held`, place.held);
  });
}

function requireUnits(what: string, units: Int32Array, q: Float64Array): void {
  for (let u = 0; u < units.length; u += 2) {
    let sum = 0;
    for (let k = units[u]; k < units[u] + units[u + 1]; k++) sum += q[k] * q[k];
    if (!(Math.abs(Math.sqrt(sum) - 1) <= UNIT_TOLERANCE))
      throwMisuse('restoreContext', what, q, `values from ${units[u]} on of length 1`);
  }
}

const scratch = createTransform();

function requirePlacement(what: string, placement: Float64Array): void {
  requireNumbers('restoreContext', what, placement, 12);
  readPlacement(scratch, 'restoreContext', placement);
}

function requireAssumed(what: string, assumed: readonly Assumption[]): void {
  requireList('restoreContext', what, assumed);
  assumed.forEach((one, i) => {
    requireObject('restoreContext', `${what}[${i}]`, one);
    for (const key of ['kind', 'element', 'message'] as const)
      requireText('restoreContext', `${what}[${i}].${key}`, one[key]);
  });
}

function requireHeld(what: string, held: HeldObject): void {
  requireObject('restoreContext', what, held, 'null, or how the object is held');
  requireText('restoreContext', `${what}.robot`, held.robot);
  requireText('restoreContext', `${what}.link`, held.link);
  requirePlacement(`${what}.placement`, held.placement);
  requireTexts('restoreContext', `${what}.touchLinks`, held.touchLinks);
  if (held.mass !== null) requireNotNegative('restoreContext', `${what}.mass`, held.mass);
}

function findAttachment(context: Context, name: string, held: HeldObject): Attachment {
  const { link, mass } = held;
  const robot = context.robots.find((candidate) => candidate.name === held.robot);
  if (!robot)
    throw new MisuseError(`restoreContext: robot that holds "${name}", got "${held.robot}", expected one of the scene`);
  return {
    robot,
    frame: requireFrame('restoreContext', robot.model, link),
    link,
    placement: Float64Array.from(held.placement),
    touchLinks: new Set(held.touchLinks),
    ...(mass === null ? {} : { mass }),
  };
}

function isHeldAlike({ attachment: own }: SceneObject, other: Attachment | null): boolean {
  if (own === null || other === null) return own === other;
  return (
    own.robot === other.robot &&
    own.frame === other.frame &&
    own.link === other.link &&
    own.mass === other.mass &&
    own.placement.every((value, i) => Object.is(value, other.placement[i])) &&
    own.touchLinks.size === other.touchLinks.size &&
    [...own.touchLinks].every((link) => other.touchLinks.has(link))
  );
}

function areAlike(a: readonly Assumption[], b: readonly Assumption[]): boolean {
  const same = (x: Assumption, y: Assumption): boolean =>
    x.kind === y.kind && x.element === y.element && x.message === y.message;
  return a.length === b.length && a.every((one, i) => same(one, b[i]));
}
