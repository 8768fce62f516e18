/**
 * Writes the pieces of a WebAssembly binary: bytes, LEB128 integers, little-endian floats, names, sections.
 * Source: WebAssembly core specification 2.0, chapter 5 (binary format). Tested by wasm-module.test.ts.
 */
const scratch = new DataView(new ArrayBuffer(8));

export class ByteWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#reserve(this.#length + 1);
    this.#bytes[this.#length++] = value;
  }

  bytes(values: ArrayLike<number>): void {
    this.#reserve(this.#length + values.length);
    this.#bytes.set(values, this.#length);
    this.#length += values.length;
  }

  /** Unsigned LEB128, up to 32 bits. */
  unsigned(value: number): void {
    let rest = value >>> 0;
    while (rest >= 128) {
      this.byte((rest & 127) | 128);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  /** Signed LEB128, up to 32 bits. */
  signed(value: number): void {
    let rest = value | 0;
    while (rest < -64 || rest > 63) {
      this.byte((rest & 127) | 128);
      rest >>= 7;
    }
    this.byte(rest & 127);
  }

  f64(value: number): void {
    scratch.setFloat64(0, value, true);
    for (let i = 0; i < 8; i++) this.byte(scratch.getUint8(i));
  }

  /** Length in bytes, then UTF-8. */
  name(text: string): void {
    this.block(new TextEncoder().encode(text));
  }

  /** Length in bytes, then the bytes. */
  block(bytes: Uint8Array): void {
    this.unsigned(bytes.length);
    this.bytes(bytes);
  }

  toBytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(length: number): void {
    if (length <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}
