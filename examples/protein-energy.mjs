/** The energy of a peptide, kept up to date while its torsions turn: only what moved is computed again. */
import { createChainTree } from 'clearance/chain';
import {
  buildMolecule,
  buildPeptide,
  computeEnergy,
  createEnergyTree,
  createForceField,
  createProteinChain,
  createProteinState,
} from 'clearance/molecule';

const sequence = 'GSAEALKKAAELLKKGG';
const degree = Math.PI / 180;
const helix = Array.from(sequence, () => ({ phi: -57.8 * degree, psi: -47 * degree }));
const molecule = buildMolecule(buildPeptide(sequence, helix));
const field = createForceField(molecule);
const protein = createProteinChain(molecule);
const conformation = createProteinState(protein, createChainTree(protein.chain));
const energy = createEnergyTree(conformation, field);
const print = (name) => {
  const { total, lennardJones, electrostatic, torsion } = energy.listTerms();
  const parts = [total, lennardJones, electrostatic, torsion].map((value) => value.toFixed(2));
  console.log(
    `${name}: ${parts[0]} kcal/mol (Lennard-Jones ${parts[1]}, electrostatic ${parts[2]}, torsion ${parts[3]})`,
  );
};

console.log(field.remarks.join('\n'));
print('helix');
const psi = protein.torsions.findIndex(({ name, residue }) => name === 'psi' && residue === 8);
conformation.stage(psi, 130 * degree);
conformation.apply();
energy.update();
print('broken in the middle');
const positions = conformation.writePositions(molecule.positions.slice());
console.log(`computed anew: ${computeEnergy(field, positions).total.toFixed(2)} kcal/mol`);
conformation.undo();
energy.undo();
print('taken back');
