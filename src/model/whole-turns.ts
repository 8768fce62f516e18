/**
 * Coordinates that a full turn leaves in the same placement, whole robot included: those of joints that only turn, whose followers turn
 * along by whole multipliers. Limits are not looked at. Tested by solve-many.test.ts and follower-limits.test.ts.
 */
import type { Model } from './model.js';

/** nq numbers: 1 for coordinates that may go a full turn further. */
export function listWholeTurns(model: Model): Uint8Array {
  const turns = new Uint8Array(model.nq);
  const { mimicDrivers: drivers, mimicMultipliers: multipliers } = model;
  for (let j = 1; j < model.jointCount; j++)
    if (drivers[j] === 0 && model.jointKinds[j]!.motion === 'rotation') turns[model.idxQ[j]] = 1;
  for (let j = 1; j < model.jointCount; j++) {
    if (drivers[j] === 0) continue;
    const isWhole = model.jointKinds[j]!.motion === 'rotation' && Number.isInteger(multipliers[j]);
    if (!isWhole && multipliers[j] !== 0) turns[model.idxQ[j]] = 0;
  }
  return turns;
}
