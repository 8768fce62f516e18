/**
 * The kernel's side of casts of convex shapes: hands the motions over to assembly/convex/cast-convex.ts and reads the contact.
 * Frames: W. Cost: 100 numbers in, about 0.1 us. Checked by cast.test.ts.
 */
import { openPair, RESULT, shared } from './convex-kernel.js';
import type { DistanceResult } from './query.js';
import type { RigidMotion } from './rigid-motion.js';

export interface ApproachRequest {
  /** Closer than this is a contact. */
  tolerance: number;
  /** Bound of how fast any two points approach. */
  fastest: number;
  maxRounds: number;
  /** Written: rounds taken. */
  rounds: number;
}

/** Hands over the motions and the first direction, out.normal; returns where the directions and the answer lie. */
function openMotion(out: DistanceResult, a: RigidMotion, b: RigidMotion): number {
  openPair(a.core, b.core, a.X);
  const { f64, functions } = shared;
  a.write(f64, functions.castBlock(0) / 8);
  b.write(f64, functions.castBlock(1) / 8);
  const at = functions.castBlock(2) / 8;
  for (let k = 0; k < 3; k++) f64[at + k] = out.normal[k];
  return at;
}

/**
 * From time `from`, with the shapes apart along out.normal: a time before which there is no contact, above 1 when there is
 * none at all. A contact at the time returned is in `out`, with status 'ok'; 'beyond-bound' says that none was established.
 */
export function castConvex(
  out: DistanceResult,
  a: RigidMotion,
  b: RigidMotion,
  from: number,
  request: ApproachRequest,
): number {
  const { tolerance, fastest, maxRounds } = request;
  const at = openMotion(out, a, b);
  const t = shared.functions.castConvex(from, tolerance, fastest, maxRounds);
  const { f64 } = shared;
  out.status = f64[at + 3] === 1 ? 'ok' : 'beyond-bound';
  request.rounds = f64[at + 4];
  if (out.status === 'ok') {
    out.distance = f64[RESULT];
    for (let k = 0; k < 3; k++) {
      out.normal[k] = f64[RESULT + 1 + k];
      out.pointA[k] = f64[RESULT + 4 + k];
      out.pointB[k] = f64[RESULT + 7 + k];
    }
  }
  return t;
}

/** The same along out.normal only, for a plane of which one shape is a side; never establishes a contact. */
export function castPlane(
  out: DistanceResult,
  a: RigidMotion,
  b: RigidMotion,
  from: number,
  request: ApproachRequest,
): number {
  openMotion(out, a, b);
  return shared.functions.castPlane(from, request.tolerance, request.fastest);
}
