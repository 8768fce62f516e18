/** Clashes of a helix with its hydrogens: only with them does the score compare with published ones. */
import { addHydrogens, buildMolecule, buildPeptide, describeAtom, findClashes } from 'clearance/molecule';

const sequence = 'GSAEALKKAAHLLKKGW';
const degree = Math.PI / 180;
const helix = Array.from(sequence, () => ({ phi: -57.8 * degree, psi: -47 * degree }));
const heavy = buildMolecule(buildPeptide(sequence, helix));
const { molecule, added, remarks } = addHydrogens(heavy);

console.log(`${heavy.atomCount} atoms, ${added} hydrogens placed${remarks.map((remark) => `; ${remark}`).join('')}`);
for (const [name, subject] of Object.entries({ 'heavy atoms only': heavy, 'with hydrogens': molecule })) {
  const { clashes, score, comparable } = findClashes(subject);
  console.log(
    `${name}: ${clashes.length} clashes, ${score.toFixed(1)} per 1000 atoms, ${comparable ? 'comparable' : 'not comparable'}`,
  );
  for (const { a, b, overlap } of clashes.slice(0, 3)) {
    console.log(
      `  ${describeAtom(subject, a)} - ${describeAtom(subject, b)} overlap by ${overlap.toFixed(2)} angstrom`,
    );
  }
}
