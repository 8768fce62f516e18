/**
 * A simulated world: what does not change while it is stepped. `createSimulation` makes states of it, any number of them.
 *
 * Statics, bodies and robots are put in order of their names, so that nothing depends on the order in which they were given.
 * A carrier is what shapes hang on: a static, a free body, or a link of a robot. Frames: C centre of mass and principal axes of a
 * free body, J frame of a robot's joint, G of a geometry (one shape of a carrier).
 * Velocities of all form one vector: 6 per body (linear of the centre of mass, angular; world axes), then nv per robot.
 */
import { LONGEST } from '../geometry/shape-range.js';
import {
  requireFinite,
  requireList,
  requireNotNegative,
  requireNumberThat,
  requireObject,
  requireOneOf,
  requirePositiveNumber,
  requireText,
  throwMisuse,
} from '../math/arguments.js';
import { requireKnownKeys } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import {
  createTransform,
  invertTransform,
  multiplyTransform,
  poseToTransform,
  type Transform,
} from '../math/transform.js';
import { describeQuaternion } from '../math/unit-quaternion.js';
import { createNeutralConfiguration } from '../model/configuration.js';
import type { Model } from '../model/model.js';
import { type Collider, createCollider } from '../narrowphase/collider.js';
import { findPrincipalInertia, type PrincipalInertia } from './body-inertia.js';
import type { JoinOptions, Material, PlacedShape, RobotOptions, StepOptions, WorldOptions } from './definition.js';
import { combineMaterials, MOST_FRICTION, type PairMaterial, readMaterial, requireMaterialNumber } from './material.js';
import { createServos } from './servos.js';
import { type ResolvedStep, resolveStep } from './step-options.js';

export const STATIC = 0;
export const BODY = 1;
export const LINK = 2;

export interface Carrier {
  readonly name: string;
  readonly kind: typeof STATIC | typeof BODY | typeof LINK;
  /** Of the static, body or robot. */
  readonly index: number;
  /** Of a link: the joint that moves it. */
  readonly joint: number;
  /** X of the link's frame on the joint's, or of the body's frame B in C; what poses given by name refer to. */
  readonly frame: Transform;
}

export interface Geometry {
  readonly carrier: number;
  readonly collider: Collider;
  /** X_CG, X_JG, or X_WG of a static. */
  readonly placement: Transform;
  readonly material: Required<Material>;
  /** Middle and half sizes of its box in its frame; a negative radius where it is no ball. */
  readonly extents: Float64Array;
  /** Of the ball about the carrier's moving frame (of a link: about the geometry's own) that holds it. */
  readonly radius: number;
  /** The smallest of its half sizes; Infinity of what has no thickness, or is open. */
  readonly thinnest: number;
}

export interface WorldBody extends PrincipalInertia {
  readonly name: string;
  /** X_CB. */
  readonly inverseFrame: Transform;
  /** X_WC and velocity at the start. */
  readonly start: Transform;
  readonly velocity: Float64Array;
  readonly carrier: number;
}

export interface WorldRobot {
  readonly name: string;
  readonly model: Model;
  readonly options: RobotOptions;
  /** Place in the vector of all velocities. */
  readonly firstV: number;
  readonly base: Transform;
}

export interface World {
  readonly bodies: readonly WorldBody[];
  readonly robots: readonly WorldRobot[];
  readonly carriers: readonly Carrier[];
  readonly geometries: readonly Geometry[];
  readonly joins: readonly JoinOptions[];
  readonly gravity: Float64Array;
  readonly step: ResolvedStep;
  readonly velocityCount: number;
  /** By carrier name: carriers of robots are `robot/link`. */
  readonly carrierIndex: ReadonlyMap<string, number>;
  /** Whether two carriers can touch, by a * carriers + b. */
  readonly canTouch: Uint8Array;
  materialOf(a: number, b: number): PairMaterial;
  dispose(): void;
}

const KEYS = [
  'gravity statics bodies robots joins pairs step substeps contact solver cone integrator iterations tolerance margin slop',
  'correction slipSpeed relaxed sleepSpeed',
].flatMap((keys) => keys.split(' '));
const BODY_KEYS = ['name', 'shapes', 'pose', 'velocity', 'inertia', 'mass', 'density'];
const ROBOT_KEYS = 'name model shapes pose q v servos allowed damping friction armature limits compensateGravity'.split(
  ' ',
);

const JOIN_KEYS = ['type', 'a', 'b', 'poseA', 'poseB'];
const SPRING_KEYS = [...JOIN_KEYS, 'stiffness', 'damping', 'length'];

/** Throws on names given twice, shapes that are none, bodies without mass. */
export function createWorld(options: WorldOptions): World {
  requireKnownKeys('createWorld', 'options', options, KEYS);
  const { gravity = [0, 0, -9.81], statics = [], bodies = [], robots = [], joins = [], pairs = [] } = options;
  for (const [name, list] of Object.entries({ statics, bodies, robots, joins, pairs }))
    requireList('createWorld', name, list);
  for (let k = 0; k < 3; k++) requireFinite('createWorld', `gravity[${k}]`, gravity[k]);
  const names = new Set<string>();
  const carriers: Carrier[] = [];
  const geometries: Geometry[] = [];
  const made: Collider[] = [];
  const add = (carrier: Carrier, shapes: readonly PlacedShape[], own: Transform): number => {
    if (names.has(carrier.name))
      throw new MisuseError(`createWorld: name, got "${carrier.name}" twice, expected it once`);
    names.add(carrier.name);
    const at = carriers.push(carrier) - 1;
    for (const { shape, pose, material } of shapes) {
      const collider = createCollider(shape);
      made.push(collider);
      const placement = multiplyTransform(
        createTransform(),
        own,
        readPose('createWorld', `pose of a shape of ${carrier.name}`, pose),
      );
      geometries.push({
        carrier: at,
        collider,
        placement,
        material: readMaterial(carrier.name, material),
        extents: measureExtents(collider),
        thinnest: measureThinnest(measureExtents(collider)),
        radius: measureRadius(collider, carrier.kind === LINK ? null : placement),
      });
    }
    return at;
  };
  try {
    for (const { name, shapes, pose } of byName('statics', statics, ['name', 'shapes', 'pose'])) {
      const X = readPose('createWorld', `pose of static "${name}"`, pose);
      add({ name, kind: STATIC, index: 0, joint: 0, frame: X }, shapes, X);
    }
    const worldBodies = byName('bodies', bodies, BODY_KEYS).map((body, i) => {
      const inertia = findPrincipalInertia(body);
      const inverseFrame = invertTransform(createTransform(), inertia.frame);
      const X = readPose('createWorld', `pose of body "${body.name}"`, body.pose);
      const start = multiplyTransform(createTransform(), X, inertia.frame);
      const { velocity = [0, 0, 0, 0, 0, 0], name } = body;
      for (let k = 0; k < 6; k++)
        requireNumberThat('createWorld', `velocity of body "${name}"`, velocity[k], isInRange, IN_RANGE);
      const V = Float64Array.from(velocity);
      // Given at the body's origin, kept at its centre of mass.
      const [x, y, z] = [0, 1, 2].map((k) => start[9 + k] - X[9 + k]);
      V[0] += V[4] * z - V[5] * y;
      V[1] += V[5] * x - V[3] * z;
      V[2] += V[3] * y - V[4] * x;
      const carrier = add({ name, kind: BODY, index: i, joint: 0, frame: inverseFrame }, body.shapes, inverseFrame);
      return { ...inertia, name, inverseFrame, start, velocity: V, carrier };
    });
    let firstV = 6 * worldBodies.length;
    const worldRobots = byName('robots', robots, ROBOT_KEYS).map((robot, r) => {
      const entry = addRobot(robot, r, firstV, add);
      firstV += robot.model.nv;
      return entry;
    });
    const carrierIndex = new Map(carriers.map(({ name }, i) => [name, i]));
    const { canTouch, materialOf } = readPairs(options, carriers, geometries, worldRobots, carrierIndex);
    requireJoins(joins, carrierIndex);
    return Object.freeze({
      bodies: worldBodies,
      robots: worldRobots,
      carriers,
      geometries,
      joins,
      gravity: Float64Array.from(gravity),
      step: resolveStep(options as StepOptions),
      velocityCount: firstV,
      carrierIndex,
      canTouch,
      materialOf,
      dispose: () => {
        for (const collider of made) collider.dispose();
      },
    });
  } catch (error) {
    for (const collider of made) collider.dispose();
    throw error;
  }
}

export function requireCarrier(call: string, what: string, index: ReadonlyMap<string, number>, name: string): number {
  const found = index.get(name);
  if (found === undefined)
    throw new MisuseError(`${call}: ${what}, got ${JSON.stringify(name)}, expected a static, a body or robot/link`);
  return found;
}

function byName<T extends { readonly name: string }>(what: string, list: readonly T[], keys: readonly string[]): T[] {
  for (const [i, entry] of list.entries()) {
    requireKnownKeys('createWorld', `${what}[${i}]`, entry, keys);
    requireText('createWorld', `${what}[${i}].name`, entry.name);
    requireList('createWorld', `${what}[${i}].shapes`, (entry as unknown as { shapes: unknown }).shapes);
  }
  return [...list].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

type Add = (carrier: Carrier, shapes: readonly PlacedShape[], own: Transform) => number;

function addRobot(options: RobotOptions, index: number, firstV: number, add: Add): WorldRobot {
  const { name, model, shapes, pose } = options;
  requireObject('createWorld', `model of robot "${name}"`, model, 'what buildModel returned');
  const base = multiplyTransform(
    createTransform(),
    readPose('createWorld', `pose of robot "${name}"`, pose),
    model.basePlacement,
  );
  createServos(model, options, createNeutralConfiguration(model));
  for (const { link } of shapes)
    if (!model.linkIndex.has(link))
      throw new MisuseError(`createWorld: link of robot "${name}", got "${link}", expected one of its links`);
  for (const [i, link] of model.linkNames.entries()) {
    const f = 12 * model.linkFrames[i];
    const frame = model.framePlacements.slice(f, f + 12);
    const carrier: Carrier = { name: `${name}/${link}`, kind: LINK, index, joint: model.linkJoints[i], frame };
    add(
      carrier,
      shapes.filter((shape) => shape.link === link),
      frame,
    );
  }
  return { name, model, options, firstV, base };
}

/** Which carriers can touch, and what they are like where they do. */
function readPairs(
  { pairs = [] }: WorldOptions,
  carriers: readonly Carrier[],
  geometries: readonly Geometry[],
  robots: readonly WorldRobot[],
  index: ReadonlyMap<string, number>,
): Pick<World, 'canTouch' | 'materialOf'> {
  const n = carriers.length;
  const canTouch = new Uint8Array(n * n);
  const isFixed = ({ kind, joint, index: i }: Carrier): boolean =>
    kind === STATIC || (kind === LINK && joint === 0 && robots[i] !== undefined);
  for (let a = 0; a < n; a++)
    for (let b = 0; b < n; b++) {
      const p = carriers[a];
      const q = carriers[b];
      let can = a !== b && !(isFixed(p) && isFixed(q));
      if (can && p.kind === LINK && q.kind === LINK && p.index === q.index) {
        const { parents } = robots[p.index].model;
        can = p.joint !== q.joint && parents[p.joint] !== q.joint && parents[q.joint] !== p.joint;
      }
      canTouch[a * n + b] = can ? 1 : 0;
    }
  const forbid = (a: number, b: number): void => {
    canTouch[a * n + b] = 0;
    canTouch[b * n + a] = 0;
  };
  for (const { name, options } of robots)
    for (const [a, b] of options.allowed ?? [])
      forbid(
        requireCarrier('createWorld', `allowed of robot "${name}"`, index, `${name}/${a}`),
        requireCarrier('createWorld', `allowed of robot "${name}"`, index, `${name}/${b}`),
      );
  const special = new Map<number, { readonly friction?: number; readonly restitution?: number }>();
  for (const [i, pair] of pairs.entries()) {
    requireKnownKeys('createWorld', `pairs[${i}]`, pair, ['a', 'b', 'friction', 'restitution', 'allowed']);
    const a = requireCarrier('createWorld', `pairs[${i}].a`, index, pair.a);
    const b = requireCarrier('createWorld', `pairs[${i}].b`, index, pair.b);
    for (const name of ['friction', 'restitution'] as const)
      if (pair[name] !== undefined) requireMaterialNumber(name, `pairs[${i}]`, pair[name]);
    if (pair.allowed) forbid(a, b);
    special.set(Math.min(a, b) * n + Math.max(a, b), pair);
  }
  const known = new Map<number, PairMaterial>();
  const materialOf = (a: number, b: number): PairMaterial => {
    const key = a * geometries.length + b;
    let found = known.get(key);
    if (!found) {
      const [p, q] = [geometries[a].carrier, geometries[b].carrier];
      const own = special.get(Math.min(p, q) * n + Math.max(p, q));
      const whole = combineMaterials(geometries[a].material, geometries[b].material);
      found = {
        ...whole,
        ...(own?.friction !== undefined && { friction: Math.min(MOST_FRICTION, own.friction) }),
        ...(own?.restitution !== undefined && { restitution: own.restitution }),
      };
      known.set(key, found);
    }
    return found;
  };
  return { canTouch, materialOf };
}

/** Throws on joins that name no carrier, the same one twice, or numbers that are none. */
function requireJoins(joins: readonly JoinOptions[], index: ReadonlyMap<string, number>): void {
  const call = 'createWorld';
  for (const [i, join] of joins.entries()) {
    const what = `joins[${i}]`;
    requireOneOf(call, `${what}.type`, join?.type, ['point', 'weld', 'spring']);
    requireKnownKeys(call, what, join, join.type === 'spring' ? SPRING_KEYS : JOIN_KEYS);
    const { a, b, poseA, poseB } = join;
    for (const name of b === undefined ? [a] : [a, b]) requireCarrier(call, what, index, name);
    if (a === b) throwMisuse(call, what, a, 'two different bodies or links');
    readPose(call, `${what}.poseA`, poseA);
    readPose(call, `${what}.poseB`, poseB);
    if (join.type !== 'spring') continue;
    requirePositiveNumber(call, `${what}.stiffness`, join.stiffness);
    if (join.damping !== undefined) requireNotNegative(call, `${what}.damping`, join.damping);
    if (join.length !== undefined) requireNotNegative(call, `${what}.length`, join.length);
  }
}

export function readPose(call: string, what: string, pose: ArrayLike<number> | undefined): Transform {
  const X = createTransform();
  if (pose === undefined) return X;
  for (let k = 0; k < 7; k++) requireFinite(call, what, pose[k]);
  const problem = describeQuaternion(pose, 3);
  if (problem !== null) throw new MisuseError(`${call}: ${what}, ${problem}`);
  const [, , , x, y, z, w] = Array.from(pose);
  const norm = Math.sqrt(x * x + y * y + z * z + w * w);
  return poseToTransform(X, [pose[0], pose[1], pose[2], x / norm, y / norm, z / norm, w / norm]);
}

function measureExtents(collider: Collider): Float64Array {
  const b = collider.localBounds;
  const e = new Float64Array(7);
  for (let k = 0; k < 3; k++) {
    const isOpen = !(b[k] > -Infinity && b[k + 3] < Infinity);
    e[k] = isOpen ? 0 : 0.5 * (b[k] + b[k + 3]);
    e[3 + k] = isOpen ? Infinity : 0.5 * (b[k + 3] - b[k]);
  }
  e[6] = collider.shape.type === 'sphere' ? collider.shape.radius : -1;
  return e;
}

function measureThinnest(extents: Float64Array): number {
  const least = Math.min(extents[3], extents[4], extents[5]);
  return least > 0 ? least : Infinity;
}

function measureRadius({ localBounds: b }: Collider, placement: Transform | null): number {
  let squared = 0;
  for (let k = 0; k < 3; k++) squared += Math.max(b[k] * b[k], b[k + 3] * b[k + 3]);
  const [x, y, z] = placement ? placement.subarray(9) : [0, 0, 0];
  return Math.sqrt(squared) + Math.sqrt(x * x + y * y + z * z);
}

/** Speeds and places beyond have lost the digits that contacts are made of. */
const isInRange = (x: number): boolean => Math.abs(x) <= LONGEST;
const IN_RANGE = `a number within +-${LONGEST}`;

export function requireWorld(call: string, world: unknown): void {
  requireObject(call, 'world', world, 'what createWorld returned');
  requireOneOf(call, 'world', (world as World).canTouch instanceof Uint8Array, [true]);
}
