/**
 * The product -M^-1 B of both matrices B of the derivatives of RNEA, and M^-1, from Y^T and D^-1 Y^T in memory
 * (dynamics/inverse-factors.ts): two entries of a row at a time.
 *
 * Method: 1. Z = -D^-1 B, row by row; 2. for every i and what supports it, j: row j of Z -= (D^-1 Y^T)_ji row i of B, on the columns
 * where that row is not zero, one function per i; 3. row i of X = row i of Z + the sum over j of Y_ij row j of Z, one function
 * per i that goes through blocks of columns with the row's sum in registers. Z, Z and D^-1 Y^T lie side by side, as do the three X.
 * Cost: nv^2 x depth at most. Tested by compiled-derivatives.test.ts.
 */
import type { InverseFactors } from '../dynamics/inverse-factors.js';
import { InstructionWriter, type Lanes, Simd } from './instruction-writer.js';
import type { DerivativeCells } from './layout.js';
import { type FunctionBody, ValueType } from './wasm-module.js';

/** Registers of a row's sum. */
const LARGEST_BLOCK = 6;

export interface InverseProgram {
  readonly functions: readonly FunctionBody[];
  /** Calls in order: index into `functions`, then the arguments. */
  readonly calls: readonly (readonly number[])[];
  readonly operations: number;
}

export function emitInverse(cells: DerivativeCells, chains: InverseFactors, nv: number, lanes: Lanes): InverseProgram {
  const functions: FunctionBody[] = [];
  const calls: (readonly number[])[] = [];
  let operations = 2 * nv * nv;
  if (nv === 0) return { functions, calls, operations };
  const row = 8 * lanes * nv;
  const scale = functions.push(emitScale(cells, nv, lanes)) - 1;
  for (let j = 0; j < nv; j++) calls.push([scale, 8 * lanes * j, row * j]);
  for (let i = 0; i < nv; i++) {
    const own = chains.chainStarts[i + 1] - 1;
    if (chains.chainStarts[i] === own) continue;
    const spread = functions.push(emitSpread(cells, chains, i, nv, lanes)) - 1;
    for (let at = chains.chainStarts[i]; at < own; at++) calls.push([spread, row * chains.chains[at]]);
    let columns = 0;
    for (let r = chains.runStarts[i]; r < chains.runStarts[i + 1]; r += 2)
      columns += chains.runs[r + 1] - chains.runs[r];
    operations += (own - chains.chainStarts[i]) * (4 * columns + 6 * nv);
  }
  for (let i = 0; i < nv; i++) calls.push([functions.push(emitGather(cells, chains, i, nv, lanes)) - 1]);
  return { functions, calls, operations };
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
  loadTwice(local: number, cell: number): void {
    this.getLocal(local);
    this.memory(this.configurations === 1 ? Simd.LoadSplat : Simd.Load, cell);
  }
}

/** Row of Z = -1 / D times the row of B, of both. Arguments: bytes of the row's pivot, of the row. May write one number past the row. */
function emitScale(cells: DerivativeCells, nv: number, lanes: Lanes): FunctionBody {
  const out = new RowWriter(lanes);
  const [pivot, row, end, factor] = [0, 1, 2, 3];
  out.loadTwice(pivot, cells.pivots.start);
  out.simd(Simd.NegateF64);
  out.setLocal(factor);
  out.getLocal(row);
  out.integer(8 * lanes * nv);
  out.byte(0x6a);
  out.setLocal(end);
  out.beginLoop();
  for (const [to, from] of [
    [cells.scratchDq, cells.dtauDq],
    [cells.scratchDv, cells.dtauDv],
  ]) {
    out.getLocal(row);
    out.getLocal(row);
    out.memory(Simd.Load, from.start);
    out.getLocal(factor);
    out.simd(Simd.MultiplyF64);
    out.memory(Simd.Store, to.start);
  }
  out.advance(row, 16);
  out.getLocal(row);
  out.getLocal(end);
  out.bytes([0x49, 0x0d, 0, 0x0b]);
  return {
    integers: 2,
    locals: [
      { count: 1, type: ValueType.I32 },
      { count: 1, type: ValueType.V128 },
    ],
    code: out.toBytes(),
  };
}

/** Row j of Z -= (D^-1 Y^T)_ji row i of B, of both. Argument: bytes of row j. */
function emitSpread(cells: DerivativeCells, chains: InverseFactors, i: number, nv: number, lanes: Lanes): FunctionBody {
  const out = new RowWriter(lanes);
  const [row, factor] = [0, 1];
  out.loadTwice(row, cells.scratchInverse.start + i);
  out.setLocal(factor);
  const step = 2 / lanes;
  for (const [to, from] of [
    [cells.scratchDq.start, cells.dtauDq.start + i * nv],
    [cells.scratchDv.start, cells.dtauDv.start + i * nv],
  ]) {
    for (let r = chains.runStarts[i]; r < chains.runStarts[i + 1]; r += 2) {
      let c = chains.runs[r];
      const end = chains.runs[r + 1];
      for (; c + step <= end; c += step) {
        out.getLocal(row);
        out.getLocal(row);
        out.memory(Simd.Load, to + c);
        out.getLocal(factor);
        out.zero();
        out.memory(Simd.Load, from + c);
        out.simd(Simd.MultiplyF64);
        out.simd(Simd.SubtractF64);
        out.memory(Simd.Store, to + c);
      }
      if (c < end) spreadOne(out, row, factor, to + c, from + c);
    }
  }
  return { integers: 1, locals: [{ count: 1, type: ValueType.V128 }], code: out.toBytes() };
}

/** The last entry of a run of an odd number. */
function spreadOne(out: RowWriter, row: number, factor: number, to: number, from: number): void {
  const float = (code: number, cell: number) => {
    out.byte(code);
    out.byte(3);
    out.unsigned(out.address(cell));
  };
  out.getLocal(row);
  out.getLocal(row);
  float(0x2b, to);
  out.getLocal(factor);
  out.simd(Simd.ExtractF64);
  out.byte(0);
  out.zero();
  float(0x2b, from);
  out.bytes([0xa2, 0xa1]); // multiply, subtract
  float(0x39, to);
}

/** Row i of the three X. Blocks may overlap, and the last may reach one number past the row, which the next row writes after it. */
function emitGather(cells: DerivativeCells, chains: InverseFactors, i: number, nv: number, lanes: Lanes): FunctionBody {
  const out = new RowWriter(lanes);
  const registers = Math.ceil((nv * lanes) / 2);
  const blocks = Math.ceil(registers / LARGEST_BLOCK);
  const size = Math.ceil(registers / blocks);
  const step = 2 / lanes;
  const [at, matrix, last, factor, first] = [0, 1, 2, 3, 4];
  const matrixBytes = 8 * lanes * (cells.scratchDv.start - cells.scratchDq.start);
  const toX = cells.ddqDq.start - cells.scratchDq.start;
  out.beginLoop();
  out.getLocal(matrix);
  out.setLocal(at);
  out.getLocal(matrix);
  out.integer(16 * (registers - size));
  out.byte(0x6a);
  out.setLocal(last);
  out.bytes([0x02, 0x40]); // block
  out.beginLoop();
  const load = (row: number, k: number) => {
    out.getLocal(at);
    out.memory(Simd.Load, cells.scratchDq.start + row * nv + step * k);
  };
  for (let k = 0; k < size; k++) {
    load(i, k);
    out.setLocal(first + k);
  }
  for (let a = chains.chainStarts[i]; a < chains.chainStarts[i + 1] - 1; a++) {
    const j = chains.chains[a];
    out.zero();
    out.memory(lanes === 1 ? Simd.LoadSplat : Simd.Load, cells.factors.start + j * nv + i);
    out.setLocal(factor);
    for (let k = 0; k < size; k++) {
      out.getLocal(first + k);
      load(j, k);
      out.getLocal(factor);
      out.simd(Simd.MultiplyF64);
      out.simd(Simd.AddF64);
      out.setLocal(first + k);
    }
  }
  for (let k = 0; k < size; k++) {
    out.getLocal(at);
    out.getLocal(first + k);
    out.memory(Simd.Store, cells.scratchDq.start + toX + i * nv + step * k);
  }
  out.getLocal(at);
  out.getLocal(last);
  out.bytes([0x46, 0x0d, 1]); // leave when it was the last
  out.advance(at, 16 * size);
  // at = the smaller of at and last
  out.getLocal(at);
  out.getLocal(last);
  out.getLocal(at);
  out.getLocal(last);
  out.bytes([0x49, 0x1b]);
  out.setLocal(at);
  out.bytes([0x0c, 0, 0x0b, 0x0b]);
  out.advance(matrix, matrixBytes);
  out.repeatWhileBelow(matrix, 3 * matrixBytes);
  return {
    locals: [
      { count: 3, type: ValueType.I32 },
      { count: 1 + size, type: ValueType.V128 },
    ],
    code: out.toBytes(),
  };
}
