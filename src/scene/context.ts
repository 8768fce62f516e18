/**
 * Contexts: where everything of a world stands. Two kinds, which queries do not tell apart.
 *
 * A `Context` has every robot and object at a place of its own. It takes in what was added to the world, and lets go what was
 * removed, when it is next looked at. A `Variation` shows another context as it is but for one robot (and what that robot
 * holds), which it has at joint values of its own: what planners, casts and checkers move instead of the caller's robot.
 *
 * Cost: a Panda takes about 13 kB per context that looked at it, a variation one robot and a list. Tested by test/contract/contexts.test.ts.
 */
import type { BroadPhase } from '../broadphase/broad-phase.js';
import { createDynamicTree } from '../broadphase/dynamic-tree.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { copyTransform, type Transform } from '../math/transform.js';
import { neutralConfiguration } from '../model/configuration.js';
import { countDataNumbers, createDataIn, type Data, type Model, setBasePlacement } from '../model/model.js';
import type { AllowedCollisions } from './allowed-collisions.js';
import { countPlaces, placeParts, updateBody } from './bodies.js';
import type { Assumption } from './description.js';
import { requireOpen } from './scene-door.js';
import type { Attachment, RobotLink, Scene, SceneBody, SceneObject, SceneRobot } from './types.js';
import { updateRobot } from './update.js';
import type { BodyDefinition, LinkDefinition, ObjectDefinition, RobotDefinition, World } from './world.js';

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
type ObjectState = Writable<SceneObject>;

const NOTHING_HELD: ReadonlySet<SceneObject> = new Set();

/** Numbers of a robot's state that are its bodies', by their definitions, which robots that are alike share. */
const placeCounts = new WeakMap<readonly LinkDefinition[], number>();

function countLinkPlaces(links: readonly LinkDefinition[]): number {
  let count = placeCounts.get(links);
  if (count === undefined) {
    count = 0;
    for (const { body } of links) count += countPlaces(body.parts);
    placeCounts.set(links, count);
  }
  return count;
}

const neutrals = new WeakMap<Model, Float64Array>();

function neutralOf(model: Model): Float64Array {
  let q = neutrals.get(model);
  if (!q) {
    q = neutralConfiguration(new Float64Array(model.nq), model);
    neutrals.set(model, q);
  }
  return q;
}

/**
 * A robot in a context: at first in its neutral configuration, where it was placed when it came into the world. All its numbers stand
 * in one block, an array of its own costs more than what is in it; its bodies are made when something asks for them.
 */
class RobotState implements SceneRobot {
  readonly name: string;
  readonly model: Model;
  readonly data: Data;
  readonly description: SceneRobot['description'];
  readonly semantic: SceneRobot['semantic'];
  readonly allowed: AllowedCollisions;
  attached: ReadonlySet<SceneObject> = NOTHING_HELD;
  readonly placement: Transform;
  readonly q: Float64Array;
  readonly missing: SceneRobot['missing'];
  readonly assumed: readonly Assumption[];
  readonly selfCheck: SceneRobot['selfCheck'];
  readonly unitCoordinates: Int32Array;
  readonly block: Float64Array;
  readonly firstPlace: number;
  stale = true;
  readonly owned: { dispose(): void }[] = [];
  private made: readonly RobotLink[] | null = null;

  constructor(readonly definition: RobotDefinition) {
    const { model, links } = definition;
    const { nq } = model;
    this.name = definition.name;
    this.model = model;
    this.description = definition.description;
    this.semantic = definition.semantic;
    this.allowed = definition.allowed;
    this.missing = definition.missing;
    this.assumed = definition.assumed;
    this.selfCheck = definition.selfCheck;
    this.unitCoordinates = definition.unitCoordinates;
    const start = 12 + nq;
    const block = new Float64Array(start + countDataNumbers(model) + countLinkPlaces(links));
    this.block = block;
    this.firstPlace = start + countDataNumbers(model);
    this.placement = new Float64Array(block.buffer, 0, 12);
    this.placement.set(definition.placement);
    this.q = new Float64Array(block.buffer, 8 * 12, nq);
    this.q.set(neutralOf(model));
    this.data = createDataIn(block, start, model);
    setBasePlacement(this.data, this.placement);
  }

  get links(): readonly RobotLink[] {
    if (this.made === null) this.made = this.createLinks();
    return this.made;
  }

  private createLinks(): RobotLink[] {
    const { definition, block } = this;
    const links: RobotLink[] = new Array(definition.links.length);
    let at = this.firstPlace;
    for (let i = 0; i < links.length; i++) {
      const { name, frame, body: shape } = definition.links[i];
      const body = createBodyState(shape, definition.firstBodyId + i, this, block, at);
      // No placement yet: the first one is a change.
      body.worldPlacement.fill(Number.NaN);
      links[i] = { name, frame, body };
      at += countPlaces(shape.parts);
    }
    return links;
  }
}

export function createRobotState(definition: RobotDefinition): SceneRobot {
  return new RobotState(definition);
}

function createBodyState(
  { name, margin, parts: shapes }: BodyDefinition,
  id: number,
  robot: SceneRobot | null,
  block?: Float64Array,
  at?: number,
): SceneBody {
  const { worldPlacement, box, parts } = placeParts(shapes, block, at);
  return { id, name, margin, robot, object: null, version: 0, worldPlacement, box, parts };
}

function hold(robot: SceneRobot, object: SceneObject): void {
  if (robot.attached === NOTHING_HELD) (robot as Writable<SceneRobot>).attached = new Set();
  (robot.attached as Set<SceneObject>).add(object);
}

function release(robot: SceneRobot | undefined, object: SceneObject): void {
  (robot?.attached as Set<SceneObject> | undefined)?.delete(object);
}

/** `block`: numbers to stand in from `at` on, of the object's own otherwise. */
export function createObjectState(definition: ObjectDefinition, block?: Float64Array, at?: number): SceneObject {
  const { name, shape, assumed } = definition;
  const body = createBodyState(definition.body, definition.bodyId, null, block, at);
  const object: SceneObject = { name, shape, body, attachment: null, assumed, definition, proxy: -1 };
  (body as Writable<SceneBody>).object = object;
  copyTransform(body.worldPlacement, definition.placement);
  updateBody(body);
  return object;
}

const MOST_IN_BLOCK = 64;

/** Of contexts without free objects. */
const NO_OBJECTS: BroadPhase = createDynamicTree();

export class Context implements Scene {
  objectTree: BroadPhase = NO_OBJECTS;
  readonly bodyOfProxy: (SceneBody | undefined)[] = [];
  notes = 0;
  objectMoves = 0;
  private readonly robotList: SceneRobot[] = [];
  private readonly objectMap = new Map<string, SceneObject>();
  private knownRevision = -1;
  private knownRemovals = 0;
  private knownObjects = 0;
  /** Where the next objects stand: of many objects, a block holds several, since blocks outside the heap are dear. */
  private places = new Float64Array(0);
  private placesAt = 0;
  /** Attachments and detachments. */
  private regroupings = 0;
  private isDisposed = false;

  constructor(readonly world: World) {}

  get margin(): number {
    return this.world.margin;
  }

  get allowed(): AllowedCollisions {
    return this.world.allowed;
  }

  get revision(): number {
    return this.world.revision + this.regroupings;
  }

  get disposed(): boolean {
    return this.isDisposed || this.world.disposed;
  }

  get robots(): readonly SceneRobot[] {
    if (this.knownRevision !== this.world.revision) this.follow();
    return this.robotList;
  }

  get objects(): ReadonlyMap<string, SceneObject> {
    if (this.knownRevision !== this.world.revision) this.follow();
    return this.objectMap;
  }

  close(): void {
    this.isDisposed = true;
    for (const robot of this.robotList) releaseOwned(robot);
  }

  /** Takes in what the world got, lets go what it lost. */
  private follow(): void {
    const { world, robotList } = this;
    this.knownRevision = world.revision;
    if (this.knownRemovals !== world.removals) this.letGo();
    for (let i = robotList.length; i < world.robots.length; i++) robotList.push(createRobotState(world.robots[i]));
    for (; this.knownObjects < world.objects.length; this.knownObjects++) {
      const definition = world.objects[this.knownObjects];
      const count = countPlaces(definition.body.parts);
      if (this.placesAt + count > this.places.length) {
        this.places = new Float64Array(count * Math.min(MOST_IN_BLOCK, 1 + (this.knownObjects >> 3)));
        this.placesAt = 0;
      }
      const object = createObjectState(definition, this.places, this.placesAt);
      this.placesAt += count;
      this.objectMap.set(object.name, object);
      this.insertProxy(object);
    }
  }

  private letGo(): void {
    const { world, robotList, objectMap } = this;
    this.knownRemovals = world.removals;
    const robots = new Set(world.robots);
    const objects = new Set(world.objects);
    for (const object of [...objectMap.values()]) {
      const { attachment, definition, name } = object;
      if (!objects.has(definition)) {
        release(attachment?.robot, object);
        this.removeProxy(object);
        objectMap.delete(name);
      } else if (attachment && !robots.has(attachment.robot.definition)) {
        updateRobot(attachment.robot);
        this.group(object, null);
      }
    }
    this.knownObjects = objectMap.size;
    for (let i = robotList.length - 1; i >= 0; i--)
      if (!robots.has(robotList[i].definition)) for (const robot of robotList.splice(i, 1)) releaseOwned(robot);
  }

  /** Out of the world, at once here; other contexts see it when they look. */
  removeObject(object: SceneObject): void {
    const { world, objectMap } = this;
    // All that came and went until now is known.
    const { name, attachment, definition } = object;
    world.objects.splice(world.objects.indexOf(definition), 1);
    world.removals++;
    world.revision++;
    release(attachment?.robot, object);
    this.removeProxy(object);
    objectMap.delete(name);
    this.knownObjects--;
    this.knownRemovals = world.removals;
    this.knownRevision = world.revision;
  }

  placeRobot(robot: SceneRobot, q: Float64Array, placement: Transform): void {
    robot.q.set(q);
    robot.placement.set(placement);
    setBasePlacement(robot.data, placement);
    robot.stale = true;
  }

  placeObject(object: SceneObject, placement: Transform): void {
    object.body.worldPlacement.set(placement);
    updateBody(object.body);
    this.objectMoves++;
    if (object.proxy >= 0) this.objectTree.update(object.proxy, object.body.box);
  }

  /** Attaches the object, or lets it stand free where it is. */
  group(object: SceneObject, attachment: Attachment | null): void {
    release(object.attachment?.robot, object);
    (object as ObjectState).attachment = attachment;
    if (attachment) {
      this.removeProxy(object);
      hold(attachment.robot, object);
    } else if (object.proxy < 0) this.insertProxy(object);
    this.regroupings++;
  }

  /** Sets what is said of the object beside its definition's. */
  note(object: SceneObject, assumed: readonly Assumption[]): void {
    (object as ObjectState).assumed = assumed;
    this.notes++;
  }

  private insertProxy(object: SceneObject): void {
    if (this.objectTree === NO_OBJECTS) this.objectTree = createDynamicTree();
    const proxy = this.objectTree.add(object.body.box);
    (object as ObjectState).proxy = proxy;
    this.bodyOfProxy[proxy] = object.body;
  }

  private removeProxy(object: SceneObject): void {
    if (object.proxy < 0) return;
    this.objectTree.remove(object.proxy);
    this.bodyOfProxy[object.proxy] = undefined;
    (object as ObjectState).proxy = -1;
  }
}

/** What edits need: a scene that was made by `createScene` or `createContext`. */
export function requireContext(scene: Scene, call: string): Context {
  requireOpen(scene, call);
  if (!(scene instanceof Context))
    throw new MisuseError(`${call}: scene, got one that only shows another, expected what createScene returned`);
  // Everything that came and went until now is in.
  void scene.robots;
  return scene;
}

function releaseOwned({ owned }: SceneRobot): void {
  for (const resource of owned.splice(0)) resource.dispose();
}

const variations = new WeakMap<SceneRobot, Variation>();

/** The scene with the robot free to be moved, at the place where it is; one for all who ask, since each sets joint values first. */
export function varyRobot(scene: Scene, robot: SceneRobot, call: string): Variation {
  if (scene instanceof Variation && scene.robot === robot) return scene;
  let variation = variations.get(robot);
  if (variation?.base !== scene) {
    if (!scene.robots.includes(robot))
      throw new MisuseError(
        `${call}: robot, got ${describeValue(robot?.name)}, which is not in this scene, expected one of it`,
      );
    const made = new Variation(scene, robot);
    variation = made;
    variations.set(robot, made);
    robot.owned.push({ dispose: () => releaseOwned(made.robot) });
  }
  variation.takePlacement();
  return variation;
}

/** Another context with one robot at joint values of its own. */
export class Variation implements Scene {
  readonly robot: SceneRobot;
  private robotList: readonly SceneRobot[] = [];
  private objectMap: ReadonlyMap<string, SceneObject> = new Map();
  private knownRevision = -1;

  constructor(
    readonly base: Scene,
    private readonly original: SceneRobot,
  ) {
    this.robot = createRobotState(original.definition);
    this.robot.q.set(original.q);
  }

  get world(): World {
    return this.base.world;
  }

  get margin(): number {
    return this.base.margin;
  }

  get allowed(): AllowedCollisions {
    return this.base.allowed;
  }

  get revision(): number {
    return this.base.revision;
  }

  get notes(): number {
    return this.base.notes;
  }

  get objectMoves(): number {
    return this.base.objectMoves;
  }

  get disposed(): boolean {
    return this.base.disposed;
  }

  get objectTree(): BroadPhase {
    return this.base.objectTree;
  }

  get bodyOfProxy(): readonly (SceneBody | undefined)[] {
    return this.base.bodyOfProxy;
  }

  get robots(): readonly SceneRobot[] {
    if (this.knownRevision !== this.base.revision) this.follow();
    return this.robotList;
  }

  get objects(): ReadonlyMap<string, SceneObject> {
    if (this.knownRevision !== this.base.revision) this.follow();
    return this.objectMap;
  }

  /** The robot's own place is the original's. */
  takePlacement(): void {
    const { placement } = this.original;
    const own: Transform = this.robot.placement;
    for (let i = 0; i < 12; i++) {
      if (own[i] === placement[i]) continue;
      own.set(placement);
      setBasePlacement(this.robot.data, own);
      this.robot.stale = true;
      return;
    }
  }

  private follow(): void {
    const { base, robot, original } = this;
    this.knownRevision = base.revision;
    this.robotList = base.robots.map((other) => (other === original ? robot : other));
    (robot.attached as Set<SceneObject>).clear();
    if (original.attached.size === 0) {
      this.objectMap = base.objects;
      return;
    }
    const objects = new Map(base.objects);
    // In the order of the scene, as everything that lists them.
    for (const [name, object] of base.objects) {
      const { attachment } = object;
      if (attachment?.robot !== original) continue;
      const own = createObjectState(object.definition);
      (own as ObjectState).attachment = { ...attachment, robot };
      (own as ObjectState).assumed = object.assumed;
      hold(robot, own);
      objects.set(name, own);
    }
    this.objectMap = objects;
    robot.stale = true;
    robot.data.lastConfiguration.fill(Number.NaN);
  }
}
