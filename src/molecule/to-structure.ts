/** A molecule as a structure that writers take: its own atoms, one conformation each, with positions of choice. */
import { MisuseError } from '../math/misuse.js';
import type { Molecule } from './molecule.js';
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

/** Occupancy 1, temperature factor 0 without a source. Modified residues count as polymer: ATOM records. */
export function toStructure(molecule: Molecule, options: ToStructureOptions = {}): Structure {
  const { models = [molecule.positions], name = '' } = options;
  return {
    format: 'pdb',
    name,
    models: models.map((positions, i) => ({ number: i + 1, atoms: toAtomColumns(molecule, positions, options) })),
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
  if (positions.length !== 3 * molecule.atomCount) {
    throw new MisuseError(
      `toStructure: positions, got ${positions.length}, expected 3 for ${molecule.atomCount} atoms`,
    );
  }
  const { source, atoms } = options;
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
