/** Parts of a molecule by a small language: the backbone, what lies near a residue, one kind of side chain. */
import { buildMolecule, buildPeptide, radiusOfGyration, selectAtoms } from 'clearance/molecule';

const sequence = 'GSAEALKKAAELLKKGW';
const degree = Math.PI / 180;
const helix = Array.from(sequence, () => ({ phi: -57.8 * degree, psi: -47 * degree }));
const molecule = buildMolecule(buildPeptide(sequence, helix));

for (const selection of [
  'backbone',
  'sidechain and resname LYS',
  'residue 4-8 and name CA',
  'heavy and within 5 of (residue 17 and sidechain)',
]) {
  const atoms = selectAtoms(molecule, selection);
  const points = Array.from(atoms).flatMap((atom) => Array.from(molecule.positions.subarray(3 * atom, 3 * atom + 3)));
  const radius = radiusOfGyration(Float64Array.from(points));
  console.log(`${selection}: ${atoms.length} atoms, radius of gyration ${radius.toFixed(2)} angstrom`);
}
