/** Peptides built from sequence and torsions against the same residues of real structures. */
import { describe, expect, it } from 'vitest';
import { aminoAcidOf } from '../../src/molecule/amino-acids.js';
import { buildMolecule } from '../../src/molecule/build-molecule.js';
import { findAtom, type Molecule } from '../../src/molecule/molecule.js';
import { buildPeptide } from '../../src/molecule/peptide.js';
import { superpose } from '../../src/molecule/superpose.js';
import { computeTorsions } from '../../src/molecule/torsions.js';
import { loadStructure } from '../../src/node/load-structure.js';
import { needsShared, sharedPath } from '../shared.js';

const files = [
  'ngl/data/1crn.pdb',
  'freesasa/tests/data/1ubq.pdb',
  'biotite/tests/structure/data/pdb/1aki.pdb',
  'molscope/examples/data/1shg.pdb',
  'biopython/Tests/PDB/2XHE.pdb',
];
const folder = sharedPath('data', 'proteins');

/** Coordinates of the atoms that both residues have. */
function common(a: Molecule, i: number, b: Molecule, j: number): [Float64Array, Float64Array] {
  const pairs: [number, number][] = [];
  const { first, count } = a.residues[i];
  for (let atom = first; atom < first + count; atom++) {
    const other = findAtom(b, j, a.atomNames[atom]);
    if (other >= 0) pairs.push([atom, other]);
  }
  const pick = (molecule: Molecule, side: 0 | 1) =>
    Float64Array.from(pairs.flatMap((pair) => [...molecule.positions.subarray(3 * pair[side], 3 * pair[side] + 3)]));
  return [pick(a, 0), pick(b, 1)];
}

describe.skipIf(!folder)(`peptides from torsions${needsShared('data', 'proteins')}`, () => {
  it('fit the residues of real structures within a few tenths of an angstrom, every kind of residue', async () => {
    const worst = new Map<string, number[]>();
    for (const file of files) {
      const molecule = buildMolecule((await loadStructure(`${folder}/${file}`)).value!, { hetero: false });
      const torsions = computeTorsions(molecule);
      molecule.residues.forEach(({ name }, i) => {
        const own = aminoAcidOf(name);
        const measured = torsions[i];
        if (!own || name === 'MSE' || !measured || measured.chi.includes(null)) return;
        const { phi, psi, chi } = measured;
        // Three residues, so that the middle one has both neighbours.
        const middle = { phi: phi ?? undefined, psi: psi ?? undefined, chi: chi as number[] };
        const built = buildMolecule(buildPeptide(`G${own.code}G`, [{}, middle, {}]));
        const { deviation } = superpose(...common(molecule, i, built, 1));
        worst.set(name, [...(worst.get(name) ?? []), deviation]);
      });
    }
    expect(worst.size).toBe(20);
    for (const [name, deviations] of worst) {
      const sorted = deviations.sort((x, y) => x - y);
      expect({
        name,
        median: sorted[sorted.length >> 1] < 0.12,
        most: sorted[Math.floor(0.95 * sorted.length)] < 0.25,
      }).toEqual({ name, median: true, most: true });
    }
  });
});
