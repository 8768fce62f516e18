/** Rigid-body problems in one call: a path, the proof of a given path, the check of a certificate. */

import { requireFunction, requireList, requireNumbers, requireObject } from '../math/arguments.js';
import { BodyPair } from './body-pair.js';
import { createMotionProof } from './certify-motion.js';
import { certifyRigidPoses, type RigidCertificate, type RigidPathProof } from './certify-path.js';
import type { RigidPose } from './pose.js';
import { type RigidProblem, requireRigidProblem } from './problem.js';
import { requirePath, requirePose, requireSearchOptions } from './requests.js';
import { createRigidSearch, type RigidPlan, type RigidProgress, type RigidSearchOptions } from './rigid-search.js';
import { ScrewCertifier, toStraightMotions } from './screw.js';
import { type CertificateVerdict, verifyRigidPoses } from './verify-path.js';

export interface PlanRigidOptions extends RigidSearchOptions {
  /** Needs `clock`. Ends the search within some hundred queries. */
  readonly timeoutMs?: number;
  /** Milliseconds from any origin. */
  readonly clock?: () => number;
  /** Asked now and then; true ends the search with status `timeout`. */
  readonly shouldStop?: () => boolean;
  readonly onProgress?: (progress: RigidProgress) => void;
}

/** Queries between looks at the limits from outside. */
const SLICE = 512;
const REPORT = 20;

/** The same path for the same problem, seed and limit, whatever the clock says; a limit from outside only ends the search. */
export function planRigid(problem: RigidProblem, options: PlanRigidOptions = {}): RigidPlan {
  requireRigidProblem('planRigid', problem);
  requireSearchOptions('planRigid', options);
  const { timeoutMs, clock, shouldStop, onProgress } = options;
  if (timeoutMs !== undefined) requireFunction('planRigid', 'options.clock', clock);
  const search = createRigidSearch(problem, options);
  try {
    const end = timeoutMs === undefined ? Infinity : (clock as () => number)() + timeoutMs;
    for (let slice = 0; !search.step(SLICE); slice++) {
      if (onProgress && slice % REPORT === 0) onProgress(search.progress);
      // A path that is found is still certified: it is what was asked for.
      if (!search.isFound && (shouldStop?.() || (end < Infinity && (clock as () => number)() > end))) break;
    }
    return search.result();
  } finally {
    search.dispose();
  }
}

/** Is the body free at every time of the path? With the proof, or where it touches. */
export function certifyRigidPath(problem: RigidProblem, path: readonly RigidPose[]): RigidPathProof {
  return withPair('certifyRigidPath', problem, path, (pair) => certifyRigidPoses(pair, path));
}

/** Of a screw motion: whether it is free, and it as a path, whose motions are those of the body's origin, proven one by one. */
export interface ScrewMotionProof {
  /** `undecided` too where it is free and cannot be written as a path. */
  readonly status: 'free' | 'collides' | 'undecided';
  /** Poses of the path; none where it is not free. */
  readonly path: readonly RigidPose[];
  /** Proven of the path; 0 where it is not free. */
  readonly clearance: number;
  /** Where it touches or is tightest, as a time of the screw, with the two triangles. */
  readonly t: number;
  readonly triangleObstacle: number;
  readonly triangleBody: number;
}

/** Is the body free at every time of the screw motion from a to b, a turn about an axis that stands still and a way along it? */
export function certifyScrewMotion(problem: RigidProblem, a: RigidPose, b: RigidPose): ScrewMotionProof {
  requirePose('certifyScrewMotion', 'a', a);
  requirePose('certifyScrewMotion', 'b', b);
  return withPair('certifyScrewMotion', problem, [a, b], (pair) => {
    const { verdict, t, triangleObstacle, triangleBody } = new ScrewCertifier(pair).certify(createMotionProof(), a, b);
    const path = verdict === 'free' ? toStraightMotions(pair, a, b) : null;
    const proof = path && certifyRigidPoses(pair, path);
    const status = verdict === 'blocked' ? 'collides' : proof?.status === 'free' ? 'free' : 'undecided';
    return {
      ...{ status, path: status === 'free' && path ? path : [], clearance: proof?.clearance ?? 0 },
      ...{ t, triangleObstacle, triangleBody },
    };
  });
}

/** Checks a certificate of a path with distances alone. */
export function verifyRigidPath(
  problem: RigidProblem,
  path: readonly RigidPose[],
  certificate: RigidCertificate,
): CertificateVerdict {
  requireObject('verifyRigidPath', 'certificate', certificate);
  requireList('verifyRigidPath', 'certificate.motions', certificate.motions);
  certificate.motions.forEach((motion, i) => {
    requireObject('verifyRigidPath', `certificate.motions[${i}]`, motion);
    requireNumbers('verifyRigidPath', `certificate.motions[${i}].balls`, motion.balls);
  });
  return withPair('verifyRigidPath', problem, path, (pair) => verifyRigidPoses(pair, path, certificate));
}

function withPair<T>(call: string, problem: RigidProblem, path: readonly RigidPose[], ask: (pair: BodyPair) => T): T {
  requireRigidProblem(call, problem);
  requirePath(call, path);
  let reach = 0;
  for (const pose of path) for (let k = 0; k < 3; k++) reach = Math.max(reach, Math.abs(pose[k]));
  const pair = new BodyPair(problem.body, problem.obstacles, reach);
  try {
    return ask(pair);
  } finally {
    pair.dispose();
  }
}
