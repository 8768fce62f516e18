/**
 * What is wrong with a start or goal: out of bounds, or touching, with the triangles, how deep, and the nearest free pose that was found.
 *
 * The free pose is looked for by translations along the 26 directions, doubled until one is free: an upper bound of the depth.
 */

import type { BodyPair } from './body-pair.js';
import type { RigidPose } from './pose.js';
import type { RigidProblem } from './problem.js';

export interface PoseFault {
  readonly reason: string;
  /** Of a pose that touches; -1 out of bounds. */
  readonly triangleObstacle: number;
  readonly triangleBody: number;
  /** Length of the translation to `freePose`: the depth is at most that; null where none was found. */
  readonly depth: number | null;
  readonly freePose: RigidPose | null;
}

const DOUBLINGS = 24;

/** null where the pose is free and within the bounds. */
export function findPoseFault(pair: BodyPair, problem: RigidProblem, pose: RigidPose, what: string): PoseFault | null {
  for (let k = 0; k < 3; k++) {
    if (pose[k] >= problem.lower[k] && pose[k] <= problem.upper[k]) continue;
    const reason = `the ${what} is out of bounds: ${'xyz'[k]} is ${pose[k]}, expected ${problem.lower[k]} to ${problem.upper[k]}`;
    return { reason, triangleObstacle: -1, triangleBody: -1, depth: null, freePose: null };
  }
  if (!pair.collides(pose)) return null;
  const triangles = pair.writeTriangles({ triangleObstacle: -1, triangleBody: -1 }, pair.contact);
  const freePose = findFreePose(pair, problem, pose);
  let depth: number | null = null;
  if (freePose) depth = Math.sqrt([0, 1, 2].reduce((sum, k) => sum + (freePose[k] - pose[k]) ** 2, 0));
  const near = depth === null ? '' : `; a translation of ${depth.toPrecision(3)} frees it`;
  return {
    reason: `the ${what} touches: triangle ${triangles.triangleBody} of the body and triangle ${triangles.triangleObstacle} of the obstacles${near}`,
    ...triangles,
    depth,
    freePose,
  };
}

function findFreePose(pair: BodyPair, problem: RigidProblem, pose: RigidPose): RigidPose | null {
  const out: RigidPose = Float64Array.from(pose);
  for (let step = 0, length = 1e-6 * pair.radius; step < DOUBLINGS; step++, length *= 2)
    for (let code = 0; code < 27; code++) {
      const d = [(code % 3) - 1, (Math.floor(code / 3) % 3) - 1, Math.floor(code / 9) - 1];
      const norm = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      if (norm === 0 || (problem.group === 'SE2' && d[2] !== 0)) continue;
      for (let k = 0; k < 3; k++) out[k] = pose[k] + (length * d[k]) / norm;
      if (!pair.collides(out)) return out;
    }
  return null;
}
