/**
 * Rays on a scene: what is hit first, all that is hit, whether anything is; over robots' links, objects and attached objects.
 *
 * What counts as a hit is said in narrowphase/cast-ray-shape.ts: crossings of surfaces from outside and from inside, each geometry of a
 * body by itself. Of two bodies at the same t the one that came to the scene first. Margins do not matter.
 * Method: trees of the parts' boxes (part-boxes.ts), near first in the kernel, then the ray in the part's frame.
 * Frames: W; t in units of the direction's length. Cost: about 1 to 3 microseconds a ray; the batch allocates nothing per ray.
 * Tested by ray.test.ts.
 */
import {
  type Fields,
  oneOf,
  requireCount,
  requireFloats,
  requireObject,
  requireOptions,
  requireTexts,
  throwMisuse,
} from '../../math/arguments.js';
import { requireKnownKeys } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import {
  castRayInFrame,
  found,
  foundChild,
  foundFeature,
  invertDirection,
  listCrossings,
  normalizeRay,
  placeRay,
  readRay,
  requireMaxT,
} from '../../narrowphase/cast-ray-shape.js';
import { type SceneAssumptions, sceneAssumptions } from '../assumptions.js';
import type { BodyPart } from '../bodies.js';
import { requireOpen } from '../scene-door.js';
import type { Scene } from '../types.js';
import { findSceneParts, markLeftOut, type PartBoxes, type SceneParts } from './part-boxes.js';

export interface SceneRay {
  readonly origin: ArrayLike<number>;
  /** Of any length but zero; t counts it. */
  readonly direction: ArrayLike<number>;
  /** Hits at larger t do not count. Default Infinity. */
  readonly max?: number;
}

export interface SceneRayOptions {
  /** Robots (with what they hold), objects and links that the ray goes through, by name. */
  readonly leaveOut?: readonly string[];
}

export interface SceneRayHit {
  /** Origin + t direction is the hit. */
  readonly t: number;
  readonly point: readonly [number, number, number];
  /** Unit outward normal of the surface. */
  readonly normal: readonly [number, number, number];
  /** Link or object, as `bodyName` gives it. */
  readonly body: string;
  /** Which of the body's geometries. */
  readonly part: number;
  /** Of the geometry's mesh; null where no mesh was hit. */
  readonly triangle: number | null;
  /** Triangle, cube of an octree, point of a cloud; of a compound in its child. -1 where there is none. */
  readonly feature: number;
  /** Child of a compound; else -1. */
  readonly child: number;
}

/** `complete` false: something was left out of the scene, which could be hit; see `sceneAssumptions`. */
export interface SceneRayAnswer extends SceneAssumptions {
  /** Null: nothing is hit. */
  readonly hit: SceneRayHit | null;
}

export interface SceneRayList extends SceneAssumptions {
  /** In the order of t. */
  readonly hits: readonly SceneRayHit[];
}

/** Answers of many rays, by their place. */
export interface SceneRayBatch {
  /** Origin + t direction is the hit of a ray; Infinity for a miss. */
  readonly t: Float64Array;
  /** Three numbers per ray: the unit outward normal; not written for a miss. */
  readonly normal: Float64Array;
  /** Place in `names` of what is hit; -1 for a miss. */
  readonly body: Int32Array;
  /** As in `SceneRayHit`; -1 for a miss. */
  readonly part: Int32Array;
  readonly feature: Int32Array;
  readonly child: Int32Array;
  /** Names of all bodies of the scene that the rays were last cast in. */
  names: readonly string[];
}

export interface SceneRaysOptions extends SceneRayOptions {
  /** Hits at larger t do not count: one number, or one per ray. Default Infinity. */
  readonly maxT?: number | Float64Array;
  /** `any` takes whatever is hit first in the walk: for shadows and lines of sight. Default `first`. */
  readonly find?: 'first' | 'any';
}

const requireLimits = (call: string, what: string, value: unknown): void => {
  if (value instanceof Float64Array) requireFloats(call, what, value);
  else requireMaxT(call, what, value);
};
const BATCH_OPTIONS: Fields = { leaveOut: requireTexts, maxT: requireLimits, find: oneOf('first', 'any') };

/** Relative rounding of a ray against the boxes. */
const ROUNDING = 2e-15;

/** The ray in W with a direction of length 1, and the best hit so far with t in metres. */
const ray = new Float64Array(6);
const inverse = new Float64Array(3);
const local = new Float64Array(6);
/** t, then the outward normal in the part's frame. */
const best = new Float64Array(4);
let bestBody = -1;
let bestPart: BodyPart | null = null;
let bestFeature = -1;
let bestChild = -1;
let stopAtAny = false;

/** Visits parts whose boxes the ray meets at most at best[0], near ones first; the visitor returns true to stop. */
function traverseParts(
  boxes: PartBoxes,
  skip: Uint8Array | null,
  visit: (part: BodyPart, owner: number) => boolean,
): boolean {
  const { parts, owner, boundedCount, rayBoxes } = boxes;
  for (let i = boundedCount; i < parts.length; i++)
    if ((skip === null || skip[owner[i]] === 0) && visit(parts[i], owner[i])) return true;
  if (rayBoxes === null) return false;
  const pad = ROUNDING * (boxes.extent + Math.max(Math.abs(ray[0]), Math.abs(ray[1]), Math.abs(ray[2])));
  rayBoxes.start(ray, inverse, pad);
  for (let i = rayBoxes.next(best[0] + pad); i >= 0; i = rayBoxes.next(best[0] + pad))
    if ((skip === null || skip[owner[i]] === 0) && visit(parts[i], owner[i])) return true;
  return false;
}

let current: SceneParts | null = null;

function castPart(part: BodyPart, owner: number): boolean {
  part.collider.requireReady();
  placeRay(local, ray, part.worldPlacement);
  if (!castRayInFrame(part.collider, local, best[0])) return false;
  // At the same t the body that came first; its parts in their order are rarely that even.
  if (bestBody >= 0 && found[0] === best[0] && current!.bodies[owner].id >= current!.bodies[bestBody].id) return false;
  for (let k = 0; k < 4; k++) best[k] = found[k];
  bestBody = owner;
  bestPart = part;
  bestFeature = foundFeature();
  bestChild = foundChild();
  return stopAtAny;
}

/** Casts `ray`; bestBody is -1 for a miss. */
function castPrepared(parts: SceneParts, skip: Uint8Array | null, maxT: number, any: boolean): void {
  best[0] = maxT;
  bestBody = -1;
  stopAtAny = any;
  current = parts;
  invertDirection(inverse, ray);
  if (!traverseParts(parts.moving, skip, castPart)) traverseParts(parts.free, skip, castPart);
  current = null;
}

function rotated(X: Float64Array, n: ArrayLike<number>, at: number, row: number): number {
  return X[3 * row] * n[at] + X[3 * row + 1] * n[at + 1] + X[3 * row + 2] * n[at + 2];
}

function triangleOf({ collider }: BodyPart, child: number, feature: number): number | null {
  const { shape } = collider;
  const own = shape.type === 'compound' && child >= 0 ? shape.children[child].shape : shape;
  return own.type === 'mesh' && feature >= 0 ? feature : null;
}

interface RawHit {
  readonly t: number;
  readonly normal: ArrayLike<number>;
  readonly feature: number;
  readonly child: number;
}

function describeHit(
  parts: SceneParts,
  part: BodyPart,
  owner: number,
  raw: RawHit,
  at: number,
  speed: number,
): SceneRayHit {
  const { t, normal, feature, child } = raw;
  const X = part.worldPlacement;
  return {
    t: t / speed,
    point: [ray[0] + t * ray[3], ray[1] + t * ray[4], ray[2] + t * ray[5]],
    normal: [rotated(X, normal, at, 0), rotated(X, normal, at, 1), rotated(X, normal, at, 2)],
    body: parts.names[owner],
    part: parts.bodies[owner].parts.indexOf(part),
    triangle: triangleOf(part, child, feature),
    feature,
    child,
  };
}

interface Asked {
  readonly parts: SceneParts;
  readonly skip: Uint8Array | null;
  readonly speed: number;
  readonly maxT: number;
}

function ask(call: string, scene: Scene, request: SceneRay, options: SceneRayOptions | undefined): Asked {
  requireOpen(scene, call);
  requireObject(call, 'ray', request, 'an object with origin and direction');
  requireKnownKeys(call, 'ray', request, ['origin', 'direction', 'max']);
  const { origin, direction, max = Infinity } = request;
  requireMaxT(call, 'ray.max', max);
  requireOptions(call, options, { leaveOut: requireTexts });
  const parts = findSceneParts(scene);
  const skip = markLeftOut(call, scene, parts, options?.leaveOut);
  const speed = readRay(ray, call, origin, direction);
  return { parts, skip, speed, maxT: max * speed };
}

/** What the ray hits first. */
export function castSceneRay(scene: Scene, request: SceneRay, options?: SceneRayOptions): SceneRayAnswer {
  const { parts, skip, speed, maxT } = ask('castSceneRay', scene, request, options);
  castPrepared(parts, skip, maxT, false);
  const raw: RawHit = { t: best[0], normal: best, feature: bestFeature, child: bestChild };
  const hit = bestBody < 0 ? null : describeHit(parts, bestPart!, bestBody, raw, 1, speed);
  return { hit, ...sceneAssumptions(scene) };
}

/** Whether the ray hits anything, as far as the scene is known (see `sceneAssumptions`): ends at the first hit that it comes by. */
export function isSceneRayBlocked(scene: Scene, request: SceneRay, options?: SceneRayOptions): boolean {
  const { parts, skip, maxT } = ask('isSceneRayBlocked', scene, request, options);
  castPrepared(parts, skip, maxT, true);
  return bestBody >= 0;
}

/** Every crossing of every body's surfaces, in the order of t, then of the bodies. */
export function listSceneRayHits(scene: Scene, request: SceneRay, options?: SceneRayOptions): SceneRayList {
  const { parts, skip, speed, maxT } = ask('listSceneRayHits', scene, request, options);
  const hits: { readonly owner: number; readonly hit: SceneRayHit }[] = [];
  best[0] = maxT;
  const visit = (part: BodyPart, owner: number): boolean => {
    part.collider.requireReady();
    placeRay(local, ray, part.worldPlacement);
    for (const raw of listCrossings(part.collider, local, maxT))
      hits.push({ owner, hit: describeHit(parts, part, owner, raw, 0, speed) });
    return false;
  };
  invertDirection(inverse, ray);
  traverseParts(parts.moving, skip, visit);
  traverseParts(parts.free, skip, visit);
  hits.sort(
    (a, b) => a.hit.t - b.hit.t || parts.bodies[a.owner].id - parts.bodies[b.owner].id || a.hit.part - b.hit.part,
  );
  return { hits: hits.map(({ hit }) => hit), ...sceneAssumptions(scene) };
}

/** Room for the answers of `count` rays. */
export function createSceneRayBatch(count: number): SceneRayBatch {
  requireCount('createSceneRayBatch', 'count', count);
  return {
    t: new Float64Array(count),
    normal: new Float64Array(3 * count),
    body: new Int32Array(count),
    part: new Int32Array(count),
    feature: new Int32Array(count),
    child: new Int32Array(count),
    names: [],
  };
}

/**
 * Casts rays.length / 6 rays: origin (3) and direction (3) of one after the other. Every answer is that of `castSceneRay`, without its
 * point; `sceneAssumptions` says what they rest on. Throws on rays that `castSceneRay` refuses, naming one, and when `out` has no room.
 */
export function castSceneRays(
  out: SceneRayBatch,
  scene: Scene,
  rays: Float64Array,
  options: SceneRaysOptions = {},
): SceneRayBatch {
  requireOpen(scene, 'castSceneRays');
  requireOptions('castSceneRays', options, BATCH_OPTIONS);
  const { maxT = Infinity, find = 'first', leaveOut } = options;
  checkBatch(out, rays, maxT);
  const parts = findSceneParts(scene);
  const skip = markLeftOut('castSceneRays', scene, parts, leaveOut);
  out.names = parts.names;
  for (let i = 0; i < rays.length / 6; i++) {
    for (let k = 0; k < 6; k++) ray[k] = rays[6 * i + k];
    const speed = normalizeRay(ray);
    const limit = typeof maxT === 'number' ? maxT : maxT[i];
    if (!(speed > 0 && limit >= 0)) refuseRay(i, rays, limit);
    castPrepared(parts, skip, limit * speed, find === 'any');
    out.body[i] = bestBody;
    out.t[i] = bestBody < 0 ? Infinity : best[0] / speed;
    out.part[i] = bestBody < 0 ? -1 : parts.bodies[bestBody].parts.indexOf(bestPart!);
    out.feature[i] = bestBody < 0 ? -1 : bestFeature;
    out.child[i] = bestBody < 0 ? -1 : bestChild;
    if (bestBody < 0) continue;
    const X = bestPart!.worldPlacement;
    for (let k = 0; k < 3; k++) out.normal[3 * i + k] = rotated(X, best, 1, k);
  }
  return out;
}

function refuseRay(i: number, rays: Float64Array, limit: number): never {
  const numbers = Array.from(rays.subarray(6 * i, 6 * i + 6));
  throw new MisuseError(
    `castSceneRays: ray ${i}, got origin ${numbers.slice(0, 3)}, direction ${numbers.slice(3)}, maxT ${limit}, expected finite numbers within +-1e15, a direction that is not zero and maxT >= 0`,
  );
}

function checkBatch(out: SceneRayBatch, rays: Float64Array, maxT: number | Float64Array): void {
  requireFloats('castSceneRays', 'rays', rays);
  if (rays.length % 6 !== 0)
    throw new MisuseError(`castSceneRays: rays, got ${rays.length} numbers, expected 6 per ray`);
  const count = rays.length / 6;
  const { t, normal, body, part, feature, child } = Object(out) as SceneRayBatch;
  if (
    !(
      t instanceof Float64Array &&
      normal instanceof Float64Array &&
      [body, part, feature, child].every((x) => x instanceof Int32Array)
    )
  )
    throwMisuse('castSceneRays', 'out', out, 'what createSceneRayBatch returned');
  const room = Math.min(
    t.length,
    Math.floor(normal.length / 3),
    body.length,
    part.length,
    feature.length,
    child.length,
  );
  if (room < count) throw new MisuseError(`castSceneRays: out, got room for ${room} rays, expected at least ${count}`);
  if (typeof maxT !== 'number' && maxT.length < count)
    throw new MisuseError(`castSceneRays: maxT, got ${maxT.length} numbers, expected at least ${count}`);
}
