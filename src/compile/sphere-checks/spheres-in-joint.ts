/** Spheres of a link in the frame of the joint that carries it. Tested by impossible-pairs.test.ts. */
import type { LinkSpheres } from '../../geometry/sphere-model.js';
import type { Model } from '../../model/model.js';

/** The finest level: x, y, z, radius per sphere. */
export function spheresInJoint(model: Model, link: number, { levels }: LinkSpheres): Float64Array {
  return placeSpheres(model, model.linkFrames[link], levels[levels.length - 1]);
}

/** Spheres of a frame in the frame of its joint. */
export function placeSpheres(model: Model, frame: number, spheres: Float64Array): Float64Array {
  const X = model.framePlacements.subarray(12 * frame, 12 * frame + 12);
  const out = Float64Array.from(spheres);
  for (let i = 0; i < spheres.length; i += 4) {
    for (let r = 0; r < 3; r++)
      out[i + r] = X[3 * r] * spheres[i] + X[3 * r + 1] * spheres[i + 1] + X[3 * r + 2] * spheres[i + 2] + X[9 + r];
  }
  return out;
}
