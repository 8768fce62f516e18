/**
 * Writes instructions for values of one, two or four lanes: a value is an f64 in a module for single configurations and an f64x2
 * in one for pairs, and cell i of the memory is at byte 8 lanes i. Both do the same arithmetic, so a lane has the bits of the
 * scalar program. Four lanes are an f32x4, cells of 16 bytes (sphere-checks/).
 * Source: WebAssembly core specification 2.0, section 5.4 (instructions). Tested by compile-model.test.ts.
 */
import { ByteWriter } from './byte-writer.js';
import { Operation } from './expression-graph.js';
import { ValueType } from './wasm-module.js';

export type Lanes = 1 | 2;

/** Lanes of a register: those of compiled models, or four of single precision. */
export type RegisterLanes = Lanes | 4;

const SCALAR_CODES: Readonly<Record<number, number>> = {
  [Operation.Add]: 0xa0,
  [Operation.Subtract]: 0xa1,
  [Operation.Multiply]: 0xa2,
  [Operation.Divide]: 0xa3,
  [Operation.Minimum]: 0xa4,
  [Operation.Negate]: 0x9a,
  [Operation.SquareRoot]: 0x9f,
};
const VECTOR_CODES: Readonly<Record<number, number>> = {
  [Operation.Add]: 0xf0,
  [Operation.Subtract]: 0xf1,
  [Operation.Multiply]: 0xf2,
  [Operation.Divide]: 0xf3,
  [Operation.Minimum]: 0xf4,
  [Operation.Negate]: 0xed,
  [Operation.SquareRoot]: 0xef,
};

const SINGLE_CODES: Readonly<Record<number, number>> = {
  [Operation.Add]: 0xe4,
  [Operation.Subtract]: 0xe5,
  [Operation.Multiply]: 0xe6,
  [Operation.Divide]: 0xe7,
  [Operation.Minimum]: 0xe8,
  [Operation.Negate]: 0xe1,
  [Operation.SquareRoot]: 0xe3,
};

/** Instructions of the SIMD prefix that the trigonometry uses beside those above. */
export const Simd = {
  Load: 0x00,
  LoadSplat: 0x0a,
  Store: 0x0b,
  StoreLane64: 0x5b,
  Constant: 0x0c,
  ExtractF64: 0x21,
  GreaterF32: 0x44,
  GreaterF64: 0x4a,
  LessF64: 0x49,
  GreaterEqualF64: 0x4c,
  LessEqualF64: 0x4b,
  Not: 0x4d,
  And: 0x4e,
  Or: 0x50,
  Xor: 0x51,
  Select: 0x52,
  AnyTrue: 0x53,
  FloorF64: 0x75,
  ShiftLeft64: 0xcb,
  ShiftRight64: 0xcc,
  AbsF64: 0xec,
  NegateF64: 0xed,
  AddF64: 0xf0,
  SubtractF64: 0xf1,
  MultiplyF64: 0xf2,
} as const;

/**
 * `cellBytes` below the register's: a value is two neighbouring cells. `pointer`: a local whose bytes are added to the address of every cell
 * but those of constants.
 */
export class InstructionWriter extends ByteWriter {
  constructor(
    readonly lanes: RegisterLanes,
    readonly cellBytes: number = lanes === 4 ? 16 : 8 * lanes,
    readonly pointer = -1,
  ) {
    super();
  }

  get valueType(): number {
    return this.lanes === 1 ? ValueType.F64 : ValueType.V128;
  }

  address(cell: number): number {
    return this.cellBytes * cell;
  }

  simd(code: number): void {
    this.byte(0xfd);
    this.unsigned(code);
  }

  /** A constant address: zero, to which loads and stores add theirs. */
  zero(): void {
    this.byte(0x41);
    this.byte(0);
  }

  /** The address that loads and stores of cells add theirs to. */
  base(): void {
    if (this.pointer < 0) this.zero();
    else this.getLocal(this.pointer);
  }

  load(cell: number): void {
    this.base();
    this.#load(cell);
  }

  loadConstant(cell: number): void {
    this.zero();
    if (this.cellBytes === 8 * this.lanes) {
      this.#load(cell);
      return;
    }
    this.simd(Simd.LoadSplat);
    this.byte(3);
    this.unsigned(this.address(cell));
  }

  #load(cell: number): void {
    if (this.lanes === 1) {
      this.byte(0x2b);
      this.byte(3);
    } else {
      this.simd(Simd.Load);
      this.byte(4);
    }
    this.unsigned(this.address(cell));
  }

  /** Before: `base`, then the value. */
  store(cell: number): void {
    if (this.lanes === 1) {
      this.byte(0x39);
      this.byte(3);
    } else {
      this.simd(Simd.Store);
      this.byte(4);
    }
    this.unsigned(this.address(cell));
  }

  integer(value: number): void {
    this.byte(0x41);
    this.signed(value);
  }

  beginLoop(): void {
    this.bytes([0x03, 0x40]);
  }

  /** A local integer becomes larger by `bytes`. */
  advance(local: number, bytes: number): void {
    this.getLocal(local);
    this.integer(bytes);
    this.byte(0x6a);
    this.setLocal(local);
  }

  /** Ends a loop that goes on while the local is below the limit, unsigned. */
  repeatWhileBelow(local: number, limit: number): void {
    this.getLocal(local);
    this.integer(limit);
    this.byte(0x49);
    this.bytes([0x0d, 0]);
    this.byte(0x0b);
  }

  getLocal(index: number): void {
    this.byte(0x20);
    this.unsigned(index);
  }

  setLocal(index: number): void {
    this.byte(0x21);
    this.unsigned(index);
  }

  teeLocal(index: number): void {
    this.byte(0x22);
    this.unsigned(index);
  }

  call(functionIndex: number): void {
    this.byte(0x10);
    this.unsigned(functionIndex);
  }

  operate(operation: number): void {
    if (this.lanes === 1) this.byte(SCALAR_CODES[operation]);
    else this.simd((this.lanes === 2 ? VECTOR_CODES : SINGLE_CODES)[operation]);
  }

  /** Before: the two values, then the test. */
  selectWherePositive(): void {
    if (this.lanes === 1) {
      this.byte(0x44);
      this.f64(0);
      this.byte(0x64);
      this.byte(0x1b);
      return;
    }
    this.simd(Simd.Constant);
    this.bytes(new Uint8Array(16));
    this.simd(this.lanes === 2 ? Simd.GreaterF64 : Simd.GreaterF32);
    this.simd(Simd.Select);
  }
}
