/**
 * Points and regions of a scene: inside what a point is and what is nearest to it; what a box or a ball touches.
 *
 * Touching counts. A mesh that counts as a surface has no inside; where it is one because it is open, and the point or region is within, the
 * answer says so among what it assumes (enclosed.ts does for checks). Margins do not matter.
 * Method: boxes of parts (part-boxes.ts), then the narrow phase with a point, a box or a ball.
 * Frames: W. Cost: a few microseconds per part that is near. Tested by region.test.ts.
 */
import {
  type Fields,
  requireFlag,
  requireNotNegative,
  requireNumbers,
  requireObject,
  requireOptions,
  requireTexts,
  throwMisuse,
} from '../../math/arguments.js';
import { requireKnownKeys } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import { createTransform } from '../../math/transform.js';
import { collide } from '../../narrowphase/collide.js';
import { type Collider, createCollider } from '../../narrowphase/collider.js';
import { describeEnclosure, findEnclosure, hasOpenMesh } from '../../narrowphase/enclosure.js';
import { createPointDistance, measurePoint, pointShape } from '../../narrowphase/measure-point.js';
import { formatAssumption, type SceneAssumptions, sceneAssumptions } from '../assumptions.js';
import { type BodyPart, boxesOverlap } from '../bodies.js';
import { requireOpen } from '../scene-door.js';
import type { Scene } from '../types.js';
import { findSceneParts, markLeftOut, type PartBoxes } from './part-boxes.js';

export interface PointQueryOptions {
  /** Robots (with what they hold), objects and links that do not count, by name. */
  readonly leaveOut?: readonly string[];
}

export interface RegionOptions extends PointQueryOptions {
  /** Compare the boxes of the bodies' geometries only: quicker, and never fewer. Default false. */
  readonly boxesOnly?: boolean;
}

export interface NearestBodyOptions extends PointQueryOptions {
  /** Bodies farther than this do not count. Default Infinity. */
  readonly maxDistance?: number;
}

/** `complete` false: something was left out of the scene, which could be there too; see `sceneAssumptions`. */
export interface BodiesFound extends SceneAssumptions {
  /** Links and objects as `bodyName` gives them, in the order in which they came to the scene. */
  readonly bodies: readonly string[];
}

export interface NearestBody extends SceneAssumptions {
  readonly body: string;
  /** Negative inside. */
  readonly distance: number;
  /** The closest point of the body's surface. */
  readonly point: readonly [number, number, number];
  /** Unit outward normal there. */
  readonly normal: readonly [number, number, number];
}

/** A box along the axes of W. */
export interface BoxRegion {
  readonly min: ArrayLike<number>;
  readonly max: ArrayLike<number>;
}

/** A ball. */
export interface SphereRegion {
  readonly center: ArrayLike<number>;
  readonly radius: number;
}

const POINT_OPTIONS: Fields = { leaveOut: requireTexts };
const REGION_OPTIONS: Fields = { leaveOut: requireTexts, boxesOnly: requireFlag };
const NEAREST_OPTIONS: Fields = { leaveOut: requireTexts, maxDistance: requireNotNegative };

const LARGEST = 1e15;

function requirePlace(call: string, what: string, value: ArrayLike<number>): void {
  requireNumbers(call, what, value, 3);
  for (let k = 0; k < 3; k++)
    if (!(Math.abs(value[k]) <= LARGEST))
      throw new MisuseError(`${call}: ${what}[${k}], got ${value[k]}, expected a number within +-${LARGEST}`);
}

const X_WR = createTransform();

function placeAt(point: ArrayLike<number>): Float64Array {
  for (let k = 0; k < 3; k++) X_WR[9 + k] = point[k];
  return X_WR;
}

/** Visits the parts whose boxes meet a box. */
function visitParts(boxes: PartBoxes, region: Float64Array, visit: (part: BodyPart, owner: number) => void): void {
  const { parts, owner, boundedCount, tree } = boxes;
  for (let i = boundedCount; i < parts.length; i++) visit(parts[i], owner[i]);
  const stack = tree.root >= 0 ? [tree.root] : [];
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (!boxesOverlap(tree.boxes.subarray(6 * node, 6 * node + 6), region, 0)) continue;
    const left = tree.child[2 * node];
    if (left >= 0) stack.push(tree.child[2 * node + 1], left);
    else visit(parts[~left], owner[~left]);
  }
}

interface Region {
  readonly box: Float64Array;
  readonly collider: Collider;
  readonly center: ArrayLike<number>;
  /** In sentences for people. */
  readonly name: string;
}

function findIn(
  call: string,
  scene: Scene,
  region: Region,
  { leaveOut, boxesOnly = false }: RegionOptions,
): BodiesFound {
  const parts = findSceneParts(scene);
  const skip = markLeftOut(call, scene, parts, leaveOut);
  const isFound = new Uint8Array(parts.bodies.length);
  const enclosing = new Map<number, number>();
  const X = placeAt(region.center);
  const visit = (part: BodyPart, owner: number): void => {
    if (isFound[owner] === 1 || skip?.[owner] === 1) return;
    if (boxesOnly || collide(part.collider, part.worldPlacement, region.collider, X)) isFound[owner] = 1;
    else if (!enclosing.has(owner) && hasOpenMesh(part.collider)) {
      const edges = findEnclosure(part.collider, part.worldPlacement, region.collider, X);
      if (edges !== null) enclosing.set(owner, edges);
    }
  };
  visitParts(parts.moving, region.box, visit);
  visitParts(parts.free, region.box, visit);
  const order = [...parts.bodies.keys()].sort((a, b) => parts.bodies[a].id - parts.bodies[b].id);
  const bodies = order.filter((i) => isFound[i] === 1).map((i) => parts.names[i]);
  const open = order
    .filter((i) => isFound[i] === 0 && enclosing.has(i))
    .map((i) =>
      formatAssumption({
        kind: 'guessed',
        element: `"${parts.names[i]}"`,
        message: describeEnclosure(enclosing.get(i)!, region.name),
      }),
    );
  const fixed = sceneAssumptions(scene);
  return { bodies, complete: fixed.complete, assumed: open.length === 0 ? fixed.assumed : [...fixed.assumed, ...open] };
}

/** What the point is in, or on the surface of. */
export function findBodiesAt(scene: Scene, point: ArrayLike<number>, options: PointQueryOptions = {}): BodiesFound {
  requireOpen(scene, 'findBodiesAt');
  requirePlace('findBodiesAt', 'point', point);
  requireOptions('findBodiesAt', options, POINT_OPTIONS);
  const box = Float64Array.from({ length: 6 }, (_, k) => point[k % 3]);
  return findIn('findBodiesAt', scene, { box, collider: pointShape(), center: point, name: 'the point' }, options);
}

/** What the box touches or holds. */
export function findBodiesInBox(scene: Scene, box: BoxRegion, options: RegionOptions = {}): BodiesFound {
  requireOpen(scene, 'findBodiesInBox');
  requireObject('findBodiesInBox', 'box', box, 'an object with min and max');
  requireKnownKeys('findBodiesInBox', 'box', box, ['min', 'max']);
  const { min, max } = box;
  requirePlace('findBodiesInBox', 'box.min', min);
  requirePlace('findBodiesInBox', 'box.max', max);
  for (let k = 0; k < 3; k++)
    if (!(min[k] <= max[k]))
      throw new MisuseError(
        `findBodiesInBox: box.max[${k}], got ${max[k]}, expected at least box.min[${k}] = ${min[k]}`,
      );
  requireOptions('findBodiesInBox', options, REGION_OPTIONS);
  const center = [0, 1, 2].map((k) => 0.5 * (min[k] + max[k]));
  // As a hull: a box may be flat.
  const points = Float64Array.from({ length: 24 }, (_, i) => {
    const k = i % 3;
    return (Math.floor(i / 3) & (1 << k) ? max[k] : min[k]) - center[k];
  });
  const collider = createCollider({ type: 'convex', points });
  const bounds = Float64Array.of(min[0], min[1], min[2], max[0], max[1], max[2]);
  try {
    return findIn('findBodiesInBox', scene, { box: bounds, collider, center, name: 'the box' }, options);
  } finally {
    collider.dispose();
  }
}

/** What the ball touches or holds. */
export function findBodiesInSphere(scene: Scene, sphere: SphereRegion, options: RegionOptions = {}): BodiesFound {
  requireOpen(scene, 'findBodiesInSphere');
  requireObject('findBodiesInSphere', 'sphere', sphere, 'an object with center and radius');
  requireKnownKeys('findBodiesInSphere', 'sphere', sphere, ['center', 'radius']);
  const { center, radius } = sphere;
  requirePlace('findBodiesInSphere', 'sphere.center', center);
  if (!(typeof radius === 'number' && radius >= 0 && radius <= LARGEST))
    throwMisuse('findBodiesInSphere', 'sphere.radius', radius, `a number from 0 to ${LARGEST}`);
  requireOptions('findBodiesInSphere', options, REGION_OPTIONS);
  const box = Float64Array.from({ length: 6 }, (_, k) => center[k % 3] + (k < 3 ? -radius : radius));
  const shared = radius === 0 ? pointShape() : null;
  const collider = shared ?? createCollider({ type: 'sphere', radius });
  try {
    return findIn('findBodiesInSphere', scene, { box, collider, center, name: 'the ball' }, options);
  } finally {
    if (!shared) collider.dispose();
  }
}

function boxGap(box: Float64Array, at: number, point: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const gap = Math.max(box[at + k] - point[k], point[k] - box[at + k + 3], 0);
    sum += gap * gap;
  }
  return Math.sqrt(sum);
}

/**
 * The body whose surface is nearest to the point, or that the point is deepest in; null where none is within `maxDistance` (see
 * `sceneAssumptions` for what that rests on).
 */
export function nearestBody(
  scene: Scene,
  point: ArrayLike<number>,
  options: NearestBodyOptions = {},
): NearestBody | null {
  requireOpen(scene, 'nearestBody');
  requirePlace('nearestBody', 'point', point);
  requireOptions('nearestBody', options, NEAREST_OPTIONS);
  const { maxDistance = Infinity, leaveOut } = options;
  const parts = findSceneParts(scene);
  const skip = markLeftOut('nearestBody', scene, parts, leaveOut);
  const best = createPointDistance();
  let nearest = -1;
  const trial = createPointDistance();
  const measure = (part: BodyPart, owner: number): void => {
    if (skip?.[owner] === 1) return;
    part.collider.requireReady();
    trial.distance = Infinity;
    if (!measurePoint(trial, part.collider, part.worldPlacement, point) || trial.distance > maxDistance) return;
    // At the same distance the body that came first.
    const isTie = trial.distance === best.distance && parts.bodies[owner].id < parts.bodies[nearest]?.id;
    if (!(trial.distance < best.distance || isTie)) return;
    best.distance = trial.distance;
    best.point.set(trial.point);
    best.normal.set(trial.normal);
    nearest = owner;
  };
  for (const boxes of [parts.moving, parts.free]) {
    const { tree, boundedCount } = boxes;
    for (let i = boundedCount; i < boxes.parts.length; i++) measure(boxes.parts[i], boxes.owner[i]);
    const stack: { readonly node: number; readonly gap: number }[] =
      tree.root >= 0 ? [{ node: tree.root, gap: boxGap(tree.boxes, 6 * tree.root, point) }] : [];
    for (let top = stack.pop(); top; top = stack.pop()) {
      if (top.gap > Math.max(Math.min(best.distance, maxDistance), 0)) continue;
      const left = tree.child[2 * top.node];
      if (left < 0) {
        measure(boxes.parts[~left], boxes.owner[~left]);
        continue;
      }
      const children = [left, tree.child[2 * top.node + 1]].map((child) => ({
        node: child,
        gap: boxGap(tree.boxes, 6 * child, point),
      }));
      children.sort((a, b) => b.gap - a.gap);
      stack.push(...children);
    }
  }
  if (nearest < 0) return null;
  return {
    body: parts.names[nearest],
    distance: best.distance,
    point: [best.point[0], best.point[1], best.point[2]],
    normal: [best.normal[0], best.normal[1], best.normal[2]],
    ...sceneAssumptions(scene),
  };
}
