/**
 * Atoms by a small language: conditions joined by `and`, `or`, `not` and parentheses.
 *
 *   all  none  protein  nucleic  water  hetero  hydrogen  heavy  backbone  sidechain
 *   chain A,B            chain identifiers; '' is the chain without one
 *   residue 10-20,100A   residue numbers with insertion codes, ranges with both ends; negative ones as -5--2
 *   resname ALA,GLY      component names          name CA,CB    atom names          element C,Fe
 *   within 5 of (...)    atoms at most so many angstrom from any atom of what follows, those included
 *
 * `not` and `within` bind to the condition that follows, `and` binds before `or`; `&`, `|` and `!` are the same. Values in
 * single or double quotes may hold blanks and commas. Keywords count in any case, values as they are written. `backbone`
 * is N, CA, C, O, OXT of amino acids with the hydrogens on them, and P, OP1, OP2, OP3, O5', C5', C4', C3', O3' of
 * nucleotides; `sidechain` the rest of these residues; `hetero` is what belongs to neither polymer and is no water.
 * A range of residues takes those whose place between its ends follows from number and insertion code (10 < 10A < 11).
 *
 * Method: operator precedence with two stacks, no recursion (Dijkstra 1961, the shunting yard). Cost: linear in atoms per
 * condition; `within` by cells. Throws RangeError that names the column for what it cannot read.
 * Checked by select-atoms.test.ts.
 */
import { requireText } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { findContacts } from './cell-list.js';
import type { Molecule, Residue } from './molecule.js';
import { requireMolecule } from './molecule.js';

/** 1 for atoms that are in. */
type Mask = Uint8Array;

/** Sorted numbers of the atoms that `selection` names. */
export function selectAtoms(molecule: Molecule, selection: string): Int32Array {
  requireMolecule('selectAtoms', 'molecule', molecule);
  requireText('selectAtoms', 'selection', selection);
  const mask = new Evaluation(molecule, selection).run();
  const atoms: number[] = [];
  mask.forEach((isIn, atom) => {
    if (isIn) atoms.push(atom);
  });
  return Int32Array.from(atoms);
}

interface Token {
  readonly text: string;
  /** From 1 on. */
  readonly column: number;
  readonly isQuoted: boolean;
}

interface Operator {
  readonly kind: 'or' | 'and' | 'not' | 'within' | '(';
  readonly column: number;
  readonly distance: number;
}

const PRECEDENCE: Readonly<Record<Operator['kind'], number>> = { '(': 0, or: 1, and: 2, not: 3, within: 3 };
const SYNONYMS: Readonly<Record<string, string>> = { '&': 'and', '&&': 'and', '|': 'or', '||': 'or', '!': 'not' };
const MOST_TOKENS = 10_000;

const PROTEIN_BACKBONE = new Set(['N', 'CA', 'C', 'O', 'OXT']);
const NUCLEIC_BACKBONE = new Set(['P', 'OP1', 'OP2', 'OP3', "O5'", "C5'", "C4'", "C3'", "O3'"]);

class Evaluation {
  private readonly tokens: readonly Token[];
  private at = 0;
  private readonly values: Mask[] = [];
  private readonly operators: Operator[] = [];

  constructor(
    private readonly molecule: Molecule,
    private readonly selection: string,
  ) {
    this.tokens = this.split();
  }

  run(): Mask {
    let wantsValue = true;
    for (; this.at < this.tokens.length; ) {
      const token = this.tokens[this.at++];
      const word = token.isQuoted ? '' : (SYNONYMS[token.text] ?? token.text.toLowerCase());
      if (word === ')') {
        if (wantsValue) this.refuse(token.column, 'a condition');
        this.close(token);
      } else if (word === 'and' || word === 'or') {
        if (wantsValue) this.refuse(token.column, 'a condition');
        while (
          (this.operators.at(-1)?.kind ?? '(') !== '(' &&
          PRECEDENCE[this.operators.at(-1)!.kind] >= PRECEDENCE[word]
        ) {
          this.reduce();
        }
        this.operators.push({ kind: word, column: token.column, distance: 0 });
        wantsValue = true;
      } else {
        if (!wantsValue) this.refuse(token.column, 'and, or or )');
        wantsValue = this.begin(word, token);
      }
    }
    if (wantsValue) this.refuse(this.selection.length + 1, 'a condition');
    while (this.operators.length > 0) {
      const { kind, column } = this.operators.at(-1)!;
      if (kind === '(') this.refuse(column, 'a ) for this (');
      this.reduce();
    }
    return this.values[0];
  }

  /** What a condition begins with; true when a condition must still follow. */
  private begin(word: string, token: Token): boolean {
    if (word === '(' || word === 'not') {
      this.operators.push({ kind: word, column: token.column, distance: 0 });
      return true;
    }
    if (word === 'within') {
      const [number, of] = [this.tokens[this.at], this.tokens[this.at + 1]];
      const distance = number && /^(?:[0-9]+\.?[0-9]*|\.[0-9]+)$/.test(number.text) ? Number(number.text) : Number.NaN;
      if (!(distance <= 1000)) this.refuse(number?.column ?? this.selection.length + 1, 'a distance up to 1000');
      if (of?.text.toLowerCase() !== 'of') this.refuse(of?.column ?? this.selection.length + 1, '"of"');
      this.at += 2;
      this.operators.push({ kind: 'within', column: token.column, distance });
      return true;
    }
    this.values.push(this.evaluate(word, token));
    return false;
  }

  private close(token: Token): void {
    while (this.operators.length > 0 && this.operators.at(-1)!.kind !== '(') this.reduce();
    if (this.operators.pop() === undefined) this.refuse(token.column, 'no ) without a (');
  }

  private reduce(): void {
    const { kind, distance } = this.operators.pop()!;
    const last = this.values.pop()!;
    if (kind === 'not') this.values.push(last.map((isIn) => 1 - isIn));
    else if (kind === 'within') this.values.push(this.findWithin(last, distance));
    else {
      const first = this.values.pop()!;
      this.values.push(first.map((isIn, i) => (kind === 'and' ? isIn & last[i] : isIn | last[i])));
    }
  }

  private evaluate(word: string, token: Token): Mask {
    const { molecule } = this;
    const { residues, atomNames, elements } = molecule;
    const byAtom = (test: (atom: number, residue: Residue) => boolean): Mask =>
      Uint8Array.from(molecule.residueOf, (residue, atom) => (test(atom, residues[residue]) ? 1 : 0));
    switch (word) {
      case 'all':
        return byAtom(() => true);
      case 'none':
        return byAtom(() => false);
      case 'protein':
        return byAtom((_, { kind }) => kind === 'amino-acid');
      case 'nucleic':
        return byAtom((_, { kind }) => kind === 'nucleotide');
      case 'water':
        return byAtom((_, { kind }) => kind === 'water');
      case 'hetero':
        return byAtom((_, { kind }) => kind === 'other');
      case 'hydrogen':
        return byAtom((atom) => elements[atom] === 'H');
      case 'heavy':
        return byAtom((atom) => elements[atom] !== 'H');
      case 'backbone':
      case 'sidechain': {
        const backbone = findBackbone(molecule);
        return byAtom(
          (atom, { kind }) =>
            (kind === 'amino-acid' || kind === 'nucleotide') && backbone[atom] === (word === 'backbone' ? 1 : 0),
        );
      }
      case 'chain': {
        const wanted = new Set(this.readValues());
        return byAtom((_, { chain }) => wanted.has(chain));
      }
      case 'resname': {
        const wanted = new Set(this.readValues());
        return byAtom((_, { name }) => wanted.has(name));
      }
      case 'name': {
        const wanted = new Set(this.readValues());
        return byAtom((atom) => wanted.has(atomNames[atom]));
      }
      case 'element': {
        const wanted = new Set(this.readValues().map((symbol) => symbol.toLowerCase()));
        return byAtom((atom) => wanted.has(elements[atom].toLowerCase()));
      }
      case 'residue': {
        const column = this.tokens[this.at]?.column ?? this.selection.length + 1;
        const ranges = this.readValues().map((text) => this.readRange(text, column));
        const isIn = residues.map(({ sequence, insertion }) =>
          ranges.some(
            ([from, to]) => isOrdered(from, { sequence, insertion }) && isOrdered({ sequence, insertion }, to),
          ),
        );
        return Uint8Array.from(molecule.residueOf, (residue) => (isIn[residue] ? 1 : 0));
      }
      default:
        return this.refuse(token.column, 'a condition such as chain, residue, name or backbone');
    }
  }

  /** Values separated by commas, blanks around the commas allowed. */
  private readValues(): string[] {
    const values: string[] = [];
    for (;;) {
      const token = this.tokens[this.at];
      if (!token || (!token.isQuoted && /^[(),]$/.test(token.text))) {
        this.refuse(token?.column ?? this.selection.length + 1, 'a value');
      }
      values.push(token.text);
      this.at++;
      const next = this.tokens[this.at];
      if (!next || next.isQuoted || next.text !== ',') return values;
      this.at++;
    }
  }

  private readRange(text: string, column: number): [Place, Place] {
    const match = /^(-?[0-9]+)([A-Za-z]?)(?:-(-?[0-9]+)([A-Za-z]?))?$/.exec(text);
    if (!match) return this.refuse(column, `residue numbers or ranges such as 10-20, not "${text}"`);
    const from: Place = { sequence: Number(match[1]), insertion: match[2] };
    const to: Place = match[3] === undefined ? from : { sequence: Number(match[3]), insertion: match[4] };
    if (!isOrdered(from, to)) this.refuse(column, `a range that rises, not "${text}"`);
    return [from, to];
  }

  private findWithin(mask: Mask, distance: number): Mask {
    const { positions, atomCount } = this.molecule;
    const found = mask.slice();
    findContacts(positions, atomCount, distance, (i, j) => {
      if (mask[i]) found[j] = 1;
      if (mask[j]) found[i] = 1;
    });
    return found;
  }

  private split(): Token[] {
    const { selection } = this;
    const tokens: Token[] = [];
    const blanks = /\s*/y;
    const pattern = /'([^']*)'|"([^"]*)"|([(),!]|&&?|\|\|?)|([^\s(),&|!"'][^\s(),&|!]*)/y;
    for (let at = 0; ; at = pattern.lastIndex) {
      blanks.lastIndex = at;
      blanks.exec(selection);
      const start = blanks.lastIndex;
      if (start === selection.length) return tokens;
      pattern.lastIndex = start;
      const match = pattern.exec(selection);
      if (!match) return this.refuse(start + 1, 'a closing quotation mark');
      const quoted = match[1] ?? match[2];
      tokens.push({ text: quoted ?? match[3] ?? match[4], column: start + 1, isQuoted: quoted !== undefined });
      if (tokens.length > MOST_TOKENS) this.refuse(start + 1, `at most ${MOST_TOKENS} words`);
    }
  }

  private refuse(column: number, expected: string): never {
    const { selection } = this;
    const found = column > selection.length ? 'the end' : `"${selection.slice(column - 1, column + 19)}"`;
    throw new MisuseError(`selectAtoms: selection, got ${found} at column ${column}, expected ${expected}`);
  }
}

interface Place {
  readonly sequence: number;
  readonly insertion: string;
}

/** Whether a is b or before it. */
function isOrdered(a: Place, b: Place): boolean {
  return a.sequence < b.sequence || (a.sequence === b.sequence && a.insertion <= b.insertion);
}

/** Backbone atoms by name, then the hydrogens bonded to them. */
function findBackbone(molecule: Molecule): Mask {
  const { residues, residueOf, atomNames, elements, bonds } = molecule;
  const mask = Uint8Array.from(residueOf, (residue, atom) => {
    const { kind } = residues[residue];
    const names = kind === 'amino-acid' ? PROTEIN_BACKBONE : kind === 'nucleotide' ? NUCLEIC_BACKBONE : null;
    return names?.has(atomNames[atom]) ? 1 : 0;
  });
  for (let k = 0; k < bonds.length; k++) {
    if (elements[bonds[k]] === 'H' && elements[bonds[k ^ 1]] !== 'H' && mask[bonds[k ^ 1]]) mask[bonds[k]] = 1;
  }
  return mask;
}
