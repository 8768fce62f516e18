/** A peptide built from sequence and torsions: a helix has no clashes; closing it on itself has some. */
import { buildMolecule, buildPeptide, describeAtom, findClashes, radiusOfGyration } from 'clearance/molecule';

const sequence = 'GSAEALKKAAELLKKGG';
const degree = Math.PI / 180;
const helix = Array.from(sequence, () => ({ phi: -57.8 * degree, psi: -47 * degree }));
const tight = Array.from(sequence, () => ({ phi: -40 * degree, psi: -20 * degree }));

for (const [name, torsions] of Object.entries({ helix, tight })) {
  const molecule = buildMolecule(buildPeptide(sequence, torsions));
  const { clashes, score } = findClashes(molecule);
  console.log(
    `${name}: ${molecule.atomCount} atoms, radius of gyration ${radiusOfGyration(molecule.positions).toFixed(2)} angstrom, ` +
      `${clashes.length} clashes (${score.toFixed(0)} per 1000 atoms)`,
  );
  for (const { a, b, overlap } of clashes.slice(0, 3)) {
    console.log(
      `  ${describeAtom(molecule, a)} - ${describeAtom(molecule, b)} overlap by ${overlap.toFixed(2)} angstrom`,
    );
  }
}
