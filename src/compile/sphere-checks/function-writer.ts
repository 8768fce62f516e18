/**
 * Writes WebAssembly functions by hand: expressions are closures that put instructions, so that code reads as formulas.
 *
 * A `Code` leaves one value on the stack or is a statement. Locals are handed out by type; blocks and loops are labels that
 * `branch` counts its depth to.
 * Source: WebAssembly core specification 2.0, sections 5.4 (instructions) and 3.3 (validation).
 * Fails: nothing is checked here; an engine refuses a module with an error in it. Tested by compile-sphere-checks.test.ts.
 */
import { ByteWriter } from '../byte-writer.js';
import { ValueType } from '../wasm-module.js';

export type Code = () => void;

export interface Local {
  readonly index: number;
  readonly get: Code;
}

export interface Label {
  readonly depth: number;
}

/** Numbers after the SIMD prefix. */
const Simd = {
  load: 0x00,
  load32Splat: 0x09,
  load64Splat: 0x0a,
  store: 0x0b,
  constant: 0x0c,
  shuffle: 0x0d,
  f32Splat: 0x13,
  f64Splat: 0x14,
} as const;

const BINARY = {
  // f32x4
  add: 0xe4,
  sub: 0xe5,
  mul: 0xe6,
  div: 0xe7,
  // The pseudo-minimum and -maximum: one instruction where the others are seven; operands here are never NaN.
  min: 0xea,
  max: 0xeb,
  lt: 0x43,
  gt: 0x44,
  le: 0x45,
  ge: 0x46,
  // bits
  and: 0x4e,
  or: 0x50,
  xor: 0x51,
  /** Of the first, where the second is not set. */
  andNot: 0x4f,
  // i32x4 and f64x2
  addI32: 0xae,
  mulI32: 0xb5,
  addF64: 0xf0,
  subF64: 0xf1,
  mulF64: 0xf2,
  divF64: 0xf3,
  gtF64: 0x4a,
} as const;

const UNARY = {
  abs: 0xe0,
  neg: 0xe1,
  sqrt: 0xe3,
  demote: 0x5e,
  sqrtF64: 0xef,
  anyTrue: 0x53,
  bitmask: 0xa4,
  not: 0x4d,
  /** To i32x4. */
  truncate: 0xf8,
} as const;

const I32 = {
  eqz: 0x45,
  eq: 0x46,
  lt: 0x48,
  gt: 0x4a,
  le: 0x4c,
  ge: 0x4e,
  clz: 0x67,
  ctz: 0x68,
  add: 0x6a,
  sub: 0x6b,
  mul: 0x6c,
  divide: 0x6d,
  remainder: 0x6f,
  and: 0x71,
  or: 0x72,
  shl: 0x74,
  shr: 0x75,
  shrUnsigned: 0x76,
} as const;

const F64 = {
  lt: 0x63,
  gt: 0x64,
  le: 0x65,
  ge: 0x66,
  abs: 0x99,
  ceil: 0x9b,
  nearest: 0x9e,
  sqrt: 0x9f,
  add: 0xa0,
  sub: 0xa1,
  mul: 0xa2,
  div: 0xa3,
  min: 0xa4,
  max: 0xa5,
} as const;

const VOID = 0x40;

export class FunctionWriter {
  readonly #out = new ByteWriter();
  readonly #locals: number[] = [];
  #depth = 0;

  constructor(
    readonly parameters: readonly number[],
    readonly results: readonly number[],
  ) {}

  parameter(index: number): Local {
    return { index, get: () => this.#local(0x20, index) };
  }

  local(type: number): Local {
    const index = this.parameters.length + this.#locals.push(type) - 1;
    return { index, get: () => this.#local(0x20, index) };
  }

  i32(): Local {
    return this.local(ValueType.I32);
  }

  f64(): Local {
    return this.local(ValueType.F64);
  }

  v128(): Local {
    return this.local(ValueType.V128);
  }

  set(local: Local, value: Code): void {
    value();
    this.#local(0x21, local.index);
  }

  /** A new local of four lanes that holds the value. */
  keep(value: Code): Code {
    const local = this.v128();
    this.set(local, value);
    return local.get;
  }

  number(value: number): Code {
    return () => {
      this.#out.byte(0x41);
      this.#out.signed(value);
    };
  }

  real(value: number): Code {
    return () => {
      this.#out.byte(0x44);
      this.#out.f64(value);
    };
  }

  integer(name: keyof typeof I32, ...operands: Code[]): Code {
    return () => {
      for (const operand of operands) operand();
      this.#out.byte(I32[name]);
    };
  }

  double(name: keyof typeof F64, ...operands: Code[]): Code {
    return () => {
      for (const operand of operands) operand();
      this.#out.byte(F64[name]);
    };
  }

  lanes(name: keyof typeof BINARY, a: Code, b: Code): Code {
    return () => {
      a();
      b();
      this.#simd(BINARY[name]);
    };
  }

  unary(name: keyof typeof UNARY, a: Code): Code {
    return () => {
      a();
      this.#simd(UNARY[name]);
    };
  }

  /** Bits of `a` where the mask is set, else of `b`. */
  select(a: Code, b: Code, mask: Code): Code {
    return () => {
      a();
      b();
      mask();
      this.#simd(0x52);
    };
  }

  shiftLeft(a: Code, count: number): Code {
    return this.#shift(0xab, a, count);
  }

  shiftRight(a: Code, count: number): Code {
    return this.#shift(0xac, a, count);
  }

  /** The same f32 in every lane. */
  splat(value: number): Code {
    const bytes = new Uint8Array(new Float32Array([value, value, value, value]).buffer);
    return () => this.#constant(bytes);
  }

  splatF64(value: number): Code {
    const bytes = new Uint8Array(new Float64Array([value, value]).buffer);
    return () => this.#constant(bytes);
  }

  splatI32(value: number): Code {
    const bytes = new Uint8Array(new Int32Array([value, value, value, value]).buffer);
    return () => this.#constant(bytes);
  }

  /** An f64 in both lanes. */
  bothF64(value: Code): Code {
    return () => {
      value();
      this.#simd(Simd.f64Splat);
    };
  }

  /** Words of 32 bits of two registers, 0 .. 3 the first's, 4 .. 7 the second's. */
  shuffle(a: Code, b: Code, words: readonly [number, number, number, number]): Code {
    return () => {
      a();
      b();
      this.#simd(Simd.shuffle);
      for (const word of words) for (let i = 0; i < 4; i++) this.#out.byte(4 * word + i);
    };
  }

  load(address: Code, offset = 0): Code {
    return () => {
      address();
      this.#simd(Simd.load);
      this.#memory(4, offset);
    };
  }

  loadSplat(address: Code, offset = 0): Code {
    return () => {
      address();
      this.#simd(Simd.load32Splat);
      this.#memory(2, offset);
    };
  }

  loadSplatF64(address: Code, offset = 0): Code {
    return () => {
      address();
      this.#simd(Simd.load64Splat);
      this.#memory(3, offset);
    };
  }

  loadI32(address: Code, offset = 0): Code {
    return () => {
      address();
      this.#out.byte(0x28);
      this.#memory(2, offset);
    };
  }

  /** A byte, unsigned. */
  loadByte(address: Code, offset = 0): Code {
    return () => {
      address();
      this.#out.byte(0x2d);
      this.#memory(0, offset);
    };
  }

  /** 1 where the f32 at one address is at least that at another. */
  isNotBelow(a: Code, offsetA: number, b: Code): Code {
    return () => {
      a();
      this.#out.bytes([0x2a, 2]);
      this.#out.unsigned(offsetA);
      b();
      this.#out.bytes([0x2a, 2, 0, 0x60]);
    };
  }

  /** An i32 of four. */
  extract(value: Code, lane: number): Code {
    return () => {
      value();
      this.#simd(0x1b);
      this.#out.byte(lane);
    };
  }

  loadF64(address: Code, offset = 0): Code {
    return () => {
      address();
      this.#out.byte(0x2b);
      this.#memory(3, offset);
    };
  }

  store(address: Code, value: Code, offset = 0): void {
    address();
    value();
    this.#simd(Simd.store);
    this.#memory(4, offset);
  }

  storeI32(address: Code, value: Code, offset = 0): void {
    address();
    value();
    this.#out.byte(0x36);
    this.#memory(2, offset);
  }

  storeF64(address: Code, value: Code, offset = 0): void {
    address();
    value();
    this.#out.byte(0x39);
    this.#memory(3, offset);
  }

  /** The f64 rounded to single precision. */
  storeF32(address: Code, value: Code, offset = 0): void {
    address();
    value();
    this.#out.byte(0xb6);
    this.#out.byte(0x38);
    this.#memory(2, offset);
  }

  /** An f64, rounded to single precision, in every lane. */
  splatOf(value: Code): Code {
    return () => {
      value();
      this.#out.byte(0xb6);
      this.#simd(Simd.f32Splat);
    };
  }

  /** f64 of an i32. */
  toDouble(value: Code): Code {
    return () => {
      value();
      this.#out.byte(0xb7);
    };
  }

  /** i32 of an f64, saturating. */
  toInteger(value: Code): Code {
    return () => {
      value();
      this.#out.bytes([0xfc, 0x02]);
    };
  }

  call(index: number, ...operands: Code[]): Code {
    return () => {
      for (const operand of operands) operand();
      this.#out.byte(0x10);
      this.#out.unsigned(index);
    };
  }

  drop(value: Code): void {
    value();
    this.#out.byte(0x1a);
  }

  when(condition: Code, then: Code, otherwise?: Code): void {
    condition();
    this.#open(0x04, then, otherwise);
  }

  block(body: (end: Label) => void): void {
    this.#open(0x02, () => body({ depth: this.#depth }));
  }

  loop(body: (start: Label) => void): void {
    this.#open(0x03, () => body({ depth: this.#depth }));
  }

  branch(label: Label): void {
    this.#out.byte(0x0c);
    this.#out.unsigned(this.#depth - label.depth);
  }

  branchIf(label: Label, condition: Code): void {
    condition();
    this.#out.byte(0x0d);
    this.#out.unsigned(this.#depth - label.depth);
  }

  /** Runs the case of that number; none beyond the last. */
  choose(index: Code, cases: readonly Code[]): void {
    this.block((end) => {
      const nest = (k: number): void => {
        if (k < 0) {
          index();
          this.#out.byte(0x0e);
          this.#out.unsigned(cases.length);
          for (let i = 0; i < cases.length; i++) this.#out.unsigned(i);
          this.#out.unsigned(this.#depth - end.depth);
          return;
        }
        this.block(() => nest(k - 1));
        cases[k]();
        this.branch(end);
      };
      nest(cases.length - 1);
    });
  }

  give(value: Code): void {
    value();
    this.#out.byte(0x0f);
  }

  /** What follows is never reached. */
  unreachable(): void {
    this.#out.byte(0x00);
  }

  /** Locals and instructions, with the final `end`. */
  toBytes(): Uint8Array {
    const text = new ByteWriter();
    text.unsigned(this.#locals.length);
    for (const type of this.#locals) {
      text.unsigned(1);
      text.byte(type);
    }
    text.bytes(this.#out.toBytes());
    text.byte(0x0b);
    return text.toBytes();
  }

  #open(opcode: number, then: Code, otherwise?: Code): void {
    this.#out.byte(opcode);
    this.#out.byte(VOID);
    this.#depth++;
    then();
    if (otherwise) {
      this.#out.byte(0x05);
      otherwise();
    }
    this.#depth--;
    this.#out.byte(0x0b);
  }

  #local(opcode: number, index: number): void {
    this.#out.byte(opcode);
    this.#out.unsigned(index);
  }

  #shift(code: number, a: Code, count: number): Code {
    return () => {
      a();
      this.number(count)();
      this.#simd(code);
    };
  }

  #constant(bytes: Uint8Array): void {
    this.#simd(Simd.constant);
    this.#out.bytes(bytes);
  }

  #simd(code: number): void {
    this.#out.byte(0xfd);
    this.#out.unsigned(code);
  }

  #memory(alignment: number, offset: number): void {
    this.#out.byte(alignment);
    this.#out.unsigned(offset);
  }
}
