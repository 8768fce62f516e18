/** Torque limits mean something only where a joint moves mass: with none, every acceleration costs nothing and keeps them. */
import type { DynamicsOptions } from '../dynamics/dynamics-data.js';
import { MisuseError } from '../math/misuse.js';
import type { Model } from '../model/model.js';
import type { MotionLimits } from './limits.js';

/** Independent joints, by number, that move neither mass nor inertia, whatever the configuration; followers' bodies count for their drivers. */
export function listMasslessJoints(model: Model): number[] {
  const moves = new Uint8Array(model.jointCount);
  for (let j = 1; j < model.jointCount; j++) {
    if (!hasInertia(model, j)) continue;
    for (const above of model.supports[j]) {
      moves[above] = 1;
      if (model.mimicDrivers[above] > 0) moves[model.mimicDrivers[above]] = 1;
    }
  }
  return Array.from(model.jointNames.keys()).filter((j) => j > 0 && model.nvs[j] > 0 && moves[j] === 0);
}

function hasInertia(model: Model, j: number): boolean {
  if (model.masses[j] > 0) return true;
  for (let k = 0; k < 9; k++) if (model.inertias[9 * j + k] !== 0) return true;
  return false;
}

/** Of those, the joints whose torque is limited and that have no armature: limits that mean nothing. */
export function listIdleTorqueLimits(model: Model, limits: MotionLimits, dynamics: DynamicsOptions = {}): number[] {
  if (!limits.torque.some((limit) => limit < Infinity)) return [];
  return listMasslessJoints(model).filter((j) => {
    for (let k = model.idxV[j]; k < model.idxV[j] + model.nvs[j]; k++)
      if (limits.torque[k] < Infinity && !((dynamics.armature?.[k] ?? 0) > 0)) return true;
    return false;
  });
}

/** Throws where a torque is limited of a joint that moves no mass and has no armature. */
export function requireMasses(call: string, model: Model, limits: MotionLimits, dynamics: DynamicsOptions = {}): void {
  const light = listIdleTorqueLimits(model, limits, dynamics);
  if (light.length === 0) return;
  const names = light.map((j) => `"${model.jointNames[j]}"`).join(', ');
  throw new MisuseError(
    `${call}: limits.torque, got limits of joints that move no mass (${names}), expected links with mass, armature, or no such limit`,
  );
}
