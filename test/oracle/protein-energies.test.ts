/**
 * The energy of every protein of the reference data, as its file has it and after turns of its torsions: energy tree, grid of
 * all pairs and grid of changed pairs against the definition, which goes through all pairs; large turns are taken back before
 * each, and a tree made at the end has the same bits. With ORACLE_FULL set, more turns.
 */
import { describe, expect, it } from 'vitest';
import { createChainTree } from '../../src/chain/chain-tree.js';
import { createRandom } from '../../src/math/random.js';
import { buildMolecule } from '../../src/molecule/build-molecule.js';
import { computeEnergy } from '../../src/molecule/energy/compute-energy.js';
import { createEnergyTree } from '../../src/molecule/energy/energy-tree.js';
import { createForceField } from '../../src/molecule/energy/force-field.js';
import { GridEnergy } from '../../src/molecule/energy/grid-energy.js';
import { createProteinChain } from '../../src/molecule/protein-chain.js';
import { ProteinState } from '../../src/molecule/protein-state.js';
import { loadStructure } from '../../src/node/load-structure.js';
import { sharedPath } from '../shared.js';
import { hasProteins, needsProteins, proteinPaths } from './reference-proteins.js';

const turns = process.env.ORACLE_FULL ? 30 : 3;
/** All pairs of more atoms than this take seconds each time. */
const MOST_ATOMS = 20_000;

describe.skipIf(!hasProteins)(`energies of proteins${needsProteins}`, () => {
  it('the list names the proteins', () => expect(proteinPaths.length).toBeGreaterThan(30));

  it.each(proteinPaths)('%s: tree and grids as the definition', async (path) => {
    const { value } = await loadStructure(sharedPath('data', path)!);
    // A file whose atoms have no coordinates is reported, and has no model.
    if (value!.models.length === 0) return;
    const [chain] = value!.models[0].atoms.chains;
    const molecule = buildMolecule(value!, value!.models[0].atoms.count > MOST_ATOMS ? { chains: [chain] } : {});
    if (!molecule.residues.some(({ kind, count }) => kind === 'amino-acid' && count > 0)) return;
    const protein = createProteinChain(molecule);
    const conformation = new ProteinState(protein, createChainTree(protein.chain));
    const field = createForceField(molecule);
    const tree = createEnergyTree(conformation, field);
    const all = new GridEnergy(conformation, field);
    const changed = new GridEnergy(conformation, field, { pairs: 'changed' });
    const positions = molecule.positions.slice();
    const random = createRandom(proteinPaths.indexOf(path));
    for (let turn = 0; turn <= turns; turn++) {
      if (turn > 0 && protein.torsions.length > 0) {
        const step = (size: number) => {
          for (let count = 1 + random.integer(4); count > 0; count--) {
            const torsion = random.integer(protein.torsions.length);
            conformation.stage(torsion, conformation.torsions[torsion] + random.uniform(-size, size));
          }
          conformation.apply();
          for (const energy of [tree, all, changed]) energy.update();
        };
        const before = [tree, all, changed].map((energy) => energy.total);
        step(1);
        conformation.undo();
        for (const energy of [tree, all, changed]) energy.undo();
        expect([tree, all, changed].map((energy) => energy.total)).toEqual(before);
        step(0.05);
      }
      const { total, ...terms } = computeEnergy(field, conformation.writePositions(positions));
      // Of the parts' sizes: their sum may be small where they cancel.
      const scale = Math.abs(terms.lennardJones) + Math.abs(terms.electrostatic) + Math.abs(terms.torsion) + 1;
      for (const energy of [tree, all, changed]) expect(Math.abs(energy.total - total)).toBeLessThan(1e-9 * scale);
    }
    // No step leaves a trace, bit by bit.
    const fresh = createEnergyTree(conformation, field);
    expect(fresh.total).toBe(tree.total);
    for (const energy of [fresh, tree, all, changed]) energy.dispose();
  });
});
