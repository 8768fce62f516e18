/**
 * Assembles a WebAssembly module from function bodies: one memory of fixed size, two imported functions of one number
 * (the sine and cosine of angles the module does not reduce itself), constants as a data segment, a custom section.
 *
 * Source: WebAssembly core specification 2.0, section 5.5 (modules). Cost: linear in bytes.
 * Fails: nothing here checks the bodies; an engine does when it compiles. Tested by wasm-module.test.ts.
 */
import { ByteWriter } from './byte-writer.js';

export const ValueType = { I32: 0x7f, F64: 0x7c, V128: 0x7b } as const;

/** Types of functions a module here uses, by index in its type section. */
const FunctionType = { Run: 0, Number: 1 } as const;
const TYPE_SECTION = [2, 0x60, 0, 0, 0x60, 1, ValueType.F64, 1, ValueType.F64];
/** Types beyond these, of functions that take integers: i of them is type INTEGERS + i - 1. */
const INTEGERS = 2;

/** Function indices of the imports; the module's own functions follow. */
export const ImportedFunction = { Sin: 0, Cos: 1 } as const;
export const IMPORT_COUNT = 2;

export interface FunctionBody {
  /** How many integers it takes; locals follow them. Default 0. */
  readonly integers?: number;
  /** Runs of locals of one type. */
  readonly locals: readonly { readonly count: number; readonly type: number }[];
  /** Instructions, without the final `end`. */
  readonly code: Uint8Array;
}

export interface ModuleParts {
  /** They return nothing, and those of exports take nothing. */
  readonly functions: readonly FunctionBody[];
  /** Name and index into `functions`. */
  readonly exports: readonly (readonly [string, number])[];
  readonly memoryBytes: number;
  readonly data: readonly { readonly address: number; readonly bytes: Uint8Array }[];
  readonly custom: { readonly name: string; readonly bytes: Uint8Array };
}

export const PAGE_BYTES = 65536;

export function assembleModule(parts: ModuleParts): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter();
  out.bytes([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  section(out, 0, (body) => {
    body.name(parts.custom.name);
    body.bytes(parts.custom.bytes);
  });
  const integers = Math.max(0, ...parts.functions.map((body) => body.integers ?? 0));
  section(out, 1, (body) => {
    const [count, ...types] = TYPE_SECTION;
    body.unsigned(count + integers);
    body.bytes(types);
    for (let i = 1; i <= integers; i++) body.bytes([0x60, i, ...new Array(i).fill(ValueType.I32), 0]);
  });
  section(out, 2, (body) => {
    body.unsigned(IMPORT_COUNT);
    for (const name of ['sin', 'cos']) {
      body.name('math');
      body.name(name);
      body.byte(0);
      body.unsigned(FunctionType.Number);
    }
  });
  section(out, 3, (body) => {
    body.unsigned(parts.functions.length);
    for (const { integers: count = 0 } of parts.functions) {
      body.unsigned(count === 0 ? FunctionType.Run : INTEGERS + count - 1);
    }
  });
  const pages = Math.ceil(parts.memoryBytes / PAGE_BYTES);
  section(out, 5, (body) => {
    body.bytes([1, 1]);
    body.unsigned(pages);
    body.unsigned(pages);
  });
  section(out, 7, (body) => {
    body.unsigned(parts.exports.length + 1);
    body.name('memory');
    body.bytes([2, 0]);
    for (const [name, index] of parts.exports) {
      body.name(name);
      body.byte(0);
      body.unsigned(IMPORT_COUNT + index);
    }
  });
  section(out, 10, (body) => {
    body.unsigned(parts.functions.length);
    for (const { locals, code } of parts.functions) {
      const text = new ByteWriter();
      text.unsigned(locals.length);
      for (const { count, type } of locals) {
        text.unsigned(count);
        text.byte(type);
      }
      text.bytes(code);
      text.byte(0x0b);
      body.block(text.toBytes());
    }
  });
  section(out, 11, (body) => {
    body.unsigned(parts.data.length);
    for (const { address, bytes } of parts.data) {
      body.byte(0);
      body.byte(0x41);
      body.signed(address);
      body.byte(0x0b);
      body.block(bytes);
    }
  });
  return out.toBytes() as Uint8Array<ArrayBuffer>;
}

function section(out: ByteWriter, id: number, write: (body: ByteWriter) => void): void {
  const body = new ByteWriter();
  write(body);
  out.byte(id);
  out.block(body.toBytes());
}
