/**
 * Writes a structure as PDB text, version 3.3 columns: MODEL, ATOM, HETATM, TER, ENDMDL, END. Numbers beyond their columns
 * are written in hybrid-36. Stated bonds, missing residues and everything else a file may say are not written.
 *
 * Fails, with a RangeError that names the atom: coordinates beyond -999.999 to 9999.999, names longer than their columns.
 * Checked by pdb-write.test.ts: what is written reads back.
 */
import { requireNumber } from '../../math/arguments.js';
import { MisuseError } from '../../math/misuse.js';
import { requireColumns } from '../../molecule/molecule-door.js';
import type { AtomColumns, Structure } from '../../molecule/structure.js';
import { requireWritable } from '../io-door.js';
import { writeHybrid36 } from './pdb-columns.js';

export function writePdb(structure: Structure): string {
  requireWritable('writePdb', structure);
  const { models } = structure;
  if (models.length === 1) return `${formatAtoms(models[0].atoms)}END\n`;
  return `${models.map(({ number, atoms }) => writePdbModel(number, atoms)).join('')}END\n`;
}

/** One MODEL ... ENDMDL of a file of several, for writers that add models to a file; END closes the file. */
export function writePdbModel(number: number, atoms: AtomColumns): string {
  requireNumber('writePdbModel', 'number', number);
  requireColumns('writePdbModel', 'atoms', atoms);
  return `MODEL ${String(number).padStart(8)}\n${formatAtoms(atoms)}ENDMDL\n`;
}

function formatAtoms(atoms: AtomColumns): string {
  const lines: string[] = [];
  let serial = 0;
  for (let i = 0; i < atoms.count; i++) {
    lines.push(formatAtom(atoms, i, ++serial));
    if (atoms.terminal[i]) lines.push(`TER   ${writeHybrid36(++serial, 5)}      ${formatResidue(atoms, i)}`);
  }
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

/** Component, chain, number and insertion code: columns 18 to 27. */
function formatResidue(atoms: AtomColumns, i: number): string {
  const { residueNames, chains, sequences, insertions } = atoms;
  const number = writeHybrid36(sequences[i], 4);
  return `${residueNames[i].padStart(3)} ${chains[i] || ' '}${number}${insertions[i] || ' '}`;
}

function formatAtom(atoms: AtomColumns, i: number, serial: number): string {
  const { names, elements, alternates, positions, occupancies, temperatures, hetero } = atoms;
  const refuse = (what: string): never => {
    throw new MisuseError(`writePdb: atom ${i} ${names[i]} ${atoms.residueNames[i]} ${atoms.sequences[i]}: ${what}`);
  };
  if (names[i].length > 4 || atoms.residueNames[i].length > 3 || atoms.chains[i].length > 1) {
    refuse(`names, got chain "${atoms.chains[i]}", expected at most 4, 3 and 1 characters; write mmCIF instead`);
  }
  // One-letter elements leave the first column of the name free, unless the name needs it.
  const name = (elements[i].length === 2 || names[i].length === 4 ? names[i] : ` ${names[i]}`).padEnd(4);
  const xyz = [0, 1, 2].map((k) => {
    const value = positions[3 * i + k];
    if (!(value > -999.9995 && value < 9999.9995)) refuse(`coordinate, got ${value}, expected -999.999 to 9999.999`);
    return value.toFixed(3).padStart(8);
  });
  const record = hetero[i] ? 'HETATM' : 'ATOM  ';
  const place = `${record}${writeHybrid36(serial, 5)} ${name}${alternates[i] || ' '}${formatResidue(atoms, i)}   `;
  const weight = `${occupancies[i].toFixed(2).padStart(6)}${temperatures[i].toFixed(2).padStart(6)}`;
  return `${place}${xyz.join('')}${weight}          ${elements[i].toUpperCase().padStart(2)}`;
}
