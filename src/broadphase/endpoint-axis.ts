/**
 * The ends of all boxes along one axis, in order, and the pairs that begin to overlap when the order changes.
 *
 * An end is 2 x id, plus 1 for an upper end. Upper ends lie `margin` higher than the box says; where values are equal lower
 * ends come first, so that touching counts. Sorting by insertion swaps each pair of ends that changed order exactly once:
 * a lower end that moves below an upper one is the only way in which two boxes begin to overlap on this axis.
 * Cost: O(n + swaps). Tested by test/contract/broad-phases.test.ts.
 */
import { BOX_STRIDE } from './box.js';

export class EndpointAxis {
  private ends = new Int32Array(0);
  private keys = new Float64Array(0);
  /** Place of each end. */
  private places = new Int32Array(0);
  private count = 0;

  constructor(
    private readonly axis: number,
    private readonly margin: number,
  ) {}

  /** Sorts the ends of `ids` from scratch. */
  rebuild(ids: Int32Array, exact: Float64Array, capacity: number): void {
    const n = 2 * ids.length;
    if (this.ends.length < n) {
      this.ends = new Int32Array(n);
      this.keys = new Float64Array(n);
    }
    if (this.places.length < 2 * capacity) this.places = new Int32Array(2 * capacity);
    this.count = n;
    const { ends, keys, places } = this;
    for (let i = 0; i < ids.length; i++) {
      ends[2 * i] = 2 * ids[i];
      ends[2 * i + 1] = 2 * ids[i] + 1;
    }
    ends.subarray(0, n).sort((a, b) => this.keyOf(a, exact) - this.keyOf(b, exact) || (a & 1) - (b & 1) || a - b);
    for (let p = 0; p < n; p++) {
      keys[p] = this.keyOf(ends[p], exact);
      places[ends[p]] = p;
    }
  }

  /** Takes the new ends of a box; `sort` puts them in order. */
  move(id: number, exact: Float64Array): void {
    this.keys[this.places[2 * id]] = this.keyOf(2 * id, exact);
    this.keys[this.places[2 * id + 1]] = this.keyOf(2 * id + 1, exact);
  }

  /** Calls `onBegin` for pairs that begin to overlap. Returns the swaps left of `allowance`; negative: gave up half-way. */
  sort(allowance: number, onBegin: (a: number, b: number) => void): number {
    const { ends, keys, places, count } = this;
    for (let p = 1; p < count; p++) {
      const end = ends[p];
      const key = keys[p];
      const isUpper = end & 1;
      let q = p - 1;
      while (q >= 0) {
        const other = ends[q];
        const otherKey = keys[q];
        if (otherKey < key || (otherKey === key && (other & 1) <= isUpper)) break;
        if (isUpper === 0 && (other & 1) === 1) onBegin(end >> 1, other >> 1);
        ends[q + 1] = other;
        keys[q + 1] = otherKey;
        places[other] = q + 1;
        q--;
      }
      if (q === p - 1) continue;
      ends[q + 1] = end;
      keys[q + 1] = key;
      places[end] = q + 1;
      allowance -= p - 1 - q;
      if (allowance < 0) return allowance;
    }
    return allowance;
  }

  private keyOf(end: number, exact: Float64Array): number {
    const o = (end >> 1) * BOX_STRIDE + this.axis;
    return (end & 1) === 1 ? exact[o + 3] + this.margin : exact[o];
  }
}
