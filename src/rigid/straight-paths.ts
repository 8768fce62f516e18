/**
 * Paths of few motions between start and goal: the straight one, the screw, and straight ones along the axes in all orders, at the start's or the
 * goal's orientation. A part that leaves a straight slot does so by one of these, however narrow the slot is.
 */

import type { BodyPair } from './body-pair.js';
import { createMotionProof, MotionCertifier } from './certify-motion.js';
import type { RigidPose } from './pose.js';
import type { RigidProblem } from './problem.js';
import { toStraightMotions } from './screw.js';

/** Distances that a screw may take, and each of the motions that it is cut into. */
const SCREW_QUERIES = 2000;

const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];

export function findAxisPath(pair: BodyPair, { start, goal, lower, upper }: RigidProblem): RigidPose[] | null {
  const certifier = new MotionCertifier(pair);
  const proof = createMotionProof();
  const known = new Map<string, boolean>();
  const isFree = (a: RigidPose, b: RigidPose): boolean => {
    const key = `${a.join()} ${b.join()}`;
    let answer = known.get(key);
    if (answer === undefined) {
      answer = certifier.certify(proof, a, b).verdict === 'free';
      known.set(key, answer);
    }
    return answer;
  };
  const isPathFree = (path: readonly RigidPose[]): boolean =>
    path.every((pose, i) => i === 0 || isFree(path[i - 1], pose));
  if (isFree(start, goal)) return [start, goal];
  const screw = toStraightMotions(pair, start, goal, SCREW_QUERIES);
  // Of the origin, which goes straight between two poses: the bounds hold between them, too.
  if (screw?.every((pose) => [0, 1, 2].every((k) => pose[k] >= lower[k] && pose[k] <= upper[k]))) return screw;
  const turned = toPose(start, goal);
  for (const turnFirst of [false, true])
    for (const order of ORDERS) {
      const path: RigidPose[] = [start];
      if (turnFirst) path.push(toPose(start, goal));
      let at = path[path.length - 1];
      for (const k of order) {
        if (at[k] === goal[k]) continue;
        at = Float64Array.from(at);
        at[k] = goal[k];
        path.push(at);
      }
      if (at.some((x, k) => x !== goal[k])) path.push(goal);
      if (isPathFree(path)) return path;
      if (turned.every((x, k) => x === start[k])) break;
    }
  return null;
}

/** At the position of the one, with the orientation of the other. */
function toPose(position: RigidPose, orientation: RigidPose): RigidPose {
  const out = Float64Array.from(position);
  for (let k = 3; k < 7; k++) out[k] = orientation[k];
  return out;
}
