/** The kernel memory behind an energy grid, laid out as kernel/layout.ts says. */
import type { Kernel } from '../../kernel/kernel.js';
import {
  GRID_ADDED,
  GRID_ADDED_COUNT,
  GRID_ATOM_COUNT,
  GRID_ATOMS,
  GRID_BYTES,
  GRID_CELLS,
  GRID_CONSTANTS,
  GRID_COUNTS,
  GRID_FINENESS,
  GRID_FLOAT_BYTES,
  GRID_FLOATS,
  GRID_HEADER_BYTES,
  GRID_LIST,
  GRID_MOST_CELLS,
  GRID_NEAR,
  GRID_NEAR_LIST,
  GRID_PLACES,
  GRID_PLAIN,
  GRID_POSITIONS,
  GRID_RECORDS,
  GRID_SPANS,
  GRID_SPECIAL_STARTS,
  GRID_SPECIALS,
  GRID_STARTS,
  GRID_SUMS,
} from '../../kernel/layout.js';
import { energies } from '../../kernel/parts/energy.js';
import type { ProteinChain } from '../protein-chain.js';
import { kernelConstants, listBytes, nearStrengthsOf, reachOf, strengthsOf } from './energy-block.js';
import type { ForceField } from './force-field.js';

/** Cells per cutoff, fewer where the atoms lie far apart: no more than this many cells per atom, and some. */
const FINENESS = 1;
const CELLS_PER_ATOM = 8;

const roundUp = (bytes: number): number => 16 * Math.ceil(bytes / 16);

export class GridBlock {
  readonly address: number;
  /** Word (of 8 bytes) of the first position. */
  private readonly positionWord: number;

  constructor(
    readonly kernel: Kernel,
    field: ForceField,
    protein: ProteinChain,
    /** Interacting atoms, rows of `protein.atoms`, ascending. */
    private readonly rows: Int32Array,
  ) {
    const count = rows.length;
    const specials = listSpecials(field, protein.atoms, rows);
    const specialCount = specials.reduce((sum, list) => sum + list.length, 0);
    const mostCells = CELLS_PER_ATOM * count + 4096;
    let bytes = GRID_HEADER_BYTES;
    const offsets = new Map<number, number>();
    const reserve = (field: number, size: number): void => {
      offsets.set(field, bytes);
      bytes += roundUp(size);
    };
    const floatBytes = roundUp(4 * count + 16);
    reserve(GRID_POSITIONS, 24 * (count + 1));
    reserve(GRID_PLAIN, 24 * (count + 1));
    reserve(GRID_NEAR, 24 * (count + 1));
    reserve(GRID_SPECIAL_STARTS, 4 * (count + 1));
    reserve(GRID_SPECIALS, 4 * specialCount);
    reserve(GRID_SPANS, 8 * count);
    reserve(GRID_ADDED, 4 * count);
    reserve(GRID_CELLS, 4 * count);
    reserve(GRID_PLACES, 4 * count);
    reserve(GRID_ATOMS, 4 * count);
    reserve(GRID_RECORDS, 48 * (count + 2));
    reserve(GRID_FLOATS, 3 * floatBytes);
    reserve(GRID_STARTS, 4 * (mostCells + 2));
    reserve(GRID_LIST, listBytes(count));
    reserve(GRID_NEAR_LIST, 8 * (count + 2));
    this.address = kernel.allocate(bytes);
    const { u32, f64 } = kernel;
    u32.fill(0, this.address / 4, (this.address + bytes) / 4);
    const header = this.address / 4;
    u32[header + GRID_BYTES / 4] = bytes;
    u32[header + GRID_ATOM_COUNT / 4] = count;
    u32[header + GRID_FLOAT_BYTES / 4] = floatBytes;
    u32[header + GRID_MOST_CELLS / 4] = mostCells;
    for (const [at, offset] of offsets) u32[header + at / 4] = offset;
    f64[(this.address + GRID_FINENESS) / 8] = FINENESS;
    f64.set(kernelConstants(field, reachOf(protein)), (this.address + GRID_CONSTANTS) / 8);
    const word = (field: number, size: 4 | 8): number => (this.address + offsets.get(field)!) / size;
    this.positionWord = word(GRID_POSITIONS, 8);
    let at = 0;
    specials.forEach((list, i) => {
      const atom = protein.atoms[rows[i]];
      f64.set(strengthsOf(field, atom), word(GRID_PLAIN, 8) + 3 * i);
      f64.set(nearStrengthsOf(field, atom), word(GRID_NEAR, 8) + 3 * i);
      u32.set(list, word(GRID_SPECIALS, 4) + at);
      at += list.length;
      u32[word(GRID_SPECIAL_STARTS, 4) + i + 1] = at;
      const others = list.map((special) => special >> 1);
      u32.set([Math.min(i, ...others), Math.max(i, ...others)], word(GRID_SPANS, 4) + 2 * i);
    });
  }

  /** Takes over the positions (3 per row of the protein's atoms) of atoms first .. last - 1. */
  writePositions(values: Float64Array, first: number, last: number): void {
    const { f64 } = this.kernel;
    const { rows } = this;
    let word = this.positionWord + 3 * first;
    for (let i = first; i < last; i++) {
      const at = 3 * rows[i];
      f64[word++] = values[at];
      f64[word++] = values[at + 1];
      f64[word++] = values[at + 2];
    }
  }

  clear(): void {
    this.kernel.u32[(this.address + GRID_ADDED_COUNT) / 4] = 0;
  }

  add(first: number, last: number): void {
    this.kernel.part(energies).addToGrid(this.address, first, last);
  }

  sort(): void {
    this.kernel.part(energies).sortGrid(this.address);
  }

  ask(first: number, last: number, isInside: boolean): void {
    this.kernel.part(energies).askGrid(this.address, first, last, isInside ? 1 : 0);
  }

  /** Lennard-Jones or electrostatic (1) sum of all that asked since it was last taken; sets it to zero. */
  takeSum(term: 0 | 1): number {
    const word = (this.address + GRID_SUMS) / 8 + term;
    const sum = this.kernel.f64[word];
    this.kernel.f64[word] = 0;
    return sum;
  }

  /** Pairs looked at, or computed (1); sets the count to zero. */
  takeCount(which: 0 | 1): number {
    const word = (this.address + GRID_COUNTS) / 4 + which;
    const count = this.kernel.u32[word];
    this.kernel.u32[word] = 0;
    return count;
  }

  release(): void {
    this.kernel.release(this.address);
  }
}

/** Of each interacting atom, those at most three bonds away: 2 x number, + 1 when three bonds away. */
function listSpecials(field: ForceField, atoms: Int32Array, rows: Int32Array): number[][] {
  const numberOf = new Map(Array.from(rows, (row, i) => [atoms[row], i]));
  return Array.from(rows, (row) => {
    const atom = atoms[row];
    const list = (others: Int32Array, near: 0 | 1): number[] =>
      Array.from(others).flatMap((other) => {
        const i = numberOf.get(other);
        return i === undefined || other === atom ? [] : [2 * i + near];
      });
    return [...list(field.excluded[atom], 0), ...list(field.pairs14[atom], 1)];
  });
}
