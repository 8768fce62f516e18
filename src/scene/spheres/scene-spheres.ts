/**
 * A robot of a scene as compiled sphere checks: its links and what it holds as spheres, pairs by the scene's matrix, objects and other
 * robots as obstacles with their margins. Follows the scene's edits.
 *
 * Method: what only an edit of the world changes (links, pairs, margins, attachments) is compiled anew when the revision changes; where things
 * stand is written as data when something has moved. Pairs of the robot's bodies that do not move against each other are decided once,
 * exactly. Pairs whose spheres touch at most random configurations (neighbours that spheres are too coarse for) are left to an exact test at each
 * state. Everything that the checks leave out makes them say less, never more: free by spheres is free.
 * Frames: the compiled robot stands where its model's base stands; obstacles are moved there.
 * Cost: compiling some hundred milliseconds, once; data some microseconds per obstacle and link. Tested by sphere-checker.test.ts.
 */
import { compileSphereChecks } from '../../compile/sphere-checks/compile-sphere-checks.js';
import type { SphereObstacle } from '../../compile/sphere-checks/environment.js';
import { proveImpossiblePairs } from '../../compile/sphere-checks/impossible-pairs.js';
import type { ImpossiblePairs } from '../../compile/sphere-checks/impossible-proof.js';
import { GROUP_BYTES, RECORD_BYTES } from '../../compile/sphere-checks/obstacle-records.js';
import type { SphereChecks } from '../../compile/sphere-checks/sphere-checks.js';
import type { CarriedSpheres } from '../../compile/sphere-checks/sphere-robot.js';
import { createSphereChecks } from '../../compile/sphere-checks/tabulated-sphere-checks.js';
import { boundBlockBytes, isTreeShape } from '../../compile/sphere-checks/tree-blocks.js';
import type { Shape } from '../../geometry/shapes.js';
import type { LinkSpheres, SphereModel } from '../../geometry/sphere-model.js';
import { MisuseError } from '../../math/misuse.js';
import { createRandom } from '../../math/random.js';
import { invertTransform, multiplyTransform } from '../../math/transform.js';
import { randomConfiguration } from '../../model/configuration.js';
import type { BodyPart } from '../bodies.js';
import type { Variation } from '../context.js';
import { bodiesTouch } from '../queries/body-pairs.js';
import { visitCandidates } from '../queries/candidates.js';
import { listOwnPairs, type OwnPair } from '../queries/own-pairs.js';
import { listOtherBodies } from '../queries/pair-rules.js';
import { setConfiguration } from '../robot.js';
import type { SceneBody } from '../types.js';
import { updateRobot, updateScene } from '../update.js';
import { spheresOfBody } from './body-spheres.js';
import { readExtents } from './cover-body.js';
import { InnerChecks } from './inner-checks.js';

/** Random configurations by which pairs are told that spheres are too coarse for. */
const PROBES = 40;
const MOST_TOUCHING = 0.25 * PROBES;
const SEED = 1;
const NONE = new Float64Array(0);
/** Bytes for obstacles. */
const LEAST_ROOM = 2 ** 20;

export interface OwnBody {
  readonly body: SceneBody;
  readonly name: string;
  readonly frame: number;
  /** In the frame of the body for links, else of what carries it. */
  readonly spheres: Float64Array;
  /** Inside it, likewise. */
  readonly inner: Float64Array;
  /** From that frame to the body's; null for links. */
  readonly placement: Float64Array | null;
  readonly isLink: boolean;
}

export interface SceneSpheresOptions {
  readonly spheres: SphereModel | undefined;
  readonly indices: readonly number[];
  readonly margin: number;
  readonly prove: boolean;
  readonly tier: SphereTier;
}

/** `compiled`: a module for the robot; `generic`: the robot as data, at once. Verdicts are the same. */
export type SphereTier = 'compiled' | 'generic';

export class SceneSpheres {
  checks: SphereChecks | null = null;
  /** What certainly touches. */
  readonly inner = new InnerChecks();
  /** Something touches whatever the robot's coordinates that vary. */
  isBlocked = false;
  /** Compared exactly at each state that is free by spheres. */
  exactPairs: readonly { readonly a: SceneBody; readonly b: SceneBody; readonly margin: number }[] = [];
  /** The robot's bodies; empty before the first `refresh`, or where something has no bounds. */
  own: readonly OwnBody[] = [];
  /** All pairs that the robot's motion can bring together. */
  pairs: readonly OwnPair[] = [];
  private others: SceneBody[] = [];
  private revision = -1;
  private moves = -1;
  private isStill = false;
  private readonly stood: number[] = [];
  private coarse: readonly OwnPair[] = [];
  private movingPairs: readonly (readonly [string, string])[] = [];
  private compiled: SphereChecks | null = null;
  private compiledKey = '';
  private proof: { key: string; never: ImpossiblePairs } | null = null;

  constructor(
    private readonly scene: Variation,
    private readonly rest: Float64Array,
    private readonly options: SceneSpheresOptions,
  ) {}

  /** Whether bodies and pairs are those of the scene now; there are none where something has no bounds. */
  get isCurrent(): boolean {
    return this.own.length > 0 && this.revision === this.scene.revision;
  }

  /** Brings the checks up to date; null where there are none: every state is then asked of the scene. */
  refresh(): SphereChecks | null {
    const { scene } = this;
    if (this.revision !== scene.revision) {
      this.rebuild();
      this.revision = scene.revision;
      this.moves = -1;
    }
    if (this.moves !== scene.objectMoves || this.haveOthersMoved()) {
      updateScene(scene);
      this.moves = scene.objectMoves;
      this.writeObstacles();
      this.isBlocked = this.isStill || this.doOthersTouch();
    }
    return this.checks;
  }

  private rebuild(): void {
    const { scene, options } = this;
    const { robot } = scene;
    updateScene(scene);
    const listed = this.listOwn();
    this.checks = null;
    this.exactPairs = [];
    this.own = listed ?? [];
    if (listed === null) return;
    const bodies = this.own.map(({ body }) => body);
    const isOwn = new Set(bodies);
    this.others = listOtherBodies(scene, isOwn);
    this.pairs = listOwnPairs(scene, bodies, this.others);
    const key = this.describeOwn();
    if (key === this.compiledKey) {
      this.checks = this.compiled;
      this.takeExactPairs();
      return;
    }
    const self = this.sortSelfPairs();
    const margin = self.reduce((most, pair) => Math.max(most, pair.margin), 0) + Math.max(options.margin, 0);
    const pairs = self.map(({ first, second }) => [this.own[first].name, this.own[second].name] as const);
    const links = this.own.filter(({ isLink }) => isLink).map(toLinkSpheres);
    const carried: CarriedSpheres[] = this.own
      .filter(({ isLink, spheres }) => !isLink && spheres.length > 0)
      .map(({ name, frame, spheres }) => ({ name, frame, spheres }));
    const spheres: SphereModel = { links, proven: true, assumed: [] };
    const { indices, prove, tier } = options;
    const never = prove ? this.prove(spheres, pairs, margin) : undefined;
    const environmentBytes = this.roomForObstacles();
    const request = { pairs, indices, rest: this.rest, margin, carried, environmentBytes, ...(never ? { never } : {}) };
    const create = tier === 'generic' ? createSphereChecks : compileSphereChecks;
    this.checks = create(robot.model, spheres, request);
    const inner = { pairs: this.movingPairs, indices, rest: this.rest, environmentBytes };
    this.inner.build(create, robot.model, this.own, inner);
    this.compiled = this.checks;
    this.compiledKey = key;
  }

  /** A power of two, so that the code stays while obstacles come and go. Each may be there with several margins, its data once. */
  private roomForObstacles(): number {
    let records = 0;
    const blocks = new Map<object, number>();
    for (const { parts } of this.others) for (const { shape } of parts) records += countRecords(shape, blocks);
    let needed = 2 * records * (RECORD_BYTES + GROUP_BYTES * this.own.length);
    for (const bytes of blocks.values()) needed += bytes;
    let room = LEAST_ROOM;
    while (room < needed) room *= 2;
    return room;
  }

  /** All that the compiled code depends on: it stays when an edit is about something else. */
  private describeOwn(): string {
    const { own, pairs } = this;
    const names = own.map(({ name, frame, spheres, isLink }) => [name, frame, isLink ? 0 : [...spheres]]);
    const self = pairs.filter(({ second }) => second >= 0).map(({ first, second, margin }) => [first, second, margin]);
    return JSON.stringify([names, self, this.roomForObstacles()]);
  }

  /** Bodies of what is held are new ones after an edit. */
  private takeExactPairs(): void {
    const { own, options } = this;
    this.exactPairs = this.coarse.map(({ first, second, margin }) => ({
      a: own[first].body,
      b: own[second].body,
      margin: margin + options.margin,
    }));
  }

  /** The proof is that of the links: what is held leaves it as it is. */
  private prove(spheres: SphereModel, pairs: readonly (readonly [string, string])[], margin: number): ImpossiblePairs {
    const { indices } = this.options;
    const names = new Set(spheres.links.map(({ link }) => link));
    const ofLinks = pairs.filter(([a, b]) => names.has(a) && names.has(b));
    const key = JSON.stringify([ofLinks, margin]);
    if (this.proof?.key !== key) {
      const request = { pairs: ofLinks, indices, rest: this.rest, margin, boxes: 4000, samples: 500 };
      this.proof = { key, never: proveImpossiblePairs(this.scene.robot.model, spheres, request) };
    }
    return this.proof.never;
  }

  /** Null where something that moves has no bounds. */
  private listOwn(): OwnBody[] | null {
    const { robot } = this.scene;
    const { model } = robot;
    const given = new Map(this.options.spheres?.links.map((link) => [link.link, link]));
    const list: OwnBody[] = [];
    for (const { name, frame, body } of robot.links) {
      const own = spheresOfBody(body);
      const spheres = given.get(name)?.levels.at(-1) ?? own?.outer;
      if (spheres === undefined || own === null) return null;
      const isEmpty = body.parts.length === 0;
      list.push({
        body,
        name,
        frame,
        spheres: isEmpty ? NONE : spheres,
        inner: own.inner,
        placement: null,
        isLink: true,
      });
    }
    for (const { name, body, attachment } of robot.attached) {
      const cover = spheresOfBody(body);
      if (cover === null || !attachment) return null;
      const X = attachment.placement;
      // A name that no link has.
      const unique = model.linkIndex.has(name) ? `held ${name}` : name;
      const [spheres, inner] = [cover.outer, cover.inner].map((local) =>
        moveSpheres(Float64Array.from(local), local, X),
      );
      list.push({ body, name: unique, frame: attachment.frame, spheres, inner, placement: X, isLink: false });
    }
    return list;
  }

  /** The robot's pairs that spheres are compared for; the others are decided here, or left to each state. */
  private sortSelfPairs(): OwnPair[] {
    const { scene, own, options, pairs } = this;
    const { robot } = scene;
    const { model } = robot;
    const place = new Set(options.indices);
    const isMoving = (j: number): boolean => {
      const at = model.idxQ[j];
      if (model.jointKinds[j] === null) return false;
      // What mimics has no coordinates of its own.
      for (let i = at; i < at + Math.max(model.nqs[j], 1); i++) if (place.has(i)) return true;
      return false;
    };
    const chainOf = (frame: number): number[] => [...model.supports[model.frameJoints[frame]]].filter(isMoving);
    const random = createRandom(SEED);
    const self = pairs.filter(
      ({ first, second }) => second >= 0 && own[first].spheres.length > 0 && own[second].spheres.length > 0,
    );
    const moving = self.filter(
      ({ first, second }) => chainOf(own[first].frame).join() !== chainOf(own[second].frame).join(),
    );
    setConfiguration(robot, this.rest);
    updateRobot(robot);
    this.isStill = self.some(
      (pair) =>
        !moving.includes(pair) &&
        bodiesTouch(own[pair.first].body, own[pair.second].body, pair.margin + options.margin),
    );
    const touching = new Map(moving.map((pair) => [pair, 0]));
    const q = new Float64Array(model.nq);
    const full = Float64Array.from(this.rest);
    for (let n = 0; n < PROBES; n++) {
      randomConfiguration(q, model, random);
      for (const i of options.indices) full[i] = q[i];
      setConfiguration(robot, full);
      updateRobot(robot);
      for (const pair of moving) {
        const margin = Math.max(pair.margin + options.margin, 0);
        if (doSpheresTouch(own[pair.first], own[pair.second], margin))
          touching.set(pair, (touching.get(pair) as number) + 1);
      }
    }
    const isCoarse = (pair: OwnPair): boolean => (touching.get(pair) as number) > MOST_TOUCHING;
    this.movingPairs = moving
      .filter(({ margin }) => margin + options.margin >= 0)
      .map(({ first, second }) => [own[first].name, own[second].name] as const);
    this.coarse = moving.filter(isCoarse);
    this.takeExactPairs();
    return moving.filter((pair) => !isCoarse(pair));
  }

  private writeObstacles(): void {
    const { checks, scene, own, options, pairs } = this;
    if (checks === null) return;
    const { robot } = scene;
    // From W to where the model's base stands.
    const X = invertTransform(new Float64Array(12), robot.placement);
    multiplyTransform(X, robot.model.basePlacement, X);
    const byBody = new Map<SceneBody, Map<number, Set<string>>>();
    for (const { first, second, other, margin } of pairs) {
      if (second >= 0) continue;
      const groups = byBody.get(other) ?? new Map<number, Set<string>>();
      byBody.set(other, groups);
      const names = groups.get(margin) ?? new Set<string>();
      groups.set(margin, names);
      names.add(own[first].name);
    }
    const obstacles: SphereObstacle[] = [];
    const certain: SphereObstacle[] = [];
    for (const [body, groups] of byBody)
      for (const [margin, links] of groups)
        for (const part of body.parts) {
          const obstacle = { ...toObstacle(part, X), margin: Math.max(margin + options.margin, 0), links };
          obstacles.push(obstacle);
          // A support function is stood in for by a box.
          if (margin + options.margin >= 0 && part.shape.type !== 'support') certain.push(obstacle);
        }
    checks.setEnvironment(obstacles);
    // Where a margin is negative, bodies may overlap by as much.
    this.inner.setEnvironment(certain);
  }

  private haveOthersMoved(): boolean {
    const { scene, stood } = this;
    let at = 0;
    let moved = false;
    const compare = (values: Float64Array): void => {
      for (let i = 0; i < values.length; i++, at++) {
        if (stood[at] === values[i]) continue;
        stood[at] = values[i];
        moved = true;
      }
    };
    compare(scene.robot.placement);
    for (const robot of scene.robots) {
      if (robot === scene.robot) continue;
      compare(robot.placement);
      compare(robot.q);
    }
    return moved;
  }

  /** Pairs without a body of this robot. */
  private doOthersTouch(): boolean {
    const { scene, own, options } = this;
    if (scene.robots.length < 2) return false;
    const isOwn = new Set(own.map(({ body }) => body));
    return !visitCandidates(
      scene,
      { margin: options.margin, objectPairs: false },
      (a, b, bound) => isOwn.has(a) || isOwn.has(b) || !bodiesTouch(a, b, bound),
    );
  }
}

/** A support function has no bounds of its own, but a collider's. */
function toObstacle(part: BodyPart, X: Float64Array): Pick<SphereObstacle, 'shape' | 'placement'> {
  const { shape, worldPlacement } = part;
  const placement = multiplyTransform(new Float64Array(12), X, worldPlacement);
  if (shape.type !== 'support') return { shape, placement };
  const { center, half } = readExtents(part);
  const at = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, center[0], center[1], center[2]);
  const grow = 2 * (1 + 1e-9);
  const size = [grow * half[0], grow * half[1], grow * half[2]] as const;
  return { shape: { type: 'box', size }, placement: multiplyTransform(placement, placement, at) };
}

/** Records of a shape; `blocks` gets the bytes of what they point to. */
function countRecords(shape: Shape, blocks: Map<object, number>): number {
  if (shape.type === 'compound')
    return shape.children.reduce((sum, child) => sum + countRecords(child.shape, blocks), 0);
  if (isTreeShape(shape)) blocks.set(shape, boundBlockBytes(shape));
  return 1;
}

function toLinkSpheres({ name, spheres }: OwnBody): LinkSpheres {
  return { link: name, bound: Float64Array.of(0, 0, 0, 0), levels: [spheres] };
}

/** With the bodies where they are. Spheres are in the frame of the body for links, else of what carries it. */
function doSpheresTouch(a: OwnBody, b: OwnBody, margin: number): boolean {
  const p = placeSpheres(a);
  const q = placeSpheres(b);
  for (let i = 0; i < p.length; i += 4)
    for (let k = 0; k < q.length; k += 4) {
      const reach = p[i + 3] + q[k + 3] + margin;
      const d = (p[i] - q[k]) ** 2 + (p[i + 1] - q[k + 1]) ** 2 + (p[i + 2] - q[k + 2]) ** 2;
      if (d <= reach * reach) return true;
    }
  return false;
}

/** Where the frame of a body's spheres stands. */
export function sphereFrame({ body, placement }: OwnBody): Float64Array {
  const X = body.worldPlacement;
  if (placement === null) return X;
  return multiplyTransform(new Float64Array(12), X, invertTransform(new Float64Array(12), placement));
}

/** With the body where it is. */
function placeSpheres(own: OwnBody): Float64Array {
  return moveSpheres(Float64Array.from(own.spheres), own.spheres, sphereFrame(own));
}

/** Centres by X; radii are taken to be there. */
export function moveSpheres(out: Float64Array, local: Float64Array, X: Float64Array): Float64Array {
  for (let i = 0; i < local.length; i += 4)
    for (let r = 0; r < 3; r++)
      out[i + r] = X[3 * r] * local[i] + X[3 * r + 1] * local[i + 1] + X[3 * r + 2] * local[i + 2] + X[9 + r];
  return out;
}

export function requireProven(call: string, spheres: SphereModel | undefined): void {
  if (spheres !== undefined && spheres.proven !== true)
    throw new MisuseError(
      `${call}: spheres, got some that are not proven to contain the links, expected a proven model`,
    );
}
