/**
 * What is checked against what in a scene, and from which distance on it counts: the bodies that move, the pairs that a matrix, an
 * attachment or the scene allows to touch, margins. Everything that looks for pairs asks here.
 */
import { throwMisuse } from '../../math/arguments.js';
import { fullName, pairKey } from '../body-names.js';
import { requireScene } from '../scene-door.js';
import type { Scene, SceneBody } from '../types.js';

/** Margin of a pair: its own if set, else scene margin + both bodies' margins. */
export function pairMargin(scene: Scene, a: SceneBody, b: SceneBody): number {
  requireBodies('pairMargin', scene, a, b);
  return marginOfPair(scene, a, b);
}

/** True when the two bodies are never checked against each other. */
export function isAllowedPair(scene: Scene, a: SceneBody, b: SceneBody): boolean {
  requireBodies('isAllowedPair', scene, a, b);
  return mayTouch(scene, a, b);
}

/** `pairMargin` of what is known to be bodies. */
export function marginOfPair(scene: Scene, a: SceneBody, b: SceneBody): number {
  if (scene.world.pairMargins.size > 0) {
    const own = findByNames(scene, a, b, (x, y) => scene.world.pairMargins.get(pairKey(x, y)));
    if (own !== undefined) return own;
  }
  return scene.margin + a.margin + b.margin;
}

/** `isAllowedPair` of what is known to be bodies. */
export function mayTouch(scene: Scene, a: SceneBody, b: SceneBody): boolean {
  const attachedA = a.object?.attachment;
  const attachedB = b.object?.attachment;
  if (a.robot && a.robot === b.robot && a.robot.allowed.get(a.name, b.name)) return true;
  if (attachedA && b.robot === attachedA.robot && (attachedA.link === b.name || attachedA.touchLinks.has(b.name)))
    return true;
  if (attachedB && a.robot === attachedB.robot && (attachedB.link === a.name || attachedB.touchLinks.has(a.name)))
    return true;
  if (attachedA && attachedB && attachedA.robot === attachedB.robot && attachedA.frame === attachedB.frame) return true;
  return scene.allowed.size > 0 && findByNames(scene, a, b, (x, y) => scene.allowed.get(x, y)) !== undefined;
}

/** Looks up by full names; then by a link's own, for what was said before the link was in the scene. */
function findByNames<T>(
  scene: Scene,
  a: SceneBody,
  b: SceneBody,
  find: (a: string, b: string) => T | undefined,
): T | undefined {
  const first = fullName(a);
  const second = fullName(b);
  const shortA = scene.objects.has(a.name) ? first : a.name;
  const shortB = scene.objects.has(b.name) ? second : b.name;
  return find(first, second) ?? find(first, shortB) ?? find(shortA, second) ?? find(shortA, shortB);
}

/** Links and attached objects, robots in order of addition, then attached objects by name of addition. */
export function movingBodies(scene: Scene): SceneBody[] {
  const bodies: SceneBody[] = [];
  for (const robot of scene.robots) for (const link of robot.links) bodies.push(link.body);
  for (const object of scene.objects.values()) if (object.attachment) bodies.push(object.body);
  return bodies;
}

/** Everything in the scene but the bodies that a robot moves: other moving bodies, then objects that stand by themselves. */
export function listOtherBodies(scene: Scene, own: ReadonlySet<SceneBody>): SceneBody[] {
  const others = movingBodies(scene).filter((body) => !own.has(body));
  for (const { body, attachment } of scene.objects.values()) if (!attachment) others.push(body);
  return others;
}

/** The order of pairs in results: by the bodies' order of addition. */
export function compareBodyPairs(
  [a, b]: readonly [SceneBody, SceneBody],
  [c, d]: readonly [SceneBody, SceneBody],
): number {
  return a.id - c.id || b.id - d.id;
}

export function orderById(a: SceneBody, b: SceneBody): [SceneBody, SceneBody] {
  return a.id < b.id ? [a, b] : [b, a];
}

/** No pair of the scene has a larger margin. */
export function largestMargin(scene: Scene, moving: readonly SceneBody[]): number {
  let largest = scene.margin;
  for (const margin of scene.world.pairMargins.values()) largest = Math.max(largest, margin);
  let first = 0;
  let second = 0;
  const consider = ({ margin }: SceneBody): void => {
    if (margin > first) {
      second = first;
      first = margin;
    } else if (margin > second) second = margin;
  };
  moving.forEach(consider);
  for (const { body, attachment } of scene.objects.values()) if (!attachment) consider(body);
  return Math.max(largest, scene.margin + first + second);
}

function requireBodies(call: string, scene: Scene, a: SceneBody, b: SceneBody): void {
  requireScene(scene, call);
  if (typeof a?.name !== 'string' || !a.parts) throwMisuse(call, 'a', a, 'a body of the scene');
  if (typeof b?.name !== 'string' || !b.parts) throwMisuse(call, 'b', b, 'a body of the scene');
}
