/** A molecule as a structure that writers take: its own atoms, one conformation each, with positions of choice. */
import { type Fields, requireList, requireOptions, requireText, throwMisuse, unchecked } from '../math/arguments.js';
import type { Molecule } from './molecule.js';
import { requireMolecule } from './molecule.js';
import { requireAtoms, requireColumns, requirePoints } from './molecule-door.js';
import { type AtomColumns, AtomColumnsBuilder, type Structure } from './structure.js';

export interface ToStructureOptions {
  /** 3 per atom, one entry per model; the molecule's own when left out. */
  readonly models?: readonly Float64Array[];
  /** Columns that the molecule was built from: occupancies and temperature factors are taken from there. */
  readonly source?: AtomColumns;
  /** Atoms to keep, ascending; all when left out. */
  readonly atoms?: ArrayLike<number>;
  /** Entry id. */
  readonly name?: string;
}

/** What depends on the molecule is checked with it. */
const OPTIONS: Fields = { models: unchecked, source: requireColumns, atoms: unchecked, name: requireText };

/** Occupancy 1, temperature factor 0 without a source. Modified residues count as polymer: ATOM records. */
export function toStructure(molecule: Molecule, options: ToStructureOptions = {}): Structure {
  const call = 'toStructure';
  requireColumnsOf(call, molecule, options);
  const { models = [molecule.positions], name = '' } = options;
  requireList(call, 'options.models', models, 'a list of positions, one entry per model');
  models.forEach((positions, i) => {
    requirePoints(call, `options.models[${i}]`, positions, molecule.atomCount);
  });
  return {
    format: 'pdb',
    name,
    models: models.map((positions, i) => ({ number: i + 1, atoms: writeColumns(molecule, positions, options) })),
    missing: [],
    unplaced: [],
    modified: new Map(),
    bonds: [],
  };
}

/** The columns of one model, see toStructure. */
export function toAtomColumns(
  molecule: Molecule,
  positions: Float64Array,
  options: Pick<ToStructureOptions, 'source' | 'atoms'> = {},
): AtomColumns {
  requireColumnsOf('toAtomColumns', molecule, options);
  requirePoints('toAtomColumns', 'positions', positions, molecule.atomCount);
  return writeColumns(molecule, positions, options);
}

function requireColumnsOf(call: string, molecule: Molecule, options: ToStructureOptions): void {
  requireMolecule(call, 'molecule', molecule);
  requireOptions(call, options, OPTIONS);
  const { source, atoms } = options;
  if (atoms !== undefined) requireAtoms(call, 'options.atoms', atoms, molecule.atomCount);
  if (source?.count !== undefined && molecule.sourceRows.some((row) => row >= source.count))
    throwMisuse(call, 'options.source', source, 'the columns that the molecule was built from');
}

function writeColumns(
  molecule: Molecule,
  positions: Float64Array,
  { source, atoms }: Pick<ToStructureOptions, 'source' | 'atoms'>,
): AtomColumns {
  const count = atoms ? atoms.length : molecule.atomCount;
  const builder = new AtomColumnsBuilder();
  for (let i = 0; i < count; i++) {
    const atom = atoms ? atoms[i] : i;
    const residue = molecule.residues[molecule.residueOf[atom]];
    const row = molecule.sourceRows[atom];
    builder.add({
      position: [positions[3 * atom], positions[3 * atom + 1], positions[3 * atom + 2]],
      serial: i + 1,
      name: molecule.atomNames[atom],
      element: molecule.elements[atom],
      alternate: '',
      residue,
      occupancy: source ? source.occupancies[row] : 1,
      temperature: source ? source.temperatures[row] : 0,
      hetero: residue.kind === 'water' || residue.kind === 'other',
    });
    const next = i + 1 < count ? molecule.residueOf[atoms ? atoms[i + 1] : atom + 1] : -1;
    if (residue.terminal && next !== molecule.residueOf[atom]) builder.terminate();
  }
  return builder.build();
}
