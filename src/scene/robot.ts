/**
 * Robots in a scene: a model, its joint values, and bodies for the links that have geometry.
 *
 * `setConfiguration` only notes the joint values; every query brings placements up to date first (update.ts).
 * Frames: W world, R robot root (X_WR = placement), L link.
 */

import type { MeshMode, Shape } from '../geometry/shapes.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import {
  type Fields,
  oneOf,
  requireFields,
  requireFinite,
  requireFlag,
  requireFloats,
  requireList,
  requireMap,
  requireText,
  unchecked,
} from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { copyTransformAt, createTransform, type Pose, type Transform } from '../math/transform.js';
import { UNIT_TOLERANCE } from '../math/unit-quaternion.js';
import { type Model, setBasePlacement } from '../model/model.js';
import type { SemanticDescription } from '../semantics/description.js';
import { requireSemantic } from '../semantics/require-semantic.js';
import { enterPairs, readAllowed, resolvePairs } from './allow-pairs.js';
import {
  type AllowedCollisions,
  type AllowedPair,
  type AllowedPairs,
  adjacentPairs,
  createAllowedCollisions,
  semanticPairs,
  shareAllowedCollisions,
} from './allowed-collisions.js';
import { type AssumingIssue, assumptionsOfIssues, emptyParts } from './assumptions.js';
import { pairKey, requireRobotName } from './body-names.js';
import { requireContext } from './context.js';
import type { Assumption, GeometryDescription, RobotDescription } from './description.js';
import { createShapeResolver } from './resolve-shape.js';
import { readPlacement, requireFrame, requireNumbers, requireRobot } from './scene-door.js';
import type { Scene, SceneRobot } from './types.js';
import { updateRobot } from './update.js';
import {
  acquireCollider,
  createBodyDefinition,
  type LinkDefinition,
  type RobotDefinition,
  releaseParts,
  type World,
} from './world.js';

export interface RobotOptions {
  /** Default: the description's name ("robot" where it has none), made unique. */
  readonly name?: string;
  readonly model: Model;
  readonly description: RobotDescription;
  readonly semantic?: SemanticDescription | null;
  /** Loaded meshes by file name as the description writes it. */
  readonly meshes?: ReadonlyMap<string, TriangleMesh>;
  /** `spheres` takes the SRDF's sphere approximations (or `spheres`). Default `collision`. */
  readonly geometry?: 'collision' | 'visual' | 'spheres';
  readonly spheres?: SemanticDescription['spheres'];
  readonly meshMode?: MeshMode;
  /** X_WR as a transform or a pose. */
  readonly placement?: Transform | Pose;
  readonly margin?: number;
  /**
   * Pairs that are skipped besides the SRDF's and adjacent links, or instead of them (`replace`). Names of its links, of objects
   * and other robots' links of the scene; one that means nothing is misuse. More come with `allowPairs`.
   */
  readonly allowed?: Iterable<AllowedPair> | AllowedPairs;
  /** Check adjacent links too. Default false. */
  readonly checkAdjacent?: boolean;
  /** How pairs of its own links are found; `auto` (default) by their number, see `describeSelfCheck`. Never changes an answer. */
  readonly selfCheck?: 'auto' | 'chain' | 'pairs';
  /** What its loaders found: issues that an answer depends on stand in every answer's `assumed`, and an error makes it incomplete. */
  readonly issues?: readonly AssumingIssue[];
  /** Of `loadRobot`'s value, so that it can be spread; not looked at. */
  readonly urdf?: string;
  readonly files?: ReadonlyMap<string, string>;
}

/** null: none. */
const requireSemantics = (call: string, what: string, value: unknown): void => {
  if (value === null || sound.has(value as object)) return;
  requireSemantic(call, value as SemanticDescription, what);
  sound.add(value as object);
};
const sound = new WeakSet<object>();
const ROBOT_FIELDS: Fields = {
  name: unchecked,
  model: unchecked,
  description: unchecked,
  semantic: requireSemantics,
  meshes: requireMap,
  geometry: oneOf('collision', 'visual', 'spheres'),
  spheres: requireMap,
  meshMode: oneOf('surface', 'solid'),
  placement: unchecked,
  margin: requireFinite,
  allowed: unchecked,
  checkAdjacent: requireFlag,
  selfCheck: oneOf('auto', 'chain', 'pairs'),
  issues: requireList,
  urdf: requireText,
  files: requireMap,
};

export function addRobot(scene: Scene, options: RobotOptions): SceneRobot {
  const context = requireContext(scene, 'addRobot');
  requireFields('addRobot', 'options', options, ROBOT_FIELDS);
  const { description, model } = options;
  if (!Array.isArray(description?.model?.links))
    throw new MisuseError(
      `addRobot: description, got ${describeValue(description)}, expected a robot's, e.g. of loadRobot`,
    );
  if (!(model?.framePlacements instanceof Float64Array))
    throw new MisuseError(
      `addRobot: model, got ${describeValue(model)}, expected what buildModel made of the description`,
    );
  const name = requireRobotName(
    scene,
    'addRobot',
    options.name === undefined ? uniqueName(context.world, description.name || 'robot') : options.name,
    description.model.links,
  );
  const margin = options.margin ?? 0;
  requireFinite('addRobot', 'margin', margin);
  const selfCheck = options.selfCheck ?? 'auto';
  requireWord('selfCheck', selfCheck, ['auto', 'chain', 'pairs']);
  requireWord('geometry', options.geometry ?? 'collision', ['collision', 'visual', 'spheres']);
  const { world } = context;
  const template = findTemplate(world, options);
  const { missing } = template;
  const assumed = listAssumed(name, options, template);
  const semantic = options.semantic ?? null;
  const given = readAllowed(options.allowed);
  const { onChange } = world;
  const allowed = given.replace
    ? createAllowedCollisions([], { onChange })
    : shareAllowedCollisions(template.allowed, { onChange });
  const placement = createTransform();
  const definition: RobotDefinition = {
    name,
    model,
    description,
    semantic,
    links: NO_LINKS,
    firstBodyId: world.nextBodyId,
    allowed,
    unitCoordinates: findUnitCoordinates(model),
    missing,
    assumed,
    selfCheck,
    placement,
  };
  const resolved = resolvePairs(scene, 'addRobot', given.pairs, definition);
  if (options.placement !== undefined) readPlacement(placement, 'placeRobot', options.placement);
  (definition as { links: readonly LinkDefinition[] }).links = takeLinks(world, template, options, margin);
  world.nextBodyId += definition.links.length;
  world.robots.push(definition);
  world.robotNames.add(name);
  world.slashed ||= name.includes('/');
  world.revision++;
  const robot = context.robots[context.robots.length - 1];
  enterPairs(scene, resolved);
  return robot;
}

function requireWord(what: string, got: string, words: readonly string[]): void {
  if (!words.includes(got))
    throw new MisuseError(
      `addRobot: ${what}, got ${describeValue(got)}, expected ${words.map((word) => `'${word}'`).join(', ')}`,
    );
}

/** From all contexts; objects that it holds in others stand free there. */
export function removeRobot(scene: Scene, robot: SceneRobot): void {
  const context = requireContext(scene, 'removeRobot');
  if (!scene.robots.includes(robot))
    throw new MisuseError(`removeRobot: robot, got ${describeValue(robot?.name)}, expected one that is in this scene`);
  if (robot.attached.size > 0)
    throw new MisuseError(
      `removeRobot: robot "${robot.name}" holds ${robot.attached.size} attached objects, detach them first`,
    );
  const { world } = context;
  world.robots.splice(world.robots.indexOf(robot.definition), 1);
  world.robotNames.delete(robot.name);
  world.nextNumbers.clear();
  world.removals++;
  world.revision++;
  for (const { body } of robot.definition.links) releaseParts(world, body.parts);
}

/** Sets X_WR. */
export function placeRobot(robot: SceneRobot, placement: Transform | Pose): void {
  requireRobot('placeRobot', robot);
  readPlacement(robot.placement, 'placeRobot', placement);
  setBasePlacement(robot.data, robot.placement);
  robot.stale = true;
}

/**
 * Sets the joint values (nq numbers, in the model's order). Throws on NaN, infinities, a wrong count, and on quaternions and
 * (cos, sin) pairs that are farther from length 1 than UNIT_TOLERANCE; nearer ones are scaled to it.
 */
export function setConfiguration(robot: SceneRobot, q: ArrayLike<number>): void {
  if (!(robot?.q instanceof Float64Array)) requireRobot('setConfiguration', robot);
  requireNumbers('setConfiguration', 'q', q, robot.model.nq);
  const own = robot.q;
  for (let i = 0; i < q.length; i++) {
    if (own[i] === q[i]) continue;
    own[i] = q[i];
    robot.stale = true;
  }
  const { unitCoordinates } = robot;
  for (let u = 0; u < unitCoordinates.length; u += 2) scaleToUnit(own, unitCoordinates[u], unitCoordinates[u + 1]);
}

/** Squares of lengths this near to 1 are as good as the numbers can be. */
const UNIT_SQUARE = 1e-14;

function scaleToUnit(q: Float64Array, at: number, count: number): void {
  let sum = 0;
  for (let k = at; k < at + count; k++) sum += q[k] * q[k];
  if (Math.abs(sum - 1) <= UNIT_SQUARE) return;
  const length = Math.sqrt(sum);
  if (!(Math.abs(length - 1) <= UNIT_TOLERANCE)) {
    const what = count === 4 ? 'quaternion' : '(cos, sin) pair';
    const values = Array.from(q.subarray(at, at + count));
    // Not to be used by the next query.
    neutralUnit(q, at, count);
    throw new MisuseError(
      `setConfiguration: q[${at}] and following, got the ${what} [${values}] of length ${length}, expected length 1 (within ${UNIT_TOLERANCE})`,
    );
  }
  for (let k = at; k < at + count; k++) q[k] /= length;
}

function neutralUnit(q: Float64Array, at: number, count: number): void {
  q.fill(0, at, at + count);
  q[count === 4 ? at + 3 : at] = 1;
}

/** Start and count of what must have length 1 in q, two numbers each. */
export function listUnitCoordinates(model: Model): Int32Array {
  const out: number[] = [];
  for (let j = 1; j < model.jointCount; j++) {
    const kind = model.jointKinds[j];
    if (kind && kind.unitCoordinates > 0 && model.nqs[j] > 0)
      out.push(model.idxQ[j] + kind.nq - kind.unitCoordinates, kind.unitCoordinates);
  }
  return Int32Array.from(out);
}

/** X_WF of any frame (link or joint name); brings the robot up to date first. */
export function robotFramePlacement<T extends Transform>(out: T, robot: SceneRobot, frame: string): T {
  requireRobot('robotFramePlacement', robot);
  requireFloats('robotFramePlacement', 'out', out, 12);
  requireText('robotFramePlacement', 'frame', frame);
  updateRobot(robot);
  copyTransformAt(out, 0, robot.data.framePlacements, 12 * requireFrame('robotFramePlacement', robot.model, frame));
  return out;
}

function uniqueName({ robotNames, nextNumbers }: World, wanted: string): string {
  if (!robotNames.has(wanted)) return wanted;
  let n = nextNumbers.get(wanted) ?? 2;
  while (robotNames.has(`${wanted}-${n}`)) n++;
  nextNumbers.set(wanted, n);
  return `${wanted}-${n}`;
}

const NO_LINKS: readonly LinkDefinition[] = [];

/** The links of a robot of the template, with their colliders acquired. Throws where a shape is not one; then nothing is kept. */
function takeLinks(
  world: World,
  { shapes, links }: RobotTemplate,
  { model, description }: RobotOptions,
  margin: number,
): readonly LinkDefinition[] {
  const known = links.find((made) => made.model === model && made.margin === margin);
  if (known?.list.every(({ body }) => body.parts.every(({ collider }) => !collider.isDisposed))) {
    for (const { body } of known.list) for (const { shape } of body.parts) acquireCollider(world, shape);
    return known.list;
  }
  const list: LinkDefinition[] = [];
  try {
    for (const { name } of description.model.links) {
      const parts = shapes.get(name);
      if (!parts) continue;
      const frame = requireFrame('addRobot', model, name);
      list.push({ name, frame, body: createBodyDefinition(world, name, margin, parts) });
    }
  } catch (error) {
    for (const { body } of list) releaseParts(world, body.parts);
    throw error;
  }
  if (known) links.splice(links.indexOf(known), 1);
  links.push({ model, margin, list });
  return list;
}

type Parts = (readonly [Shape, Transform])[];

/** What all robots of one description have in common, so that a thousand of them cost little more than their places. */
interface RobotTemplate extends CollectedShapes {
  readonly wanted: Wanted;
  readonly allowed: AllowedCollisions;
  readonly links: { readonly model: Model; readonly margin: number; readonly list: readonly LinkDefinition[] }[];
}

type Wanted = Pick<RobotOptions, (typeof WANTED)[number]>;

const WANTED = ['semantic', 'meshes', 'geometry', 'spheres', 'meshMode', 'checkAdjacent'] as const;

const templates = new WeakMap<World, WeakMap<RobotDescription, RobotTemplate[]>>();

function findTemplate(world: World, options: RobotOptions): RobotTemplate {
  const { description, semantic, meshes, geometry, spheres, meshMode, checkAdjacent } = options;
  const wanted = { semantic, meshes, geometry, spheres, meshMode, checkAdjacent };
  let known = templates.get(world);
  if (!known) {
    known = new WeakMap();
    templates.set(world, known);
  }
  let list = known.get(description);
  if (!list) {
    list = [];
    known.set(description, list);
  }
  const found = list.find((template) => WANTED.every((key) => template.wanted[key] === wanted[key]));
  if (found) return found;
  const collected = collectShapes(options);
  const allowed = createAllowedCollisions(defaultPairs(options, semantic ?? null, collected.shapes));
  const template: RobotTemplate = { ...collected, wanted, allowed, links: [] };
  list.push(template);
  return template;
}

const NOTHING: readonly Assumption[] = Object.freeze([]);

function listAssumed(name: string, options: RobotOptions, { assumed, shapes }: RobotTemplate): readonly Assumption[] {
  const own = [...assumptionsOfIssues(options.issues ?? []), ...nothingToCheck(name, options, shapes)];
  if (own.length > 0) return [...assumed, ...own];
  return assumed.length > 0 ? assumed : NOTHING;
}

const unitCoordinates = new WeakMap<Model, Int32Array>();

function findUnitCoordinates(model: Model): Int32Array {
  let found = unitCoordinates.get(model);
  if (!found) {
    found = listUnitCoordinates(model);
    unitCoordinates.set(model, found);
  }
  return found;
}

interface CollectedShapes {
  readonly shapes: Map<string, Parts>;
  readonly missing: GeometryDescription[];
  readonly assumed: Assumption[];
}

/** What of a robot's geometry is there, by link, each shape with its placement in the link. */
export function collectShapes(
  options: Pick<RobotOptions, 'description' | 'semantic' | 'meshes' | 'geometry' | 'spheres' | 'meshMode'>,
): CollectedShapes {
  const { description, geometry = 'collision' } = options;
  const shapes = new Map<string, Parts>();
  const missing: GeometryDescription[] = [];
  const assumed = [...(description.assumed ?? [])];
  const known = new Set(description.model.links.map(({ name }) => name));
  const add = (link: string, shape: Shape, placement: Transform): void => {
    const empty = emptyParts(`link "${link}"`, shape);
    if (!known.has(link)) empty.push(drop(`link "${link}"`, 'the robot has no such link: its geometry is left out'));
    assumed.push(...empty);
    if (empty.length > 0 && (shape.type === 'mesh' || !known.has(link))) return;
    const parts = shapes.get(link);
    if (parts) parts.push([shape, placement]);
    else shapes.set(link, [[shape, placement]]);
  };
  if (geometry === 'spheres') {
    const spheres = options.spheres ?? options.semantic?.spheres ?? new Map();
    for (const [link, list] of spheres) {
      for (const { center, radius } of list) {
        const placement = createTransform();
        placement.set(center, 9);
        add(link, { type: 'sphere', radius }, placement);
      }
    }
    const bare = new Set(description.collisions.map(({ link }) => link).filter((link) => !spheres.has(link)));
    for (const link of bare) assumed.push(drop(`link "${link}"`, 'it has collision geometry and no spheres'));
    return { shapes, missing, assumed };
  }
  const resolver = createShapeResolver(options.meshes ?? new Map(), options.meshMode);
  for (const item of geometry === 'visual' ? description.visuals : description.collisions) {
    const shape = resolver.resolve(item.shape);
    if (shape) {
      add(item.link, shape, item.origin);
      continue;
    }
    missing.push(item);
    const file = 'file' in item.shape ? `"${item.shape.file}"` : 'of its geometry';
    assumed.push(drop(`link "${item.link}"`, `the mesh ${file} is not loaded`));
  }
  return { shapes, missing, assumed };
}

/** A robot that cannot touch anything is free whatever it does: that has to be told. */
function nothingToCheck(
  name: string,
  { description, geometry = 'collision' }: RobotOptions,
  shapes: Map<string, Parts>,
): Assumption[] {
  const element = `robot "${name}"`;
  if (description.model.links.length === 0) return [drop(element, 'it has no links: there is nothing to check')];
  if (shapes.size > 0) return [];
  const message = `no link has ${geometry === 'spheres' ? 'spheres' : `${geometry} geometry`}: nothing of it can touch anything`;
  return [{ kind: 'guessed', element, message }];
}

function drop(element: string, message: string): Assumption {
  return { kind: 'dropped', element, message };
}

function defaultPairs(
  options: RobotOptions,
  semantic: SemanticDescription | null,
  shapes: Map<string, Parts>,
): AllowedPair[] {
  const pairs = semantic ? semanticPairs(semantic) : [];
  if (options.checkAdjacent) return pairs;
  // enable_collisions of an SRDF wins over adjacency.
  const enabled = new Set((semantic?.enabledPairs ?? []).map(({ a, b }) => pairKey(a, b)));
  const adjacent = adjacentPairs(options.description.model, (link) => shapes.has(link));
  return [...adjacent.filter(({ a, b }) => !enabled.has(pairKey(a, b))), ...pairs];
}
