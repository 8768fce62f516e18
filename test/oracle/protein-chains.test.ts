/** Every protein of the reference data as a kinematic chain: it starts where its file has it. */
import { describe, expect, it } from 'vitest';
import { createChainTree } from '../../src/chain/chain-tree.js';
import { buildMolecule } from '../../src/molecule/build-molecule.js';
import { createProteinChain } from '../../src/molecule/protein-chain.js';
import { ProteinState } from '../../src/molecule/protein-state.js';
import { loadStructure } from '../../src/node/load-structure.js';
import { sharedPath } from '../shared.js';
import { hasProteins, needsProteins, proteinPaths } from './reference-proteins.js';

describe.skipIf(!hasProteins)(`proteins as chains${needsProteins}`, () => {
  it('the list names the proteins', () => expect(proteinPaths.length).toBeGreaterThan(30));

  it.each(proteinPaths)('%s: atoms within 1e-9 angstrom, with and without side chains that turn', async (path) => {
    const { value } = await loadStructure(sharedPath('data', path)!);
    // A file whose atoms have no coordinates is reported, and has no model.
    if (value!.models.length === 0) return;
    const molecule = buildMolecule(value!);
    if (!molecule.residues.some(({ kind, count }) => kind === 'amino-acid' && count > 0)) return;
    for (const sideChains of ['chi', 'rigid'] as const) {
      for (const disulfides of ['keep', 'open'] as const) {
        const protein = createProteinChain(molecule, { sideChains, disulfides });
        const state = new ProteinState(protein, createChainTree(protein.chain));
        const positions = state.writePositions(molecule.positions.slice());
        let worst = 0;
        positions.forEach((x, i) => {
          worst = Math.max(worst, Math.abs(x - molecule.positions[i]));
        });
        expect(worst).toBeLessThan(1e-9);
      }
    }
  });
});
