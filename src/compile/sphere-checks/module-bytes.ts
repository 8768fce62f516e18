/**
 * Assembles a module whose functions have types of their own: own memory without a maximum, exported functions and numbers.
 * Source: WebAssembly core specification 2.0, section 5.5 (modules). Cost: linear in bytes.
 * Fails: nothing here checks the bodies; an engine does. Tested by compile-sphere-checks.test.ts.
 */
import { ByteWriter } from '../byte-writer.js';
import { PAGE_BYTES } from '../wasm-module.js';

export interface TypedFunction {
  readonly parameters: readonly number[];
  readonly results: readonly number[];
  /** Locals, instructions and the final `end`. */
  readonly body: Uint8Array;
}

export interface CheckModuleParts {
  readonly functions: readonly TypedFunction[];
  /** Name and index into `functions`. */
  readonly exports: readonly (readonly [string, number])[];
  /** Constant i32 globals, exported by name. */
  readonly numbers: readonly (readonly [string, number])[];
  readonly memoryBytes: number;
  readonly data: readonly { readonly address: number; readonly bytes: Uint8Array }[];
}

export function assembleCheckModule(parts: CheckModuleParts): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter();
  out.bytes([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  const types = new Map<string, { index: number; parameters: readonly number[]; results: readonly number[] }>();
  const typeOf = parts.functions.map(({ parameters, results }) => {
    const key = `${parameters}:${results}`;
    const known = types.get(key);
    if (known) return known.index;
    types.set(key, { index: types.size, parameters, results });
    return types.size - 1;
  });
  section(out, 1, (body) => {
    body.unsigned(types.size);
    for (const { parameters, results } of types.values()) {
      body.byte(0x60);
      body.block(Uint8Array.from(parameters));
      body.block(Uint8Array.from(results));
    }
  });
  section(out, 3, (body) => {
    body.unsigned(typeOf.length);
    for (const type of typeOf) body.unsigned(type);
  });
  section(out, 5, (body) => {
    body.bytes([1, 0]);
    body.unsigned(Math.ceil(parts.memoryBytes / PAGE_BYTES));
  });
  section(out, 6, (body) => {
    body.unsigned(parts.numbers.length);
    for (const [, value] of parts.numbers) {
      body.bytes([0x7f, 0, 0x41]);
      body.signed(value);
      body.byte(0x0b);
    }
  });
  section(out, 7, (body) => {
    body.unsigned(1 + parts.exports.length + parts.numbers.length);
    body.name('memory');
    body.bytes([2, 0]);
    for (const [name, index] of parts.exports) {
      body.name(name);
      body.byte(0);
      body.unsigned(index);
    }
    parts.numbers.forEach(([name], i) => {
      body.name(name);
      body.byte(3);
      body.unsigned(i);
    });
  });
  section(out, 10, (body) => {
    body.unsigned(parts.functions.length);
    for (const { body: text } of parts.functions) body.block(text);
  });
  section(out, 11, (body) => {
    body.unsigned(parts.data.length);
    for (const { address, bytes } of parts.data) {
      body.bytes([0, 0x41]);
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
