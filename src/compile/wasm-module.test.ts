import { describe, expect, it } from 'vitest';
import { ByteWriter } from './byte-writer.js';
import { assembleModule, IMPORT_COUNT } from './wasm-module.js';

describe('byte writer', () => {
  it('writes LEB128 integers', () => {
    const write = (put: (out: ByteWriter) => void) => {
      const out = new ByteWriter();
      put(out);
      return [...out.toBytes()];
    };
    expect(write((out) => out.unsigned(0))).toEqual([0]);
    expect(write((out) => out.unsigned(127))).toEqual([127]);
    expect(write((out) => out.unsigned(624485))).toEqual([0xe5, 0x8e, 0x26]);
    expect(write((out) => out.unsigned(0xffffffff))).toEqual([255, 255, 255, 255, 15]);
    expect(write((out) => out.signed(63))).toEqual([63]);
    expect(write((out) => out.signed(64))).toEqual([0xc0, 0]);
    expect(write((out) => out.signed(-64))).toEqual([64]);
    expect(write((out) => out.signed(-123456))).toEqual([0xc0, 0xbb, 0x78]);
    expect(write((out) => out.name('pi'))).toEqual([2, 112, 105]);
    expect(write((out) => out.f64(1))).toEqual([0, 0, 0, 0, 0, 0, 0xf0, 0x3f]);
  });

  it('grows', () => {
    const out = new ByteWriter();
    for (let i = 0; i < 1000; i++) out.byte(i & 255);
    out.bytes(new Uint8Array(5000).fill(7));
    const bytes = out.toBytes();
    expect(bytes.length).toBe(6000);
    expect(bytes[999]).toBe(999 & 255);
    expect(bytes[5999]).toBe(7);
  });
});

describe('module', () => {
  it('is accepted, has its memory, data and custom section, and calls its imports', () => {
    // memory[8] = sin(memory[0])
    const code = Uint8Array.of(0x41, 0, 0x41, 0, 0x2b, 3, 0, 0x10, 0, 0x39, 3, 8);
    const bytes = assembleModule({
      functions: [{ locals: [], code }],
      exports: [['run', 0]],
      memoryBytes: 70000,
      data: [{ address: 16, bytes: Uint8Array.of(1, 2, 3) }],
      custom: { name: 'note', bytes: Uint8Array.of(42) },
    });
    expect(WebAssembly.validate(bytes)).toBe(true);
    expect(IMPORT_COUNT).toBe(2);
    const module = new WebAssembly.Module(bytes);
    expect(new Uint8Array(WebAssembly.Module.customSections(module, 'note')[0])).toEqual(Uint8Array.of(42));
    const math = { sin: (x: number) => 2 * x, cos: (x: number) => x };
    const exports = new WebAssembly.Instance(module, { math }).exports as {
      memory: WebAssembly.Memory;
      run: () => void;
    };
    expect(exports.memory.buffer.byteLength).toBe(2 * 65536);
    expect([...new Uint8Array(exports.memory.buffer, 15, 5)]).toEqual([0, 1, 2, 3, 0]);
    const numbers = new Float64Array(exports.memory.buffer);
    numbers[0] = 21;
    exports.run();
    expect(numbers[1]).toBe(42);
  });
});
