/**
 * Meshes whose size does not go with the robot they belong to or stand beside: millimetres or inches taken for metres.
 *
 * Method: a robot is as large as its longest row of joints from the root, or its largest part that is no mesh. A mesh of it,
 * or of an object, more than twenty times as large and larger than 20 m is suspected; an object's mesh also when it is five
 * thousand times smaller. Shapes written in numbers are taken as they stand: a floor may be large.
 * Metres. Cost: linear in parts. Says nothing of scenes without robots. Tested by size-check.test.ts.
 */

import type { Body } from './bodies.js';
import type { RobotDescription } from './description.js';
import { requireOpen } from './scene-door.js';
import type { Scene, SceneRobot } from './types.js';

export interface SizeSuspicion {
  /** `link "elbow"` (with several robots `robot "left", link ...`) or `object "part"`. */
  readonly element: string;
  /** Largest extent of the mesh. */
  readonly size: number;
  /** Of the robot it was compared with. */
  readonly robotSize: number;
  /** One sentence for people. */
  readonly message: string;
}

const LARGER = 20;
const SMALLER = 1 / 5000;
const MIN_LARGE = 20;
/** A robot without joints and shapes has no size to compare with. */
const MIN_ROBOT = 1e-3;

/** All suspicions, in the order in which robots and objects were added. */
export function findSizeSuspicions(scene: Scene): SizeSuspicion[] {
  requireOpen(scene, 'findSizeSuspicions');
  const found: SizeSuspicion[] = [];
  const several = scene.robots.length > 1;
  let largest = 0;
  for (const robot of scene.robots) {
    const size = measureRobot(robot);
    if (!(size > MIN_ROBOT)) continue;
    largest = Math.max(largest, size);
    const prefix = several ? `robot "${robot.name}", ` : '';
    for (const { name, body } of robot.links) {
      const mesh = measureParts(body, true);
      if (isLarge(mesh, size)) found.push(suspect(`${prefix}link "${name}"`, mesh, size));
    }
  }
  if (largest === 0) return found;
  for (const { name, body } of scene.objects.values()) {
    const mesh = measureParts(body, true);
    if (isLarge(mesh, largest) || (mesh > 0 && mesh < SMALLER * largest))
      found.push(suspect(`object "${name}"`, mesh, largest));
  }
  return found;
}

const isLarge = (mesh: number, robot: number): boolean => mesh > MIN_LARGE && mesh > LARGER * robot;

function suspect(element: string, size: number, robotSize: number): SizeSuspicion {
  const [large, robot] = [size, robotSize].map((metres) => `${Number(metres.toPrecision(3))} m`);
  const guess =
    size > robotSize
      ? 'its numbers look like millimetres: give its scale 0.001, or the unit of its file'
      : 'it looks scaled twice: check its scale and the unit of its file';
  return { element, size, robotSize, message: `its mesh is ${large} large beside a robot of ${robot}; ${guess}` };
}

function measureRobot({ description, links }: SceneRobot): number {
  return Math.max(measureReach(description), ...links.map(({ body }) => measureParts(body, false)));
}

/** Largest extent of the parts that are meshes, or of those that are not; 0 without any, infinite ones apart. */
function measureParts({ parts }: Body, meshes: boolean): number {
  let size = 0;
  for (const { collider, extents } of parts) {
    if ((collider.shape.type === 'mesh') !== meshes) continue;
    const extent = 2 * Math.max(extents[3], extents[4], extents[5]);
    if (extent < Infinity) size = Math.max(size, extent);
  }
  return size;
}

/** Length of the longest row of joint origins from a root. */
function measureReach({ model }: RobotDescription): number {
  const above = new Map(model.joints.map((joint) => [joint.child, joint]));
  const reach = new Map<string, number>();
  let longest = 0;
  for (const { name } of model.links) {
    // Up to what is known, then down again: no recursion.
    const row: string[] = [];
    let link = name;
    for (let joint = above.get(link); joint && !reach.has(link) && row.length <= model.links.length; ) {
      row.push(link);
      link = joint.parent;
      joint = above.get(link);
    }
    let length = reach.get(link) ?? 0;
    for (let i = row.length - 1; i >= 0; i--) {
      const { origin } = above.get(row[i])!;
      length += Math.sqrt(origin[9] * origin[9] + origin[10] * origin[10] + origin[11] * origin[11]);
      reach.set(row[i], length);
    }
    longest = Math.max(longest, length);
  }
  return longest;
}
