/**
 * Functions over pairs of columns d, c: c runs over what follows d in its subtree, which lies side by side in memory.
 *
 * Method: the numbers of d are read once, into registers that hold them twice; two columns c at a time take one instruction for
 * both. Entries (d, c) of a matrix are neighbours, entries (c, d) are stored one by one. In modules for pairs of configurations
 * the lanes are configurations and c takes single steps.
 * Arguments of the functions: bytes of d, of the first c, of the end of c. Cost: linear in pairs.
 * Tested by compiled-derivatives.test.ts.
 */
import { InstructionWriter, type Lanes, Simd } from './instruction-writer.js';
import type { CellRange, DerivativeCells } from './layout.js';
import { type FunctionBody, ValueType } from './wasm-module.js';

/** Products of d's numbers with c's, summed: component of an array of d and of one of c. */
type Term = readonly [of: CellRange, k: number, times: CellRange, l: number];
type Place = 'row' | 'column';

const Local = { D: 0, C: 1, End: 2, Row: 3, Column: 4, First: 5 } as const;

class PairWriter {
  readonly out: InstructionWriter;
  readonly #held = new Map<number, number>();
  readonly #cellBytes: number;

  constructor(
    readonly lanes: Lanes,
    readonly nv: number,
    readonly stride: number,
  ) {
    this.#cellBytes = 8 * lanes;
    this.out = new InstructionWriter(2, this.#cellBytes);
  }

  cellOf(range: CellRange, k: number): number {
    return range.start + k * this.stride;
  }

  /** Component k of an array of d, in both lanes. */
  hold(range: CellRange, k: number): void {
    const cell = this.cellOf(range, k);
    if (this.#held.has(cell)) return;
    this.out.getLocal(Local.D);
    this.memory(this.lanes === 1 ? Simd.LoadSplat : Simd.Load, cell);
    const local = Local.First + this.#held.size;
    this.#held.set(cell, local);
    this.out.setLocal(local);
  }

  get held(): number {
    return this.#held.size;
  }

  memory(code: number, cell: number, extraBytes = 0): void {
    this.out.simd(code);
    this.out.byte(3);
    this.out.unsigned(this.#cellBytes * cell + extraBytes);
  }

  loadColumn(range: CellRange, k: number): void {
    this.out.getLocal(Local.C);
    this.memory(Simd.Load, this.cellOf(range, k));
  }

  getHeld(range: CellRange, k: number): void {
    this.out.getLocal(this.#held.get(this.cellOf(range, k)) as number);
  }

  sum(terms: readonly Term[]): void {
    terms.forEach(([of, k, times, l], i) => {
      this.getHeld(of, k);
      this.loadColumn(times, l);
      this.out.simd(Simd.MultiplyF64);
      if (i > 0) this.out.simd(Simd.AddF64);
    });
  }

  /** Entry (d, c) or (c, d) from a local; `tail`: of the first lane alone. */
  storeEntry(matrix: CellRange, place: Place, local: number, tail: boolean): void {
    const pointer = place === 'row' ? Local.Row : Local.Column;
    if (this.lanes === 2 || (place === 'row' && !tail)) {
      this.out.getLocal(pointer);
      this.out.getLocal(local);
      this.memory(Simd.Store, matrix.start);
      return;
    }
    for (let lane = 0; lane < (tail ? 1 : 2); lane++) this.storeLane(pointer, local, lane, matrix.start, 8 * this.nv);
  }

  storeLane(pointer: number, local: number, lane: number, cell: number, step: number): void {
    this.out.getLocal(pointer);
    this.out.getLocal(local);
    this.memory(Simd.StoreLane64, cell, lane * step);
    this.out.byte(lane);
  }

  /** `body` for two columns at a time and for a last one. */
  finish(body: (tail: boolean) => void, extraLocals: number): FunctionBody {
    const { out } = this;
    const product = (local: number, plus: number, to: number): void => {
      out.getLocal(local);
      out.integer(this.nv);
      out.byte(0x6c);
      out.getLocal(plus);
      out.byte(0x6a);
      out.setLocal(to);
    };
    product(Local.D, Local.C, Local.Row);
    product(Local.C, Local.D, Local.Column);
    out.bytes([0x02, 0x40, 0x03, 0x40]); // block, loop
    out.getLocal(Local.C);
    out.integer(16);
    out.byte(0x6a);
    out.getLocal(Local.End);
    out.bytes([0x4b, 0x0d, 1]); // leave above
    body(false);
    out.advance(Local.C, 16);
    out.advance(Local.Row, 16);
    out.advance(Local.Column, 16 * this.nv);
    out.bytes([0x0c, 0, 0x0b, 0x0b]);
    if (this.lanes === 1) {
      out.getLocal(Local.C);
      out.getLocal(Local.End);
      out.bytes([0x49, 0x04, 0x40]); // if below
      body(true);
      out.byte(0x0b);
    }
    return {
      integers: 3,
      locals: [
        { count: 2, type: ValueType.I32 },
        { count: this.held + extraLocals, type: ValueType.V128 },
      ],
      code: out.toBytes(),
    };
  }
}

const six = [0, 1, 2, 3, 4, 5];
const angular = [3, 4, 5];

/**
 * Entries of the derivatives of RNEA: (d, c) S . D_q and S . D_v, (c, d) P . B_t + R . D_a and S . B_t + Q . D_a, with d's motions
 * first and c's forces second.
 */
export function emitDerivativePairs(cells: DerivativeCells, nv: number, lanes: Lanes): FunctionBody {
  const writer = new PairWriter(lanes, nv, cells.columnStride);
  const { subspaces: S, P, R, Q, forceRates: F } = cells;
  const entries: readonly [CellRange, Place, readonly Term[]][] = [
    [cells.dtauDq, 'row', six.map((k): Term => [S, k, F, k])],
    [cells.dtauDv, 'row', six.map((k): Term => [S, k, F, 6 + k])],
    [
      cells.dtauDq,
      'column',
      [...angular.map((k): Term => [P, k, F, 15 + k]), ...six.map((k): Term => [R, k, F, 12 + k])],
    ],
    [
      cells.dtauDv,
      'column',
      [...angular.map((k): Term => [S, k, F, 15 + k]), ...six.map((k): Term => [Q, k, F, 12 + k])],
    ],
  ];
  for (const [, , terms] of entries) for (const [of, k] of terms) writer.hold(of, k);
  const value = Local.First + writer.held;
  return writer.finish((tail) => {
    for (const [matrix, place, terms] of entries) {
      writer.sum(terms);
      writer.out.setLocal(value);
      writer.storeEntry(matrix, place, value, tail);
    }
  }, 1);
}

/** Row d of Y^T and of D^-1 Y^T: y = -S . g, g += y U / D (inverse-factors.ts). To be called from the last d to the first. */
export function emitChains(cells: DerivativeCells, nv: number, lanes: Lanes): FunctionBody {
  const writer = new PairWriter(lanes, nv, cells.columnStride);
  const { out } = writer;
  const { subspaces: S, scaled: U, carried: g, pivots } = cells;
  for (const k of six) writer.hold(S, k);
  for (const k of six) writer.hold(U, k);
  writer.hold(pivots, 0);
  const value = Local.First + writer.held;
  const entry = value + 1;
  return writer.finish((tail) => {
    writer.sum(six.map((k): Term => [S, k, g, k]));
    out.simd(Simd.NegateF64);
    out.setLocal(value);
    writer.storeEntry(cells.factors, 'row', value, tail);
    out.getLocal(value);
    writer.getHeld(pivots, 0);
    out.simd(Simd.MultiplyF64);
    out.setLocal(entry);
    writer.storeEntry(cells.scratchInverse, 'row', entry, tail);
    for (const k of six) {
      writer.loadColumn(g, k);
      writer.getHeld(U, k);
      out.getLocal(value);
      out.simd(Simd.MultiplyF64);
      out.simd(Simd.AddF64);
      out.setLocal(entry);
      if (lanes === 1 && tail) {
        writer.storeLane(Local.C, entry, 0, writer.cellOf(g, k), 0);
        continue;
      }
      out.getLocal(Local.C);
      out.getLocal(entry);
      writer.memory(Simd.Store, writer.cellOf(g, k));
    }
  }, 2);
}
