/**
 * Rays on a scene: what is hit first, all that is hit, whether anything is; over robots' links, objects and attached objects.
 *
 * What counts as a hit is said in narrowphase/cast-ray-shape.ts: crossings of surfaces from outside and from inside, each geometry of a
 * body by itself. Of two bodies at the same t the one that came to the scene first. Margins do not matter.
 * Method: hierarchies of the parts' boxes (part-boxes.ts), near first, then the ray in the part's frame.
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

let nodes = new Int32Array(128);
let nears = new Float64Array(128);

/**
 * `enterBox` for many boxes and one ray: the sides on which the ray enters are picked once. For axis k, `nk` and 3 - `nk` are the places
 * of the near and the far side, `pk` is the pad with the near side's sign.
 */
function enterSides(
  boxes: Float64Array,
  at: number,
  x: number,
  y: number,
  z: number,
  ix: number,
  iy: number,
  iz: number,
  nx: number,
  ny: number,
  nz: number,
  px: number,
  py: number,
  pz: number,
  limit: number,
): number {
  let near = (boxes[at + nx] - px - x) * ix;
  const nearY = (boxes[at + 1 + ny] - py - y) * iy;
  const nearZ = (boxes[at + 2 + nz] - pz - z) * iz;
  if (nearY > near) near = nearY;
  if (nearZ > near) near = nearZ;
  if (!(near > 0)) near = 0;
  let far = (boxes[at + 3 - nx] + px - x) * ix;
  const farY = (boxes[at + 4 - ny] + py - y) * iy;
  const farZ = (boxes[at + 5 - nz] + pz - z) * iz;
  if (farY < far) far = farY;
  if (farZ < far) far = farZ;
  if (limit < far) far = limit;
  return near <= far * (1 + 1e-15) ? near : Infinity;
}

/** Visits parts whose boxes the ray meets at most at best[0], near ones first; the visitor returns true to stop. */
function traverseParts(
  boxes: PartBoxes,
  skip: Uint8Array | null,
  visit: (part: BodyPart, owner: number) => boolean,
): boolean {
  const { parts, owner, boundedCount, hierarchy } = boxes;
  for (let i = boundedCount; i < parts.length; i++)
    if ((skip === null || skip[owner[i]] === 0) && visit(parts[i], owner[i])) return true;
  if (hierarchy.nodeCount === 0) return false;
  const { right, items, order } = hierarchy;
  const bounds = hierarchy.boxes;
  const own = boxes.boxes;
  const [x, y, z] = [ray[0], ray[1], ray[2]];
  const [ix, iy, iz] = [inverse[0], inverse[1], inverse[2]];
  const pad = ROUNDING * (boxes.extent + Math.max(Math.abs(x), Math.abs(y), Math.abs(z)));
  const [nx, ny, nz] = [ix < 0 ? 3 : 0, iy < 0 ? 3 : 0, iz < 0 ? 3 : 0];
  const [px, py, pz] = [ix < 0 ? -pad : pad, iy < 0 ? -pad : pad, iz < 0 ? -pad : pad];
  if (nodes.length < 2 * hierarchy.depth + 2) {
    nodes = new Int32Array(4 * hierarchy.depth);
    nears = new Float64Array(4 * hierarchy.depth);
  }
  let top = 0;
  let limit = best[0] + pad;
  let node = enterSides(bounds, 0, x, y, z, ix, iy, iz, nx, ny, nz, px, py, pz, limit) < Infinity ? 0 : -1;
  while (node >= 0) {
    if (items[node] === 0) {
      const l = node + 1;
      const r = right[node];
      const nearL = enterSides(bounds, 6 * l, x, y, z, ix, iy, iz, nx, ny, nz, px, py, pz, limit);
      const nearR = enterSides(bounds, 6 * r, x, y, z, ix, iy, iz, nx, ny, nz, px, py, pz, limit);
      if (nearL < Infinity || nearR < Infinity) {
        const leftFirst = nearL <= nearR;
        if (nearL < Infinity && nearR < Infinity) {
          nodes[top] = leftFirst ? r : l;
          nears[top++] = leftFirst ? nearR : nearL;
        }
        node = leftFirst ? l : r;
        continue;
      }
    } else {
      const start = ~right[node];
      const end = start + items[node];
      for (let k = start; k < end; k++) {
        const i = order[k];
        if (skip !== null && skip[owner[i]] === 1) continue;
        if (enterSides(own, 6 * i, x, y, z, ix, iy, iz, nx, ny, nz, px, py, pz, limit) === Infinity) continue;
        if (visit(parts[i], owner[i])) return true;
        limit = best[0] + pad;
      }
    }
    do node = --top >= 0 ? nodes[top] : -1;
    while (node >= 0 && nears[top] > limit);
  }
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
