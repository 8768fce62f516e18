/**
 * Is a body free at every time of a path, motion by motion? With a certificate, the clearance along it and its narrowest place; or where
 * it touches.
 *
 * Method: certify-motion.ts on each motion; the proofs' balls are the certificate, which verify-path.ts checks by itself.
 * Clearance: proven to be at least `clearance`, and at the narrowest place at most `narrowest.distance`; the two differ by a tenth.
 * Tested by motion.test.ts.
 */

import type { BodyPair } from './body-pair.js';
import { createMotionProof, MotionCertifier } from './certify-motion.js';
import type { RigidPose } from './pose.js';

/** Times and proven distances per motion: `balls` is t, d, t, d, ... */
export interface RigidCertificate {
  readonly motions: readonly { readonly balls: readonly number[] }[];
}

export interface NarrowPlace {
  /** The motion from pose `motion` to the next, and when. */
  readonly motion: number;
  readonly t: number;
  readonly distance: number;
  readonly triangleObstacle: number;
  readonly triangleBody: number;
}

export interface RigidPathProof {
  readonly status: 'free' | 'collides' | 'undecided';
  /** Free: proven least distance. 0 otherwise. */
  readonly clearance: number;
  /** Of a free path the narrowest place seen; otherwise where it touches, or where nothing could be said. */
  readonly narrowest: NarrowPlace | null;
  readonly certificate: RigidCertificate | null;
}

/** What a tenth less than the least distance is proven. */
const SHARE = 0.9;

export function certifyRigidPoses(pair: BodyPair, path: readonly RigidPose[]): RigidPathProof {
  const certifier = new MotionCertifier(pair);
  const proof = createMotionProof();
  const motions: { balls: number[] }[] = [];
  let narrowest: NarrowPlace | null = null;
  const place = (motion: number): NarrowPlace => ({
    motion,
    t: proof.t,
    distance: proof.distance,
    triangleObstacle: proof.triangleObstacle,
    triangleBody: proof.triangleBody,
  });
  let least = Infinity;
  for (let i = 0; i + 1 < path.length; i++) {
    // A motion of one pose is that pose.
    certifier.certify(proof, path[i], path[i + 1], SHARE);
    if (proof.verdict !== 'free') {
      const status = proof.verdict === 'blocked' ? 'collides' : 'undecided';
      return { status, clearance: 0, narrowest: place(i), certificate: null };
    }
    motions.push({ balls: [...proof.balls] });
    least = Math.min(least, proof.bound);
    if (narrowest === null || proof.distance < narrowest.distance) narrowest = place(i);
  }
  return { status: 'free', clearance: least, narrowest, certificate: { motions } };
}
