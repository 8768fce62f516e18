/** Proteins and energies for tests of the sampler. */
import { createChainTree } from '../../chain/chain-tree.js';
import { buildMolecule } from '../build-molecule.js';
import { buildPeptide } from '../peptide.js';
import { createProteinChain } from '../protein-chain.js';
import { ProteinState } from '../protein-state.js';
import type { ConformationEnergy } from './conformation-energy.js';

/** An energy of the torsions alone. */
export class TorsionEnergy implements ConformationEnergy {
  total = 0;
  private before = 0;

  constructor(
    private readonly conformation: ProteinState,
    private readonly evaluate: (torsions: Float64Array) => number,
  ) {}

  listTerms(): Readonly<Record<string, number>> {
    return { torsion: this.total };
  }

  update(): number {
    this.before = this.total;
    this.total = this.evaluate(this.conformation.torsions);
    return this.total;
  }

  undo(): void {
    this.total = this.before;
  }
}

/** A peptide whose atoms have no size: nothing ever touches. */
export function createFreePeptide(sequence: string): ProteinState {
  const protein = createProteinChain(buildMolecule(buildPeptide(sequence)), { overlap: 4 });
  return new ProteinState(protein, createChainTree(protein.chain));
}
