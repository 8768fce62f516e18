/** What is watched over a simulation: extent of the chain, and how far it is from a reference. */
import { MisuseError } from '../../math/misuse.js';
import { requireAtoms } from '../molecule-door.js';
import { type ProteinState, requireConformation } from '../protein-state.js';
import { radiusOfGyration, superpose } from '../superpose.js';

export interface Observables {
  /** Of the chain's atoms, all weighing alike, angstrom. */
  readonly radiusOfGyration: number;
  /** Root-mean-square deviation from the reference after superposition, angstrom. */
  readonly deviation: number;
}

export class Observer {
  /** Positions of the conformation last measured, 3 per atom of the molecule, in the file's frame. */
  readonly positions: Float64Array;
  private readonly atoms: ArrayLike<number>;
  private readonly reference: Float64Array;
  private readonly chainPositions: Float64Array;

  /** `atoms`: those that the deviation counts, all of the chain when left out. The reference is the molecule as given. */
  constructor(
    private readonly conformation: ProteinState,
    atoms?: ArrayLike<number>,
  ) {
    requireConformation('createObserver', conformation);
    const { molecule } = conformation.protein;
    this.atoms = atoms === undefined ? conformation.protein.atoms : atoms;
    requireAtoms('createObserver', 'atoms', this.atoms, molecule.atomCount);
    if (this.atoms.length === 0) throw new MisuseError('createObserver: atoms, got none, expected at least one');
    this.reference = molecule.positions;
    this.positions = molecule.positions.slice();
    this.chainPositions = new Float64Array(3 * conformation.protein.atoms.length);
  }

  measure(): Observables {
    const { positions, chainPositions } = this;
    this.conformation.writePositions(positions);
    this.conformation.protein.atoms.forEach((atom, row) => {
      for (let k = 0; k < 3; k++) chainPositions[3 * row + k] = positions[3 * atom + k];
    });
    return {
      radiusOfGyration: radiusOfGyration(chainPositions),
      deviation: superpose(this.reference, positions, this.atoms).deviation,
    };
  }
}

/** `atoms`: those whose deviation is measured; all of the protein's by default. */
export function createObserver(conformation: ProteinState, atoms?: ArrayLike<number>): Observer {
  return new Observer(conformation, atoms);
}
