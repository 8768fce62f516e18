/**
 * The most that the centres of a link's spheres move, and that those of two links approach, per unit of each coordinate.
 *
 * Method: a turn by one radian moves a point by at most its distance from the axis; that is bounded by the part across the axis of the
 * first stretch of the way to it that the joint carries rigidly, and the lengths of the rest. Between two links a joint may be taken to carry either:
 * the smaller lever counts. A slide moves by one.
 * Source: Schwarzer, Saha, Latombe 2005, "Adaptive dynamic collision checking for single and multiple articulated robots in complex
 * environments", IEEE Transactions on Robotics 21, section IV, doi:10.1109/TRO.2004.838012. Tested by certify-motion.test.ts.
 */
import type { Model } from '../../model/model.js';
import { type CheckedLink, pitchOf, type SphereRobot } from './sphere-robot.js';

/** Covers the rounding of the sums. */
const OUTWARD = 1 + 1e-9;

interface Lever {
  readonly joint: number;
  readonly lever: number;
}

/** Rows per link, then per pair of `pairs`; columns per coordinate. */
export function tabulateLevers(robot: SphereRobot, pairs: readonly (readonly [number, number])[]): Float64Array {
  const { model, links, coordinates } = robot;
  const n = coordinates.length;
  const table = new Float64Array((links.length + pairs.length) * n);
  const place = new Int32Array(model.nq).fill(-1);
  coordinates.forEach(({ index }, i) => {
    place[index] = i;
  });
  const add = (row: number, { joint, lever }: Lever): void => {
    const coordinate = place[model.idxQ[joint]];
    if (coordinate < 0) return;
    const factor = model.mimicDrivers[joint] > 0 ? Math.abs(model.mimicMultipliers[joint]) : 1;
    table[row * n + coordinate] += factor * lever * OUTWARD;
  };
  links.forEach((link, k) => {
    for (const lever of leversBelow(robot, link, 0)) add(k, lever);
  });
  pairs.forEach(([i, k], p) => {
    for (const lever of leversBetween(robot, links[i], links[k])) add(links.length + p, lever);
  });
  return table;
}

/** Of the joints from below `top` down to the link: they carry it. */
function leversBelow({ model, shifts }: SphereRobot, link: CheckedLink, top: number): Lever[] {
  const levers: Lever[] = [];
  let rest = 0;
  let below = -1;
  for (let j = link.joint; j !== top; j = model.parents[j]) {
    if (model.jointKinds[j]?.name === 'prismatic') levers.push({ joint: j, lever: 1 });
    else {
      const around = below < 0 ? farthestAcross(model, link) : across(model, j, below) + rest;
      levers.push({ joint: j, lever: around + along(model, j) });
    }
    rest += below < 0 ? farthest(link) : length(model, below);
    rest += shifts[j];
    below = j;
  }
  return levers;
}

/** Of the joints between two links, each toward the nearer of them. */
function leversBetween(robot: SphereRobot, a: CheckedLink, b: CheckedLink): Lever[] {
  const { model, shifts } = robot;
  const chainA = model.supports[a.joint];
  const chainB = model.supports[b.joint];
  let common = 0;
  for (let i = 0; i < chainA.length && chainA[i] === chainB[i]; i++) common = chainA[i];
  const levers: Lever[] = [];
  for (const [link, other] of [
    [a, b],
    [b, a],
  ]) {
    const own = leversBelow(robot, link, common);
    // From the common joint down to the other link's centres, then up to each joint of this side.
    let away = farthest(other);
    for (let j = other.joint; j !== common; j = model.parents[j]) away += length(model, j) + shifts[j];
    for (const { joint, lever } of [...own].reverse()) {
      away += length(model, joint) + shifts[joint];
      const slides = model.jointKinds[joint]?.name === 'prismatic';
      levers.push({ joint, lever: slides ? 1 : Math.min(lever, away + along(model, joint)) });
    }
  }
  return levers;
}

/** What a turn by one radian shifts by. */
function along(model: Model, joint: number): number {
  return model.jointKinds[joint]?.name === 'helical' ? pitchOf(model, joint) : 0;
}

function length(model: Model, joint: number): number {
  const [x, y, z] = model.placements.subarray(12 * joint + 9, 12 * joint + 12);
  return Math.sqrt(x * x + y * y + z * z);
}

/** Distance of a child's origin from the joint's axis. */
function across(model: Model, joint: number, child: number): number {
  return distanceFromAxis(model, joint, model.placements, 12 * child + 9);
}

function farthestAcross(model: Model, { joint, inJoint }: CheckedLink): number {
  let most = 0;
  for (let i = 0; i < inJoint.length; i += 4) most = Math.max(most, distanceFromAxis(model, joint, inJoint, i));
  return most;
}

function farthest({ inJoint }: CheckedLink): number {
  let most = 0;
  for (let i = 0; i < inJoint.length; i += 4)
    most = Math.max(most, Math.sqrt(inJoint[i] ** 2 + inJoint[i + 1] ** 2 + inJoint[i + 2] ** 2));
  return most;
}

function distanceFromAxis(model: Model, joint: number, p: Float64Array, at: number): number {
  const [ux, uy, uz] = model.axes.subarray(3 * joint, 3 * joint + 3);
  const x = uy * p[at + 2] - uz * p[at + 1];
  const y = uz * p[at] - ux * p[at + 2];
  const z = ux * p[at + 1] - uy * p[at];
  return Math.sqrt(x * x + y * y + z * z);
}
