/**
 * How far the tool's origin can move per unit of each velocity coordinate, whatever the configuration.
 *
 * Method: from the tool inwards the reach is a bound of the distance from a joint's moving frame to the tool's origin: the lengths of
 * the placements on the way, and how far joints on the way shift within their limits. A coordinate with the motion subspace [l, w]
 * moves the origin at most by |l| + |w| reach; joints that mimic count for their driver.
 * Infinity for joints above one that shifts without limits. Units: metres per radian or per metre. Cost: one walk along the chain.
 * Tested by tool-levers.test.ts against Jacobians.
 */
import type { Transform } from '../../math/transform.js';
import type { NumericArray } from '../../math/vec3.js';
import type { Model } from '../../model/model.js';

/** More than what rounding takes from a lever. */
const ROUNDING_UP = 1 + 1e-12;

const length = (x: NumericArray, at: number): number => Math.sqrt(x[at] ** 2 + x[at + 1] ** 2 + x[at + 2] ** 2);

export function measureLevers(model: Model, frame: number, X_FT: Transform): Float64Array {
  const { parents, placements, framePlacements, frameJoints, mimicDrivers, mimicSubspaces, motionSubspaces } = model;
  const levers = new Float64Array(model.nv);
  let reach = length(framePlacements, 12 * frame + 9) + length(X_FT, 9);
  for (let j = frameJoints[frame]; j > 0; j = parents[j]) {
    const driver = mimicDrivers[j];
    const [subspaces, first] = driver > 0 ? [mimicSubspaces, 6 * j] : [motionSubspaces, 6 * model.idxV[j]];
    const moved = driver > 0 ? driver : j;
    for (let k = 0; k < model.nvs[moved]; k++) {
      const at = first + 6 * k;
      const turn = length(subspaces, at + 3);
      levers[model.idxV[moved] + k] += length(subspaces, at) + (turn > 0 ? turn * reach : 0);
    }
    reach += length(placements, 12 * j + 9) + shiftOf(model, j);
  }
  return levers.map((lever) => lever * ROUNDING_UP);
}

/** How far the joint's moving frame can be from its place at q = 0. */
function shiftOf(model: Model, joint: number): number {
  const { lower, upper, idxQ, idxV, mimicDrivers, mimicMultipliers, mimicOffsets, mimicSubspaces } = model;
  const driver = mimicDrivers[joint];
  if (driver > 0) {
    const slope = length(mimicSubspaces, 6 * joint);
    if (slope === 0) return 0;
    const i = idxQ[driver];
    const offset = Math.abs(mimicOffsets[joint] / mimicMultipliers[joint]);
    return slope * (Math.max(Math.abs(lower[i]), Math.abs(upper[i])) + offset);
  }
  let squares = 0;
  for (let k = 0; k < model.nvs[joint]; k++) {
    const slope = length(model.motionSubspaces, 6 * (idxV[joint] + k));
    // Shifts come first among the coordinates, in both q and v.
    if (slope > 0)
      squares += (slope * Math.max(Math.abs(lower[idxQ[joint] + k]), Math.abs(upper[idxQ[joint] + k]))) ** 2;
  }
  return Math.sqrt(squares);
}
