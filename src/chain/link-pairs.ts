/**
 * A growing list of link pairs a < b, each kept as the single exact integer a 2^26 + b, so that sorting and comparing
 * lists are plain numeric work. Grows by doubling; a list that has reached its size never allocates again.
 */
import { requireInstance } from '../math/arguments.js';

const SHIFT = 2 ** 26;

export class LinkPairs {
  /** Number of pairs. */
  count = 0;
  private keys = new Float64Array(16);

  linkA(i: number): number {
    return Math.floor(this.keys[i] / SHIFT);
  }

  linkB(i: number): number {
    return this.keys[i] % SHIFT;
  }

  clear(): void {
    this.count = 0;
  }

  add(linkA: number, linkB: number): void {
    if (this.count === this.keys.length) this.reserve(2 * this.count);
    this.keys[this.count++] = linkA * SHIFT + linkB;
  }

  /** Orders the pairs by first link, then second. */
  sort(): void {
    if (this.count > 1) this.keys.subarray(0, this.count).sort();
  }

  /** Negative when pair i comes before pair j of `other`, 0 when they are the same. */
  compare(i: number, other: LinkPairs, j: number): number {
    return this.keys[i] - other.keys[j];
  }

  copyFrom(other: LinkPairs): void {
    if (this.keys.length < other.count) this.reserve(other.keys.length);
    for (let i = 0; i < other.count; i++) this.keys[i] = other.keys[i];
    this.count = other.count;
  }

  toArray(): [number, number][] {
    return Array.from({ length: this.count }, (_, i): [number, number] => [this.linkA(i), this.linkB(i)]);
  }

  private reserve(capacity: number): void {
    const keys = new Float64Array(capacity);
    keys.set(this.keys);
    this.keys = keys;
  }
}

/** Throws on what is no list to write pairs to. */
export function requireLinkPairs(call: string, out: unknown): void {
  requireInstance(call, 'out', out, LinkPairs, 'a LinkPairs');
}

/** An empty list. */
export function createLinkPairs(): LinkPairs {
  return new LinkPairs();
}
