import { type Issue, writePdb } from 'clearance/io';
import { buildPeptide, createProteinChain } from 'clearance/molecule';
import { createFileSet, loadStructure } from 'clearance/web';
import { gzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { type LoadedProtein, toProtein } from './load-protein.js';

const sequence = 'GSAEWLKKCAELRKPG';
const file = new TextEncoder().encode(writePdb(buildPeptide(sequence)));

async function load(name: string, bytes: Uint8Array, issues: Issue[]): Promise<LoadedProtein | null> {
  const files = await createFileSet([[name, new Blob([bytes as Uint8Array<ArrayBuffer>])]]);
  const { value, issues: found } = await loadStructure(name, { files });
  issues.push(...found);
  return value && toProtein({ file: name, structure: value }, issues);
}

describe('toProtein', () => {
  it('takes gzip, and says when a file is damaged or holds no atoms', async () => {
    const issues: Issue[] = [];
    const zipped = gzipSync(file);
    const packed = await load('peptide.pdb.gz', zipped, issues);
    expect(packed?.molecule.positions).toEqual((await load('peptide.pdb', file, []))?.molecule.positions);
    expect(issues).toEqual([]);
    expect(await load('peptide.pdb.gz', zipped.slice(0, 60), issues)).toBeNull();
    expect(await load('empty.cif', new TextEncoder().encode('data_x\n'), issues)).toBeNull();
    expect(issues.map(({ severity, file: name }) => [severity, name])).toEqual([
      ['error', 'peptide.pdb.gz'],
      ['error', 'empty.cif'],
    ]);
  });

  it('has the same torsions with water and without, in the same order', async () => {
    const text = new TextDecoder().decode(file).replace(/END\s*$/, '');
    const water = 'HETATM 9001  O   HOH A 101      30.000  30.000  30.000  1.00  0.00           O\nEND\n';
    const { molecule, polymer } = (await load('wet.pdb', new TextEncoder().encode(text + water), []))!;
    expect(molecule.atomCount).toBe(polymer.atomCount + 1);
    const list = (of: typeof molecule) =>
      createProteinChain(of).torsions.map(({ name, chi, residue, reference }) => [name, chi, residue, reference]);
    expect(list(molecule)).toEqual(list(polymer));
  });
});
