/**
 * Shortens a path by motions that are proven free, never by samples.
 *
 * Method: two places on the path are drawn, on any motions, and joined straight where that is shorter and proven free; then poses whose
 * neighbours can be joined are left out. Seeded; ends after so many queries.
 * Source: Geraerts, Overmars 2007, "Creating high-quality paths for motion planning", section 3, doi:10.1177/0278364907079280.
 */
import { createRandom } from '../math/random.js';
import type { BodyPair } from './body-pair.js';
import { createMotionProof, MotionCertifier } from './certify-motion.js';
import { angleBetween, interpolatePose, type RigidPose } from './pose.js';

const TRIES = 400;

export function shortenPoses(
  pair: BodyPair,
  given: readonly RigidPose[],
  weight: number,
  queries: number,
): RigidPose[] {
  const certifier = new MotionCertifier(pair);
  const proof = createMotionProof();
  const random = createRandom(1);
  const until = pair.queries + queries;
  let path = [...given];
  const measure = (a: RigidPose, b: RigidPose): number => {
    let square = (weight * angleBetween(a, b)) ** 2;
    for (let k = 0; k < 3; k++) square += (a[k] - b[k]) ** 2;
    return Math.sqrt(square);
  };
  /** A shortcut that takes a large share of the budget is not worth it. */
  const isFree = (a: RigidPose, b: RigidPose): boolean => {
    const left = until - pair.queries;
    return left > 0 && certifier.certify(proof, a, b, 0, Math.min(left, 2000)).verdict === 'free';
  };
  path = dropPoses(path, isFree);
  for (let k = 0; k < TRIES && pair.queries < until && path.length > 2; k++) {
    const lengths = [0];
    for (let i = 0; i + 1 < path.length; i++) lengths.push(lengths[i] + measure(path[i], path[i + 1]));
    const total = lengths[lengths.length - 1];
    let from = random.next() * total;
    let to = random.next() * total;
    if (from > to) [from, to] = [to, from];
    const a = locate(path, lengths, from);
    const b = locate(path, lengths, to);
    if (a.motion === b.motion || measure(a.pose, b.pose) > 0.98 * (to - from)) continue;
    if (isFree(a.pose, b.pose)) path = [...path.slice(0, a.motion + 1), a.pose, b.pose, ...path.slice(b.motion + 1)];
  }
  return dropPoses(path, isFree);
}

function locate(
  path: readonly RigidPose[],
  lengths: readonly number[],
  at: number,
): { motion: number; pose: RigidPose } {
  let motion = 0;
  while (motion + 2 < path.length && lengths[motion + 1] <= at) motion++;
  const length = lengths[motion + 1] - lengths[motion];
  const t = length > 0 ? Math.min(1, Math.max(0, (at - lengths[motion]) / length)) : 0;
  return { motion, pose: interpolatePose(new Float64Array(7), path[motion], path[motion + 1], t) };
}

/** From each pose the farthest later one, halving, that can be reached straight. */
function dropPoses(path: readonly RigidPose[], isFree: (a: RigidPose, b: RigidPose) => boolean): RigidPose[] {
  const out = [path[0]];
  for (let at = 0; at + 1 < path.length; ) {
    let next = at + 1;
    for (let step = path.length - 1 - at; step > 1; step >>= 1)
      if (isFree(path[at], path[at + step])) {
        next = at + step;
        break;
      }
    out.push(path[next]);
    at = next;
  }
  return out;
}
