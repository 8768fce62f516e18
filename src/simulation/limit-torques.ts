/** Torques of controllers within what the joints' drives can give. Checked by joint-controllers.test.ts. */
import type { Model } from '../model/model.js';

export function limitTorques(torques: Float64Array, { effortLimits }: Model): void {
  for (let k = 0; k < torques.length; k++)
    torques[k] = Math.max(-effortLimits[k], Math.min(effortLimits[k], torques[k]));
}
