/** Spheres of a link in the frame of the joint that carries it. Tested by impossible-pairs.test.ts. */
import type { LinkSpheres } from '../../geometry/sphere-model.js';
import type { Model } from '../../model/model.js';

/** The finest level: x, y, z, radius per sphere. */
export function spheresInJoint(model: Model, link: number, { levels }: LinkSpheres): Float64Array {
  const frame = model.linkFrames[link];
  const X = model.framePlacements.subarray(12 * frame, 12 * frame + 12);
  const level = levels[levels.length - 1];
  const out = Float64Array.from(level);
  for (let i = 0; i < level.length; i += 4) {
    for (let r = 0; r < 3; r++)
      out[i + r] = X[3 * r] * level[i] + X[3 * r + 1] * level[i + 1] + X[3 * r + 2] * level[i + 2] + X[9 + r];
  }
  return out;
}
