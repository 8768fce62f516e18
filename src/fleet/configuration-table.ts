/**
 * Configurations (a vertex per robot) by their content: open addressing over indices into a list.
 *
 * Cost: O(robots) per look-up. Order of insertion decides the index, nothing else does. Tested by plan-paths.test.ts.
 */
export class ConfigurationTable {
  private slots = new Int32Array(1024).fill(-1);
  private hashes: number[] = [];
  readonly list: Int32Array[] = [];

  /** Index of an equal configuration, or -1. */
  find(configuration: Int32Array): number {
    return this.slots[this.locate(configuration, hashOf(configuration))];
  }

  /** Adds one that is not there; it is kept, not copied. */
  add(configuration: Int32Array): number {
    const index = this.list.length;
    const hash = hashOf(configuration);
    this.slots[this.locate(configuration, hash)] = index;
    this.list.push(configuration);
    this.hashes.push(hash);
    if (2 * this.list.length > this.slots.length) this.grow();
    return index;
  }

  private locate(configuration: Int32Array, hash: number): number {
    const { slots, list, hashes } = this;
    const mask = slots.length - 1;
    for (let s = hash & mask; ; s = (s + 1) & mask) {
      const k = slots[s];
      if (k < 0 || (hashes[k] === hash && isEqual(list[k], configuration))) return s;
    }
  }

  private grow(): void {
    this.slots = new Int32Array(2 * this.slots.length).fill(-1);
    const mask = this.slots.length - 1;
    for (let k = 0; k < this.list.length; k++) {
      let s = this.hashes[k] & mask;
      while (this.slots[s] >= 0) s = (s + 1) & mask;
      this.slots[s] = k;
    }
  }
}

function hashOf(configuration: Int32Array): number {
  let h = configuration.length;
  for (let i = 0; i < configuration.length; i++) {
    h = Math.imul(h ^ configuration[i], 0x85ebca6b);
    h ^= h >>> 13;
  }
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}

export function isEqual(a: Int32Array, b: Int32Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
