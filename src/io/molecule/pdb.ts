/**
 * PDB format, version 3.3 and its older and looser relatives: https://www.wwpdb.org/documentation/file-format.
 *
 * Read: HEADER, REMARK 465, MODRES, SSBOND, LINK, MODEL, ATOM, HETATM, TER, ENDMDL, CONECT; the rest is passed over.
 * Numbers may be hybrid-36; residue numbers written as asterisks are counted on, serials of six digits are read. Elements come from columns 77-78; where these hold something else (files of the seventies
 * end with a line number there) or nothing, from the atom's name. An atom without readable coordinates is left out with
 * an error issue, its residue is listed as unplaced; every other fault is a warning. A record of an unknown name, one that
 * stands in another's line and a missing END are told: they may hide atoms.
 *
 * Checked by pdb.test.ts and test/oracle/protein-files.
 */

import { elementFromName, elementOf } from '../../molecule/elements.js';
import {
  AtomColumnsBuilder,
  type AtomName,
  type ResidueName,
  residueKey,
  type StatedBond,
  type Structure,
  type StructureModel,
} from '../../molecule/structure.js';
import { FileIssues } from '../file-issues.js';
import { FILE_OPTIONS, requireContent } from '../io-door.js';
import type { Parsed } from '../issue.js';
import { readConectSerials, readDecimal, readHybrid36 } from './pdb-columns.js';
import { noteAssumptions } from './structure-assumptions.js';

export interface StructureReadOptions {
  /** Named in issues. */
  readonly file?: string;
}

/** Reads a PDB text. `value` is null when it holds no ATOM or HETATM record. */
export function parsePdb(bytes: Uint8Array, options: StructureReadOptions = {}): Parsed<Structure> {
  requireContent('parsePdb', bytes, options, FILE_OPTIONS);
  const issues = new FileIssues(options.file);
  if (bytes.includes(0)) {
    return issues.refuse('not-text', 'the file holds zero bytes: it is no text, or damaged');
  }
  return noteAssumptions(new PdbReader(issues).read(new TextDecoder('latin1').decode(bytes)));
}

class PdbReader {
  private name = '';
  private readonly models: StructureModel[] = [];
  private readonly missing: ResidueName[] = [];
  private readonly unplaced = new Map<string, ResidueName>();
  private readonly modified = new Map<string, string>();
  private readonly bonds: StatedBond[] = [];
  private atoms = new AtomColumnsBuilder();
  private modelNumber = 1;
  private inModel = false;
  private anyModel = false;
  private line = 0;
  private records = 0;
  private hasEnd = false;
  /** Atoms that the MASTER record counts. */
  private stated: number | null = null;
  private readonly numbering = new OverflowNumbering();
  private readonly serials = new Set<number>();

  constructor(private readonly issues: FileIssues) {}

  read(text: string): Parsed<Structure> {
    // A byte order mark, as Latin-1 has it.
    let at = text.startsWith('\u00ef\u00bb\u00bf') ? 3 : 0;
    // Its rows begin with ATOM too, and would be taken for damaged records one by one.
    if (/^\s*data_\S/.test(text.slice(at, at + 1000))) {
      return this.issues.refuse(
        'not-pdb',
        'this is a CIF file, though its name ends as that of a PDB file: name it .cif',
      );
    }
    while (at < text.length) {
      let end = text.indexOf('\n', at);
      if (end < 0) end = text.length;
      this.line++;
      this.readRecord(text.slice(at, end > at && text[end - 1] === '\r' ? end - 1 : end));
      at = end + 1;
    }
    this.closeModel();
    if (this.records === 0 && !this.anyModel) {
      return this.issues.refuse('no-atoms', 'no ATOM or HETATM record: this is no PDB file, or an empty one');
    }
    this.checkWhole();
    return this.issues.finish({
      format: 'pdb' as const,
      name: this.name,
      models: this.models,
      missing: this.missing,
      unplaced: [...this.unplaced.values()],
      modified: this.modified,
      bonds: this.bonds,
    });
  }

  /** A file that was cut between two records looks like a shorter one. */
  private checkWhole(): void {
    if (!this.hasEnd) {
      const message = 'there is no END record: the file may be cut off, and is taken as it is';
      this.issues.warn('no-end', message, { line: this.line, element: 'file', assumes: 'guessed' });
    }
    const counts = [this.models[0]?.atoms.count ?? 0, this.records];
    if (this.stated !== null && !counts.includes(this.stated)) {
      const message = `the MASTER record counts ${this.stated} atoms, the file has ${counts[0]}: some may be missing`;
      this.issues.warn('master-count', message, { element: 'MASTER', assumes: 'guessed' });
    }
  }

  private readRecord(line: string): void {
    const kind = line.slice(0, 6).trimEnd();
    if (line.length > 60 && findAtomRecord(line)) {
      const message =
        'an atom record stands within the line of another record and is left out: a line break is missing';
      this.issues.error('merged-lines', message, { line: this.line, element: kind, assumes: 'dropped' });
    }
    // Serial numbers past 99999 may spill into the blanks after ATOM.
    if (/^(?:ATOM[ 0-9]*|HETATM)$/.test(kind)) this.readAtom(line, kind === 'HETATM');
    else if (kind === 'TER') {
      this.atoms.terminate();
      this.numbering.endResidue();
    } else if (kind === 'END') this.hasEnd = true;
    else if (kind === 'MASTER') this.stated = readCount(line.slice(50, 55));
    else if (kind === 'MODEL') this.openModel(line);
    else if (kind === 'ENDMDL') this.closeModel();
    else if (kind === 'HEADER') this.name = line.slice(62, 66).trim();
    else if (kind === 'REMARK') this.readRemark(line);
    else if (kind === 'MODRES') this.readModification(line);
    else if (kind === 'SSBOND') this.readDisulfide(line);
    else if (kind === 'LINK') this.readLink(line);
    else if (kind === 'CONECT') this.readConnection(line);
    else if (!KNOWN_RECORDS.test(kind)) this.tellUnknown(kind, line);
  }

  private tellUnknown(kind: string, line: string): void {
    if (kind.trim() === '' && line.trim() === '') return;
    const where = { line: this.line, element: `record "${kind}"` };
    if (hasCoordinates(line, 0) || /^\s*(?:atom|hetatm)/i.test(line)) {
      const message = 'a record that looks like an atom has an unknown name and is left out; write ATOM or HETATM';
      this.issues.error('unknown-atom-record', message, { ...where, assumes: 'dropped' });
    } else this.issues.warn('unknown-record', 'a record of an unknown name is passed over', where);
  }

  private openModel(line: string): void {
    this.closeModel();
    this.inModel = true;
    this.anyModel = true;
    this.modelNumber = readHybrid36(line.slice(6), 8) ?? this.models.length + 1;
  }

  private closeModel(): void {
    if (this.atoms.count > 0 || this.inModel) {
      if (this.atoms.count === 0) {
        this.issues.warn('empty-model', `model ${this.modelNumber} holds no atoms`, { line: this.line });
      }
      this.models.push({ number: this.modelNumber, atoms: this.atoms.build() });
      this.atoms = new AtomColumnsBuilder();
    }
    this.modelNumber = this.models.length + 1;
    this.inModel = false;
  }

  /** A residue from columns that begin with the component's name: name 3, blank, chain, number 4, insertion code. */
  private residueAt(line: string, at: number): ResidueName | null {
    const sequence = readHybrid36(line.slice(at + 5, at + 9), 4);
    if (sequence === null) return null;
    return {
      // The fourth column belongs to the name in files with components of four letters.
      name: line.slice(at, at + 4).trim(),
      chain: line.slice(at + 4, at + 5).trim(),
      sequence,
      insertion: line.slice(at + 9, at + 10).trim(),
    };
  }

  private readAtom(given: string, hetero: boolean): void {
    this.records++;
    // A serial of six digits takes the blank before the name, or shifts all that follows.
    const isLong = /[0-9]/.test(given[11] ?? '');
    const isShifted = isLong && !hasCoordinates(given, 0) && hasCoordinates(given, 1);
    const line = isShifted ? given.slice(0, 11) + given.slice(12) : given;
    const columns = line.slice(12, 16);
    const name = columns.trim();
    const element = `atom ${line.slice(6, 11).trim()} ${name} ${line.slice(17, 27).trim()}`;
    const where = { line: this.line, element };
    const residue = this.readResidue(line, name, where);
    if (!residue) return;
    const position: [number, number, number] = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      const field = line.slice(30 + 8 * k, 38 + 8 * k);
      const value = field.length < 8 ? null : readDecimal(field);
      if (value === null) {
        this.unplaced.set(residueKey(residue.chain, residue.sequence, residue.insertion), residue);
        const what = field.length < 8 ? 'is missing or cut off: the line ends there' : `"${field.trim()}" is no number`;
        const message = `coordinate ${'xyz'[k]} (columns ${31 + 8 * k} to ${38 + 8 * k}) ${what}; the atom is left out`;
        this.issues.error('bad-coordinate', message, { ...where, assumes: 'dropped' });
        return;
      }
      position[k] = value;
    }
    const field = given.slice(hetero ? 6 : 4, isLong ? 12 : 11).trim();
    const serial = readHybrid36(field, 5);
    if (serial !== null) this.serials.add(serial);
    if (serial === null) {
      this.issues.warn('bad-serial', `serial "${field}" is no number; bonds cannot refer to it`, where);
    }
    const stated = /^\s*[A-Za-z]{1,2}\s*$/.test(line.slice(76, 78)) ? elementOf(line.slice(76, 78)) : '';
    const symbol = stated || elementFromName(columns, residue.name);
    if (symbol === '') {
      const message = `no element is called like atom "${name}"; its radius is guessed`;
      this.issues.warn('unknown-element', message, { ...where, assumes: 'guessed' });
    }
    this.atoms.add({
      position,
      serial: serial ?? -1,
      name,
      element: symbol,
      alternate: line.slice(16, 17).trim(),
      residue,
      occupancy: this.optionalNumber(line.slice(54, 60), 1, 'occupancy', where),
      temperature: this.optionalNumber(line.slice(60, 66), 0, 'temperature factor', where),
      hetero,
    });
  }

  private readResidue(line: string, atom: string, where: { line: number; element: string }): ResidueName | null {
    const residue = this.residueAt(line, 17);
    if (residue) {
      this.numbering.keep(residue);
      return residue;
    }
    const field = line.slice(22, 26);
    if (!/^\*+$/.test(field)) {
      const message = `residue number "${field}" is no number: the atom is left out`;
      this.issues.error('bad-residue-number', message, { ...where, assumes: 'dropped' });
      return null;
    }
    const counted = this.numbering.next(
      { name: line.slice(17, 21).trim(), chain: line.slice(21, 22).trim(), insertion: line.slice(26, 27).trim() },
      atom + line.slice(16, 17),
    );
    const message = `residue number "${field}": numbers are counted on, this one as ${counted.sequence}`;
    this.issues.warn('residue-number-overflow', message, { ...where, assumes: 'guessed' });
    return counted;
  }

  private optionalNumber(field: string, other: number, what: string, where: { line: number; element: string }): number {
    if (field.trim() === '') return other;
    const value = readDecimal(field);
    if (value === null)
      this.issues.warn('bad-number', `${what} "${field.trim()}" is no number; ${other} is used`, where);
    return value ?? other;
  }

  /** REMARK 465: a table of model (often blank), component, chain, number with insertion code. */
  private readRemark(line: string): void {
    const match = /^REMARK 465 .{0,3}?\s+(?:[0-9]+\s+)?([A-Z0-9]{1,3}) (.) \s*(-?[0-9]+)([A-Z]?)\s*$/.exec(
      line.trimEnd(),
    );
    if (!match) return;
    this.missing.push({
      name: match[1],
      chain: match[2].trim(),
      sequence: Number(match[3]),
      insertion: match[4],
    });
  }

  private readModification(line: string): void {
    const parent = line.slice(24, 27).trim();
    if (parent !== '') this.modified.set(line.slice(12, 15).trim(), parent);
  }

  /** SSBOND: component 12-14, chain 16, number 18-21, insertion code 22; the second one fourteen columns on. */
  private readDisulfide(line: string): void {
    const [a, b] = [0, 14].map((at): AtomName | null => {
      const sequence = readHybrid36(line.slice(17 + at, 21 + at), 4);
      if (sequence === null) return null;
      const name = line.slice(11 + at, 14 + at).trim();
      const chain = line.slice(15 + at, 16 + at).trim();
      return { name, chain, sequence, insertion: line.slice(21 + at, 22 + at).trim(), atom: 'SG', alternate: '' };
    });
    if (!a || !b) {
      this.issues.warn('bad-ssbond', 'a disulfide whose residues cannot be read is passed over', { line: this.line });
    } else if (isWithinAsymmetricUnit(line)) {
      this.bonds.push({ kind: 'names', atoms: [a, b] });
    }
  }

  /** LINK: name 13-16, alternate 17, residue 18-27; the second one thirty columns on. */
  private readLink(line: string): void {
    const [a, b] = [0, 30].map((at): AtomName | null => {
      const residue = this.residueAt(line, 17 + at);
      const atom = line.slice(12 + at, 16 + at).trim();
      return residue && atom !== '' ? { ...residue, atom, alternate: line.slice(16 + at, 17 + at).trim() } : null;
    });
    if (!a || !b) {
      this.issues.warn('bad-link', 'a LINK whose atoms cannot be read is passed over', { line: this.line });
    } else if (isWithinAsymmetricUnit(line)) {
      this.bonds.push({ kind: 'names', atoms: [a, b] });
    }
  }

  private readConnection(line: string): void {
    const serials = readConectSerials(line, this.serials);
    if (!serials || serials.length < 2) {
      const message = `serial numbers of "${line.trim()}" cannot be read; the record is passed over`;
      this.issues.warn('bad-conect', message, { line: this.line });
      return;
    }
    for (const other of serials.slice(1)) this.bonds.push({ kind: 'serials', serials: [serials[0], other] });
  }
}

/** Records of the format, of its older versions and of common dialects. */
const KNOWN_RECORDS = new RegExp(
  `^(?:${[
    'HEADER OBSLTE TITLE SPLIT CAVEAT COMPND SOURCE KEYWDS EXPDTA NUMMDL MDLTYP AUTHOR REVDAT PRVDAT SPRSDE JRNL REMARK',
    'DBREF[12]? SEQADV SEQRES MODRES HET HETNAM HETSYN FORMUL HELIX SHEET TURN SSBOND LINKR? HYDBND SLTBRG CISPEP SITE',
    'CRYST1 ORIGX[123] SCALE[123] MTRIX[123] TVECT MODEL ANISOU SIGATM SIGUIJ TER ENDMDL CONECT MASTER END FTNOTE USER',
    'ROOT ENDROO BRANCH ENDBRA TORSDO COMPND COMMNT HYDROG CONTNT',
  ]
    .join(' ')
    .split(' ')
    .join('|')})[ 0-9]*$|^#`,
);

/** Whether the three coordinates' decimal points are where an atom record has them, columns counted from `shift` on. */
function hasCoordinates(line: string, shift: number): boolean {
  return line[34 + shift] === '.' && line[42 + shift] === '.' && line[50 + shift] === '.';
}

/** Whether an atom record begins somewhere behind the line's own. */
function findAtomRecord(line: string): boolean {
  for (const word of ['ATOM  ', 'HETATM']) {
    for (let at = line.indexOf(word, 1); at > 0; at = line.indexOf(word, at + 1)) {
      if (hasCoordinates(line, at)) return true;
    }
  }
  return false;
}

function readCount(field: string): number | null {
  return /^\s*[0-9]+\s*$/.test(field) ? Number(field) : null;
}

/** Numbers of residues beyond what four columns hold: one more where the component changes or an atom comes again. */
class OverflowNumbering {
  private readonly last = new Map<string, number>();
  private current: ResidueName | null = null;
  private readonly atoms = new Set<string>();

  keep({ chain, sequence }: ResidueName): void {
    this.last.set(chain, Math.max(sequence, this.last.get(chain) ?? sequence));
    this.current = null;
  }

  endResidue(): void {
    this.current = null;
  }

  next(residue: Omit<ResidueName, 'sequence'>, atom: string): ResidueName {
    const { chain, name, insertion } = residue;
    const { current, atoms } = this;
    const isSame = current?.chain === chain && current.name === name && current.insertion === insertion;
    if (!current || !isSame || atoms.has(atom)) {
      const sequence = Math.max(LAST_OF_FOUR_COLUMNS, this.last.get(chain) ?? 0) + 1;
      this.last.set(chain, sequence);
      this.current = { ...residue, sequence };
      atoms.clear();
    }
    atoms.add(atom);
    return this.current!;
  }
}

const LAST_OF_FOUR_COLUMNS = 9999;

/** Symmetry operators of SSBOND and LINK (columns 60-65 and 67-72): a bond to a copy of the molecule is none within it. */
function isWithinAsymmetricUnit(line: string): boolean {
  return line.slice(59, 65).trim() === line.slice(66, 72).trim();
}
