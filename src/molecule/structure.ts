/**
 * A macromolecular structure as its file gives it: plain data, nothing chosen and nothing left out. Readers in `io/`
 * write it; `molecule.ts` chooses a model and one alternate conformation of every residue.
 *
 * Lengths in angstrom, B factors in square angstrom.
 */

import type { Assumption } from '../model/issue.js';

/** A residue's name in its file: author numbering, chain '' when the file gives none. */
export interface ResidueName {
  readonly chain: string;
  readonly sequence: number;
  /** Insertion code, '' for none. */
  readonly insertion: string;
  /** Component name: ALA, HOH, ... */
  readonly name: string;
}

/** Atoms of one model as columns of equal length, in file order. */
export interface AtomColumns {
  readonly count: number;
  /** x, y, z of each atom: 3 count. */
  readonly positions: Float64Array;
  /** Serial number in the file, -1 when unreadable. */
  readonly serials: Int32Array;
  readonly names: readonly string[];
  /** Element symbol as in the periodic table (C, Fe), '' when it cannot be told. */
  readonly elements: readonly string[];
  /** Alternate location indicator, '' for none. */
  readonly alternates: readonly string[];
  readonly residueNames: readonly string[];
  readonly chains: readonly string[];
  readonly sequences: Int32Array;
  readonly insertions: readonly string[];
  readonly occupancies: Float64Array;
  readonly temperatures: Float64Array;
  /** 1 for atoms of HETATM records. */
  readonly hetero: Uint8Array;
  /** 1 for the last atom before a TER record: the polymer ends here. */
  readonly terminal: Uint8Array;
}

export interface StructureModel {
  readonly number: number;
  readonly atoms: AtomColumns;
}

/** An atom by its place in a residue; alternate '' stands for every conformation. */
export interface AtomName extends ResidueName {
  readonly atom: string;
  readonly alternate: string;
}

/** A bond that the file states: CONECT (by serial numbers), SSBOND, LINK or struct_conn (by names). */
export type StatedBond =
  | { readonly kind: 'serials'; readonly serials: readonly [number, number] }
  | { readonly kind: 'names'; readonly atoms: readonly [AtomName, AtomName] };

export interface Structure {
  readonly format: 'pdb' | 'cif' | 'bcif';
  /** Entry id, '' when the file gives none. */
  readonly name: string;
  readonly models: readonly StructureModel[];
  /** Residues that were in the sample and are not in the model: REMARK 465, pdbx_unobs_or_zero_occ_residues. */
  readonly missing: readonly ResidueName[];
  /** Residues of which the file names atoms without usable coordinates. */
  readonly unplaced: readonly ResidueName[];
  /** Component name of a modified residue -> name of the residue it derives from: MODRES, pdbx_struct_mod_residue. */
  readonly modified: ReadonlyMap<string, string>;
  readonly bonds: readonly StatedBond[];
  /** What the reader left out, changed or guessed. */
  readonly assumed?: readonly Assumption[];
}

/** Grows atom columns one atom at a time. */
export class AtomColumnsBuilder {
  private readonly positions: number[] = [];
  private readonly serials: number[] = [];
  private readonly names: string[] = [];
  private readonly elements: string[] = [];
  private readonly alternates: string[] = [];
  private readonly residueNames: string[] = [];
  private readonly chains: string[] = [];
  private readonly sequences: number[] = [];
  private readonly insertions: string[] = [];
  private readonly occupancies: number[] = [];
  private readonly temperatures: number[] = [];
  private readonly hetero: number[] = [];
  private readonly terminal: number[] = [];
  /** Names come again for every atom; one copy of each is kept. */
  private readonly texts = new Map<string, string>();

  get count(): number {
    return this.names.length;
  }

  add(atom: {
    readonly position: readonly [number, number, number];
    readonly serial: number;
    readonly name: string;
    readonly element: string;
    readonly alternate: string;
    readonly residue: ResidueName;
    readonly occupancy: number;
    readonly temperature: number;
    readonly hetero: boolean;
  }): void {
    this.positions.push(...atom.position);
    this.serials.push(atom.serial);
    this.names.push(this.keep(atom.name));
    this.elements.push(this.keep(atom.element));
    this.alternates.push(this.keep(atom.alternate));
    this.residueNames.push(this.keep(atom.residue.name));
    this.chains.push(this.keep(atom.residue.chain));
    this.sequences.push(atom.residue.sequence);
    this.insertions.push(this.keep(atom.residue.insertion));
    this.occupancies.push(atom.occupancy);
    this.temperatures.push(atom.temperature);
    this.hetero.push(atom.hetero ? 1 : 0);
    this.terminal.push(0);
  }

  private keep(text: string): string {
    const kept = this.texts.get(text);
    if (kept !== undefined) return kept;
    this.texts.set(text, text);
    return text;
  }

  /** The polymer ends with the atom added last. */
  terminate(): void {
    if (this.terminal.length > 0) this.terminal[this.terminal.length - 1] = 1;
  }

  build(): AtomColumns {
    return {
      count: this.count,
      positions: Float64Array.from(this.positions),
      serials: Int32Array.from(this.serials),
      names: this.names,
      elements: this.elements,
      alternates: this.alternates,
      residueNames: this.residueNames,
      chains: this.chains,
      sequences: Int32Array.from(this.sequences),
      insertions: this.insertions,
      occupancies: Float64Array.from(this.occupancies),
      temperatures: Float64Array.from(this.temperatures),
      hetero: Uint8Array.from(this.hetero),
      terminal: Uint8Array.from(this.terminal),
    };
  }
}

/** One key per residue of a file: chain, number and insertion code tell residues apart, names do not. */
export function residueKey(chain: string, sequence: number, insertion: string): string {
  return `${chain}\u0000${sequence}\u0000${insertion}`;
}
