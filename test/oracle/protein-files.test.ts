/**
 * Every structure file of the reference data: read or refused with an issue, residues and atoms as its list counts them,
 * the same molecule from PDB, mmCIF and BinaryCIF, coordinates back from internal coordinates.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildMolecule } from '../../src/molecule/build-molecule.js';
import { findClashes } from '../../src/molecule/clashes.js';
import { placeAtoms, toInternalCoordinates } from '../../src/molecule/internal-coordinates.js';
import type { Molecule } from '../../src/molecule/molecule.js';
import type { Structure } from '../../src/molecule/structure.js';
import { loadStructure } from '../../src/node/load-structure.js';
import { needsShared, sharedPath } from '../shared.js';

const list = sharedPath('data', 'MANIFEST.tsv');

interface Row {
  readonly path: string;
  readonly count: number | null;
  readonly stats: Record<string, number>;
}

function readRows(file: string): Row[] {
  const [head, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const names = head.split('\t');
  return lines
    .map((line) => Object.fromEntries(line.split('\t').map((value, i) => [names[i], value])))
    .filter(({ path }) => path.startsWith('proteins/'))
    .map(({ path, count, stats }) => ({
      path,
      count: count === '' ? null : Number(count),
      stats: Object.fromEntries(
        stats.split(' ').map((pair) => [pair.split('=')[0], Number(pair.split('=')[1])] as const),
      ),
    }));
}

const load = async (path: string) => loadStructure(sharedPath('data', path)!);

async function read(path: string): Promise<Structure> {
  const { value, issues } = await load(path);
  if (!value) throw new Error(issues.map(({ message }) => message).join('; '));
  return value;
}

const rows = list ? readRows(list) : [];
const readable = rows.filter(({ path, count }) => !path.endsWith('.mmtf') && count !== 0);

describe.skipIf(!list)(`structure files${needsShared('data', 'MANIFEST.tsv')}`, () => {
  it.each(rows)('$path is read, or refused with an issue that names it', async ({ path, count, stats }) => {
    const { value, issues } = await load(path);
    if (path.endsWith('.mmtf')) {
      expect(value).toBeNull();
      expect(issues[0].message).toMatch(/BinaryCIF/);
      return;
    }
    if (count === 0 || basename(path) === 'missing_coord_col.cif') return;
    expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
    const { models, missing } = value!;
    // The list counts the two models of this file, which hold different residues, as one.
    const together = basename(path) === 'a_structure.pdb';
    const counts = models.map(({ atoms }) => atoms.count);
    const largest = models[counts.indexOf(Math.max(...counts))].atoms;
    const hydrogens = largest.elements.filter((element) => element === 'H').length;
    // The list takes the six mercury ions of 1U19, named HG, for hydrogens.
    const mercury = largest.elements.filter((element) => element === 'Hg').length;
    expect({
      models: together ? 1 : models.length,
      atoms: together ? counts.reduce((sum, n) => sum + n) : largest.count,
      ...(stats.REMARK465 !== undefined && { REMARK465: missing.length, H: hydrogens + mercury }),
    }).toEqual({
      models: stats.models ?? models.length,
      atoms: stats.atoms ?? largest.count,
      ...(stats.REMARK465 !== undefined && { REMARK465: stats.REMARK465, H: stats.H }),
    });
    expect(models.flatMap(({ atoms }) => atoms.elements).filter((element) => element === '')).toEqual([]);
  });

  it.each([
    ['ngl/data/1crn.pdb', 'ngl/data/1CRN.cif'],
    ['ngl/data/1u19.pdb', 'ngl/data/1U19.cif'],
    ['biopython/Tests/PDB/1A8O.pdb', 'biopython/Tests/PDB/1A8O.cif'],
    ['freesasa/tests/data/1ubq.pdb', 'freesasa/tests/data/1ubq.cif'],
    ['biotite/tests/structure/data/pdb/1aki.pdb', 'biotite/tests/structure/data/pdb/1aki.bcif'],
  ])('%s and %s give the same molecule', async (pdb, other) => {
    const [a, b] = await Promise.all([pdb, other].map(async (path) => buildMolecule(await read(`proteins/${path}`))));
    const identify = (molecule: Molecule) =>
      Array.from(molecule.residueOf, (residue, atom) => {
        const { chain, sequence, insertion, name } = molecule.residues[residue];
        return `${chain} ${name} ${sequence}${insertion} ${molecule.atomNames[atom]} ${molecule.elements[atom]}`;
      });
    const order = (names: string[]) =>
      names.map((name, i) => [name, i] as const).sort((x, y) => (x[0] < y[0] ? -1 : 1));
    const [first, second] = [order(identify(a)), order(identify(b))];
    expect(second.map(([name]) => name)).toEqual(first.map(([name]) => name));
    first.forEach(([, i], k) => {
      const j = second[k][1];
      for (let c = 0; c < 3; c++) expect(b.positions[3 * j + c]).toBeCloseTo(a.positions[3 * i + c], 9);
    });
    expect(b.bonds.length).toBe(a.bonds.length);
    expect(b.disulfides.length).toBe(a.disulfides.length);
    expect(findClashes(b).clashes.length).toBe(findClashes(a).clashes.length);
  });

  it.each(readable)('$path: internal coordinates give the atoms back within 1e-6 angstrom', async ({ path }) => {
    const structure = await read(path);
    structure.models.slice(0, 2).forEach((_, model) => {
      const molecule = buildMolecule(structure, { model });
      const placed = placeAtoms(new Float64Array(3 * molecule.atomCount), toInternalCoordinates(molecule));
      let worst = 0;
      placed.forEach((value, i) => {
        worst = Math.max(worst, Math.abs(value - molecule.positions[i]));
      });
      expect(worst).toBeLessThan(1e-6);
    });
  });
});
