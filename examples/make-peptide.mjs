/**
 * Writes peptide/hairpin.pdb: two helices joined by a turn, by the backbone angles of helices and the turn.
 *
 *   node examples/make-peptide.mjs [FOLDER]
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writePdb } from 'clearance/io';
import { buildPeptide } from 'clearance/molecule';

const sequence = 'GSEELLKKALELLKRGGSPEELLKRALELAKKG';
/** phi and psi of the turn's residues, degrees; the others are those of an alpha helix. */
const turn = [
  [-90, 0],
  [60, 40],
  [-80, 120],
  [-100, -20],
];
const radians = (degrees) => (degrees * Math.PI) / 180;
const angles = Array.from(sequence, (_, i) => {
  const [phi, psi] = turn[i - 14] ?? [-60, -45];
  return { phi: radians(phi), psi: radians(psi) };
});
const folder = process.argv[2] ?? fileURLToPath(new URL('peptide', import.meta.url));
writeFileSync(`${folder}/hairpin.pdb`, writePdb(buildPeptide(sequence, angles)));
console.log(`peptide/hairpin.pdb: ${sequence.length} residues`);
