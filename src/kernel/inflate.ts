/**
 * Unpacks what deflate compressed. Written out because no synchronous function for it is common to all engines.
 *
 * Method: blocks, each stored or coded by two canonical Huffman codes (its own, sent by lengths, or the fixed ones). A code is read
 * by a table of all values of as many bits as its longest word has. Words are stored with their first bit in the lowest place.
 * Source: Deutsch 1996, "DEFLATE compressed data format specification", RFC 1951, doi:10.17487/RFC1951, section 3.2.
 * Cost: about 15 ns per byte written. Throws RangeError where the bytes are no such stream, or not of that length.
 * Checked by kernel.test.ts, against another implementation.
 */

const END = 256;
/** Order in which the lengths of the code of lengths come. */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

interface HuffmanTable {
  /** Symbol << 4 | bits of its word, for each value of the next `bits` bits; 0: no word. */
  readonly entries: Uint16Array;
  readonly bits: number;
  readonly mask: number;
}

function buildTable(lengths: Uint8Array): HuffmanTable {
  const bits = Math.max(1, ...lengths);
  const next = new Uint16Array(bits + 2);
  for (const length of lengths) if (length > 0) next[length + 1]++;
  for (let length = 1; length <= bits; length++) next[length + 1] += next[length];
  // Numbers of words become the first word of each length: (first of the shorter + their number) << 1.
  const counts = next.slice();
  let word = 0;
  for (let length = 1; length <= bits; length++) {
    next[length] = word;
    word = (word + counts[length + 1] - counts[length]) << 1;
  }
  const entries = new Uint16Array(1 << bits);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol];
    if (length === 0) continue;
    let reversed = 0;
    for (let i = 0, rest = next[length]++; i < length; i++, rest >>= 1) reversed = (reversed << 1) | (rest & 1);
    for (let at = reversed; at < entries.length; at += 1 << length) entries[at] = (symbol << 4) | length;
  }
  return { entries, bits, mask: (1 << bits) - 1 };
}

interface Ranges {
  readonly base: Uint16Array;
  readonly extra: Uint8Array;
}

/** First value and further bits of symbols of lengths and distances: two groups of `group` symbols have none, each next one more. */
function rangesOf(count: number, first: number, group: number): Ranges {
  const base = new Uint16Array(count);
  const extra = new Uint8Array(count);
  let value = first;
  for (let i = 0; i < count; i++) {
    base[i] = value;
    extra[i] = Math.max(0, Math.floor(i / group) - 1);
    value += 1 << extra[i];
  }
  return { base, extra };
}

const LENGTHS = rangesOf(29, 3, 4);
const DISTANCES = rangesOf(30, 1, 2);
/** The longest match is a symbol of its own. */
const LONGEST = 28;

class BitReader {
  private held = 0;
  private count = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private at: number,
  ) {}

  /** The next bits, at most 16, without taking them; zeros beyond the end. */
  peek(count: number): number {
    while (this.count < count) {
      if (this.at > this.bytes.length + 2) throw new RangeError('inflate: ends too early');
      this.held |= (this.bytes[this.at++] ?? 0) << this.count;
      this.count += 8;
    }
    return this.held & ((1 << count) - 1);
  }

  skip(count: number): void {
    this.held >>>= count;
    this.count -= count;
  }

  take(count: number): number {
    const value = this.peek(count);
    this.skip(count);
    return value;
  }

  symbol({ entries, bits }: HuffmanTable): number {
    const entry = entries[this.peek(bits)];
    if (entry === 0) throw new RangeError('inflate: no word of the code');
    this.skip(entry & 15);
    return entry >> 4;
  }

  /**
   * Writes what a block stands for from `at` on; returns its end. Without calls, since this runs once, in an engine that has not
   * compiled it yet.
   */
  decode(out: Uint8Array, at: number, literals: HuffmanTable, distances: HuffmanTable): number {
    const { bytes } = this;
    let { held, count, at: from } = this;
    for (;;) {
      // A word of a length and its further bits take 20, those of a distance 28: what is held fits 32 bits.
      for (; count < 20; count += 8) held |= bytes[from++] << count;
      let entry = literals.entries[held & literals.mask];
      if (entry === 0 || from > bytes.length + 4) throw new RangeError('inflate: no word of the code');
      held >>>= entry & 15;
      count -= entry & 15;
      let symbol = entry >> 4;
      if (symbol < END) {
        out[at++] = symbol;
        continue;
      }
      if (symbol === END) break;
      symbol -= END + 1;
      let extra = LENGTHS.extra[symbol];
      const end = at + LENGTHS.base[symbol] + (held & ((1 << extra) - 1));
      held >>>= extra;
      count -= extra;
      for (; count < 15; count += 8) held |= bytes[from++] << count;
      entry = distances.entries[held & distances.mask];
      if (entry === 0) throw new RangeError('inflate: no word of the code');
      held >>>= entry & 15;
      count -= entry & 15;
      symbol = entry >> 4;
      extra = DISTANCES.extra[symbol];
      for (; count < extra; count += 8) held |= bytes[from++] << count;
      const back = DISTANCES.base[symbol] + (held & ((1 << extra) - 1));
      held >>>= extra;
      count -= extra;
      for (; at < end; at++) out[at] = out[at - back];
    }
    this.held = held;
    this.count = count;
    this.at = from;
    return at;
  }

  /** Copies whole bytes from the next byte on. */
  copy(out: Uint8Array, at: number): number {
    this.skip(this.count & 7);
    const length = this.take(16);
    this.take(16);
    for (let i = 0; i < length; i++) out[at + i] = this.take(8);
    return at + length;
  }
}

function readTables(input: BitReader): readonly [HuffmanTable, HuffmanTable] {
  const literals = input.take(5) + 257;
  const distances = input.take(5) + 1;
  const count = input.take(4) + 4;
  const own = new Uint8Array(19);
  for (let i = 0; i < count; i++) own[LENGTH_ORDER[i]] = input.take(3);
  const table = buildTable(own);
  const lengths = new Uint8Array(literals + distances);
  for (let at = 0; at < lengths.length; ) {
    const symbol = input.symbol(table);
    if (symbol < 16) {
      lengths[at++] = symbol;
      continue;
    }
    const value = symbol === 16 ? lengths[at - 1] : 0;
    const repeats = symbol === 16 ? 3 + input.take(2) : symbol === 17 ? 3 + input.take(3) : 11 + input.take(7);
    lengths.fill(value, at, at + repeats);
    at += repeats;
  }
  return [buildTable(lengths.subarray(0, literals)), buildTable(lengths.subarray(literals))];
}

function fixedTables(): readonly [HuffmanTable, HuffmanTable] {
  const lengths = new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280);
  return [buildTable(lengths), buildTable(new Uint8Array(32).fill(5))];
}

/** The `length` bytes that the stream from `start` on stands for. */
export function inflate(bytes: Uint8Array, start: number, length: number): Uint8Array<ArrayBuffer> {
  const input = new BitReader(bytes, start);
  const out = new Uint8Array(length);
  LENGTHS.base[LONGEST] = 258;
  LENGTHS.extra[LONGEST] = 0;
  let at = 0;
  for (let isLast = false; !isLast; ) {
    isLast = input.take(1) === 1;
    const kind = input.take(2);
    if (kind === 0) {
      at = input.copy(out, at);
      continue;
    }
    const [literals, distances] = kind === 1 ? fixedTables() : readTables(input);
    at = input.decode(out, at, literals, distances);
  }
  if (at !== length) throw new RangeError(`inflate: got ${at} bytes, expected ${length}`);
  return out;
}
