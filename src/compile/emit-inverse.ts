/**
 * The product -M^-1 B of both matrices B of the derivatives of RNEA, and M^-1, from Y^T and D^-1 Y^T in memory
 * (dynamics/inverse-factors.ts): two entries of a row at a time.
 *
 * Method: 1. row j of Z = -1 / D_j row j of B - the sum over what j supports, i, of (D^-1 Y^T)_ji row i of B; 2. row i of X = row i
 * of Z + the sum over what supports i, j, of Y_ij row j of Z; so M^-1 with D^-1 Y^T as Z, its lower half and what mirrors it. Both
 * by blocks of columns with the sums in registers, without the terms and blocks that are zero.
 * Which rows and columns these are stands in a table of 32-bit integers: straight-line code of it would not fit a first-level
 * cache for a humanoid, and took a third more time.
 * Rows of Z have an even number of entries, so that a last odd column goes with one that nobody reads.
 * Cost: nv^2 x depth at most. Tested by compiled-derivatives.test.ts.
 */
import type { InverseFactors } from '../dynamics/support-chains.js';
import { InstructionWriter, type Lanes, Simd } from './instruction-writer.js';
import type { CellRange, DerivativeCells } from './layout.js';
import { type FunctionBody, ValueType } from './wasm-module.js';

/** Registers of a row's sum: of each of the two products, and of the inverse. */
const LARGEST_BLOCK = 3;
const LARGEST_INVERSE_BLOCK = 5;

export interface InverseProgram {
  readonly functions: readonly FunctionBody[];
  /** Calls in order: index into `functions`, then the arguments. */
  readonly calls: readonly (readonly number[])[];
  readonly operations: number;
  readonly table: readonly number[];
}

/** Sizes in bytes of what lies in memory, and the table, which begins at `tableAt`. */
class Work {
  readonly cellBytes: number;
  readonly row: number;
  readonly paddedRow: number;
  /** Columns of a register. */
  readonly step: number;
  readonly table: number[] = [];

  constructor(
    readonly nv: number,
    readonly lanes: Lanes,
    readonly chains: InverseFactors,
    readonly tableAt: number,
  ) {
    this.cellBytes = 8 * lanes;
    this.row = this.cellBytes * nv;
    this.paddedRow = this.cellBytes * padRow(nv);
    this.step = 2 / lanes;
  }

  /** Where the next entry of the table will be. */
  get next(): number {
    return this.tableAt + 4 * this.table.length;
  }

  /** What supports i, from the base on. */
  listChain(i: number): number[] {
    const { chainStarts, chains } = this.chains;
    return Array.from(chains.subarray(chainStarts[i], chainStarts[i + 1] - 1));
  }
}

/** Entries of a row of Z. */
export const padRow = (nv: number): number => nv + (nv % 2);

export function emitInverse(
  cells: DerivativeCells,
  chains: InverseFactors,
  nv: number,
  lanes: Lanes,
  tableAt: number,
): InverseProgram {
  const work = new Work(nv, lanes, chains, tableAt);
  if (nv === 0) return { functions: [], calls: [], operations: 0, table: [] };
  const functions: FunctionBody[] = [];
  const calls: (readonly number[])[] = [];
  const solve = listSolves(work);
  let operations = solve.operations;
  calls.push([functions.push(emitSolve(cells, work)) - 1, solve.begin, solve.end]);
  for (const ofInverse of [false, true]) {
    const gather = listGathers(work, ofInverse);
    operations += gather.operations;
    calls.push([functions.push(emitGather(cells, work, ofInverse)) - 1, gather.begin, gather.end]);
  }
  return { functions, calls, operations, table: work.table };
}

class RowWriter extends InstructionWriter {
  constructor(readonly configurations: Lanes) {
    super(2, 8 * configurations);
  }

  memory(code: number, cell: number): void {
    this.simd(code);
    this.byte(3);
    this.unsigned(this.address(cell));
  }

  /** One number in both lanes; two configurations have one each. */
  get loadTwice(): number {
    return this.configurations === 1 ? Simd.LoadSplat : Simd.Load;
  }

  /** `to` = entry k of the table's item at local `item`. */
  readItem(item: number, k: number, to: number): void {
    this.getLocal(item);
    this.byte(0x28);
    this.byte(2);
    this.unsigned(4 * k);
    this.setLocal(to);
  }

  addLocals(a: number, b: number, to: number): void {
    this.getLocal(a);
    this.getLocal(b);
    this.byte(0x6a);
    this.setLocal(to);
  }

  /** Ends a loop that goes on while one local is below another. */
  repeatWhileLess(a: number, b: number): void {
    this.getLocal(a);
    this.getLocal(b);
    this.bytes([0x49, 0x0d, 0, 0x0b]);
  }
}

const listMatrices = (cells: DerivativeCells): readonly (readonly [CellRange, CellRange])[] => [
  [cells.scratchDq, cells.dtauDq],
  [cells.scratchDv, cells.dtauDv],
];

const listLocals = (integers: number, registers: number): FunctionBody['locals'] => [
  { count: integers, type: ValueType.I32 },
  { count: registers, type: ValueType.V128 },
];

/** A stretch of the table, and the floating-point operations it stands for. */
interface Items {
  readonly begin: number;
  readonly end: number;
  readonly operations: number;
}

/** Columns of a row in blocks of `size` registers; the last one may overlap the one before, or reach one number past the row. */
function cutRow({ nv, step }: Work, ofInverse: boolean): { readonly size: number; readonly starts: readonly number[] } {
  const registers = Math.ceil(nv / step);
  const largest = ofInverse ? LARGEST_INVERSE_BLOCK : LARGEST_BLOCK;
  const size = Math.ceil(registers / Math.ceil(registers / largest));
  const starts: number[] = [];
  for (let at = 0; at < registers; at += size) starts.push(step * Math.min(at, registers - size));
  return { size, starts };
}

/**
 * Items of step 1, one for each row j and block that is not zero: bytes of the row's pivot, of the block in row j of B and in row j
 * of Z, of the block in a row, and where its terms stand in the table, begin and end: bytes of row i of B and of entry (j, i) of
 * D^-1 Y^T, for each i with an entry in the block.
 */
function listSolves(work: Work): Items {
  const { chains, nv, step, cellBytes, table } = work;
  const { size, starts } = cutRow(work, false);
  const { runStarts, runs } = chains;
  const hasEntry = (i: number, first: number, end: number): boolean => {
    for (let r = runStarts[i]; r < runStarts[i + 1]; r += 2) if (runs[r] < end && runs[r + 1] > first) return true;
    return false;
  };
  const supported: number[][] = Array.from({ length: nv }, () => []);
  for (let i = 0; i < nv; i++) for (const j of work.listChain(i)) supported[j].push(i);
  let operations = 0;
  const items: number[] = [];
  for (let j = 0; j < nv; j++) {
    for (const first of starts) {
      const terms = supported[j].filter((i) => hasEntry(i, first, first + size * step));
      if (terms.length === 0 && !hasEntry(j, first, first + size * step)) continue;
      const block = cellBytes * first;
      items.push(cellBytes * j, work.row * j + block, work.paddedRow * j + block, block, work.next);
      for (const i of terms) table.push(work.row * i, work.row * j + cellBytes * i);
      items.push(work.next);
      operations += (2 + 4 * terms.length) * size * step;
    }
  }
  const begin = work.next;
  for (const item of items) table.push(item);
  return { begin, end: work.next, operations };
}

/** Arguments: begin and end of the items. */
function emitSolve(cells: DerivativeCells, work: Work): FunctionBody {
  const out = new RowWriter(work.lanes);
  const { size } = cutRow(work, false);
  const { step } = work;
  const [item, end, pivot, own, to, block, term, last, at, factor, first] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const matrices = listMatrices(cells);
  const each = (visit: (register: number, matrix: number, k: number) => void) => {
    for (let m = 0; m < matrices.length; m++) for (let k = 0; k < size; k++) visit(first + m * size + k, m, k);
  };
  out.beginLoop();
  [pivot, own, to, block, term, last].forEach((local, k) => {
    out.readItem(item, k, local);
  });
  out.getLocal(pivot);
  out.memory(out.loadTwice, cells.pivots.start);
  out.simd(Simd.NegateF64);
  out.setLocal(factor);
  each((register, m, k) => {
    out.getLocal(own);
    out.memory(Simd.Load, matrices[m][1].start + step * k);
    out.getLocal(factor);
    out.simd(Simd.MultiplyF64);
    out.setLocal(register);
  });
  out.getLocal(term);
  out.getLocal(last);
  out.bytes([0x49, 0x04, 0x40]); // if there are terms
  out.beginLoop();
  out.readItem(term, 1, at);
  out.getLocal(at);
  out.memory(out.loadTwice, cells.scratchInverse.start);
  out.setLocal(factor);
  out.readItem(term, 0, at);
  out.addLocals(at, block, at);
  each((register, m, k) => {
    out.getLocal(register);
    out.getLocal(at);
    out.memory(Simd.Load, matrices[m][1].start + step * k);
    out.getLocal(factor);
    out.simd(Simd.MultiplyF64);
    out.simd(Simd.SubtractF64);
    out.setLocal(register);
  });
  out.advance(term, 8);
  out.repeatWhileLess(term, last);
  out.byte(0x0b);
  each((register, m, k) => {
    out.getLocal(to);
    out.getLocal(register);
    out.memory(Simd.Store, matrices[m][0].start + step * k);
  });
  out.advance(item, 24);
  out.repeatWhileLess(item, end);
  return { integers: 2, locals: listLocals(7, 1 + matrices.length * size), code: out.toBytes() };
}

/** How many of what supports i, from the base on, have an entry of Z in columns first .. end - 1: terms after them are zero. */
function countTerms(work: Work, i: number, first: number, end: number, ofInverse: boolean): number {
  const { chainEnds, runStarts, runs } = work.chains;
  const hasEntry = (j: number): boolean => {
    if (ofInverse) return j < end && chainEnds[j] > first;
    for (let r = runStarts[j]; r < runStarts[j + 1]; r += 2) if (runs[r] < end && runs[r + 1] > first) return true;
    return false;
  };
  const chain = work.listChain(i);
  let terms = chain.length;
  while (terms > 0 && !hasEntry(chain[terms - 1])) terms--;
  return terms;
}

/**
 * Items of step 2, one for each row i and block: bytes of the block in row i of Z, of the block in a row, of entry i in a row, of
 * the block in row i of X (for the inverse also of entry i in the block's first row), and the rows j, begin and end: pairs of
 * bytes of row j of Z and of Y^T.
 */
function listGathers(work: Work, ofInverse: boolean): Items {
  const { nv, cellBytes, table } = work;
  const { size, starts } = cutRow(work, ofInverse);
  let operations = 0;
  const lists = Array.from({ length: nv }, (_, i) => {
    const begin = work.next;
    for (const j of work.listChain(i)) table.push((ofInverse ? work.row : work.paddedRow) * j, work.row * j);
    return begin;
  });
  const begin = work.next;
  const rowOfZ = ofInverse ? work.row : work.paddedRow;
  for (let i = 0; i < nv; i++) {
    for (const first of starts) {
      // Only the lower half of a symmetric matrix.
      if (ofInverse && first > i) continue;
      const end = Math.min(first + size * work.step, nv, ofInverse ? i + 1 : nv);
      const terms = countTerms(work, i, first, end, ofInverse);
      operations += (ofInverse ? 2 : 4) * terms * size * work.step;
      const block = cellBytes * first;
      table.push(rowOfZ * i + block, block, cellBytes * i, work.row * i + block, work.row * first + cellBytes * i);
      table.push(lists[i], lists[i] + 8 * terms);
    }
  }
  return { begin, end: work.next, operations };
}

/** Arguments: begin and end of the items. */
function emitGather(cells: DerivativeCells, work: Work, ofInverse: boolean): FunctionBody {
  const out = new RowWriter(work.lanes);
  const { size } = cutRow(work, ofInverse);
  const { step, nv } = work;
  const [item, end, own, block, entry, to, mirrored, j, last, at, factor, first] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
  ];
  const matrices: readonly (readonly [CellRange, CellRange])[] = ofInverse
    ? [[cells.scratchInverse, cells.inverseM]]
    : [
        [cells.scratchDq, cells.ddqDq],
        [cells.scratchDv, cells.ddqDv],
      ];
  const each = (visit: (register: number, matrix: number, k: number) => void) => {
    for (let m = 0; m < matrices.length; m++) for (let k = 0; k < size; k++) visit(first + m * size + k, m, k);
  };
  out.beginLoop();
  [own, block, entry, to, mirrored, j, last].forEach((local, k) => {
    out.readItem(item, k, local);
  });
  each((register, m, k) => {
    out.getLocal(own);
    out.memory(Simd.Load, matrices[m][0].start + step * k);
    out.setLocal(register);
  });
  out.getLocal(j);
  out.getLocal(last);
  out.bytes([0x49, 0x04, 0x40]); // if there are terms
  out.beginLoop();
  out.readItem(j, 1, at);
  out.addLocals(at, entry, at);
  out.getLocal(at);
  out.memory(out.loadTwice, cells.factors.start);
  out.setLocal(factor);
  out.readItem(j, 0, at);
  out.addLocals(at, block, at);
  each((register, m, k) => {
    out.getLocal(register);
    out.getLocal(at);
    out.memory(Simd.Load, matrices[m][0].start + step * k);
    out.getLocal(factor);
    out.simd(Simd.MultiplyF64);
    out.simd(Simd.AddF64);
    out.setLocal(register);
  });
  out.advance(j, 8);
  out.repeatWhileLess(j, last);
  out.byte(0x0b);
  each((register, m, k) => {
    out.getLocal(to);
    out.getLocal(register);
    out.memory(Simd.Store, matrices[m][1].start + step * k);
    if (!ofInverse) return;
    for (let lane = 0; lane < step; lane++) {
      out.getLocal(mirrored);
      out.getLocal(register);
      out.memory(step === 2 ? Simd.StoreLane64 : Simd.Store, cells.inverseM.start + (step * k + lane) * nv);
      if (step === 2) out.byte(lane);
    }
  });
  out.advance(item, 28);
  out.repeatWhileLess(item, end);
  return { integers: 2, locals: listLocals(8, 1 + matrices.length * size), code: out.toBytes() };
}
