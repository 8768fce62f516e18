/** What a run is kept as: its last structure, or all its samples as the models of one file. */
import { createChainTree, disposeChain } from 'clearance/chain';
import { writeCif, writePdb } from 'clearance/io';
import { createProteinChain, createProteinState, toStructure } from 'clearance/molecule';
import type { LoadedProtein } from './load-protein.js';

export interface TextFile {
  readonly name: string;
  readonly text: string;
}

/** One model per row of torsions. PDB; mmCIF where a name or a number does not fit into PDB's columns. */
export function toStructureFile(
  { polymer, source }: LoadedProtein,
  torsions: readonly Float64Array[],
  stem: string,
): TextFile {
  const protein = createProteinChain(polymer);
  const tree = createChainTree(protein.chain);
  try {
    const state = createProteinState(protein, tree);
    const models = torsions.map((values) => {
      values.forEach((value, i) => {
        if (value !== state.torsions[i]) state.stage(i, value);
      });
      state.apply();
      return state.writePositions(polymer.positions.slice());
    });
    const structure = toStructure(polymer, { models, source, atoms: protein.atoms.slice().sort() });
    try {
      return { name: `${stem}.pdb`, text: writePdb(structure) };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return { name: `${stem}.cif`, text: writeCif(structure, { decimals: 3 }) };
    }
  } finally {
    tree.dispose();
    disposeChain(protein.chain);
  }
}
