/**
 * Where closed forms leave their answer: numbers alone, so that a verdict reads one and a result is written once. A number handed
 * from function to function goes to the heap, and of arrays this long compilers know the address.
 * Frames: W world, that of the poses given.
 */
import type { DistanceResult } from './query.js';

/** Signed distance, unit normal from A to B (1-3), closest point of A (4-6). */
export const found: Float64Array = new Float64Array(16);

/** The answer as a result: pointB = pointA + distance * normal. */
export function writeFound(out: DistanceResult): void {
  const { pointA, pointB, normal } = out;
  const distance = found[0];
  const nx = found[1];
  const ny = found[2];
  const nz = found[3];
  const x = found[4];
  const y = found[5];
  const z = found[6];
  out.status = 'ok';
  out.distance = distance;
  out.featureA = -1;
  out.featureB = -1;
  normal[0] = nx;
  normal[1] = ny;
  normal[2] = nz;
  pointA[0] = x;
  pointA[1] = y;
  pointA[2] = z;
  pointB[0] = x + distance * nx;
  pointB[1] = y + distance * ny;
  pointB[2] = z + distance * nz;
}
