/** What a Monte Carlo move is. */
import type { SeededRandom } from '../../math/random.js';
import type { ProteinState } from '../protein-state.js';

/** A move that cannot be made from here; it counts as rejected. */
export const IMPOSSIBLE = Number.NEGATIVE_INFINITY;

export interface Move {
  readonly name: string;
  /**
   * Stages a change of the conformation. Returns the logarithm of the factor that the acceptance needs beside the energies
   * so that the torsions' uniform measure is kept: (density of the reverse proposal x its Jacobian) over (that of this
   * one), 0 for symmetric moves; or IMPOSSIBLE.
   */
  propose(conformation: ProteinState, random: SeededRandom): number;
}
