import { type Issue, writePdb } from 'clearance/io';
import { buildPeptide, createProteinChain } from 'clearance/molecule';
import { gzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { BOX_HALF_EXTENTS, BOX_NUMBERS, loadProtein } from './load-protein.js';

const sequence = 'GSAEWLKKCAELRKPG';
const file = new TextEncoder().encode(writePdb(buildPeptide(sequence)));

describe('loadProtein', () => {
  it('places boxes so that each holds the atoms of the links below it, at every level', async () => {
    const protein = (await loadProtein('peptide.pdb', file, []))!;
    const { molecule, levels } = protein;
    const { linkCount, linkOf } = createProteinChain(molecule, { sideChains: 'rigid' });
    expect(levels.map((boxes) => boxes.length / BOX_NUMBERS)).toEqual(
      levels.map((_, level) => Math.ceil(linkCount / 2 ** (levels.length - 1 - level))),
    );
    expect(levels[0].length).toBe(BOX_NUMBERS);
    let held = 0;
    levels.forEach((boxes, level) => {
      linkOf.forEach((link, atom) => {
        const box = BOX_NUMBERS * (link >> (levels.length - 1 - level));
        for (let k = 0; k < 3; k++) {
          let along = 0;
          for (let row = 0; row < 3; row++)
            along += boxes[box + 3 * row + k] * (molecule.positions[3 * atom + row] - boxes[box + 9 + row]);
          expect(Math.abs(along)).toBeLessThanOrEqual(boxes[box + BOX_HALF_EXTENTS + k] + 1e-9);
        }
        held++;
      });
    });
    expect(held).toBe(levels.length * molecule.atomCount);
  });

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
});
