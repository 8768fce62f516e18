/** Rate of a motion subspace that is constant in the moving frame. */
import type { JointKind } from './joint-kind.js';

/** `writeSubspaceRate` of a kind with nv columns: zeros. */
export function constantSubspace(nv: number): JointKind['writeSubspaceRate'] {
  return (out, outAt) => {
    for (let i = outAt; i < outAt + 6 * nv; i++) out[i] = 0;
  };
}
