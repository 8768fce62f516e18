/**
 * SHA-256 of bytes as they come, with the same result in every engine and in any thread.
 *
 * Written out because Node's `crypto` is absent in pages, and WebCrypto is absent in pages without https and answers later
 * only; a hash of contents is wanted in the middle of synchronous code. About 150 MB/s.
 * Source: NIST 2015, "Secure Hash Standard", FIPS 180-4, sections 4.1.2, 5.1.1, 5.3.3 and 6.2, doi:10.6028/NIST.FIPS.180-4.
 * The constants are the first 32 bits of the fractional parts of square and cube roots of primes, found here with whole numbers.
 * Tested by content-hash.test.ts against Node's.
 */

/** floor(root of `prime` x 2^32) modulo 2^32, for the root of degree 2 or 3. */
function fractionOfRoot(prime: number, degree: 2 | 3): number {
  const wanted = BigInt(prime) << BigInt(32 * degree);
  let root = 0n;
  for (let bit = 1n << 37n; bit > 0n; bit >>= 1n) {
    const next = root | bit;
    if ((degree === 2 ? next * next : next * next * next) <= wanted) root = next;
  }
  return Number(root & 0xffffffffn) | 0;
}

function listPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}

let tables: { readonly initial: Int32Array; readonly rounds: Int32Array } | null = null;

function makeTables() {
  const primes = listPrimes(64);
  return {
    initial: Int32Array.from(primes.slice(0, 8), (prime) => fractionOfRoot(prime, 2)),
    rounds: Int32Array.from(primes, (prime) => fractionOfRoot(prime, 3)),
  };
}

export class Sha256 {
  private readonly state: Int32Array;
  private readonly rounds: Int32Array;
  private readonly words = new Int32Array(64);
  private readonly block = new Uint8Array(64);
  private held = 0;
  private length = 0;

  constructor() {
    tables ??= makeTables();
    this.state = Int32Array.from(tables.initial);
    this.rounds = tables.rounds;
  }

  add(bytes: Uint8Array): void {
    this.length += bytes.length;
    let at = 0;
    if (this.held > 0) {
      at = Math.min(64 - this.held, bytes.length);
      this.block.set(bytes.subarray(0, at), this.held);
      this.held += at;
      if (this.held < 64) return;
      this.mix(this.block, 0);
      this.held = 0;
    }
    for (; at + 64 <= bytes.length; at += 64) this.mix(bytes, at);
    this.block.set(bytes.subarray(at));
    this.held = bytes.length - at;
  }

  /** 64 hexadecimal digits; nothing may be added afterwards. */
  finish(): string {
    const { block, length } = this;
    block[this.held++] = 0x80;
    if (this.held > 56) {
      block.fill(0, this.held);
      this.mix(block, 0);
      this.held = 0;
    }
    block.fill(0, this.held);
    const view = new DataView(block.buffer);
    view.setUint32(56, Math.floor(length / 0x20000000));
    view.setUint32(60, (length * 8) % 0x100000000);
    this.mix(block, 0);
    return Array.from(this.state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  }

  private mix(bytes: Uint8Array, from: number): void {
    const { words, rounds, state } = this;
    for (let i = 0; i < 16; i++) {
      const at = from + 4 * i;
      words[i] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
    }
    for (let i = 16; i < 64; i++) {
      const x = words[i - 15];
      const y = words[i - 2];
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      words[i] = (words[i - 16] + s0 + words[i - 7] + s1) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const first = (h + s1 + ((e & f) ^ (~e & g)) + rounds[i] + words[i]) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + first) | 0;
      d = c;
      c = b;
      b = a;
      a = (first + second) | 0;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
  }
}
