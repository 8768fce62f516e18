/** Every structure of the reference data, written and read again: the same structure, the same molecule. */
import { describe, expect, it } from 'vitest';
import { parseCif } from '../../src/io/molecule/cif.js';
import { writeCif } from '../../src/io/molecule/cif-write.js';
import { buildMolecule } from '../../src/molecule/build-molecule.js';
import type { Structure } from '../../src/molecule/structure.js';
import { loadStructure } from '../../src/node/load-structure.js';
import { sharedPath } from '../shared.js';
import { hasProteins, needsProteins, proteinPaths } from './reference-proteins.js';

describe.skipIf(!hasProteins)(`structures written as mmCIF${needsProteins}`, () => {
  it('the list names the structures', () => expect(proteinPaths.length).toBeGreaterThan(30));

  it.each(proteinPaths)('%s reads back', async (path) => {
    const { value } = await loadStructure(sharedPath('data', path)!);
    if (!value?.models.some(({ atoms }) => atoms.count > 0)) return;
    const again = parseCif(new TextEncoder().encode(writeCif(value))).value!;
    const plain = ({ models }: Structure) =>
      models
        .filter(({ atoms }) => atoms.count > 0)
        .map(({ number, atoms: { serials: _serials, terminal: _terminal, ...columns } }) => ({ number, columns }));
    expect(plain(again)).toEqual(plain(value));
    const [a, b] = [buildMolecule(value), buildMolecule(again)];
    expect(b.residues.map(({ name }) => name)).toEqual(a.residues.map(({ name }) => name));
    expect(b.bonds).toEqual(a.bonds);
    expect(b.disulfides).toEqual(a.disulfides);
  });
});
