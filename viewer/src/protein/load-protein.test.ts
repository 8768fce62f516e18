import { type Issue, writePdb } from 'clearance/io';
import { buildPeptide, createProteinChain } from 'clearance/molecule';
import { gzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { loadProtein } from './load-protein.js';

const sequence = 'GSAEWLKKCAELRKPG';
const file = new TextEncoder().encode(writePdb(buildPeptide(sequence)));

describe('loadProtein', () => {
  it('unpacks gzip, and says when a file is none or holds no atoms', async () => {
    const issues: Issue[] = [];
    const packed = await loadProtein('peptide.pdb.gz', gzipSync(file), issues);
    expect(packed?.molecule.positions).toEqual((await loadProtein('peptide.pdb', file, []))?.molecule.positions);
    expect(issues).toEqual([]);
    expect(await loadProtein('peptide.pdb.gz', file, issues)).toBeNull();
    expect(await loadProtein('empty.cif', new TextEncoder().encode('data_x\n'), issues)).toBeNull();
    expect(issues.map(({ severity, file: name }) => [severity, name])).toEqual([
      ['error', 'peptide.pdb.gz'],
      ['error', 'empty.cif'],
    ]);
  });

  it('has the same torsions with water and without, in the same order', async () => {
    const text = new TextDecoder().decode(file).replace(/END\s*$/, '');
    const water = 'HETATM 9001  O   HOH A 101      30.000  30.000  30.000  1.00  0.00           O\nEND\n';
    const { molecule, polymer } = (await loadProtein('wet.pdb', new TextEncoder().encode(text + water), []))!;
    expect(molecule.atomCount).toBe(polymer.atomCount + 1);
    const list = (of: typeof molecule) =>
      createProteinChain(of).torsions.map(({ name, chi, residue, reference }) => [name, chi, residue, reference]);
    expect(list(molecule)).toEqual(list(polymer));
  });
});
